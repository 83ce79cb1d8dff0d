// The result for a row is a function of that row alone: bit by bit the same in a batch, at another
// place of a batch, and by itself.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "cpu/cpu.h"
#include "tensor/int8.h"
#include "tensor/panels.h"
#include "tests/catch.h"
#include "tests/reference.h"
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

using Floats = std::vector<float>;

Floats random(std::int64_t n, std::uint64_t seed, float spread = 1) {
  Floats x(static_cast<std::size_t>(n));
  Random numbers(seed);
  for (float& v : x) v = spread * numbers.normal();
  return x;
}

bool same_bits(const float* a, const float* b, std::int64_t n) {
  return std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(float)) == 0;
}

const CpuBackend backend;

// With tiles that are emulated, which need no processor that has them.
std::vector<ProductVariant> paired_variants() {
  std::vector<ProductVariant> all = paired_product_variants();
  all.push_back(emulated_paired_amx());
  return all;
}
std::vector<Int8ProductVariant> int8_variants() {
  std::vector<Int8ProductVariant> all = int8_products();
  all.insert(all.begin(), emulated_int8_amx());
  return all;
}

TEST_CASE("rows of a product do not depend on how many there are, nor on their place") {
  struct Shape {
    std::int64_t n, k;
    bool transposed;
  };
  // The products of a decoder: presets tiny, base and big, and vocabularies with and without a
  // remainder.
  for (const Shape s : {Shape{128, 128, false}, Shape{384, 128, false}, Shape{256, 128, false},
                        Shape{128, 256, false}, Shape{512, 512, false}, Shape{512, 2048, false},
                        Shape{1024, 1024, false}, Shape{70, 100, false}, Shape{10000, 128, true},
                        Shape{9999, 128, true}, Shape{1001, 512, true}}) {
    constexpr std::int64_t kAll = 100;
    const Floats x = random(kAll * s.k, 1), w = random(s.n * s.k, 2);
    Floats expected(static_cast<std::size_t>(kAll * s.n)), whole(expected), part(expected);
    reference::product(false, s.transposed, kAll, s.n, s.k, x.data(), s.k, w.data(),
                       s.transposed ? s.k : s.n, false, expected.data(), s.n);
    Floats packed(static_cast<std::size_t>(panel_floats(s.n, s.k)), NAN), unpacked(w.size());
    const std::int64_t rows = s.transposed ? s.n : s.k, columns = s.transposed ? s.k : s.n;
    const Matrix panels = matrix(packed.data(), ElementType::panels, rows, columns);
    backend.pack({s.transposed, float32(w.data(), rows, columns), panels});
    unpack(s.transposed, s.n, s.k, packed.data(), unpacked.data());
    CHECK(same_bits(unpacked.data(), w.data(), s.n * s.k));
    for (const ProductVariant& p : product_variants()) {
      INFO(p.instructions << " n " << s.n << " k " << s.k);
      const auto of = [&](std::int64_t m, std::int64_t first, float* y,
                          const ConstMatrix& by) -> Product {
        return {false, s.transposed, float32(x.data() + first * s.k, m, s.k),
                by,    false,        float32(y, m, s.n)};
      };
      const ConstMatrix plain = float32(w.data(), rows, columns);
      p.run(of(kAll, 0, whole.data(), plain));
      for (const std::int64_t m : {1, 5, 12, 13, 64, 100}) {
        std::fill(part.begin(), part.end(), NAN);
        p.run_packed(of(m, 0, part.data(), panels));
        INFO(m << " rows, packed");
        CHECK(same_bits(part.data(), whole.data(), m * s.n));
      }
      double worst = 0;
      for (std::size_t i = 0; i < whole.size(); ++i)
        worst = std::max<double>(worst, std::fabs(whole[i] - expected[i]));
      CHECK(worst < 5e-6 * static_cast<double>(s.k));
      for (const std::int64_t m : {1, 2, 5, 6, 7, 12, 13, 16, 23, 64, 99})
        for (const std::int64_t first : {0, 1, 37}) {
          if (first + m > kAll) continue;
          p.run(of(m, first, part.data(), plain));
          INFO("rows " << first << " to " << first + m);
          CHECK(same_bits(part.data(), whole.data() + first * s.n, m * s.n));
        }
    }
  }
}

