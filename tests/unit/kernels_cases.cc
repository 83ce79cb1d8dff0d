// The table of cases, attention excepted: every kernel at shapes of one element, odd shapes, and
// shapes larger than a tile or a vector.
#include <cmath>

#include "base/random.h"
#include "tensor/int8.h"
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

const Dropout kOff{}, kSome{0.3f, 0x1234567890ABCDEFu, 7, 3, 11},
    kFew{0.1f, 5, 0x80000000u, 0xFFFFFFFFu, 2};

struct Size {
  std::int64_t n, d;
};
// Rows and columns: a single element; fewer columns than a vector; a whole vector; past a group of
// 64 random numbers; widths of presets and others for which kernels of GPUs differ.
const Size kSizes[] = {{0, 8},    {1, 1},    {1, 7},    {2, 8},   {3, 65},  {5, 130},
                       {37, 128}, {3, 256},  {3, 300},  {4, 512}, {5, 768}, {2, 1024},
                       {2, 1280}, {1, 2304}, {1, 5000}, {2, 9000}};

// A matrix of this size.
Matrix of(const Size& m, float* at) { return float32(at, m.n, m.d); }

std::string text(const Size& m, const Dropout& dropout = {}, const char* more = "") {
  return std::to_string(m.n) + " x " + std::to_string(m.d) + (dropout.rate > 0 ? " dropout" : "") +
         more;
}

void add_products(std::vector<Case>& cases) {
  struct Shape {
    std::int64_t m, n, k;
  };
  // A transposed A of 512 columns is gathered on the host.
  for (const Shape s :
       {Shape{0, 3, 4}, Shape{1, 1, 1}, Shape{3, 5, 7}, Shape{4, 6, 0}, Shape{17, 33, 65},
        Shape{130, 70, 200}, Shape{64, 256, 128}, Shape{512, 40, 30}})
    for (int kind = 0; kind < 32; ++kind) {
      const bool ta = kind & 1, tb = kind & 2, accumulate = kind & 4, biased = kind & 16;
      const std::int64_t gap = kind & 8 ? 3 : 0;
      cases.push_back(
          {"product",
           std::to_string(s.m) + " x " + std::to_string(s.n) + " x " + std::to_string(s.k) +
               (ta ? " A^T" : "") + (tb ? " B^T" : "") + (accumulate ? " accumulate" : "") +
               (gap ? " strides" : "") + (biased ? " bias" : ""),
           [=](const Backend& b, Workspace& w) {
             const auto in = [&](const char* name, std::int64_t rows, std::int64_t columns,
                                 std::int64_t more) {
               return float32(w.in(name, rows, columns, columns + more), rows, columns,
                              columns + more);
             };
             const ConstMatrix A = ta ? in("A", s.k, s.m, gap) : in("A", s.m, s.k, gap),
                               B = tb ? in("B", s.n, s.k, 2 * gap) : in("B", s.k, s.n, 2 * gap);
             const std::int64_t ldc = s.n + 5 * gap;
             const Matrix C = float32(w.sum(accumulate, "C", s.m, s.n, ldc), s.m, s.n, ldc);
             b.product({ta, tb, A, B, accumulate, C,
                        biased ? w.in("bias", 1, gap + s.n) + gap : nullptr});
           }});
    }
}

