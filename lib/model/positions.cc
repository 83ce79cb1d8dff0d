#include "model/positions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tt {
namespace {

// The sine of frequency i is in column(i), its cosine in column(i) + gap.
struct Columns {
  std::int64_t stride, gap;
};

Columns columns(std::int64_t d, PositionLayout layout) {
  return layout == PositionLayout::interleaved ? Columns{2, 1} : Columns{1, (d + 1) / 2};
}

// 10000^(2i/D), or 10000^(i/(D/2 - 1)): positions per radian.
double period(std::int64_t i, std::int64_t d, PositionLayout layout) {
  const double last = static_cast<double>((d + 1) / 2 - 1);
  if (layout == PositionLayout::tensor2tensor)
    return std::pow(10000.0, static_cast<double>(i) / std::max(last, 1.0));
  return std::pow(10000.0, 2.0 * static_cast<double>(i) / static_cast<double>(d));
}

}  // namespace

void sinusoidal_positions(float* out, std::int64_t first, std::int64_t n, std::int64_t d,
                          PositionLayout layout) {
  TT_CHECK(first >= 0 && n >= 0 && d >= 1);
  const auto [stride, gap] = columns(d, layout);
  for (std::int64_t i = 0; 2 * i < d; ++i) {
    const double per_radian = period(i, d, layout);
    float* sine = out + i * stride;
    for (std::int64_t row = 0; row < n; ++row, sine += d) {
      const double angle = static_cast<double>(first + row) / per_radian;
      sine[0] = static_cast<float>(std::sin(angle));
      if (2 * i + 1 < d) sine[gap] = static_cast<float>(std::cos(angle));
    }
  }
}

void rotate_positions(float* map, std::int64_t by, std::int64_t d, PositionLayout layout) {
  TT_CHECK(d >= 2 && d % 2 == 0);
  std::fill_n(map, d * d, 0.0f);
  const auto [stride, gap] = columns(d, layout);
  for (std::int64_t i = 0; 2 * i < d; ++i) {
    const double angle = static_cast<double>(by) / period(i, d, layout);
    const std::int64_t sine = i * stride, cosine = sine + gap;
    map[sine * d + sine] = map[cosine * d + cosine] = static_cast<float>(std::cos(angle));
    map[sine * d + cosine] = static_cast<float>(std::sin(angle));
    map[cosine * d + sine] = -map[sine * d + cosine];
  }
}

// In float, as T5 was trained: at some distances the quotient is a whole number but for rounding.
std::vector<std::int32_t> distance_buckets(int buckets, int far, bool both) {
  std::vector<std::int32_t> all;
  const int own = both ? buckets / 2 : buckets, exact = own / 2;
  const auto whole = static_cast<float>(std::log(static_cast<double>(far) / exact));
  for (int distance = -far; distance <= far; ++distance) {
    const int n = both ? std::abs(distance) : std::max(-distance, 0);
    int bucket = n;
    if (n >= exact) {
      const float part = std::log(static_cast<float>(n) / static_cast<float>(exact)) / whole;
      bucket = std::min(own - 1, exact + static_cast<int>(part * static_cast<float>(own - exact)));
    }
    all.push_back((both && distance > 0 ? own : 0) + bucket);
  }
  return all;
}

double wavelength(std::int64_t dimension, std::int64_t d, PositionLayout layout) {
  TT_CHECK(dimension >= 0 && dimension < d);
  const std::int64_t i =
      layout == PositionLayout::interleaved ? dimension / 2 : dimension % ((d + 1) / 2);
  return 2 * std::numbers::pi * period(i, d, layout);
}

}  // namespace tt
