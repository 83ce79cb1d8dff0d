#include "nn/ops.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tt {

void row_product(Tape& tape, std::int64_t rows, const float* x, Param w, bool transposed, float* y, const Bfloat16* rounded_x,
                 Param bias) {
  const std::int64_t k = transposed ? w.columns : w.rows, n = transposed ? w.rows : w.columns;
  const float* added = bias ? tape.value(bias) : nullptr;
  if (tape.recording()) {
    tape.backend().product(
        {false, transposed, rows, n, k, x, k, tape.value(w), w.columns, false, y, n, rounded_x, tape.rounded(w), added});
    return;
  }
  if (const Int8Matrix* matrix = tape.int8(w)) {
    TT_CHECK(matrix->n == n && matrix->k == k);
    tape.backend().int8_product({rows, *matrix, x, y});
  } else {
    tape.backend().row_product({transposed, rows, n, k, x, tape.value(w), y, tape.packed(w, transposed)});
  }
  if (bias) tape.backend().add_bias({rows, n, added, y});
}

// d_x = d_y W^T, d_W = x^T d_y.
Var linear(Tape& tape, Var x, Param w, Param bias, bool narrow) {
  TT_CHECK(x->columns == w.rows);
  narrow = narrow && !bias && tape.may_be_narrow(w.columns);
  Var y = narrow ? tape.make_narrow(x->rows, w.columns) : tape.make(x->rows, w.columns);
  if (narrow) {
    Product p{false, false, x->rows, w.columns, w.rows, x->value, w.rows, tape.value(w), w.columns, false, nullptr, w.columns};
    p.rounded_a = tape.rounded(x);
    p.rounded_b = tape.rounded(w);
    p.rounded_c = y->rounded;
    tape.backend().product(p);
  } else {
    row_product(tape, x->rows, x->value, w, false, y->value, tape.rounded(x), bias);
  }
  if (tape.recording())
    tape.record(y, [&tape, x, y, w, bias] {
      const Backend& backend = tape.backend();
      Gradients& gradients = tape.gradients();
      const std::int64_t rows = x->rows, in = w.rows, out = w.columns;
      const bool add_w = gradients.accumulate(w);
      const Bfloat16* rounded = tape.rounded_gradient(y);
      backend.product(
          {true, false, in, out, rows, x->value, in, y->gradient, out, add_w, gradients.of(w), out, tape.rounded(x), rounded});
      if (bias) {
        const bool add_bias = gradients.accumulate(bias);
        backend.column_sums({rows, out, y->gradient, add_bias, gradients.of(bias)});
      }
      Product p{false, true, rows, in, out, y->gradient, out, tape.value(w), out, false, nullptr, in, rounded, tape.rounded(w)};
      if (Tape::is_narrow(x)) p.rounded_c = tape.narrow_gradient(x);
      else p.c = tape.gradient(x, p.accumulate);
      backend.product(p);
    });
  return y;
}

Segments upload_segments(Tape& tape, std::span<const Segment> segments, std::int64_t window) {
  Segments all;
  all.at = tape.upload(segments);
  all.window = window;
  all.count = static_cast<std::int64_t>(segments.size());
  for (const Segment& s : segments) {
    const std::int64_t queries = s.query_end - s.query_begin, keys = s.key_end - s.key_begin;
    all.queries += queries;
    all.keys += keys;
    all.longest_queries = std::max(all.longest_queries, queries);
    all.longest_keys = std::max(all.longest_keys, keys);
    all.pairs += static_cast<double>(queries) * static_cast<double>(keys);
    if (window == 0) {
      all.seen += static_cast<double>(queries) * static_cast<double>(keys);
      all.causal_seen += static_cast<double>(queries) * static_cast<double>(queries + 1) / 2;
    }
    for (std::int64_t i = 0; window > 0 && i < queries; ++i) {
      const std::int64_t before = std::min(i, window), after = std::min(keys - 1 - i, window);
      all.seen += static_cast<double>(std::max<std::int64_t>(before + 1 + after, 0));
      all.causal_seen += static_cast<double>(before + 1);
    }
  }
  return all;
}