void add_row_products(std::vector<Case>& cases) {
  struct Shape {
    std::int64_t rows, n, k;
  };
  // One element; fewer columns than a tile, and a remainder; one tile, several, and unequal ones;
  // past a block of columns and of terms; so many blocks that a GPU's threads have several rows
  // each.
  for (const Shape s : {Shape{0, 3, 4}, Shape{1, 1, 1}, Shape{3, 5, 7}, Shape{4, 6, 0},
                        Shape{1, 64, 33}, Shape{12, 32, 8}, Shape{13, 33, 65}, Shape{25, 300, 9},
                        Shape{64, 256, 128}, Shape{40, 70, 600}, Shape{70, 8200, 5}})
    for (const auto& [transposed, pack] :
         {std::pair(false, false), {true, false}, {false, true}, {true, true}})
      cases.push_back(
          {"row_product",
           std::to_string(s.rows) + " x " + std::to_string(s.n) + " x " + std::to_string(s.k) +
               (transposed ? " W^T" : "") + (pack ? " packed" : ""),
           [=, transposed = transposed, pack = pack](const Backend& b, Workspace& w) {
             const std::int64_t rows = transposed ? s.n : s.k, columns = transposed ? s.k : s.n;
             const ConstMatrix x = float32(w.in("x", s.rows, s.k), s.rows, s.k);
             ConstMatrix W = float32(w.in("w", rows, columns), rows, columns);
             const Matrix y = float32(w.out("y", s.rows, s.n), s.rows, s.n);
             // As much as any backend wants.
             const Matrix packed =
                 matrix(w.zeros((s.n + 64) * s.k), b.traits().weights, rows, columns);
             if (pack && packed.type != W.type) b.pack({transposed, W, packed}), W = packed;
             b.row_product({transposed, x, W, y});
           }});
}

// Numbers between two of bfloat16, in the middle, and on one.
void add_rounds(std::vector<Case>& cases) {
  for (const Size& m : kSizes)
    for (const std::int64_t gap : {0, 3})
      cases.push_back(
          {"round", text(m) + (gap ? " strides" : ""), [=](const Backend& b, Workspace& w) {
             const auto change = [](float x) {
               return std::ldexp(std::nearbyint(std::ldexp(x, 9)), -9);
             };
             const float* from = w.inout("from", m.n, m.d, m.d + gap, 1, change);
             b.round({float32(from, m.n, m.d, m.d + gap), w.out_rounded("to", m.n, m.d)});
           }});
  for (const std::int64_t long_row : {4096, 8192, 9999})
    cases.push_back(
        {"round", "one row of " + std::to_string(long_row), [=](const Backend& b, Workspace& w) {
           b.round(
               {float32(w.in("from", 1, long_row), 1, long_row), w.out_rounded("to", 1, long_row)});
         }});
  std::vector<Size> sizes(std::begin(kSizes), std::end(kSizes));
  sizes.push_back({131, 256});  // more rows than those that a GPU sums at once
  for (const Size& m : sizes) {
    cases.push_back({"add_norm", text(m, kSome, " rounded"), [=](const Backend& b, Workspace& w) {
                       const ConstMatrix a = of(m, w.in("a", m.n, m.d));
                       const Matrix s = of(m, w.inout("b", m.n, m.d, 0, 3));
                       const float *gain = w.in("gain", 1, m.d), *bias = w.in("bias", 1, m.d);
                       const Matrix y = of(m, w.out("y", m.n, m.d));
                       b.add_norm({a, s, gain, bias, kSome, y, w.out_rounded("rounded", m.n, m.d)});
                     }});
    if (m.d > 1)
      cases.push_back(
          {"add_norm_backward", text(m, kSome, " rounded"), [=](const Backend& b, Workspace& w) {
             const ConstMatrix s = of(m, w.in("s", m.n, m.d, 0, 2));
             const float* gain = w.in("gain", 1, m.d);
             const Matrix same = of(m, w.spent("s", m.n, m.d, 2)), y = of(m, w.zeros(m.n * m.d));
             float *mean = w.zeros(m.n), *rstd = w.zeros(m.n);
             b.add_norm({{}, same, gain, gain, {}, y, {}, mean, rstd});
             const ConstMatrix dy = of(m, w.in("d_y", m.n, m.d));
             const Matrix db = of(m, w.out("d_b", m.n, m.d)),
                          copy = w.out_rounded("rounded", m.n, m.d);
             float* dg = w.out("d_gain", 1, m.d);
             b.add_norm_backward({dy,
                                  s,
                                  gain,
                                  mean,
                                  rstd,
                                  kSome,
                                  false,
                                  {},
                                  db,
                                  copy,
                                  false,
                                  dg,
                                  w.out("d_bias", 1, m.d)});
           }});
    for (const auto kind : {Activation::relu, Activation::gelu}) {
      const char* const name = kind == Activation::relu ? " relu rounded" : " gelu rounded";
      cases.push_back({"activate", text(m, kSome, name), [=](const Backend& b, Workspace& w) {
                         const Matrix x = of(m, w.spent("x", m.n, m.d, 3)),
                                      rounded = w.out_rounded("rounded", m.n, m.d);
                         const float* bias = w.in("bias", 1, m.d);
                         if (kind == Activation::relu) b.activate({kind, x, bias, kSome, rounded});
                         else
                           b.activate({kind, x, bias, kSome, of(m, w.out("y", m.n, m.d)), rounded});
                       }});
      cases.push_back(
          {"activate_backward", text(m, kSome, name), [=](const Backend& b, Workspace& w) {
             ConstMatrix x = of(m, w.in("x", m.n, m.d, 0, 3));
             const Matrix dy = of(m, w.spent("d_y", m.n, m.d)),
                          before = of(m, w.spent("x", m.n, m.d, 3));
             Matrix y = of(m, w.zeros(m.n * m.d));
             if (kind == Activation::relu) y = w.out_rounded("rounded_y", m.n, m.d), x = {};
             b.activate({kind, before, w.zeros(m.d), kSome, y});
             const Matrix dx = w.out_rounded("rounded", m.n, m.d);
             b.activate_backward({kind, x, y, dy, kSome, dx, false, w.out("d_bias", 1, m.d)});
           }});
    }
    cases.push_back(
        {"cross_entropy", text(m, {}, " rounded"), [=](const Backend& b, Workspace& w) {
           const std::int32_t* targets = w.indices("targets", m.n, static_cast<std::int32_t>(m.d));
           const Matrix logits = of(m, w.spent("logits", m.n, m.d)),
                        rounded = w.out_rounded("rounded", m.n, m.d);
           b.cross_entropy({targets, 0.1f, 0.37f, logits, rounded, w.doubles("sums", 2)});
         }});
  }
}

