// Several models as one: the probability of a piece is the mean of those that its members give it.
#pragma once

#include <memory>
#include <vector>

#include "model/attended.h"

namespace tt {

// A State over States of the same sentences and the same target vocabulary, whatever the models
// behind them are, at least one. step() throws NotFinite if a member gives a probability that is
// not.
class EnsembleState : public AttendedState {
 public:
  explicit EnsembleState(std::vector<std::unique_ptr<State>> members)
      : members_(std::move(members)) {}

  void restrict(std::vector<PieceList> lists) override;
  void step(std::span<const std::int32_t> tokens, const BestQuery& query,
            BestScores& scores) override;
  void step(std::span<const std::int32_t> tokens, std::vector<float>& all) override;
  void reorder(std::span<const std::int32_t> parents) override;
  // Those of the first.
  bool attend(std::span<const AttentionHead> heads) override {
    auto* const first = dynamic_cast<AttendedState*>(members_[0].get());
    return first && first->attend(heads);
  }
  std::span<const float> attention(std::size_t row) const override {
    return dynamic_cast<const AttendedState&>(*members_[0]).attention(row);
  }

 private:
  void step_members(std::span<const std::int32_t> tokens);

  std::vector<std::unique_ptr<State>> members_;
  std::vector<std::vector<float>> all_;  // [member][rows, V]
};

}  // namespace tt
