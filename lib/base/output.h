// Output: streams, and files that appear complete or not at all.
//
// A path of "-" is stdout, as is every path that denotes it, such as /dev/stdout or /dev/fd/1. An
// existing file that is not regular (a device, a pipe) is written to directly. A symbolic link is
// followed: its target is written, and the link stays. A new file has mode 0666 minus the umask.
//
// If the reader of a pipe closes it, the program ends quietly, with the status that a shell gives
// SIGPIPE.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

// Writes bytes through a buffer.
class Output {
 public:
  // Opens `path`. Unless `append`, a file that exists is emptied, by the first byte that is written
  // or by close(); until then nothing of it is lost, and a new one is removed. Throws Error if it
  // cannot be written.
  explicit Output(const std::string& path, bool append = false);
  ~Output();  // flushes; errors are lost here, so call close() if the data matter
  Output(Output&&) noexcept;
  Output& operator=(Output&&) = delete;

  // Each throws Error if the disk is full or the file cannot be written; earlier output is kept.
  void write(std::string_view bytes);
  void line(std::string_view text);  // text and an LF
  void flush();
  void close();
  void
  outlive_reader();  // that the reader of a pipe has closed it is then an Error, and ends nothing

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// True once an Output or AtomicFile on a terminal has been opened.
bool terminal_has_data();

// A file that appears complete or not at all: written next to its destination as NAME.partial-PID,
// synced to disk, and renamed by commit(). It keeps the mode and, if permitted, the owner and group
// of a file that it replaces. Without commit() an existing file is not touched, and the partial
// file is removed. A destination that is not a regular file is written to directly.
class AtomicFile {
 public:
  enum class Content { binary, text };
  // Throws Error if it or its folder cannot be written, or if "-" is a terminal and the content is
  // binary.
  explicit AtomicFile(const std::string& path, Content content = Content::binary);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t size);  // Throws Error (full disk, ...)
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  // The path of what was written until commit(); empty where bytes are written directly.
  const std::string& partial() const { return partial_; }
  void commit();  // fsync, rename, fsync of the folder. Throws Error.

 private:
  friend class AtomicFolder;
  void complete();  // fsync and close: nothing more is written. Throws Error.
  void appear();    // once it is complete. Throws Error.
  void open_partial(int mode);
  std::string name_, target_,
      partial_;  // partial_ is empty if bytes are written directly to the destination
  int fd_ = -1, slot_ = -1;
  bool complete_ = false;
};

// Makes a folder and its parents. Those that were not there before are removed again, unless
// something is in them by then, or keep() was called.
class NewFolders {
 public:
  // Throws Error if one cannot be made.
  explicit NewFolders(const std::string& path);
  ~NewFolders();
  NewFolders(NewFolders&& other) noexcept : made_(std::move(other.made_)) { other.made_.clear(); }
  NewFolders& operator=(NewFolders&&) = delete;

  void keep();  // syncs what they are in. Throws Error.

 private:
  void remove();
  std::vector<std::string> made_;
};

// Files of one folder that appear together: all are complete before the first appears. A folder
// that was made for them is removed again if they do not appear.
class AtomicFolder {
 public:
  // Makes the folder where it is not there. `source` is not overwritten. Throws Error.
  explicit AtomicFolder(const std::string& path, const std::string& source = "");

  AtomicFile& add(const std::string& name);  // to be written, not committed. Throws Error.
  void add(const std::string& name, std::string_view bytes) { add(name).write(bytes); }
  void commit();  // Throws Error.

 private:
  std::string path_, source_;
  NewFolders made_;
  std::vector<std::unique_ptr<AtomicFile>> files_;  // removed before the folders
};

// A small file, complete or not at all. Throws Error as AtomicFile does.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace tt
