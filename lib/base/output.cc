#include "base/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/signals.h"
#include "base/system.h"
#include "base/writable.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 1 << 16;
constexpr std::size_t kPidDigits = 10;  // so that nobody else gives files such names
std::atomic<bool> terminal_has_data_ = false;

const char* reason() { return std::strerror(errno); }

void write_all(int fd, const char* from, std::size_t size, const std::string& name,
               bool needs_reader = true) {
  while (size > 0) {
    const ssize_t put = sys::write(fd, from, size);
    if (put < 0) {
      if (errno == EPIPE && needs_reader) end_by(SIGPIPE);
      throw Error(name, ": writing failed: ", reason());
    }
    from += put;
    size -= static_cast<std::size_t>(put);
  }
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? real.get() : "";
}

// The descriptor of this program that a path (not a link) such as /proc/self/fd/1 denotes; -1 for
// other paths.
int own_descriptor(const std::string& path) {
  const std::string digits = path.substr(path.rfind('/') + 1);
  if (digits.empty() || digits.size() > 9 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  const std::string folder = real_path(folder_of(path));
  return !folder.empty() && folder == real_path("/proc/self/fd") ? std::stoi(digits) : -1;
}

// The destination of bytes written to a path.
struct Destination {
  int descriptor = -1;    // of this program; otherwise:
  std::string path;       // with links resolved
  bool is_there = false;  // whether it exists
  struct stat info = {};  // if it exists
};

Destination destination(const std::string& path) {
  if (path == "-") return {1, {}, true, {}};
  Destination to;
  to.path = path;
  for (int links = 0; links < 40; ++links) {
    if ((to.descriptor = own_descriptor(to.path)) >= 0) return to;
    if (::lstat(to.path.c_str(), &to.info) != 0) {
      if (errno != ENOENT || path.empty()) break;
      return to;
    }
    if (!S_ISLNK(to.info.st_mode)) {
      to.is_there = true;
      return to;
    }
    char target[PATH_MAX];
    const ssize_t size = ::readlink(to.path.c_str(), target, sizeof target);
    if (size < 0) break;
    const std::string_view text(target, static_cast<std::size_t>(size));
    to.path = (text.starts_with('/') ? "" : folder_of(to.path) + "/") + std::string(text);
    errno = ELOOP;
  }
  throw Error(path.empty() ? "\"\"" : path, ": cannot be written: ", reason());
}

// Opens a destination that is written to directly. Throws Error.
int open_directly(const Destination& to, int flags, const std::string& name) {
  const int fd = to.descriptor >= 0 ? sys::duplicate(to.descriptor)
                                    : sys::open(to.path, O_WRONLY | O_NOCTTY | flags, 0666);
  if (fd < 0) throw Error(name, ": cannot be written: ", reason());
  if (::isatty(fd)) terminal_has_data_ = true;
  return fd;
}

// Throws Error if a file that is there may not be replaced. One that may not be written could be.
void check_replaceable(const Destination& to, const std::string& name) {
  if (!to.is_there) return;
  if (S_ISDIR(to.info.st_mode)) throw Error(name, ": is a folder; give a file");
  if (!S_ISREG(to.info.st_mode)) return;
  if (::faccessat(AT_FDCWD, to.path.c_str(), W_OK, AT_EACCESS) != 0)
    throw Error(name, ": cannot be written: ", reason());
  // Another user's file in a sticky folder, or one that may not be changed, can be written but not
  // replaced. The kernel tells by how it refuses to remove a file as if it were a folder.
  if (::rmdir(to.path.c_str()) != 0 && errno == EPERM)
    throw Error(name, ": cannot be replaced: ", reason(),
                "; write to another file, or to another folder");
}

// Whether what goes to two destinations comes together.
bool same_place(const Destination& a, const Destination& b) {
  if (a.descriptor >= 0 && a.descriptor == b.descriptor) return true;
  struct stat one = a.info, other = b.info;
  const auto is_there = [](const Destination& to, struct stat& info) {
    return to.descriptor >= 0 ? ::fstat(to.descriptor, &info) == 0 : to.is_there;
  };
  if (is_there(a, one) && is_there(b, other))
    return (S_ISREG(one.st_mode) || S_ISFIFO(one.st_mode)) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
  return a.descriptor < 0 && b.descriptor < 0 && same_path(a.path, b.path);
}

std::string name_of(const std::string& path) { return path == "-" ? "(stdout)" : path; }

// Syncs a file; pipes and terminals, which cannot be synced, count as synced. False with errno if
// the data may be lost.
bool synced(int fd) {
  return sys::sync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

// Removes partial files that no process is writing, which has them locked then: processes that were
// killed left them. `stem`: what their names begin with, before the PID.
void remove_left(const std::string& folder, const std::string& stem) {
  std::error_code code, gone;
  std::filesystem::directory_iterator at(folder.empty() ? "." : folder, code), end;
  for (; !code && at != end; at.increment(code)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(stem) || name.size() < stem.size() + kPidDigits ||
        name.find_first_not_of("0123456789", stem.size()) < stem.size() + kPidDigits ||
        name.find_first_not_of("0123456789-", stem.size()) != std::string::npos ||
        !std::filesystem::is_regular_file(at->symlink_status(gone)))
      continue;
    const int fd = sys::open(folder + name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) continue;
    if (sys::lock(fd) == 0) sys::unlink(folder + name);
    sys::close(fd);
  }
}

// Lets files that were renamed into a folder, or made there, survive a power cut. Throws Error,
// which begins with `name`.
void sync_folder(const std::string& path, const std::string& name) {
  const int folder = sys::open(path, O_RDONLY | O_DIRECTORY);
  if (folder < 0) return;  // a folder that is writable but not readable
  const bool good = synced(folder);
  const int error = errno;
  sys::close(folder);
  if (!good)
    throw Error(name, ": was written, but may be lost in a power cut: ", std::strerror(error));
}

}  // namespace