// W of normal numbers and one column of zeros, in eight bits.
ConstMatrix int8_of(std::int64_t n, std::int64_t k, Workspace& w) {
  Random numbers(static_cast<std::uint64_t>(n * 1000 + k));
  std::vector<float> W(static_cast<std::size_t>(n * k)), scales(static_cast<std::size_t>(n));
  std::vector<std::uint8_t> panels(static_cast<std::size_t>(int8_bytes(n, k)));
  for (std::size_t i = 0; i < W.size(); ++i)
    W[i] = static_cast<std::int64_t>(i) % n == 2 ? 0 : numbers.normal();
  quantize(false, n, k, W.data(), panels.data(), scales.data());
  const std::uint8_t* placed = w.copy(panels);
  return int8_matrix(n, k, placed, w.copy(scales));
}

void add_int8(std::vector<Case>& cases) {
  struct Shape {
    std::int64_t rows, n, k;
  };
  // As those of row_product; and more rows than are rounded together.
  for (const Shape s : {Shape{0, 3, 4}, Shape{1, 1, 1}, Shape{3, 5, 7}, Shape{1, 64, 33},
                        Shape{2, 300, 65}, Shape{12, 32, 8}, Shape{13, 33, 65}, Shape{25, 130, 12},
                        Shape{7, 140, 128}, Shape{243, 17, 9}, Shape{2, 20, 4100}}) {
    const std::string shape =
        std::to_string(s.rows) + " x " + std::to_string(s.n) + " x " + std::to_string(s.k);
    // Of ordinary numbers, of some that vanish, and of large ones.
    for (const float spread : {3.0f, 1e-39f, 1e34f})
      cases.push_back({"int8_product",
                       shape + (spread == 3.0f ? ""
                                : spread < 1   ? " tiny"
                                               : " huge"),
                       [=](const Backend& b, Workspace& w) {
                         const ConstMatrix m = int8_of(s.n, s.k, w);
                         const float* x = w.in("x", s.rows, s.k, 0, spread);
                         b.int8_product({float32(x, s.rows, s.k), m,
                                         float32(w.out("y", s.rows, s.n), s.rows, s.n)});
                       }});
    cases.push_back({"int8_columns", shape, [=](const Backend& b, Workspace& w) {
                       const ConstMatrix m = int8_of(s.n, s.k, w);
                       std::vector<std::int32_t> columns;
                       for (std::int64_t r = 0; r < s.rows; ++r)
                         columns.push_back(static_cast<std::int32_t>((r * 7 + 2) % (s.n + 1) - 1));
                       const std::int32_t* chosen = w.copy(columns);
                       b.int8_columns({m, chosen, float32(w.out("y", s.rows, s.k), s.rows, s.k)});
                     }});
  }
}

