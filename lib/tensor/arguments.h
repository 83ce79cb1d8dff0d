// The memory of a kernel's arguments, piece by piece, for code that calls a kernel with other
// memory in its place.
//
// each_argument(k, visit) calls, by reference, so that it may be replaced:
//   visit(at, n)                   for n numbers, which the kernel only reads if they are const
//   visit(matrix)                  for a matrix, of which the same is true
//   visit.table(at, n, each)       for n pointers, of which `each` is to be called with the number
//                                  and the pointer
//   visit.numbers(at, n)           for n numbers that say what is read; returns where the host
//                                  finds them
// Pointers may be null, and matrices none.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tensor/backend.h"

namespace tt {

void each_argument(Round& k, auto& visit) { visit(k.from), visit(k.to); }
void each_argument(Product& k, auto& visit) {
  visit(k.bias, k.n());
  visit(k.a), visit(k.b), visit(k.c);
}
void each_argument(RowProduct& k, auto& visit) { visit(k.x), visit(k.w), visit(k.y); }
void each_argument(Pack& k, auto& visit) { visit(k.w), visit(k.packed); }
void each_argument(Int8Product& k, auto& visit) { visit(k.x), visit(k.w), visit(k.y); }
void each_argument(Int8Columns& k, auto& visit) {
  visit(k.columns, k.y.rows);
  visit(k.w), visit(k.y);
}
void each_argument(AddBias& k, auto& visit) { visit(k.bias, k.d), visit(k.x, k.n * k.d); }
void each_argument(ColumnSums& k, auto& visit) { visit(k.x, k.n * k.d), visit(k.sums, k.d); }
void each_argument(Segments& k, auto& visit) { visit(k.at, k.count); }
void each_argument(DistanceBias& k, int heads, auto& visit) {
  visit(k.table, heads * k.count), visit(k.buckets, 2 * k.far + 1);
}
void each_argument(Attention& k, auto& visit) {
  each_argument(k.segments, visit);
  each_argument(k.bias, k.heads, visit);
  visit(k.log_sums, k.q.rows * k.heads);
  visit(k.weights, static_cast<std::int64_t>(k.segments.pairs) * k.heads);
  visit(k.q), visit(k.k), visit(k.v), visit(k.out);
}
void each_argument(AttentionBackward& k, auto& visit) {
  each_argument(k.forward, visit);
  visit(k.d_out), visit(k.d_q), visit(k.d_k), visit(k.d_v);
  visit(k.d_bias, k.forward.segments.queries * k.forward.heads * k.forward.bias.count);
}
void each_argument(CachedAttention& k, auto& visit) {
  if (k.rows == 0) return;
  const std::int64_t slots = (k.rows - 1) * k.ld_slots + k.steps;
  const std::int32_t* chosen = visit.numbers(k.slots, slots);
  visit(k.additive, k.heads * k.d_k);
  each_argument(k.bias, k.heads, visit);
  visit(k.q, (k.rows - 1) * k.ldq + k.heads * k.d_k);
  visit.table(k.blocks, k.steps, [&](std::int64_t t, const float*& block) {
    std::int64_t rows = 0;
    for (std::int64_t r = 0; r < k.rows; ++r)
      rows = std::max<std::int64_t>(rows, chosen[r * k.ld_slots + t] + 1);
    visit(block, (rows - 1) * k.ld + k.value_column + k.heads * k.d_v);
  });
  visit(k.slots, slots);
  visit(k.out, k.rows * k.heads * k.d_v);
}
void each_argument(AddNorm& k, auto& visit) {
  for (const float** at : {&k.gain, &k.bias}) visit(*at, k.y.columns);
  for (float** at : {&k.mean, &k.rstd}) visit(*at, k.y.rows);
  visit(k.a), visit(k.b_to_s), visit(k.y), visit(k.copy);
}
void each_argument(AddNormBackward& k, auto& visit) {
  visit(k.gain, k.d_y.columns);
  for (const float** at : {&k.mean, &k.rstd}) visit(*at, k.d_y.rows);
  for (float** at : {&k.d_gain, &k.d_bias}) visit(*at, k.d_y.columns);
  visit(k.d_y), visit(k.s), visit(k.d_a), visit(k.d_b), visit(k.copy);
}
void each_argument(AddDropout& k, auto& visit) {
  visit(k.a, k.n * k.d), visit(k.b, k.n * k.d), visit(k.y, k.n * k.d);
}
void each_argument(DropoutBackward& k, auto& visit) {
  visit(k.d_y, k.n * k.d), visit(k.d_b, k.n * k.d);
}
void each_argument(Add& k, auto& visit) { visit(k.x, k.size), visit(k.y, k.size); }
void each_argument(Multiply& k, auto& visit) {
  visit(k.a, k.size), visit(k.b, k.size), visit(k.y, k.size);
}
void each_argument(MultiplyBackward& k, auto& visit) {
  for (const float** at : {&k.d_y, &k.a, &k.b}) visit(*at, k.size);
  for (float** at : {&k.d_a, &k.d_b}) visit(*at, k.size);
}
void each_argument(Activate& k, auto& visit) {
  visit(k.bias, k.x.columns);
  visit(k.x), visit(k.y), visit(k.copy);
}
void each_argument(ActivateBackward& k, auto& visit) {
  visit(k.d_bias, k.d_y.columns);
  visit(k.x), visit(k.y), visit(k.d_y), visit(k.d_x);
}
void each_argument(Embed& k, auto& visit) {
  visit(k.tokens, k.y.rows), visit(k.places, k.y.rows);
  visit(k.table), visit(k.positions), visit(k.y);
}
void each_argument(EmbedBackward& k, auto& visit) {
  visit(k.tokens, k.d_y.rows), visit(k.places, k.d_y.rows);
  visit(k.d_y), visit(k.d_table), visit(k.d_positions);
}
void each_argument(CrossEntropy& k, auto& visit) {
  visit(k.targets, k.agreement > 0 ? k.logits.rows / 2 : k.logits.rows);
  visit(k.sums, 2);
  visit(k.logits), visit(k.gradient);
}
void each_argument(AlignmentLoss& k, auto& visit) {
  each_argument(k.segments, visit);
  visit(k.begins, k.q.rows + 1), visit(k.linked, k.links);
  visit(k.sum, 1);
  visit(k.q), visit(k.k), visit(k.d_q), visit(k.d_k);
}
void each_argument(BestOf& k, auto& visit) {
  visit(k.logits, k.n * k.v);
  visit(k.values, k.n * k.best), visit(k.indices, k.n * k.best);
  visit(k.barred_at, k.n * k.barred), visit(k.asked_at, k.n * k.asked),
      visit(k.asked_values, k.n * k.asked);
  visit(k.sums, 2 * k.n);
}
void each_argument(LogSoftmax& k, auto& visit) { visit(k.logits, k.n * k.v); }
void each_argument(Reduce& k, auto& visit) {
  const std::int64_t first = k.begin / Reduce::kChunk,
                     end = (k.end + Reduce::kChunk - 1) / Reduce::kChunk;
  double* squares = k.squares + first;
  visit(squares, end - first);
  k.squares = squares - first;
  visit.table(k.gradients, k.shards, [&](std::int64_t, float*& gradient) {
    float* part = gradient + k.begin;
    visit(part, k.end - k.begin);
    gradient = part - k.begin;
  });
}
void each_argument(Adam& k, auto& visit) {
  visit(k.gradient, k.size);
  for (float** at : {&k.parameters, &k.m, &k.v}) visit(*at, k.size);
  visit(k.copy);
}
void each_argument(ScheduleFree& k, auto& visit) {
  visit(k.gradient, k.size);
  for (float** at : {&k.y, &k.z, &k.v, &k.x}) visit(*at, k.size);
  visit(k.copy);
}
void each_argument(MovingAverage& k, auto& visit) { visit(k.x, k.size), visit(k.average, k.size); }
void each_argument(Zero& k, auto& visit) {
  Matrix x = float32(k.x, k.rows, k.columns, k.ld);
  visit(x);
  k.x = x.floats();
}
void each_argument(Gather& k, auto& visit) {
  visit(k.rows, k.y.rows);
  visit(k.x), visit(k.y);
}
void each_argument(Lstm& k, auto& visit) {
  visit(k.gates, 4 * k.n * k.d), visit(k.recurrent, 4 * k.n * k.d), visit(k.c_before, k.n * k.d);
  visit(k.c, k.n * k.d), visit(k.h, k.n * k.d);
}
void each_argument(LstmBackward& k, auto& visit) {
  visit(k.gates, 4 * k.n * k.d), visit(k.d_gates, 4 * k.n * k.d), visit(k.d_c_before, k.n * k.d);
  for (const float** at : {&k.c_before, &k.c, &k.d_h, &k.d_c}) visit(*at, k.n * k.d);
}
void each_argument(Ssru& k, auto& visit) {
  each_argument(k.segments, visit);
  const std::int64_t size = k.segments.queries * k.d;
  visit(k.gates, 2 * size), visit(k.c, size), visit(k.h, size);
  visit(k.before, k.segments.count);
  visit(k.c_before);
}
void each_argument(SsruBackward& k, auto& visit) {
  each_argument(k.segments, visit);
  const std::int64_t size = k.segments.queries * k.d;
  visit(k.gates, 2 * size), visit(k.d_gates, 2 * size), visit(k.c, size), visit(k.d_h, size);
}
void each_argument(AdditiveAttention& k, auto& visit) {
  each_argument(k.inputs, visit);
  visit(k.w, k.inputs.heads * k.inputs.d_k);
}
void each_argument(AdditiveAttentionBackward& k, auto& visit) {
  each_argument(k.rest, visit);
  visit(k.w, k.rest.forward.heads * k.rest.forward.d_k);
  visit(k.d_w, k.rest.forward.heads * k.rest.forward.d_k);
}

}  // namespace tt
