#include "tensor/int8.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace tt {

void choose_int8_columns(const ConstMatrix& w, std::span<const std::int32_t> columns,
                         std::uint8_t* panels, float* scales) {
  const std::int64_t n = std::ssize(columns), groups = int8_groups(w.rows);
  const auto offset = [&](std::int64_t j) {
    return (j / kInt8Columns * groups * kInt8Columns + j % kInt8Columns) * kInt8Depth;
  };
  std::fill(panels + n / kInt8Columns * groups * kInt8Columns * kInt8Depth,
            panels + int8_bytes(n, w.rows), static_cast<std::uint8_t>(kInt8Zero));
  for (std::int64_t c = 0; c < n; ++c) {
    const std::int64_t j = columns[static_cast<std::size_t>(c)];
    const std::uint8_t* from = w.as<std::uint8_t>() + offset(j);
    std::uint8_t* to = panels + offset(c);
    for (std::int64_t g = 0; g < groups; ++g)
      std::memcpy(to + g * kInt8Columns * kInt8Depth, from + g * kInt8Columns * kInt8Depth,
                  kInt8Depth);
    scales[c] = w.scales[j];
  }
}

namespace {

// Up to kInt8Columns columns of W, with the distances of its rows and columns in memory.
struct Stretch {
  const float* from;
  std::int64_t row, column, width, k;
};

Stretch columns_from(std::int64_t first, bool transposed, std::int64_t n, std::int64_t k,
                     const float* w) {
  const std::int64_t row = transposed ? 1 : n, column = transposed ? k : 1;
  return {w + first * column, row, column, std::min(kInt8Columns, n - first), k};
}

// Calls f(i, j) for each row and column, in the order in which W lies in memory.
template <class F>
void for_each(const Stretch& w, const F& f) {
  if (w.row == 1)
    for (std::int64_t j = 0; j < w.width; ++j)
      for (std::int64_t i = 0; i < w.k; ++i) f(i, j);
  else
    for (std::int64_t i = 0; i < w.k; ++i)
      for (std::int64_t j = 0; j < w.width; ++j) f(i, j);
}

std::int64_t place_in_panel(std::int64_t i, std::int64_t j) {
  return (i / kInt8Depth * kInt8Columns + j) * kInt8Depth + i % kInt8Depth;
}

void quantize_panel(const Stretch& w, std::uint8_t* panel, float* scales) {
  const auto at = [&](std::int64_t i, std::int64_t j) { return w.from[i * w.row + j * w.column]; };
  float largest[kInt8Columns] = {}, inverse[kInt8Columns] = {};
  bool finite[kInt8Columns];
  std::fill(finite, finite + kInt8Columns, true);
  for_each(w, [&](std::int64_t i, std::int64_t j) {
    const float x = std::fabs(at(i, j));
    largest[j] = std::max(largest[j], x);
    finite[j] = finite[j] && x <= std::numeric_limits<float>::max();
  });
  for (std::int64_t j = 0; j < w.width; ++j) {
    scales[j] = finite[j] ? largest[j] / 127 : std::numeric_limits<float>::quiet_NaN();
    inverse[j] = finite[j] && largest[j] > 0 ? 127 / largest[j] : 0;
    if (!std::isfinite(inverse[j])) inverse[j] = scales[j] = 0;  // so small that it is nothing
  }
  if (w.width < kInt8Columns || w.k % kInt8Depth != 0)
    std::fill(panel, panel + int8_bytes(1, w.k), static_cast<std::uint8_t>(kInt8Zero));
  for_each(w, [&](std::int64_t i, std::int64_t j) {
    const float q = finite[j] ? std::nearbyint(at(i, j) * inverse[j]) : 0;
    panel[place_in_panel(i, j)] =
        static_cast<std::uint8_t>(kInt8Zero + static_cast<int>(std::clamp(q, -127.0f, 127.0f)));
  });
}

}  // namespace

void quantize(bool transposed, std::int64_t n, std::int64_t k, const float* w, std::uint8_t* panels,
              float* scales) {
  for (std::int64_t first = 0; first < n; first += kInt8Columns)
    quantize_panel(columns_from(first, transposed, n, k, w),
                   panels + first * int8_groups(k) * kInt8Depth, scales + first);
}

void round_to_int8(bool transposed, std::int64_t n, std::int64_t k, std::int64_t first,
                   const float* w, float* rounded) {
  const Stretch from = columns_from(first, transposed, n, k, w);
  static thread_local std::vector<std::uint8_t> panel;
  panel.resize(static_cast<std::size_t>(int8_bytes(1, k)));
  float scales[kInt8Columns];
  quantize_panel(from, panel.data(), scales);
  float* to = rounded + (from.from - w);
  for_each(from, [&](std::int64_t i, std::int64_t j) {
    const int q = panel[static_cast<std::size_t>(place_in_panel(i, j))];
    to[i * from.row + j * from.column] = static_cast<float>(q - kInt8Zero) * scales[j];
  });
}

}  // namespace tt