struct Output::State {
  std::string name, buffer;
  int fd = -1;
  bool full = false;  // a file that must be emptied before anything is written
  bool needs_reader = true;
  std::string made;  // a file to be removed if nothing is written

  void begin() {
    made.clear();
    if (std::exchange(full, false) && sys::empty(fd) != 0)
      throw Error(name, ": writing failed: ", reason());
  }
  void flush() {
    if (buffer.empty()) return;
    begin();
    std::string bytes;
    bytes.swap(buffer);  // a failed write is not retried
    write_all(fd, bytes.data(), bytes.size(), name, needs_reader);
    bytes.clear();
    buffer.swap(bytes);
  }
};

Output::Output(const std::string& path, bool append) : state_(std::make_unique<State>()) {
  state_->name = name_of(path);
  const Destination to = destination(path);
  state_->fd = open_directly(to, O_CREAT | (append ? O_APPEND : 0), state_->name);
  if (append || to.descriptor >= 0) return;
  if (!to.is_there) state_->made = to.path;
  state_->full = to.is_there && S_ISREG(to.info.st_mode);
}

Output::~Output() {
  if (!state_ || state_->fd < 0) return;
  try {
    flush();
  } catch (const Error&) {  // close() reports it
  }
  if (!state_->made.empty()) sys::unlink(state_->made);
  sys::close(state_->fd);
}

Output::Output(Output&&) noexcept = default;

void Output::write(std::string_view bytes) {
  state_->buffer += bytes;
  if (state_->buffer.size() >= kBlock) state_->flush();
}

void Output::line(std::string_view text) {
  state_->buffer += text;
  write("\n");
}

void Output::flush() { state_->flush(); }

void Output::outlive_reader() { state_->needs_reader = false; }

// Some file systems report a full disk only when a file is closed.
void Output::close() {
  flush();
  state_->begin();
  const int fd = std::exchange(state_->fd, -1);
  if (fd >= 0 && sys::close(fd) != 0) throw Error(state_->name, ": writing failed: ", reason());
}

bool terminal_has_data() { return terminal_has_data_; }

AtomicFile::AtomicFile(const std::string& path, Content content) : name_(name_of(path)) {
  const Destination to = destination(path);
  if (path == "-" && content == Content::binary && ::isatty(to.descriptor))
    throw Error(name_, ": is a terminal, and the data are binary; redirect it to a file or a pipe");
  check_replaceable(to, name_);
  if (to.descriptor >= 0 || (to.is_there && !S_ISREG(to.info.st_mode))) {
    fd_ = open_directly(to, 0, name_);
    return;
  }
  target_ = to.path;
  open_partial(to.is_there ? 0600 : 0666);
  if (!to.is_there) return;
  // Not being allowed to keep the owner is no reason to fail: then the file is ours.
  const bool same_owner = ::fchown(fd_, to.info.st_uid, to.info.st_gid) == 0;
  const bool same_group = same_owner || ::fchown(fd_, static_cast<uid_t>(-1), to.info.st_gid) == 0;
  const mode_t lost = (same_owner ? 0 : S_ISUID) | (same_group ? 0 : S_ISGID);
  if (sys::set_mode(fd_, to.info.st_mode & 07777 & ~lost) != 0 && errno != EPERM &&
      errno != ENOTSUP) {
    const Error error(name_, ": cannot be written: ", reason());
    sys::close(std::exchange(fd_, -1));
    sys::unlink(partial_);
    forget_partial_file(slot_);
    throw error;
  }
}

