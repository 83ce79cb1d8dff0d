#include "nn/recurrent.h"

#include "base/error.h"
#include "nn/ops.h"

namespace tt {

Var gather(Tape& tape, Var x, const RowChoice& choice) {
  const std::int64_t d = x->columns;
  Var y = tape.make(choice.rows, d);
  tape.backend().gather({choice.rows, d, choice.from, x->value, d, false, y->value, d});
  if (tape.recording()) {
    TT_CHECK(choice.to);
    tape.record(y, [&tape, x, y, d, choice] {
      bool accumulate;
      float* d_x = tape.gradient(x, accumulate);
      tape.backend().gather({x->rows, d, choice.to, y->gradient, d, accumulate, d_x, d});
    });
  }
  return y;
}

Var concat(Tape& tape, Var a, Var b) {
  TT_CHECK(a->rows == b->rows);
  const std::int64_t n = a->rows, wide = a->columns + b->columns;
  Var y = tape.make(n, wide);
  tape.backend().gather({n, a->columns, nullptr, a->value, a->columns, false, y->value, wide});
  tape.backend().gather({n, b->columns, nullptr, b->value, b->columns, false, y->value + a->columns, wide});
  if (tape.recording())
    tape.record(y, [&tape, a, b, y, n, wide] {
      bool accumulate;
      float* d_a = tape.gradient(a, accumulate);
      tape.backend().gather({n, a->columns, nullptr, y->gradient, wide, accumulate, d_a, a->columns});
      float* d_b = tape.gradient(b, accumulate);
      tape.backend().gather({n, b->columns, nullptr, y->gradient + a->columns, wide, accumulate, d_b, b->columns});
    });
  return y;
}

Var dropout(Tape& tape, Var x, float rate) {
  const Dropout mask = tape.dropout(rate);
  if (mask.rate == 0) return x;
  const std::int64_t n = x->rows, d = x->columns;
  Var y = tape.make(n, d);
  tape.backend().dropout_backward({n, d, x->value, mask, y->value});  // an elementwise factor is its own derivative
  tape.record(y, [&tape, x, y, n, d, mask] {
    if (!x->gradient) {
      x->gradient = std::exchange(y->gradient, nullptr);
      tape.backend().dropout_backward({n, d, x->gradient, mask, x->gradient});
      return;
    }
    bool accumulate;
    float* d_x = tape.gradient(x, accumulate);
    tape.backend().dropout_backward({n, d, y->gradient, mask, y->gradient});
    tape.backend().add({n * d, y->gradient, d_x});
  });
  return y;
}

namespace {

// The gradient of x, zeroed if it has no contribution yet.
float* whole_gradient(Tape& tape, Var x) {
  bool accumulate;
  float* gradient = tape.gradient(x, accumulate);
  if (!accumulate) tape.backend().zero({1, x->rows * x->columns, x->rows * x->columns, gradient});
  return gradient;
}

// Backpropagation through time. The gradients of h and c of a step are complete once the next step has been processed.
void lstm_backward(Tape& tape, Var gates, Param u, const Steps& steps, const Cells& before, const Cells& out) {
  const Backend& backend = tape.backend();
  const std::int64_t d = u.rows, first = steps.begins[1], later = gates->rows - first;
  const bool many = steps.begins.size() > 2;
  bool accumulate;
  float* d_gates = tape.gradient(gates, accumulate);
  TT_CHECK(!accumulate);
  float *d_h = many ? whole_gradient(tape, out.h) : out.h->gradient, *d_c = many ? whole_gradient(tape, out.c) : out.c->gradient;
  for (std::size_t t = steps.begins.size() - 1; t-- > 0;) {
    const std::int64_t begin = steps.begins[t], n = steps.begins[t + 1] - begin;
    // The rows of the previous state: those of the previous step, or the initial state.
    const std::int64_t last = t > 0 ? steps.begins[t - 1] * d : 0;
    const float* c_before = t > 0 ? out.c->value + last : before.c ? before.c->value : nullptr;
    bool add_h = true, add_c = true;
    float *d_h_before = t > 0 ? d_h + last : nullptr, *d_c_before = t > 0 ? d_c + last : nullptr;
    if (t == 0 && before.h) d_h_before = tape.gradient(before.h, add_h), d_c_before = tape.gradient(before.c, add_c);
    float* sums = d_gates + begin * 4 * d;
    backend.lstm_backward({n, d, gates->value + begin * 4 * d, c_before, out.c->value + begin * d,
                           d_h ? d_h + begin * d : nullptr, d_c ? d_c + begin * d : nullptr, sums, add_c, d_c_before});
    if (d_h_before)
      backend.product(
          {false, true, n, d, 4 * d, sums, 4 * d, tape.value(u), 4 * d, add_h, d_h_before, d, nullptr, tape.rounded(u)});
  }
  float* d_u = tape.gradients().of(u);
  if (before.h) {
    const bool add = tape.gradients().accumulate(u);
    backend.product({true, false, d, 4 * d, first, before.h->value, d, d_gates, 4 * d, add, d_u, 4 * d});
  }
  if (later > 0) {
    float* h_before = tape.arena().take_array<float>(later * d);
    backend.gather({later, d, steps.before, out.h->value, d, false, h_before, d});
    const bool add = tape.gradients().accumulate(u);
    backend.product({true, false, d, 4 * d, later, h_before, d, d_gates + first * 4 * d, 4 * d, add, d_u, 4 * d});
    tape.arena().give(h_before);
  }
}

}  // namespace

Cells lstm(Tape& tape, Var gates, Param u, const Steps& steps, const Cells& before) {
  const std::int64_t d = u.rows;
  TT_CHECK(gates->columns == 4 * d && u.columns == 4 * d && steps.begins.size() >= 2 && steps.begins.back() == gates->rows);
  TT_CHECK(!before.h == !before.c && (!before.h || before.h->rows == steps.begins[1]));
  const Cells out = {tape.make(gates->rows, d), tape.make(gates->rows, d)};
  float* recurrent = tape.arena().take_array<float>(steps.begins[1] * 4 * d);
  const float *h = before.h ? before.h->value : nullptr, *c = before.c ? before.c->value : nullptr;
  for (std::size_t t = 0; t + 1 < steps.begins.size(); ++t) {
    const std::int64_t begin = steps.begins[t], n = steps.begins[t + 1] - begin;
    if (h) row_product(tape, n, h, u, false, recurrent);
    float *new_c = out.c->value + begin * d, *new_h = out.h->value + begin * d;
    tape.backend().lstm({n, d, gates->value + begin * 4 * d, h ? recurrent : nullptr, c, new_c, new_h});
    h = new_h, c = new_c;
  }
  tape.arena().give(recurrent);
  if (tape.recording()) {
    tape.record(out.c, [] {});  // nothing to do: the record of h, which is replayed first, handles c too
    tape.record(out.h, [&tape, gates, u, steps, before, out] { lstm_backward(tape, gates, u, steps, before, out); });
  }
  return out;
}

Var ssru(Tape& tape, Var gates, const Segments& segments, const CellRows& from, Var* cells) {
  const std::int64_t n = gates->rows, d = gates->columns / 2;
  TT_CHECK(gates->columns == 2 * d && segments.queries == n && (!from.cells || !tape.recording()));
  Var c = tape.make(n, d), h = tape.make(n, d);
  tape.backend().ssru({segments, d, gates->value, from.cells, from.before, c->value, h->value});
  if (cells) *cells = c;
  if (tape.recording()) {
    tape.record(c, [] {});  // its gradient is h's concern
    tape.record(h, [&tape, gates, segments, d, c, h] {
      bool accumulate;
      float* d_gates = tape.gradient(gates, accumulate);
      TT_CHECK(!accumulate);
      tape.backend().ssru_backward({segments, d, gates->value, c->value, h->gradient, d_gates});
    });
  }
  return h;
}

}  // namespace tt