TEST_CASE("a row in bfloat16 is the same alone, with all instructions, and of a W in any order") {
  struct Shape {
    std::int64_t n, k;
    bool transposed;
  };
  for (const Shape s : {Shape{128, 128, false}, Shape{512, 2048, false}, Shape{70, 101, false},
                        Shape{1001, 512, true}, Shape{9999, 127, true}, Shape{33, 1026, false}}) {
    constexpr std::int64_t kAll = 100;
    Floats x = random(kAll * s.k, 1);
    for (std::int64_t i = 0; i < s.k; ++i)
      x[static_cast<std::size_t>(37 * s.k + i)] *= 0x1p-126f;  // sums that some instructions flush
    const Floats w = random(s.n * s.k, 2);
    const std::int64_t rows = s.transposed ? s.n : s.k, columns = s.transposed ? s.k : s.n;
    const ConstMatrix plain = float32(w.data(), rows, columns);
    Floats whole(static_cast<std::size_t>(kAll * s.n)), part(whole);
    const auto of = [&](std::int64_t m, std::int64_t first, float* y,
                        const ConstMatrix& by) -> Product {
      return {false, s.transposed, float32(x.data() + first * s.k, m, s.k),
              by,    false,        float32(y, m, s.n)};
    };
    const auto packed = [&](ElementType type, const ConstMatrix& from) {
      Floats to(packed_bytes(type, s.transposed, s.n, s.k) / sizeof(float), NAN);
      backend.pack({s.transposed, from, matrix(to.data(), type, rows, columns)});
      return to;
    };
    const Floats panels = packed(ElementType::panels, plain),
                 pairs = packed(ElementType::paired_panels, plain),
                 converted = packed(ElementType::paired_panels,
                                    matrix(panels.data(), ElementType::panels, rows, columns));
    CHECK(same_bits(converted.data(), pairs.data(), static_cast<std::int64_t>(pairs.size())));
    const ConstMatrix by = matrix(pairs.data(), ElementType::paired_panels, rows, columns);
    for (const ProductVariant& p : paired_variants()) {
      paired_product(of(kAll, 0, whole.data(), plain), p);
      for (const std::int64_t m : {1, 3, 4, 9, 10, 13, 63})
        for (const std::int64_t first : {0, 1, 37}) {
          INFO(p.instructions << " n " << s.n << " k " << s.k << ", " << m << " rows");
          std::fill(part.begin(), part.end(), NAN);
          paired_row_product(of(m, first, part.data(), by), p);
          CHECK(same_bits(part.data(), whole.data() + first * s.n, m * s.n));
        }
    }
    if (!s.transposed) continue;
    paired_product(of(kAll, 0, whole.data(), plain), best_paired_product());
    // A part of a table, as search reads it.
    const std::int64_t begin = 2 * kPanelColumns, n = s.n - begin;
    paired_row_product({false, true, float32(x.data(), 3, s.k), table_rows(by, begin, n), false,
                        float32(part.data(), 3, n)},
                       best_paired_product());
    for (std::int64_t r = 0; r < 3; ++r)
      CHECK(same_bits(part.data() + r * n, whole.data() + r * s.n + begin, n));
  }
}

TEST_CASE("rows of a packed table are looked up") {
  constexpr std::int64_t kPieces = 37, kWidth = 20;
  const Floats table = random(kPieces * kWidth, 1), positions = random(3 * kWidth, 2);
  Floats packed(static_cast<std::size_t>(panel_floats(kPieces, kWidth)), NAN), y(5 * kWidth),
      expected = y;
  const Matrix panels = matrix(packed.data(), ElementType::panels, kPieces, kWidth);
  const ConstMatrix plain = float32(table.data(), kPieces, kWidth);
  backend.pack({true, plain, panels});
  const ConstMatrix places_table = float32(positions.data(), 3, kWidth);
  const std::int32_t tokens[] = {0, 36, -1, 15, 16}, places[] = {0, 1, 2, 1, 0};
  backend.embed({tokens, places, plain, places_table, 3, {}, float32(expected.data(), 5, kWidth)});
  backend.embed({tokens, places, panels, places_table, 3, {}, float32(y.data(), 5, kWidth)});
  CHECK(same_bits(y.data(), expected.data(), 5 * kWidth));
}

