// Zip archives, as numpy, PyTorch and office programs write them: what is in them, and their
// writing.
//
// Source: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.3 (sizes of 64 bits). Nothing is ever unpacked
// to a path.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"

namespace tt {

class ZipFile {
 public:
  // Reads the directory. Throws Error if the file cannot be read, is no zip archive, is damaged or
  // truncated, or if members overlap: such an archive is small, and what is unpacked has no end.
  explicit ZipFile(const std::string& path);

  const std::string& path() const { return path_; }

  struct Member {
    int method = 0;  // 0: stored, 8: deflated
    std::uint64_t packed = 0, size = 0, begin = 0;
    std::uint32_t crc = 0;
    bool utf8 = false;           // its name says that it is
    mutable bool sound = false;  // its bytes have been compared with `crc`
  };
  const std::map<std::string, Member>& members() const { return members_; }

  std::uint64_t bytes() const { return file_->size(); }
  // All of the archive, and the bytes of a member as they are packed in it.
  std::string_view text() const { return file_->text(); }
  std::string_view packed(const Member& member) const;

  // The bytes of a member. Throws Error if there is none, it is damaged, or larger than most_from()
  // the archive.
  std::string read(const std::string& name) const;
  // Only the first ones, at most so many, which are not checked as the whole is.
  std::string read_head(const std::string& name, std::size_t most) const;
  // The bytes of a member that is not packed, which live as long as this object. They are checked
  // once: tensors may be many stretches of one member.
  std::optional<std::string_view> stored(const std::string& name) const;

 private:
  void read_directory();
  void find_data(Member& member, const std::string& name, std::uint64_t header) const;
  void check_apart(std::uint64_t directory) const;
  const Member& member(const std::string& name) const;
  std::string path_;
  std::unique_ptr<MappedFile> file_;
  std::map<std::string, Member> members_;
};

// The deflated bytes of a member, whose sizes and CRC are set.
std::string deflated(std::string_view bytes, ZipFile::Member& member);

// Writes members one after the other into a file, and finish() the directory behind them.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file) : file_(file) {}
  // The data begin at a multiple of 64 bytes, as PyTorch wants them. Requires less than 4 GiB, and
  // a name that is new.
  void add(const std::string& name, std::string_view bytes);
  // A member that is packed already; its data begin right behind its name.
  void add_packed(const std::string& name, const ZipFile::Member& member, std::string_view packed);
  void finish();

 private:
  void put(const std::string& name, const ZipFile::Member& member, std::string_view packed,
           const std::string& extra);
  AtomicFile& file_;
  std::string directory_;
  std::uint64_t place_ = 0, members_ = 0;
};

}  // namespace tt
