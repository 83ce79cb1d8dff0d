// The table of cases of matrices of bfloat16, for backends that take such.
#include <cmath>

#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

// A matrix of bfloat16 to be read, or, where a kernel works in place, to be changed.
Matrix rounded(const Backend& b, Workspace& w, const std::string& name, std::int64_t rows,
               std::int64_t columns, float spread = 1) {
  const Matrix to = w.out_rounded(name + " rounded", rows, columns);
  b.round({float32(w.in(name, rows, columns, 0, spread), rows, columns), to});
  return to;
}

Attention rounded_attention(const Backend& b, const AttentionShape& s, int kind, Workspace& w) {
  Attention a = attention_arguments(s, kind & 1, kind & 2, 0, kind & 4 ? 3 : 0, w);
  a.q = rounded(b, w, "of q", a.q.rows, a.q.columns);
  a.k = rounded(b, w, "of k", a.k.rows, a.k.columns, 2);
  a.v = rounded(b, w, "of v", a.v.rows, a.v.columns);
  a.out = w.out_rounded("out", s.queries(), s.heads * s.d_v);
  a.log_sums = w.out("log_sums", s.queries(), s.heads);
  return a;
}

void add_attention(std::vector<Case>& cases) {
  for (const AttentionShape& s : attention_shapes()) {
    if (s.d_k % 8 != 0 || s.d_v % 8 != 0 || s.d_k > 128 || s.d_v > 128) continue;
    for (int kind = 0; kind < 8; ++kind) {
      const std::string shape = std::string(s.name) + " rounded, kind " + std::to_string(kind);
      cases.push_back({"attention", shape, [=](const Backend& b, Workspace& w) {
                         b.attention(rounded_attention(b, s, kind, w));
                       }});
      cases.push_back({"attention_backward", shape, [=](const Backend& b, Workspace& w) {
                         AttentionBackward g;
                         g.forward = rounded_attention(b, s, kind, w);
                         b.attention(g.forward);
                         g.d_out = rounded(b, w, "d_out", s.queries(), s.heads * s.d_v);
                         g.d_q = w.out_rounded("d_q", s.queries(), g.forward.q.columns);
                         g.d_k = w.out_rounded("d_k", s.keys(), g.forward.k.columns);
                         g.d_v = w.out_rounded("d_v", s.keys(), g.forward.v.columns);
                         b.attention_backward(g);
                       }});
    }
  }
}

struct Shape {
  std::int64_t n, d;
};
std::string text(const Shape& m) {
  return std::to_string(m.n) + " x " + std::to_string(m.d) + " rounded";
}

void add_rows(std::vector<Case>& cases) {
  for (const Shape& m : {Shape{1, 8},
                         {5, 136},
                         {70, 64},
                         {3, 520},
                         {131, 48},
                         {5, 512},
                         {131, 512},
                         {9, 1024},
                         {3, 1280}})
    for (const float rate : {0.0f, 0.2f}) {
      const Dropout dropout{rate, 77, 5, 1, 9};
      cases.push_back({"activate", text(m), [=](const Backend& b, Workspace& w) {
                         const Matrix x = rounded(b, w, "x", m.n, m.d);  // in place
                         b.activate({Activation::relu, x, w.in("bias", 1, m.d), dropout, x});
                       }});
      for (const bool accumulate : {false, true})
        cases.push_back({"activate_backward", text(m), [=](const Backend& b, Workspace& w) {
                           const Matrix y = rounded(b, w, "y", m.n, m.d);
                           b.activate({Activation::relu, y, w.in("bias", 1, m.d), dropout, y});
                           const Matrix d_y = rounded(b, w, "d_y", m.n, m.d);
                           b.activate_backward({Activation::relu,
                                                {},
                                                y,
                                                d_y,
                                                dropout,
                                                d_y,
                                                accumulate,
                                                w.sum(accumulate, "d_bias", 1, m.d)});
                         }});
    }
  for (const Shape& m : {Shape{1, 8}, {3, 1000}, {2, 20008}, {1, 33000}})
    for (const float scale : {0.37f, 1.0f})
      cases.push_back({"cross_entropy", text(m), [=](const Backend& b, Workspace& w) {
                         const std::int32_t* targets =
                             w.indices("targets", m.n, static_cast<std::int32_t>(m.d));
                         const Matrix z = rounded(b, w, "z", m.n, m.d, 3);
                         b.cross_entropy({targets, 0.1f, scale, z, z, w.doubles("sums", 2)});
                       }});
}

void add_products(std::vector<Case>& cases) {
  struct Sizes {
    std::int64_t m, n, k;
  };
  for (const Sizes& s : {Sizes{1, 8, 8}, {5, 16, 40}, {33, 24, 128}, {4, 8, 0}})
    for (const bool tb : {false, true})
      cases.push_back(
          {"product",
           std::to_string(s.m) + " x " + std::to_string(s.n) + (tb ? " B^T" : "") + " rounded",
           [=](const Backend& b, Workspace& w) {
             const Matrix x = rounded(b, w, "a", s.m, s.k),
                          y = tb ? rounded(b, w, "b", s.n, s.k) : rounded(b, w, "b", s.k, s.n);
             b.product({false, tb, x, y, false, w.out_rounded("c", s.m, s.n)});
           }});
}

}  // namespace

std::vector<Case> rounded_cases() {
  std::vector<Case> cases;
  add_attention(cases);
  add_rows(cases);
  add_products(cases);
  return cases;
}

}  // namespace tt
