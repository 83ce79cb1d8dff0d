// A backend: its own memory, and all kernels of tt. Each kernel is a struct of arguments,
// documented with its mathematics, shapes and section of the paper; TT_KERNELS below is their only
// list, from which all that has kernels is declared.
//
// Every pointer in a struct of arguments is memory of the backend (Backend::allocate), which the
// host may access only if Backend::is_host(); numbers are passed by value. Results of kernels reach
// the host only through download().
//
// Matrices (tensor/matrix.h) are row-major. Rows are packed: the tokens of all sentences of a
// batch, one after another, without padding. Where an argument is a pointer, it is a matrix or a
// vector of float32 without gaps; a Matrix is of float32 too where nothing else is said, and has no
// gaps but those of its type in the kernels of rows (add_norm, activate, cross_entropy). Letters: n
// rows, D d_model, H heads, K d_k, F d_ff, V vocabulary; S and T the source and target rows of one
// sentence. Kernels change no state of the backend: any number of threads may call it, each on its
// own data. A kernel's result is a function of its arguments; that for a row depends on the row
// alone, never on its neighbours in the batch (but see Product and CrossEntropy).
//
// "accumulate" arguments: false writes the result, true adds it to the existing values.
//
// "of any type" is float32 or bfloat16. A kernel that must round to bfloat16 takes the nearest, of
// two as near the even one, and writes zeros behind the columns of a row. A backend takes bfloat16
// only where its Traits say so. A "copy", which may be none, gets the same result once more in the
// type that products read, in the same pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tensor/attention.h"
#include "tensor/dropout.h"
#include "tensor/matrix.h"
#include "tensor/traits.h"

namespace tt {

// to = from, of the same shape, converted to another type.
struct Round {
  ConstMatrix from = {};  // with any stride
  Matrix to = {};         // without gaps
};

// C = op(A) op(B) + (accumulate ? C : 0) + bias on every row; op(M) is M or its transpose. Each
// factor is of any type, with any stride. C is of any type too; not of float32, it has neither bias
// nor accumulate.
struct Product {
  bool transpose_a = false, transpose_b = false;
  ConstMatrix a = {}, b = {};  // as they are stored
  bool accumulate = false;
  Matrix c = {};
  const float* bias = nullptr;  // [n]

