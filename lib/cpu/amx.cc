#include "cpu/amx.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <stdexcept>

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace tt {

#if defined(__x86_64__)
bool Amx::available() {
#if defined(__linux__)
  static const bool yes = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned kTiles = 1 << 24, kBfloat16 = 1 << 22, kInt8 = 1 << 25,
                       kAll = kTiles | kBfloat16 | kInt8;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & kAll) != kAll) return false;
    // Linux saves the registers of tiles only of processes that asked for them, since 5.16.
    constexpr int kAskPermission = 0x1023 /* ARCH_REQ_XCOMP_PERM */, kTileData = 18;
    return syscall(SYS_arch_prctl, kAskPermission, kTileData) == 0;
  }();
  return yes;
#else
  return false;
#endif
}
#endif

namespace {

void require(bool holds) {
  if (!holds) throw std::logic_error("tiles are used as no processor lets them be");
}

constexpr int kTiles = 8;

struct Tiles {
  bool configured = false;
  TileShapes shapes;
  std::byte at[kTiles][kTileRows][kTileRow];
};
thread_local Tiles tiles;

// A tile that may be used.
auto& tile_of(int i) {
  require(tiles.configured && i < kTiles && tiles.shapes.rows[i] > 0);
  return tiles.at[i];
}

// The processor's instructions leave zeros in rows that a tile has not.
void clear_below(int i) {
  for (std::int64_t r = tiles.shapes.rows[i]; r < kTileRows; ++r)
    std::memset(tiles.at[i][r], 0, kTileRow);
  for (std::int64_t r = 0; r < tiles.shapes.rows[i]; ++r)
    std::memset(tiles.at[i][r] + tiles.shapes.row_bytes[i], 0,
                static_cast<std::size_t>(kTileRow - tiles.shapes.row_bytes[i]));
}

// The dimensions of sums += left right: [rows, columns] += [rows, terms] [terms, columns], where a
// term is four bytes.
struct Dimensions {
  int rows, columns, terms;
};
Dimensions dimensions(int sums, int left, int right) {
  require(sums != left && sums != right && left != right);
  tile_of(sums), tile_of(left), tile_of(right);
  const TileShapes& s = tiles.shapes;
  require(s.row_bytes[sums] % 4 == 0 && s.row_bytes[left] % 4 == 0);
  require(s.rows[sums] == s.rows[left] && s.row_bytes[sums] == s.row_bytes[right] &&
          s.row_bytes[left] / 4 == s.rows[right]);
  return {s.rows[sums], s.row_bytes[sums] / 4, s.row_bytes[left] / 4};
}

float flushed(float x) { return std::fabs(x) < FLT_MIN ? std::copysign(0.0f, x) : x; }

// a b + c in one rounding; a result that is less than 2^-126 before it is rounded to so few bits is
// zero.
float add_product(float a, float b, float c) {
  a = flushed(a), b = flushed(b), c = flushed(c);
  const float sum = std::fma(a, b, c);
  if (!(std::fabs(sum) <= FLT_MIN)) return sum;
  constexpr double kScale = 0x1p100;  // at which no number near these has fewer bits
  const auto scaled = static_cast<float>((double{a} * b + c) * kScale);
  return std::fabs(scaled) < FLT_MIN * kScale ? std::copysign(0.0f, sum) : sum;
}

float add(float a, float b) { return add_product(a, 1, b); }

template <class T>
T get(const std::byte* row, int i) {
  T value;
  std::memcpy(&value, row + static_cast<std::size_t>(i) * sizeof value, sizeof value);
  return value;
}

float half(const std::byte* row, int i) {
  return std::bit_cast<float>(std::uint32_t{get<std::uint16_t>(row, i)} << 16);
}

}  // namespace

void EmulatedAmx::configure(const TileShapes& shapes) {
  require(shapes.palette == 1);
  for (const std::uint8_t zero : shapes.reserved) require(zero == 0);
  for (int i = 0; i < 16; ++i) {
    require(shapes.rows[i] <= kTileRows && shapes.row_bytes[i] <= kTileRow);
    require((shapes.rows[i] == 0) == (shapes.row_bytes[i] == 0));
    require(i < kTiles || shapes.rows[i] == 0);
  }
  tiles = {true, shapes, {}};
}

void EmulatedAmx::release() { tiles.configured = false; }

void EmulatedAmx::zero(int tile) { std::memset(tile_of(tile), 0, kTileBytes); }

void EmulatedAmx::load(int tile, const void* from, std::int64_t stride) {
  auto& to = tile_of(tile);
  for (std::int64_t r = 0; r < tiles.shapes.rows[tile]; ++r)
    std::memcpy(to[r], static_cast<const std::byte*>(from) + r * stride,
                tiles.shapes.row_bytes[tile]);
  clear_below(tile);
}

void EmulatedAmx::store(int tile, void* to, std::int64_t stride) {
  const auto& from = tile_of(tile);
  for (std::int64_t r = 0; r < tiles.shapes.rows[tile]; ++r)
    std::memcpy(static_cast<std::byte*>(to) + r * stride, from[r], tiles.shapes.row_bytes[tile]);
}

void EmulatedAmx::add_pairs(int sums, int left, int right) {
  const Dimensions d = dimensions(sums, left, right);
  for (int r = 0; r < d.rows; ++r)
    for (int c = 0; c < d.columns; ++c) {
      std::byte* to = tiles.at[sums][r];
      const std::byte* row = tiles.at[left][r];
      float even = 0, odd = 0;
      for (int i = 0; i < d.terms; ++i) {
        const std::byte* terms = tiles.at[right][i];
        even = add_product(half(row, 2 * i), half(terms, 2 * c), even);
        odd = add_product(half(row, 2 * i + 1), half(terms, 2 * c + 1), odd);
      }
      const float sum = add(get<float>(to, c), add(even, odd));
      std::memcpy(to + static_cast<std::size_t>(c) * sizeof sum, &sum, sizeof sum);
    }
}

void EmulatedAmx::add_fours(int sums, int left, int right) {
  const Dimensions d = dimensions(sums, left, right);
  for (int r = 0; r < d.rows; ++r)
    for (int c = 0; c < d.columns; ++c) {
      std::byte* to = tiles.at[sums][r];
      auto sum = get<std::uint32_t>(to, c);  // which wraps around, as the processor's does
      for (int i = 0; i < d.terms; ++i)
        for (int q = 0; q < 4; ++q)
          sum += static_cast<std::uint32_t>(get<std::int8_t>(tiles.at[left][r], 4 * i + q) *
                                            get<std::uint8_t>(tiles.at[right][i], 4 * c + q));
      std::memcpy(to + static_cast<std::size_t>(c) * sizeof sum, &sum, sizeof sum);
    }
}

}  // namespace tt
