#include "text/cut.h"

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

// The units that a text may be cut into, the better ones first.
enum Kind { kSentences, kClauses, kWords, kCharacters };

constexpr std::u32string_view kClosing = U"\"')]}»”’」』）】";
// Signs at the end of sentences and clauses in scripts that put a space behind them, and in others.
constexpr std::u32string_view kSentenceEnds = U".!?…؟।", kWideSentenceEnds = U"。！？｡",
                              kClauseEnds = U",;:–—،", kWideClauseEnds = U"、，；：";

bool is_one_of(char32_t c, std::u32string_view signs) { return signs.find(c) != signs.npos; }

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
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    const char32_t c = code_point_at(text, at);
    if (is_space(c)) {
      if (ended || wide || kind >= kWords) end_at(here);
      if (begin == here) begin = at;
      ended = wide = false;
      continue;
    }
    if (kind != kCharacters && is_one_of(c, kClosing) && (ended || wide)) continue;
    if (kind == kCharacters || (wide && !is_one_of(c, kWideSentenceEnds))) end_at(here);
    ended = is_one_of(c, kSentenceEnds) || (kind >= kClauses && is_one_of(c, kClauseEnds));
    wide = is_one_of(c, kWideSentenceEnds) || (kind >= kClauses && is_one_of(c, kWideClauseEnds));
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
