#include "base/line_reader.h"

#include <poll.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/input.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 1 << 16;

}  // namespace

// Bytes pass through `raw` (as read) into `text` (decompressed, if need be); [begin, text.size()) has not been returned yet.
struct LineReader::State {
  Input file;
  bool gzip = false, at_end = false, inside_stream = false, began = false;
  z_stream stream{};
  std::string raw, text;
  std::size_t begin = 0, searched = 0, lines = 0;
  double raw_bytes = 0, text_bytes = 0;  // read so far, before and after decompression

  explicit State(const std::string& path) : file(path) {}
  ~State() {
    if (gzip) inflateEnd(&stream);
  }

  // Reads the first bytes, until it is known whether they are gzip's.
  void start() {
    began = true;
    raw.resize(kBlock);
    std::size_t have = 0;
    while (have < 2) {
      const std::size_t got = file.read(raw.data() + have, raw.size() - have);
      if (got == 0) break;
      have += got;
    }
    raw.resize(have);
    raw_bytes += static_cast<double>(have);
    gzip = have >= 2 && raw[0] == '\x1f' && raw[1] == '\x8b';
    if (gzip && inflateInit2(&stream, 15 + 16) != Z_OK) throw Error(file.name(), ": zlib cannot be started");
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
      else if (status != Z_OK && status != Z_BUF_ERROR) throw Error(file.name(), ": damaged gzip data after line ", lines);
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
      raw.resize(file.read(raw.data(), kBlock));
      raw_bytes += static_cast<double>(raw.size());
      if (raw.empty()) {
        at_end = true;
        if (inside_stream) throw Error(file.name(), ": the gzip data end early, after line ", lines, "; fetch the file again");
      } else {
        inflate_raw();
      }
    } else {
      const std::size_t old = text.size();
      text.resize(old + kBlock);
      const std::size_t got = file.read(text.data() + old, kBlock);
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
  pollfd waiting{s.file.descriptor(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

double LineReader::part() const {
  const State& s = *state_;
  const auto size = static_cast<double>(s.file.size());
  if (size <= 0) return -1;
  return s.text_bytes == 0 ? 0 : s.raw_bytes / size * (1 - static_cast<double>(s.text.size() - s.begin) / s.text_bytes);
}

std::size_t LineReader::line_number() const { return state_->lines; }
const std::string& LineReader::name() const { return state_->file.name(); }
std::string LineReader::where() const { return name() + ":" + std::to_string(state_->lines); }

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace tt
