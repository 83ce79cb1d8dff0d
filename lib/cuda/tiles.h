// Small matrices in shared memory, and their products: the building blocks of attention. Products are of Precision::float32, or
// of Precision::tf32 on tensor cores.
#pragma once

#include "cuda/rows.h"
#include "cuda/tensor_cores.h"

namespace tt::gpu {

constexpr int kTileThreads = 128;
constexpr int kPiece = 16;  // rows and columns that a warp multiplies at once on tensor cores, 8 terms at a time

// A matrix in shared memory.
struct Tile {
  float* at;
  int rows, columns, ld;

  __device__ float& operator()(int r, int c) const { return at[r * ld + c]; }
};

// The distance between rows. An odd one lets 32 threads read a column from different banks of the memory; 4 more than a multiple
// of 8, the four columns of eight rows that an instruction of the tensor cores takes. These read whole pieces, so there is room
// for them behind the columns.
__host__ __device__ inline int tile_stride(Precision precision, std::int64_t columns) {
  return static_cast<int>(precision == Precision::float32 ? columns | 1 : divide_up(columns, kPiece) * kPiece + 4);
}

// Allocates tiles from the block's shared memory, one after another.
template <Precision kPrecision>
class TileSpace {
 public:
  __device__ TileSpace() : next_(shared<float>()) {}
  __device__ Tile take(int rows, std::int64_t columns) {
    const Tile tile{next_, rows, static_cast<int>(columns), tile_stride(kPrecision, columns)};
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

// A factor as products of this precision take it. Tiles that are multiplied have such numbers, so that each is rounded once.
template <Precision kPrecision>
__device__ float rounded(float x) {
  if constexpr (kPrecision == Precision::float32) return x;
  else return nearest_tf32(x);
}

// Numbers that are read at once.
template <int kCount>
struct alignas(kCount * sizeof(float)) Numbers {
  float at[kCount];
};

// The columns of the tile are multiples of kCount. A thread has four reads under way at a time.
template <Precision kPrecision, int kCount>
__device__ void load_tile_by(const Tile& to, const float* from, std::int64_t ld, std::int64_t present) {
  constexpr int kReads = 4;
  const int across = to.columns / kCount, all = to.rows * across;
  for (int e = static_cast<int>(threadIdx.x); e < all; e += kReads * kTileThreads) {
    Numbers<kCount> x[kReads] = {};
    for (int u = 0; u < kReads; ++u)
      if (const int i = e + u * kTileThreads; i < all && i / across < present)
        x[u] = *reinterpret_cast<const Numbers<kCount>*>(from + i / across * ld + i % across * kCount);
    for (int u = 0; u < kReads; ++u)
      if (const int i = e + u * kTileThreads; i < all) {
        for (float& number : x[u].at) number = rounded<kPrecision>(number);
        *reinterpret_cast<Numbers<kCount>*>(&to(i / across, i % across * kCount)) = x[u];
      }
  }
}

// Fills a tile with rows of a matrix, rounded; rows from `present` on are zero, and what a piece has behind the columns.
template <Precision kPrecision>
__device__ void load_tile(const Tile& to, const float* from, std::int64_t ld, std::int64_t present) {
  const bool fours = to.columns % 4 == 0 && to.ld % 4 == 0 && ld % 4 == 0 && reinterpret_cast<std::uintptr_t>(from) % 16 == 0;
  if (fours) load_tile_by<kPrecision, 4>(to, from, ld, present);
  else load_tile_by<kPrecision, 1>(to, from, ld, present);
  if constexpr (kPrecision != Precision::float32) {
    const int behind = to.ld - 4 - to.columns;
    for (int e = static_cast<int>(threadIdx.x); e < to.rows * behind; e += kTileThreads)
      to(e / behind, to.columns + e % behind) = 0;
  }
}

__device__ inline void zero_tile(const Tile& to) { load_tile<Precision::float32>(to, nullptr, 0, 0); }

// An operand of a product: a tile as it is, or transposed.
struct AsIs {
  Tile tile;
  __device__ float operator()(int r, int c) const { return tile(r, c); }
};
struct Transposed {
  Tile tile;
  __device__ float operator()(int r, int c) const { return tile(c, r); }
};

// A thread has two rows and four columns at a time.
template <class A, class B, class Put>
__device__ void multiply_tiles_exactly(int rows, int columns, int depth, A a, B b, Put put) {
  const int across = (columns + 3) / 4, down = (rows + 1) / 2;
  for (int e = static_cast<int>(threadIdx.x); e < across * down; e += kTileThreads) {
    const int i = e / across, j = e % across;  // and i + down, and j + across, j + 2 across, j + 3 across
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

// A warp has a piece at a time. Nothing is asked about in the innermost loop, which would take longer than the products.
template <class A, class B, class Put>
__device__ void multiply_tiles_on_tensor_cores(int rows, int columns, int depth, A a, B b, Put put) {
  const int r = lane() / 4, c = lane() % 4, across = (columns + kPiece - 1) / kPiece;
  const int pieces = (rows + kPiece - 1) / kPiece * across;
  for (int piece = static_cast<int>(threadIdx.x) / kWarp; piece < pieces; piece += kTileThreads / kWarp) {
    __syncwarp();  // put() may have parted the warp
    const int i = piece / across * kPiece + r, j = piece % across * kPiece;
    float sums[2][4] = {};
    for (int begin = 0; begin < depth; begin += 8) {
      const int p = begin + c;
      const float x[4] = {a(i, p), a(i + 8, p), a(i, p + 4), a(i + 8, p + 4)};
      for (int u = 0; u < 2; ++u) {
        const float y[2] = {b(p, j + 8 * u + r), b(p + 4, j + 8 * u + r)};
        add_product_16x8x8(sums[u], x, y);
      }
    }
    for (int u = 0; u < 2; ++u)
      for (int e = 0; e < 4; ++e) put(i + e / 2 * 8, j + 8 * u + 2 * c + e % 2, sums[u][e]);
  }
}

// Calls put(i, j, sum over p < depth of a(i, p) b(p, j)) for i < rows, j < columns, by the whole block. On tensor cores `rows`
// and `columns` count as the next multiples of kPiece, and `depth` as that of 8: both factors must have numbers there, zeros
// behind the terms, and put() room.
template <Precision kPrecision, class A, class B, class Put>
__device__ void multiply_tiles(int rows, int columns, int depth, A a, B b, Put put) {
  if constexpr (kPrecision == Precision::float32) multiply_tiles_exactly(rows, columns, depth, a, b, put);
  else multiply_tiles_on_tensor_cores(rows, columns, depth, a, b, put);
}

}  // namespace tt::gpu
