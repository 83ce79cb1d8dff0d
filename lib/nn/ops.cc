#include "nn/ops.h"

#include <algorithm>
#include <cmath>

namespace tt {

void row_product(Tape& tape, std::int64_t rows, std::int64_t n, std::int64_t k, const float* x, const float* w, bool transposed,
                 float* y) {
  const Backend& backend = tape.backend();
  if (tape.recording()) backend.product(false, transposed, rows, n, k, 1, x, k, w, transposed ? k : n, false, y, n);
  else backend.row_product(transposed, rows, n, k, x, w, y);
}

// d_x = d_y W^T, d_W = x^T d_y.
Var linear(Tape& tape, Var x, Param w, Param bias) {
  TT_CHECK(x->columns == w.rows);
  const Backend& backend = tape.backend();
  Var y = tape.make(x->rows, w.columns);
  row_product(tape, x->rows, w.columns, w.rows, x->value, tape.value(w), false, y->value);
  if (bias) backend.add_bias(x->rows, w.columns, tape.value(bias), y->value);
  if (tape.recording())
    tape.record(y, [&tape, x, y, w, bias] {
      const Backend& backend = tape.backend();
      Gradients& gradients = tape.gradients();
      backend.product(true, false, w.rows, w.columns, x->rows, 1, x->value, w.rows, y->gradient, w.columns,
                      gradients.accumulate(w), gradients.of(w), w.columns);
      if (bias) backend.column_sums(x->rows, w.columns, y->gradient, gradients.accumulate(bias), gradients.of(bias));
      bool accumulate;
      float* d_x = tape.gradient(x, accumulate);
      backend.product(false, true, x->rows, w.rows, w.columns, 1, y->gradient, w.columns, tape.value(w), w.columns, accumulate,
                      d_x, w.rows);
    });
  return y;
}

Var attention(Tape& tape, const AttentionInputs& in, float* weights) {
  TT_CHECK(in.q_column + in.heads * in.d_k <= in.q->columns && in.v_column + in.heads * in.d_v <= in.kv->columns);
  Attention a;
  a.segments = in.segments;
  a.heads = in.heads;
  a.d_k = in.d_k;
  a.d_v = in.d_v;
  a.scale = 1 / std::sqrt(static_cast<float>(in.d_k));
  a.causal = in.causal;
  a.q = in.q->value + in.q_column;
  a.k = in.kv->value + in.k_column;
  a.v = in.kv->value + in.v_column;
  a.ldq = in.q->columns;
  a.ldk = a.ldv = in.kv->columns;
  a.dropout = tape.dropout(in.dropout);
  Var y = tape.make(in.q->rows, in.heads * in.d_v);
  float* log_sums = tape.recording() ? tape.arena().take_array<float>(in.q->rows * in.heads) : nullptr;
  tape.backend().attention(a, y->value, log_sums, weights);
  // A kv that serves several attentions (all decoder layers') gets each stretch of its columns from exactly one of them, so every
  // element of the gradient is written once, and none needs adding.
  if (tape.recording())
    tape.record(y, [&tape, a, y, log_sums, q = in.q, kv = in.kv, qc = in.q_column, kc = in.k_column, vc = in.v_column] {
      bool accumulate;
      float *d_q = tape.gradient(q, accumulate), *d_kv = tape.gradient(kv, accumulate);
      tape.backend().attention_backward(a, y->value, log_sums, y->gradient, d_q + qc, d_kv + kc, d_kv + vc);
      tape.arena().give(log_sums);
    });
  return y;
}

namespace {

struct RowStatistics {
  float *mean = nullptr, *rstd = nullptr;
};

RowStatistics take_statistics(Tape& tape, std::int64_t rows) {
  if (!tape.recording()) return {};
  return {tape.arena().take_array<float>(rows), tape.arena().take_array<float>(rows)};
}

}  // namespace

Var add_norm(Tape& tape, Var a, Var b, Param gain, Param bias, float rate) {
  TT_CHECK(a->rows == b->rows && a->columns == b->columns && gain.columns == a->columns);
  const Dropout dropout = tape.dropout(rate);
  const RowStatistics rows = take_statistics(tape, a->rows);
  Var y = tape.make(a->rows, a->columns);
  tape.backend().add_norm(a->rows, a->columns, a->value, b->value, tape.value(gain), tape.value(bias), dropout, y->value,
                          rows.mean, rows.rstd);
  if (tape.recording())
    tape.record(y, [&tape, a, b, y, gain, bias, dropout, rows] {
      Gradients& gradients = tape.gradients();
      bool accumulate_a, accumulate_b;
      float *d_a = tape.gradient(a, accumulate_a), *d_b = tape.gradient(b, accumulate_b);
      TT_CHECK(!accumulate_b);
      const bool accumulate = gradients.accumulate(gain);
      gradients.accumulate(bias);
      tape.backend().add_norm_backward(y->rows, y->columns, y->gradient, b->value, tape.value(gain), rows.mean, rows.rstd,
                                       dropout, accumulate_a, d_a, d_b, accumulate, gradients.of(gain), gradients.of(bias));
      tape.arena().give(rows.mean);
      tape.arena().give(rows.rstd);
    });
  return y;
}

Var norm(Tape& tape, Var x, Param gain, Param bias) {
  const RowStatistics rows = take_statistics(tape, x->rows);
  Var y = tape.make(x->rows, x->columns);
  tape.backend().add_norm(x->rows, x->columns, nullptr, x->value, tape.value(gain), tape.value(bias), {}, y->value, rows.mean,
                          rows.rstd);
  if (tape.recording())
    tape.record(y, [&tape, x, y, gain, bias, rows] {
      Gradients& gradients = tape.gradients();
      bool accumulate_x;
      float* d_x = tape.gradient(x, accumulate_x);
      const bool accumulate = gradients.accumulate(gain);
      gradients.accumulate(bias);
      tape.backend().add_norm_backward(y->rows, y->columns, y->gradient, x->value, tape.value(gain), rows.mean, rows.rstd, {},
                                       accumulate_x, d_x, nullptr, accumulate, gradients.of(gain), gradients.of(bias));
      tape.arena().give(rows.mean);
      tape.arena().give(rows.rstd);
    });
  return y;
}

Var add_dropout(Tape& tape, Var a, Var b, float rate) {
  TT_CHECK(a->rows == b->rows && a->columns == b->columns);
  const Dropout dropout = tape.dropout(rate);
  Var y = tape.make(a->rows, a->columns);
  tape.backend().add_dropout(a->rows, a->columns, a->value, b->value, dropout, y->value);
  if (tape.recording())
    tape.record(y, [&tape, a, b, y, dropout] {
      bool accumulate;
      float* d_b = tape.gradient(b, accumulate);
      TT_CHECK(!accumulate);
      tape.backend().dropout_backward(y->rows, y->columns, y->gradient, dropout, d_b);
      if (a->gradient) tape.backend().add(y->rows * y->columns, y->gradient, a->gradient);
      else a->gradient = std::exchange(y->gradient, nullptr);
    });
  return y;
}

Var activation(Tape& tape, Var x, Param bias, Activation kind, float rate) {
  TT_CHECK(bias.columns == x->columns);
  const Dropout dropout = tape.dropout(rate);
  float* in = x->value;
  Var y = kind == Activation::relu ? tape.take_over(x) : tape.make(x->rows, x->columns);
  tape.backend().activation(kind, x->rows, x->columns, tape.value(bias), in, dropout, y->value);
  if (tape.recording())
    tape.record(y, [&tape, x, y, bias, kind, dropout] {
      Gradients& gradients = tape.gradients();
      TT_CHECK(!x->gradient);
      x->gradient = std::exchange(y->gradient, nullptr);  // in place
      tape.backend().activation_backward(kind, x->rows, x->columns, x->value, y->value, x->gradient, dropout, x->gradient,
                                         gradients.accumulate(bias), gradients.of(bias));
    });
  return y;
}

Var embed(Tape& tape, const EmbedInputs& in) {
  TT_CHECK(in.tokens.size() == in.places.size() && (in.positions == nullptr) == static_cast<bool>(in.learned));
  const auto n = static_cast<std::int64_t>(in.tokens.size());
  const Dropout dropout = tape.dropout(in.dropout);
  Var y = tape.make(n, in.table.columns);
  tape.backend().embed(n, in.table.columns, in.tokens.data(), in.places.data(), tape.value(in.table),
                       in.positions ? in.positions : tape.value(in.learned), in.scale, dropout, y->value);
  if (tape.recording())
    tape.record(y, [&tape, in, y, n, dropout] {
      Gradients& gradients = tape.gradients();
      for (Param p : {in.table, in.learned})  // rows are added to: the first contribution of all needs zeros
        if (p && !gradients.accumulate(p)) tape.backend().zero(p.size(), gradients.of(p));
      tape.backend().embed_backward(n, in.table.columns, in.tokens.data(), in.places.data(), y->gradient, in.scale, dropout,
                                    gradients.of(in.table), in.learned ? gradients.of(in.learned) : nullptr);
    });
  return y;
}

}  // namespace tt
