// The table of cases of narrow matrices, which exist only rounded, for backends that take such.
#include <cmath>

#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

// A narrow matrix to be read, or, where a kernel works in place, to be changed.
Bfloat16* narrow(const Backend& b, Workspace& w, const std::string& name, std::int64_t rows, std::int64_t columns,
                 float spread = 1) {
  Bfloat16* to = w.out_rounded(name + " rounded", rows, columns);
  b.round({rows, columns, w.in(name, rows, columns, 0, spread), columns, to});
  return to;
}

Attention narrow_attention(const Backend& b, const AttentionShape& s, int kind, Workspace& w) {
  Attention a = attention_arguments(s, kind & 1, kind & 2, 0, kind & 4 ? 3 : 0, w);
  a.q = a.k = a.v = nullptr;
  a.narrow.q = narrow(b, w, "of q", s.queries(), a.ldq);
  a.narrow.k = narrow(b, w, "of k", s.keys(), a.ldk, 2);
  a.narrow.v = narrow(b, w, "of v", s.keys(), a.ldv);
  a.narrow.out = w.out_rounded("out", s.queries(), s.heads * s.d_v);
  a.log_sums = w.out("log_sums", s.queries(), s.heads);
  return a;
}

void add_attention(std::vector<Case>& cases) {
  for (const AttentionShape& s : attention_shapes()) {
    if (s.d_k % 8 != 0 || s.d_v % 8 != 0 || s.d_k > 128 || s.d_v > 128) continue;
    for (int kind = 0; kind < 8; ++kind) {
      const std::string shape = std::string(s.name) + " narrow, kind " + std::to_string(kind);
      cases.push_back(
          {"attention", shape, [=](const Backend& b, Workspace& w) { b.attention(narrow_attention(b, s, kind, w)); }});
      cases.push_back({"attention_backward", shape, [=](const Backend& b, Workspace& w) {
                         AttentionBackward g;
                         g.forward = narrow_attention(b, s, kind, w);
                         b.attention(g.forward);
                         g.narrow.d_out = narrow(b, w, "d_out", s.queries(), s.heads * s.d_v);
                         g.narrow.d_q = w.out_rounded("d_q", s.queries(), g.forward.ldq);
                         g.narrow.d_k = w.out_rounded("d_k", s.keys(), g.forward.ldk);
                         g.narrow.d_v = w.out_rounded("d_v", s.keys(), g.forward.ldv);
                         b.attention_backward(g);
                       }});
    }
  }
}

struct Shape {
  std::int64_t n, d;
};
std::string text(const Shape& m) { return std::to_string(m.n) + " x " + std::to_string(m.d) + " narrow"; }

void add_rows(std::vector<Case>& cases) {
  for (const Shape& m : {Shape{1, 8}, {5, 136}, {70, 64}, {3, 520}, {131, 48}, {5, 512}, {131, 512}, {9, 1024}, {3, 1280}})
    for (const float rate : {0.0f, 0.2f}) {
      const Dropout dropout{rate, 77, 5, 1, 9};
      cases.push_back({"activate", text(m), [=](const Backend& b, Workspace& w) {
                         Bfloat16* x = narrow(b, w, "x", m.n, m.d);  // in place
                         b.activate({Activation::relu, m.n, m.d, w.in("bias", 1, m.d), nullptr, dropout, nullptr, x, x});
                       }});
      for (const bool accumulate : {false, true})
        cases.push_back({"activate_backward", text(m), [=](const Backend& b, Workspace& w) {
                           Bfloat16* y = narrow(b, w, "y", m.n, m.d);
                           b.activate({Activation::relu, m.n, m.d, w.in("bias", 1, m.d), nullptr, dropout, nullptr, y, y});
                           Bfloat16* d_y = narrow(b, w, "d_y", m.n, m.d);
                           b.activate_backward({Activation::relu, m.n, m.d, nullptr, nullptr, nullptr, dropout, nullptr,
                                                accumulate, w.sum(accumulate, "d_bias", 1, m.d), d_y, y, d_y});
                         }});
    }
  for (const Shape& m : {Shape{1, 8}, {3, 1000}, {2, 20008}, {1, 33000}})
    for (const float scale : {0.37f, 1.0f})
      cases.push_back({"cross_entropy", text(m), [=](const Backend& b, Workspace& w) {
                         const std::int32_t* targets = w.indices("targets", m.n, static_cast<std::int32_t>(m.d));
                         Bfloat16* z = narrow(b, w, "z", m.n, m.d, 3);
                         b.cross_entropy({m.n, m.d, targets, 0.1f, scale, nullptr, w.doubles("sums", 2), z});
                       }});
}

// The factors are given rounded too, as it is where products are narrow.
void add_products(std::vector<Case>& cases) {
  struct Sizes {
    std::int64_t m, n, k;
  };
  for (const Sizes& s : {Sizes{1, 8, 8}, {5, 16, 40}, {33, 24, 128}, {4, 8, 0}})
    for (const bool tb : {false, true})
      cases.push_back({"product", std::to_string(s.m) + " x " + std::to_string(s.n) + (tb ? " B^T" : "") + " narrow",
                       [=](const Backend& b, Workspace& w) {
                         Product p{false, tb, s.m, s.n, s.k, w.in("a", s.m, s.k), s.k, nullptr, tb ? s.k : s.n};
                         p.b = w.in("b", tb ? s.n : s.k, p.ldb);
                         p.rounded_a = w.out_rounded("a rounded", s.m, s.k);
                         p.rounded_b = w.out_rounded("b rounded", tb ? s.n : s.k, p.ldb);
                         b.round({s.m, s.k, p.a, s.k, const_cast<Bfloat16*>(p.rounded_a)});
                         b.round({tb ? s.n : s.k, p.ldb, p.b, p.ldb, const_cast<Bfloat16*>(p.rounded_b)});
                         p.ldc = s.n;
                         p.rounded_c = w.out_rounded("c", s.m, s.n);
                         b.product(p);
                       }});
}

}  // namespace

std::vector<Case> narrow_cases() {
  std::vector<Case> cases;
  add_attention(cases);
  add_rows(cases);
  add_products(cases);
  return cases;
}

}  // namespace tt
