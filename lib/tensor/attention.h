// The arguments of attention (section 3.2), as tensor/backend.h has them for other kernels: letters, "accumulate" and narrow
// matrices are those explained there.
#pragma once

#include <cstdint>

#include "tensor/dropout.h"

namespace tt {

using Bfloat16 = std::uint16_t;  // its bits

// A sentence's rows among the queries, and the rows of the keys that they may attend to.
struct Segment {
  std::int32_t query_begin, query_end, key_begin, key_end;
};

// The segments of a batch, with statistics for the host.
struct Segments {
  const Segment* at = nullptr;
  std::int64_t count = 0;
  std::int64_t queries = 0, keys = 0;                  // summed over the segments
  std::int64_t longest_queries = 0, longest_keys = 0;  // of one segment
  std::int64_t window = 0;                             // query i sees keys i - window to i + window only; 0: all of them
  double pairs = 0;                                    // of a query and a key
  double seen = 0, causal_seen = 0;                    // pairs in which the query sees the key, without and with `causal`
};

struct NarrowAttention {
  const Bfloat16 *q = nullptr, *k = nullptr, *v = nullptr;
  Bfloat16* out = nullptr;
};
struct NarrowAttentionBackward {
  const Bfloat16* d_out = nullptr;
  Bfloat16 *d_q = nullptr, *d_k = nullptr, *d_v = nullptr;
};

// softmax(scale Q K^T) V per segment and head (section 3.2.1). Head h of a row starts at column h K. A query without keys gets
// zeros, and a log-sum-exp of minus infinity.
struct Attention {
  Segments segments;
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  float scale = 1;
  bool causal = false;       // query i of a segment sees no key after the i-th
  const float* q = nullptr;  // [queries, H K], row stride ldq
  const float* k = nullptr;  // [keys, H K], row stride ldk
  const float* v = nullptr;  // [keys, H V], row stride ldv
  std::int64_t ldq = 0, ldk = 0, ldv = 0;
  Dropout dropout;            // on the weights; element (r H + h) * 65536 + key, key counted inside its segment
  float* out = nullptr;       // [queries, H V], row stride H V
  float* log_sums = nullptr;  // [queries, H] gets log sum exp of the scaled scores; may be null
  float* weights =
      nullptr;  // gets the softmax before dropout, per segment a block [H, queries, keys], one after the other; may be null
  NarrowAttention narrow = {};  // all four narrow, with the same row strides, where Backend::attends_rounded(); weights are null
};

// The gradients of an Attention's q, k and v, given that of its out. Must not be used if several segments share key rows.
// The queries of all segments are rows 0 to segments.queries, in any order.
// If the columns of d_q, d_k and d_v overlap, they must overlap as whole matrices and all be accumulated.
struct AttentionBackward {
  Attention forward;  // with the computed out and log_sums; weights are not used
  const float* d_out = nullptr;
  bool accumulate_q = false, accumulate_k = false, accumulate_v = false;
  float *d_q = nullptr, *d_k = nullptr, *d_v = nullptr;  // row strides ldq, ldk, ldv
  NarrowAttentionBackward narrow = {};                   // where the Attention's are: written, and without overlap
};

// One query per hypothesis against its own cache: the keys and values of step t are a block [rows at step t, ld] of which
// hypothesis r uses row slots[r * ld_slots + t]; keys at column 0, values at column `value_column`.
struct CachedAttention {
  std::int64_t rows = 0, steps = 0;  // steps >= 1
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  float scale = 1;
  const float* additive = nullptr;  // not null: the w of an AdditiveAttention, whose scores take the place of scale q k
  const float* q = nullptr;         // [rows, H K], row stride ldq
  std::int64_t ldq = 0;
  const float* const* blocks = nullptr;  // [steps]
  std::int64_t ld = 0, value_column = 0;
  const std::int32_t* slots = nullptr;
  std::int64_t ld_slots = 0;
  float* out = nullptr;  // [rows, H V]
};

}  // namespace tt
