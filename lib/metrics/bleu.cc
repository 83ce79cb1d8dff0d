#include "metrics/bleu.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/number.h"
#include "base/split.h"
#include "metrics/compound.h"
#include "metrics/ngrams.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

constexpr double kLogOfZero = -9999999999.0;

double smooth_value(const BleuOptions& options) {
  if (options.smooth_value) return *options.smooth_value;
  return options.smoothing == Smoothing::kFloor  ? 0.1
         : options.smoothing == Smoothing::kAddK ? 1
                                                 : 0;
}

// The reference length closest to the hypothesis length; ties go to the shorter one.
std::int32_t closest_length(std::int32_t hypothesis, std::span<const std::int32_t> references) {
  std::int32_t closest = references[0];
  for (const std::int32_t length : references) {
    const std::int32_t near = std::abs(length - hypothesis),
                       nearest = std::abs(closest - hypothesis);
    if (near < nearest || (near == nearest && length < closest)) closest = length;
  }
  return closest;
}

// Buffers of a thread, reused across segments.
struct Scratch {
  std::vector<std::uint32_t> hypothesis;
  std::vector<std::vector<std::uint32_t>> references;
  std::vector<std::int32_t> lengths;
  SymbolNumbering numbering;
  NgramMatcher matcher;
};

}  // namespace

std::string smoothing_name(const BleuOptions& options) {
  switch (options.smoothing) {
    case Smoothing::kExp: return "exp";
    case Smoothing::kFloor: return "floor[" + fixed(smooth_value(options), 2) + "]";
    case Smoothing::kAddK: return "add-k[" + fixed(smooth_value(options), 2) + "]";
    case Smoothing::kNone: break;
  }
  return "none";
}

void set_smoothing(const std::string& text, BleuOptions& options) {
  const std::size_t colon = text.find(':');
  const std::string method = text.substr(0, colon);
  const auto fail = [&](const std::string& why) { throw Error("smoothing '", text, "': ", why); };
  if (method == "exp") options.smoothing = Smoothing::kExp;
  else if (method == "none") options.smoothing = Smoothing::kNone;
  else if (method == "floor") options.smoothing = Smoothing::kFloor;
  else if (method == "add-k") options.smoothing = Smoothing::kAddK;
  else fail("must be exp, floor, add-k or none");
  options.smooth_value.reset();
  if (colon == text.npos) return;
  if (method == "exp" || method == "none") fail(method + " takes no value");
  const auto value = number_in<double>(std::string_view(text).substr(colon + 1));
  if (!value || !std::isfinite(*value) || *value < 0)
    fail("the value must be a number of at least 0");
  options.smooth_value = *value;
}

BleuScore compute_bleu(std::span<const double> counts, std::span<const double> totals,
                       double hypothesis_length, double reference_length,
                       const BleuOptions& options) {
  const auto order = counts.size();
  TT_CHECK(order > 0 && totals.size() == order);
  BleuScore result;
  result.counts.assign(counts.begin(), counts.end());
  result.totals.assign(totals.begin(), totals.end());
  result.precisions.assign(order, 0);
  result.hypothesis_length = hypothesis_length, result.reference_length = reference_length;
  const double hyp = hypothesis_length, ref = reference_length;
  result.ratio = ref != 0 ? hyp / ref : 0;
  if (hyp < ref) result.brevity_penalty = hyp > 0 ? std::exp(1 - ref / hyp) : 0;
  if (std::ranges::all_of(counts, [](double count) { return count == 0; })) return result;

  const double value = smooth_value(options);
  double halved = 1;
  std::size_t effective = order;
  for (std::size_t n = 0; n < order; ++n) {
    double &count = result.counts[n], &total = result.totals[n];
    if (options.smoothing == Smoothing::kAddK && n > 0) count += value, total += value;
    if (total == 0) break;
    if (options.effective_order) effective = n + 1;
    if (count != 0) result.precisions[n] = 100 * count / total;
    else if (options.smoothing == Smoothing::kExp)
      result.precisions[n] = 100 / ((halved *= 2) * total);
    else if (options.smoothing == Smoothing::kFloor) result.precisions[n] = 100 * value / total;
  }
  double sum = 0;
  for (std::size_t n = 0; n < effective; ++n)
    sum += result.precisions[n] == 0 ? kLogOfZero : std::log(result.precisions[n]);
  result.score = result.brevity_penalty * std::exp(sum / static_cast<double>(effective));
  return result;
}

Bleu::Bleu(const BleuOptions& options)
    : options_(options), tokenizer_(make_tokenizer(options.tokenize, options.files)) {
  if (options.max_order < 1 || options.max_order > 64)
    throw Error("BLEU's maximum order must be from 1 to 64, not ", options.max_order);
  if (options.smooth_value && !(*options.smooth_value >= 0 && *options.smooth_value <= 1e6))
    throw Error("BLEU's smoothing value must be from 0 to 1000000, not ", *options.smooth_value);
}

std::string Bleu::name() const {
  return options_.split_compounds ? "tokenised BLEU, compounds split" : "BLEU";
}

void Bleu::split(std::string_view text, std::string& lowered, std::string& buffer,
                 std::vector<std::string_view>& tokens) const {
  if (options_.lowercase) {
    lowered = lower(text);
    text = lowered;
  }
  tokenizer_->split(strip_end(text), buffer, tokens);
  if (!options_.split_compounds) return;
  std::string joined;
  for (const std::string_view token : tokens) (joined += token) += ' ';
  buffer = split_compounds(joined);
  tokens.clear();
  split_at_spaces(buffer, tokens);
}

