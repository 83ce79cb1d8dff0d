// The naive kernels of reference.h behind the interface of tensor/backend.h, for comparison with a
// backend call by call. It uses host memory.
#pragma once

#include <algorithm>
#include <vector>

#include "cpu/cpu.h"
#include "tensor/bfloat16.h"
#include "tests/reference.h"
#include "tests/reference_attention.h"
#include "tests/reference_int8.h"
#include "tests/reference_recurrent.h"

namespace tt {

class ReferenceBackend final : public Backend {
 public:
  void* allocate(std::size_t bytes) const override { return cpu_.allocate(bytes); }
  void release(void* memory) const override { cpu_.release(memory); }
  Traits traits() const override { return {}; }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    cpu_.upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    cpu_.download(to, from, bytes);
  }
  void synchronise() const override {}

  // Digit by digit, as on paper: the candidates are the number cut off and the next one away from
  // zero.
  void round(const Round& k) const override {
    auto* to = k.to.as<Bfloat16>();
    for (std::int64_t r = 0; r < k.from.rows; ++r)
      for (std::int64_t c = 0; c < row_stride(k.to.type, k.to.columns); ++c) {
        const float x = c < k.from.columns ? k.from.floats()[r * k.from.stride + c] : 0;
        const auto cut = static_cast<Bfloat16>(std::bit_cast<std::uint32_t>(x) >> 16),
                   next = static_cast<Bfloat16>(cut + 1);
        const double below = std::abs(double{x} - double{widen(cut)}),
                     above = std::abs(double{widen(next)} - double{x});
        to[r * k.to.stride + c] = below < above || (below == above && cut % 2 == 0) ? cut : next;
      }
  }
  void product(const Product& k) const override {
    const std::vector<float> a = elements(k.a), b = elements(k.b);
    std::vector<float> c = elements(k.c);
    reference::product(k.transpose_a, k.transpose_b, k.m(), k.n(), k.k(), a.data(), k.a.columns,
                       b.data(), k.b.columns, k.accumulate, c.data(), k.n());
    if (k.bias) reference::add_bias(k.m(), k.n(), k.bias, c.data());
    put(c, k.c);
  }
  void row_product(const RowProduct& k) const override {
    product({false, k.transposed, k.x, k.w, false, k.y});
  }
  void pack(const Pack&) const override {}
  void int8_product(const Int8Product& a) const override { reference::int8_product(a); }
  void int8_columns(const Int8Columns& a) const override { reference::int8_columns(a); }
  void add_bias(const AddBias& k) const override { reference::add_bias(k.n, k.d, k.bias, k.x); }
  void column_sums(const ColumnSums& k) const override {
    reference::column_sums(k.n, k.d, k.x, k.accumulate, k.sums);
  }
  void attention(const Attention& a) const override {
    if (a.q.type != ElementType::float32) return attend_rounded(a);
    reference::attention(a, a.q.floats(), a.k.floats(), a.v.floats(), a.out.floats(), a.log_sums,
                         a.weights, a.bias.table);
  }
  void attention_backward(const AttentionBackward& b) const override {
    const Attention& a = b.forward;
    if (a.q.type != ElementType::float32) return attend_rounded_backward(b);
    reference::attention_backward(a, a.q.floats(), a.k.floats(), a.v.floats(), b.d_out.floats(),
                                  b.d_q.floats(), b.d_k.floats(), b.d_v.floats(), b.accumulate_q,
                                  b.accumulate_k, b.accumulate_v, a.bias.table, b.d_bias);
  }
  void cached_attention(const CachedAttention& a) const override {
    reference::cached_attention(a, a.q, a.blocks, a.out);
  }
  void add_norm(const AddNorm& k) const override {
    reference::add_norm(k.type, k.y.rows, k.y.columns, k.a.floats(), k.b_to_s.floats(), k.gain,
                        k.bias, k.dropout, k.y.floats(), k.mean, k.rstd, k.epsilon);
    if (k.copy) round({k.y, k.copy});
  }
  void add_norm_backward(const AddNormBackward& k) const override {
    reference::add_norm_backward(k.type, k.d_y.rows, k.d_y.columns, k.d_y.floats(), k.s.floats(),
                                 k.gain, k.dropout, k.accumulate_a, k.d_a.floats(), k.d_b.floats(),
                                 k.accumulate_params, k.d_gain, k.d_bias);
    if (k.copy) round({k.d_b, k.copy});
  }
  void add_dropout(const AddDropout& k) const override {
    reference::add_dropout(k.n, k.d, k.a, k.b, k.dropout, k.y);
  }
  void dropout_backward(const DropoutBackward& k) const override {
    reference::dropout_backward(k.n, k.d, k.d_y, k.dropout, k.d_b);
  }
  void add(const Add& k) const override {
    for (std::int64_t i = 0; i < k.size; ++i) k.y[i] += k.x[i];
  }
  void multiply(const Multiply& k) const override {
    for (std::int64_t i = 0; i < k.size; ++i) k.y[i] = k.scale * k.a[i] * (k.b ? k.b[i] : 1);
  }
  void multiply_backward(const MultiplyBackward& k) const override {
    for (std::int64_t i = 0; i < k.size; ++i) {
      const float d_y = k.scale * k.d_y[i];
      k.d_a[i] = (k.accumulate_a ? k.d_a[i] : 0) + d_y * (k.b ? k.b[i] : 1);
      if (k.b) k.d_b[i] = (k.accumulate_b ? k.d_b[i] : 0) + d_y * k.a[i];
    }
  }
  void activate(const Activate& k) const override {
    std::vector<float> x = elements(k.x), y(x.size());
    reference::activation(k.kind, k.x.rows, k.x.columns, k.bias, x.data(), k.dropout, y.data());
    if (k.kind != Activation::relu) put(x, k.x);
    put(y, k.y);
    if (k.copy) put(y, k.copy);
  }
  void activate_backward(const ActivateBackward& k) const override {
    const std::vector<float> x = elements(k.x), y = elements(k.y), d_y = elements(k.d_y);
    std::vector<float> d_x(d_y.size());
    reference::activation_backward(k.kind, k.d_y.rows, k.d_y.columns, k.x ? x.data() : nullptr,
                                   y.data(), d_y.data(), k.dropout, d_x.data(), k.accumulate_bias,
                                   k.d_bias);
    put(d_x, k.d_x);
  }
  void embed(const Embed& k) const override {
    reference::embed(k.y.rows, k.y.columns, k.tokens, k.places, k.table.floats(),
                     k.positions.floats(), k.scale, k.dropout, k.y.floats());
  }
  void embed_backward(const EmbedBackward& k) const override {
    reference::embed_backward(k.d_y.rows, k.d_y.columns, k.tokens, k.places, k.d_y.floats(),
                              k.scale, k.dropout, k.d_table.floats(), k.d_positions.floats());
  }
  void cross_entropy(const CrossEntropy& k) const override {
    std::vector<float> z = elements(k.logits);
    reference::cross_entropy(k.logits.rows, k.logits.columns, k.targets, k.smoothing,
                             k.gradient_scale, z.data(), k.sums, k.agreement);
    if (k.gradient_scale != 0) put(z, k.gradient);
  }
  void alignment_loss(const AlignmentLoss& a) const override {
    reference::alignment_loss(a, a.q.floats(), a.k.floats(), a.sum, a.d_q.floats(), a.d_k.floats());
  }
  void best_of(const BestOf& k) const override {
    std::vector<float> logs(k.logits, k.logits + k.n * k.v);
    reference::log_softmax(k.n, k.v, logs.data());
    reference::best_of(k.n, k.v, logs.data(), k.best, k.values, k.indices, k.barred, k.barred_at,
                       k.asked, k.asked_at, k.asked_values);
  }
  void log_softmax(const LogSoftmax& k) const override {
    reference::log_softmax(k.n, k.v, k.logits);
  }
  void reduce(const Reduce& k) const override {
    reference::reduce(k.shards, k.gradients, k.begin, k.end, k.squares);
  }
  void moving_average(const MovingAverage& k) const override {
    reference::moving_average(k.size, k.weight, k.x, k.average);
  }
  void adam(const Adam& k) const override {
    reference::adam(k, k.size, k.gradient, k.parameters, k.m, k.v);
    if (k.copy) put({k.parameters, k.parameters + k.size}, k.copy);
  }
  void schedule_free(const ScheduleFree& k) const override {
    reference::schedule_free(k, k.gradient, k.y, k.z, k.v, k.x);
    if (k.copy) put({k.y, k.y + k.size}, k.copy);
  }
  void zero(const Zero& k) const override {
    for (std::int64_t r = 0; r < k.rows; ++r) std::fill_n(k.x + r * k.ld, k.columns, 0.0f);
  }
  void gather(const Gather& k) const override {
    reference::gather(k.y.rows, k.y.columns, k.rows, k.x.floats(), k.x.stride, k.accumulate,
                      k.y.floats(), k.y.stride);
  }
  void lstm(const Lstm& k) const override {
    reference::lstm(k.n, k.d, k.gates, k.recurrent, k.c_before, k.c, k.h);
  }
  void lstm_backward(const LstmBackward& k) const override {
    reference::lstm_backward(k.n, k.d, k.gates, k.c_before, k.c, k.d_h, k.d_c, k.d_gates,
                             k.accumulate, k.d_c_before);
  }
  void ssru(const Ssru& k) const override {
    reference::ssru(k.segments, k.d, k.gates, k.c_before.floats(), k.before, k.c, k.h);
  }
  void ssru_backward(const SsruBackward& k) const override {
    reference::ssru_backward(k.segments, k.d, k.gates, k.c, k.d_h, k.d_gates);
  }
  void additive_attention(const AdditiveAttention& k) const override {
    const Attention& a = k.inputs;
    reference::additive_attention(a, a.q.floats(), a.k.floats(), a.v.floats(), k.w, a.out.floats(),
                                  a.log_sums, a.weights);
  }
  void additive_attention_backward(const AdditiveAttentionBackward& k) const override {
    const AttentionBackward& b = k.rest;
    const Attention& a = b.forward;
    reference::additive_attention_backward(a, a.q.floats(), a.k.floats(), a.v.floats(), k.w,
                                           b.d_out.floats(), b.d_q.floats(), b.d_k.floats(),
                                           b.d_v.floats(), k.d_w, b.accumulate_q, b.accumulate_k,
                                           b.accumulate_v, k.accumulate_w);
  }

