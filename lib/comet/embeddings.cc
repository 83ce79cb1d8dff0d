#include "comet/embeddings.h"

#include <algorithm>
#include <numeric>

namespace tt {
namespace {

constexpr std::size_t kBatchTokens = 2048, kTexts = 64;  // of a task

}  // namespace

std::int32_t CometEmbeddings::number(std::string text) {
  const auto next = static_cast<std::int32_t>(numbers_.size());
  const auto [found, is_new] = numbers_.try_emplace(std::move(text), next);
  if (is_new) fresh_.push_back(&found->first);
  return found->second;
}

// Texts of similar length are encoded together.
void CometEmbeddings::encode(ThreadPool& pool, Workers& workers) {
  const std::size_t n = fresh_.size(), known = numbers_.size() - n,
                    d = static_cast<std::size_t>(comet_.settings().encoder.d_model);
  std::vector<std::vector<std::int32_t>> all(n);
  pool.run((n + kTexts - 1) / kTexts, [&](std::size_t task, int) {
    for (std::size_t i = task * kTexts; i < std::min(n, (task + 1) * kTexts); ++i)
      all[i] = comet_.tokenizer().tokens(*fresh_[i]);
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
    const std::vector<float> rows = comet_.model().embed(workers[thread].tape, batch);
    for (std::size_t i = begin; i < end; ++i)
      std::copy_n(&rows[(i - begin) * d], d, &embeddings_[(known + order[i]) * d]);
  });
  fresh_.clear();
}

std::span<const float> CometEmbeddings::operator[](std::int32_t number) const {
  const auto d = static_cast<std::size_t>(comet_.settings().encoder.d_model);
  return std::span(embeddings_).subspan(static_cast<std::size_t>(number) * d, d);
}

}  // namespace tt
