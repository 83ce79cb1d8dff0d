// System calls that can fail, in one place, so that tests can make each of them fail (see
// system.cc).
//
// Each behaves and sets errno like the call it is named after; interrupted calls are restarted.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace tt::sys {

int open(const std::string& path, int flags, mode_t mode = 0);  // always O_CLOEXEC
int duplicate(int fd);  // to a descriptor above those of the standard streams
ssize_t read(int fd, void* to, std::size_t size);
ssize_t read_at(int fd, void* to, std::size_t size, std::size_t offset);  // pread
ssize_t write(int fd, const void* from, std::size_t size);
int sync(int fd);   // fsync
int close(int fd);  // being interrupted is not a failure: the file is closed
int rename(const std::string& from, const std::string& to);
int unlink(const std::string& path);
int make_folder(const std::string& path);    // mkdir, 0777 minus the umask
int remove_folder(const std::string& path);  // rmdir
int set_mode(int fd, mode_t mode);           // fchmod
int lock(int fd);                            // flock, for this process alone, without waiting
int truncate(const std::string& path, std::size_t size);  // an existing file
int empty(int fd);                                        // ftruncate to nothing
void* map(std::size_t size, int fd);  // mmap of the whole file for reading, or MAP_FAILED

// A call that changes files: its name as in TT_FAULT_LOG, and its arguments.
// `result`: what it returned.
struct Change {
  std::string_view name;
  long result = 0;
  int fd = -1;                          // write, sync, close
  std::string_view path = {}, to = {};  // open, unlink; rename has both
  std::string_view bytes = {};          // written
};
// Lets a test see each of them; only where system.cc was compiled for tests. An empty function:
// nobody.
void set_witness(std::function<void(const Change&)> witness);

// A thread that runs `body`. Throws std::system_error if it cannot be started.
std::thread start_thread(std::function<void()> body);

}  // namespace tt::sys