  std::int64_t m() const { return c.rows; }
  std::int64_t n() const { return c.columns; }
  std::int64_t k() const { return transpose_a ? a.rows : a.columns; }
};

// y [rows, n] = x [rows, k] W with W [k, n], or, if transposed, x W^T with W [n, k]. A row of y is
// the same, to the last bit, whatever rows are computed with it.
struct RowProduct {
  bool transposed = false;
  ConstMatrix x = {};
  // float32, or what Pack has written. With panels the result is the same to the last bit; with
  // paired panels x is rounded to bfloat16, too.
  ConstMatrix w = {};
  Matrix y = {};
};

// Writes the W of a RowProduct, float32 or panels, in the type Traits::weights, to packed_bytes().
struct Pack {
  bool transposed = false;
  ConstMatrix w = {};
  Matrix packed = {};
};

// y = x W, W of int8: with q its byte, 1 to 255, W[i][j] = (q - kInt8Zero) scales[j]. x is rounded
// to eight bits too, row by row: with m the row's largest |x|, q[i] is the integer nearest to x[i]
// (127 / m), of two the even one, and
//   y[j] = float(sum of q[i] (W's byte - kInt8Zero)) ((m / 127) scales[j]).
// The sums are whole numbers and exact, so every backend has the same bits; W has at most
// kMostInt8Depth rows. A row with a value that is not finite gives NaN, one whose m is so small
// that 127 / m is infinite gives zeros.
struct Int8Product {
  ConstMatrix x = {}, w = {};
  Matrix y = {};
};

// Row r of y is column columns[r] of W, of int8, in float32, or zeros where that is negative.
struct Int8Columns {
  ConstMatrix w = {};
  const std::int32_t* columns = nullptr;
  Matrix y = {};
};

// x [n, d] += bias [d] on every row.
struct AddBias {
  std::int64_t n = 0, d = 0;
  const float* bias = nullptr;
  float* x = nullptr;
};

// sums [d] = column sums of x [n, d].
struct ColumnSums {
  std::int64_t n = 0, d = 0;
  const float* x = nullptr;
  bool accumulate = false;
  float* sums = nullptr;
};

enum class NormType {
  layer,  // (s - mean) / sqrt(variance + epsilon) (Ba et al. 2016)
  rms     // s / sqrt(mean of s^2 + epsilon) (Zhang and Sennrich 2019): the mean is taken for 0
};

// Section 3.1: s = a + Dropout(b), y = gain * (s - mean) * rstd + bias. s replaces b. mean and rstd
// are [rows], or both null. No a: s = b. rstd = 1 / sqrt(variance + epsilon). No bias: zeros.
struct AddNorm {
  ConstMatrix a = {};
  Matrix b_to_s = {};
  const float *gain = nullptr, *bias = nullptr;
  Dropout dropout;
  Matrix y = {}, copy = {};
  float *mean = nullptr, *rstd = nullptr;
  float epsilon = 1e-5f;
  NormType type = NormType::layer;
};

// From d_y: d_a (added to or written; may be none), d_b (written; may be d_y itself or none),
// d_gain and d_bias (may be none).
struct AddNormBackward {
  ConstMatrix d_y = {}, s = {};
  const float *gain = nullptr, *mean = nullptr, *rstd = nullptr;
  Dropout dropout;
  bool accumulate_a = false;
  Matrix d_a = {}, d_b = {}, copy = {};  // copy: of d_b
  bool accumulate_params = false;
  float *d_gain = nullptr, *d_bias = nullptr;
  NormType type = NormType::layer;
};

// y = a + Dropout(b): pre-norm's residual sum.
struct AddDropout {
  std::int64_t n = 0, d = 0;
  const float *a = nullptr, *b = nullptr;
  Dropout dropout;
  float* y = nullptr;
};

// d_b = mask d_y / (1 - rate); in place when d_b is d_y.
struct DropoutBackward {
  std::int64_t n = 0, d = 0;
  const float* d_y = nullptr;
  Dropout dropout;
  float* d_b = nullptr;
};

// y += x.
struct Add {
  std::int64_t size = 0;
  const float* x = nullptr;
  float* y = nullptr;
};

// y = scale a b, element by element. No b: y = scale a.
struct Multiply {
  std::int64_t size = 0;
  float scale = 1;
  const float *a = nullptr, *b = nullptr;
  float* y = nullptr;
};

// d_a (+)= scale d_y b, and, if there is a b, d_b (+)= scale d_y a.
struct MultiplyBackward {
  std::int64_t size = 0;
  float scale = 1;
  const float *d_y = nullptr, *a = nullptr, *b = nullptr;
  bool accumulate_a = false, accumulate_b = false;
  float *d_a = nullptr, *d_b = nullptr;
};

// With s(x) = 1 / (1 + e^-x):
enum class Activation {
  relu,           // max(x, 0)
  gelu,           // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
  swish,          // x s(x) (Ramachandran et al. 2017; SiLU)
  gelu_logistic,  // x s(1.702 x), the other approximation of Hendrycks and Gimpel 2016
  gelu_erf,       // x P(x), P the normal distribution: what both approximate
  tanh
};

// Section 3.3: y = Dropout(act(x + bias)) on the rows of the FFN's hidden layer. For ReLU, x and y
// are of any type, y may be x, and the backward pass does not need x (none there). For the others
// both are float32, and x becomes x + bias. No bias: zeros.
struct Activate {
  Activation kind = Activation::relu;
  Matrix x = {};
  const float* bias = nullptr;
  Dropout dropout;
  Matrix y = {}, copy = {};
};

// d_x = d_y * act'(x) * mask / (1 - rate), of any type; in place when d_x is d_y, which otherwise
// holds anything afterwards if d_x is not of its type. d_bias, which may be none: the column sums
// of d_x before it is rounded. For ReLU d_y and y are of any type.
struct ActivateBackward {
  Activation kind = Activation::relu;
  ConstMatrix x = {}, y = {};
  Matrix d_y = {};
  Dropout dropout;
  Matrix d_x = {};
  bool accumulate_bias = false;
  float* d_bias = nullptr;
};

// Sections 3.4 and 3.5: y[r] = Dropout(scale * table[tokens[r]] + positions[places[r]]); y [n, D].
// A token of -1 gives zeros.
struct Embed {
  const std::int32_t *tokens = nullptr, *places = nullptr;
  ConstMatrix table = {};  // on the host also panels: W^T as Pack writes it
  ConstMatrix positions = {};
  float scale = 1;
  Dropout dropout;
  Matrix y = {};
};

// d_table[tokens[r]] += scale * masked d_y[r] in the order of r, except for tokens of -1;
// d_positions[places[r]] += masked d_y[r] if there are such.
struct EmbedBackward {
  const std::int32_t *tokens = nullptr, *places = nullptr;
  ConstMatrix d_y = {};
  float scale = 1;
  Dropout dropout;
  Matrix d_table = {}, d_positions = {};
};

// Section 5.4: with q = (1 - smoothing) one-hot(target) + smoothing / V and p = softmax(logits [n,
// V]), gradient = gradient_scale (p - q), and -sum q log p is added to sums[0] and -log p[target]
// to sums[1]. If gradient_scale is 0, the gradient is not computed. It may be the logits; otherwise
// these hold anything afterwards. Both are of any type; logits that are not float32 are their own
// gradient, and without agreement. With agreement a > 0 (R-Drop, Liang et al. 2021), rows r and r +
// n / 2 are two views of targets[r], and each such pair adds a / 2 (KL(p || p') + KL(p' || p)) to
// sums[0], and its gradient to the logits.
struct CrossEntropy {
  const std::int32_t* targets = nullptr;
  float smoothing = 0, gradient_scale = 0;
  Matrix logits = {}, gradient = {};
  double* sums = nullptr;
  float agreement = 0;
};

// Guided alignment (Garg et al. 2019): the cross-entropy of the weights A = softmax(scale q K^T)
// with which one head's queries attend to the keys of their segments, given the keys that each is
// linked to, all of them equally. Query t with the links L adds
//   log sum over keys s of exp(scale q_t k_s) - mean over s in L of scale q_t k_s
// to *sum, unless that is null, and gradient_scale times the gradient to d_q and d_k, unless that
// is 0; a query without links adds nothing. Links lead to keys of the query's segment, and segments
// share no keys.
struct AlignmentLoss {
  Segments segments;
  float scale = 1;
  ConstMatrix q = {}, k = {};            // [queries, K], [keys, K], with any stride
  const std::int32_t* begins = nullptr;  // [q.rows + 1]: of each query's links
  const std::int32_t* linked = nullptr;  // [links]: rows of k
  std::int64_t links = 0;
  double* sum = nullptr;
  float gradient_scale = 0;
  Matrix d_q = {}, d_k = {};  // with the strides of q and k
};

// For every row of logits [n, V] the `best` largest of log softmax(logits), descending, ties by the
// smaller index: values and indices, [n, best] each. `asked` of each row are looked up besides.
// `barred` of each row are not among the best, but have their part in the sum; their logits are
// overwritten. A negative index stands for none. Where there are fewer, what is missing has the
// value minus infinity and the index 0. On the host rows may come in stretches of columns, from
// left to right.
struct BestOf {
  std::int64_t n = 0, v = 0;
  float* logits = nullptr;
  int best = 1;
  float* values = nullptr;
  std::int32_t* indices = nullptr;
  int barred = 0, asked = 0;                                     // per row
  const std::int32_t *barred_at = nullptr, *asked_at = nullptr;  // [n, barred], [n, asked]
  float* asked_values = nullptr;                                 // [n, asked]
  std::int64_t begin = 0;  // of the row's columns; indices are the row's
  bool last = true;        // no more follow; until then values are not final
  float* sums = nullptr;   // [n, 2]: what a stretch leaves for the next
};

// Every row of logits [n, V] becomes log softmax of itself.
struct LogSoftmax {
  std::int64_t n = 0, v = 0;
  float* logits = nullptr;
};

// gradients[0][i] = sum over shards s of gradients[s][i] in a fixed tree, for i in [begin, end),
// and squares[c] = the sum of squares of the results i in [c kChunk, (c + 1) kChunk). The other
// gradients are undefined afterwards. Requires begin to be a multiple of kChunk, and end to be one
// or the end of the gradients.
struct Reduce {
  static constexpr std::int64_t kChunk = 1 << 16;
  int shards = 1;
  float* const* gradients = nullptr;  // [shards]
  std::int64_t begin = 0, end = 0;
  double* squares = nullptr;
};

// One step of Adam (section 5.3; Kingma and Ba 2015, algorithm 1), with decoupled weight decay
// (Loshchilov and Hutter 2019), on parameters and their first and second moments m and v, all
// [size]. Kernels never store a gradient's scale: it is applied here.
struct Adam {
  float rate = 0, beta1 = 0.9f, beta2 = 0.98f, epsilon = 1e-9f, weight_decay = 0;
  float correction1 = 1, correction2 = 1;  // 1 - beta1^t, 1 - beta2^t
  float gradient_scale = 1;                // clipping by the global norm
  std::int64_t size = 0;
  const float* gradient = nullptr;
  float *parameters = nullptr, *m = nullptr, *v = nullptr;
  Matrix copy = {};       // [1, size]: of the parameters
  bool nesterov = false;  // beta1 m + (1 - beta1) gradient in the place of m (Choi et al. 2019)
};

// One step of schedule-free AdamW (Defazio et al. 2024, "The Road Less Scheduled", algorithm 1,
// but with the bias correction of v that their program has since) on the parameters y, where
// gradient was taken, the trained point z, its average x, and the second moment v, all [size]:
//   v = beta2 v + (1 - beta2) gradient^2
//   z -= rate (gradient / (sqrt(v / correction2) + epsilon) + weight_decay y)
//   x += weight (z - x)
//   y = z + beta1 (x - z)
struct ScheduleFree {
  float rate = 0, beta1 = 0.9f, beta2 = 0.98f, epsilon = 1e-9f, weight_decay = 0;
  float correction2 = 1;     // 1 - beta2^t
  float gradient_scale = 1;  // clipping by the global norm
  float weight = 1;          // of z in its average
  std::int64_t size = 0;
  const float* gradient = nullptr;
  float *y = nullptr, *z = nullptr, *v = nullptr, *x = nullptr;
  Matrix copy = {};  // [1, size]: of y
};

// A moving average: average += weight (x - average), both [size]; a weight of 1 copies x, whatever
// the average was.
struct MovingAverage {
  std::int64_t size = 0;
  float weight = 1;
  const float* x = nullptr;
  float* average = nullptr;
};

// x [rows, columns] = 0, row stride ld.
struct Zero {
  std::int64_t rows = 0, columns = 0, ld = 0;
  float* x = nullptr;
};

// y[r] = x[rows[r]], or zeros if rows[r] is negative, for each row r of y; added to y[r] with
// `accumulate`. rows null: y[r] = x[r]. x and y have any stride, and do not overlap.
struct Gather {
  const std::int32_t* rows = nullptr;  // of y's rows
  ConstMatrix x = {};
  bool accumulate = false;
  Matrix y = {};
};

// One step of n LSTM cells of d units each (Hochreiter and Schmidhuber 1997; Gers et al. 2000).
// With the sums a = gates + recurrent, made of four blocks [i f g o] of d columns:
//   i = s(a_i), f = s(a_f), g = tanh(a_g), o = s(a_o), s(x) = 1 / (1 + e^-x);
//   c = f c_before + i g,  h = o tanh(c).
// gates is overwritten by i, f, g and o. All matrices are contiguous.
struct Lstm {
  std::int64_t n = 0, d = 0;
  float* gates = nullptr;            // [n, 4 d]: x W + b
  const float* recurrent = nullptr;  // [n, 4 d]: h_before U; null: zeros
  const float* c_before = nullptr;   // [n, d]; null: zeros
  float *c = nullptr, *h = nullptr;  // [n, d]
};

// The gradients of an Lstm's sums and of its c_before, given those of its h and c:
//   e = d_c + d_h o (1 - tanh^2 c),  d_c_before = e f,
//   d_gates = [e g i (1 - i), e c_before f (1 - f), e i (1 - g^2), d_h tanh(c) o (1 - o)].
struct LstmBackward {
  std::int64_t n = 0, d = 0;
  const float* gates = nullptr;                   // as written by Lstm
  const float *c_before = nullptr, *c = nullptr;  // c_before null: zeros
  const float *d_h = nullptr, *d_c = nullptr;     // [n, d]; null: zeros
  float* d_gates =
      nullptr;  // [n, 4 d], the gradient of both gates and recurrent; may be gates itself
  bool accumulate = false;      // add to d_c_before
  float* d_c_before = nullptr;  // [n, d]; may be null; d_c and d_c_before do not overlap
};

// An Attention with other scores (Bahdanau et al. 2015, appendix A.1.2): head h of a query q and a
// key k has the score
//   sum over c in [h K, (h + 1) K) of w[c] tanh(q[c] + k[c])
// in place of scale q k; the scale is not read. Everything else is as in Attention: softmax,
// dropout, causal, log_sums, weights.
struct AdditiveAttention {
  Attention inputs;
  const float* w = nullptr;  // [H K]
};

// The gradients of an AdditiveAttention's q, k, v and w, given that of its out. `rest` is as in
// AttentionBackward, rest.forward being the inputs with the computed out and log_sums; its rules
// for shared rows and overlapping columns apply here too.
struct AdditiveAttentionBackward {
  AttentionBackward rest;
  const float* w = nullptr;
  bool accumulate_w = false;
  float* d_w = nullptr;  // [H K]
};

// Simpler simple recurrent units (Kim et al. 2019) along the rows of each segment's queries: with
// gates [x f] of d columns each,
//   f' = 1 / (1 + e^-f),   c = f' c_before + (1 - f') x,   h = max(c, 0).
// c_before of a segment's first row is row before[s] of c_before, or zeros. gates gets f' in place
// of f. No matrix has gaps.
struct Ssru {
  Segments segments;
  std::int64_t d = 0;
  float* gates = nullptr;                // [queries, 2 d]
  ConstMatrix c_before = {};             // none: zeros
  const std::int32_t* before = nullptr;  // [segments]
  float *c = nullptr, *h = nullptr;      // [queries, d]
};

// The gradient of an Ssru's gates, given that of its h. c_before was zeros.
struct SsruBackward {
  Segments segments;
  std::int64_t d = 0;
  const float *gates = nullptr, *c = nullptr, *d_h = nullptr;  // gates and c as the Ssru left them
  float* d_gates = nullptr;                                    // written; not gates itself
};

// The list of all kernels: function name and argument struct.
// clang-format off
#define TT_KERNELS(kernel) \
  kernel(round, Round) \
  kernel(product, Product) \
  kernel(row_product, RowProduct) \
  kernel(pack, Pack) \
  kernel(int8_product, Int8Product) \
  kernel(int8_columns, Int8Columns) \
  kernel(add_bias, AddBias) \
  kernel(column_sums, ColumnSums) \
  kernel(attention, Attention) \
  kernel(attention_backward, AttentionBackward) \
  kernel(cached_attention, CachedAttention) \
  kernel(add_norm, AddNorm) \
  kernel(add_norm_backward, AddNormBackward) \
  kernel(add_dropout, AddDropout) \
  kernel(dropout_backward, DropoutBackward) \
  kernel(add, Add) \
  kernel(multiply, Multiply) \
  kernel(multiply_backward, MultiplyBackward) \
  kernel(activate, Activate) \
  kernel(activate_backward, ActivateBackward) \
  kernel(embed, Embed) \
  kernel(embed_backward, EmbedBackward) \
  kernel(cross_entropy, CrossEntropy) \
  kernel(alignment_loss, AlignmentLoss) \
  kernel(best_of, BestOf) \
  kernel(log_softmax, LogSoftmax) \
  kernel(reduce, Reduce) \
  kernel(adam, Adam) \
  kernel(schedule_free, ScheduleFree) \
  kernel(moving_average, MovingAverage) \
  kernel(zero, Zero) \
  kernel(gather, Gather) \
  kernel(lstm, Lstm) \
  kernel(lstm_backward, LstmBackward) \
  kernel(ssru, Ssru) \
  kernel(ssru_backward, SsruBackward) \
  kernel(additive_attention, AdditiveAttention) \
  kernel(additive_attention_backward, AdditiveAttentionBackward)
// clang-format on

// Declares a kernel as a member that overrides Backend's, for TT_KERNELS(TT_OVERRIDE) in
// implementations of the interface.
#define TT_OVERRIDE(name, Arguments) void name(const Arguments& a) const override;

class Link;
class Ranks;

class Backend {
 public:
  virtual ~Backend() = default;

  // `bytes` bytes, aligned to 64, uninitialised. Throws Error, with the size requested, if there is
  // not enough memory.
  virtual void* allocate(std::size_t bytes) const = 0;
  // Frees memory returned by allocate(); null is allowed.
  virtual void release(void* memory) const = 0;
  virtual Traits traits() const = 0;
  bool is_host() const { return traits().host_memory; }
  // How ranks with such backends exchange this memory; the backend and the ranks must outlive it.
  // Throws Error if they cannot.
  virtual std::unique_ptr<Link> link(
      const Ranks& ranks) const;  // through the host's memory, if nothing else is said
  // Copy `bytes` bytes from or to the host. All kernels called before have finished when download()
  // returns.
  virtual void upload(void* to, const void* from, std::size_t bytes) const = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) const = 0;
  // Waits until all kernels called so far have finished.
  virtual void synchronise() const = 0;

#define TT_KERNEL(name, Arguments) virtual void name(const Arguments& a) const = 0;
  TT_KERNELS(TT_KERNEL)
#undef TT_KERNEL
};

}  // namespace tt
