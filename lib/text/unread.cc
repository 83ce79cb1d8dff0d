#include "text/unread.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/invisible.h"

namespace tt {

namespace {

template <class Visit>
void each_character(std::string_view text, TextRange range, const Visit& visit) {
  for (const char *at = text.data() + range.begin, *const end = text.data() + range.end;
       at < end;) {
    const auto begin = static_cast<std::size_t>(at - text.data());
    const char32_t c = next_code_point(at, end);
    if (c != U' ') visit(c, TextRange{begin, static_cast<std::size_t>(at - text.data())});
  }
}

bool is_dropped(const Subword& subword, std::string_view text, char32_t c, TextRange r) {
  return (c < 0x20 || c >= 0x7F) && subword.drops(r.in(text));
}

std::vector<TextRange> dropped_of(const Subword& subword, std::string_view text) {
  std::vector<TextRange> found;
  each_character(text, {0, text.size()}, [&](char32_t c, TextRange r) {
    if (is_dropped(subword, text, c, r)) found.push_back(r);
  });
  return found;
}

}  // namespace

std::vector<TextRange> dropped(const Subword& subword, std::string_view line) {
  std::string store;
  std::vector<Removed> removed;
  std::vector<TextRange> found = dropped_of(subword, as_read(line, store, &removed));
  place_as_given(found, removed);
  return found;
}

Unread unread(const Subword& subword, std::string_view line) {
  if (line.empty()) return {};
  std::string store;
  std::vector<Removed> removed;
  const std::string_view text = as_read(line, store, &removed);
  Unread found{{}, dropped_of(subword, text)};
  const std::vector<std::int32_t> ids = subword.encode(text);
  if (std::find(ids.begin(), ids.end(), subword.unk()) != ids.end()) {
    const std::vector<TextRange> ranges = subword.encoded_ranges(text);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != subword.unk()) continue;
      if (subword.has_words()) found.unknown.push_back(ranges[i]);
      else
        each_character(text, ranges[i], [&](char32_t c, TextRange r) {
          if (!is_dropped(subword, text, c, r)) found.unknown.push_back(r);
        });
    }
  }
  place_as_given(found.unknown, removed);
  place_as_given(found.dropped, removed);
  return found;
}

}  // namespace tt
