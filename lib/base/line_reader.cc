#include "base/line_reader.h"

#include <poll.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/error.h"
#include "base/input.h"
#include "base/report.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 1 << 16;

}  // namespace

// Bytes pass through `raw` (as read) into `text` (decompressed, if need be); [begin, text.size()) has not been returned yet.
// An error in compressed data is kept in `trouble` until the lines before it have been returned.
struct LineReader::State {
  // Where the next byte of compressed data is: inside a member, between members (right after one, after zeros, after the first
  // byte of what may be another), or after all of them.
  enum class Gzip { none, inside, behind, zeros, magic, over };

  Input file;
  Gzip gzip = Gzip::none;
  bool at_end = false, began = false;
  z_stream stream{};
  std::string raw, text;
  std::size_t begin = 0, searched = 0, lines = 0;
  double raw_bytes = 0, text_bytes = 0;  // read so far, before and after decompression
  std::function<Error()> trouble;

  explicit State(const std::string& path) : file(path) {}
  ~State() {
    if (gzip != Gzip::none) inflateEnd(&stream);
  }

  void read_raw(std::size_t have = 0) {
    raw.resize(kBlock);
    raw.resize(have + file.read(raw.data() + have, kBlock - have));
    raw_bytes += static_cast<double>(raw.size() - have);
  }

  // Reads the first bytes, enough to tell whether this is gzip.
  void start() {
    began = true;
    read_raw();
    if (raw == "\x1f") read_raw(1);
    if (!raw.starts_with("\x1f\x8b")) {
      text.swap(raw);
      text_bytes = static_cast<double>(text.size());
      at_end = text.empty();
      return;
    }
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw Error(file.name(), ": zlib cannot be initialised");
    gzip = Gzip::inside;
    decompress();
  }

  // Decompresses up to the end of a member at most, and returns the number of bytes consumed.
  std::size_t inflate_some(std::string_view bytes) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.avail_out = 1;  // 0: there may be more text, although all bytes are consumed
    while ((stream.avail_in > 0 || stream.avail_out == 0) && gzip == Gzip::inside && !trouble) {
      const std::size_t old = text.size();
      text.resize(old + 4 * kBlock);
      stream.next_out = reinterpret_cast<Bytef*>(text.data() + old);
      stream.avail_out = 4 * kBlock;
      const int status = inflate(&stream, Z_NO_FLUSH);
      text.resize(text.size() - stream.avail_out);
      text_bytes += static_cast<double>(text.size() - old);
      if (status == Z_STREAM_END) gzip = Gzip::behind;
      else if (status != Z_OK && status != Z_BUF_ERROR)
        trouble = [this] { return Error(file.name(), ": damaged gzip data after line ", lines); };
    }
    return bytes.size() - stream.avail_in;
  }

  // Takes a byte outside of members. As for gzip -d, members may follow each other, trailing zeros are padding, and other
  // trailing data is ignored.
  void between(char byte) {
    if (gzip == Gzip::behind && byte == '\x1f') {
      gzip = Gzip::magic;
    } else if (gzip == Gzip::magic && byte == '\x8b') {
      inflateReset(&stream);
      gzip = Gzip::inside;
      inflate_some("\x1f\x8b");
    } else if (gzip != Gzip::magic && byte == '\0') {
      gzip = Gzip::zeros;
    } else {
      ignore_rest();
    }
  }

  void ignore_rest() {
    warn(file.name() + ": ignored trailing data after the gzip data");
    gzip = Gzip::over;
    at_end = true;
  }

  void decompress() {
    for (std::size_t at = 0; at < raw.size() && !at_end && !trouble;) {
      if (gzip == Gzip::inside) at += inflate_some(std::string_view(raw).substr(at));
      else between(raw[at++]);
    }
  }

  void end_of_compressed() {
    if (gzip == Gzip::magic) ignore_rest();
    if (gzip != Gzip::inside) at_end = true;
    else trouble = [this] { return Error(file.name(), ": truncated gzip data after line ", lines, "; fetch the file again"); };
  }

  // Appends more text, or sets at_end or trouble if there is none.
  void fill() {
    if (!began) return start();
    text.erase(0, begin);
    searched -= begin;
    begin = 0;
    if (gzip != Gzip::none) {
      read_raw();
      if (raw.empty()) end_of_compressed();
      else decompress();
    } else {
      const std::size_t old = text.size();
      text.resize(old + kBlock);
      std::size_t got = 0;
      try {
        got = file.read(text.data() + old, kBlock);
      } catch (...) {
        text.resize(old);
        throw;
      }
      text.resize(old + got);
      raw_bytes += static_cast<double>(got);
      text_bytes += static_cast<double>(got);
      at_end = got == 0;
    }
  }
};

LineReader::LineReader(const std::string& path) : state_(std::make_unique<State>(path)) {}

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
    if (s.trouble) throw s.trouble();
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

bool LineReader::ready() {
  State& s = *state_;
  for (;;) {
    if (s.at_end || s.trouble || s.text.find('\n', std::max(s.begin, s.searched)) != std::string::npos) return true;
    s.searched = s.text.size();
    pollfd waiting{s.file.descriptor(), POLLIN, 0};
    if (::poll(&waiting, 1, 0) <= 0) return false;
    s.fill();
  }
}

bool LineReader::ended() const { return state_->at_end && !state_->trouble && state_->begin == state_->text.size(); }

double LineReader::part() const {
  const State& s = *state_;
  const auto size = static_cast<double>(s.file.size());
  if (size <= 0) return -1;
  return s.text_bytes == 0 ? 0 : s.raw_bytes / size * (1 - static_cast<double>(s.text.size() - s.begin) / s.text_bytes);
}

std::size_t LineReader::line_number() const { return state_->lines; }
const std::string& LineReader::name() const { return state_->file.name(); }
std::string LineReader::where(std::size_t number) const { return name() + ":" + std::to_string(number); }

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace tt