 private:
  // The elements of a matrix of any type, without gaps.
  static std::vector<float> elements(const ConstMatrix& of) {
    std::vector<float> all;
    for (std::int64_t r = 0; of && r < of.rows; ++r)
      for (std::int64_t c = 0; c < of.columns; ++c) {
        const std::int64_t at = r * of.stride + c;
        all.push_back(of.type == ElementType::float32 ? of.floats()[at]
                                                      : widen(of.as<Bfloat16>()[at]));
      }
    return all;
  }
  void put(const std::vector<float>& from, const Matrix& to) const {
    const ConstMatrix all = float32(from.data(), to.rows, to.columns);
    if (to.type != ElementType::float32) return round({all, to});
    for (std::int64_t r = 0; r < to.rows; ++r)
      std::copy_n(all.floats() + r * to.columns, to.columns, to.floats() + r * to.stride);
  }
  struct Wide {
    std::vector<float> q, k, v, out;
    Attention of;
    explicit Wide(const Attention& a)
        : q(elements(a.q)), k(elements(a.k)), v(elements(a.v)), out(elements(a.out)), of(a) {
      of.q = float32(q.data(), a.q.rows, a.q.columns);
      of.k = float32(k.data(), a.k.rows, a.k.columns);
      of.v = float32(v.data(), a.v.rows, a.v.columns);
      of.out = float32(out.data(), a.out.rows, a.out.columns);
    }
  };
  void attend_rounded(const Attention& a) const {
    const Wide w(a);
    attention(w.of);
    put(w.out, a.out);
  }
  void attend_rounded_backward(const AttentionBackward& b) const {
    const Wide w(b.forward);
    const std::vector<float> d_out = elements(b.d_out);
    std::vector<float> d_q(w.q.size()), d_k(w.k.size()), d_v(w.v.size());
    AttentionBackward of;
    of.forward = w.of;
    of.d_out = float32(d_out.data(), b.d_out.rows, b.d_out.columns);
    of.d_q = float32(d_q.data(), b.d_q.rows, b.d_q.columns);
    of.d_k = float32(d_k.data(), b.d_k.rows, b.d_k.columns);
    of.d_v = float32(d_v.data(), b.d_v.rows, b.d_v.columns);
    attention_backward(of);
    put(d_q, b.d_q);
    put(d_k, b.d_k);
    put(d_v, b.d_v);
  }

  CpuBackend cpu_;
};

}  // namespace tt
