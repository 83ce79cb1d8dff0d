#include "text/unread.h"

#include <algorithm>

#include "base/unicode.h"
#include "base/utf8.h"
#include "text/invisible.h"

namespace tt {

Unread unread(const Subword& subword, std::string_view line) {
  std::string store;
  std::vector<Removed> removed;
  const std::string_view text = as_read(line, store, &removed);
  Unread found;
  const auto each_character = [&](TextRange range, const auto& visit) {
    for (const char *at = text.data() + range.begin, *const end = text.data() + range.end; at < end;) {
      const auto begin = static_cast<std::size_t>(at - text.data());
      const char32_t c = next_code_point(at, end);
      if (c != U' ') visit(c, TextRange{begin, static_cast<std::size_t>(at - text.data())});
    }
  };
  const auto dropped = [&](char32_t c, TextRange r) {
    return (c < 0x20 || c >= 0x7F) && !is_space(c) && subword.drops(text.substr(r.begin, r.end - r.begin));
  };
  each_character({0, text.size()}, [&](char32_t c, TextRange r) {
    if (dropped(c, r)) found.dropped.push_back(r);
  });
  std::vector<std::int32_t> ids;
  subword.encode(text, ids);
  if (std::find(ids.begin(), ids.end(), subword.unk()) != ids.end()) {
    const std::vector<TextRange> ranges = subword.encoded_ranges(text);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != subword.unk()) continue;
      if (subword.has_words()) found.unknown.push_back(ranges[i]);
      else
        each_character(ranges[i], [&](char32_t c, TextRange r) {
          if (!dropped(c, r)) found.unknown.push_back(r);
        });
    }
  }
  place_as_given(found.unknown, removed);
  place_as_given(found.dropped, removed);
  return found;
}

}  // namespace tt