std::vector<std::string> Bleu::tokens(std::string_view text) const {
  std::string lowered, buffer;
  std::vector<std::string_view> views;
  split(text, lowered, buffer, views);
  return {views.begin(), views.end()};
}

void Bleu::number(std::string_view text, SymbolNumbering& numbering,
                  std::span<std::vector<std::uint32_t>> sequences) const {
  thread_local std::vector<std::string_view> tokens;
  std::string& lowered = numbering.buffer();
  split(text, lowered, numbering.buffer(), tokens);
  sequences[0].resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    sequences[0][i] = numbering.words.number(tokens[i]);
}

void Bleu::segment(std::string_view hypothesis, std::span<const std::string_view> references,
                   Row row) const {
  TT_CHECK(row.size() == width() && !references.empty());
  thread_local Scratch scratch;
  const std::size_t count = references.size();
  if (scratch.references.size() < count) scratch.references.resize(count);

  scratch.numbering.clear();
  const std::vector<std::uint32_t>& numbers = scratch.hypothesis;
  number(hypothesis, scratch.numbering, {&scratch.hypothesis, 1});
  scratch.lengths.clear();
  for (std::size_t r = 0; r < count; ++r) {
    number(references[r], scratch.numbering, {&scratch.references[r], 1});
    scratch.lengths.push_back(static_cast<std::int32_t>(scratch.references[r].size()));
  }

  const auto order = static_cast<std::size_t>(options_.max_order);
  const auto length = static_cast<std::int32_t>(numbers.size());
  row[0] = length;
  row[1] = closest_length(length, scratch.lengths);
  scratch.matcher.match(numbers, {scratch.references.data(), count}, scratch.numbering.words.size(),
                        row.subspan(2, order));
  for (std::size_t n = 0; n < order; ++n)
    row[2 + order + n] = std::max(0, length - static_cast<std::int32_t>(n));
}

BleuScore Bleu::compute(const Totals& totals) const {
  TT_CHECK(totals.size() == width());
  const auto order = static_cast<std::size_t>(options_.max_order);
  const std::vector<double> all(totals.begin(), totals.end());
  const std::span<const double> counts(all);
  return compute_bleu(counts.subspan(2, order), counts.subspan(2 + order), all[0], all[1],
                      options_);
}

std::vector<std::size_t> Bleu::orders() const {
  return {static_cast<std::size_t>(options_.max_order)};
}

double Bleu::overlap_score(std::span<const NgramOverlap> orders) const {
  double counts[64], totals[64];
  for (std::size_t n = 0; n < orders.size(); ++n)
    counts[n] = orders[n].common, totals[n] = orders[n].hypothesis;
  return compute_bleu({counts, orders.size()}, {totals, orders.size()}, orders[0].hypothesis,
                      orders[0].reference, options_)
      .score;
}

bool Bleu::needs_spaces() const {
  return !options_.split_compounds && (options_.tokenize == "13a" || options_.tokenize == "intl");
}

Metric::Fields Bleu::fields() const {
  Fields fields = {{"case", options_.lowercase ? "lc" : "mixed"},
                   {"eff", options_.effective_order ? "yes" : "no"},
                   {"tok", tokenizer_->signature()},
                   {"smooth", smoothing_name(options_)}};
  if (options_.max_order != 4) fields.emplace_back("order", std::to_string(options_.max_order));
  if (options_.split_compounds) fields.emplace_back("compounds", "split");
  return fields;
}

std::string Bleu::verbose(const Totals& totals) const {
  const BleuScore score = compute(totals);
  std::string text = join(score.precisions, "/", [](double p) { return fixed(p, 1); });
  text += " (BP = " + fixed(score.brevity_penalty, 3) + " ratio = " + fixed(score.ratio, 3) +
          " hyp_len = " + fixed(score.hypothesis_length, 0) +
          " ref_len = " + fixed(score.reference_length, 0) + ")";
  return options_.split_compounds ? text + " (not comparable to sacreBLEU)" : text;
}

Metric::Details Bleu::details(const Totals& totals) const {
  const BleuScore score = compute(totals);
  return {{"precisions", score.precisions},
          {"counts", score.counts},
          {"totals", score.totals},
          {"bp", score.brevity_penalty},
          {"sys_len", score.hypothesis_length},
          {"ref_len", score.reference_length},
          {"ratio", score.ratio}};
}

double corpus_bleu(std::span<const std::string> hypotheses, std::span<const std::string> references,
                   const BleuOptions& options) {
  if (hypotheses.size() != references.size())
    throw Error("BLEU: ", hypotheses.size(), " hypotheses but ", references.size(), " references");
  if (hypotheses.empty()) throw Error("BLEU: there are no lines to score");
  const Bleu bleu(options);
  Totals totals(bleu.width(), 0);
  std::vector<std::int32_t> row(bleu.width());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const std::string_view reference = references[i];
    bleu.segment(hypotheses[i], {&reference, 1}, row);
    for (std::size_t k = 0; k < row.size(); ++k) totals[k] += row[k];
  }
  return bleu.score(totals);
}

}  // namespace tt::metrics
