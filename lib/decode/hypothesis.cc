#include "decode/hypothesis.h"

#include <algorithm>

namespace tt {

void Hypothesis::append(std::int32_t piece, float found, std::int32_t eos) {
  if (piece != eos) tokens.push_back(piece);
  log_probabilities.push_back(found);
  log_probability += static_cast<double>(found);
}

double Hypothesis::score_at(std::int64_t length, const Penalty& penalty,
                            std::int64_t source) const {
  return (log_probability - forced - imposed) /
             penalty.of(std::max<std::int64_t>(1, length - history)) +
         imposed / penalty.of(source);
}

void Hypothesis::forget_history() {
  const auto behind = [this](auto& numbers) {
    numbers.erase(numbers.begin(),
                  numbers.begin() + std::min<std::ptrdiff_t>(history, std::ssize(numbers)));
  };
  if (history == 0) return;
  behind(tokens), behind(log_probabilities);
  log_probability = 0;
  for (const float found : log_probabilities) log_probability += static_cast<double>(found);
  history = 0;
}

void Hypothesis::finish(const Penalty& penalty, std::int64_t source) {
  score = score_at(std::ssize(log_probabilities), penalty, source);
}

}  // namespace tt
