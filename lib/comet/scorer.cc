#include "comet/scorer.h"

#include <algorithm>

namespace tt {
namespace {

constexpr std::size_t kSegments = 64;  // of a task

}  // namespace

CometScorer::CometScorer(const std::string& path, const Backend& backend, WeightForm form,
                         bool with_reference)
    : comet_(path, backend, form), embeddings_(comet_), with_reference_(with_reference) {}

bool CometScorer::reads_source() const {
  return settings().input != CometInput::joint || settings().joins_source;
}

bool CometScorer::reads_reference() const {
  const bool joins = settings().joins_reference && (with_reference_ || !settings().joins_source);
  return settings().input == CometInput::reference ||
         (settings().input == CometInput::joint && joins);
}

// The numbers of the texts that a score is made of. Where source and reference are both joined, it
// is the mean of three.
void CometScorer::add_numbers(const CometSegment& segment, std::vector<std::int32_t>& numbers) {
  const std::string source(segment.source), translation(segment.translation),
      reference(segment.reference);
  if (settings().input != CometInput::joint) {
    numbers.push_back(embeddings_.number(source));
    numbers.push_back(embeddings_.number(translation));
    if (settings().input == CometInput::reference) numbers.push_back(embeddings_.number(reference));
    return;
  }
  if (reads_source()) numbers.push_back(embeddings_.number(translation + "\n" + source));
  if (reads_reference()) numbers.push_back(embeddings_.number(translation + "\n" + reference));
  if (reads_source() && reads_reference())
    numbers.push_back(embeddings_.number(translation + "\n" + source + "\n" + reference));
}

void CometScorer::add_features(std::span<const std::int32_t> texts,
                               std::vector<float>& features) const {
  if (settings().input != CometInput::joint) {
    const bool has_reference = settings().input == CometInput::reference;
    comet_.model().add_features(embeddings_[texts[0]], embeddings_[texts[1]],
                                embeddings_[texts[has_reference ? 2 : 0]], features);
    return;
  }
  for (const std::int32_t text : texts) {
    const auto embedding = embeddings_[text];
    features.insert(features.end(), embedding.begin(), embedding.end());
  }
}

std::vector<double> CometScorer::score(std::span<const CometSegment> segments, ThreadPool& pool) {
  if (!workers_)
    workers_ = std::make_unique<Workers>(comet_.backend(), comet_.model().params(), pool.threads());
  if (embeddings_.bytes() > kKeptBytes) embeddings_.clear();
  std::vector<std::int32_t> texts;  // of each segment as many
  for (const CometSegment& segment : segments) add_numbers(segment, texts);
  embeddings_.encode(pool, *workers_);
  const std::size_t n = segments.size(), each = n == 0 ? 0 : texts.size() / n;
  const std::size_t rows = settings().input == CometInput::joint ? each : 1;  // of a segment
  std::vector<double> scores(n);
  pool.run((n + kSegments - 1) / kSegments, [&](std::size_t task, int thread) {
    const std::size_t begin = task * kSegments, end = std::min(n, begin + kSegments);
    std::vector<float> features;
    for (std::size_t i = begin; i < end; ++i)
      add_features(std::span(texts).subspan(i * each, each), features);
    const std::vector<float> found = comet_.score((*workers_)[thread].tape, features);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < rows; ++k)
        scores[i] += static_cast<double>(found[(i - begin) * rows + k]) / static_cast<double>(rows);
  });
  return scores;
}

}  // namespace tt
