#include "nn/ops.h"

#include <algorithm>
#include <numeric>

namespace tt {

void row_product(Tape& tape, const ConstMatrix& x, Param w, bool transposed, const Matrix& y,
                 Param bias) {
  const float* added = bias ? tape.value(bias) : nullptr;
  if (tape.recording())
    return tape.backend().product({false, transposed, x, tape.params().factor(w), false, y, added});
  if (const ConstMatrix eight = tape.params().int8(w)) {
    TT_CHECK(eight.columns == y.columns && eight.rows == x.columns);
    tape.backend().int8_product({x, eight, y});
  } else {
    tape.backend().row_product({transposed, x, tape.params().weights(w, transposed), y});
  }
  if (bias) tape.backend().add_bias({y.rows, y.columns, added, y.floats()});
}

namespace {

// d_x = d_y W^T, d_W = x^T d_y.
Var linear(Tape& tape, Var x, Param w, Param bias, ElementType type) {
  TT_CHECK(x->columns == w.rows);
  Var y = tape.make(x->rows, w.columns, type);
  row_product(tape, tape.factor(x), w, false, y->value, bias);
  if (tape.recording())
    tape.record(y, [&tape, x, y, w, bias] {
      const Backend& backend = tape.backend();
      Gradients& gradients = tape.gradients();
      const bool add_w = gradients.accumulate(w);
      const ConstMatrix d_y = tape.gradient_factor(y);
      backend.product({true, false, tape.factor(x), d_y, add_w, gradients.matrix(w)});
      if (bias) {
        const bool add_bias = gradients.accumulate(bias);
        backend.column_sums(
            {y->rows, y->columns, y->gradient.floats(), add_bias, gradients.of(bias)});
      }
      bool accumulate;
      const Matrix d_x = tape.gradient(x, accumulate);
      backend.product({false, true, d_y, tape.params().factor(w), accumulate, d_x});
    });
  return y;
}

}  // namespace

Var linear(Tape& tape, Var x, Param w, Param bias) {
  return linear(tape, x, w, bias, ElementType::float32);
}

DistanceBias distance_bias(Tape& tape, const Heads& heads) {
  if (!heads.bias) return {};
  TT_CHECK(heads.bias.rows == heads.heads);
  return {tape.value(heads.bias), heads.buckets, heads.bias.columns, heads.far};
}

// A product adds a bias to float32 alone, and so does attention.
Var attention_input(Tape& tape, Var x, Param w, Param bias, const Heads& heads) {
  const bool plain = !bias && !heads.additive && !heads.bias;
  return linear(tape, x, w, bias,
                plain ? tape.heads_type(heads.d_k, heads.d_v) : ElementType::float32);
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

// The gradients of an attention's inputs, of which it reads columns: of queries, of keys, of
// values.
struct Read {
  Var x;
  std::int64_t column, width;
};
bool meet(const Read& one, const Read& other) {
  return one.x == other.x && one.column < other.column + other.width &&
         other.column < one.column + one.width;
}

// Queries, keys and values are separate columns, so that a matrix that serves several attentions
// (those of all decoder layers) gets each part of its gradient from the attention that read it.
void take_gradients(Tape& tape, const Read& q, const Read& k, const Read& v, AttentionBackward& b) {
  b.d_q = tape.gradient(q.x, q.column, q.width, b.accumulate_q);
  b.d_k = tape.gradient(k.x, k.column, k.width, b.accumulate_k);
  b.d_v = tape.gradient(v.x, v.column, v.width, b.accumulate_v);
  if (!meet(k, v) && !meet(q, k) && !meet(q, v)) return;
  // Columns read twice: zero those not written yet, then accumulate everything.
  const Backend& backend = tape.backend();
  if (!b.accumulate_q) backend.zero({q.x->rows, q.width, q.x->columns, b.d_q.floats()});
  if (!b.accumulate_k) backend.zero({k.x->rows, k.width, k.x->columns, b.d_k.floats()});
  if (!b.accumulate_v) backend.zero({v.x->rows, v.width, v.x->columns, b.d_v.floats()});
  b.accumulate_q = b.accumulate_k = b.accumulate_v = true;
}

void attention_backward(Tape& tape, AttentionBackward& b, Param bias) {
  if (!bias) return tape.backend().attention_backward(b);
  const std::int64_t queries = b.forward.segments.queries;
  Matrix parts = tape.take(queries, bias.size(), ElementType::float32);
  b.d_bias = parts.floats();
  tape.backend().attention_backward(b);
  const bool add = tape.gradients().accumulate(bias);
  tape.backend().column_sums(
      {queries, bias.size(), parts.floats(), add, tape.gradients().of(bias)});
  tape.give(parts);
}

}  // namespace

Var attention(Tape& tape, const AttentionInputs& in, float* weights) {
  const std::int64_t hk = in.heads * in.d_k, hv = in.heads * in.d_v;
  const Read q{in.q, in.q_column, hk}, k{in.kv, in.k_column, hk},
      v{in.values ? in.values : in.kv, in.v_column, hv};
  for (const Read& part : {q, k, v}) TT_CHECK(part.column + part.width <= part.x->columns);
  TT_CHECK(!in.additive || in.additive.size() == hk);
  Attention a;
  a.segments = in.segments;
  a.heads = in.heads;
  a.d_k = in.d_k;
  a.d_v = in.d_v;
  a.scale = in.scale;
  a.causal = in.causal;
  a.q = q.x->value.columns_from(q.column, q.width);
  a.k = k.x->value.columns_from(k.column, k.width);
  a.v = v.x->value.columns_from(v.column, v.width);
  TT_CHECK(a.q.type == a.k.type && a.q.type == a.v.type);
  a.bias = distance_bias(tape, in);
  TT_CHECK(!a.bias.table || a.q.type == ElementType::float32);
  a.dropout = tape.dropout(in.dropout);
  a.weights = weights;
  Var y = tape.make(q.x->rows, hv, a.q.type);
  a.out = y->value;
  if (tape.recording()) a.log_sums = tape.hold<float>(q.x->rows * in.heads);
  if (in.additive) tape.backend().additive_attention({a, tape.value(in.additive)});
  else tape.backend().attention(a);
  if (tape.recording())
    tape.record(y, [&tape, a, y, q, k, v, additive = in.additive, bias = in.bias] {
      AttentionBackward b;
      b.forward = a;
      b.d_out = y->gradient;
      take_gradients(tape, q, k, v, b);
      if (additive) {
        const bool add = tape.gradients().accumulate(additive);
        tape.backend().additive_attention_backward(
            {b, tape.value(additive), add, tape.gradients().of(additive)});
      } else {
        attention_backward(tape, b, bias);
      }
      tape.release(a.log_sums);
    });
  return y;
}

void alignment_loss(Tape& tape, const AlignmentInputs& in) {
  AlignmentLoss a;
  a.segments = in.segments;
  a.scale = in.scale;
  a.q = in.q->value.columns_from(in.q_column, in.d_k);
  a.k = in.k->value.columns_from(in.k_column, in.d_k);
  a.begins = tape.upload(in.begins);
  a.linked = tape.upload(in.linked);
  a.links = static_cast<std::int64_t>(in.linked.size());
  a.sum = in.sum;
  tape.backend().alignment_loss(a);
  if (!tape.recording() || in.weight == 0) return;
  a.sum = nullptr;
  a.gradient_scale = in.weight;
  tape.record(nullptr, [&tape, a, q = in.q, k = in.k, q_column = in.q_column,
                        k_column = in.k_column]() mutable {
    bool add_q, add_k;  // as attention() has been replayed
    a.d_q = tape.gradient(q, q_column, a.q.columns, add_q);
    a.d_k = tape.gradient(k, k_column, a.k.columns, add_k);
    TT_CHECK(add_q && add_k);
    tape.backend().alignment_loss(a);
  });
}

namespace {

struct RowStatistics {
  float *mean = nullptr, *rstd = nullptr;
};

RowStatistics take_statistics(Tape& tape, std::int64_t rows) {
  if (!tape.recording()) return {};
  return {tape.hold<float>(rows), tape.hold<float>(rows)};
}

// The record of a normalisation, with or without a sum before it.
struct NormRecord {
  Var y, s;  // the result, and the normalised sum
  NormParams params;
  RowStatistics rows;
  Dropout dropout;
};

void norm_backward(Tape& tape, const NormRecord& r, bool accumulate_a, const Matrix& d_a,
                   const Matrix& d_b) {
  Gradients& gradients = tape.gradients();
  const bool accumulate = gradients.accumulate(r.params.gain);
  AddNormBackward b;
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
  if (r.params.bias) gradients.accumulate(r.params.bias), b.d_bias = gradients.of(r.params.bias);
  b.type = r.params.type;
  if (d_b) b.copy = tape.copy_of_gradient(r.s);
  tape.backend().add_norm_backward(b);
  tape.release(r.rows.mean);
  tape.release(r.rows.rstd);
}

NormRecord normalise(Tape& tape, Var a, Var b, const NormParams& params, const Dropout& dropout) {
  const NormRecord r{tape.make(b->rows, b->columns), b, params, take_statistics(tape, b->rows),
                     dropout};
  AddNorm k;
  if (a) k.a = a->value;
  k.b_to_s = b->value;
  k.gain = tape.value(params.gain);
  if (params.bias) k.bias = tape.value(params.bias);
  k.dropout = dropout;
  k.y = r.y->value;
  k.copy = tape.copy_of(r.y);
  k.mean = r.rows.mean;
  k.rstd = r.rows.rstd;
  k.epsilon = params.epsilon;
  k.type = params.type;
  tape.backend().add_norm(k);
  return r;
}

}  // namespace

Var add_norm(Tape& tape, Var a, Var b, const NormParams& params, float rate) {
  TT_CHECK(a->rows == b->rows && a->columns == b->columns && params.gain.columns == a->columns);
  const NormRecord r = normalise(tape, a, b, params, tape.dropout(rate));
  if (tape.recording())
    tape.record(r.y, [&tape, a, r] {
      bool accumulate_a, accumulate_b;
      const Matrix d_a = tape.gradient(a, accumulate_a), d_b = tape.gradient(r.s, accumulate_b);
      TT_CHECK(!accumulate_b);
      norm_backward(tape, r, accumulate_a, d_a, d_b);
    });
  return r.y;
}

Var norm(Tape& tape, Var x, const NormParams& params) {
  const NormRecord r = normalise(tape, nullptr, x, params, {});
  if (tape.recording())
    tape.record(r.y, [&tape, x, r] {
      bool accumulate;
      const Matrix d_x = tape.gradient(x, accumulate);
      norm_backward(tape, r, accumulate, d_x, {});
    });
  return r.y;
}

Var add_dropout(Tape& tape, Var a, Var b, float rate) {
  TT_CHECK(a->rows == b->rows && a->columns == b->columns);
  const Dropout dropout = tape.dropout(rate);
  Var y = tape.make(a->rows, a->columns);
  tape.backend().add_dropout(
      {a->rows, a->columns, a->value.floats(), b->value.floats(), dropout, y->value.floats()});
  if (tape.recording())
    tape.record(y, [&tape, a, b, y, dropout] {
      bool accumulate;
      const Matrix d_b = tape.gradient(b, accumulate);
      TT_CHECK(!accumulate);
      tape.backend().dropout_backward(
          {y->rows, y->columns, y->gradient.floats(), dropout, d_b.floats()});
      if (!a->gradient) {
        a->gradient = std::exchange(y->gradient, {});
        return;
      }
      const Matrix d_a = tape.gradient(a, accumulate);
      tape.backend().add({y->rows * y->columns, y->gradient.floats(), d_a.floats()});
    });
  return y;
}

Var multiply(Tape& tape, Var a, Var b, float scale) {
  TT_CHECK(!b || (a->rows == b->rows && a->columns == b->columns && a != b));
  const std::int64_t size = a->rows * a->columns;
  const float* factors = b ? b->value.floats() : nullptr;
  Var y = tape.make(a->rows, a->columns);
  tape.backend().multiply({size, scale, a->value.floats(), factors, y->value.floats()});
  if (tape.recording())
    tape.record(y, [&tape, a, b, y, size, scale, factors] {
      MultiplyBackward k{size, scale, y->gradient.floats(), a->value.floats(), factors};
      k.d_a = tape.gradient(a, k.accumulate_a).floats();
      if (b) k.d_b = tape.gradient(b, k.accumulate_b).floats();
      tape.backend().multiply_backward(k);
    });
  return y;
}

Var multiply(Tape& tape, Var a, float scale) { return multiply(tape, a, nullptr, scale); }

// The result of the product becomes that of the activation if it is ReLU. Backward, its gradient
// is written as the factor that it is for nothing else, in place or, of another type, elsewhere.
Var activation(Tape& tape, Var input, Param w, Param bias, Activation kind, float rate,
               bool multiplied) {
  TT_CHECK(!bias || bias.columns == w.columns);
  const bool relu = kind == Activation::relu;
  Var x = linear(tape, input, w, {},
                 relu && !multiplied ? tape.result_type(w.columns) : ElementType::float32);
  const Dropout dropout = tape.dropout(rate);
  const Matrix in = x->value;
  Var y = relu ? tape.take_over(x) : tape.make(x->rows, x->columns);
  tape.backend().activate({kind, in, bias ? tape.value(bias) : nullptr, dropout, y->value,
                           multiplied ? Matrix() : tape.copy_of(y)});
  if (tape.recording())
    tape.record(y, [&tape, x, y, bias, kind, dropout] {
      Gradients& gradients = tape.gradients();
      TT_CHECK(!x->gradient);
      Matrix d_y = std::exchange(y->gradient, {});
      const bool in_place = d_y.type == tape.factor_type();
      x->gradient = in_place ? d_y : tape.take(x->rows, x->columns, tape.factor_type());
      const bool add = bias && gradients.accumulate(bias);
      tape.backend().activate_backward({kind, x->value, y->value, d_y, dropout, x->gradient, add,
                                        bias ? gradients.of(bias) : nullptr});
      if (!in_place) tape.give(d_y);
    });
  return y;
}

Var embed(Tape& tape, const EmbedInputs& in) {
  TT_CHECK(!in.positions == static_cast<bool>(in.learned));
  const std::int64_t n = in.rows, d = in.table.columns;
  const Dropout dropout = tape.dropout(in.dropout);
  Var y = tape.make(n, d);
  const ConstMatrix positions = in.positions ? in.positions : tape.params().stored(in.learned);
  if (const ConstMatrix eight = tape.recording() ? ConstMatrix() : tape.params().int8(in.table)) {
    Matrix rows = tape.take(n, d, ElementType::float32);
    const auto same = tape.host_array<std::int32_t>(n);
    std::iota(same.begin(), same.end(), 0);
    tape.backend().int8_columns({eight, in.tokens, rows});
    tape.backend().embed(
        {tape.upload(same), in.places, rows, positions, in.scale, dropout, y->value});
    tape.give(rows);
    return y;
  }
  tape.backend().embed({in.tokens, in.places, tape.params().stored(in.table), positions, in.scale,
                        dropout, y->value});
  if (tape.recording())
    tape.record(y, [&tape, in, y, dropout] {
      Gradients& gradients = tape.gradients();
      for (Param p :
           {in.table, in.learned})  // rows are accumulated: the first contribution needs zeros
        if (p && !gradients.accumulate(p))
          tape.backend().zero({1, p.size(), p.size(), gradients.of(p)});
      Matrix d_positions;
      if (in.learned) d_positions = gradients.matrix(in.learned);
      tape.backend().embed_backward({in.tokens, in.places, y->gradient, in.scale, dropout,
                                     gradients.matrix(in.table), d_positions});
    });
  return y;
}

}  // namespace tt