TEST_CASE("products in eight bits are the same with all instructions, and for a row alone") {
  struct Shape {
    std::int64_t n, k;
  };
  for (const Shape s :
       {Shape{128, 128}, Shape{512, 2048}, Shape{70, 100}, Shape{10001, 129}, Shape{33, 1027}}) {
    constexpr std::int64_t kAll = 300;  // more than are rounded at a time
    const Floats w = random(s.n * s.k, 2);
    Floats x = random(kAll * s.k, 1), scales(static_cast<std::size_t>(s.n)),
           whole(static_cast<std::size_t>(kAll * s.n)), part(whole);
    for (std::int64_t i = 0; i < s.k; ++i)
      x[static_cast<std::size_t>(3 * s.k + i)] = 1;  // the largest sums that there can be
    std::vector<std::uint8_t> panels(static_cast<std::size_t>(int8_bytes(s.n, s.k)));
    quantize(true, s.n, s.k, w.data(), panels.data(), scales.data());
    const ConstMatrix W = int8_matrix(s.n, s.k, panels.data(), scales.data());
    const auto of = [&](std::int64_t m, const float* from, float* y) -> Int8Product {
      return {float32(from, m, s.k), W, float32(y, m, s.n)};
    };
    int8_products().back().run(of(kAll, x.data(), whole.data()));
    for (const Int8ProductVariant& p : int8_variants())
      for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 23, 64, 99, 263, 265, 300})
        for (const std::int64_t first : {0, 1, 37}) {
          if (first + m > kAll) continue;
          INFO(p.instructions << " n " << s.n << " k " << s.k << ", rows " << first << " to "
                              << first + m);
          p.run(of(m, x.data() + first * s.k, part.data()));
          CHECK(same_bits(part.data(), whole.data() + first * s.n, m * s.n));
        }
    for (const float bad : {NAN, INFINITY, -INFINITY}) {
      Floats row(x.begin(), x.begin() + s.k);
      row[static_cast<std::size_t>(s.k / 2)] = bad;
      for (const Int8ProductVariant& p : int8_variants()) {
        p.run(of(1, row.data(), part.data()));
        CHECK(std::all_of(part.begin(), part.begin() + s.n, [](float y) { return std::isnan(y); }));
      }
    }
    // Near the product in float32: the error of a term is at most that of either factor's rounding,
    // and errors of both signs cancel.
    Floats exact(whole);
    reference::product(false, true, kAll, s.n, s.k, x.data(), s.k, w.data(), s.k, false,
                       exact.data(), s.n);
    double error = 0, square = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
      error += std::pow(whole[i] - exact[i], 2), square += std::pow(exact[i], 2);
    CHECK(std::sqrt(error / square) < 0.02);
    CHECK(std::sqrt(error / square) > 0.001);
  }
}

TEST_CASE(
    "products by every set of instructions: transposed or not, of parts of matrices, added to what "
    "was there") {
  for (const std::int64_t m : {1, 12, 31})
    for (const std::int64_t n : {1, 32, 300})
      for (const std::int64_t k : {0, 1, 256, 515})
        for (int way = 0; way < 8; ++way) {
          const bool ta = way & 1, tb = way & 2, accumulate = way & 4;
          const std::int64_t lda = (ta ? m : k) + 3, ldb = (tb ? k : n) + 5, ldc = n + 7;
          const Floats a = random((ta ? k : m) * lda + 1, 1), b = random((tb ? n : k) * ldb + 1, 2),
                       before = random(m * ldc, 3);
          Floats expected = before;
          reference::product(ta, tb, m, n, k, a.data(), lda, b.data(), ldb, accumulate,
                             expected.data(), ldc);
          for (const ProductVariant& p : product_variants()) {
            INFO(p.instructions << " " << m << "x" << n << "x" << k << (ta ? " A^T" : "")
                                << (tb ? " B^T" : ""));
            Floats c = before;
            p.run({ta, tb, float32(a.data(), ta ? k : m, ta ? m : k, lda),
                   float32(b.data(), tb ? n : k, tb ? k : n, ldb), accumulate,
                   float32(c.data(), m, n, ldc)});
            double worst = 0;
            for (std::size_t i = 0; i < c.size(); ++i)
              worst = std::max<double>(worst, std::fabs(c[i] - expected[i]));
            CHECK(worst < 5e-6 * static_cast<double>(k + 1));
          }
        }
}

