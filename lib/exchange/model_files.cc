#include "exchange/model_files.h"

#include "base/error.h"
#include "base/file.h"

namespace tt {

FileBytes map_file(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  return {file, file->text(), NumbersIn::mapped_file};
}

std::string ModelFiles::find(const std::string& name) const {
  for (const std::string& folder : folders_) {
    const std::string path = zip_ ? folder + name : folder + "/" + name;
    if (zip_ ? zip_->members().contains(path) : file_exists(path)) return path;
  }
  return "";
}

std::string ModelFiles::path(const std::string& name) const {
  const std::string found = find(name);
  if (zip_) return zip_->path() + ": " + (found.empty() ? folders_[0] + name : found);
  return found.empty() ? folders_[0] + "/" + name : found;
}

FileBytes ModelFiles::read(const std::string& name) const {
  const std::string found = find(name);
  if (found.empty()) throw Error(path(name), ": is not there");
  if (!zip_) return map_file(file_of_model(found));
  if (const auto stored = zip_->stored(found)) return {zip_, *stored, NumbersIn::mapped_file};
  const auto bytes = std::make_shared<const std::string>(zip_->read(found));
  if (bytes->empty()) throw Error(path(name), ": is empty");
  return {bytes, *bytes, NumbersIn::memory};
}

}  // namespace tt