namespace {

// The gradients of an attention's inputs, of which it reads columns: of queries, of keys, of values.
struct Read {
  Var x;
  std::int64_t column, width;
};
bool meet(const Read& one, const Read& other) {
  return one.x == other.x && one.column < other.column + other.width && other.column < one.column + one.width;
}

// Queries, keys and values are separate columns, so that a matrix that serves several attentions (those of all decoder layers)
// gets each part of its gradient from the attention that read it.
void take_gradients(Tape& tape, const Read& q, const Read& k, const Read& v, AttentionBackward& b) {
  if (b.forward.narrow.q) {
    b.narrow.d_q = tape.narrow_gradient(q.x, q.column, q.width);
    b.narrow.d_k = tape.narrow_gradient(k.x, k.column, k.width);
    b.narrow.d_v = tape.narrow_gradient(v.x, v.column, v.width);
    return;
  }
  b.d_q = tape.gradient(q.x, q.column, q.width, b.accumulate_q);
  b.d_k = tape.gradient(k.x, k.column, k.width, b.accumulate_k);
  b.d_v = tape.gradient(v.x, v.column, v.width, b.accumulate_v);
  if (!meet(k, v) && !meet(q, k) && !meet(q, v)) return;
  // Columns read twice: zero those not written yet, then accumulate everything.
  const Backend& backend = tape.backend();
  if (!b.accumulate_q) backend.zero({q.x->rows, q.width, q.x->columns, b.d_q});
  if (!b.accumulate_k) backend.zero({k.x->rows, k.width, k.x->columns, b.d_k});
  if (!b.accumulate_v) backend.zero({v.x->rows, v.width, v.x->columns, b.d_v});
  b.accumulate_q = b.accumulate_k = b.accumulate_v = true;
}

}  // namespace

Var attention(Tape& tape, const AttentionInputs& in, float* weights) {
  const std::int64_t hk = in.heads * in.d_k, hv = in.heads * in.d_v;
  const Read q{in.q, in.q_column, hk}, k{in.kv, in.k_column, hk}, v{in.values ? in.values : in.kv, in.v_column, hv};
  for (const Read& part : {q, k, v}) TT_CHECK(part.column + part.width <= part.x->columns);
  TT_CHECK(!in.additive || in.additive.size() == hk);
  Attention a;
  a.segments = in.segments;
  a.heads = in.heads;
  a.d_k = in.d_k;
  a.d_v = in.d_v;
  a.scale = in.scale;
  a.causal = in.causal;
  a.ldq = q.x->columns;
  a.ldk = k.x->columns;
  a.ldv = v.x->columns;
  a.dropout = tape.dropout(in.dropout);
  a.weights = weights;
  const bool narrow = Tape::is_narrow(q.x);
  Var y = narrow ? tape.make_narrow(q.x->rows, hv) : tape.make(q.x->rows, hv);
  if (narrow) {
    TT_CHECK(Tape::is_narrow(k.x) && Tape::is_narrow(v.x) && !in.additive && !weights);
    a.narrow.q = q.x->rounded + q.column;
    a.narrow.k = k.x->rounded + k.column;
    a.narrow.v = v.x->rounded + v.column;
    a.narrow.out = y->rounded;
  } else {
    a.q = q.x->value + q.column;
    a.k = k.x->value + k.column;
    a.v = v.x->value + v.column;
    a.out = y->value;
  }
  if (tape.recording()) a.log_sums = tape.hold<float>(q.x->rows * in.heads);
  if (in.additive) tape.backend().additive_attention({a, tape.value(in.additive)});
  else tape.backend().attention(a);
  if (tape.recording())
    tape.record(y, [&tape, a, y, q, k, v, additive = in.additive] {
      AttentionBackward b;
      b.forward = a;
      b.d_out = y->gradient;
      b.narrow.d_out = y->rounded_gradient;
      take_gradients(tape, q, k, v, b);
      if (additive) {
        const bool add = tape.gradients().accumulate(additive);
        tape.backend().additive_attention_backward({b, tape.value(additive), add, tape.gradients().of(additive)});
      } else {
        tape.backend().attention_backward(b);
      }
      tape.release(a.log_sums);
    });
  return y;
}

