#include "comet/metric.h"

#include <cmath>

#include "base/error.h"
#include "base/setting.h"
#include "comet/scorer.h"
#include "metrics/segments.h"

namespace tt {
namespace {

using metrics::Totals;

// A row is a count, and the score as whole numbers, whose sums are exact in any order: its floor,
// and what is left of it times 2^30.
constexpr std::size_t kWidth = 3;
constexpr double kUnit = 1 << 30;

class Comet : public metrics::Metric {
 public:
  explicit Comet(const CometChoice& choice)
      : precision_(choice.int8 ? "int8" : precision_of(choice.device)),
        backend_(open_backend(choice.device)),
        scorer_(choice.model, *backend_, choice.int8 ? WeightForm::int8 : WeightForm::float32,
                choice.with_reference) {}

  std::string name() const override { return kCometName; }
  std::size_t width() const override { return kWidth; }
  bool reads_references() const override { return scorer_.reads_reference(); }
  bool reads_sources() const override { return scorer_.reads_source(); }
  int decimals() const override { return 4; }
  Details details(const Totals&) const override { return {}; }
  // Of the program that gives these scores.
  std::string version() const override {
    return scorer_.settings().reading == CometReading::marian ? "marian-1.12.42" : "2.2.7";
  }

  Fields fields() const override {
    const Metadata& metadata = scorer_.file().metadata();
    const auto checksum = metadata.find("checksum");
    Fields fields{{"model", scorer_.settings().name}};
    if (checksum != metadata.end()) fields.emplace_back("checksum", checksum->second);
    fields.emplace_back("precision", precision_);
    return fields;
  }

  double score(const Totals& totals) const override {
    if (totals[0] == 0) return 0;
    return (static_cast<double>(totals[1]) + static_cast<double>(totals[2]) / kUnit) /
           static_cast<double>(totals[0]);
  }

  void segment(std::string_view, std::span<const std::string_view>, metrics::Row) const override {
    TT_CHECK(!"COMET reads sources, and counts blocks of segments");
  }
  // Systems have sources and references in common, which are encoded once.
  void count(const metrics::SegmentBlock& block, ThreadPool& pool,
             std::vector<std::vector<std::int32_t>>& rows) const override {
    std::vector<CometSegment> segments;
    for (const auto& system : block.hypotheses)
      for (std::size_t i = 0; i < block.size; ++i) {
        CometSegment segment;
        segment.translation = system[i];
        if (reads_sources()) segment.source = block.sources[i];
        if (reads_references()) segment.reference = reference(block, i);
        segments.push_back(segment);
      }
    const std::vector<double> scores = scorer_.score(segments, pool);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const double whole = std::floor(scores[k]);
      if (std::abs(whole) > INT32_MAX / 2)
        throw Error(scorer_.file().path(), ": gives a score of ", scores[k],
                    "; the model is damaged");
      std::int32_t* row = rows[k / block.size].data() + k % block.size * kWidth;
      row[0] = 1;
      row[1] = static_cast<std::int32_t>(whole);
      row[2] = static_cast<std::int32_t>(std::lround((scores[k] - whole) * kUnit));
    }
  }

 private:
  std::string_view reference(const metrics::SegmentBlock& block, std::size_t i) const {
    const auto& references = block.references[i];
    if (references.size() != 1)
      throw Error("segment ", block.first + i + 1, " has ", references.size(),
                  " references, and COMET compares with one; give one file of references");
    return references[0];
  }

  std::string precision_;
  std::unique_ptr<Backend> backend_;
  mutable CometScorer scorer_;  // which keeps embeddings
};

}  // namespace

std::unique_ptr<metrics::Metric> make_comet_metric(const CometChoice& choice) {
  return std::make_unique<Comet>(choice);
}

}  // namespace tt
