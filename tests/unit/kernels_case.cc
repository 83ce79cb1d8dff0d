// Filling, checking and comparing the arguments of a kernel's call; see kernels_case.h.
#include "tests/unit/kernels_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/random.h"

namespace tt {
namespace {

constexpr std::uint32_t kPoison = 0x7FC0DEAD;  // a quiet NaN; as an index far out of bounds
constexpr std::int64_t kGuard = 32;            // words before and after a buffer
constexpr double kFloor = 0.1;  // results are sums of terms of about 1: below this, their rounding errors are what is left

std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 14695981039346656037u;
  for (unsigned char c : text) h = (h ^ c) * 1099511628211u;
  return h;
}

std::string where(const std::string& name, std::int64_t r, std::int64_t c) {
  return name + "[" + std::to_string(r) + ", " + std::to_string(c) + "]";
}

}  // namespace

std::size_t Workspace::Buffer::word(std::int64_t r, std::int64_t c) const {
  return static_cast<std::size_t>(kGuard + (r * stride + c) * width());
}

double Workspace::Buffer::element(std::int64_t r, std::int64_t c) const {
  const std::uint32_t* from = words.data() + word(r, c);
  if (type == Type::f64) {
    double x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
  if (type == Type::i32) return static_cast<std::int32_t>(*from);
  float x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

void* Workspace::Buffer::data() { return words.data() + kGuard; }

Workspace::Buffer& Workspace::add(const std::string& name, Type type, Role role, std::int64_t rows, std::int64_t columns,
                                  std::int64_t stride) {
  Buffer b{name, type, role, rows, columns, std::max(stride, columns), {}, {}};
  b.words.assign(static_cast<std::size_t>(2 * kGuard + b.rows * b.stride * b.width()), kPoison);
  b.before = b.words;
  return buffers_.emplace_back(std::move(b));
}

float* Workspace::random(const std::string& name, Role role, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                         float spread) {
  Buffer& b = add(name, Type::f32, role, rows, columns, stride);
  Random numbers(hash(name));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      const float x = spread * numbers.normal();
      std::memcpy(&b.words[b.word(r, c)], &x, sizeof x);
    }
  b.before = b.words;
  return static_cast<float*>(b.data());
}

float* Workspace::in(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t stride, float spread) {
  return random(name, Role::in, rows, columns, stride, spread);
}
float* Workspace::inout(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t stride, float spread) {
  return random(name, Role::inout, rows, columns, stride, spread);
}
float* Workspace::spent(const std::string& name, std::int64_t rows, std::int64_t columns, float spread) {
  return random(name, Role::spent, rows, columns, columns, spread);
}
float* Workspace::out(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
  return static_cast<float*>(add(name, Type::f32, Role::out, rows, columns, stride).data());
}

std::int32_t* Workspace::indices(const std::string& name, std::int64_t n, std::int32_t below) {
  Buffer& b = add(name, Type::i32, Role::in, 1, n, n);
  Random numbers(hash(name));
  for (std::int64_t i = 0; i < n; ++i) b.words[b.word(0, i)] = numbers.below(static_cast<std::uint32_t>(below));
  b.before = b.words;
  return static_cast<std::int32_t*>(b.data());
}
std::int32_t* Workspace::out_indices(const std::string& name, std::int64_t rows, std::int64_t columns) {
  return static_cast<std::int32_t*>(add(name, Type::i32, Role::out, rows, columns, columns).data());
}

double* Workspace::doubles(const std::string& name, std::int64_t n) {
  Buffer& b = add(name, Type::f64, Role::inout, 1, n, n);
  auto* numbers = static_cast<double*>(b.data());
  for (std::int64_t i = 0; i < n; ++i) numbers[i] = 0.25 + static_cast<double>(i);
  b.before = b.words;
  return numbers;
}
void Workspace::result(const std::string& name, double value) { doubles(name, 1)[0] = value; }

std::string Workspace::damage() const {
  for (const Buffer& b : buffers_) {
    std::vector<bool> mine(b.words.size());
    if (b.role != Role::in)
      for (std::int64_t r = 0; r < b.rows; ++r)
        for (std::int64_t c = 0; c < b.columns; ++c) {
          for (std::int64_t w = 0; w < b.width(); ++w) mine[b.word(r, c) + static_cast<std::size_t>(w)] = true;
          if (b.role != Role::spent && b.words[b.word(r, c)] == kPoison)
            return where(b.name, r, c) + " was not written, or from what may not be read";
        }
    for (std::size_t i = 0; i < b.words.size(); ++i)
      if (!mine[i] && b.words[i] != b.before[i])
        return b.name + ": word " + std::to_string(static_cast<std::int64_t>(i) - kGuard) + " was changed and should not be";
  }
  return "";
}

std::string Workspace::difference(const Workspace& other, double tolerance, double& worst) const {
  std::string first;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer &a = buffers_[i], &b = other.buffers_[i];
    if (a.role == Role::in || a.role == Role::spent) continue;
    double squares = 0;
    for (std::int64_t r = 0; r < a.rows; ++r)
      for (std::int64_t c = 0; c < a.columns; ++c)
        if (const double x = a.element(r, c); std::isfinite(x)) squares += x * x;
    const double typical = std::sqrt(squares / static_cast<double>(std::max<std::int64_t>(1, a.rows * a.columns)));
    for (std::int64_t r = 0; r < a.rows; ++r)
      for (std::int64_t c = 0; c < a.columns; ++c) {
        const double expected = a.element(r, c), found = b.element(r, c);
        if (expected == found) continue;
        const double ratio = std::abs(expected - found) / std::max({std::abs(expected), typical, kFloor});
        if (std::isfinite(ratio)) worst = std::max(worst, ratio);
        if (!(ratio <= tolerance) && first.empty())
          first = where(a.name, r, c) + " is " + std::to_string(found) + ", should be " + std::to_string(expected) + "; off by " +
                  std::to_string(ratio / tolerance) + " tolerances";
      }
  }
  return first;
}

std::string Workspace::bit_difference(const Workspace& other) const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer &a = buffers_[i], &b = other.buffers_[i];
    if (a.role == Role::in || a.role == Role::spent) continue;
    for (std::size_t w = 0; w < a.words.size(); ++w)
      if (a.words[w] != b.words[w])
        return a.name + ": word " + std::to_string(static_cast<std::int64_t>(w) - kGuard) + " differs";
  }
  return "";
}

}  // namespace tt
