#include "metrics/ter.h"

#include <algorithm>

#include "base/error.h"
#include "metrics/ngrams.h"
#include "metrics/ter_edits.h"
#include "metrics/tokenizer.h"
#include "metrics/unicode.h"
#include "text/words.h"

namespace tt::metrics {

namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool is_in(char32_t c, const Range (&ranges)[N]) {
  return std::any_of(ranges, ranges + N,
                     [c](const Range& range) { return c >= range.first && c <= range.last; });
}

// The characters that asian_support separates. The range from U+3200 was meant to end at U+32FF and
// ends at U+3F22.
constexpr Range kAsianCharacters[] = {{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x31C0, 0x31EF},
                                      {0x2E80, 0x2EFF}, {0x3300, 0x33FF}, {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE4F}, {0x3200, 0x3F22}};
constexpr Range kAsianPunctuation[] = {{0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F},
                                       {0xFF61, 0xFF65}, {0x30FB, 0x30FB}, {0xFF0E, 0xFF0E},
                                       {0xFF0C, 0xFF0C}, {0xFF1F, 0xFF1F}, {0xFF1A, 0xFF1B},
                                       {0xFF01, 0xFF02}, {0xFF08, 0xFF09}};

bool is_removed(char32_t c, bool asian) {
  return (c < 0x80 && c != 0 &&
          std::string_view(".,?:;!\"()").find(static_cast<char>(c)) != std::string_view::npos) ||
         (asian && is_in(c, kAsianPunctuation));
}

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_stop(char32_t c) { return c == '.' || c == ','; }

// The places at which normalisation inserts spaces: cut[i] is true if one goes before text[i]. The
// line is treated as surrounded by spaces. For runs of stops see tokenizer.cc.
std::vector<bool> western_and_asian_cuts(const std::u32string& text, bool asian) {
  const std::size_t size = text.size();
  std::vector<bool> cut(size + 1, false);
  const auto alone = [&](std::size_t i) { cut[i] = cut[i + 1] = true; };
  const auto is_symbol_or_end = [&](std::size_t i) {
    return i >= size || (text[i] < 0x80 && is_western_symbol(static_cast<unsigned char>(text[i])));
  };
  for (std::size_t i = 0; i < size; ++i) {
    const char32_t c = text[i];
    if (is_stop(c)) {
      if (i > 0 && is_stop(text[i - 1])) continue;
      std::size_t end = i + 1;
      while (end < size && is_stop(text[end])) ++end;
      for (std::size_t k = i; k + 1 < end; ++k) alone(k);
      if (last_of_run_stands_alone(end - i, i > 0 && is_digit(text[i - 1]),
                                   end < size && is_digit(text[end])))
        alone(end - 1);
    } else if (is_symbol_or_end(i) || (c == '-' && i > 0 && is_digit(text[i - 1])) ||
               (asian && (is_in(c, kAsianCharacters) || is_in(c, kAsianPunctuation)))) {
      alone(i);
    } else if (c == '\'' && i + 1 < size && text[i + 1] == 's' && is_symbol_or_end(i + 2)) {
      cut[i] = true;  // possessives
    }
  }
  return cut;
}

}  // namespace

std::string ter_tokens(std::string_view text, const TerOptions& options) {
  std::string line = options.case_sensitive ? std::string(text) : lower(text);
  if (options.normalized) {
    for (std::size_t at = 0; (at = line.find("\n-", at)) != line.npos;) line.erase(at, 2);
    std::replace(line.begin(), line.end(), '\n', ' ');
    unescape_entities(line);
  }
  std::u32string characters;
  characters.reserve(line.size());
  for (const char *at = line.data(), *const end = at + line.size(); at < end;)
    characters += next_code_point(at, end);
  const std::vector<bool> cuts = options.normalized
                                     ? western_and_asian_cuts(characters, options.asian_support)
                                     : std::vector<bool>(characters.size() + 1, false);

  std::string result;
  result.reserve(2 * line.size());
  bool space = false;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    space = space || cuts[i] || is_space(c);
    if (is_space(c) || (options.no_punct && is_removed(c, options.asian_support))) continue;
    if (space && !result.empty()) result += ' ';
    space = false;
    append_utf8(result, c);
  }
  return result;
}

std::vector<bool> kept_words(std::string_view hypothesis, std::string_view reference) {
  Numbering numbering;
  const auto numbers = [&](std::string_view text) {
    std::vector<std::uint32_t> numbers;
    for (const TextRange& word : words_of(text)) numbers.push_back(numbering.number(word.in(text)));
    return numbers;
  };
  return TerEdits().kept(numbers(hypothesis), numbers(reference));
}

void Ter::segment(std::string_view hypothesis, std::span<const std::string_view> references,
                  Row row) const {
  TT_CHECK(row.size() == width() && !references.empty());
  if (references.size() > kTerReferences)
    throw Error("TER takes at most ", kTerReferences, " references, not ", references.size());
  struct Scratch {
    std::vector<std::string_view> words;
    std::vector<std::uint32_t> hypothesis, reference;
    std::vector<std::string> lines;
    Numbering numbering;
    TerEdits edits;
  };
  thread_local Scratch scratch;
  scratch.numbering.clear();
  scratch.lines.resize(references.size() +
                       1);  // all lines must live as long as the numbering of their words
  const auto number = [&](std::string& line, std::vector<std::uint32_t>& numbers) {
    scratch.words.clear(), numbers.clear();
    split_at_spaces(line, scratch.words);
    for (const std::string_view word : scratch.words)
      numbers.push_back(scratch.numbering.number(word));
  };
  scratch.lines.back() = ter_tokens(strip_end(hypothesis), options_);
  number(scratch.lines.back(), scratch.hypothesis);
  std::int32_t fewest = 0;
  std::int64_t length = 0;
  for (std::size_t r = 0; r < references.size(); ++r) {
    // sacreBLEU applies the rules to references twice, which matters for "..1": once gives ". .1",
    // twice ". . 1".
    scratch.lines[r] = ter_tokens(strip_end(references[r]), options_);
    if (options_.normalized || options_.no_punct)
      scratch.lines[r] = ter_tokens(scratch.lines[r], options_);
    number(scratch.lines[r], scratch.reference);
    const std::int32_t edits = scratch.edits.count(scratch.hypothesis, scratch.reference);
    fewest = r == 0 ? edits : std::min(fewest, edits);
    length += static_cast<std::int64_t>(scratch.reference.size());
  }
  const auto count = static_cast<std::int64_t>(references.size());
  row[0] = fewest;
  row[1] = static_cast<std::int32_t>(length / count);
  row[2] = static_cast<std::int32_t>(length % count * (kTerUnit / count));
}

namespace {

double reference_length(const Totals& totals) {
  return static_cast<double>(totals[1]) + static_cast<double>(totals[2]) / kTerUnit;
}

}  // namespace

double Ter::score(const Totals& totals) const {
  TT_CHECK(totals.size() == width());
  const auto edits = static_cast<double>(totals[0]);
  const double length = reference_length(totals);
  if (length > 0) return 100 * (edits / length);
  return edits > 0 ? 100 : 0;
}

Metric::Fields Ter::fields() const {
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  return {{"case", options_.case_sensitive ? "mixed" : "lc"},
          {"tok", "tercom"},
          {"norm", yes(options_.normalized)},
          {"punct", yes(!options_.no_punct)},
          {"asian", yes(options_.asian_support)}};
}

Metric::Details Ter::details(const Totals& totals) const {
  return {{"num_edits", static_cast<double>(totals[0])}, {"ref_length", reference_length(totals)}};
}

}  // namespace tt::metrics
