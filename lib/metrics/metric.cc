#include "metrics/metric.h"

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "base/thread_pool.h"
#include "metrics/segments.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kPiece = 32;  // segments that one task counts

}  // namespace

void Metric::count(const SegmentBlock& block, ThreadPool& pool,
                   std::vector<std::vector<std::int32_t>>& rows) const {
  const std::size_t pieces = (block.size + kPiece - 1) / kPiece;
  pool.run(pieces * rows.size(), [&](std::size_t task, int) {
    const std::size_t piece = task % pieces, s = task / pieces;
    for (std::size_t i = piece * kPiece; i < std::min(block.size, (piece + 1) * kPiece); ++i)
      segment(block.hypotheses[s][i], block.references[i],
              Row(rows[s]).subspan(i * width(), width()));
  });
}

Metric::Fields signature_fields(const Metric& metric, const RunFields& run) {
  Metric::Fields fields;
  if (metric.reads_references())
    fields.emplace_back("nrefs", run.references > 0 ? std::to_string(run.references) : "var");
  if (run.bootstrap > 0) fields.emplace_back("bs", std::to_string(run.bootstrap));
  if (run.randomization > 0) fields.emplace_back("ar", std::to_string(run.randomization));
  if (run.bootstrap > 0 || run.randomization > 0)
    fields.emplace_back("seed", std::to_string(run.seed));
  for (auto& field : metric.fields()) fields.push_back(std::move(field));
  fields.emplace_back("version", metric.version());
  return fields;
}

namespace {

std::string abbreviation(const std::string& key, const std::string& metric) {
  static constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"nrefs", "#"},  {"seed", "rs"},  {"case", "c"},       {"eff", "e"},
      {"smooth", "s"}, {"order", "o"},  {"compounds", "cs"}, {"space", "s"},
      {"norm", "nr"},  {"punct", "pn"}, {"asian", "as"},     {"version", "v"}};
  if (key == "tok") return metric == "TER" ? "t" : "tok";
  for (const auto& [full, abbreviated] : kShort) {
    if (key == full) return std::string(abbreviated);
  }
  return key;
}

}  // namespace

std::string signature(const Metric& metric, const RunFields& run, bool abbreviate) {
  std::string text;
  for (const auto& [key, value] : signature_fields(metric, run))
    text += (text.empty() ? "" : "|") + (abbreviate ? abbreviation(key, metric.name()) : key) +
            ":" + value;
  return text;
}

Totals sum_rows(std::span<const std::int32_t> rows, std::size_t width) {
  TT_CHECK(width > 0 && rows.size() % width == 0);
  Totals totals(width, 0);
  for (std::size_t i = 0; i < rows.size(); i += width) {
    for (std::size_t k = 0; k < width; ++k) totals[k] += rows[i + k];
  }
  return totals;
}

std::string fixed(double value, int decimals) { return formatted("%.*f", decimals, value); }

}  // namespace tt::metrics
