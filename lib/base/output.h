// Bytes out: streams, and whole files that appear complete or not at all.
//
// A path of "-" is stdout, as is every path that stands for it, such as /dev/stdout or /dev/fd/1. What is there and is no
// regular file (a device, a pipe) is written to as it is. A symbolic link is followed: its target is written, and the link
// stays. A new file has the mode that the umask leaves of 0666.
//
// When the reader of a pipe has gone, the program ends quietly, with the status that a shell gives SIGPIPE.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tt {

// Writes bytes through a buffer.
class Output {
 public:
  // Opens `path`, and truncates it unless it appends. Throws Error if it cannot be written.
  explicit Output(const std::string& path, bool append = false);
  ~Output();  // flushes; an error here is lost, so call close() where data matter
  Output(Output&&) noexcept;
  Output& operator=(Output&&) = delete;

  // Each throws Error when the disk is full or the file cannot be written; what was written before is kept.
  void write(std::string_view bytes);
  void line(std::string_view text);  // text and an LF
  void flush();
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// True once something was opened that writes to stdout.
bool stdout_has_data();

// A file that appears whole or not at all: written beside its destination as NAME.partial-PID, synced to disk, and renamed by
// commit(). It keeps the mode and, as far as the system lets this user, the owner and the group of a file that was there.
// Without commit() nothing that was there is touched, and the partial file is removed. What is no regular file gets the bytes
// as they are written.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);  // Throws Error if it or its folder cannot be written, or is a terminal as "-".
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t size);  // Throws Error (full disk, ...)
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  void commit();  // fsync, rename, fsync of the folder. Throws Error.

 private:
  void open_partial(int mode);
  std::string name_, target_, partial_;  // partial_ is empty where bytes go straight to their destination
  int fd_ = -1, slot_ = -1;
};

// Lets SIGHUP, SIGINT and SIGTERM, unless they are ignored or handled already, remove partial files before they end the program.
void remove_partial_files_on_signals();

}  // namespace tt
