#include "text/cut.h"

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

// The units that a text may be cut into, the better ones first.
enum Kind { kSentences, kClauses, kWords, kCharacters };

bool closes(char32_t c) {
  return std::u32string_view(U"\"')]}»”’」』）】").find(c) != std::u32string_view::npos;
}
// The ends of sentences in scripts that put a space behind them, and in others.
bool ends_sentence(char32_t c) {
  return std::u32string_view(U".!?…؟।").find(c) != std::u32string_view::npos;
}
bool ends_wide_sentence(char32_t c) {
  return std::u32string_view(U"。！？｡").find(c) != std::u32string_view::npos;
}
bool ends_clause(char32_t c) {
  return std::u32string_view(U",;:–—،").find(c) != std::u32string_view::npos;
}
bool ends_wide_clause(char32_t c) {
  return std::u32string_view(U"、，；：").find(c) != std::u32string_view::npos;
}

// The units of a text, which have no white space around them.
std::vector<std::string_view> units(std::string_view text, Kind kind) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  const auto end_at = [&](std::size_t end) {
    std::size_t last = end;
    while (last > begin && (text[last - 1] == ' ' || text[last - 1] == '\t')) --last;
    if (last > begin) found.push_back(text.substr(begin, last - begin));
    begin = end;
  };
  bool ended = false, wide = false;  // by what was read, but for what closes behind it
  const char* const first = text.data();
  for (const char *at = first, *end = first + text.size(); at != end;) {
    const auto here = static_cast<std::size_t>(at - first);
    const char32_t c = next_code_point(at, end);
    if (is_space(c)) {
      if (ended || wide || kind >= kWords) end_at(here);
      if (begin == here) begin = static_cast<std::size_t>(at - first);
      ended = wide = false;
      continue;
    }
    if (kind != kCharacters && closes(c) && (ended || wide)) continue;
    if (kind == kCharacters || (wide && !ends_wide_sentence(c))) end_at(here);
    ended = ends_sentence(c) || (kind >= kClauses && ends_clause(c));
    wide = ends_wide_sentence(c) || (kind >= kClauses && ends_wide_clause(c));
  }
  end_at(text.size());
  return found;
}

void add(std::string_view text, Kind kind, std::size_t most,
         const std::function<std::size_t(std::string_view)>& size,
         std::vector<std::string_view>& stretches) {
  std::string_view open;  // a stretch that may be continued
  std::size_t filled = 0;
  const auto close = [&] {
    if (!open.empty()) stretches.push_back(open);
    open = {};
    filled = 0;
  };
  for (const std::string_view unit : units(text, kind)) {
    const std::size_t mine = size(unit);
    if (mine > most && kind != kCharacters) {
      close();
      add(unit, static_cast<Kind>(kind + 1), most, size, stretches);
      continue;
    }
    if (filled + mine > most) close();
    open = open.empty()
               ? unit
               : std::string_view(open.data(), static_cast<std::size_t>(unit.data() + unit.size() -
                                                                        open.data()));
    filled += mine;
  }
  close();
}

}  // namespace

std::vector<std::string_view> split_text(std::string_view text, std::size_t most,
                                         const std::function<std::size_t(std::string_view)>& size) {
  std::vector<std::string_view> stretches;
  add(text, kSentences, most, size, stretches);
  return stretches;
}

}  // namespace tt
