#include "comet/scorer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "model/stored_subword.h"

namespace tt {
namespace {

constexpr std::size_t kBatchTokens = 2048, kTexts = 64, kSegments = 64;  // of a task

std::unique_ptr<CometModel> open(const TensorFile& file, const Backend& backend, WeightForm form,
                                 const Subword& subword) {
  auto model = std::make_unique<CometModel>(stored_comet_settings(file));
  check_pieces(file.path(), model->settings().encoder, subword, subword);
  load_frozen(model->params(), file, backend, form);
  return model;
}

TensorFile open_file(const std::string& path) {
  TensorFile file(path);
  check_kind(file, kCometKind);
  return file;
}

}  // namespace

CometScorer::CometScorer(const std::string& path, const Backend& backend, WeightForm form,
                         bool with_reference)
    : file_(open_file(path)), subword_(stored_subword(file_, SubwordSide::source)),
      model_(open(file_, backend, form, subword_)),
      tokenizer_(subword_, settings().longest_text, settings().longest), backend_(backend),
      with_reference_(with_reference) {}

bool CometScorer::reads_source() const {
  return settings().input != CometInput::joint || settings().joins_source;
}

bool CometScorer::reads_reference() const {
  const bool joins = settings().joins_reference && (with_reference_ || !settings().joins_source);
  return settings().input == CometInput::reference ||
         (settings().input == CometInput::joint && joins);
}

std::int32_t CometScorer::number(std::string text) {
  const auto next = static_cast<std::int32_t>(numbers_.size());
  const auto [found, is_new] = numbers_.try_emplace(std::move(text), next);
  if (is_new) fresh_.push_back(&found->first);
  return found->second;
}

// The numbers of the texts that a score is made of. Where source and reference are both joined, it
// is the mean of three.
void CometScorer::add_numbers(const CometSegment& segment, std::vector<std::int32_t>& numbers) {
  const std::string source(segment.source), translation(segment.translation),
      reference(segment.reference);
  if (settings().input != CometInput::joint) {
    numbers.push_back(number(source));
    numbers.push_back(number(translation));
    if (settings().input == CometInput::reference) numbers.push_back(number(reference));
    return;
  }
  if (reads_source()) numbers.push_back(number(translation + "\n" + source));
  if (reads_reference()) numbers.push_back(number(translation + "\n" + reference));
  if (reads_source() && reads_reference())
    numbers.push_back(number(translation + "\n" + source + "\n" + reference));
}

// Texts of similar length are encoded together.
void CometScorer::encode(ThreadPool& pool) {
  const std::size_t n = fresh_.size(), known = numbers_.size() - n,
                    d = static_cast<std::size_t>(settings().encoder.d_model);
  std::vector<std::vector<std::int32_t>> all(n);
  pool.run((n + kTexts - 1) / kTexts, [&](std::size_t task, int) {
    for (std::size_t i = task * kTexts; i < std::min(n, (task + 1) * kTexts); ++i)
      all[i] = tokenizer_.tokens(*fresh_[i]);
  });
  std::vector<std::size_t> order(n), begins;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return all[a].size() > all[b].size(); });
  for (std::size_t i = 0, rows = 0; i < n; ++i) {
    const std::size_t size = all[order[i]].size();
    if (i == 0 || rows + size > kBatchTokens) begins.push_back(i), rows = 0;
    rows += size;
  }
  embeddings_.resize(numbers_.size() * d);
  pool.run(begins.size(), [&](std::size_t task, int thread) {
    const std::size_t begin = begins[task], end = task + 1 < begins.size() ? begins[task + 1] : n;
    Side batch;
    for (std::size_t i = begin; i < end; ++i) append(batch, all[order[i]]);
    const std::vector<float> rows = model_->embed((*workers_)[thread].tape, batch);
    for (std::size_t i = begin; i < end; ++i)
      std::copy_n(&rows[(i - begin) * d], d, &embeddings_[(known + order[i]) * d]);
  });
  fresh_.clear();
}

void CometScorer::add_features(std::span<const std::int32_t> texts,
                               std::vector<float>& features) const {
  const auto d = static_cast<std::size_t>(settings().encoder.d_model);
  const auto embedding = [&](std::size_t i) {
    return std::span(embeddings_).subspan(static_cast<std::size_t>(texts[i]) * d, d);
  };
  const auto add = [&](const auto& of) {
    for (std::size_t c = 0; c < d; ++c) features.push_back(of(c));
  };
  if (settings().input == CometInput::joint) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      features.insert(features.end(), embedding(i).begin(), embedding(i).end());
    return;
  }
  const bool has_reference = settings().input == CometInput::reference;
  const auto s = embedding(0), t = embedding(1), r = embedding(has_reference ? 2 : 0);
  add([&](std::size_t c) { return t[c]; });
  add([&](std::size_t c) { return r[c]; });
  add([&](std::size_t c) { return t[c] * r[c]; });
  add([&](std::size_t c) { return std::abs(t[c] - r[c]); });
  if (!has_reference) return;
  add([&](std::size_t c) { return t[c] * s[c]; });
  add([&](std::size_t c) { return std::abs(t[c] - s[c]); });
}

std::vector<double> CometScorer::score(std::span<const CometSegment> segments, ThreadPool& pool) {
  if (!workers_) workers_ = std::make_unique<Workers>(backend_, model_->params(), pool.threads());
  if (embeddings_.size() * sizeof(float) > kKeptBytes) numbers_.clear(), embeddings_.clear();
  std::vector<std::int32_t> texts;  // of each segment as many
  for (const CometSegment& segment : segments) add_numbers(segment, texts);
  encode(pool);
  const std::size_t n = segments.size(), each = n == 0 ? 0 : texts.size() / n;
  const std::size_t rows = settings().input == CometInput::joint ? each : 1;  // of a segment
  std::vector<double> scores(n);
  pool.run((n + kSegments - 1) / kSegments, [&](std::size_t task, int thread) {
    const std::size_t begin = task * kSegments, end = std::min(n, begin + kSegments);
    std::vector<float> features;
    for (std::size_t i = begin; i < end; ++i)
      add_features(std::span(texts).subspan(i * each, each), features);
    const std::vector<float> found = model_->score((*workers_)[thread].tape, features);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < rows; ++k)
        scores[i] += static_cast<double>(found[(i - begin) * rows + k]) / static_cast<double>(rows);
      if (!std::isfinite(scores[i]))
        throw Error(file_.path(), ": gives a score that is no number; the model is damaged");
    }
  });
  return scores;
}

}  // namespace tt