void add_sums(std::vector<Case>& cases) {
  for (const Size& m : kSizes) {
    cases.push_back({"add_bias", text(m), [=](const Backend& b, Workspace& w) {
                       b.add_bias({m.n, m.d, w.in("bias", 1, m.d), w.inout("x", m.n, m.d)});
                     }});
    cases.push_back({"add", text(m), [=](const Backend& b, Workspace& w) {
                       const float* x = w.in("x", m.n, m.d);
                       b.add({m.n * m.d, x, w.inout("y", m.n, m.d)});
                     }});
    cases.push_back({"multiply", text(m), [=](const Backend& b, Workspace& w) {
                       const float *x = w.in("a", m.n, m.d), *z = w.in("b", m.n, m.d);
                       b.multiply({m.n * m.d, 1, x, z, w.out("y", m.n, m.d)});
                     }});
    cases.push_back({"multiply", text(m) + " by a number", [=](const Backend& b, Workspace& w) {
                       const float* x = w.in("a", m.n, m.d);
                       b.multiply({m.n * m.d, 0.3f, x, nullptr, w.out("y", m.n, m.d)});
                     }});
    for (const int kind : {0, 1, 2, 3}) {
      const bool add_a = kind & 1, add_b = kind & 2;
      cases.push_back({"multiply_backward", text(m) + " " + std::to_string(kind),
                       [=](const Backend& b, Workspace& w) {
                         MultiplyBackward k{m.n * m.d, 0.3f, w.in("d_y", m.n, m.d)};
                         k.a = w.in("a", m.n, m.d), k.b = w.in("b", m.n, m.d);
                         k.accumulate_a = add_a, k.accumulate_b = add_b;
                         k.d_a = w.sum(add_a, "d_a", m.n, m.d);
                         k.d_b = w.sum(add_b, "d_b", m.n, m.d);
                         b.multiply_backward(k);
                       }});
      if (add_b) continue;
      cases.push_back({"multiply_backward", text(m) + " by a number" + (add_a ? " added" : ""),
                       [=](const Backend& b, Workspace& w) {
                         MultiplyBackward k{m.n * m.d, 0.3f, w.in("d_y", m.n, m.d)};
                         k.accumulate_a = add_a, k.d_a = w.sum(add_a, "d_a", m.n, m.d);
                         b.multiply_backward(k);
                       }});
    }
    cases.push_back({"zero", text(m), [=](const Backend& b, Workspace& w) {
                       float* x = w.out("x", m.n, m.d);
                       b.zero({1, m.n * m.d, m.n * m.d, x});
                     }});
    cases.push_back({"zero", text(m) + " strides", [=](const Backend& b, Workspace& w) {
                       float* x = w.out("x", m.n, m.d, m.d + 3);
                       b.zero({m.n, m.d, m.d + 3, x});
                     }});
    for (bool accumulate : {false, true})
      cases.push_back({"column_sums", text(m, {}, accumulate ? " accumulate" : ""),
                       [=](const Backend& b, Workspace& w) {
                         b.column_sums({m.n, m.d, w.in("x", m.n, m.d), accumulate,
                                        w.sum(accumulate, "sums", 1, m.d)});
                       }});
  }
}

