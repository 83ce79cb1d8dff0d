#include "nn/recurrent.h"

#include "base/error.h"
#include "nn/ops.h"

namespace tt {

Var gather(Tape& tape, Var x, const RowChoice& choice) {
  Var y = tape.make(choice.rows, x->columns);
  tape.backend().gather({choice.from, x->value, false, y->value});
  if (tape.recording()) {
    TT_CHECK(choice.to);
    tape.record(y, [&tape, x, y, choice] {
      bool accumulate;
      const Matrix d_x = tape.gradient(x, accumulate);
      tape.backend().gather({choice.to, y->gradient, accumulate, d_x});
    });
  }
  return y;
}

Var concat(Tape& tape, Var a, Var b) {
  TT_CHECK(a->rows == b->rows);
  Var y = tape.make(a->rows, a->columns + b->columns);
  tape.backend().gather({nullptr, a->value, false, y->value.columns_from(0, a->columns)});
  tape.backend().gather({nullptr, b->value, false, y->value.columns_from(a->columns, b->columns)});
  if (tape.recording())
    tape.record(y, [&tape, a, b, y] {
      bool accumulate;
      const Matrix d_y = y->gradient;
      const Matrix d_a = tape.gradient(a, accumulate);
      tape.backend().gather({nullptr, d_y.columns_from(0, a->columns), accumulate, d_a});
      const Matrix d_b = tape.gradient(b, accumulate);
      tape.backend().gather({nullptr, d_y.columns_from(a->columns, b->columns), accumulate, d_b});
    });
  return y;
}

Var dropout(Tape& tape, Var x, float rate) {
  const Dropout mask = tape.dropout(rate);
  if (mask.rate == 0) return x;
  const std::int64_t n = x->rows, d = x->columns;
  Var y = tape.make(n, d);
  tape.backend().dropout_backward(
      {n, d, x->value.floats(), mask,
       y->value.floats()});  // an elementwise factor is its own derivative
  tape.record(y, [&tape, x, y, n, d, mask] {
    float* d_y = y->gradient.floats();
    tape.backend().dropout_backward({n, d, d_y, mask, d_y});
    if (!x->gradient) {
      x->gradient = std::exchange(y->gradient, {});
      return;
    }
    bool accumulate;
    tape.backend().add({n * d, d_y, tape.gradient(x, accumulate).floats()});
  });
  return y;
}

namespace {

// The gradient of x, zeroed if it has no contribution yet.
float* whole_gradient(Tape& tape, Var x) {
  bool accumulate;
  float* gradient = tape.gradient(x, accumulate).floats();
  if (!accumulate) tape.backend().zero({1, x->rows * x->columns, x->rows * x->columns, gradient});
  return gradient;
}

// Backpropagation through time. The gradients of h and c of a step are complete once the next step
// has been processed.
void lstm_backward(Tape& tape, Var gates, Param u, const Steps& steps, const Cells& before,
                   const Cells& out) {
  const Backend& backend = tape.backend();
  const std::int64_t d = u.rows, first = steps.begins[1], later = gates->rows - first;
  const bool many = steps.begins.size() > 2;
  bool accumulate;
  const Matrix d_gates = tape.gradient(gates, accumulate);
  TT_CHECK(!accumulate);
  float *d_h = many ? whole_gradient(tape, out.h) : out.h->gradient.floats(),
        *d_c = many ? whole_gradient(tape, out.c) : out.c->gradient.floats();
  for (std::size_t t = steps.begins.size() - 1; t-- > 0;) {
    const std::int64_t begin = steps.begins[t], n = steps.begins[t + 1] - begin;
    // The rows of the previous state: those of the previous step, or the initial state.
    const std::int64_t last = t > 0 ? steps.begins[t - 1] * d : 0;
    const float* c_before = t > 0      ? out.c->value.floats() + last
                            : before.c ? before.c->value.floats()
                                       : nullptr;
    bool add_h = true, add_c = true;
    float *d_h_before = t > 0 ? d_h + last : nullptr, *d_c_before = t > 0 ? d_c + last : nullptr;
    if (t == 0 && before.h)
      d_h_before = tape.gradient(before.h, add_h).floats(),
      d_c_before = tape.gradient(before.c, add_c).floats();
    const Matrix sums = d_gates.rows_from(begin, n);
    backend.lstm_backward({n, d, gates->value.floats() + begin * 4 * d, c_before,
                           out.c->value.floats() + begin * d, d_h ? d_h + begin * d : nullptr,
                           d_c ? d_c + begin * d : nullptr, sums.floats(), add_c, d_c_before});
    if (d_h_before)
      backend.product(
          {false, true, sums, tape.params().factor(u), add_h, float32(d_h_before, n, d)});
  }
  const Matrix d_u = tape.gradients().matrix(u);
  if (before.h) {
    const bool add = tape.gradients().accumulate(u);
    backend.product({true, false, before.h->value, d_gates.rows_from(0, first), add, d_u});
  }
  if (later > 0) {
    Matrix h_before = tape.take(later, d, ElementType::float32);
    backend.gather({steps.before, out.h->value, false, h_before});
    const bool add = tape.gradients().accumulate(u);
    backend.product({true, false, h_before, d_gates.rows_from(first, later), add, d_u});
    tape.give(h_before);
  }
}

}  // namespace

Cells lstm(Tape& tape, Var gates, Param u, const Steps& steps, const Cells& before) {
  const std::int64_t d = u.rows;
  TT_CHECK(gates->columns == 4 * d && u.columns == 4 * d && steps.begins.size() >= 2 &&
           steps.begins.back() == gates->rows);
  TT_CHECK(!before.h == !before.c && (!before.h || before.h->rows == steps.begins[1]));
  const Cells out = {tape.make(gates->rows, d), tape.make(gates->rows, d)};
  float* recurrent = tape.arena().take_array<float>(steps.begins[1] * 4 * d);
  const float *h = before.h ? before.h->value.floats() : nullptr,
              *c = before.c ? before.c->value.floats() : nullptr;
  for (std::size_t t = 0; t + 1 < steps.begins.size(); ++t) {
    const std::int64_t begin = steps.begins[t], n = steps.begins[t + 1] - begin;
    if (h) row_product(tape, float32(h, n, d), u, false, float32(recurrent, n, 4 * d));
    float *new_c = out.c->value.floats() + begin * d, *new_h = out.h->value.floats() + begin * d;
    tape.backend().lstm(
        {n, d, gates->value.floats() + begin * 4 * d, h ? recurrent : nullptr, c, new_c, new_h});
    h = new_h, c = new_c;
  }
  tape.arena().give(recurrent);
  if (tape.recording()) {
    tape.record(out.c,
                [] {});  // nothing to do: the record of h, which is replayed first, handles c too
    tape.record(out.h, [&tape, gates, u, steps, before, out] {
      lstm_backward(tape, gates, u, steps, before, out);
    });
  }
  return out;
}

Var ssru(Tape& tape, Var gates, const Segments& segments, const CellRows& from, Var* cells) {
  const std::int64_t n = gates->rows, d = gates->columns / 2;
  TT_CHECK(gates->columns == 2 * d && segments.queries == n && (!from.cells || !tape.recording()));
  Var c = tape.make(n, d), h = tape.make(n, d);
  tape.backend().ssru({segments, d, gates->value.floats(), from.cells, from.before,
                       c->value.floats(), h->value.floats()});
  if (cells) *cells = c;
  if (tape.recording()) {
    tape.record(c, [] {});  // its gradient is h's concern
    tape.record(h, [&tape, gates, segments, d, c, h] {
      bool accumulate;
      const Matrix d_gates = tape.gradient(gates, accumulate);
      TT_CHECK(!accumulate);
      tape.backend().ssru_backward({segments, d, gates->value.floats(), c->value.floats(),
                                    h->gradient.floats(), d_gates.floats()});
    });
  }
  return h;
}

}  // namespace tt
