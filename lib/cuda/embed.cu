// Embeddings plus positions (sections 3.4, 3.5). The backward pass adds the rows of equal tokens in order, so that sums are
// reproducible: each row finds the next one with its token, and a block for each first row follows the chain.
#include "cuda/cuda.h"
#include "cuda/rows.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void embed_rows(Embed k) {
  const std::int64_t r = warp_row(), d = k.d;
  if (r >= k.n) return;
  const std::int32_t token = k.tokens[r];
  const float *e = k.table + token * d, *p = k.positions + k.places[r] * d;
  dropped_columns(k.dropout, r, d, lane(), kWarp,
                  [&](std::int64_t c, float factor) { k.y[r * d + c] = (token < 0 ? p[c] : e[c] * k.scale + p[c]) * factor; });
}

// next[r]: the next row whose index is that of row r, or -1; later[r] becomes 1 if there is an earlier one.
__global__ void link_rows(const std::int32_t* indices, std::int64_t n, std::int32_t* next, std::int32_t* later) {
  const std::int64_t r = warp_row();
  if (r >= n) return;
  const std::int32_t mine = indices[r];
  float nearest = INFINITY;  // in rows from r + 1; exact up to 2^24 from it
  std::int64_t begin = r + 1;
  for (; begin < n; begin += kWarp) {
    const std::int64_t at = begin + lane();
    nearest = -over_warp(at < n && indices[at] == mine ? -static_cast<float>(lane()) : -INFINITY, Largest());
    if (nearest < kWarp) break;
  }
  if (lane() != 0) return;
  const bool found = nearest < kWarp;
  next[r] = found ? static_cast<std::int32_t>(begin) + static_cast<std::int32_t>(nearest) : -1;
  if (found) later[next[r]] = 1;
}

// table[indices[r]] += scale * masked d_y[r], for the rows r of one chain, in their order.
__global__ void add_chain(EmbedBackward k, const std::int32_t* indices, float scale, float* table, const std::int32_t* next,
                          const std::int32_t* later) {
  const std::int64_t first = blockIdx.x, d = k.d;
  if (later[first] || indices[first] < 0) return;
  float* to = table + indices[first] * d;
  // Eight columns of a thread at a time, in its registers all along the chain: a row is read while the one before it is added.
  const std::int64_t groups = (d + 63) / 64;
  for (std::int64_t unit = threadIdx.x; unit < 8 * groups; unit += blockDim.x) {
    const std::int64_t group = unit / 8, column = 64 * group + unit % 8;
    float sums[8] = {};
    for (int part = 0; part < 8; ++part)
      if (column + 8 * part < d) sums[part] = to[column + 8 * part];
    float row[8] = {};
    const auto read = [&](std::int64_t r) {
      for (int part = 0; part < 8; ++part)
        if (column + 8 * part < d) row[part] = k.d_y[r * d + column + 8 * part];
    };
    read(first);
    for (std::int64_t r = first; r >= 0;) {
      const std::int64_t after = next[r];
      float now[8];
      for (int part = 0; part < 8; ++part) now[part] = row[part];
      if (after >= 0) read(after);
      const DropoutLane mask(k.dropout, static_cast<std::uint64_t>(r * groups + group), static_cast<int>(unit % 8));
      for (int part = 0; part < 8; ++part)
        if (column + 8 * part < d) sums[part] += scale * (now[part] * mask.factor(part));
      r = after;
    }
    for (int part = 0; part < 8; ++part)
      if (column + 8 * part < d) to[column + 8 * part] = sums[part];
  }
}

}  // namespace

void CudaBackend::embed(const Embed& k) const { launch_rows(*device_, k.n, embed_rows, k); }

void CudaBackend::embed_backward(const EmbedBackward& k) const {
  if (k.n == 0) return;
  const Scratch scratch(*device_, static_cast<std::size_t>(2 * k.n) * sizeof(std::int32_t));
  auto *later = scratch.at<std::int32_t>(), *next = later + k.n;
  const auto add = [&](const std::int32_t* indices, float scale, float* table) {
    zero({1, k.n, k.n, reinterpret_cast<float*>(later)});
    launch_rows(*device_, k.n, link_rows, indices, k.n, next, later);
    launch(*device_, blocks(k.n), 2 * kWarp, 0, add_chain, k, indices, scale, table, next, later);
  };
  add(k.tokens, k.scale, k.d_table);
  if (k.d_positions) add(k.places, 1.0f, k.d_positions);
}

}  // namespace tt