// RMSNorm as a model has it: without a bias.
void add_rms_norms(std::vector<Case>& cases, const Size& m, const Dropout& dropout) {
  cases.push_back({"add_norm", text(m, dropout, " RMS"), [=](const Backend& b, Workspace& w) {
                     AddNorm k;
                     k.type = NormType::rms;
                     k.a = of(m, w.in("a", m.n, m.d));
                     k.b_to_s = of(m, w.inout("b", m.n, m.d, 0, 3));
                     k.gain = w.in("gain", 1, m.d);
                     k.dropout = dropout;
                     k.y = of(m, w.out("y", m.n, m.d));
                     k.mean = w.out("mean", m.n, 1), k.rstd = w.out("rstd", m.n, 1);
                     k.epsilon = 0.5f;
                     b.add_norm(k);
                   }});
  for (const bool accumulate : {false, true})
    cases.push_back({"add_norm_backward", text(m, dropout, accumulate ? " RMS accumulate" : " RMS"),
                     [=](const Backend& b, Workspace& w) {
                       AddNormBackward k;
                       k.type = NormType::rms;
                       k.s = of(m, w.in("s", m.n, m.d, 0, 2));
                       k.gain = w.in("gain", 1, m.d);
                       float *mean = w.zeros(m.n), *rstd = w.zeros(m.n);
                       AddNorm forward;  // for the statistics of s
                       forward.type = NormType::rms;
                       forward.b_to_s = of(m, w.spent("s", m.n, m.d, 2));
                       forward.gain = k.gain;
                       forward.y = of(m, w.zeros(m.n * m.d));
                       forward.mean = mean, forward.rstd = rstd;
                       b.add_norm(forward);
                       k.mean = mean, k.rstd = rstd;
                       const Matrix dy = of(m, w.inout("d_y", m.n, m.d));
                       k.d_y = dy, k.d_b = dy;
                       k.dropout = dropout;
                       k.accumulate_a = k.accumulate_params = accumulate;
                       k.d_a = w.like(dy, accumulate, "d_a");
                       k.d_gain = w.sum(accumulate, "d_gain", 1, m.d);
                       b.add_norm_backward(k);
                     }});
}

void add_norms(std::vector<Case>& cases) {
  for (const Size& m : kSizes)
    for (const Dropout& dropout : {kOff, kSome}) {
      add_rms_norms(cases, m, dropout);
      for (const bool alone : {false, true}) {
        cases.push_back(
            {"add_norm", text(m, dropout, alone ? " alone" : ""),
             [=](const Backend& b, Workspace& w) {
               ConstMatrix a;
               if (!alone) a = of(m, w.in("a", m.n, m.d));
               const Matrix s = of(m, w.inout("b", m.n, m.d, 0, 3));
               const float *gain = w.in("gain", 1, m.d), *bias = w.in("bias", 1, m.d);
               float* mean = w.out("mean", m.n, 1);
               const Matrix y = of(m, w.out("y", m.n, m.d));
               b.add_norm({a, s, gain, bias, dropout, y, {}, mean, w.out("rstd", m.n, 1)});
             }});
        cases.push_back(
            {"add_norm",
             text(m, dropout, alone ? " alone, no statistics, epsilon" : " no statistics, epsilon"),
             [=](const Backend& b, Workspace& w) {
               ConstMatrix a;
               if (!alone) a = of(m, w.in("a", m.n, m.d));
               const Matrix s = of(m, w.inout("b", m.n, m.d, 0, 3));
               const float *gain = w.in("gain", 1, m.d), *bias = w.in("bias", 1, m.d);
               b.add_norm({a,
                           s,
                           gain,
                           bias,
                           dropout,
                           of(m, w.out("y", m.n, m.d)),
                           {},
                           nullptr,
                           nullptr,
                           0.5f});
             }});
      }
      if (m.d == 1)
        continue;  // a single column has no deviation: its gradient is rounding times 316
      // Bits of `kind`: add to d_a, add to the parameters' gradients; whether d_a and d_b are
      // wanted; d_b in place of d_y.
      for (int kind = 0; kind < 32; ++kind) {
        const bool to_a = kind & 1, to_params = kind & 2, want_a = kind & 4, want_b = kind & 8,
                   in_place = kind & 16;
        if ((in_place && !want_b) || (to_a && !want_a)) continue;
        std::string more = std::string(to_a ? " accumulate a" : "") +
                           (to_params ? " accumulate parameters" : "") + (want_a ? " d_a" : "") +
                           (want_b ? " d_b" : "") + (in_place ? " in place" : "");
        cases.push_back({"add_norm_backward", text(m, dropout, more.c_str()),
                         [=](const Backend& b, Workspace& w) {
                           const ConstMatrix s = of(m, w.in("s", m.n, m.d, 0, 2));
                           const float *gain = w.in("gain", 1, m.d), *bias = w.in("bias", 1, m.d);
                           // The statistics of s, by the same backend's forward.
                           const Matrix same = of(m, w.spent("s", m.n, m.d, 2)),
                                        y = of(m, w.zeros(m.n * m.d));
                           float *mean = w.zeros(m.n), *rstd = w.zeros(m.n);
                           b.add_norm({{}, same, gain, bias, {}, y, {}, mean, rstd});
                           const Matrix dy =
                               of(m, in_place ? w.inout("d_y", m.n, m.d) : w.in("d_y", m.n, m.d));
                           Matrix da, db;
                           if (want_a) da = w.like(dy, to_a, "d_a");
                           if (want_b) db = in_place ? dy : w.like(dy, false, "d_b");
                           float* dg = w.sum(to_params, "d_gain", 1, m.d);
                           b.add_norm_backward({dy,
                                                s,
                                                gain,
                                                mean,
                                                rstd,
                                                dropout,
                                                to_a,
                                                da,
                                                db,
                                                {},
                                                to_params,
                                                dg,
                                                w.sum(to_params, "d_bias", 1, m.d)});
                         }});
      }
    }
}

