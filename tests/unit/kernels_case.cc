// Filling, checking and comparing the arguments of a kernel call; see kernels_case.h.
#include "tests/unit/kernels_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/random.h"
#include "tensor/bfloat16.h"

namespace tt {
namespace {

constexpr std::uint32_t kPoison = 0x7FC0DEAD;  // a quiet NaN; as an index far out of bounds
constexpr std::int64_t kGuard = 32;            // words before and after a buffer
constexpr double kFloor = 0.1;  // results are sums of terms of about 1: below this, their rounding
                                // errors are what is left

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
  const std::int64_t at = r * stride + c;
  return static_cast<std::size_t>(kGuard + (type == Type::f64    ? 2 * at
                                            : type == Type::bf16 ? at / 2
                                                                 : at));
}

double Workspace::Buffer::element(std::int64_t r, std::int64_t c) const {
  const std::uint32_t* from = words.data() + word(r, c);
  if (type == Type::f64) {
    double x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
  if (type == Type::i32) return static_cast<std::int32_t>(*from);
  if (type == Type::bf16)
    return double{widen(static_cast<Bfloat16>(c % 2 ? *from >> 16 : *from & 0xFFFF))};
  float x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

Workspace::Buffer& Workspace::add(const std::string& name, Type type, Role role, std::int64_t rows,
                                  std::int64_t columns, std::int64_t stride) {
  Buffer b{name, type, role, rows, columns, std::max(stride, columns), {}, {}, {}};
  b.words.assign(b.word(rows, 0) + kGuard, kPoison);
  b.before = b.words;
  return buffers_.emplace_back(std::move(b));
}

void* Workspace::upload(Buffer& b) {
  b.before = b.words;
  b.device = DeviceArray<std::uint32_t>(backend_, std::span<const std::uint32_t>(b.words));
  return b.device.data() + kGuard;
}

float* Workspace::random(const std::string& name, Role role, std::int64_t rows,
                         std::int64_t columns, std::int64_t stride, float spread,
                         const Change& change) {
  Buffer& b = add(name, Type::f32, role, rows, columns, stride);
  Random numbers(hash(name));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      float x = spread * numbers.normal();
      if (change) x = change(x);
      std::memcpy(&b.words[b.word(r, c)], &x, sizeof x);
    }
  return static_cast<float*>(upload(b));
}

float* Workspace::in(const std::string& name, std::int64_t rows, std::int64_t columns,
                     std::int64_t stride, float spread) {
  return random(name, Role::in, rows, columns, stride, spread, {});
}
float* Workspace::inout(const std::string& name, std::int64_t rows, std::int64_t columns,
                        std::int64_t stride, float spread, const Change& change) {
  return random(name, Role::inout, rows, columns, stride, spread, change);
}
float* Workspace::spent(const std::string& name, std::int64_t rows, std::int64_t columns,
                        float spread) {
  return random(name, Role::spent, rows, columns, columns, spread, {});
}
float* Workspace::out(const std::string& name, std::int64_t rows, std::int64_t columns,
                      std::int64_t stride) {
  return static_cast<float*>(upload(add(name, Type::f32, Role::out, rows, columns, stride)));
}
float* Workspace::zeros(std::int64_t n) {
  Buffer& b = add("zeros", Type::f32, Role::spent, 1, n, n);
  std::fill(b.words.begin() + kGuard, b.words.end() - kGuard, 0u);
  return static_cast<float*>(upload(b));
}

std::int32_t* Workspace::indices(const std::string& name, std::int64_t n, std::int32_t below) {
  Buffer& b = add(name, Type::i32, Role::in, 1, n, n);
  Random numbers(hash(name));
  for (std::int64_t i = 0; i < n; ++i)
    b.words[b.word(0, i)] = numbers.below(static_cast<std::uint32_t>(below));
  return static_cast<std::int32_t*>(upload(b));
}
std::int32_t* Workspace::out_indices(const std::string& name, std::int64_t rows,
                                     std::int64_t columns) {
  return static_cast<std::int32_t*>(
      upload(add(name, Type::i32, Role::out, rows, columns, columns)));
}

Matrix Workspace::out_rounded(const std::string& name, std::int64_t rows, std::int64_t columns) {
  const std::int64_t wide = row_stride(ElementType::bfloat16, columns);
  return matrix(upload(add(name, Type::bf16, Role::out, rows, wide, wide)), ElementType::bfloat16,
                rows, columns);
}

double* Workspace::doubles(const std::string& name, std::int64_t n) {
  Buffer& b = add(name, Type::f64, Role::inout, 1, n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    const double x = 0.25 + static_cast<double>(i);
    std::memcpy(&b.words[b.word(0, i)], &x, sizeof x);
  }
  return static_cast<double*>(upload(b));
}
double* Workspace::out_doubles(const std::string& name, std::int64_t n) {
  return static_cast<double*>(upload(add(name, Type::f64, Role::out, 1, n, n)));
}

const void* Workspace::copy(const void* from, std::size_t bytes) {
  TT_CHECK(bytes % sizeof(std::uint32_t) == 0);
  const auto words = static_cast<std::int64_t>(bytes / sizeof(std::uint32_t));
  Buffer& b = add("copy", Type::i32, Role::in, 1, words, words);
  if (bytes > 0) std::memcpy(&b.words[b.word(0, 0)], from, bytes);
  return upload(b);
}

Segments describe(std::span<const Segment> segments) {
  Segments all;
  all.at = segments.data();
  all.count = static_cast<std::int64_t>(segments.size());
  for (const Segment& s : segments) {
    const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin;
    all.queries += queries;
    all.keys += keys;
    all.longest_queries = std::max(all.longest_queries, queries);
    all.longest_keys = std::max(all.longest_keys, keys);
    all.pairs += static_cast<double>(queries) * static_cast<double>(keys);
  }
  return all;
}

void Workspace::fetch() {
  for (Buffer& b : buffers_) b.words = b.device.download();
}

std::string Workspace::damage() const {
  for (const Buffer& b : buffers_) {
    std::vector<bool> mine(b.words.size());
    if (b.role != Role::in)
      for (std::int64_t r = 0; r < b.rows; ++r)
        for (std::int64_t c = 0; c < b.columns; ++c) {
          for (std::size_t w = b.word(r, c); w < std::max(b.word(r, c + 1), b.word(r, c) + 1); ++w)
            mine[w] = true;
          if (b.role != Role::spent && b.words[b.word(r, c)] == kPoison)
            return where(b.name, r, c) + " was not written, or from what may not be read";
        }
    for (std::size_t i = 0; i < b.words.size(); ++i)
      if (!mine[i] && b.words[i] != b.before[i])
        return b.name + ": word " + std::to_string(static_cast<std::int64_t>(i) - kGuard) +
               " was changed and should not be";
  }
  return "";
}

std::string Workspace::difference(const Workspace& other, double tolerance, double& worst) const {
  std::string first;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer &a = buffers_[i], &b = other.buffers_[i];
    if (a.role == Role::in || a.role == Role::spent) continue;
    // Numbers that hardly differ may be rounded to neighbours, 2^-7 apart at most.
    const double allowed = a.type == Type::bf16 ? std::max(0.0079, tolerance) : tolerance;
    double squares = 0;
    for (std::int64_t r = 0; r < a.rows; ++r)
      for (std::int64_t c = 0; c < a.columns; ++c)
        if (const double x = a.element(r, c); std::isfinite(x)) squares += x * x;
    const double typical =
        std::sqrt(squares / static_cast<double>(std::max<std::int64_t>(1, a.rows * a.columns)));
    for (std::int64_t r = 0; r < a.rows; ++r)
      for (std::int64_t c = 0; c < a.columns; ++c) {
        const double expected = a.element(r, c), found = b.element(r, c);
        if (expected == found) continue;
        const double ratio =
            std::abs(expected - found) / std::max({std::abs(expected), typical, kFloor});
        if (std::isfinite(ratio) && a.type != Type::bf16) worst = std::max(worst, ratio);
        if (!(ratio <= allowed) && first.empty())
          first = where(a.name, r, c) + " is " + std::to_string(found) + ", should be " +
                  std::to_string(expected) + "; off by " + std::to_string(ratio / tolerance) +
                  " tolerances";
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
        return a.name + ": word " + std::to_string(static_cast<std::int64_t>(w) - kGuard) +
               " differs";
  }
  return "";
}

}  // namespace tt
