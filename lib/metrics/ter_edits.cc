#include "metrics/ter_edits.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kMaxShiftLength = 10, kMaxShiftDistance = 50;
constexpr int kBeam = 25, kMaxTried = 1000;
constexpr std::int32_t kInfinite = 1'000'000'000;

}  // namespace

// The edit distance is computed only near the diagonal, in columns [begin(i), end(i)) of row i. Row
// 0 is complete.
void TerEdits::set_band() {
  const std::size_t rows = hypothesis_.size(), columns = reference_.size() + 1;
  const double ratio =
      rows > 0 ? static_cast<double>(reference_.size()) / static_cast<double>(rows) : 1;
  const auto beam =
      static_cast<std::int64_t>(kBeam < ratio / 2 ? std::ceil(ratio / 2 + kBeam) : kBeam);
  band_.assign(rows + 1, {0, columns});
  stride_ = columns;
  if (rows == 0) return;
  stride_ = 0;
  for (std::size_t i = 1; i <= rows; ++i) {
    const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio));
    const std::int64_t last =
        i == rows ? static_cast<std::int64_t>(columns)
                  : std::min<std::int64_t>(static_cast<std::int64_t>(columns), diagonal + beam);
    band_[i] = {static_cast<std::size_t>(std::max<std::int64_t>(0, diagonal - beam)),
                static_cast<std::size_t>(last)};
    stride_ = std::max(stride_, band_[i].second - band_[i].first);
  }
}

// Computes row i from the previous one, which is row i - 1 of the costs or a rolling row; `before`
// is not read for i = 1.
void TerEdits::fill_row(std::size_t i, std::uint32_t word, const std::int32_t* before,
                        std::int32_t* here) const {
  const std::size_t first = begin(i), last = end(i), first_before = begin(i - 1),
                    last_before = end(i - 1);
  const auto above = [&](std::size_t j) {
    if (i == 1) return static_cast<std::int32_t>(j);
    return j >= first_before && j < last_before ? before[j - first_before] : kInfinite;
  };
  std::int32_t left = kInfinite, diagonal = first > 0 ? above(first - 1) : kInfinite;
  for (std::size_t j = first; j < last; ++j) {
    const std::int32_t up = above(j);
    std::int32_t cost = up + 1;
    if (j > 0) cost = std::min({kInfinite, diagonal + (word != reference_[j - 1]), cost, left + 1});
    here[j - first] = left = cost;
    diagonal = up;
  }
}

std::int32_t TerEdits::set_costs() {
  const std::size_t rows = hypothesis_.size();
  costs_.resize((rows + 1) * stride_);
  for (std::size_t i = 1; i <= rows; ++i)
    fill_row(i, hypothesis_[i - 1], i > 1 ? row(i - 1) : nullptr, row(i));
  return rows > 0 ? row(rows)[end(rows) - 1 - begin(rows)]
                  : static_cast<std::int32_t>(reference_.size());
}

// The edit distance of shifted_, whose first `unchanged` words are those of hypothesis_.
std::int32_t TerEdits::cost_of_shifted(std::size_t unchanged) {
  const std::size_t rows = shifted_.size();
  rolling_.resize(2 * stride_);
  const std::int32_t* before = unchanged > 0 ? row(unchanged) : nullptr;
  for (std::size_t i = unchanged + 1; i <= rows; ++i) {
    std::int32_t* here = rolling_.data() + (i & 1) * stride_;
    fill_row(i, shifted_[i - 1], before, here);
    before = here;
  }
  return before ? before[end(rows) - 1 - begin(rows)]
                : static_cast<std::int32_t>(reference_.size());
}

// Follows the costs back from the end. Ties go to match or substitution, then deletion, then
// insertion.
void TerEdits::align() {
  const auto cost = [&](std::size_t i, std::size_t j) {
    if (i == 0) return static_cast<std::int32_t>(j);
    return j >= begin(i) && j < end(i) ? row(i)[j - begin(i)] : kInfinite;
  };
  const std::size_t rows = hypothesis_.size(), columns = reference_.size();
  aligned_.assign(columns, -1);
  hypothesis_errors_.assign(rows + 1, 0), reference_errors_.assign(columns + 1, 0);
  std::size_t i = rows, j = columns;
  while (i > 0 || j > 0) {
    const std::int32_t here = cost(i, j);
    TT_CHECK(here < kInfinite);
    if (i > 0 && j > 0 && here == cost(i - 1, j - 1) + (hypothesis_[i - 1] != reference_[j - 1])) {
      --i, --j;
      aligned_[j] = static_cast<std::int64_t>(i);
      hypothesis_errors_[i + 1] = reference_errors_[j + 1] = hypothesis_[i] != reference_[j];
    } else if (i > 0 && here == cost(i - 1, j) + 1) {
      --i;
      hypothesis_errors_[i + 1] = 1;
    } else {
      --j;
      aligned_[j] = static_cast<std::int64_t>(i) - 1;
      reference_errors_[j + 1] = 1;
    }
  }
  for (std::size_t k = 1; k <= rows; ++k) hypothesis_errors_[k] += hypothesis_errors_[k - 1];
  for (std::size_t k = 1; k <= columns; ++k) reference_errors_[k] += reference_errors_[k - 1];
}