TEST_CASE("attention: a sentence alone, and a query alone") {
  const std::vector<Segment> batch = {
      {0, 13, 0, 13}, {13, 14, 13, 50}, {14, 35, 50, 71}, {35, 39, 71, 79}};
  for (const std::int64_t d : {32, 64, 11}) {
    const std::int64_t width = 3 * d;
    const Floats q = random(39 * width, 1), k = random(79 * width, 2, 2), v = random(79 * width, 3);
    Attention a;
    a.heads = 3;
    a.d_k = a.d_v = d;
    a.scale = 1 / std::sqrt(static_cast<float>(d));
    a.q = float32(q.data(), 39, width);
    a.k = float32(k.data(), 79, width);
    a.v = float32(v.data(), 79, width);
    for (const bool causal : {false, true}) {
      a.causal = causal;
      a.segments = describe(batch);
      Floats whole(q.size()), part(q.size()), whole_sums(39 * 3), part_sums(39 * 3);
      a.out = float32(whole.data(), 39, width);
      a.log_sums = whole_sums.data();
      backend.attention(a);
      for (const Segment& s : batch) {
        a.segments = describe({&s, 1});
        a.out = float32(part.data(), 39, width);
        a.log_sums = part_sums.data();
        backend.attention(a);
        CHECK(same_bits(part.data() + s.query_begin * width, whole.data() + s.query_begin * width,
                        (s.query_end - s.query_begin) * width));
        // One query of it, with the keys that it sees.
        for (std::int32_t i = s.query_begin; i < s.query_end; ++i) {
          const Segment one{
              i, i + 1, s.key_begin,
              causal ? std::min(s.key_begin + i - s.query_begin + 1, s.key_end) : s.key_end};
          Attention b = a;
          b.segments = describe({&one, 1});
          b.causal = false;
          b.out = float32(part.data(), 39, width);
          b.log_sums = part_sums.data();
          backend.attention(b);
          INFO("d " << d << " query " << i);
          CHECK(same_bits(part.data() + i * width, whole.data() + i * width, width));
        }
      }
      CHECK(same_bits(part_sums.data(), whole_sums.data(), 39 * 3));
    }
  }
}

TEST_CASE("cached attention: a hypothesis alone, and in another slot") {
  constexpr std::int64_t kRows = 9, kSteps = 21, kWidth = 2 * 32;
  const Floats q = random(kRows * kWidth, 1), cache = random(kSteps * kRows * 2 * kWidth, 2);
  std::vector<const float*> blocks;
  for (std::int64_t t = 0; t < kSteps; ++t) blocks.push_back(cache.data() + t * kRows * 2 * kWidth);
  std::vector<std::int32_t> slots;
  Random numbers(3);
  for (std::int64_t i = 0; i < kRows * kSteps; ++i)
    slots.push_back(static_cast<std::int32_t>(numbers.below(kRows)));
  CachedAttention a;
  a.rows = kRows;
  a.steps = kSteps;
  a.heads = 2;
  a.d_k = a.d_v = 32;
  a.scale = 0.2f;
  a.q = q.data();
  a.ldq = a.value_column = kWidth;
  a.blocks = blocks.data();
  a.ld = 2 * kWidth;
  a.slots = slots.data();
  a.ld_slots = kSteps;
  Floats whole(q.size()), part(kWidth);
  a.out = whole.data();
  backend.cached_attention(a);
  for (std::int64_t r = 0; r < kRows; ++r) {
    CachedAttention one = a;
    one.rows = 1;
    one.q = q.data() + r * kWidth;
    one.slots = slots.data() + r * kSteps;
    one.out = part.data();
    backend.cached_attention(one);
    CHECK(same_bits(part.data(), whole.data() + r * kWidth, kWidth));
  }
}

