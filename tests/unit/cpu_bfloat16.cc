// Products in bfloat16 on a CPU, and training with them.
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "tensor/bfloat16.h"
#include "tests/reference.h"
#include "tests/unit/train_fixture.h"

namespace tt {
namespace {

std::vector<float> random(std::int64_t n, std::uint64_t seed) {
  std::vector<float> x(static_cast<std::size_t>(n));
  Random numbers(seed);
  for (float& v : x) v = numbers.normal();
  if (n > 1) x[0] = 0x1.01p0f, x[1] = 0x1.03p0f;  // each as near to two numbers of bfloat16
  return x;
}

std::vector<float> rounded(std::vector<float> x) {
  for (float& v : x) v = widen(nearest_bfloat16(v));
  return x;
}

// A matrix in bfloat16, rows padded with zeros.
std::vector<Bfloat16> halves(const std::vector<float>& x, std::int64_t columns) {
  const std::int64_t wide = row_stride(ElementType::bfloat16, columns),
                     rows = static_cast<std::int64_t>(x.size()) / columns;
  std::vector<Bfloat16> y(static_cast<std::size_t>(rows * wide));
  for (std::int64_t r = 0; r < rows; ++r)
    std::transform(x.begin() + r * columns, x.begin() + (r + 1) * columns, y.begin() + r * wide,
                   nearest_bfloat16);
  return y;
}

std::vector<double> losses(const Config& config, const Workplace& place, const std::string& name,
                           const Backend& backend, int threads) {
  TrainingInputs inputs = place.inputs(name, threads);
  inputs.log = place.path(name + ".log");
  run(config, inputs, backend);
  std::vector<double> all;
  for (const std::string& line : read_lines(inputs.log))
    if (const auto event = nlohmann::json::parse(line); event.contains("loss"))
      all.push_back(event["loss"].get<double>());
  return all;
}

}  // namespace

TEST_CASE(
    "products of pairs of bfloat16 are sums of rounded factors, with the same bits by all "
    "instructions") {
  struct Shape {
    std::int64_t m, n, k;
  };
  for (const Shape s : {Shape{1, 1, 1}, Shape{1, 5, 3}, Shape{13, 33, 65}, Shape{25, 300, 8},
                        Shape{40, 70, 1302}, Shape{3, 4, 0}})
    for (int way = 0; way < 8; ++way) {
      const bool ta = way & 1, tb = way & 2, accumulate = way & 4;
      INFO(s.m << " x " << s.n << " x " << s.k << " way " << way);
      const std::int64_t rows_a = ta ? s.k : s.m, columns_a = ta ? s.m : s.k,
                         rows_b = tb ? s.n : s.k, columns_b = tb ? s.k : s.n;
      const std::vector<float> a = random(s.m * s.k, 1), b = random(s.k * s.n, 2),
                               before = random(s.m * s.n, 3);
      std::vector<float> expected = before;
      reference::product(ta, tb, s.m, s.n, s.k, rounded(a).data(), columns_a, rounded(b).data(),
                         columns_b, accumulate, expected.data(), s.n);
      const std::vector<Bfloat16> half_a = halves(a, std::max<std::int64_t>(columns_a, 1)),
                                  half_b = halves(b, std::max<std::int64_t>(columns_b, 1));
      const ConstMatrix of_a = float32(a.data(), rows_a, columns_a),
                        of_b = float32(b.data(), rows_b, columns_b);
      const ConstMatrix narrow_a = matrix(half_a.data(), ElementType::bfloat16, rows_a, columns_a),
                        narrow_b = matrix(half_b.data(), ElementType::bfloat16, rows_b, columns_b);
      std::vector<float> first;
      std::vector<ProductVariant> variants = paired_product_variants();
      variants.push_back(emulated_paired_amx());
      for (const ProductVariant& variant : variants) {
        INFO(variant.instructions);
        const bool fused = variant.needs != Instructions::any && variant.needs != Instructions::amx;
        std::vector<float> own;
        for (const bool given : {false, true}) {
          std::vector<float> c = before;
          const Matrix C = float32(c.data(), s.m, s.n);
          if (given) paired_product({ta, tb, narrow_a, narrow_b, accumulate, C}, variant);
          else paired_product({ta, tb, of_a, of_b, accumulate, C}, variant);
          if (own.empty()) own = c;
          CHECK(std::memcmp(c.data(), own.data(), c.size() * sizeof(float)) == 0);
          if (first.empty() && fused) first = c;
          if (fused) CHECK(std::memcmp(c.data(), first.data(), c.size() * sizeof(float)) == 0);
          for (std::size_t i = 0; i < c.size(); ++i)
            if (!(std::fabs(c[i] - expected[i]) <= 2e-6 * static_cast<double>(s.k + 1)))
              FAIL(c[i] << " is not " << expected[i]);
        }
      }
    }
}

TEST_CASE("what is rounded into a part of a row leaves the rest of it") {
  const CpuBackend backend;
  std::vector<Bfloat16> all(48, 7);
  const std::vector<float> ones(16, 1);
  const Matrix part = matrix(all.data(), ElementType::bfloat16, 1, 48).columns_from(16, 16);
  backend.round({float32(ones.data(), 1, 16), part});
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == (i / 16 == 1 ? 0x3F80 : 7));
}

TEST_CASE(
    "in bfloat16 on a CPU training goes as in float32, with the same bits for any number of "
    "threads") {
  const Workplace place;
  const CpuBackend backend(Precision::bfloat16);
  CHECK(backend.traits().factors == ElementType::bfloat16);
  for (const std::string name : {"transformer", "t5", "lstm"}) {
    Config config =
        quick_config(name == "lstm" ? QuickModel::lstm_with_all : QuickModel::transformer);
    config.report_every = 1;
    if (name == "t5") {
      config.norm = NormPlace::pre;
      config.norm_type = NormType::rms;
      config.positions = PositionKind::relative;
      config.ffn_gate = config.scale_output = true;
      config.ffn_bias = false;
    }
    const auto expected = losses(config, place, name + "-float32", test_backend(kCpu), 2);
    const auto found = losses(config, place, name + "-one", backend, 1),
               three = losses(config, place, name + "-three", backend, 3);
    REQUIRE((expected.size() >= 12 && found.size() == expected.size()));
    CHECK(found == three);
    CHECK((bytes_of(place, name + "-one") == bytes_of(place, name + "-three")));
    CHECK(found != expected);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == Approx(expected[i]).epsilon(0.01));
  }
}

}  // namespace tt
