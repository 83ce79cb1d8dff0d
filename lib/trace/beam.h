// The steps of a search, as a trace has them.
#pragma once

#include <vector>

#include "decode/search_observer.h"
#include "text/subword.h"
#include "trace/trace.h"

namespace tt {

// Of one sentence. Of what was dropped it keeps the likeliest of each hypothesis.
class BeamRecord : public SearchObserver {
 public:
  explicit BeamRecord(const Subword& target) : target_(target) {}
  void step(const SearchStep& step) override;
  std::vector<TraceStep> take();  // and begins another sentence

 private:
  const Subword& target_;
  std::vector<TraceStep> steps_;
  std::vector<std::vector<double>> sums_;  // by group: of the hypotheses that live
};

}  // namespace tt