// Creates a file that nobody else writes, not even a process with the same PID on another machine,
// and locks it until it is renamed, which tells others that it is being written. Another process
// may take it for one that was left before it is locked. Where a file system has no locks, nobody
// can tell, and nobody removes it.
void AtomicFile::open_partial(int mode) {
  const std::string folder = target_.substr(0, target_.rfind('/') + 1);
  std::string stem = target_.substr(folder.size());
  stem.resize(std::min<std::size_t>(stem.size(), 200));  // a name has at most 255 bytes
  stem += ".partial-";
  remove_left(folder, stem);
  const std::string pid = std::to_string(::getpid());
  stem = folder + stem + std::string(kPidDigits - pid.size(), '0') + pid;
  for (int copy = 1; fd_ < 0; ++copy) {
    partial_ = stem + (copy > 1 ? "-" + std::to_string(copy) : "");
    fd_ = sys::open(partial_, O_WRONLY | O_CREAT | O_EXCL, static_cast<mode_t>(mode));
    if (fd_ < 0 && errno != EEXIST) throw Error(name_, ": cannot be written: ", reason());
    struct stat info;
    if (fd_ >= 0 && ((sys::lock(fd_) != 0 && errno == EWOULDBLOCK) ||
                     (::fstat(fd_, &info) == 0 && info.st_nlink == 0)))
      sys::close(std::exchange(fd_, -1));
  }
  slot_ = remember_partial_file(partial_);
}

AtomicFile::~AtomicFile() {
  if (!partial_.empty()) sys::unlink(partial_);
  if (fd_ >= 0) sys::close(fd_);
  forget_partial_file(slot_);
}

void AtomicFile::write(const void* bytes, std::size_t size) {
  write_all(fd_, static_cast<const char*>(bytes), size, name_);
}

void AtomicFile::complete() {
  TT_CHECK(fd_ >= 0);
  const int lock = partial_.empty() ? -1 : sys::duplicate(fd_);  // outlives what is closed here
  if (!partial_.empty() && lock < 0) throw Error(name_, ": writing failed: ", reason());
  const bool on_disk = synced(fd_);
  const int error = errno, fd = std::exchange(fd_, lock);
  const bool closed = sys::close(fd) == 0;
  if (!on_disk) errno = error;
  if (!on_disk || !closed) throw Error(name_, ": writing failed: ", reason());
  complete_ = true;
}

void AtomicFile::appear() {
  TT_CHECK(complete_);
  if (partial_.empty()) return;
  if (sys::rename(partial_, target_) != 0) throw Error(name_, ": writing failed: ", reason());
  partial_.clear();
  forget_partial_file(slot_);
  if (fd_ >= 0) sys::close(std::exchange(fd_, -1));
}

void AtomicFile::commit() {
  complete();
  const bool renamed = !partial_.empty();
  appear();
  if (renamed) sync_folder(folder_of(target_), name_);
}

NewFolders::NewFolders(const std::string& path) {
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    const std::string part = path.substr(0, slash);
    if (sys::make_folder(part) == 0) {
      made_.push_back(part);
    } else if (errno != EEXIST) {
      const Error error(part, ": the folder cannot be made: ", reason());
      remove();
      throw error;
    }
  }
  struct stat info;
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return;
  remove();
  throw Error(path, file_exists(path)
                        ? ": is a file; give a folder"
                        : ": is a link that leads nowhere; remove it, or give a folder");
}

NewFolders::~NewFolders() { remove(); }

void NewFolders::remove() {
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) sys::remove_folder(*folder);
}

void NewFolders::keep() {
  const std::vector<std::string> made = std::exchange(made_, {});
  for (const std::string& folder : made) sync_folder(folder_of(folder), folder);
}

AtomicFolder::AtomicFolder(const std::string& path, const std::string& source)
    : path_(path), source_(source), made_(path) {}

AtomicFile& AtomicFolder::add(const std::string& name) {
  const std::string path = path_ + "/" + name;
  if (same_file(path, source_))
    throw Error(path, ": is the file that is read; give another folder");
  return *files_.emplace_back(std::make_unique<AtomicFile>(path));
}

void AtomicFolder::commit() {
  for (const auto& file : files_) file->complete();
  for (const auto& file : files_) file->appear();
  made_.keep();
  sync_folder(path_, path_);
}

void check_writable(const std::string& path) {
  const Destination to = destination(path);
  check_replaceable(to, name_of(path));
  if (to.descriptor >= 0 || (to.is_there && !S_ISREG(to.info.st_mode))) return;
  if (::faccessat(AT_FDCWD, folder_of(to.path).c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    throw Error(name_of(path), ": cannot be written: ", reason());
}

void check_written_once(std::span<const std::string> paths) {
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!paths[i].empty() && !paths[k].empty() &&
          same_place(destination(paths[k]), destination(paths[i])))
        throw Error(paths[k] == "-" ? "stdout" : paths[k],
                    ": is written twice; write one of them to another file");
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace tt
