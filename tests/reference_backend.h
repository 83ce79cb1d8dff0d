// The naive kernels of reference.h behind the interface of tensor/backend.h, for comparison with a backend call by call. It uses
// host memory.
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
  bool is_host() const override { return true; }
  void upload(void* to, const void* from, std::size_t bytes) const override { cpu_.upload(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) const override { cpu_.download(to, from, bytes); }
  void synchronise() const override {}

  // Digit by digit, as on paper: the candidates are the number cut off and the next one away from zero.
  void round(const Round& k) const override {
    const std::int64_t wide = (k.columns + 7) / 8 * 8;
    for (std::int64_t r = 0; r < k.rows; ++r)
      for (std::int64_t c = 0; c < wide; ++c) {
        const float x = c < k.columns ? k.from[r * k.ld + c] : 0;
        const auto cut = static_cast<Bfloat16>(std::bit_cast<std::uint32_t>(x) >> 16), next = static_cast<Bfloat16>(cut + 1);
        const double below = std::abs(double{x} - double{widen(cut)}), above = std::abs(double{widen(next)} - double{x});
        k.to[r * wide + c] = below < above || (below == above && cut % 2 == 0) ? cut : next;
      }
  }
  void round_to(Bfloat16* to, std::int64_t n, std::int64_t d, const float* from) const {
    if (to) round({n, d, from, d, to});
  }
  void product(const Product& k) const override {
    if (k.rounded_c) {
      Product wide = k;
      std::vector<float> c(static_cast<std::size_t>(k.m * k.n));
      wide.c = c.data();
      wide.ldc = k.n;
      wide.rounded_c = nullptr;
      product(wide);
      return round_to(k.rounded_c, k.m, k.n, c.data());
    }
    reference::product(k.transpose_a, k.transpose_b, k.m, k.n, k.k, k.a, k.lda, k.b, k.ldb, k.accumulate, k.c, k.ldc);
    for (std::int64_t r = 0; k.bias && r < k.m; ++r) reference::add_bias(1, k.n, k.bias, k.c + r * k.ldc);
  }
  void row_product(const RowProduct& k) const override {
    reference::product(false, k.transposed, k.rows, k.n, k.k, k.x, k.k, k.w, k.transposed ? k.k : k.n, false, k.y, k.n);
  }
  void pack(const Pack&) const override {}
  void int8_product(const Int8Product& a) const override { reference::int8_product(a); }
  void int8_columns(const Int8Columns& a) const override { reference::int8_columns(a); }
  void add_bias(const AddBias& k) const override { reference::add_bias(k.n, k.d, k.bias, k.x); }
  void column_sums(const ColumnSums& k) const override { reference::column_sums(k.n, k.d, k.x, k.accumulate, k.sums); }
  void attention(const Attention& a) const override {
    if (a.narrow.q) return attend_narrow(a);
    reference::attention(a, a.q, a.k, a.v, a.out, a.log_sums, a.weights);
  }
  void attention_backward(const AttentionBackward& b) const override {
    const Attention& a = b.forward;
    if (a.narrow.q) return attend_narrow_backward(b);
    reference::attention_backward(a, a.q, a.k, a.v, b.d_out, b.d_q, b.d_k, b.d_v, b.accumulate_q, b.accumulate_k, b.accumulate_v);
  }
  void cached_attention(const CachedAttention& a) const override { reference::cached_attention(a, a.q, a.blocks, a.out); }
  void add_norm(const AddNorm& k) const override {
    reference::add_norm(k.n, k.d, k.a, k.b_to_s, k.gain, k.bias, k.dropout, k.y, k.mean, k.rstd, k.epsilon);
    round_to(k.rounded, k.n, k.d, k.y);
  }
  void add_norm_backward(const AddNormBackward& k) const override {
    reference::add_norm_backward(k.n, k.d, k.d_y, k.s, k.gain, k.dropout, k.accumulate_a, k.d_a, k.d_b, k.accumulate_params,
                                 k.d_gain, k.d_bias);
    round_to(k.rounded, k.n, k.d, k.d_b);
  }
  void add_dropout(const AddDropout& k) const override { reference::add_dropout(k.n, k.d, k.a, k.b, k.dropout, k.y); }
  void dropout_backward(const DropoutBackward& k) const override {
    reference::dropout_backward(k.n, k.d, k.d_y, k.dropout, k.d_b);
  }
  void add(const Add& k) const override {
    for (std::int64_t i = 0; i < k.size; ++i) k.y[i] += k.x[i];
  }
  void activate(const Activate& k) const override {
    if (k.rounded_x) {
      std::vector<float> x = wide(k.rounded_x, k.n, k.d, k.d);
      return activate({k.kind, k.n, k.d, k.bias, x.data(), k.dropout, nullptr, k.rounded});
    }
    float* y = k.y ? k.y : k.x;
    reference::activation(k.kind, k.n, k.d, k.bias, k.x, k.dropout, y);
    round_to(k.rounded, k.n, k.d, y);
  }
  void activate_backward(const ActivateBackward& k) const override {
    if (k.rounded_d_y) {
      std::vector<float> d_y = wide(k.rounded_d_y, k.n, k.d, k.d);
      return activate_backward({k.kind, k.n, k.d, nullptr, nullptr, d_y.data(), k.dropout, d_y.data(), k.accumulate_bias,
                                k.d_bias, k.rounded, k.rounded_y});
    }
    std::vector<float> y(static_cast<std::size_t>(k.y ? 0 : k.n * k.d));
    const std::int64_t stored = (k.d + 7) / 8 * 8;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = widen(k.rounded_y[i / k.d * stored + i % k.d]);
    reference::activation_backward(k.kind, k.n, k.d, k.x, k.y ? k.y : y.data(), k.d_y, k.dropout, k.d_x, k.accumulate_bias,
                                   k.d_bias);
    round_to(k.rounded, k.n, k.d, k.d_x);
  }
  void embed(const Embed& k) const override {
    reference::embed(k.n, k.d, k.tokens, k.places, k.table, k.positions, k.scale, k.dropout, k.y);
  }
  void embed_backward(const EmbedBackward& k) const override {
    reference::embed_backward(k.n, k.d, k.tokens, k.places, k.d_y, k.scale, k.dropout, k.d_table, k.d_positions);
  }
  void cross_entropy(const CrossEntropy& k) const override {
    if (!k.logits && k.n > 0) {
      std::vector<float> z = wide(k.rounded, k.n, k.v, k.v);
      return cross_entropy({k.n, k.v, k.targets, k.smoothing, k.gradient_scale, z.data(), k.sums, k.rounded});
    }
    reference::cross_entropy(k.n, k.v, k.targets, k.smoothing, k.gradient_scale, k.logits, k.sums, k.agreement);
    if (k.gradient_scale != 0) round_to(k.rounded, k.n, k.v, k.logits);
  }
  void best_of(const BestOf& k) const override {
    std::vector<float> logs(k.logits, k.logits + k.n * k.v);
    reference::log_softmax(k.n, k.v, logs.data());
    reference::best_of(k.n, k.v, logs.data(), k.best, k.values, k.indices, k.barred, k.barred_at, k.asked, k.asked_at,
                       k.asked_values);
  }
  void log_softmax(const LogSoftmax& k) const override { reference::log_softmax(k.n, k.v, k.logits); }
  void reduce(const Reduce& k) const override { reference::reduce(k.shards, k.gradients, k.begin, k.end, k.squares); }
  void moving_average(const MovingAverage& k) const override { reference::moving_average(k.size, k.weight, k.x, k.average); }
  void adam(const Adam& k) const override {
    reference::adam(k, k.size, k.gradient, k.parameters, k.m, k.v);
    if (!k.rounded) return;
    std::vector<Bfloat16> all(static_cast<std::size_t>(k.size + 7));
    round({1, k.size, k.parameters, k.size, all.data()});
    std::copy_n(all.begin(), k.size, k.rounded);
  }
  void zero(const Zero& k) const override {
    for (std::int64_t r = 0; r < k.rows; ++r) std::fill_n(k.x + r * k.ld, k.columns, 0.0f);
  }
  void gather(const Gather& k) const override { reference::gather(k.n, k.d, k.rows, k.x, k.ldx, k.accumulate, k.y, k.ldy); }
  void lstm(const Lstm& k) const override { reference::lstm(k.n, k.d, k.gates, k.recurrent, k.c_before, k.c, k.h); }
  void lstm_backward(const LstmBackward& k) const override {
    reference::lstm_backward(k.n, k.d, k.gates, k.c_before, k.c, k.d_h, k.d_c, k.d_gates, k.accumulate, k.d_c_before);
  }
  void ssru(const Ssru& k) const override { reference::ssru(k.segments, k.d, k.gates, k.c_before, k.before, k.c, k.h); }
  void ssru_backward(const SsruBackward& k) const override {
    reference::ssru_backward(k.segments, k.d, k.gates, k.c, k.d_h, k.d_gates);
  }
  void additive_attention(const AdditiveAttention& k) const override {
    const Attention& a = k.inputs;
    reference::additive_attention(a, a.q, a.k, a.v, k.w, a.out, a.log_sums, a.weights);
  }
  void additive_attention_backward(const AdditiveAttentionBackward& k) const override {
    const AttentionBackward& b = k.rest;
    const Attention& a = b.forward;
    reference::additive_attention_backward(a, a.q, a.k, a.v, k.w, b.d_out, b.d_q, b.d_k, b.d_v, k.d_w, b.accumulate_q,
                                           b.accumulate_k, b.accumulate_v, k.accumulate_w);
  }

 private:
  // Rows of a narrow matrix, `ld` apart, as far as the last one that is read.
  static std::vector<float> wide(const Bfloat16* x, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
    std::vector<float> y(static_cast<std::size_t>(rows * ld));
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) y[static_cast<std::size_t>(r * ld + c)] = widen(x[r * ld + c]);
    return y;
  }
  void narrow(const std::vector<float>& x, std::int64_t rows, std::int64_t columns, std::int64_t ld, Bfloat16* to) const {
    std::vector<Bfloat16> row(static_cast<std::size_t>((columns + 7) / 8 * 8));
    for (std::int64_t r = 0; r < rows; ++r) {
      round({1, columns, x.data() + r * ld, columns, row.data()});
      std::copy_n(row.begin(), columns, to + r * ld);
    }
  }
  struct Wide {
    std::int64_t queries, keys, hk, hv;
    std::vector<float> q, k, v, out;
    Attention of;
    explicit Wide(const Attention& a)
        : queries(a.segments.queries), keys(a.segments.keys), hk(a.heads * a.d_k), hv(a.heads * a.d_v),
          q(wide(a.narrow.q, queries, hk, a.ldq)), k(wide(a.narrow.k, keys, hk, a.ldk)), v(wide(a.narrow.v, keys, hv, a.ldv)),
          out(static_cast<std::size_t>(queries * hv)), of(a) {
      of.q = q.data();
      of.k = k.data();
      of.v = v.data();
      of.out = out.data();
      of.narrow.q = nullptr;
    }
  };
  void attend_narrow(const Attention& a) const {
    const Wide w(a);
    attention(w.of);
    narrow(w.out, w.queries, w.hv, w.hv, a.narrow.out);
  }
  void attend_narrow_backward(const AttentionBackward& b) const {
    const Attention& a = b.forward;
    Wide w(a);
    w.out = wide(a.narrow.out, w.queries, w.hv, w.hv);
    w.of.out = w.out.data();
    const std::vector<float> d_out = wide(b.narrow.d_out, w.queries, w.hv, w.hv);
    std::vector<float> d_q(w.q.size()), d_k(w.k.size()), d_v(w.v.size());
    AttentionBackward of;
    of.forward = w.of;
    of.d_out = d_out.data();
    of.d_q = d_q.data();
    of.d_k = d_k.data();
    of.d_v = d_v.data();
    attention_backward(of);
    narrow(d_q, w.queries, w.hk, a.ldq, b.narrow.d_q);
    narrow(d_k, w.keys, w.hk, a.ldk, b.narrow.d_k);
    narrow(d_v, w.keys, w.hv, a.ldv, b.narrow.d_v);
  }

  CpuBackend cpu_;
};

}  // namespace tt
