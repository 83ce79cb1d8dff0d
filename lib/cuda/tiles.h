// Small matrices in shared memory, and their products: the building blocks of attention in float32.
#pragma once

#include "cuda/rows.h"

namespace tt::gpu {

constexpr int kTileThreads = 128;

// A matrix in shared memory.
struct Tile {
  float* at;
  int rows, columns, ld;

  __device__ float& operator()(int r, int c) const { return at[r * ld + c]; }
};

// The distance between rows: an odd one lets 32 threads read a column from different banks of the
// memory.
__host__ __device__ inline int tile_stride(std::int64_t columns) {
  return static_cast<int>(columns | 1);
}

// Allocates tiles from the block's shared memory, one after another.
class TileSpace {
 public:
  __device__ TileSpace() : next_(shared<float>()) {}
  __device__ Tile take(int rows, std::int64_t columns) {
    const Tile tile{next_, rows, static_cast<int>(columns), tile_stride(columns)};
    next_ += rows * tile.ld;
    return tile;
  }
  __device__ float* take_row(int n) {
    float* row = next_;
    next_ += n;
    return row;
  }

 private:
  float* next_;
};

// Calls f(r, c) for r < rows, c < columns, by the whole block; a warp takes a row at a time.
template <class F>
__device__ void each_element(int rows, int columns, F f) {
  for (int r = static_cast<int>(threadIdx.x) / kWarp; r < rows; r += kTileThreads / kWarp)
    for (int c = lane(); c < columns; c += kWarp) f(r, c);
}

// Fills a tile with rows of a matrix; rows from `present` on are zero. A thread has four reads
// under way at a time.
__device__ inline void load_tile(const Tile& to, const float* from, std::int64_t ld,
                                 std::int64_t present) {
  constexpr int kReads = 4;
  const int all = to.rows * to.columns;
  for (int e = static_cast<int>(threadIdx.x); e < all; e += kReads * kTileThreads) {
    float x[kReads] = {};
    for (int u = 0; u < kReads; ++u)
      if (const int i = e + u * kTileThreads; i < all && i / to.columns < present)
        x[u] = from[i / to.columns * ld + i % to.columns];
    for (int u = 0; u < kReads; ++u)
      if (const int i = e + u * kTileThreads; i < all) to(i / to.columns, i % to.columns) = x[u];
  }
}

__device__ inline void zero_tile(const Tile& to) { load_tile(to, nullptr, 0, 0); }

// An operand of a product: a tile as it is, or transposed.
struct AsIs {
  Tile tile;
  __device__ float operator()(int r, int c) const { return tile(r, c); }
};
struct Transposed {
  Tile tile;
  __device__ float operator()(int r, int c) const { return tile(c, r); }
};

// Calls put(i, j, sum over p < depth of a(i, p) b(p, j)) for i < rows, j < columns, by the whole
// block. A thread has two rows and four columns at a time.
template <class A, class B, class Put>
__device__ void multiply_tiles(int rows, int columns, int depth, A a, B b, Put put) {
  const int across = (columns + 3) / 4, down = (rows + 1) / 2;
  for (int e = static_cast<int>(threadIdx.x); e < across * down; e += kTileThreads) {
    const int i = e / across,
              j = e % across;  // and i + down, and j + across, j + 2 across, j + 3 across
    const bool second = i + down < rows;
    float sums[2][4] = {};
    for (int p = 0; p < depth; ++p) {
      const float x = a(i, p), y = second ? a(i + down, p) : 0;
      for (int u = 0; u < 4; ++u) {
        const int c = j + u * across;
        const float z = b(p, c < columns ? c : j);
        sums[0][u] = fmaf(x, z, sums[0][u]);
        sums[1][u] = fmaf(y, z, sums[1][u]);
      }
    }
    for (int u = 0; u < 4; ++u) {
      const int c = j + u * across;
      if (c >= columns) continue;
      put(i, c, sums[0][u]);
      if (second) put(i + down, c, sums[1][u]);
    }
  }
}

}  // namespace tt::gpu
