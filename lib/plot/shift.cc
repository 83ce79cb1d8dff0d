#include "plot/shift.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "base/error.h"

namespace tt::plot {
namespace {

// Solves (A + ridge I) X = B in place of B [n, m], by A's Cholesky factor, which takes A's place
// [n, n]. Requires A to be symmetric, without negative eigenvalues.
void solve(std::vector<double>& a, std::vector<double>& b, std::size_t n, std::size_t m,
           double ridge) {
  for (std::size_t j = 0; j < n; ++j) {
    double* row = &a[j * n];
    for (std::size_t i = 0; i <= j; ++i) {
      double sum = row[i] + (i == j ? ridge : 0);
      for (std::size_t k = 0; k < i; ++k) sum -= a[i * n + k] * row[k];
      row[i] = i == j ? std::sqrt(std::max(sum, ridge)) : sum / a[i * n + i];
    }
  }
  const auto subtract = [&](std::size_t to, std::size_t from, double times) {
    for (std::size_t c = 0; c < m; ++c) b[to * m + c] -= times * b[from * m + c];
  };
  const auto divide = [&](std::size_t j) {
    for (std::size_t c = 0; c < m; ++c) b[j * m + c] /= a[j * n + j];
  };
  for (std::size_t j = 0; j < n; divide(j++))
    for (std::size_t k = 0; k < j; ++k) subtract(j, k, a[j * n + k]);
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t k = j + 1; k < n; ++k) subtract(j, k, a[k * n + j]);
    divide(j);
  }
}

// Of each position that has one `by` behind it.
std::vector<double> shift_errors(const EncodingTable& table, const std::vector<float>& map,
                                 std::int64_t by) {
  const auto d = static_cast<std::size_t>(table.columns), k = static_cast<std::size_t>(by);
  std::vector<double> errors;
  for (std::size_t row = 0; row + k < static_cast<std::size_t>(table.rows); ++row) {
    const float *x = &table.values[row * d], *y = x + k * d;
    double error = 0, length = 0;
    for (std::size_t r = 0; r < d; ++r) {
      double difference = y[r];
      length += difference * difference;
      for (std::size_t c = 0; c < d; ++c)
        difference -= static_cast<double>(map[r * d + c]) * static_cast<double>(x[c]);
      error += difference * difference;
    }
    errors.push_back(std::sqrt(error / length));
  }
  return errors;
}

}  // namespace

// With X and Y the encodings that are fitted and those behind them, a row each:
// M = Y' (X X' + ridge I)^-1 X. The ridge is what single precision leaves of zero.
std::vector<float> fitted_shift(const EncodingTable& table, std::int64_t by) {
  TT_CHECK(by >= 1 && by < table.rows);
  for (const float value : table.values)
    if (!std::isfinite(value)) throw Error("an encoding has values that are not finite");
  const auto d = static_cast<std::size_t>(table.columns), k = static_cast<std::size_t>(by);
  const std::size_t n = (static_cast<std::size_t>(table.rows) - k + 1) / 2;
  const auto x = [&](std::size_t row) { return &table.values[2 * row * d]; };
  std::vector<double> products(n * n), solved(n * d);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < d; ++c)
        sum += static_cast<double>(x(i)[c]) * static_cast<double>(x(j)[c]);
      products[i * n + j] = products[j * n + i] = sum;
      if (i == j) trace += sum;
    }
  for (std::size_t i = 0; i < n; ++i) std::copy_n(x(i), d, &solved[i * d]);
  solve(products, solved, n, d, std::max(trace * 1e-12, 1e-30));
  std::vector<float> map(d * d);
  std::vector<double> row(d);
  for (std::size_t r = 0; r < d; ++r) {
    std::ranges::fill(row, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const double y = x(i)[k * d + r];
      for (std::size_t c = 0; c < d; ++c) row[c] += y * solved[i * d + c];
    }
    std::ranges::copy(row, &map[r * d]);
  }
  return map;
}

Figure shift_of(const EncodingTable& table, std::int64_t by, const std::vector<float>& exact,
                const std::vector<float>& fitted) {
  Heatmap map;
  map.title = exact.empty() ? "the fitted map" : "the rotation";
  map.rows = map.columns = table.columns;
  map.values = exact.empty() ? fitted : exact;
  map.x = {"dimension of the position"};
  map.y = {"dimension " + std::to_string(by) + " further"};
  map.unit = "weight";
  for (const float value : map.values)
    map.high = std::max(map.high, std::abs(static_cast<double>(value)));
  map.low = -map.high;
  map.diverging = map.square = true;
  Curves curves;
  curves.title = "its error";
  curves.x_label = "position";
  curves.y_label = "share of the encoding's length";
  curves.log_y = true;
  const auto add = [&](const std::string& name, const std::vector<double>& errors,
                       std::size_t first, std::size_t step) {
    Curve curve;
    curve.name = name, curve.color = curves.curves.size(), curve.marked = errors.size() <= 64;
    for (std::size_t i = first; i < errors.size(); i += step)
      curve.points.push_back(
          {static_cast<double>(table.first + static_cast<std::int64_t>(i)), errors[i]});
    curves.curves.push_back(std::move(curve));
  };
  if (!exact.empty()) add("rotation", shift_errors(table, exact, by), 0, 1);
  const std::vector<double> errors = shift_errors(table, fitted, by);
  add("fitted map, where it was fitted", errors, 0, 2);
  add("fitted map, elsewhere", errors, 1, 2);
  return {table.title, {map, curves}, 2};
}

}  // namespace tt::plot
