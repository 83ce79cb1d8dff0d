#include "metrics/chrf.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "metrics/tokenizer.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

constexpr double kEpsilon = 1e-16;

using Numbers = std::vector<std::uint32_t>;

bool is_ascii_punctuation(char c) {
  return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !((c | 32) >= 'a' && (c | 32) <= 'z');
}

// The words of a line; one ASCII punctuation mark is split off the end of a word, or else off its
// beginning.
void split_words(std::string_view text, std::vector<std::string_view>& spaced,
                 std::vector<std::string_view>& words) {
  spaced.clear(), words.clear();
  split_at_spaces(text, spaced);
  for (const std::string_view word : spaced) {
    const std::size_t last = word.size() - 1;
    if (last > 0 && is_ascii_punctuation(word[last]))
      words.insert(words.end(), {word.substr(0, last), word.substr(last)});
    else if (last > 0 && is_ascii_punctuation(word[0]))
      words.insert(words.end(), {word.substr(0, 1), word.substr(1)});
    else words.push_back(word);
  }
}

// The number of n-grams in a sequence of `length`.
std::int32_t ngrams(std::size_t length, std::size_t order) {
  return length < order ? 0 : static_cast<std::int32_t>(length - order + 1);
}

// Buffers of a thread, reused across segments.
struct Scratch {
  Numbers hypothesis[2];            // characters and words
  std::vector<Numbers> references;  // two of each
  std::vector<std::int32_t> row;
  SymbolNumbering numbering;
  NgramMatcher matcher;
};

}  // namespace

Chrf::Chrf(const ChrfOptions& options) : options_(options) {
  const auto check = [](const char* what, int order) {
    if (order < 0 || order > 64)
      throw Error("chrF's ", what, " order must be from 0 to 64, not ", order);
  };
  check("character", options.char_order);
  check("word", options.word_order);
  if (all_orders() == 0) throw Error("chrF needs a character order or a word order of at least 1");
  if (!(options.beta >= 0 && std::isfinite(options.beta)))
    throw Error("chrF's beta must be a number of at least 0, not ", options.beta);
}

std::string Chrf::name() const {
  std::string beta = fixed(options_.beta, 6);
  beta.erase(beta.find_last_not_of('0') + 1);
  if (beta.back() == '.') beta.pop_back();
  return "chrF" + beta + std::string(static_cast<std::size_t>(options_.word_order), '+');
}

template <class Counts>
double Chrf::f_score(const Counts& counts) const {
  const double factor = options_.beta * options_.beta;
  double sum = 0, precision_sum = 0, recall_sum = 0;
  int effective = 0;
  for (std::size_t order = 0; order < all_orders(); ++order) {
    const auto hypothesis = static_cast<double>(counts[3 * order]),
               reference = static_cast<double>(counts[3 * order + 1]);
    const auto matches = static_cast<double>(counts[3 * order + 2]);
    const double precision = hypothesis > 0 ? matches / hypothesis : kEpsilon;
    const double recall = reference > 0 ? matches / reference : kEpsilon;
    const double weighted = factor * precision + recall;
    sum += weighted > 0 ? (1 + factor) * precision * recall / weighted : kEpsilon;
    if (hypothesis > 0 && reference > 0)
      precision_sum += precision, recall_sum += recall, ++effective;
  }
  if (options_.eps_smoothing) return 100 * sum / static_cast<double>(all_orders());
  if (effective == 0 || precision_sum + recall_sum == 0) return 0;
  const double precision = precision_sum / effective, recall = recall_sum / effective;
  return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

std::vector<std::size_t> Chrf::orders() const {
  return {static_cast<std::size_t>(options_.char_order),
          static_cast<std::size_t>(options_.word_order)};
}

void Chrf::number(std::string_view text, SymbolNumbering& numbering,
                  std::span<std::vector<std::uint32_t>> sequences) const {
  if (options_.lowercase) text = numbering.buffer() = lower(text);
  Numbers &characters = sequences[0], &words = sequences[1];
  characters.clear(), words.clear();
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char32_t c = next_code_point(at, end);
    if (options_.whitespace || !is_space(c)) characters.push_back(numbering.characters.number(c));
  }
  if (options_.word_order == 0) return;
  thread_local std::vector<std::string_view> spaced, parts;
  split_words(text, spaced, parts);
  for (const std::string_view word : parts) words.push_back(numbering.words.number(word));
}

void Chrf::segment(std::string_view hypothesis, std::span<const std::string_view> references,
                   Row row) const {
  TT_CHECK(row.size() == width() && !references.empty());
  thread_local Scratch scratch;
  const std::size_t count = references.size();
  if (scratch.references.size() < 2 * count) scratch.references.resize(2 * count);
  scratch.numbering.clear();
  number(hypothesis, scratch.numbering, scratch.hypothesis);
  for (std::size_t r = 0; r < count; ++r)
    number(references[r], scratch.numbering, {&scratch.references[2 * r], 2});

  std::int32_t matches[64];
  scratch.row.resize(width());
  double best = -1;
  for (std::size_t r = 0; r < count; ++r) {
    std::size_t at = 0;
    const auto compare = [&](std::size_t kind, std::uint32_t symbols, int highest) {
      const Numbers &ours = scratch.hypothesis[kind], &theirs = scratch.references[2 * r + kind];
      const auto order = static_cast<std::size_t>(highest);
      scratch.matcher.match(ours, {&theirs, 1}, symbols, {matches, order});
      for (std::size_t n = 1; n <= order; ++n) {
        const std::int32_t all = ngrams(theirs.size(), n);
        scratch.row[at++] = all > 0 ? ngrams(ours.size(), n) : 0;
        scratch.row[at++] = all;
        scratch.row[at++] = matches[n - 1];
      }
    };
    compare(0, scratch.numbering.characters.size(), options_.char_order);
    compare(1, scratch.numbering.words.size(), options_.word_order);
    const double f = f_score(scratch.row);
    if (f > best) {
      best = f;
      std::copy(scratch.row.begin(), scratch.row.end(), row.begin());
    }
  }
}

double Chrf::score(const Totals& totals) const {
  TT_CHECK(totals.size() == width());
  return f_score(totals);
}

double Chrf::overlap_score(std::span<const NgramOverlap> orders) const {
  double counts[3 * 128];
  for (std::size_t n = 0; n < orders.size(); ++n) {
    counts[3 * n] = orders[n].reference > 0 ? orders[n].hypothesis : 0;
    counts[3 * n + 1] = orders[n].reference;
    counts[3 * n + 2] = orders[n].common;
  }
  return f_score(counts);
}

Metric::Fields Chrf::fields() const {
  return {{"case", options_.lowercase ? "lc" : "mixed"},
          {"eff", options_.eps_smoothing ? "no" : "yes"},
          {"nc", std::to_string(options_.char_order)},
          {"nw", std::to_string(options_.word_order)},
          {"space", options_.whitespace ? "yes" : "no"}};
}

Metric::Details Chrf::details(const Totals& totals) const {
  std::vector<double> hypothesis, reference, matches;
  for (std::size_t order = 0; order < all_orders(); ++order) {
    hypothesis.push_back(static_cast<double>(totals[3 * order]));
    reference.push_back(static_cast<double>(totals[3 * order + 1]));
    matches.push_back(static_cast<double>(totals[3 * order + 2]));
  }
  return {{"hyp_ngrams", hypothesis}, {"ref_ngrams", reference}, {"matches", matches}};
}

}  // namespace tt::metrics
