// Embeddings plus positions (sections 3.4, 3.5). The backward pass adds the rows of equal tokens in
// order, so that sums are reproducible: each row finds the next one with its token, and the warps
// of each first row follow the chain.
#include "cuda/cuda.h"
#include "cuda/spans.h"

namespace tt {

using namespace gpu;

namespace {

__global__ void embed_rows(Embed k) {
  const std::int64_t n = k.y.rows, d = k.y.columns;
  const SpansOfWarp spans = spans_of_warp(d);
  const std::int64_t r = spans.r;
  if (r >= n) return;
  const std::int32_t token = k.tokens[r];
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const Span<> span(r, n, spans.first + u, d);
    Values y = span.load_row(k.positions.floats() + k.places[r] * d), x = {};
    if (token >= 0) x = span.load_row(k.table.floats() + token * d);
    span.dropped(k.dropout, [&](int i, int e, float factor) {
      y.at[i].at[e] = (y.at[i].at[e] + x.at[i].at[e] * k.scale) * factor;
    });
    span.store(y, k.y.floats());
  }
}

// How rows with the same index follow each other. They are added in two steps, since a chain takes
// as long as it has rows: those of a stretch of rows, then the stretches.
constexpr std::int64_t kLinked = 512;  // rows of a stretch
enum LinkKind : std::int32_t { kFirst, kLater, kFirstOfStretch };
struct Links {
  std::int32_t *kind, *next, *onwards;  // next: -1 if there is none; onwards: of the first of a
                                        // stretch, the first of the next

  __device__ static std::int64_t stretch(std::int64_t r) { return r / kLinked; }
};

// A warp looks for the next row; a thread at several, one from each stretch of 32.
__global__ void link_rows(const std::int32_t* indices, std::int64_t n, Links links) {
  constexpr int kSeen = 8;
  const std::int64_t r = warp_row();
  if (r >= n) return;
  const std::int32_t mine = indices[r];
  float nearest = INFINITY;  // in rows from `begin`
  std::int64_t begin = r + 1;
  for (; begin < n; begin += kSeen * kWarp) {
    TT_UNROLL
    for (int i = kSeen - 1; i >= 0; --i)
      if (const std::int64_t at = begin + i * kWarp + lane(); at < n && indices[at] == mine)
        nearest = static_cast<float>(i * kWarp + lane());
    nearest = -over_warp(-nearest, Largest());
    if (nearest < kSeen * kWarp) break;
  }
  if (lane() != 0) return;
  const std::int64_t next =
      nearest < kSeen * kWarp ? begin + static_cast<std::int64_t>(nearest) : -1;
  links.next[r] = static_cast<std::int32_t>(next);
  if (next >= 0)
    links.kind[next] = Links::stretch(next) == Links::stretch(r) ? kLater : kFirstOfStretch;
}

// table[indices[r]] += scale * masked d_y[r] for the rows of a stretch with the same index, in
// their order; or into sums [n, d], of the first of them, where other stretches have some too.
__global__ void add_rows(EmbedBackward k, const std::int32_t* indices, float scale, float* table,
                         Links links, float* sums) {
  const std::int64_t n = k.d_y.rows, d = k.d_y.columns;
  const SpansOfWarp spans = spans_of_warp(d);
  const std::int64_t first = spans.r;
  if (first >= n || links.kind[first] == kLater || indices[first] < 0) return;
  Values sum[kSpans] = {}, row[kSpans];
  const auto span = [&](std::int64_t r, int u) { return Span<>(r, n, spans.first + u, d); };
  const auto read = [&](std::int64_t r) {
    TT_UNROLL
    for (int u = 0; u < kSpans; ++u) row[u] = span(r, u).load(k.d_y.floats());
  };
  read(first);
  std::int64_t r = first, after = links.next[first];
  while (true) {
    const bool more = after >= 0 && Links::stretch(after) == Links::stretch(first);
    Values now[kSpans];
    TT_UNROLL
    for (int u = 0; u < kSpans; ++u) now[u] = row[u];
    if (more) read(after);  // while this one is added
    TT_UNROLL
    for (int u = 0; u < kSpans; ++u)
      span(r, u).dropped(k.dropout, [&](int i, int e, float factor) {
        sum[u].at[i].at[e] += scale * (now[u].at[i].at[e] * factor);
      });
    if (!more) break;
    r = after;
    after = links.next[r];
  }
  if (lane() == 0 && spans.first == 0) links.onwards[first] = static_cast<std::int32_t>(after);
  const bool alone = after < 0 && links.kind[first] == kFirst;
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    if (!alone) {
      span(first, u).store(sum[u], sums);
      continue;
    }
    float* to = table + indices[first] * d;
    const Values before = span(first, u).load_row(to);
    each_value([&](int i, int e) { sum[u].at[i].at[e] += before.at[i].at[e]; });
    span(first, u).store_row(sum[u], to);
  }
}

__global__ void add_stretches(EmbedBackward k, const std::int32_t* indices, float* table,
                              Links links, const float* sums) {
  const std::int64_t n = k.d_y.rows, d = k.d_y.columns;
  const SpansOfWarp spans = spans_of_warp(d);
  const std::int64_t first = spans.r;
  if (first >= n || links.kind[first] != kFirst || indices[first] < 0 || links.onwards[first] < 0)
    return;
  float* to = table + indices[first] * d;
  TT_UNROLL
  for (int u = 0; u < kSpans; ++u) {
    const auto span = [&](std::int64_t r) { return Span<>(r, n, spans.first + u, d); };
    Values total = span(first).load_row(to);
    for (std::int64_t r = first; r >= 0; r = links.onwards[r]) {
      const Values sum = span(r).load(sums);
      each_value([&](int i, int e) { total.at[i].at[e] += sum.at[i].at[e]; });
    }
    span(first).store_row(total, to);
  }
}

}  // namespace

void CudaBackend::embed(const Embed& k) const {
  launch_spans(*device_, k.y.rows, k.y.columns, embed_rows, k);
}

void CudaBackend::embed_backward(const EmbedBackward& k) const {
  const std::int64_t n = k.d_y.rows, d = k.d_y.columns;
  if (n == 0) return;
  const Scratch scratch(*device_, static_cast<std::size_t>(n * (d + 3)) * sizeof(float));
  auto* sums = scratch.at<float>();
  auto* places = reinterpret_cast<std::int32_t*>(sums + n * d);
  const Links links{places, places + n, places + 2 * n};
  const auto add = [&](const std::int32_t* indices, float scale, float* table) {
    static_assert(kFirst == 0);
    zero({1, n, n, reinterpret_cast<float*>(places)});
    launch_rows(*device_, n, link_rows, indices, n, links);
    launch_spans(*device_, n, d, add_rows, k, indices, scale, table, links, sums);
    launch_spans(*device_, n, d, add_stretches, k, indices, table, links,
                 static_cast<const float*>(sums));
  };
  add(k.tokens, k.scale, k.d_table.floats());
  if (k.d_positions) add(k.places, 1.0f, k.d_positions.floats());
}

}  // namespace tt