namespace {

struct RowStatistics {
  float *mean = nullptr, *rstd = nullptr;
};

RowStatistics take_statistics(Tape& tape, std::int64_t rows) {
  if (!tape.recording()) return {};
  return {tape.hold<float>(rows), tape.hold<float>(rows)};
}

// The record of both forms of layer normalisation.
struct NormRecord {
  Var y, s;  // the result, and the normalised sum
  NormParams params;
  RowStatistics rows;
  Dropout dropout;
};

void norm_backward(Tape& tape, const NormRecord& r, bool accumulate_a, float* d_a, float* d_b) {
  Gradients& gradients = tape.gradients();
  const bool accumulate = gradients.accumulate(r.params.gain);
  gradients.accumulate(r.params.bias);
  AddNormBackward b;
  b.n = r.y->rows;
  b.d = r.y->columns;
  b.d_y = r.y->gradient;
  b.s = r.s->value;
  b.gain = tape.value(r.params.gain);
  b.mean = r.rows.mean;
  b.rstd = r.rows.rstd;
  b.dropout = r.dropout;
  b.accumulate_a = accumulate_a;
  b.d_a = d_a;
  b.d_b = d_b;
  b.accumulate_params = accumulate;
  b.d_gain = gradients.of(r.params.gain);
  b.d_bias = gradients.of(r.params.bias);
  if (d_b) b.rounded = tape.room_for_rounded_gradient(r.s);
  tape.backend().add_norm_backward(b);
  tape.release(r.rows.mean);
  tape.release(r.rows.rstd);
}

}  // namespace

Var add_norm(Tape& tape, Var a, Var b, const NormParams& params, float rate) {
  TT_CHECK(a->rows == b->rows && a->columns == b->columns && params.gain.columns == a->columns);
  const NormRecord r{tape.make(a->rows, a->columns), b, params, take_statistics(tape, a->rows), tape.dropout(rate)};
  tape.backend().add_norm({a->rows, a->columns, a->value, b->value, tape.value(params.gain), tape.value(params.bias), r.dropout,
                           r.y->value, r.rows.mean, r.rows.rstd, params.epsilon, tape.room_for_rounded(r.y)});
  if (tape.recording())
    tape.record(r.y, [&tape, a, r] {
      bool accumulate_a, accumulate_b;
      float *d_a = tape.gradient(a, accumulate_a), *d_b = tape.gradient(r.s, accumulate_b);
      TT_CHECK(!accumulate_b);
      norm_backward(tape, r, accumulate_a, d_a, d_b);
    });
  return r.y;
}

Var norm(Tape& tape, Var x, const NormParams& params) {
  const NormRecord r{tape.make(x->rows, x->columns), x, params, take_statistics(tape, x->rows), Dropout()};
  tape.backend().add_norm({x->rows, x->columns, nullptr, x->value, tape.value(params.gain), tape.value(params.bias), r.dropout,
                           r.y->value, r.rows.mean, r.rows.rstd, params.epsilon, tape.room_for_rounded(r.y)});
  if (tape.recording())
    tape.record(r.y, [&tape, x, r] {
      bool accumulate;
      float* d_x = tape.gradient(x, accumulate);
      norm_backward(tape, r, accumulate, d_x, nullptr);
    });
  return r.y;
}

Var add_dropout(Tape& tape, Var a, Var b, float rate) {
  TT_CHECK(a->rows == b->rows && a->columns == b->columns);
  const Dropout dropout = tape.dropout(rate);
  Var y = tape.make(a->rows, a->columns);
  tape.backend().add_dropout({a->rows, a->columns, a->value, b->value, dropout, y->value});
  if (tape.recording())
    tape.record(y, [&tape, a, b, y, dropout] {
      bool accumulate;
      float* d_b = tape.gradient(b, accumulate);
      TT_CHECK(!accumulate);
      tape.backend().dropout_backward({y->rows, y->columns, y->gradient, dropout, d_b});
      if (!a->gradient) {
        a->gradient = std::exchange(y->gradient, nullptr);
        return;
      }
      tape.gradient(a, accumulate);
      tape.backend().add({y->rows * y->columns, y->gradient, a->gradient});
    });
  return y;
}

