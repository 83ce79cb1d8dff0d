#include "train/quantized_weights.h"

#include <algorithm>

#include "tensor/int8.h"

namespace tt {

QuantizedWeights::QuantizedWeights(Params& params, ThreadPool& pool)
    : params_(params), pool_(pool), others_(params.backend(), params.size()) {
  const auto tensors = params.tensors();
  for (int i = 0; i < params.number(); ++i) {
    if (params.use(i) == Use::other) {
      parts_.push_back({i, 0});
      continue;
    }
    const auto [transposed, n, k] = params.product_of(i);
    check_int8_depth(tensors[static_cast<std::size_t>(i)].name, k);
    for (std::int64_t first = 0; first < n; first += kInt8Columns) parts_.push_back({i, first});
  }
}

void QuantizedWeights::round(const Part& part, const float* from, float* to) const {
  const Param p = params_.at(part.index);
  from += p.offset, to += p.offset;
  if (params_.use(part.index) == Use::other) {
    std::copy_n(from, p.size(), to);
    return;
  }
  const auto [transposed, n, k] = params_.product_of(part.index);
  round_to_int8(transposed, n, k, part.first, from, to);
}

void QuantizedWeights::apply() {
  const bool host = params_.backend().is_host();
  std::vector<float> before, after(host ? 0 : static_cast<std::size_t>(params_.size()));
  const float* from = params_.view(before);
  float* to = host ? others_.data() : after.data();
  pool_.run(parts_.size(), [&](std::size_t i, int) { round(parts_[i], from, to); });
  if (!host) others_.upload(after.data());
  params_.exchange(others_);
}

}  // namespace tt
