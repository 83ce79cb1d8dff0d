// The table of cases of attention: packed segments of every shape, and queries against caches.
#include <algorithm>
#include <cmath>

#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

// Segments need not be in order, may be empty, may share keys (forward only), and need not cover
// the rows.
const AttentionShape kShapes[] = {
    {"no segments", {}, 2, 8, 8},
    {"one by one", {{0, 1, 0, 1}}, 1, 1, 1},
    {"a single query", {{0, 1, 0, 40}}, 2, 16, 16},
    {"three sentences", {{0, 5, 0, 7}, {5, 6, 7, 8}, {6, 23, 8, 25}}, 2, 8, 8},
    {"more keys than queries", {{0, 3, 0, 37}, {3, 7, 37, 41}}, 3, 8, 16},
    {"more queries than keys", {{0, 21, 0, 2}, {21, 30, 2, 11}}, 2, 32, 8},
    {"odd widths", {{0, 9, 0, 9}, {9, 22, 9, 22}}, 3, 5, 11},
    {"wide", {{0, 13, 0, 13}}, 2, 64, 64},
    {"the usual width", {{0, 70, 0, 53}, {70, 75, 53, 120}}, 2, 64, 64},
    {"unlike widths", {{0, 40, 0, 70}, {40, 45, 70, 75}}, 2, 40, 48},
    {"wide and odd", {{0, 6, 0, 6}}, 1, 130, 67},
    {"as wide as tensor cores take", {{0, 5, 0, 7}, {5, 23, 7, 20}}, 1, 100, 128},
    {"as wide as tensor cores take rounded", {{0, 40, 0, 70}, {40, 45, 70, 75}}, 1, 128, 128},
    {"wider than tensor cores take", {{0, 6, 0, 6}}, 1, 160, 160},
    {"longer than a tile", {{0, 83, 0, 83}, {83, 84, 83, 150}}, 1, 32, 32},
    {"more than a stretch of queries", {{0, 141, 0, 141}, {141, 271, 141, 150}}, 1, 8, 8},
    {"keys that would be a KiB apart", {{0, 3, 0, 250}, {3, 135, 250, 506}}, 1, 5, 8},
    {"empty sentences", {{0, 0, 0, 3}, {0, 4, 3, 3}, {4, 6, 3, 5}}, 2, 8, 8},
    {"out of order", {{7, 12, 0, 4}, {0, 7, 4, 11}}, 2, 16, 16},
};

}  // namespace

std::span<const AttentionShape> attention_shapes() { return kShapes; }

std::int64_t AttentionShape::queries() const {
  std::int64_t n = 0;
  for (const Segment& g : segments) n = std::max<std::int64_t>(n, g.query_end);
  return n;
}

std::int64_t AttentionShape::keys() const {
  std::int64_t n = 0;
  for (const Segment& g : segments) n = std::max<std::int64_t>(n, g.key_end);
  return n;
}

std::int64_t AttentionShape::weights() const {
  std::int64_t n = 0;
  for (const Segment& g : segments)
    n += heads * (g.query_end - g.query_begin) * (g.key_end - g.key_begin);
  return n;
}

Attention attention_arguments(const AttentionShape& s, bool causal, bool dropout, std::int64_t gap,
                              std::int64_t window, Workspace& w) {
  Attention a;
  a.segments = describe(s.segments);
  a.segments.at = w.copy(s.segments);
  a.segments.window = window;
  a.heads = s.heads;
  a.d_k = s.d_k;
  a.d_v = s.d_v;
  a.scale = 1 / std::sqrt(static_cast<float>(s.d_k));
  a.causal = causal;
  const auto in = [&](const char* name, std::int64_t rows, std::int64_t columns,
                      std::int64_t stride, float spread) {
    return float32(w.in(name, rows, columns, stride, spread), rows, columns, stride);
  };
  a.q = in("q", s.queries(), s.heads * s.d_k, s.heads * s.d_k + gap, 1);
  a.k = in("k", s.keys(), s.heads * s.d_k, s.heads * s.d_k + 2 * gap, 2);
  a.v = in("v", s.keys(), s.heads * s.d_v, s.heads * s.d_v + 3 * gap, 1);
  if (dropout) a.dropout = {0.2f, 77, 5, 1, 9};
  return a;
}