void add_pointwise(std::vector<Case>& cases) {
  for (const Size& m : kSizes)
    for (const Dropout& dropout : {kOff, kSome, kFew}) {
      cases.push_back({"add_dropout", text(m, dropout), [=](const Backend& b, Workspace& w) {
                         const float *x = w.in("a", m.n, m.d), *z = w.in("b", m.n, m.d);
                         b.add_dropout({m.n, m.d, x, z, dropout, w.out("y", m.n, m.d)});
                       }});
      cases.push_back({"dropout_backward", text(m, dropout), [=](const Backend& b, Workspace& w) {
                         const float* dy = w.in("d_y", m.n, m.d);
                         b.dropout_backward({m.n, m.d, dy, dropout, w.out("d_b", m.n, m.d)});
                       }});
      for (const auto& [kind, name] : {std::pair(Activation::relu, " relu"),
                                       {Activation::gelu, " gelu"},
                                       {Activation::swish, " swish"},
                                       {Activation::gelu_logistic, " gelu_logistic"},
                                       {Activation::gelu_erf, " gelu_erf"},
                                       {Activation::tanh, " tanh"}})
        for (const int way : {0, 1, 2, 3}) {
          const bool in_place = way & 1, biased = way < 2;
          if (in_place && kind != Activation::relu) continue;
          const std::string more =
              std::string(name) + (in_place ? " in place" : "") + (biased ? "" : " no bias");
          cases.push_back(
              {"activate", text(m, dropout, more.c_str()),
               [=, kind = kind](const Backend& b, Workspace& w) {
                 const float* bias = biased ? w.in("bias", 1, m.d) : nullptr;
                 const bool unchanged = kind == Activation::relu && !in_place;
                 const Matrix x =
                     of(m, unchanged ? w.in("x", m.n, m.d, 0, 3) : w.inout("x", m.n, m.d, 0, 3));
                 b.activate({kind, x, bias, dropout, in_place ? x : of(m, w.out("y", m.n, m.d))});
               }});
          for (const bool accumulate : {false, true})
            cases.push_back(
                {"activate_backward",
                 text(m, dropout, (more + (accumulate ? " accumulate" : "")).c_str()),
                 [=, kind = kind](const Backend& b, Workspace& w) {
                   ConstMatrix x = of(m, w.in("x", m.n, m.d, 0, 3));
                   const Matrix dy = of(
                                    m, in_place ? w.inout("d_y", m.n, m.d) : w.in("d_y", m.n, m.d)),
                                y = of(m, w.zeros(m.n * m.d)),
                                before = of(m, w.spent("x", m.n, m.d, 3));
                   b.activate({kind, before, w.zeros(m.d), dropout, y});
                   const Matrix dx = in_place ? dy : of(m, w.out("d_x", m.n, m.d));
                   if (kind == Activation::relu) x = {};
                   b.activate_backward({kind, x, y, dy, dropout, dx, accumulate,
                                        biased ? w.sum(accumulate, "d_bias", 1, m.d) : nullptr});
                 }});
        }
    }
}

