#include "tests/bench/batches.h"

#include <algorithm>

namespace tt {

std::int64_t random_length(std::int64_t length, Random& random) {
  return length / 2 + random.below(static_cast<std::uint32_t>(length));
}

void append_sentence(Sequences& side, std::int64_t words, int vocabulary, Random& random) {
  for (std::int64_t i = 0; i < words; ++i)
    side.tokens.push_back(
        static_cast<std::int32_t>(3 + random.below(static_cast<std::uint32_t>(vocabulary - 3))));
  side.tokens.push_back(2);
  side.offsets.push_back(static_cast<std::int32_t>(side.tokens.size()));
}

std::vector<Batch> random_update(const Config& config, std::int64_t length, std::uint64_t seed) {
  Random random(seed);
  std::vector<Batch> shards(static_cast<std::size_t>(config.shards));
  for (Batch& batch : shards)
    for (std::int64_t left = config.tokens / config.shards;;) {
      const std::int64_t words = random_length(length, random);
      if ((left -= words + 1) < 0) break;
      append_sentence(batch.source, words, config.source_vocab, random);
      append_sentence(batch.target_out, words, config.target_vocab, random);
      batch.target_in = batch.target_out;
      for (std::size_t b = 0; b + 1 < batch.target_in.offsets.size(); ++b) {
        const auto begin = batch.target_in.tokens.begin() + batch.target_in.offsets[b],
                   end = batch.target_in.tokens.begin() + batch.target_in.offsets[b + 1];
        std::rotate(begin, end - 1, end);  // </s> comes first and stands for <s>
      }
      batch.sentences.push_back(static_cast<std::int64_t>(batch.sentences.size()));
    }
  return shards;
}

}  // namespace tt
