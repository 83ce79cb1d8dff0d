// Texts and their embeddings, each text once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/thread_pool.h"
#include "comet/comet_file.h"
#include "nn/worker.h"

namespace tt {

class CometEmbeddings {
 public:
  explicit CometEmbeddings(const CometFile& comet) : comet_(comet) {}

  // The number of a text, from 0; of texts that are read together an LF stands between them.
  std::int32_t number(std::string text);
  // Computes the embeddings that texts have not yet. An embedding depends on its text alone.
  // Requires a worker for each thread.
  void encode(ThreadPool& pool, Workers& workers);
  // The embedding of a text that was encoded, [D].
  std::span<const float> operator[](std::int32_t number) const;

  std::size_t bytes() const { return embeddings_.size() * sizeof(float); }
  void clear() { numbers_.clear(), embeddings_.clear(); }

 private:
  const CometFile& comet_;
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<const std::string*> fresh_;  // texts that have no embeddings yet: the last ones
  std::vector<float> embeddings_;          // [texts, D]
};

}  // namespace tt