// Every fifth token is none.
std::vector<std::int32_t> some_tokens(std::int64_t n, std::int32_t below) {
  std::vector<std::int32_t> tokens;
  for (std::int32_t i = 0; i < n; ++i) tokens.push_back(i % 5 == 0 ? -1 : i * 7 % below);
  return tokens;
}

void add_embeddings(std::vector<Case>& cases) {
  for (const Size& m : kSizes)
    for (const Dropout& dropout : {kOff, kSome}) {
      const float scale = std::sqrt(static_cast<float>(m.d));
      cases.push_back({"embed", text(m, dropout), [=](const Backend& b, Workspace& w) {
                         const std::int32_t *tokens = w.indices("tokens", m.n, 13),
                                            *places = w.indices("places", m.n, 9);
                         const ConstMatrix table = float32(w.in("table", 13, m.d), 13, m.d);
                         const ConstMatrix positions = float32(w.in("positions", 9, m.d), 9, m.d);
                         b.embed({tokens, places, table, positions, scale, dropout,
                                  of(m, w.out("y", m.n, m.d))});
                       }});
      cases.push_back(
          {"embed", text(m, dropout, " some none"), [=](const Backend& b, Workspace& w) {
             const std::int32_t *tokens = w.copy(some_tokens(m.n, 13)),
                                *places = w.indices("places", m.n, 9);
             const ConstMatrix table = float32(w.in("table", 13, m.d), 13, m.d);
             const ConstMatrix positions = float32(w.in("positions", 9, m.d), 9, m.d);
             b.embed(
                 {tokens, places, table, positions, scale, dropout, of(m, w.out("y", m.n, m.d))});
           }});
      for (const auto& [learned, none] : {std::pair(false, false), {true, false}, {true, true}})
        cases.push_back({"embed_backward",
                         text(m, dropout,
                              none      ? " learned, some none"
                              : learned ? " learned"
                                        : ""),
                         [=, learned = learned, none = none](const Backend& b, Workspace& w) {
                           const std::int32_t* tokens =
                               none ? w.copy(some_tokens(m.n, 13)) : w.indices("tokens", m.n, 13);
                           const std::int32_t* places = w.indices("places", m.n, 9);
                           const ConstMatrix dy = of(m, w.in("d_y", m.n, m.d));
                           const Matrix table = float32(w.inout("d_table", 13, m.d), 13, m.d);
                           Matrix positions;
                           if (learned) positions = float32(w.inout("d_positions", 9, m.d), 9, m.d);
                           b.embed_backward({tokens, places, dy, scale, dropout, table, positions});
                         }});
    }
  // Most tokens are few, and some in every part of the rows.
  for (const std::int32_t kinds : {7, 400, 3000})
    cases.push_back({"embed_backward", "many rows of " + std::to_string(kinds) + " tokens",
                     [=](const Backend& b, Workspace& w) {
                       constexpr std::int64_t n = 1300, d = 36;
                       const std::int32_t *tokens = w.indices("tokens", n, kinds),
                                          *places = w.indices("places", n, 50);
                       const ConstMatrix dy = float32(w.in("d_y", n, d), n, d);
                       const Matrix table = float32(w.inout("d_table", kinds, d), kinds, d);
                       b.embed_backward({tokens, places, dy, 1.5f, kSome, table,
                                         float32(w.inout("d_positions", 50, d), 50, d)});
                     }});
}

}  // namespace

std::vector<Case> kernel_cases() {
  std::vector<Case> cases;
  add_products(cases);
  add_row_products(cases);
  add_rounds(cases);
  add_int8(cases);
  add_sums(cases);
  add_norms(cases);
  add_pointwise(cases);
  add_embeddings(cases);
  return cases;
}

}  // namespace tt
