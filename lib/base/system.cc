#include "base/system.h"

#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

// Faults are compiled in only for tests, which choose them by the environment:
//
//   TT_FAULT=7:ENOSPC     the 7th call fails with that error
//   TT_FAULT=7:short      the 7th call, a read or a write, transfers at most half of the bytes
//   TT_FAULT_LOG=FILE     each call appends its name to FILE: the n-th line is the n-th call
#ifdef TT_FAULTS
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#endif

namespace tt::sys {
namespace {

#ifdef TT_FAULTS

constexpr int kShort = -1;

struct Plan {
  unsigned long number = 0;  // the call that fails; 0: none
  int error = 0;
  int log = -1;

  Plan() {
    constexpr std::pair<const char*, int> kErrors[] = {
        {"short", kShort},  {"EINTR", EINTR},   {"EIO", EIO},       {"ENOSPC", ENOSPC},
        {"EACCES", EACCES}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN},
        {"EDQUOT", EDQUOT}, {"ENOLCK", ENOLCK}};
    if (const char* fault = std::getenv("TT_FAULT")) {
      char* end = nullptr;
      number = std::strtoul(fault, &end, 10);
      for (const auto& [name, value] : kErrors)
        if (std::strcmp(end + (*end == ':'), name) == 0) error = value;
      if (number == 0 || error == 0)
        std::fprintf(stderr, "TT_FAULT=%s is not a fault\n", fault), std::abort();
    }
    if (const char* path = std::getenv("TT_FAULT_LOG"))
      log = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }
};

// The fault for this call: 0 (none), kShort, or the error that it fails with.
int fault(const char* call) {
  static const Plan plan;
  // Shared with child processes, whose calls count, too.
  static auto& calls =
      *new (::mmap(nullptr, sizeof(std::atomic<unsigned long>), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<unsigned long>(0);
  const unsigned long number = ++calls;
  if (plan.log >= 0) {
    const std::string line = std::string(call) + "\n";
    if (::write(plan.log, line.data(), line.size()) < 0) std::abort();
  }
  return number == plan.number ? plan.error : 0;
}

std::mutex witness_mutex;
std::function<void(const Change&)> witness;

void tell(const Change& change) {
  const int error = errno;
  const std::lock_guard lock(witness_mutex);
  if (witness && change.result >= 0) witness(change);
  errno = error;
}

#else

void tell(const Change&) {}
constexpr int kShort = -1;
constexpr int fault(const char*) { return 0; }

#endif

// Repeats a call until it is not interrupted by a signal.
template <class Call>
auto made(const char* name, const Call& call) {
  for (;;) {
    decltype(call()) result;
    if (const int error = fault(name); error > 0) {
      errno = error;
      result = static_cast<decltype(result)>(-1);
    } else {
      result = call();
    }
    if (result != static_cast<decltype(result)>(-1) || errno != EINTR) return result;
  }
}

// Repeats a call that reads or writes up to `size` bytes until it is not interrupted. A pipe or
// terminal that another process has made non-blocking is waited for.
template <class Call>
ssize_t transferred(const char* name, std::size_t size, pollfd on, const Call& call) {
  for (;;) {
    const int error = fault(name);
    if (error > 0) errno = error;
    const ssize_t done = error > 0 ? -1 : call(error == kShort && size > 1 ? size / 2 : size);
    if (done >= 0) return done;
    if (error <= 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (::poll(&on, 1, -1) < 0 && errno != EINTR) return done;
    } else if (errno != EINTR) {
      return done;
    }
  }
}

}  // namespace

#ifdef TT_FAULTS
void set_witness(std::function<void(const Change&)> function) {
  const std::lock_guard lock(witness_mutex);
  witness = std::move(function);
}
#endif

int open(const std::string& path, int flags, mode_t mode) {
  if (path.find('\0') != std::string::npos)
    return errno = ENOENT, -1;  // or the file of another name would be opened
  const int fd = made("open", [&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
  tell({"open", fd, fd, path});
  return fd;
}

int duplicate(int fd) {
  return made("duplicate", [&] { return ::fcntl(fd, F_DUPFD_CLOEXEC, 3); });
}

ssize_t read(int fd, void* to, std::size_t size) {
  return transferred("read", size, {fd, POLLIN, 0},
                     [&](std::size_t most) { return ::read(fd, to, most); });
}

ssize_t read_at(int fd, void* to, std::size_t size, std::size_t offset) {
  return transferred("read_at", size, {fd, POLLIN, 0}, [&](std::size_t most) {
    return ::pread(fd, to, most, static_cast<off_t>(offset));
  });
}

ssize_t write(int fd, const void* from, std::size_t size) {
  const ssize_t done = transferred("write", size, {fd, POLLOUT, 0},
                                   [&](std::size_t most) { return ::write(fd, from, most); });
  tell({"write",
        done,
        fd,
        {},
        {},
        {static_cast<const char*>(from), done > 0 ? static_cast<std::size_t>(done) : 0}});
  return done;
}

int sync(int fd) {
  const int result = made("sync", [&] { return ::fsync(fd); });
  tell({"sync", result, fd});
  return result;
}

int close(int fd) {
  tell({"close", 0, fd});
  const int error = fault("close");
  int result = ::close(fd);
  if (error > 0) result = -1, errno = error;
  return result != 0 && errno == EINTR ? 0 : result;
}

int rename(const std::string& from, const std::string& to) {
  const int result = made("rename", [&] { return ::rename(from.c_str(), to.c_str()); });
  tell({"rename", result, -1, from, to});
  return result;
}

int unlink(const std::string& path) {
  const int result = made("unlink", [&] { return ::unlink(path.c_str()); });
  tell({"unlink", result, -1, path});
  return result;
}

int make_folder(const std::string& path) {
  return made("mkdir", [&] { return ::mkdir(path.c_str(), 0777); });
}

int remove_folder(const std::string& path) {
  return made("rmdir", [&] { return ::rmdir(path.c_str()); });
}

int set_mode(int fd, mode_t mode) {
  return made("mode", [&] { return ::fchmod(fd, mode); });
}

int lock(int fd) {
  return made("lock", [&] { return ::flock(fd, LOCK_EX | LOCK_NB); });
}

int truncate(const std::string& path, std::size_t size) {
  return made("truncate", [&] { return ::truncate(path.c_str(), static_cast<off_t>(size)); });
}

int empty(int fd) {
  return made("truncate", [&] { return ::ftruncate(fd, 0); });
}

void* map(std::size_t size, int fd) {
  if (const int error = fault("map"); error > 0) return errno = error, MAP_FAILED;
  return ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
}

std::thread start_thread(std::function<void()> body) {
  if (const int error = fault("thread"); error > 0)
    throw std::system_error(error, std::generic_category());
  return std::thread(std::move(body));
}

}  // namespace tt::sys
