// Every kernel at the shapes of the presets tiny and base: 1024 rows, sentences of 15 and 30
// tokens.
//
// Bytes are those of the arguments, each read or written once; for products and attention, FLOPs of
// their matrix products are counted.
#include <cmath>
#include <memory>

#include "base/random.h"
#include "tensor/int8.h"
#include "tensor/panels.h"
#include "tests/bench/bench.h"

namespace tt {
namespace {

constexpr std::int64_t kRows = 1024;
const Dropout kDropout{0.1f, 1, 2, 3, 4};

struct Preset {
  std::string name;
  std::int64_t d, f;
  int heads, layers;
  std::int64_t v;
};
const Preset kPresets[] = {{"tiny", 128, 256, 4, 4, 10000}, {"base", 512, 2048, 8, 6, 32000}};

// The arguments of one thread's calls.
struct Memory {
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<std::int32_t>> integers;

  float* take(std::int64_t n, float spread = 1) {
    Random numbers(floats.size());
    floats.emplace_back(static_cast<std::size_t>(n));
    // A short stretch of random numbers, repeated: drawing millions would take longer than
    // measuring.
    std::vector<float> some(std::min<std::size_t>(4099, floats.back().size()));
    for (float& x : some) x = spread * numbers.normal();
    for (std::size_t i = 0; i < floats.back().size(); ++i) floats.back()[i] = some[i % some.size()];
    return floats.back().data();
  }
  std::int32_t* indices(std::int64_t n, std::int64_t below) {
    Random numbers(integers.size());
    auto& x = integers.emplace_back(static_cast<std::size_t>(n));
    for (auto& i : x)
      i = static_cast<std::int32_t>(numbers.below(static_cast<std::uint32_t>(below)));
    return x.data();
  }
};
using Shared = std::shared_ptr<Memory>;

Shared memory() {
  auto m = std::make_shared<Memory>();
  m->floats.reserve(16);
  return m;
}

// A case over n rows of d columns that moves `matrices` such matrices.
template <class Prepare>
void pointwise(const Bench& bench, const std::string& name, std::int64_t n, std::int64_t d,
               double matrices, const Prepare& prepare) {
  const double elements = static_cast<double>(n * d);
  bench.measure({name, static_cast<double>(n), elements, 0, 4 * matrices * elements,
                 [&](int) { return prepare(memory()); }});
}

void product(const Bench& bench, const std::string& name, bool ta, bool tb, std::int64_t m,
             std::int64_t n, std::int64_t k, std::int64_t rows, bool accumulate) {
  const double flops = 2.0 * static_cast<double>(m * n) * static_cast<double>(k);
  bench.measure({name + " " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k),
                 static_cast<double>(rows), static_cast<double>(m * n), flops, 0,
                 [&, m, n, k](int) -> std::function<void()> {
                   Shared s = memory();
                   float *a = s->take(m * k), *b = s->take(k * n), *c = s->take(m * n);
                   return [=, &bench, keep = s] {
                     bench.backend().product({ta, tb, float32(a, ta ? k : m, ta ? m : k),
                                              float32(b, tb ? n : k, tb ? k : n), accumulate,
                                              float32(c, m, n)});
                   };
                 }});
}

// The products of inference: the hypotheses of one sentence, and of batches; W as it is, packed,
// and in eight bits.
void row_product(const Bench& bench, const std::string& name, bool transposed, std::int64_t rows,
                 std::int64_t n, std::int64_t k) {
  const double flops = 2.0 * static_cast<double>(rows * n) * static_cast<double>(k);
  const auto of = [=](float* w) { return transposed ? float32(w, n, k) : float32(w, k, n); };
  bench.measure(
      {name + " " + std::to_string(rows) + "x" + std::to_string(n) + "x" + std::to_string(k),
       static_cast<double>(rows), static_cast<double>(rows * n), flops, 0,
       [&bench, of, transposed, rows, n, k](int) -> std::function<void()> {
         Shared s = memory();
         const RowProduct p{transposed, float32(s->take(rows * k), rows, k), of(s->take(k * n)),
                            float32(s->take(rows * n), rows, n)};
         return [=, &bench, keep = s] { bench.backend().row_product(p); };
       }});
  const std::string size =
      " " + std::to_string(rows) + "x" + std::to_string(n) + "x" + std::to_string(k);
  bench.measure({name + " packed" + size, static_cast<double>(rows), static_cast<double>(rows * n),
                 flops, 0, [&bench, of, transposed, rows, n, k](int) -> std::function<void()> {
                   Shared s = memory();
                   const Backend& b = bench.backend();
                   const ElementType type = b.traits().weights;
                   const Matrix x = float32(s->take(rows * k), rows, k), w = of(s->take(k * n)),
                                y = float32(s->take(rows * n), rows, n);
                   const auto floats = static_cast<std::int64_t>(
                       packed_bytes(type, transposed, n, k) / sizeof(float));
                   const Matrix packed = matrix(s->take(floats), type, w.rows, w.columns);
                   b.pack({transposed, w, packed});
                   return [=, &b, keep = s] { b.row_product({transposed, x, packed, y}); };
                 }});
  bench.measure({name + " int8" + size, static_cast<double>(rows), static_cast<double>(rows * n),
                 flops, 0, [&bench, transposed, rows, n, k](int) -> std::function<void()> {
                   Shared s = memory();
                   float *x = s->take(rows * k), *w = s->take(k * n), *y = s->take(rows * n),
                         *scales = s->take(n);
                   auto* panels = reinterpret_cast<std::uint8_t*>(s->take(int8_bytes(n, k) / 4));
                   quantize(transposed, n, k, w, panels, scales);
                   const Int8Product p{float32(x, rows, k), int8_matrix(n, k, panels, scales),
                                       float32(y, rows, n)};
                   return [=, &bench, keep = s] { bench.backend().int8_product(p); };
                 }});
}

void products(const Bench& bench, const Preset& p) {
  const std::int64_t chunk = std::min<std::int64_t>(512, std::max<std::int64_t>(128, p.d));
  // y = x W, d_x = d_y W^T, d_W = x^T d_y.
  const auto linear = [&](const char* name, std::int64_t in, std::int64_t out) {
    product(bench, p.name + " product " + name, false, false, kRows, out, in, kRows, false);
    product(bench, p.name + " product " + name + " d_x", false, true, kRows, in, out, kRows, false);
    product(bench, p.name + " product " + name + " d_w", true, false, in, out, kRows, kRows, true);
  };
  linear("qkv", p.d, 3 * p.d);
  linear("out", p.d, p.d);
  linear("keys, values", p.d, 2 * p.d * p.layers);
  linear("ffn 1", p.d, p.f);
  linear("ffn 2", p.f, p.d);
  product(bench, p.name + " product logits", false, true, chunk, p.v, p.d, chunk, false);
  product(bench, p.name + " product logits d_x", false, false, chunk, p.d, p.v, chunk, false);
  product(bench, p.name + " product logits d_w", true, false, p.v, p.d, chunk, chunk, true);
  for (const std::int64_t rows : {4, 64, 256}) {
    row_product(bench, p.name + " row_product qkv", false, rows, 3 * p.d, p.d);
    row_product(bench, p.name + " row_product ffn 2", false, rows, p.d, p.f);
    row_product(bench, p.name + " row_product logits", true, rows, p.v, p.d);
  }
}

void attention(const Bench& bench, const Preset& p, std::int64_t length, bool causal, bool dropout,
               bool backward) {
  const std::int64_t n = kRows / length * length, width = p.d;
  const double pairs = static_cast<double>(n * (causal ? length + 1 : 2 * length)) / 2;
  // Forward two products of pairs x D, backward five.
  bench.measure(
      {p.name + (backward ? " attention_backward " : " attention ") + std::to_string(length) +
           (causal ? " causal" : "") + (dropout ? " dropout" : ""),
       static_cast<double>(n), pairs * p.heads,
       (backward ? 10 : 4) * pairs * static_cast<double>(width), 0,
       [&](int) -> std::function<void()> {
         Shared s = memory();
         auto segments = std::make_shared<std::vector<Segment>>();
         for (std::int64_t i = 0; i < n; i += length) {
           const auto begin = static_cast<std::int32_t>(i),
                      end = static_cast<std::int32_t>(i + length);
           segments->push_back({begin, end, begin, end});
         }
         Attention a;
         a.segments.at = segments->data();
         a.segments.count = static_cast<std::int64_t>(segments->size());
         a.heads = p.heads;
         a.d_k = a.d_v = width / p.heads;
         a.scale = 1 / std::sqrt(static_cast<float>(a.d_k));
         a.causal = causal;
         const Matrix qkv = float32(s->take(n * 3 * width), n, 3 * width);
         float *out = s->take(n * width), *sums = s->take(n * p.heads);
         a.q = qkv.columns_from(0, width);
         a.k = qkv.columns_from(width, width);
         a.v = qkv.columns_from(2 * width, width);
         if (dropout) a.dropout = kDropout;
         a.out = float32(out, n, width);
         a.log_sums = sums;
         bench.backend().attention(a);
         if (!backward)
           return [=, &bench, keep = s, keep_too = segments] { bench.backend().attention(a); };
         const Matrix d = float32(s->take(n * 3 * width), n, 3 * width);
         const AttentionBackward b{.forward = a,
                                   .d_out = float32(s->take(n * width), n, width),
                                   .d_q = d.columns_from(0, width),
                                   .d_k = d.columns_from(width, width),
                                   .d_v = d.columns_from(2 * width, width)};
         return
             [=, &bench, keep = s, keep_too = segments] { bench.backend().attention_backward(b); };
       }});
}

void cached(const Bench& bench, const Preset& p, std::int64_t steps) {
  constexpr std::int64_t kHypotheses = 64;
  const double pairs = static_cast<double>(kHypotheses * steps);
  bench.measure(
      {p.name + " cached_attention " + std::to_string(steps), kHypotheses, pairs * p.heads, 0,
       8 * pairs * static_cast<double>(p.d), [&](int) -> std::function<void()> {
         Shared s = memory();
         auto blocks = std::make_shared<std::vector<const float*>>();
         CachedAttention a;
         a.rows = kHypotheses;
         a.steps = steps;
         a.heads = p.heads;
         a.d_k = a.d_v = p.d / p.heads;
         a.scale = 1 / std::sqrt(static_cast<float>(a.d_k));
         a.q = s->take(kHypotheses * p.d);
         a.ldq = a.value_column = p.d;
         a.ld = 2 * p.d;
         float* cache = s->take(steps * kHypotheses * a.ld);
         for (std::int64_t t = 0; t < steps; ++t) blocks->push_back(cache + t * kHypotheses * a.ld);
         a.blocks = blocks->data();
         a.slots = s->indices(kHypotheses * steps, kHypotheses);
         a.ld_slots = steps;
         a.out = s->take(kHypotheses * p.d);
         return [=, &bench, keep = s, keep_too = blocks] { bench.backend().cached_attention(a); };
       }});
}

void rows(const Bench& bench, const Preset& p, const Dropout& dropout) {
  const Backend& b = bench.backend();
  const std::int64_t n = kRows, d = p.d;
  const std::string more = dropout.rate > 0 ? " dropout" : "";
  const auto take = [=](const Shared& s) { return float32(s->take(n * d), n, d); };
  const auto hidden = [=, f = p.f](const Shared& s) { return float32(s->take(n * f), n, f); };
  pointwise(bench, p.name + " add_norm" + more, n, d, 4, [&](Shared s) -> std::function<void()> {
    const Matrix a = take(s), x = take(s), y = take(s);
    float *g = s->take(d), *c = s->take(d), *m = s->take(n), *r = s->take(n);
    return [=, &b, keep = s] { b.add_norm({a, x, g, c, dropout, y, {}, m, r}); };
  });
  pointwise(
      bench, p.name + " add_norm_backward" + more, n, d, 4, [&](Shared s) -> std::function<void()> {
        const Matrix dy = take(s), x = take(s), da = take(s), db = take(s);
        float *g = s->take(d), *m = s->take(n), *r = s->take(n), *dg = s->take(d), *dc = s->take(d);
        return [=, &b, keep = s] {
          b.add_norm_backward({dy, x, g, m, r, dropout, false, da, db, {}, true, dg, dc});
        };
      });
  pointwise(bench, p.name + " add_dropout" + more, n, d, 3, [&](Shared s) -> std::function<void()> {
    float *a = s->take(n * d), *x = s->take(n * d), *y = s->take(n * d);
    return [=, &b, keep = s] { b.add_dropout({n, d, a, x, dropout, y}); };
  });
  pointwise(bench, p.name + " dropout_backward" + more, n, d, 2,
            [&](Shared s) -> std::function<void()> {
              float *dy = s->take(n * d), *x = s->take(n * d);
              return [=, &b, keep = s] { b.dropout_backward({n, d, dy, dropout, x}); };
            });
  if (dropout.rate == 0) {
    pointwise(bench, p.name + " multiply", n, p.f, 3, [&](Shared s) -> std::function<void()> {
      float *a = s->take(n * p.f), *x = s->take(n * p.f), *y = s->take(n * p.f);
      return [=, &b, keep = s] { b.multiply({n * p.f, 1, a, x, y}); };
    });
    pointwise(
        bench, p.name + " multiply_backward", n, p.f, 5, [&](Shared s) -> std::function<void()> {
          MultiplyBackward k{n * p.f, 1, s->take(n * p.f), s->take(n * p.f), s->take(n * p.f)};
          k.d_a = s->take(n * p.f), k.d_b = s->take(n * p.f);
          return [=, &b, keep = s] { b.multiply_backward(k); };
        });
  }
  for (const auto kind : {Activation::relu, Activation::gelu}) {
    const std::string name = kind == Activation::relu ? " relu" : " gelu";
    const bool relu = kind == Activation::relu;
    pointwise(bench, p.name + " activation" + name + more, n, p.f, relu ? 2 : 3,
              [&](Shared s) -> std::function<void()> {
                const Matrix x = hidden(s), y = relu ? x : hidden(s);
                float* bias = s->take(p.f);
                return [=, &b, keep = s] { b.activate({kind, x, bias, dropout, y}); };
              });
    pointwise(bench, p.name + " activation_backward" + name + more, n, p.f, 3,
              [&](Shared s) -> std::function<void()> {
                const Matrix x = hidden(s), y = hidden(s), dy = hidden(s);
                float* bias = s->take(p.f);
                return [=, &b, keep = s] {
                  b.activate_backward({kind, relu ? Matrix() : x, y, dy, dropout, dy, true, bias});
                };
              });
  }
  pointwise(bench, p.name + " embed" + more, n, d, 2, [&](Shared s) -> std::function<void()> {
    const Matrix table = float32(s->take(p.v * d), p.v, d), y = take(s);
    const Matrix positions = float32(s->take(64 * d), 64, d);
    const std::int32_t *tokens = s->indices(n, p.v), *places = s->indices(n, 64);
    return [=, &b, keep = s] { b.embed({tokens, places, table, positions, 11, dropout, y}); };
  });
  pointwise(
      bench, p.name + " embed_backward" + more, n, d, 3, [&](Shared s) -> std::function<void()> {
        const Matrix table = float32(s->take(p.v * d), p.v, d), dy = take(s);
        const std::int32_t *tokens = s->indices(n, p.v), *places = s->indices(n, 64);
        return [=, &b, keep = s] { b.embed_backward({tokens, places, dy, 11, dropout, table}); };
      });
}

void sums(const Bench& bench, const Preset& p) {
  const Backend& b = bench.backend();
  const std::int64_t n = kRows, d = p.d;
  pointwise(bench, p.name + " add_bias", n, d, 2, [&](Shared s) -> std::function<void()> {
    float *x = s->take(n * d), *bias = s->take(d);
    return [=, &b, keep = s] { b.add_bias({n, d, bias, x}); };
  });
  pointwise(bench, p.name + " column_sums", n, d, 1, [&](Shared s) -> std::function<void()> {
    float *x = s->take(n * d), *y = s->take(d);
    return [=, &b, keep = s] { b.column_sums({n, d, x, true, y}); };
  });
  pointwise(bench, p.name + " add", n, d, 3, [&](Shared s) -> std::function<void()> {
    float *x = s->take(n * d), *y = s->take(n * d);
    return [=, &b, keep = s] { b.add({n * d, x, y}); };
  });
  pointwise(bench, p.name + " zero", n, d, 1, [&](Shared s) -> std::function<void()> {
    float* x = s->take(n * d);
    return [=, &b, keep = s] { b.zero({1, n * d, n * d, x}); };
  });
}

void vocabulary(const Bench& bench, const Preset& p) {
  const Backend& b = bench.backend();
  const std::int64_t n = 128, v = p.v;
  for (const bool backward : {false, true})
    pointwise(bench, p.name + " cross_entropy" + (backward ? "" : " forward"), n, v,
              backward ? 2 : 1, [&](Shared s) -> std::function<void()> {
                const Matrix logits = float32(s->take(n * v), n, v),
                             gradient = backward ? logits : Matrix();
                const std::int32_t* targets = s->indices(n, v);
                return [=, &b, keep = s, sums = std::make_shared<std::vector<double>>(2)] {
                  b.cross_entropy(
                      {targets, 0.1f, backward ? 1.0f : 0.0f, logits, gradient, sums->data()});
                };
              });
  pointwise(bench, p.name + " best_of 8", n, v, 1, [&](Shared s) -> std::function<void()> {
    float *logits = s->take(n * v), *values = s->take(n * 8);
    std::int32_t* found = s->indices(n * 8, v);
    return [=, &b, keep = s] { b.best_of({n, v, logits, 8, values, found}); };
  });
  // A layer's worth of parameters.
  const std::int64_t size = 4 * p.d * p.d + 2 * p.d * p.f;
  for (const int shards : {1, 2, 8})
    pointwise(bench, p.name + " reduce " + std::to_string(shards), 1, size, shards + (shards > 1),
              [&](Shared s) -> std::function<void()> {
                auto gradients = std::make_shared<std::vector<float*>>();
                for (int i = 0; i < shards; ++i) gradients->push_back(s->take(size, 1e-6f));
                auto* squares = reinterpret_cast<double*>(s->take(2 * (size / Reduce::kChunk + 1)));
                return [=, &b, keep = s] {
                  b.reduce({shards, gradients->data(), 0, size, squares});
                };
              });
  pointwise(bench, p.name + " moving average", 1, size, 3, [&](Shared s) -> std::function<void()> {
    float *x = s->take(size), *average = s->take(size);
    return [=, &b, keep = s] { b.moving_average({size, 0.001f, x, average}); };
  });
  pointwise(bench, p.name + " schedule-free", 1, size, 9, [&](Shared s) -> std::function<void()> {
    float *g = s->take(size), *y = s->take(size), *z = s->take(size), *x = s->take(size);
    float* v = s->take(size);
    for (std::int64_t i = 0; i < size; ++i) v[i] *= v[i];
    return [=, &b, keep = s] {
      b.schedule_free({1e-6f, 0.9f, 0.98f, 1e-9f, 0, 0.5f, 1, 0.001f, size, g, y, z, v, x});
    };
  });
  pointwise(bench, p.name + " adam", 1, size, 7, [&](Shared s) -> std::function<void()> {
    float *g = s->take(size), *x = s->take(size), *m = s->take(size), *w = s->take(size);
    for (std::int64_t i = 0; i < size; ++i) w[i] *= w[i];
    return [=, &b, keep = s] {
      b.adam({1e-6f, 0.9f, 0.98f, 1e-9f, 0, 0.5f, 0.5f, 1, size, g, x, m, w});
    };
  });
}

const BenchGroup group("kernels", [](const Bench& bench) {
  for (const Preset& p : kPresets) {
    bench.heading("kernels, preset " + p.name);
    products(bench, p);
    for (const std::int64_t length : {15, 30})
      for (const bool backward : {false, true})
        for (const bool causal : {false, true})
          for (const bool dropout : {false, true})
            if (length == 15 || !dropout) attention(bench, p, length, causal, dropout, backward);
    for (const std::int64_t steps : {15, 30}) cached(bench, p, steps);
    for (const Dropout& dropout : {Dropout{}, kDropout}) rows(bench, p, dropout);
    sums(bench, p);
    vocabulary(bench, p);
  }
});

}  // namespace
}  // namespace tt
