// Fuzz target: stretches of any text that are kept stand in it in order, as whole characters, and
// the text is as it was but for the marks; an accelerator that is taken out comes back.
//
//   make fuzz CXX=clang++
#include "text/kept.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/utf8.h"
#include "lines/accelerator.h"
#include "text/placeholders.h"

namespace {

bool between_characters(std::string_view text, std::size_t at) {
  return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

void check_accelerator(const std::string& text) {
  std::string without = text;
  const auto accelerator = tt::take_accelerator(without);
  TT_CHECK(accelerator || without == text);
  if (!accelerator) return;
  TT_CHECK(without.size() < text.size() && accelerator->at <= without.size());
  const std::string with =
      tt::with_accelerator(without, tt::words_of(without), *accelerator, tt::words_of(without), {});
  TT_CHECK(std::ranges::count(with, accelerator->sign) ==
           std::ranges::count(without, accelerator->sign) + 1);
}

}  // namespace

// The first byte says what is kept.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  const std::string line = tt::repair_utf8({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  const auto is = [&](int bit) { return (bytes[0] >> bit & 1) != 0; };
  const tt::Keep keep{is(0), is(1), is(2), is(3), is(4)};
  std::string text = line;
  std::size_t behind = 0;
  for (const tt::TextRange& r : tt::find_kept(text, keep)) {
    TT_CHECK(r.begin >= behind && r.begin < r.end && r.end <= text.size());
    TT_CHECK(between_characters(text, r.begin) && between_characters(text, r.end));
    behind = r.end;
  }
  TT_CHECK(keep.marked ? text.size() <= line.size() : text == line);
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (!between_characters(line, at)) continue;
    const std::size_t end = tt::placeholder_end(line, at);
    TT_CHECK(end >= at && end <= line.size() && between_characters(line, end));
  }
  const std::string_view open = tt::unfinished_placeholder(line);
  TT_CHECK(open.empty() || line.find(open) != std::string::npos);
  check_accelerator(line);
  return 0;
}
