// The naive kernels of reference.h behind the interface of tensor/backend.h, for comparing a backend with them call by call.
#pragma once

#include <algorithm>

#include "tests/reference.h"
#include "tests/reference_attention.h"

namespace tt {

class ReferenceBackend final : public Backend {
 public:
  void product(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
               std::int64_t lda, const float* b, std::int64_t ldb, bool accumulate, float* c, std::int64_t ldc) const override {
    reference::product(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, accumulate, c, ldc);
  }
  void row_product(bool transposed, std::int64_t rows, std::int64_t n, std::int64_t k, const float* x, const float* w,
                   float* y) const override {
    reference::product(false, transposed, rows, n, k, 1.0f, x, k, w, transposed ? k : n, false, y, n);
  }
  void add_bias(std::int64_t n, std::int64_t d, const float* bias, float* x) const override {
    reference::add_bias(n, d, bias, x);
  }
  void column_sums(std::int64_t n, std::int64_t d, const float* x, bool accumulate, float* sums) const override {
    reference::column_sums(n, d, x, accumulate, sums);
  }
  void attention(const Attention& a, float* out, float* log_sums, float* weights) const override {
    reference::attention(a, a.q, a.k, a.v, out, log_sums, weights);
  }
  void attention_backward(const Attention& a, const float*, const float*, const float* d_out, float* d_q, float* d_k,
                          float* d_v) const override {
    reference::attention_backward(a, a.q, a.k, a.v, d_out, d_q, d_k, d_v);
  }
  void cached_attention(const CachedAttention& a, float* out) const override {
    reference::cached_attention(a, a.q, a.blocks, out);
  }
  void add_norm(std::int64_t n, std::int64_t d, const float* a, float* b_to_s, const float* gain, const float* bias,
                const Dropout& dropout, float* y, float* mean, float* rstd) const override {
    reference::add_norm(n, d, a, b_to_s, gain, bias, dropout, y, mean, rstd);
  }
  void add_norm_backward(std::int64_t n, std::int64_t d, const float* d_y, const float* s, const float* gain, const float*,
                         const float*, const Dropout& dropout, bool accumulate_a, float* d_a, float* d_b, bool accumulate_params,
                         float* d_gain, float* d_bias) const override {
    reference::add_norm_backward(n, d, d_y, s, gain, dropout, accumulate_a, d_a, d_b, accumulate_params, d_gain, d_bias);
  }
  void add_dropout(std::int64_t n, std::int64_t d, const float* a, const float* b, const Dropout& dropout,
                   float* y) const override {
    reference::add_dropout(n, d, a, b, dropout, y);
  }
  void dropout_backward(std::int64_t n, std::int64_t d, const float* d_y, const Dropout& dropout, float* d_b) const override {
    reference::dropout_backward(n, d, d_y, dropout, d_b);
  }
  void add(std::int64_t size, const float* x, float* y) const override {
    for (std::int64_t i = 0; i < size; ++i) y[i] += x[i];
  }
  void activation(Activation kind, std::int64_t n, std::int64_t d, const float* bias, float* x, const Dropout& dropout,
                  float* y) const override {
    reference::activation(kind, n, d, bias, x, dropout, y);
  }
  void activation_backward(Activation kind, std::int64_t n, std::int64_t d, const float* x, const float* y, const float* d_y,
                           const Dropout& dropout, float* d_x, bool accumulate_bias, float* d_bias) const override {
    reference::activation_backward(kind, n, d, x, y, d_y, dropout, d_x, accumulate_bias, d_bias);
  }
  void embed(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places, const float* table,
             const float* positions, float scale, const Dropout& dropout, float* y) const override {
    reference::embed(n, d, tokens, places, table, positions, scale, dropout, y);
  }
  void embed_backward(std::int64_t n, std::int64_t d, const std::int32_t* tokens, const std::int32_t* places, const float* d_y,
                      float scale, const Dropout& dropout, float* d_table, float* d_positions) const override {
    reference::embed_backward(n, d, tokens, places, d_y, scale, dropout, d_table, d_positions);
  }
  void cross_entropy(std::int64_t n, std::int64_t v, const std::int32_t* targets, float smoothing, float gradient_scale,
                     float* logits, double* sums) const override {
    reference::cross_entropy(n, v, targets, smoothing, gradient_scale, logits, sums);
  }
  void best_of(std::int64_t n, std::int64_t v, const float* logits, int best, float* values,
               std::int32_t* indices) const override {
    reference::best_of(n, v, logits, best, values, indices);
  }
  double reduce(std::span<float* const> gradients, std::int64_t size) const override {
    return reference::reduce(gradients, size);
  }
  void adam(const AdamStep& step, std::int64_t size, const float* gradient, float* parameters, float* m,
            float* v) const override {
    reference::adam(step, size, gradient, parameters, m, v);
  }
  void zero(std::int64_t size, float* x) const override { std::fill(x, x + size, 0.0f); }
};

}  // namespace tt
