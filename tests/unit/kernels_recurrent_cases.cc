// The table of cases for recurrent networks: selection of rows, LSTM steps, additive attention.
#include <algorithm>
#include <string>

#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

struct Size {
  std::int64_t n, d;
};
const Size kSizes[] = {{0, 8}, {1, 1}, {1, 7}, {2, 8}, {3, 65}, {5, 130}, {37, 128}, {4, 512}};

std::string text(const Size& m, const std::string& more) {
  return std::to_string(m.n) + " x " + std::to_string(m.d) + more;
}

void add_gathers(std::vector<Case>& cases) {
  for (const Size& m : kSizes)
    for (int kind = 0; kind < 8; ++kind) {
      const bool all = kind & 1, accumulate = kind & 2;
      const std::int64_t gap = kind & 4 ? 3 : 0;
      cases.push_back({"gather",
                       text(m, std::string(all ? " all" : "") + (accumulate ? " accumulate" : "") +
                                   (gap ? " strides" : "")),
                       [=](const Backend& b, Workspace& w) {
                         const std::int64_t from = all ? m.n : 11;
                         std::vector<std::int32_t> rows;  // some from nowhere, some twice
                         for (std::int32_t r = 0; r < m.n; ++r)
                           rows.push_back(r % 4 == 2 ? -1 : r * 7 % 11);
                         const std::int32_t* chosen = all ? nullptr : w.copy(rows);
                         const ConstMatrix x =
                             float32(w.in("x", from, m.d, m.d + gap), from, m.d, m.d + gap);
                         const std::int64_t ldy = m.d + 2 * gap;
                         b.gather({chosen, x, accumulate,
                                   float32(w.sum(accumulate, "y", m.n, m.d, ldy), m.n, m.d, ldy)});
                       }});
    }
}

void add_cells(std::vector<Case>& cases) {
  for (const Size& m : kSizes)
    for (int kind = 0; kind < 4; ++kind) {
      const bool first = kind & 1, second = kind & 2;
      cases.push_back({"lstm",
                       text(m, std::string(first ? " recurrent" : "") + (second ? " before" : "")),
                       [=](const Backend& b, Workspace& w) {
                         float* gates = w.inout("gates", m.n, 4 * m.d, 0, 3);
                         const float* recurrent = first ? w.in("recurrent", m.n, 4 * m.d) : nullptr;
                         const float* before = second ? w.in("c_before", m.n, m.d) : nullptr;
                         float* c = w.out("c", m.n, m.d);
                         b.lstm({m.n, m.d, gates, recurrent, before, c, w.out("h", m.n, m.d)});
                       }});
    }
  // Bits of `kind`: a state before; gradients of h, of c; whether that of c_before is wanted, and
  // added to; in place.
  for (const Size& m : kSizes)
    for (int kind = 0; kind < 64; ++kind) {
      const bool before = kind & 1, of_h = kind & 2, of_c = kind & 4, wanted = kind & 8,
                 add = kind & 16, in_place = kind & 32;
      if (add && !wanted) continue;
      const std::string more = std::string(before ? " before" : "") + (of_h ? " d_h" : "") +
                               (of_c ? " d_c" : "") + (wanted ? " d_c_before" : "") +
                               (add ? " accumulate" : "") + (in_place ? " in place" : "");
      cases.push_back({"lstm_backward", text(m, more), [=](const Backend& b, Workspace& w) {
                         // Results of the same backend's forward.
                         float* gates = in_place ? w.inout("gates", m.n, 4 * m.d)
                                                 : w.spent("gates", m.n, 4 * m.d);
                         const float* c_before = before ? w.in("c_before", m.n, m.d) : nullptr;
                         float *c = w.zeros(m.n * m.d), *h = w.zeros(m.n * m.d);
                         b.lstm({m.n, m.d, gates, nullptr, c_before, c, h});
                         const float *d_h = of_h ? w.in("d_h", m.n, m.d) : nullptr,
                                     *d_c = of_c ? w.in("d_c", m.n, m.d) : nullptr;
                         float* d_gates = in_place ? gates : w.out("d_gates", m.n, 4 * m.d);
                         b.lstm_backward({m.n, m.d, gates, c_before, c, d_h, d_c, d_gates, add,
                                          wanted ? w.sum(add, "d_c_before", m.n, m.d) : nullptr});
                       }});
    }
}

// Segments of any number of rows, none among them, for matrices of n rows.
std::vector<Segment> segments_of(std::int64_t n) {
  std::vector<Segment> segments;
  for (std::int32_t begin = 0, length = 0; begin < n; begin += length, length = (length + 2) % 5)
    segments.push_back({begin, std::min(begin + length, static_cast<std::int32_t>(n)), 0, 0});
  return segments;
}

