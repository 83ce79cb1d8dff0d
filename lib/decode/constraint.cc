#include "decode/constraint.h"

namespace tt {

Fulfilment& Fulfilment::operator+=(const Fulfilment& other) {
  rank += other.rank;
  met += other.met;
  return *this;
}

Fulfilment Constraint::fulfilment_with(const ProgressPointer& before, Tokens tokens,
                                       std::int32_t piece) const {
  std::vector<std::int32_t> longer(tokens.begin(), tokens.end());
  longer.push_back(piece);
  return fulfilment(*advance(before, longer));
}

Constraints::Constraints(const ConstraintList& of_all, const ConstraintList& of_sentence,
                         Tokens history)
    : history_(history) {
  for (const ConstraintList* list : {&of_all, &of_sentence})
    for (const auto& constraint : *list) {
      (constraint->goal().met > 0 ? gradual_ : plain_).push_back(constraint.get());
      goal_ += constraint->goal();
    }
}

Constraints::Progress Constraints::begin() const {
  Progress progress;
  for (const Constraint* constraint : gradual_) progress.push_back(constraint->begin());
  return progress;
}

Constraints::Progress Constraints::advance(const Progress& before, Tokens tokens) const {
  if (tokens.size() <= history_.size()) return before;
  Progress progress;
  for (std::size_t i = 0; i < before.size(); ++i)
    progress.push_back(gradual_[i]->advance(before[i], own(tokens)));
  return progress;
}

void Constraints::demand(Tokens tokens, const Progress& progress, Demands& demands) const {
  demands.forced = -1;
  demands.barred.clear(), demands.also_scored.clear();
  if (tokens.size() < history_.size()) {
    demands.forced = history_[tokens.size()];
    return;
  }
  for (const Constraint* constraint : plain_) constraint->demand(own(tokens), nullptr, demands);
  for (std::size_t i = 0; i < gradual_.size(); ++i)
    gradual_[i]->demand(own(tokens), progress[i].get(), demands);
}

Fulfilment Constraints::fulfilment(const Progress& progress) const {
  Fulfilment sum;
  for (std::size_t i = 0; i < progress.size(); ++i) sum += gradual_[i]->fulfilment(*progress[i]);
  return sum;
}

Fulfilment Constraints::fulfilment_with(const Progress& before, Tokens tokens,
                                        std::int32_t piece) const {
  if (tokens.size() < history_.size()) return fulfilment(before);
  Fulfilment sum;
  for (std::size_t i = 0; i < before.size(); ++i)
    sum += gradual_[i]->fulfilment_with(before[i], own(tokens), piece);
  return sum;
}

double Constraints::sum(const Progress& progress, std::span<const float> numbers,
                        std::size_t first) const {
  const std::size_t before = std::min(numbers.size(), history_.size());
  double sum = 0;
  for (std::size_t i = 0; i < progress.size(); ++i)
    sum +=
        gradual_[i]->sum(*progress[i], numbers.subspan(before), std::max(first, before) - before);
  return sum;
}

}  // namespace tt