namespace {

// A bias for distances up to 20, neighbours of which are in different buckets.
DistanceBias bias_arguments(int heads, Workspace& w) {
  constexpr std::int32_t kFar = 20, kCount = 7;
  std::vector<std::int32_t> buckets;
  for (std::int32_t d = 0; d <= 2 * kFar; ++d) buckets.push_back(d * d % kCount);
  return {w.in("bias", heads, kCount), w.copy(buckets), kCount, kFar};
}

void add_packed(std::vector<Case>& cases) {
  for (const AttentionShape& s : kShapes)
    // 8 and 9: a window, 10 and 11: a narrow one with all else, 12 to 17: a bias for distances, at
    // last in a window
    for (int kind = 0; kind < 18; ++kind) {
      const bool causal = kind & 1, dropout = kind & 2, biased = kind > 11;
      const std::int64_t gap = kind == 10 || kind == 11 ? 5
                               : kind & 4 && !biased    ? 5 + 3 * (kind & 1)
                                                        : 0,
                         window = kind == 10 || kind == 11 ? 1
                                  : kind > 15              ? 3
                                  : kind == 8 || kind == 9 ? 11
                                                           : 0;
      const std::string shape = std::string(s.name) + (causal ? " causal" : "") +
                                (dropout ? " dropout" : "") + (gap ? " strides" : "") +
                                (window ? " window" : "") + (biased ? " bias" : "");
      for (const bool all : {true, false})
        cases.push_back(
            {"attention", shape + (all ? " weights" : ""), [=](const Backend& b, Workspace& w) {
               Attention a = attention_arguments(s, causal, dropout, gap, window, w);
               if (biased) a.bias = bias_arguments(s.heads, w);
               a.out = float32(w.out("out", s.queries(), s.heads * s.d_v), s.queries(),
                               s.heads * s.d_v);
               a.log_sums = all ? w.out("log_sums", s.queries(), s.heads) : nullptr;
               a.weights = all ? w.out("weights", 1, s.weights()) : nullptr;
               b.attention(a);
             }});
      for (const bool accumulate : {false, true})
        cases.push_back({"attention_backward", shape + (accumulate ? " accumulate" : ""),
                         [=](const Backend& b, Workspace& w) {
                           AttentionBackward g;
                           g.forward = attention_arguments(s, causal, dropout, gap, window, w);
                           if (biased) g.forward.bias = bias_arguments(s.heads, w);
                           const std::int64_t wide = s.heads * s.d_v;
                           g.forward.out = float32(w.zeros(s.queries() * wide), s.queries(), wide);
                           g.forward.log_sums = w.zeros(s.queries() * s.heads);
                           b.attention(g.forward);
                           g.d_out = float32(w.in("d_out", s.queries(), wide), s.queries(), wide);
                           g.accumulate_q = g.accumulate_k = g.accumulate_v = accumulate;
                           g.d_q = w.like(g.forward.q, accumulate, "d_q");
                           g.d_k = w.like(g.forward.k, accumulate, "d_k");
                           g.d_v = w.like(g.forward.v, accumulate, "d_v");
                           if (biased)
                             g.d_bias = w.out("d_bias", g.forward.segments.queries,
                                              s.heads * g.forward.bias.count);
                           b.attention_backward(g);
                         }});
    }
  // Keys and values that are the same columns.
  cases.push_back({"attention_backward", "keys are values", [](const Backend& b, Workspace& w) {
                     const AttentionShape s{"", {{0, 5, 0, 7}, {5, 6, 7, 8}}, 2, 8, 8};
                     AttentionBackward g;
                     g.forward = attention_arguments(s, false, false, 0, 0, w);
                     g.forward.v = g.forward.k;
                     g.forward.out = float32(w.zeros(6 * 16), 6, 16);
                     g.forward.log_sums = w.zeros(6 * 2);
                     b.attention(g.forward);
                     g.d_out = float32(w.in("d_out", 6, 16), 6, 16);
                     g.accumulate_q = g.accumulate_k = g.accumulate_v = true;
                     g.d_q = w.like(g.forward.q, true, "d_q");
                     g.d_k = g.d_v = w.like(g.forward.k, true, "d_k");
                     b.attention_backward(g);
                   }});
  // Several segments that read the same keys, as hypotheses of one sentence do; and scores far from
  // zero.
  cases.push_back(
      {"attention", "shared keys, large scores", [](const Backend& b, Workspace& w) {
         const AttentionShape s{"", {{0, 4, 0, 9}, {4, 8, 0, 9}, {8, 9, 2, 7}}, 2, 8, 8};
         Attention a = attention_arguments(s, false, false, 0, 0, w);
         a.scale = 20;
         a.out = float32(w.out("out", 9, 16), 9, 16);
         a.log_sums = w.out("log_sums", 9, 2);
         b.attention(a);
       }});
}

// As many links as the number of a query allows, of keys here and there.
void add_alignments(std::vector<Case>& cases) {
  for (const AttentionShape& s : kShapes)
    for (const float scale : {0.0f, 0.37f})
      for (const std::int64_t gap : {0, 5})
        cases.push_back(
            {"alignment_loss",
             std::string(s.name) + (scale == 0 ? " forward" : "") + (gap ? " strides" : ""),
             [=](const Backend& b, Workspace& w) {
               const Attention in = attention_arguments(s, false, false, gap, 0, w);
               AlignmentLoss a;
               a.segments = in.segments;
               a.scale = in.scale;
               a.q = in.q, a.k = in.k;
               a.q.columns = a.k.columns = s.d_k;
               std::vector<std::vector<std::int32_t>> of(static_cast<std::size_t>(s.queries()));
               for (const Segment& g : s.segments)
                 for (std::int32_t t = g.query_begin; t < g.query_end; ++t)
                   for (std::int32_t l = 0; l < t % 4 && g.key_begin < g.key_end; ++l)
                     of[static_cast<std::size_t>(t)].push_back(
                         g.key_begin + (t * 7 + l * 5) % (g.key_end - g.key_begin));
               std::vector<std::int32_t> begins{0}, linked;
               for (const auto& links : of) {
                 linked.insert(linked.end(), links.begin(), links.end());
                 begins.push_back(static_cast<std::int32_t>(linked.size()));
               }
               a.links = static_cast<std::int64_t>(linked.size());
               a.begins = w.copy(begins);
               a.linked = w.copy(linked);
               a.sum = w.doubles("sum", 1);
               a.gradient_scale = scale;
               if (scale != 0) {
                 const auto room = [&](const char* name, const ConstMatrix& m) {
                   return float32(w.inout(name, m.rows, m.columns, m.stride), m.rows, m.columns,
                                  m.stride);
                 };
                 a.d_q = room("d_q", a.q), a.d_k = room("d_k", a.k);
               }
               b.alignment_loss(a);
             }});
}

// Step t's block has a row per hypothesis that was alive at step t; slots choose among them.
void add_cached(std::vector<Case>& cases) {
  struct Cached {
    std::int64_t rows, steps;
    int heads;
    std::int64_t d_k, d_v, gap;
  };
  for (const Cached s :
       {Cached{0, 3, 2, 8, 8, 0}, Cached{1, 1, 1, 1, 1, 0}, Cached{5, 3, 2, 8, 8, 4},
        Cached{4, 16, 4, 32, 32, 0}, Cached{3, 41, 3, 5, 11, 3}, Cached{7, 100, 8, 64, 64, 1},
        Cached{2, 9, 1, 130, 67, 0}})
    for (const bool additive : {false, true})
      for (const bool biased : {false, true})
        cases.push_back({"cached_attention",
                         std::to_string(s.rows) + " rows " + std::to_string(s.steps) + " steps " +
                             std::to_string(s.heads) + " heads " + std::to_string(s.d_k) + ", " +
                             std::to_string(s.d_v) + (s.gap ? " strides" : "") +
                             (additive ? " additive" : "") + (biased ? " bias" : ""),
                         [=](const Backend& b, Workspace& w) {
                           CachedAttention a;
                           a.rows = s.rows;
                           a.steps = s.steps;
                           a.heads = s.heads;
                           a.d_k = s.d_k;
                           a.d_v = s.d_v;
                           a.scale = 1 / std::sqrt(static_cast<float>(s.d_k));
                           if (additive) a.additive = w.in("w", 1, s.heads * s.d_k);
                           if (biased) a.bias = bias_arguments(s.heads, w);
                           a.ldq = s.heads * s.d_k + s.gap;
                           a.q = w.in("q", s.rows, s.heads * s.d_k, a.ldq);
                           a.value_column = s.heads * s.d_k + s.gap;
                           a.ld = a.value_column + s.heads * s.d_v + s.gap;
                           std::vector<const float*> blocks;
                           for (std::int64_t t = 0; t < s.steps; ++t)
                             blocks.push_back(w.in("step " + std::to_string(t),
                                                   std::max<std::int64_t>(s.rows, 1), a.ld));
                           a.blocks = w.copy(blocks);
                           a.ld_slots = s.steps + 2;
                           a.slots = w.indices(
                               "slots", std::max<std::int64_t>(s.rows, 1) * a.ld_slots,
                               static_cast<std::int32_t>(std::max<std::int64_t>(s.rows, 1)));
                           a.out = w.out("out", s.rows, s.heads * s.d_v);
                           b.cached_attention(a);
                         }});
}

}  // namespace

std::vector<Case> attention_cases() {
  std::vector<Case> cases;
  add_packed(cases);
  add_alignments(cases);
  add_cached(cases);
  return cases;
}

}  // namespace tt
