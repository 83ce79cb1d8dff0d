// Intel's tiles (AMX): eight matrices in registers, each of at most 16 rows of 64 bytes, and two
// instructions that add the product of two of them to a third. This header is all that knows how
// they are asked for; kernels are templates over a class of these functions, of which there are
// two: the processor's, and a plain one, which tests run everywhere.
//
// The left factor has rows of 64 bytes, 32 bfloat16 or 64 numbers of eight bits along the sum. The
// right one has them in pairs, or fours: row i has, for each of 16 columns, the 2 or 4 numbers that
// the i-th pair or four of a left row is multiplied by, which is what panels are (tensor/panels.h,
// tensor/int8.h). Source: Intel's Software Developer's Manual, volumes 1 (18) and 2 (LDTILECFG,
// TDPBF16PS, TDPBSUD).
#pragma once

#include <cstdint>

namespace tt {

inline constexpr std::int64_t kTileRows = 16, kTileRow = 64, kTileBytes = kTileRows * kTileRow;

// The operand of LDTILECFG: for each tile its rows, and the bytes of a row.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileShapes) == 64);

#if defined(__x86_64__)
// The processor's. The instructions are written out, since the intrinsics of g++ 12 do not tell the
// compiler which memory they read.
struct Amx {
  // Whether the processor and the system have tiles, of which the system is asked once.
  static bool available();
  static void configure(const TileShapes& shapes) {
    asm volatile("ldtilecfg %0" ::"m"(shapes) : "memory");
  }
  // Gives the registers back: they are saved at each switch of threads otherwise.
  static void release() { asm volatile("tilerelease" ::: "memory"); }
  template <int Tile>
  static void zero() {
    asm volatile("tilezero %%tmm%c0" ::"i"(Tile));
  }
  // Rows that are `stride` bytes apart.
  template <int Tile>
  static void load(const void* from, std::int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(Tile) : "memory");
  }
  template <int Tile>
  static void store(void* to, std::int64_t stride) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(stride), "i"(Tile) : "memory");
  }
  // Sums += left right: floats of pairs of bfloat16; whole numbers of 32 bits of fours of signed
  // left and unsigned right bytes.
  template <int Sums, int Left, int Right>
  static void add_pairs() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sums), "i"(Left), "i"(Right));
  }
  template <int Sums, int Left, int Right>
  static void add_fours() {
    asm volatile("tdpbsud %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sums), "i"(Left), "i"(Right));
  }
};
#endif

// These functions by plain C++, in the order and with the roundings of the manual: sums of a tile's
// even and of its odd terms begin at zero, each term is added in one rounding to the nearest, sums
// below 2^-126 are zero, and the two are added to each other before they are added to the sum.
// Throws std::logic_error where the processor would end the program.
struct EmulatedAmx {
  static void configure(const TileShapes& shapes);
  static void release();
  template <int Tile>
  static void zero() {
    zero(Tile);
  }
  template <int Tile>
  static void load(const void* from, std::int64_t stride) {
    load(Tile, from, stride);
  }
  template <int Tile>
  static void store(void* to, std::int64_t stride) {
    store(Tile, to, stride);
  }
  template <int Sums, int Left, int Right>
  static void add_pairs() {
    add_pairs(Sums, Left, Right);
  }
  template <int Sums, int Left, int Right>
  static void add_fours() {
    add_fours(Sums, Left, Right);
  }

 private:
  static void zero(int tile);
  static void load(int tile, const void* from, std::int64_t stride);
  static void store(int tile, void* to, std::int64_t stride);
  static void add_pairs(int sums, int left, int right);
  static void add_fours(int sums, int left, int right);
};

}  // namespace tt
