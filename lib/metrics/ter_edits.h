// The number of edits of TER between two sequences of words: Tercom's greedy search over shifts.
//
// Finding the minimal edits with shifts is NP-hard, so TER is defined by an algorithm: the best
// shift is applied as long as it lowers the edit distance. Which shifts are tried, in what order,
// how they are ranked, where the search stops (kMax...), and the beam of the edit distance all
// affect the number; all follow sacreBLEU 2.6.0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tt::metrics {

class TerEdits {
 public:
  // The number of edits that turn `hypothesis` into `reference`; equal numbers are equal words.
  // Time is at most proportional to 1000 x hypothesis x beam (about 50), memory to hypothesis x
  // beam.
  std::int32_t count(std::span<const std::uint32_t> hypothesis,
                     std::span<const std::uint32_t> reference);
  // Of each word of `hypothesis` whether no edit touches it, where no block is shifted.
  std::vector<bool> kept(std::span<const std::uint32_t> hypothesis,
                         std::span<const std::uint32_t> reference);

 private:
  using Words = std::vector<std::uint32_t>;
  struct Shift {
    std::int32_t gain = 0;
    std::size_t length = 0, from = 0, to = 0;
  };
  void set(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference);
  void set_band();
  std::size_t begin(std::size_t i) const { return band_[i].first; }
  std::size_t end(std::size_t i) const { return band_[i].second; }
  std::int32_t* row(std::size_t i) {
    return costs_.data() + i * stride_;
  }  // row(i)[j - begin(i)]: the cost of prefix i against prefix j
  void fill_row(std::size_t i, std::uint32_t word, const std::int32_t* before,
                std::int32_t* here) const;
  std::int32_t set_costs();
  std::int32_t cost_of_shifted(std::size_t unchanged);
  void align();
  bool best_shift(Shift& best);
  void apply(const Shift& shift);

  Words hypothesis_, reference_, shifted_;
  std::vector<std::pair<std::size_t, std::size_t>> band_;
  std::size_t stride_ = 0;
  std::vector<std::int32_t> costs_, rolling_;
  std::int32_t cost_ = 0;
  std::vector<std::int64_t>
      aligned_;  // by position in the reference: position in the hypothesis, or -1
  std::vector<std::int32_t> hypothesis_errors_, reference_errors_;  // errors before a position
  int tried_ = 0;
};

}  // namespace tt::metrics
