// The arguments of attention (section 3.2), as tensor/backend.h has them for other kernels: letters
// and "accumulate" are those explained there.
#pragma once

#include <cstdint>

#include "tensor/dropout.h"
#include "tensor/matrix.h"

namespace tt {

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
  std::int64_t window = 0;  // query i sees keys i - window to i + window only; 0: all of them
  double pairs = 0;         // of a query and a key
  double seen = 0,
         causal_seen = 0;  // pairs in which the query sees the key, without and with `causal`
};

// Relative positions (Raffel et al. 2020, section 2.1): a number that is added to the score of a
// query and a key, for how far the key stands behind the query. With b the bucket of that distance,
// buckets[distance + far], head h adds table[h, b]. A distance beyond -far or far counts as that
// one. Query i and key i of a segment stand at its i-th place.
struct DistanceBias {
  const float* table = nullptr;           // [H, B]; null: nothing is added
  const std::int32_t* buckets = nullptr;  // [2 far + 1]
  std::int64_t count = 0, far = 0;        // count: B

  // The element of the table for a head and a distance.
  TT_ANYWHERE std::int64_t element(std::int64_t h, std::int64_t distance) const {
    return h * count + buckets[(distance < -far ? -far : distance > far ? far : distance) + far];
  }
};

// softmax(scale Q K^T + bias) V per segment and head (section 3.2.1). Head h of a row starts at
// column h K. A query without keys gets zeros, and a log-sum-exp of minus infinity.
struct Attention {
  Segments segments;
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  float scale = 1;
  bool causal = false;  // query i of a segment sees no key after the i-th
  ConstMatrix q = {};   // [queries, H K]
  ConstMatrix k = {};   // [keys, H K]
  ConstMatrix v = {};   // [keys, H V]
  DistanceBias bias;    // with float32 only
  Dropout dropout;  // on the weights; element (r H + h) * 65536 + key, key counted in its segment
  Matrix out = {};  // [queries, H V], row stride H V; of the type of q, k and v
  float* log_sums = nullptr;  // [queries, H] gets log sum exp of the scores; may be null
  // Gets the softmax before dropout, per segment a block [H, queries, keys], one after the other;
  // may be null, and is for other types than float32.
  float* weights = nullptr;
};

// The gradients of an Attention's q, k and v, given that of its out. Must not be used if several
// segments share key rows. The queries of all segments are rows 0 to segments.queries, in any
// order. If the columns of d_q, d_k and d_v overlap, they must overlap as whole matrices and all be
// accumulated. All are of the Attention's type; what is not float32 is not accumulated.
struct AttentionBackward {
  Attention forward;       // with the computed out and log_sums; weights are not used
  ConstMatrix d_out = {};  // [queries, H V], row stride H V
  bool accumulate_q = false, accumulate_k = false, accumulate_v = false;
  Matrix d_q = {}, d_k = {}, d_v = {};  // with the row strides of q, k and v
  // [queries, H B]: each query's part of the gradient of the bias's table, which is the sum over
  // the queries. Written; null where there is no bias.
  float* d_bias = nullptr;
};

// One query per hypothesis against its own cache: the keys and values of step t are a block [rows
// at step t, ld] of which hypothesis r uses row slots[r * ld_slots + t]; keys at column 0, values
// at column `value_column`.
struct CachedAttention {
  std::int64_t rows = 0, steps = 0;  // steps >= 1
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  float scale = 1;
  DistanceBias bias;  // the query stands at the place of the last key
  const float* additive =
      nullptr;  // not null: the w of an AdditiveAttention, whose scores take the place of scale q k
  const float* q = nullptr;  // [rows, H K], row stride ldq
  std::int64_t ldq = 0;
  const float* const* blocks = nullptr;  // [steps]
  std::int64_t ld = 0, value_column = 0;
  const std::int32_t* slots = nullptr;
  std::int64_t ld_slots = 0;
  float* out = nullptr;  // [rows, H V]
};

}  // namespace tt