// Sets shifted_ to hypothesis_ with `length` words at `from` moved to `to`.
void TerEdits::apply(const Shift& shift) {
  const auto [gain, length, from, to] = shift;
  shifted_ = hypothesis_;
  const auto at = [&](std::size_t i) {
    return shifted_.begin() + static_cast<std::ptrdiff_t>(std::min(i, shifted_.size()));
  };
  if (to < from) {
    std::rotate(at(to), at(from), at(from + length));
  } else {  // after `to`; if `to` is inside the block, the block moves by to - from
    std::rotate(at(from), at(from + length), at(to > from + length ? to : to + length));
  }
}

// Tries every shift of words that also occur elsewhere in the reference, if neither place is
// correct yet. False if there is none to try.
bool TerEdits::best_shift(Shift& best) {
  align();
  const std::size_t rows = hypothesis_.size(), columns = reference_.size();
  bool any = false;
  const auto better =
      [&](const Shift& shift) {  // larger gain, then longer, earlier, earlier target
        if (!any || shift.gain != best.gain) return !any || shift.gain > best.gain;
        if (shift.length != best.length) return shift.length > best.length;
        if (shift.from != best.from) return shift.from < best.from;
        return shift.to < best.to;
      };
  for (std::size_t from = 0; from < rows; ++from) {
    const std::size_t first = from > kMaxShiftDistance ? from - kMaxShiftDistance : 0;
    for (std::size_t target = first; target < columns && target <= from + kMaxShiftDistance;
         ++target) {
      for (std::size_t length = 1;
           length <= kMaxShiftLength && from + length <= rows && target + length <= columns;
           ++length) {
        if (hypothesis_[from + length - 1] != reference_[target + length - 1]) break;
        if (hypothesis_errors_[from + length] == hypothesis_errors_[from]) continue;
        if (reference_errors_[target + length] == reference_errors_[target]) continue;
        const std::int64_t counterpart = aligned_[target];
        if (counterpart >= static_cast<std::int64_t>(from) &&
            counterpart < static_cast<std::int64_t>(from + length))
          continue;
        // Before the counterpart's position, and after each word that the block's words are aligned
        // with.
        std::int64_t previous = -1;
        for (std::size_t k = 0; k <= length; ++k) {
          const std::int64_t to = target + k == 0 ? 0 : aligned_[target + k - 1] + 1;
          if (to == previous) continue;
          previous = to;
          Shift shift{0, length, from, static_cast<std::size_t>(to)};
          apply(shift);
          shift.gain = cost_ - cost_of_shifted(std::min(from, shift.to));
          ++tried_;
          if (better(shift)) best = shift, any = true;
        }
        if (tried_ >= kMaxTried) return any;
      }
    }
  }
  return any;
}

void TerEdits::set(std::span<const std::uint32_t> hypothesis,
                   std::span<const std::uint32_t> reference) {
  hypothesis_.assign(hypothesis.begin(), hypothesis.end());
  reference_.assign(reference.begin(), reference.end());
  set_band();
}

std::vector<bool> TerEdits::kept(std::span<const std::uint32_t> hypothesis,
                                 std::span<const std::uint32_t> reference) {
  set(hypothesis, reference);
  set_costs();
  align();
  std::vector<bool> kept;
  for (std::size_t i = 0; i < hypothesis.size(); ++i)
    kept.push_back(hypothesis_errors_[i] == hypothesis_errors_[i + 1]);
  return kept;
}

std::int32_t TerEdits::count(std::span<const std::uint32_t> hypothesis,
                             std::span<const std::uint32_t> reference) {
  if (reference.empty()) return static_cast<std::int32_t>(hypothesis.size());
  set(hypothesis, reference);
  tried_ = 0;
  std::int32_t shifts = 0;
  for (;;) {
    cost_ = set_costs();
    Shift best;
    if (!best_shift(best) || tried_ >= kMaxTried || best.gain <= 0) return shifts + cost_;
    apply(best);
    hypothesis_.swap(shifted_);
    ++shifts;
  }
}

}  // namespace tt::metrics
