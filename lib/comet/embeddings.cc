#include "comet/embeddings.h"

#include <algorithm>

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
  std::vector<std::size_t> lengths;
  for (const auto& tokens : all) lengths.push_back(tokens.size());
  const auto batches = batches_by_length(lengths, kBatchTokens);
  embeddings_.resize(numbers_.size() * d);
  pool.run(batches.size(), [&](std::size_t task, int thread) {
    const std::vector<std::size_t>& texts = batches[task];
    Sequences batch;
    for (const std::size_t i : texts) append(batch, all[i]);
    const std::vector<float> rows = comet_.model().embed(workers[thread].tape, batch);
    for (std::size_t k = 0; k < texts.size(); ++k)
      std::copy_n(&rows[k * d], d, &embeddings_[(known + texts[k]) * d]);
  });
  fresh_.clear();
}

std::span<const float> CometEmbeddings::operator[](std::int32_t number) const {
  const auto d = static_cast<std::size_t>(comet_.settings().encoder.d_model);
  return std::span(embeddings_).subspan(static_cast<std::size_t>(number) * d, d);
}

}  // namespace tt
