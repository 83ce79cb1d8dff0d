// Random text of realistic lengths: what is computed does not depend on what the words are.
#pragma once

#include <vector>

#include "base/random.h"
#include "model/config.h"
#include "text/batch.h"

namespace tt {

// Between half of `length` and one and a half of it.
std::int64_t random_length(std::int64_t length, Random& random);

// One sentence of `words` random pieces and </s>.
void append_sentence(Sequences& side, std::int64_t words, int vocabulary, Random& random);

// The shards of an update of at most config.tokens per side, of sentences about `length` long.
std::vector<Batch> random_update(const Config& config, std::int64_t length, std::uint64_t seed);

}  // namespace tt
