// Diverse beam search (Vijayakumar et al. 2018, Hamming diversity): groups of beam / groups
// hypotheses, which go on one after the other. A piece's log-probability counts `diversity` less
// for each hypothesis of an earlier group that went on with it in this step.
#pragma once

#include <map>

#include "decode/best.h"

namespace tt {

class Diverse : public Best {
 public:
  // Requires that the groups divide the beam. `options` must outlive it.
  Diverse(const SearchOptions& options, std::int32_t eos) : Best(options, eos, options.groups) {}

  std::size_t groups() const override { return static_cast<std::size_t>(groups_); }
  void choose(const SearchedSentence& sentence, std::size_t group,
              std::span<const Continuations> rows, std::vector<Extension>& extensions) override;
  void rank(std::vector<Hypothesis>& found) const override;  // each translation once

 protected:
  double value(double log_probability, std::int32_t piece) const override;

 private:
  std::map<std::int32_t, int>
      chosen_;  // how many hypotheses of earlier groups went on with a piece
};

}  // namespace tt
