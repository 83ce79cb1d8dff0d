// The files of a model, in a folder or in an archive, from which nothing is unpacked to a path.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/zip.h"
#include "exchange/foreign.h"

namespace tt {

// The bytes of a file, which live as long as a copy of this.
struct FileBytes {
  std::shared_ptr<const void> owner;
  std::string_view text;
  NumbersIn where = NumbersIn::memory;
};

class ModelFiles {
 public:
  // Those of `folders`, in which a file is looked for one after the other; of an archive, they are
  // the beginnings of its members' names, each with a slash at its end.
  explicit ModelFiles(std::vector<std::string> folders) : folders_(std::move(folders)) {}
  ModelFiles(std::shared_ptr<const ZipFile> zip, std::vector<std::string> folders)
      : zip_(std::move(zip)), folders_(std::move(folders)) {}

  bool has(const std::string& name) const { return !find(name).empty(); }
  // Their place, for messages.
  std::string folder() const { return zip_ ? zip_->path() : folders_[0]; }
  // For messages; where there is no such file, where it would be.
  std::string path(const std::string& name) const;
  // Throws Error if there is no such file, or it cannot be read or is empty.
  FileBytes read(const std::string& name) const;

 private:
  std::string find(const std::string& name) const;
  std::shared_ptr<const ZipFile> zip_;
  std::vector<std::string> folders_;
};

FileBytes map_file(const std::string& path);

}  // namespace tt
