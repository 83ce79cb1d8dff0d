#include "base/line_reader.h"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <span>
#include <utility>

#include "base/compression.h"
#include "base/error.h"
#include "base/input.h"
#include "base/report.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 1 << 16;

}  // namespace

// Bytes pass through `raw` (as read) into `text` (decompressed, if need be); [begin, text.size())
// has not been returned yet. An error in compressed data is kept in `trouble` until the lines
// before it have been returned.
struct LineReader::State {
  // The place of the next byte of compressed data: inside a member, between members (right behind
  // one, behind zeros), or behind all.
  enum class At { inside, behind, zeros, over };

  Input file;
  const Compression* compression = nullptr;  // none: plain text
  std::unique_ptr<Decompressor> decompressor;
  At at = At::inside;
  bool at_end = false, began = false;
  std::string raw, text;
  std::string magic;  // bytes between members that may begin another
  std::size_t begin = 0, searched = 0, lines = 0;
  double raw_bytes = 0, text_bytes = 0;  // read so far, before and after decompression
  std::function<Error()> trouble;

  explicit State(const std::string& path) : file(path) {}

  void read_raw(std::size_t have = 0) {
    raw.resize(kBlock);
    raw.resize(have + file.read(raw.data() + have, kBlock - have));
    raw_bytes += static_cast<double>(raw.size() - have);
  }

  // Reads the first bytes, and goes on when they are enough to tell what they are.
  void start() {
    const std::size_t have = raw.size();
    read_raw(have);
    if (raw.size() > have && may_be_magic(raw)) return;
    began = true;
    for (const Compression& one : compressions())
      if (std::any_of(one.magics.begin(), one.magics.end(),
                      [&](const auto& begin) { return raw.starts_with(begin); }))
        compression = &one;
    if (compression) {
      decompressor = compression->decompressor(file.name());
      return decompress();
    }
    text.swap(raw);
    text_bytes = static_cast<double>(text.size());
    at_end = text.empty();
    check_text();
  }

  // Looks at the beginning of the text.
  void check_text() {
    if (const std::string what = not_text(text, file.name()); !what.empty()) {
      text.clear();
      trouble = [this, what] { return Error(file.name(), ": ", what); };
    } else if (text.starts_with("\ufeff")) {  // data, but seldom meant to be
      warn(file.name() +
           ": begins with a mark of byte order (U+FEFF), which is read as text; remove it with "
           "sed " +
           "'1s/^\\xef\\xbb\\xbf//'");
    }
  }

  // Decompresses up to the end of a member at most, and returns the number of bytes consumed.
  std::size_t decompress_some(std::string_view bytes) {
    std::string_view left = bytes;
    const bool first = text_bytes == 0;
    // There may be more text although all bytes are consumed, if it filled its room.
    for (bool full = true; (!left.empty() || full) && at == At::inside && !trouble;) {
      const std::size_t old = text.size();
      text.resize(old + 4 * kBlock);
      std::span<char> room(text.data() + old, 4 * kBlock);
      const auto status = decompressor->decompress(left, room);
      full = room.empty();
      text.resize(text.size() - room.size());
      text_bytes += static_cast<double>(text.size() - old);
      if (status == Decompressor::Status::end) at = At::behind;
      else if (status == Decompressor::Status::damaged)
        trouble = [this] {
          return Error(file.name(), ": damaged ", compression->name, " data after line ", lines);
        };
    }
    if (first && text_bytes > 0) check_text();
    return bytes.size() - left.size();
  }

  // Takes a byte outside of members.
  void between(char byte) {
    if (byte == '\0' && magic.empty()) {
      at = At::zeros;
      return;
    }
    magic += byte;
    if (at == At::zeros && !compression->padded) return ignore_rest();
    for (const std::string& begin : compression->magics) {
      if (!begin.starts_with(magic)) continue;
      if (begin.size() > magic.size()) return;
      decompressor->restart();
      at = At::inside;
      const std::string taken = std::exchange(magic, {});
      decompress_some(taken);
      return;
    }
    ignore_rest();
  }

  void ignore_rest() {
    warn(file.name() + ": ignored trailing data after the " + compression->name + " data");
    at = At::over;
    at_end = true;
  }

  void decompress() {
    for (std::size_t byte = 0; byte < raw.size() && !at_end && !trouble;) {
      if (at == At::inside) byte += decompress_some(std::string_view(raw).substr(byte));
      else between(raw[byte++]);
    }
  }

  void end_of_compressed() {
    if (!magic.empty()) ignore_rest();
    if (at != At::inside) at_end = true;
    else
      trouble = [this] {
        return Error(file.name(), ": truncated ", compression->name, " data after line ", lines,
                     "; fetch the file again");
      };
  }

  // Appends more text, or sets at_end or trouble if there is none.
  void fill() {
    if (!began) return start();
    text.erase(0, begin);
    searched -= begin;
    begin = 0;
    if (compression) {
      read_raw();
      if (raw.empty()) end_of_compressed();
      else decompress();
      return;
    }
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
};

LineReader::LineReader(const std::string& path) : state_(std::make_unique<State>(path)) {}

LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;

bool LineReader::next(std::string_view& line) {
  State& s = *state_;
  for (;;) {
    const std::size_t from = std::max(s.begin, s.searched);
    const void* hit = from < s.text.size()
                          ? std::memchr(s.text.data() + from, '\n', s.text.size() - from)
                          : nullptr;
    if (hit) {
      const std::size_t end =
          static_cast<std::size_t>(static_cast<const char*>(hit) - s.text.data());
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
    try {
      s.fill();
    } catch (const std::bad_alloc&) {
      const std::size_t bytes = s.text.size() - s.begin;
      throw Error(where(s.lines + 1), ": out of memory after ", human_bytes(bytes), " of the line");
    }
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
    if (s.at_end || s.trouble ||
        s.text.find('\n', std::max(s.begin, s.searched)) != std::string::npos)
      return true;
    s.searched = s.text.size();
    pollfd waiting{s.file.descriptor(), POLLIN, 0};
    if (::poll(&waiting, 1, 0) <= 0) return false;
    s.fill();
  }
}

bool LineReader::ended() const {
  return state_->at_end && !state_->trouble && state_->begin == state_->text.size();
}

double LineReader::part() const {
  const State& s = *state_;
  const auto size = static_cast<double>(s.file.size());
  if (size <= 0) return -1;
  return s.text_bytes == 0 ? 0
                           : s.raw_bytes / size *
                                 (1 - static_cast<double>(s.text.size() - s.begin) / s.text_bytes);
}

std::size_t LineReader::line_number() const { return state_->lines; }
const std::string& LineReader::name() const { return state_->file.name(); }
std::string LineReader::where(std::size_t number) const {
  return name() + ":" + std::to_string(number);
}

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  try {
    for (std::string line; reader.next(line);) lines.push_back(line);
  } catch (const std::bad_alloc&) {
    throw Error(reader.name(), ": out of memory after line ", reader.line_number());
  }
  return lines;
}

}  // namespace tt
