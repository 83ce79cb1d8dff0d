#include "rerank/rank.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>
#include <unordered_map>

namespace tt::rerank {
namespace {

// Candidates that have no score, in the order of their list.
template <class Numbers>
std::vector<Choice> in_order(const Numbers& candidates) {
  std::vector<Choice> choices;
  for (const std::size_t i : candidates) choices.push_back({i, 0});
  return choices;
}

void sort(std::vector<Choice>& choices) {
  std::erase_if(choices, [](const Choice& choice) { return std::isnan(choice.score); });
  std::ranges::stable_sort(choices, std::greater(), &Choice::score);
}

// The texts of a list, each once, with what each weighs; the weights' sum is 1.
struct Texts {
  std::vector<std::string_view> texts;
  std::vector<std::size_t> first;  // candidate of each
  std::vector<double> weights;
};

Texts texts_of(const CandidateList& list, const std::string& log_probability,
               const ListProblem& problem) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  Texts found;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < list.candidates.size(); ++i) {
    const Candidate& candidate = list.candidates[i];
    const auto [place, added] = places.emplace(candidate.text, found.texts.size());
    if (added) {
      found.texts.push_back(candidate.text);
      found.first.push_back(i);
      found.weights.push_back(log_probability.empty() ? 0 : kNever);
    }
    double& weight = found.weights[place->second];
    if (log_probability.empty()) {
      ++weight;
      continue;
    }
    const double value = feature_of(candidate, log_probability);
    if (std::isnan(value))
      problem("has no number as its " + log_probability + "; does not count as a reference",
              candidate.line);
    else weight = std::max(weight, value);
  }
  if (!log_probability.empty() && !found.weights.empty()) {
    const double most = std::ranges::max(found.weights);
    for (double& weight : found.weights) weight = most == kNever ? 0 : std::exp(weight - most);
  }
  double sum = 0;
  for (const double weight : found.weights) sum += weight;
  for (double& weight : found.weights) weight = sum > 0 ? weight / sum : 0;
  return found;
}

}  // namespace

std::vector<Choice> rank_by_utility(const ListItem& item, const Utility& utility,
                                    const std::string& log_probability, const ListProblem& problem,
                                    const ListProblem* reference_problem) {
  if (item.hypotheses.candidates.empty()) return {};
  const bool given = reference_problem != nullptr;
  const Texts hypotheses = texts_of(item.hypotheses, given ? "" : log_probability, problem);
  const Texts others =
      given ? texts_of(item.references, log_probability, *reference_problem) : Texts();
  const Texts& from = given ? others : hypotheses;
  Evidence evidence{item.source, hypotheses.texts, {}, {}};
  for (std::size_t i = 0; i < from.texts.size(); ++i)
    if (from.weights[i] > 0) {
      evidence.references.push_back(from.texts[i]);
      evidence.weights.push_back(from.weights[i]);
    }
  if (evidence.references.empty()) {
    problem("has no references; the order of the list counts", item.hypotheses.line);
    return in_order(hypotheses.first);
  }
  const std::vector<double> utilities = utility.expected(evidence);
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < utilities.size(); ++i)
    choices.push_back({hypotheses.first[i], utilities[i]});
  sort(choices);
  return choices;
}

std::vector<Choice> rank_by_weights(const CandidateList& list, const Weights& weights,
                                    const ListProblem& problem) {
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < list.candidates.size(); ++i) {
    double score = 0;
    const std::vector<double> values = features_of(list.candidates[i], weights.names, problem);
    for (std::size_t f = 0; f < values.size(); ++f) score += weights.values[f] * values[f];
    choices.push_back({i, score});
  }
  sort(choices);
  if (choices.empty() && !list.candidates.empty()) {
    problem("no translation has a score; the order of the list counts", list.line);
    return in_order(std::views::iota(std::size_t{0}, list.candidates.size()));
  }
  return choices;
}

}  // namespace tt::rerank
