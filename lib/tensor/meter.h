// A backend that counts and times another: calls, seconds, floating-point operations and bytes of each kernel.
//
// With no backend inside it only counts, which plans work without doing it. Operations are those of matrix products, the attention's
// included: what "percent of peak" is about. One meter belongs to one thread at a time.
#pragma once

#include <array>

#include "tensor/backend.h"

namespace tt {

class Meter : public Backend {
 public:
  enum Kernel {
    kProduct,
    kRowProduct,
    kAddBias,
    kColumnSums,
    kAttention,
    kAttentionBackward,
    kCachedAttention,
    kAddNorm,
    kAddNormBackward,
    kAddDropout,
    kDropoutBackward,
    kAdd,
    kActivation,
    kActivationBackward,
    kEmbed,
    kEmbedBackward,
    kCrossEntropy,
    kBestOf,
    kReduce,
    kAdam,
    kZero,
    kKernels
  };
  struct Line {
    std::int64_t calls = 0;
    double seconds = 0, flops = 0, bytes = 0;
  };

  explicit Meter(const Backend* inner) : inner_(inner) {}

  static const char* name(int kernel);
  const std::array<Line, kKernels>& lines() const { return lines_; }
  double flops() const;  // of all kernels
  double seconds() const;
  void add(const Meter& other);

  void product(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
               std::int64_t lda, const float* b, std::int64_t ldb, bool accumulate, float* c, std::int64_t ldc) const override;
  void row_product(bool transposed, std::int64_t rows, std::int64_t n, std::int64_t k, const float* x, const float* w,
                   float* y) const override;
  void add_bias(std::int64_t n, std::int64_t d, const float* bias, float* x) const override;
  void column_sums(std::int64_t n, std::int64_t d, const float* x, bool accumulate, float* sums) const override;
  void attention(const Attention& a, float* out, float* log_sums, float* weights) const override;
  void attention_backward(const Attention& a, const float* out, const float* log_sums, const float* d_out, float* d_q, float* d_k,
                          float* d_v) const override;
  void cached_attention(const CachedAttention& a, float* out) const override;
  void add_norm(std::int64_t n, std::int64_t d, const float* a, float* b_to_s, const float* gain, const float* bias,
                const Dropout& dropout, float* y, float* mean, float* rstd) const override;
  void add_norm_backward(std::int64_t n, std::int64_t d, const float* d_y, const float* s, const float* gain, const float* mean,
                         const float* rstd, const Dropout& dropout, bool accumulate_a, float* d_a, float* d_b,
                         bool accumulate_params, float* d_gain, float* d_bias) const override;
  void add_dropout(std::int64_t n, std::int64_t d, const float* a, const float* b, const Dropout& dropout,
                   float* y) const override;
  void dropout_backward(std::int64_t n, std::int64_t d, const float* d_y, const Dropout& dropout, float* d_b) const override;
  void add(std::int64_t size, const float* x, float* y) const override;
  void activation(Activation kind, std::int64_t n, std::int64_t d, const float* bias, float* x, const Dropout& dropout,
                  float* y) const override;
  void activation_backward(Activation kind, std::int64_t n, std::int64_t d, const float* x, const float* y, const float* d_y,
                           const Dropout& dropout, float* d_x, bool accumulate_bias, float* d_bias) const override;
  void embed(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places, const float* table,
             const float* positions, float scale, const Dropout& dropout, float* y) const override;
  void embed_backward(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places, const float* d_y,
                      float scale, const Dropout& dropout, float* d_table, float* d_positions) const override;
  void cross_entropy(std::int64_t n, std::int64_t v, const std::int32_t* targets, float smoothing, float gradient_scale,
                     float* logits, double* sums) const override;
  void best_of(std::int64_t n, std::int64_t v, const float* logits, int best, float* values,
               std::int32_t* indices) const override;
  double reduce(std::span<float* const> gradients, std::int64_t size) const override;
  void adam(const AdamStep& step, std::int64_t size, const float* gradient, float* parameters, float* m, float* v) const override;
  void zero(std::int64_t size, float* x) const override;

 private:
  // Runs `call` on the inner backend, if there is one, and books it. flops and bytes are what the kernel must do and move at least.
  template <class F>
  void book(Kernel kernel, double flops, double bytes, F&& call) const;

  const Backend* inner_;
  mutable std::array<Line, kKernels> lines_{};
};

}  // namespace tt