void add_simple_units(std::vector<Case>& cases) {
  for (const Size& m : kSizes) {
    const auto place = [](const std::vector<Segment>& segments, Workspace& w) {
      Segments described = describe(segments);
      described.at = w.copy(segments);
      return described;
    };
    for (const bool with_before : {false, true})
      cases.push_back(
          {"ssru", text(m, with_before ? " before" : ""), [=](const Backend& b, Workspace& w) {
             const auto segments = segments_of(m.n);
             float* gates = w.inout("gates", m.n, 2 * m.d, 0, 3);
             ConstMatrix before;
             if (with_before) before = float32(w.in("c_before", 11, m.d), 11, m.d);
             const std::int32_t* rows =
                 w.indices("before", static_cast<std::int64_t>(segments.size()), 11);
             float* c = w.out("c", m.n, m.d);
             b.ssru({place(segments, w), m.d, gates, before, rows, c, w.out("h", m.n, m.d)});
           }});
    cases.push_back({"ssru_backward", text(m, ""), [=](const Backend& b, Workspace& w) {
                       const auto segments = segments_of(m.n);
                       float* gates = w.spent("gates", m.n, 2 * m.d);
                       float *c = w.zeros(m.n * m.d), *h = w.zeros(m.n * m.d);
                       const Segments placed = place(segments, w);
                       b.ssru({placed, m.d, gates, {}, nullptr, c, h});
                       b.ssru_backward({placed, m.d, gates, c, w.in("d_h", m.n, m.d),
                                        w.out("d_gates", m.n, 2 * m.d)});
                     }});
  }
}

void add_additive(std::vector<Case>& cases) {
  for (const AttentionShape& s : attention_shapes())
    for (int kind = 0; kind < 8; ++kind) {
      const bool large =
          s.weights() * s.d_k >
          100000;  // with none and with all of these: each takes seconds on an emulated GPU
      if (large && kind != 0 && kind != 7) continue;
      const bool causal = kind & 1, dropout = kind & 2;
      const std::int64_t gap = dropout ? 5 : 0, window = kind & 4 ? (dropout ? 1 : 11) : 0,
                         wide_k = s.heads * s.d_k, wide_v = s.heads * s.d_v;
      const std::string shape = std::string(s.name) + (causal ? " causal" : "") +
                                (dropout ? " dropout" : "") + (gap ? " strides" : "") +
                                (window ? " window" : "");
      for (const bool all : {true, false})
        cases.push_back({"additive_attention", shape + (all ? " weights" : ""),
                         [=](const Backend& b, Workspace& w) {
                           Attention a = attention_arguments(s, causal, dropout, gap, window, w);
                           a.out = float32(w.out("out", s.queries(), wide_v), s.queries(), wide_v);
                           a.log_sums = all ? w.out("log_sums", s.queries(), s.heads) : nullptr;
                           a.weights = all ? w.out("weights", 1, s.weights()) : nullptr;
                           b.additive_attention({a, w.in("w", 1, wide_k)});
                         }});
      for (const bool accumulate : {false, true})
        cases.push_back(
            {"additive_attention_backward", shape + (accumulate ? " accumulate" : ""),
             [=](const Backend& b, Workspace& w) {
               AdditiveAttentionBackward g;
               AttentionBackward& r = g.rest;
               r.forward = attention_arguments(s, causal, dropout, gap, window, w);
               r.forward.out = float32(w.zeros(s.queries() * wide_v), s.queries(), wide_v);
               r.forward.log_sums = w.zeros(s.queries() * s.heads);
               g.w = w.in("w", 1, wide_k);
               b.additive_attention({r.forward, g.w});
               r.d_out = float32(w.in("d_out", s.queries(), wide_v), s.queries(), wide_v);
               g.accumulate_w = r.accumulate_q = r.accumulate_k = r.accumulate_v = accumulate;
               r.d_q = w.like(r.forward.q, accumulate, "d_q");
               r.d_k = w.like(r.forward.k, accumulate, "d_k");
               r.d_v = w.like(r.forward.v, accumulate, "d_v");
               g.d_w = w.sum(accumulate, "d_w", 1, wide_k);
               b.additive_attention_backward(g);
             }});
    }
}

}  // namespace

std::vector<Case> recurrent_cases() {
  std::vector<Case> cases;
  add_gathers(cases);
  add_cells(cases);
  add_simple_units(cases);
  add_additive(cases);
  return cases;
}

}  // namespace tt
