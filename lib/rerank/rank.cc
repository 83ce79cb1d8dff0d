#include "rerank/rank.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace tt::rerank {
namespace {

void sort(std::vector<Choice>& choices) {
  std::erase_if(choices, [](const Choice& choice) { return std::isnan(choice.score); });
  std::ranges::stable_sort(choices, std::greater(), &Choice::score);
}

// The texts of a list, each once, with what each weighs; the weights' sum is 1.
struct Texts {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::string_view> texts;
  std::vector<std::size_t> first;  // candidate of each
  std::vector<double> weights;
};

Texts texts_of(const CandidateList& list, const std::string& log_probability,
               const ListProblem& problem) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  Texts found;
  read_candidates(list, problem, [&](std::size_t i, Candidate& candidate) {
    const auto [place, added] = found.places.emplace(std::move(candidate.text), found.texts.size());
    if (added) {
      found.texts.push_back(place->first);
      found.first.push_back(i);
      found.weights.push_back(log_probability.empty() ? 0 : kNever);
    }
    double& weight = found.weights[place->second];
    if (log_probability.empty()) {
      ++weight;
      return;
    }
    const double value = feature_of(candidate.features, log_probability);
    if (std::isnan(value))
      problem("has no number as its " + log_probability + "; does not count as a reference",
              candidate.line);
    else weight = std::max(weight, value);
  });
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
  const bool referenced = reference_problem != nullptr;
  const Texts hypotheses = texts_of(item.hypotheses, referenced ? "" : log_probability, problem);
  const Texts others =
      referenced ? texts_of(item.references, log_probability, *reference_problem) : Texts();
  if (hypotheses.texts.empty()) return {};
  const Texts& from = referenced ? others : hypotheses;
  std::vector<Choice> choices;
  Evidence evidence{item.source, hypotheses.texts, {}, {}};
  for (std::size_t i = 0; i < from.texts.size(); ++i)
    if (from.weights[i] > 0) {
      evidence.references.push_back(from.texts[i]);
      evidence.weights.push_back(from.weights[i]);
    }
  if (evidence.references.empty()) {
    problem("has no references; the order of the list counts", item.hypotheses.line);
    for (const std::size_t candidate : hypotheses.first) choices.push_back({candidate, 0});
    return choices;
  }
  const std::vector<double> utilities = utility.expected(evidence);
  for (std::size_t i = 0; i < utilities.size(); ++i)
    choices.push_back({hypotheses.first[i], utilities[i]});
  sort(choices);
  return choices;
}

std::vector<Choice> rank_by_weights(const CandidateList& list, const Weights& weights,
                                    const ListProblem& problem) {
  std::vector<Choice> choices;
  choices.reserve(list.written.size());
  read_candidates(list, problem, [&](std::size_t i, const Candidate& candidate) {
    double score = 0;
    const std::vector<double> values = features_of(candidate, weights.names, problem);
    for (std::size_t f = 0; f < values.size(); ++f) score += weights.values[f] * values[f];
    choices.push_back({i, score});
  });
  const auto has_score = [](const Choice& choice) { return !std::isnan(choice.score); };
  if (!choices.empty() && std::ranges::none_of(choices, has_score)) {
    problem("no translation has a score; the order of the list counts", list.line);
    for (Choice& choice : choices) choice.score = 0;
  }
  sort(choices);
  return choices;
}

}  // namespace tt::rerank