TEST_CASE("add_norm, activation, embed, best_of: a row alone") {
  constexpr std::int64_t kRows = 13;
  for (const std::int64_t d : {1, 7, 128, 515}) {
    Floats a = random(kRows * d, 1);
    const Floats b = random(kRows * d, 2), gain = random(d, 3), bias = random(d, 4);
    Floats s = b, y(a.size()), mean(kRows), rstd(kRows);
    const auto rows = [&](Floats& of) { return float32(of.data(), kRows, d); };
    const ConstMatrix positions = float32(b.data(), kRows, d);
    const auto row = [&](auto* at) { return float32(at, 1, d); };
    backend.add_norm(
        {rows(a), rows(s), gain.data(), bias.data(), {}, rows(y), {}, mean.data(), rstd.data()});
    Floats hidden(a), gelu(a.size()), x(a), embedded(a.size()), values(kRows * 4);
    backend.activate({Activation::relu, rows(hidden), bias.data(), {}, rows(hidden)});
    backend.activate({Activation::gelu, rows(x), bias.data(), {}, rows(gelu)});
    std::vector<std::int32_t> tokens, pieces(kRows * 4);
    for (std::int32_t r = 0; r < kRows; ++r) tokens.push_back(r * 5 % kRows);
    backend.embed({tokens.data(), tokens.data(), rows(a), positions, 2.5f, {}, rows(embedded)});
    backend.best_of({kRows, d, a.data(), 4, values.data(), pieces.data()});
    for (std::int64_t r = 0; r < kRows; ++r) {
      INFO("d " << d << " row " << r);
      Floats one(b.begin() + r * d, b.begin() + (r + 1) * d), out(static_cast<std::size_t>(d)),
          four(4);
      float mu, deviation;
      backend.add_norm({row(a.data() + r * d),
                        row(one.data()),
                        gain.data(),
                        bias.data(),
                        {},
                        row(out.data()),
                        {},
                        &mu,
                        &deviation});
      CHECK(same_bits(out.data(), y.data() + r * d, d));
      CHECK(same_bits(one.data(), s.data() + r * d, d));
      CHECK((mu == mean[static_cast<std::size_t>(r)] &&
             deviation == rstd[static_cast<std::size_t>(r)]));
      one.assign(a.begin() + r * d, a.begin() + (r + 1) * d);
      backend.activate({Activation::relu, row(one.data()), bias.data(), {}, row(one.data())});
      CHECK(same_bits(one.data(), hidden.data() + r * d, d));
      one.assign(a.begin() + r * d, a.begin() + (r + 1) * d);
      backend.activate({Activation::gelu, row(one.data()), bias.data(), {}, row(out.data())});
      CHECK(same_bits(out.data(), gelu.data() + r * d, d));
      const std::int32_t* token = &tokens[static_cast<std::size_t>(r)];
      backend.embed({token, token, rows(a), positions, 2.5f, {}, row(out.data())});
      CHECK(same_bits(out.data(), embedded.data() + r * d, d));
      std::int32_t best[4];
      backend.best_of({1, d, a.data() + r * d, 4, four.data(), best});
      CHECK(same_bits(four.data(), values.data() + r * 4, 4));
      CHECK(std::equal(best, best + 4, pieces.begin() + r * 4));
    }
  }
}

