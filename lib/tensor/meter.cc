#include "tensor/meter.h"

#include <algorithm>
#include <chrono>

namespace tt {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr const char* kNames[] = {"product",
                                  "row_product",
                                  "add_bias",
                                  "column_sums",
                                  "attention",
                                  "attention_backward",
                                  "cached_attention",
                                  "add_norm",
                                  "add_norm_backward",
                                  "add_dropout",
                                  "dropout_backward",
                                  "add",
                                  "activation",
                                  "activation_backward",
                                  "embed",
                                  "embed_backward",
                                  "cross_entropy",
                                  "best_of",
                                  "reduce",
                                  "adam",
                                  "zero"};
static_assert(std::size(kNames) == Meter::kKernels);

constexpr double kFloat = sizeof(float);

double product_of(auto... sizes) { return (static_cast<double>(sizes) * ...); }

// The pairs of a query and a key that it sees, over all segments.
double pairs(const Attention& a) {
  double n = 0;
  for (const Segment& s : a.segments) {
    const double queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin;
    n += a.causal ? queries * (queries + 1) / 2 : queries * keys;
  }
  return n;
}

double rows(const Attention& a) {
  double n = 0;
  for (const Segment& s : a.segments) n += s.query_end - s.query_begin + s.key_end - s.key_begin;
  return n;
}

}  // namespace

const char* Meter::name(int kernel) { return kNames[kernel]; }

double Meter::flops() const {
  double sum = 0;
  for (const Line& line : lines_) sum += line.flops;
  return sum;
}

double Meter::seconds() const {
  double sum = 0;
  for (const Line& line : lines_) sum += line.seconds;
  return sum;
}

void Meter::add(const Meter& other) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].calls += other.lines_[i].calls;
    lines_[i].seconds += other.lines_[i].seconds;
    lines_[i].flops += other.lines_[i].flops;
    lines_[i].bytes += other.lines_[i].bytes;
  }
}

template <class F>
void Meter::book(Kernel kernel, double flops, double bytes, F&& call) const {
  Line& line = lines_[kernel];
  ++line.calls;
  line.flops += flops;
  line.bytes += bytes;
  if (!inner_) return;
  const double began = now();
  call();
  line.seconds += now() - began;
}

