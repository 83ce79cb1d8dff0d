// Files as tt sees them: lines in, bytes out, and whole files that appear complete or not at all.
//
// A line ends at LF and nowhere else; CR, NUL, U+2028, U+0085 and U+FEFF are data. A path of "-" is stdin or stdout. Input that
// begins with the gzip magic is decompressed, whatever its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

// Reads lines. The last line counts even without an LF at its end; an empty file has no lines.
class LineReader {
 public:
  // Opens `path`. Throws Error if it is missing, unreadable or a folder.
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) = delete;

  // Sets `line` to the next line without its LF; false at the end. The view lives until the next call.
  // Throws Error if reading fails or a gzip stream is damaged or ends early.
  bool next(std::string_view& line);
  bool next(std::string& line);

  // True when a whole line can be had now without waiting for the writer of a pipe.
  bool ready() const;

  // The part of the file, 0 to 1, that has been returned; negative when that cannot be known, as in a pipe.
  double part() const;

  std::size_t line_number() const;  // of the line last returned; the first is 1
  const std::string& name() const;  // the path, or "(stdin)"
  std::string where() const;        // "path:line", for error texts

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All lines of a file. Throws Error as LineReader does.
std::vector<std::string> read_lines(const std::string& path);

// A whole file. Throws Error if it cannot be read.
std::string read_file(const std::string& path);

// Writes bytes through a buffer. A closed pipe on stdout ends the program quietly, with the status a shell gives SIGPIPE.
class Output {
 public:
  // Opens `path` ("-": stdout), and truncates it unless it appends. Throws Error if it cannot be written.
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

// True once there has been an Output on stdout.
bool stdout_has_data();

// A file that appears whole or not at all: written beside its destination, synced to disk, and renamed by commit().
// Without commit() nothing that was there is touched, and the partial file is removed.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);  // Throws Error if the folder cannot be written.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t size);  // Throws Error (full disk, ...)
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  void commit();  // fsync, rename, fsync of the folder. Throws Error.

 private:
  std::string path_, partial_;
  int fd_ = -1;
};

// A file mapped read-only into memory. Throws Error if it cannot be opened or is empty.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

bool file_exists(const std::string& path);
// Cuts what stands behind the last LF of a file, if there is one: a line that a crash left unfinished. Throws Error.
void cut_torn_line(const std::string& path);
// Makes a folder and its parents. Throws Error if one cannot be made.
void make_folder(const std::string& path);

}  // namespace tt
