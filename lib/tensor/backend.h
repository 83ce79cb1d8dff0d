// Every kernel of tt, declared once: its mathematics, its shapes and where the paper has it.
//
// Matrices are row-major float32. Rows are packed: the tokens of all sentences of a batch, one under the other, without padding.
// Letters: n rows, D d_model, H heads, K d_k, F d_ff, V vocabulary; S and T the source and target rows of one sentence.
// A backend has no state that a kernel changes: any number of threads may call it, each on its own data. A kernel's result is a
// function of its arguments; where a row is concerned, of that row alone, never of its neighbours in the batch (product excepted; row_product keeps to it).
//
// "accumulate" arguments: false writes the result, true adds it to what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tt {

// Which elements are dropped (section 5.4), as a pure function: element i of the site is dropped when its 16 random bits are below
// rate * 65536, rounded to the nearest integer. Kept elements are divided by (1 - rate). Nothing is stored; the backward pass asks the same
// function again.
// Column c of row r of a matrix with d columns is element r ceil64(d) + c, where ceil64 rounds up to a multiple of 64.
//   bits(i): group g = i / 64, lane l = i % 8, part h = i % 64 / 8; half (h % 2; 0 is the low one) of word h / 2 of
//   philox(counter {8 g + l, site, update, shard}, key seed).
struct Dropout {
  float rate = 0;  // 0: off
  std::uint64_t seed = 0;
  std::uint32_t update = 0, shard = 0, site = 0;
};

// A sentence's rows among the queries, and the rows of the keys that they may attend to.
struct Segment {
  std::int32_t query_begin, query_end, key_begin, key_end;
};

// softmax(scale Q K^T) V per segment and head (section 3.2.1). Head h of row r stands at column h K of that row. A query without
// keys gets zeros, and a log-sum-exp of minus infinity.
struct Attention {
  std::span<const Segment> segments;
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  float scale = 1;
  bool causal = false;       // query i of a segment sees its keys 0..i only
  const float* q = nullptr;  // [queries, H K], row stride ldq
  const float* k = nullptr;  // [keys, H K], row stride ldk
  const float* v = nullptr;  // [keys, H V], row stride ldv
  std::int64_t ldq = 0, ldk = 0, ldv = 0;
  Dropout dropout;  // on the weights; element (r H + h) * 65536 + key, key counted inside its segment
};

// One query per hypothesis against its own cache: the keys and values of step t are a block [rows at step t, ld] of which
// hypothesis r uses row slots[r * ld_slots + t]; keys at column 0, values at column `value_column`.
struct CachedAttention {
  std::int64_t rows = 0, steps = 0;  // steps >= 1
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  float scale = 1;
  const float* q = nullptr;  // [rows, H K], row stride ldq
  std::int64_t ldq = 0;
  const float* const* blocks = nullptr;  // [steps]
  std::int64_t ld = 0, value_column = 0;
  const std::int32_t* slots = nullptr;
  std::int64_t ld_slots = 0;
};

enum class Activation { relu, gelu };  // gelu: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))

// One step of Adam (section 5.3; Kingma and Ba 2015, algorithm 1), with decoupled weight decay.
struct AdamStep {
  float rate = 0, beta1 = 0.9f, beta2 = 0.98f, epsilon = 1e-9f, weight_decay = 0;
  float correction1 = 1, correction2 = 1;  // 1 - beta1^t, 1 - beta2^t
  float gradient_scale = 1;                // clipping by the global norm
};

class Backend {
 public:
  virtual ~Backend() = default;

  // C [m, n] = alpha op(A) op(B) + (accumulate ? C : 0); op(A) is [m, k], op(B) [k, n]; lda, ldb, ldc row strides as stored.
  virtual void product(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                       const float* a, std::int64_t lda, const float* b, std::int64_t ldb, bool accumulate, float* c,
                       std::int64_t ldc) const = 0;

  // y [rows, n] = x [rows, k] W, where W is [k, n], or x W^T, where it is [n, k], when transposed. A row of y is the same, to the last
  // bit, whatever rows are computed with it.
  virtual void row_product(bool transposed, std::int64_t rows, std::int64_t n, std::int64_t k, const float* x, const float* w,
                           float* y) const = 0;

  // x [n, d] += bias [d] on every row.
  virtual void add_bias(std::int64_t n, std::int64_t d, const float* bias, float* x) const = 0;
  // sums [d] = column sums of x [n, d].
  virtual void column_sums(std::int64_t n, std::int64_t d, const float* x, bool accumulate, float* sums) const = 0;

