#include "decode/diverse.h"

namespace tt {

void Diverse::choose(const SearchedSentence& sentence, std::size_t group,
                     std::span<const Continuations> rows, std::vector<Extension>& extensions) {
  chosen_.clear();
  const std::size_t length = sentence.groups[group].live[0].hypothesis.log_probabilities.size() + 1;
  for (std::size_t g = 0; g < group; ++g) {
    for (const LiveHypothesis& live : sentence.groups[g].live)
      ++chosen_[live.hypothesis.tokens.back()];
    for (const Hypothesis& h : sentence.groups[g].finished)
      if (h.log_probabilities.size() == length && h.tokens.size() < length) ++chosen_[eos_];
  }
  Best::choose(sentence, group, rows, extensions);
}

double Diverse::value(double log_probability, std::int32_t piece) const {
  const auto before = chosen_.find(piece);
  return before == chosen_.end() ? log_probability
                                 : log_probability - options_.diversity * before->second;
}

void Diverse::rank(std::vector<Hypothesis>& found) const {
  std::vector<Hypothesis> once;
  for (Hypothesis& h : found) {
    const auto same = [&](const Hypothesis& before) { return before.tokens == h.tokens; };
    if (std::ranges::none_of(once, same)) once.push_back(std::move(h));
  }
  found = std::move(once);
  Best::rank(found);
}

}  // namespace tt