TEST_CASE("best_of: rows in stretches of columns") {
  constexpr std::int64_t kRows = 5;
  constexpr int kBest = 8, kBarred = 3, kAsked = 2;
  for (const std::int64_t d : {40, 515})
    for (const bool ties : {false, true})
      for (const int barred : {0, kBarred}) {
        INFO("d " << d << (ties ? " ties" : "") << " barred " << barred);
        Floats z = random(kRows * d, 1);
        for (float& x : z) x = ties ? std::round(4 * x) : 4 * x;
        z[static_cast<std::size_t>(2 * d + 7)] = NAN;
        std::fill_n(z.begin() + 3 * d, 16, -INFINITY);
        std::vector<std::int32_t> barred_at, asked_at;
        for (std::int64_t r = 0; r < kRows; ++r) {
          const auto at = static_cast<std::int32_t>(
              std::max_element(z.begin() + r * d, z.begin() + (r + 1) * d) - z.begin() - r * d);
          for (const std::int32_t piece : {at, -1, static_cast<std::int32_t>(d - 1)})
            barred > 0 ? barred_at.push_back(piece) : void();
          for (const std::int32_t piece : {r == 1 ? -1 : at, static_cast<std::int32_t>(r * 3)})
            asked_at.push_back(piece);
        }
        struct Found {
          Floats values = Floats(kRows * kBest), asked = Floats(kRows * kAsked),
                 sums = Floats(kRows * 2);
          std::vector<std::int32_t> indices = std::vector<std::int32_t>(kRows * kBest);
        } whole, parts;
        const auto find = [&](Found& to, std::int64_t begin, std::int64_t end) {
          Floats logits;
          for (std::int64_t r = 0; r < kRows; ++r)
            logits.insert(logits.end(), z.begin() + r * d + begin, z.begin() + r * d + end);
          backend.best_of({kRows, end - begin, logits.data(), kBest, to.values.data(),
                           to.indices.data(), barred, kAsked, barred_at.data(), asked_at.data(),
                           to.asked.data(), begin, end == d, to.sums.data()});
        };
        find(whole, 0, d);
        for (std::int64_t begin = 0; begin < d; begin += 16)
          find(parts, begin, std::min(d, begin + 16));
        CHECK(parts.indices == whole.indices);
        const auto near = [](float a, float b) {
          return a == b || std::fabs(a - b) < 1e-5f || (std::isnan(a) && std::isnan(b));
        };
        CHECK(std::equal(parts.values.begin(), parts.values.end(), whole.values.begin(), near));
        CHECK(std::equal(parts.asked.begin(), parts.asked.end(), whole.asked.begin(), near));
        CHECK(std::isnan(parts.values[2 * kBest]));
      }
}

TEST_CASE("an LSTM step, and additive attention: a row alone") {
  constexpr std::int64_t kRows = 13;
  for (const std::int64_t d : {1, 7, 128, 515}) {
    INFO("d " << d);
    const Floats sums = random(kRows * 4 * d, 1), recurrent = random(kRows * 4 * d, 2),
                 before = random(kRows * d, 3);
    Floats gates = sums, c(before.size()), h(before.size()), out(before.size()),
           one_c(static_cast<std::size_t>(d)), one(one_c);
    backend.lstm({kRows, d, gates.data(), recurrent.data(), before.data(), c.data(), h.data()});
    const std::vector<Segment> segments = {{0, 5, 0, 3}, {5, 6, 3, 4}, {6, kRows, 4, kRows}};
    AdditiveAttention a;
    a.inputs.segments = describe(segments);
    a.inputs.d_k = a.inputs.d_v = d;
    a.inputs.q = float32(before.data(), kRows, d);
    a.inputs.k = a.inputs.v = float32(sums.data(), 4 * kRows, d);
    a.inputs.out = float32(out.data(), kRows, d);
    a.w = recurrent.data();
    backend.additive_attention(a);
    a.inputs.out = float32(one.data(), 1, d);
    for (const Segment& s : segments)
      for (std::int32_t r = s.query_begin; r < s.query_end; ++r) {
        const Segment alone[] = {{0, 1, s.key_begin, s.key_end}};
        a.inputs.segments = describe(alone);
        a.inputs.q = float32(before.data() + r * d, 1, d);
        backend.additive_attention(a);
        CHECK(same_bits(one.data(), out.data() + r * d, d));
      }
    for (std::int64_t r = 0; r < kRows; ++r) {
      Floats mine(sums.begin() + r * 4 * d, sums.begin() + (r + 1) * 4 * d);
      backend.lstm({1, d, mine.data(), recurrent.data() + r * 4 * d, before.data() + r * d,
                    one_c.data(), one.data()});
      CHECK((same_bits(one.data(), h.data() + r * d, d) &&
             same_bits(one_c.data(), c.data() + r * d, d)));
    }
  }
}

}  // namespace
}  // namespace tt