Var activation(Tape& tape, Var x, Param bias, Activation kind, float rate) {
  TT_CHECK(bias.columns == x->columns);
  const Dropout dropout = tape.dropout(rate);
  if (Tape::is_narrow(x)) {
    TT_CHECK(kind == Activation::relu);
    Var y = tape.take_over(x);
    tape.backend().activate({kind, y->rows, y->columns, tape.value(bias), nullptr, dropout, nullptr, y->rounded, y->rounded});
    tape.record(y, [&tape, x, y, bias, kind, dropout] {
      Gradients& gradients = tape.gradients();
      Bfloat16* gradient = x->rounded_gradient = std::exchange(y->rounded_gradient, nullptr);  // in place
      const bool add = gradients.accumulate(bias);
      tape.backend().activate_backward({kind, x->rows, x->columns, nullptr, nullptr, nullptr, dropout, nullptr, add,
                                        gradients.of(bias), gradient, y->rounded, gradient});
    });
    return y;
  }
  float* in = x->value;
  Var y = kind == Activation::relu ? tape.take_over(x) : tape.make(x->rows, x->columns);
  tape.backend().activate({kind, x->rows, x->columns, tape.value(bias), in, dropout, y->value, tape.room_for_rounded(y)});
  if (tape.recording())
    tape.record(y, [&tape, x, y, bias, kind, dropout] {
      Gradients& gradients = tape.gradients();
      TT_CHECK(!x->gradient);
      x->gradient = std::exchange(y->gradient, nullptr);  // in place
      const bool add = gradients.accumulate(bias);
      tape.backend().activate_backward({kind, x->rows, x->columns, x->value, y->value, x->gradient, dropout, x->gradient, add,
                                        gradients.of(bias), tape.room_for_rounded_gradient(x)});
    });
  return y;
}

Var embed(Tape& tape, const EmbedInputs& in) {
  TT_CHECK((in.positions == nullptr) == static_cast<bool>(in.learned));
  const std::int64_t n = in.rows, d = in.table.columns;
  const Dropout dropout = tape.dropout(in.dropout);
  Var y = tape.make(n, d);
  const float* positions = in.positions ? in.positions : tape.value(in.learned);
  if (const Int8Matrix* matrix = tape.recording() ? nullptr : tape.int8(in.table)) {
    float* rows = tape.arena().take_array<float>(n * d);
    const auto same = tape.host_array<std::int32_t>(n);
    std::iota(same.begin(), same.end(), 0);
    tape.backend().int8_columns({n, *matrix, in.tokens, rows});
    tape.backend().embed(
        {n, d, tape.upload(std::span<const std::int32_t>(same)), in.places, rows, positions, in.scale, dropout, y->value});
    tape.arena().give(rows);
    return y;
  }
  const float* table = tape.value(in.table);
  const bool packed = !table;  // so it came
  if (packed) table = static_cast<const float*>(tape.packed(in.table, true));
  tape.backend().embed({n, d, in.tokens, in.places, table, positions, in.scale, dropout, y->value, packed});
  if (tape.recording())
    tape.record(y, [&tape, in, y, n, d, dropout] {
      Gradients& gradients = tape.gradients();
      for (Param p : {in.table, in.learned})  // rows are accumulated: the first contribution needs zeros
        if (p && !gradients.accumulate(p)) tape.backend().zero({1, p.size(), p.size(), gradients.of(p)});
      float* d_positions = in.learned ? gradients.of(in.learned) : nullptr;
      tape.backend().embed_backward(
          {n, d, in.tokens, in.places, y->gradient, in.scale, dropout, gradients.of(in.table), d_positions});
    });
  return y;
}

}  // namespace tt
