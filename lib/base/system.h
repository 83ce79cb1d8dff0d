// Calls to the operating system that can fail, in one place, so that tests can make each of them fail (system.cc says how).
//
// Each does what the call of its name does, and sets errno as that does; one that a signal interrupted is made again.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <thread>

namespace tt::sys {

int open(const std::string& path, int flags, mode_t mode = 0);  // always O_CLOEXEC
int duplicate(int fd);                                          // to a descriptor above those of the standard streams
ssize_t read(int fd, void* to, std::size_t size);
ssize_t write(int fd, const void* from, std::size_t size);
int sync(int fd);   // fsync
int close(int fd);  // an interrupted one has closed, and is no failure
int rename(const std::string& from, const std::string& to);
int make_folder(const std::string& path);                 // mkdir, 0777 less the umask
int truncate(const std::string& path, std::size_t size);  // a file that is there
void* map(std::size_t size, int fd);                      // mmap, of the whole file to be read; MAP_FAILED

// A thread that runs `body`. Throws std::system_error if there cannot be another.
std::thread start_thread(std::function<void()> body);

}  // namespace tt::sys
