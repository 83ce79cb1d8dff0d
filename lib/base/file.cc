#include "base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 1 << 16;
std::atomic<bool> stdout_has_data_ = false;

const char* reason() { return std::strerror(errno); }

int open_for_reading(const std::string& path) {
  if (path == "-") return 0;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw Error(path, ": cannot be read: ", reason());
  struct stat info;
  if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd);
    throw Error(path, ": is a folder; give a file");
  }
  return fd;
}

// Reads at most `size` bytes, as many as are there; 0 at the end.
std::size_t read_some(int fd, void* to, std::size_t size, const std::string& name) {
  for (;;) {
    const ssize_t got = ::read(fd, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw Error(name, ": reading failed: ", reason());
  }
}

void write_all(int fd, const char* from, std::size_t size, const std::string& name) {
  while (size > 0) {
    const ssize_t put = ::write(fd, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EPIPE && fd == 1) {  // the reader of our pipe has left: end as SIGPIPE would
      ::signal(SIGPIPE, SIG_DFL);
      ::raise(SIGPIPE);
    }
    if (put < 0) throw Error(name, ": writing failed: ", reason());
    from += put;
    size -= static_cast<std::size_t>(put);
  }
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

// Bytes pass through `raw` (as read) into `text` (decompressed, if need be); [begin, text.size()) has not been returned yet.
struct LineReader::State {
  std::string path, name;
  int fd = -1;
  bool gzip = false, at_end = false, inside_stream = false, began = false;
  z_stream stream{};
  std::string raw, text;
  std::size_t begin = 0, searched = 0, lines = 0;
  double size = 0, raw_bytes = 0, text_bytes = 0;  // of the file (0: no file); read so far, before and after decompression

  ~State() {
    if (gzip) inflateEnd(&stream);
    if (fd > 0) ::close(fd);
  }

  // Reads the first bytes, until it is known whether they are gzip's.
  void start() {
    began = true;
    raw.resize(kBlock);
    std::size_t have = 0;
    while (have < 2) {
      const std::size_t got = read_some(fd, raw.data() + have, raw.size() - have, name);
      if (got == 0) break;
      have += got;
    }
    raw.resize(have);
    raw_bytes += static_cast<double>(have);
    gzip = have >= 2 && raw[0] == '\x1f' && raw[1] == '\x8b';
    if (gzip && inflateInit2(&stream, 15 + 16) != Z_OK) throw Error(name, ": zlib cannot be started");
    if (gzip) {
      inside_stream = true;
      inflate_raw();
    } else {
      text = raw;
      text_bytes += static_cast<double>(have);
      at_end = have == 0;
    }
  }

  void inflate_raw() {
    stream.next_in = reinterpret_cast<Bytef*>(raw.data());
    stream.avail_in = static_cast<uInt>(raw.size());
    while (stream.avail_in > 0) {
      if (!inside_stream) {  // gzip files may be concatenated
        inflateReset(&stream);
        inside_stream = true;
      }
      const std::size_t old = text.size();
      text.resize(old + 4 * kBlock);
      stream.next_out = reinterpret_cast<Bytef*>(text.data() + old);
      stream.avail_out = 4 * kBlock;
      const int status = inflate(&stream, Z_NO_FLUSH);
      text.resize(text.size() - stream.avail_out);
      text_bytes += static_cast<double>(text.size() - old);
      if (status == Z_STREAM_END) inside_stream = false;
      else if (status != Z_OK && status != Z_BUF_ERROR) throw Error(name, ": damaged gzip data after line ", lines);
    }
  }

  // Appends more text; sets at_end when there is none.
  void fill() {
    if (!began) return start();
    text.erase(0, begin);
    searched -= begin;
    begin = 0;
    if (gzip) {
      raw.resize(kBlock);
      raw.resize(read_some(fd, raw.data(), kBlock, name));
      raw_bytes += static_cast<double>(raw.size());
      if (raw.empty()) {
        at_end = true;
        if (inside_stream) throw Error(name, ": the gzip data end early, after line ", lines, "; fetch the file again");
      } else {
        inflate_raw();
      }
    } else {
      const std::size_t old = text.size();
      text.resize(old + kBlock);
      const std::size_t got = read_some(fd, text.data() + old, kBlock, name);
      text.resize(old + got);
      raw_bytes += static_cast<double>(got);
      text_bytes += static_cast<double>(got);
      at_end = got == 0;
    }
  }
};

LineReader::LineReader(const std::string& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->name = path == "-" ? "(stdin)" : path;
  state_->fd = open_for_reading(path);
  struct stat info;
  if (::fstat(state_->fd, &info) == 0 && S_ISREG(info.st_mode)) state_->size = static_cast<double>(info.st_size);
}

LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;

bool LineReader::next(std::string_view& line) {
  State& s = *state_;
  for (;;) {
    const std::size_t from = std::max(s.begin, s.searched);
    const void* hit = from < s.text.size() ? std::memchr(s.text.data() + from, '\n', s.text.size() - from) : nullptr;
    if (hit) {
      const std::size_t end = static_cast<std::size_t>(static_cast<const char*>(hit) - s.text.data());
      line = std::string_view(s.text).substr(s.begin, end - s.begin);
      s.begin = s.searched = end + 1;
      ++s.lines;
      return true;
    }
    s.searched = s.text.size();
    if (s.at_end) {
      if (s.begin == s.text.size()) return false;
      line = std::string_view(s.text).substr(s.begin);
      s.begin = s.text.size();
      ++s.lines;
      return true;
    }
    s.fill();
  }
}

bool LineReader::next(std::string& line) {
  std::string_view view;
  if (!next(view)) return false;
  line = view;
  return true;
}

bool LineReader::ready() const {
  const State& s = *state_;
  if (s.at_end || s.text.find('\n', std::max(s.begin, s.searched)) != std::string::npos) return true;
  pollfd waiting{s.fd, POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

double LineReader::part() const {
  const State& s = *state_;
  if (s.size == 0 || s.text_bytes == 0) return s.size == 0 ? -1 : 0;
  return s.raw_bytes / s.size * (1 - static_cast<double>(s.text.size() - s.begin) / s.text_bytes);
}

std::size_t LineReader::line_number() const { return state_->lines; }
const std::string& LineReader::name() const { return state_->name; }
std::string LineReader::where() const { return state_->name + ":" + std::to_string(state_->lines); }

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::string read_file(const std::string& path) {
  const int fd = open_for_reading(path);
  std::string bytes;
  try {
    for (std::size_t got = 1; got > 0;) {
      const std::size_t old = bytes.size();
      bytes.resize(old + kBlock);
      got = read_some(fd, bytes.data() + old, kBlock, path);
      bytes.resize(old + got);
    }
  } catch (...) {
    if (fd > 0) ::close(fd);
    throw;
  }
  if (fd > 0) ::close(fd);
  return bytes;
}

struct Output::State {
  std::string name, buffer;
  int fd = -1;

  void flush() {
    std::string bytes;
    bytes.swap(buffer);  // a failed write is not tried again
    write_all(fd, bytes.data(), bytes.size(), name);
    bytes.clear();
    buffer.swap(bytes);
  }
};

Output::Output(const std::string& path, bool append) : state_(std::make_unique<State>()) {
  state_->name = path == "-" ? "(stdout)" : path;
  state_->fd = path == "-" ? 1 : ::open(path.c_str(), O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC) | O_CLOEXEC, 0666);
  if (state_->fd < 0) throw Error(path, ": cannot be written: ", reason());
  if (path == "-") stdout_has_data_ = true;
}

Output::~Output() {
  if (!state_) return;
  try {
    flush();
  } catch (const Error&) {  // close() reports it
  }
  if (state_->fd > 2) ::close(state_->fd);
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

// Some file systems tell of a full disk only when a file is closed.
void Output::close() {
  flush();
  if (state_->fd < 0) return;
  const int fd = std::exchange(state_->fd, -1);
  if (::close(fd) != 0) throw Error(state_->name, ": writing failed: ", reason());
}

bool stdout_has_data() { return stdout_has_data_; }

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), partial_(path_ + ".partial-" + std::to_string(::getpid())) {
  fd_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) throw Error(path_, ": cannot be written: ", reason());
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(partial_.c_str());
}

void AtomicFile::write(const void* bytes, std::size_t size) { write_all(fd_, static_cast<const char*>(bytes), size, path_); }

void AtomicFile::commit() {
  TT_CHECK(fd_ >= 0);
  if (::fsync(fd_) != 0) throw Error(path_, ": writing failed: ", reason());
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0 || ::rename(partial_.c_str(), path_.c_str()) != 0) {
    const Error error(path_, ": writing failed: ", reason());
    ::unlink(partial_.c_str());
    throw error;
  }
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {  // the rename itself survives a power cut
    ::fsync(folder);
    ::close(folder);
  }
}

MappedFile::MappedFile(const std::string& path) {
  const int fd = open_for_reading(path);
  struct stat info;
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) {
    if (fd > 0) ::close(fd);
    throw Error(path, S_ISREG(info.st_mode) ? ": is empty" : ": is not a regular file; save it to one first");
  }
  size_ = static_cast<std::size_t>(info.st_size);
  void* at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
  const int error = errno;
  ::close(fd);
  if (at == MAP_FAILED) throw Error(path, ": cannot be mapped into memory: ", std::strerror(error));
  data_ = static_cast<const std::byte*>(at);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

bool file_exists(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

void cut_torn_line(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return;
  const std::string text = read_file(path);
  if (text.back() == '\n') return;
  if (::truncate(path.c_str(), static_cast<off_t>(text.rfind('\n') + 1)) != 0)
    throw Error(path, ": cannot be written: ", reason());
}

void make_folder(const std::string& path) {
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) throw Error(part, ": the folder cannot be made: ", reason());
  }
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) throw Error(path, ": is a file; give a folder");
}

}  // namespace tt
