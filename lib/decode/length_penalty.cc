#include "decode/length_penalty.h"

#include <cmath>

namespace tt {

double Penalty::of(std::int64_t length) const {
  const auto tokens = static_cast<double>(length);
  switch (kind) {
    case LengthPenalty::paper: return std::pow((5.0 + tokens) / 6.0, alpha);
    case LengthPenalty::length: return std::pow(tokens, alpha);
    case LengthPenalty::none: break;
  }
  return 1;
}

}  // namespace tt