void Meter::product(bool ta, bool tb, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
                    std::int64_t lda, const float* b, std::int64_t ldb, bool accumulate, float* c, std::int64_t ldc) const {
  book(kProduct, 2 * product_of(m, n, k),
       kFloat * (product_of(m, k) + product_of(k, n) + product_of(m, n) * (accumulate ? 2 : 1)),
       [&] { inner_->product(ta, tb, m, n, k, alpha, a, lda, b, ldb, accumulate, c, ldc); });
}
void Meter::row_product(bool transposed, std::int64_t rows, std::int64_t n, std::int64_t k, const float* x, const float* w,
                        float* y) const {
  book(kRowProduct, 2 * product_of(rows, n, k), kFloat * (product_of(rows, k) + product_of(k, n) + product_of(rows, n)),
       [&] { inner_->row_product(transposed, rows, n, k, x, w, y); });
}
void Meter::add_bias(std::int64_t n, std::int64_t d, const float* bias, float* x) const {
  book(kAddBias, 0, 2 * kFloat * product_of(n, d), [&] { inner_->add_bias(n, d, bias, x); });
}
void Meter::column_sums(std::int64_t n, std::int64_t d, const float* x, bool accumulate, float* sums) const {
  book(kColumnSums, 0, kFloat * product_of(n, d), [&] { inner_->column_sums(n, d, x, accumulate, sums); });
}
void Meter::attention(const Attention& a, float* out, float* log_sums, float* weights) const {
  const double width = product_of(a.heads, a.d_k + a.d_v);
  book(kAttention, 2 * pairs(a) * width, kFloat * rows(a) * width, [&] { inner_->attention(a, out, log_sums, weights); });
}
void Meter::attention_backward(const Attention& a, const float* out, const float* log_sums, const float* d_out, float* d_q,
                               float* d_k, float* d_v) const {
  const double width = product_of(a.heads, 3 * a.d_k + 2 * a.d_v);
  book(kAttentionBackward, 2 * pairs(a) * width, 2 * kFloat * rows(a) * product_of(a.heads, a.d_k + a.d_v),
       [&] { inner_->attention_backward(a, out, log_sums, d_out, d_q, d_k, d_v); });
}
void Meter::cached_attention(const CachedAttention& a, float* out) const {
  const double work = product_of(a.rows, a.steps, a.heads, a.d_k + a.d_v);
  book(kCachedAttention, 2 * work, kFloat * work, [&] { inner_->cached_attention(a, out); });
}
void Meter::add_norm(std::int64_t n, std::int64_t d, const float* a, float* b_to_s, const float* gain, const float* bias,
                     const Dropout& dropout, float* y, float* mean, float* rstd) const {
  book(kAddNorm, 0, 4 * kFloat * product_of(n, d),
       [&] { inner_->add_norm(n, d, a, b_to_s, gain, bias, dropout, y, mean, rstd); });
}
void Meter::add_norm_backward(std::int64_t n, std::int64_t d, const float* d_y, const float* s, const float* gain,
                              const float* mean, const float* rstd, const Dropout& dropout, bool accumulate_a, float* d_a,
                              float* d_b, bool accumulate_params, float* d_gain, float* d_bias) const {
  book(kAddNormBackward, 0, 4 * kFloat * product_of(n, d), [&] {
    inner_->add_norm_backward(n, d, d_y, s, gain, mean, rstd, dropout, accumulate_a, d_a, d_b, accumulate_params, d_gain, d_bias);
  });
}
void Meter::add_dropout(std::int64_t n, std::int64_t d, const float* a, const float* b, const Dropout& dropout, float* y) const {
  book(kAddDropout, 0, 3 * kFloat * product_of(n, d), [&] { inner_->add_dropout(n, d, a, b, dropout, y); });
}
void Meter::dropout_backward(std::int64_t n, std::int64_t d, const float* d_y, const Dropout& dropout, float* d_b) const {
  book(kDropoutBackward, 0, 2 * kFloat * product_of(n, d), [&] { inner_->dropout_backward(n, d, d_y, dropout, d_b); });
}
void Meter::add(std::int64_t size, const float* x, float* y) const {
  book(kAdd, 0, 3 * kFloat * product_of(size), [&] { inner_->add(size, x, y); });
}
void Meter::activation(Activation kind, std::int64_t n, std::int64_t d, const float* bias, float* x, const Dropout& dropout,
                       float* y) const {
  book(kActivation, 0, 2 * kFloat * product_of(n, d), [&] { inner_->activation(kind, n, d, bias, x, dropout, y); });
}
void Meter::activation_backward(Activation kind, std::int64_t n, std::int64_t d, const float* x, const float* y, const float* d_y,
                                const Dropout& dropout, float* d_x, bool accumulate_bias, float* d_bias) const {
  book(kActivationBackward, 0, 3 * kFloat * product_of(n, d),
       [&] { inner_->activation_backward(kind, n, d, x, y, d_y, dropout, d_x, accumulate_bias, d_bias); });
}
void Meter::embed(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places, const float* table,
                  const float* positions, float scale, const Dropout& dropout, float* y) const {
  book(kEmbed, 0, 3 * kFloat * product_of(n, d),
       [&] { inner_->embed(n, d, tokens, places, table, positions, scale, dropout, y); });
}
void Meter::embed_backward(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places,
                           const float* d_y, float scale, const Dropout& dropout, float* d_table, float* d_positions) const {
  book(kEmbedBackward, 0, 3 * kFloat * product_of(n, d),
       [&] { inner_->embed_backward(n, d, tokens, places, d_y, scale, dropout, d_table, d_positions); });
}
void Meter::cross_entropy(std::int64_t n, std::int64_t v, const std::int32_t* targets, float smoothing, float gradient_scale,
                          float* logits, double* sums) const {
  book(kCrossEntropy, 0, 2 * kFloat * product_of(n, v),
       [&] { inner_->cross_entropy(n, v, targets, smoothing, gradient_scale, logits, sums); });
}
void Meter::best_of(std::int64_t n, std::int64_t v, const float* logits, int best, float* values, std::int32_t* indices) const {
  book(kBestOf, 0, kFloat * product_of(n, v), [&] { inner_->best_of(n, v, logits, best, values, indices); });
}
double Meter::reduce(std::span<float* const> gradients, std::int64_t size) const {
  double squares = 0;
  book(kReduce, 0, kFloat * product_of(gradients.size() + 1, size), [&] { squares = inner_->reduce(gradients, size); });
  return squares;
}
void Meter::adam(const AdamStep& step, std::int64_t size, const float* gradient, float* parameters, float* m, float* v) const {
  book(kAdam, 0, 7 * kFloat * product_of(size), [&] { inner_->adam(step, size, gradient, parameters, m, v); });
}
void Meter::zero(std::int64_t size, float* x) const {
  book(kZero, 0, kFloat * product_of(size), [&] { inner_->zero(size, x); });
}

}  // namespace tt