  // out [queries, H V] (row stride H V); log_sums [queries, H] gets log sum exp of the scaled scores. `weights`, when not null, gets
  // the softmax before dropout: per segment a block [H, queries, keys], the blocks one after the other.
  virtual void attention(const Attention& a, float* out, float* log_sums, float* weights) const = 0;
  // Given d_out and forward's out and log_sums, writes d_q, d_k, d_v (row strides ldq, ldk, ldv). Where keys of one row serve
  // several segments the caller must not use it.
  virtual void attention_backward(const Attention& a, const float* out, const float* log_sums, const float* d_out, float* d_q,
                                  float* d_k, float* d_v) const = 0;
  // out [rows, H V].
  virtual void cached_attention(const CachedAttention& a, float* out) const = 0;

  // Section 3.1: s = a + Dropout(b), y = gain * (s - mean) * rstd + bias. s replaces b. mean and rstd are [n]. a null: s = b.
  // rstd = 1 / sqrt(variance + 1e-5).
  virtual void add_norm(std::int64_t n, std::int64_t d, const float* a, float* b_to_s, const float* gain, const float* bias,
                        const Dropout& dropout, float* y, float* mean, float* rstd) const = 0;
  // From d_y: d_a (added to or written; may be null), d_b (written; may be d_y itself or null), d_gain and d_bias.
  virtual void add_norm_backward(std::int64_t n, std::int64_t d, const float* d_y, const float* s, const float* gain,
                                 const float* mean, const float* rstd, const Dropout& dropout, bool accumulate_a, float* d_a,
                                 float* d_b, bool accumulate_params, float* d_gain, float* d_bias) const = 0;

  // y = a + Dropout(b) (pre-norm's residual sum); backward: d_b = mask d_y / (1 - rate).
  virtual void add_dropout(std::int64_t n, std::int64_t d, const float* a, const float* b, const Dropout& dropout,
                           float* y) const = 0;
  virtual void dropout_backward(std::int64_t n, std::int64_t d, const float* d_y, const Dropout& dropout, float* d_b) const = 0;
  // y += x.
  virtual void add(std::int64_t size, const float* x, float* y) const = 0;

  // Section 3.3: y = Dropout(act(x + bias)) on the rows of the FFN's hidden layer [n, d]. For ReLU y may be x and x is not needed
  // backwards (null there); for GELU x keeps x + bias.
  virtual void activation(Activation kind, std::int64_t n, std::int64_t d, const float* bias, float* x, const Dropout& dropout,
                          float* y) const = 0;
  // d_x = d_y * act'(x) * mask / (1 - rate); in place when d_x is d_y. d_bias gets the column sums of d_x.
  virtual void activation_backward(Activation kind, std::int64_t n, std::int64_t d, const float* x, const float* y,
                                   const float* d_y, const Dropout& dropout, float* d_x, bool accumulate_bias,
                                   float* d_bias) const = 0;

  // Sections 3.4 and 3.5: y[r] = Dropout(scale * table[tokens[r]] + positions[places[r]]); y [n, D].
  virtual void embed(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places, const float* table,
                     const float* positions, float scale, const Dropout& dropout, float* y) const = 0;
  // d_table[tokens[r]] += scale * masked d_y[r] in the order of r; d_positions[places[r]] += masked d_y[r] where not null.
  virtual void embed_backward(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places,
                              const float* d_y, float scale, const Dropout& dropout, float* d_table,
                              float* d_positions) const = 0;

  // Section 5.4: with q = (1 - smoothing) one-hot(target) + smoothing / V and p = softmax(logits [n, V]), replaces logits by
  // gradient_scale (p - q), and adds to sums[0] -sum q log p, to sums[1] -log p[target]. Backwards is skipped (logits then hold
  // anything) when gradient_scale is 0.
  virtual void cross_entropy(std::int64_t n, std::int64_t v, const std::int32_t* targets, float smoothing, float gradient_scale,
                             float* logits, double* sums) const = 0;
  // For every row of logits [n, V] the `best` largest of log softmax(logits), descending, ties by the smaller index.
  virtual void best_of(std::int64_t n, std::int64_t v, const float* logits, int best, float* values,
                       std::int32_t* indices) const = 0;

  // gradients[0][i] = sum over shards s of gradients[s][i] in a fixed tree, for i in [0, size); returns the sum of its squares.
  // The other gradients hold anything afterwards.
  virtual double reduce(std::span<float* const> gradients, std::int64_t size) const = 0;
  // parameters, first and second moments, all [size]. Kernels never store a gradient's scale: it is applied here.
  virtual void adam(const AdamStep& step, std::int64_t size, const float* gradient, float* parameters, float* m,
                    float* v) const = 0;

  virtual void zero(std::int64_t size, float* x) const = 0;
};

}  // namespace tt
