#include "trace/beam.h"

#include <algorithm>
#include <utility>

namespace tt {
namespace {

constexpr std::size_t kMostDropped = 8, kMostBarred = 8;  // of a hypothesis

}  // namespace

void BeamRecord::step(const SearchStep& from) {
  sums_.resize(std::max(sums_.size(), from.group + 1));
  std::vector<double>& sums = sums_[from.group];
  if (sums.empty()) sums.push_back(0);
  TraceStep step;
  step.group = static_cast<int>(from.group) + 1;
  for (const TraceStep& before : steps_) step.step += before.group == step.group;
  step.outcome = from.outcome;
  const auto candidate = [&](std::size_t row, std::int32_t piece, float log_probability,
                             CandidateFate fate) {
    const auto found = static_cast<double>(log_probability);
    return TraceCandidate{static_cast<int>(row), target_.piece(piece), found, sums[row] + found,
                          fate};
  };
  std::vector<double> living;
  std::size_t ended = 0;
  for (const Extension& c : from.chosen) {
    const bool ends = c.piece == target_.eos();
    step.candidates.push_back(candidate(c.row, c.piece, c.log_probability,
                                        ends ? CandidateFate::ends : CandidateFate::lives));
    if (ends) step.candidates.back().score = from.ended[ended++].score;
    else living.push_back(step.candidates.back().sum);
  }
  for (std::size_t row = 0; row < from.rows.size(); ++row) {
    std::vector<Continuation> dropped;
    for (const Continuation& c : from.rows[row].pieces)
      if (std::ranges::none_of(from.chosen, [&](const Extension& other) {
            return other.row == row && other.piece == c.piece;
          }))
        dropped.push_back(c);
    std::ranges::stable_sort(dropped, std::greater<>(), &Continuation::log_probability);
    dropped.resize(std::min(dropped.size(), kMostDropped));
    for (const Continuation& c : dropped)
      step.candidates.push_back(candidate(row, c.piece, c.log_probability, CandidateFate::dropped));
    const auto& barred = from.demands[row].barred;
    for (std::size_t i = 0; i < std::min(barred.size(), kMostBarred); ++i)
      if (barred[i] >= 0 && barred[i] != from.demands[row].forced)
        step.candidates.push_back(candidate(row, barred[i], 0, CandidateFate::barred));
  }
  sums = std::move(living);
  steps_.push_back(std::move(step));
}

std::vector<TraceStep> BeamRecord::take() {
  sums_.clear();
  return std::exchange(steps_, {});
}

}  // namespace tt
