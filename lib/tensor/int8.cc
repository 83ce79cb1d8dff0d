#include "tensor/int8.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

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

void quantize(bool transposed, std::int64_t n, std::int64_t k, const float* w, std::uint8_t* panels,
              float* scales) {
  const std::int64_t groups = int8_groups(k), row = transposed ? 1 : n, column = transposed ? k : 1;
  std::uint8_t* panel = panels;
  for (std::int64_t begin = 0; begin < n;
       begin += kInt8Columns, panel += groups * kInt8Columns * kInt8Depth) {
    const std::int64_t width = std::min(kInt8Columns, n - begin);
    float largest[kInt8Columns] = {}, inverse[kInt8Columns] = {};
    bool finite[kInt8Columns];
    std::fill(finite, finite + kInt8Columns, true);
    const float* from = w + begin * column;
    const auto look = [&](std::int64_t i, std::int64_t j) {
      const float x = std::fabs(from[i * row + j * column]);
      largest[j] = std::max(largest[j], x);
      finite[j] = finite[j] && x <= std::numeric_limits<float>::max();
    };
    const auto write = [&](std::int64_t i, std::int64_t j) {
      const float q = std::nearbyint(from[i * row + j * column] * inverse[j]);
      panel[(i / kInt8Depth * kInt8Columns + j) * kInt8Depth + i % kInt8Depth] =
          static_cast<std::uint8_t>(kInt8Zero + static_cast<int>(std::clamp(q, -127.0f, 127.0f)));
    };
    // In the order in which W lies in memory.
    const auto each = [&](const auto& f) {
      if (transposed)
        for (std::int64_t j = 0; j < width; ++j)
          for (std::int64_t i = 0; i < k; ++i) f(i, j);
      else
        for (std::int64_t i = 0; i < k; ++i)
          for (std::int64_t j = 0; j < width; ++j) f(i, j);
    };
    each(look);
    for (std::int64_t j = 0; j < width; ++j) {
      scales[begin + j] = finite[j] ? largest[j] / 127 : std::numeric_limits<float>::quiet_NaN();
      inverse[j] = finite[j] && largest[j] > 0 ? 127 / largest[j] : 0;
      if (!std::isfinite(inverse[j]))
        inverse[j] = scales[begin + j] = 0;  // so small that it is nothing
    }
    if (width < kInt8Columns || k % kInt8Depth != 0)
      std::fill(panel, panel + groups * kInt8Columns * kInt8Depth,
                static_cast<std::uint8_t>(kInt8Zero));
    each([&](std::int64_t i, std::int64_t j) {
      if (finite[j]) write(i, j);
      else panel[(i / kInt8Depth * kInt8Columns + j) * kInt8Depth + i % kInt8Depth] = kInt8Zero;
    });
  }
}

}  // namespace tt
