// The CPU kernels against the naive reference: every case of the table, within the tolerance of its
// kernel.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cpu/vec.h"
#include "tests/backends.h"
#include "tests/reference_backend.h"
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

// The tolerance of an element, relative to the larger of itself and its buffer's root mean square.
// float32 rounds by 6e-8; the rest is for the length of the sums.
double tolerance_f32(const std::string& kernel) {
  static const std::map<std::string, double> table = {
      {"round", 0},
      {"product", 5e-6},
      {"row_product", 5e-6},
      {"int8_product", 0},
      {"int8_columns", 0},
      {"add_bias", 1e-7},
      {"column_sums", 2e-6},
      {"attention", 1e-5},
      {"attention_backward", 3e-5},
      {"cached_attention", 4e-6},
      {"add_norm", 2e-6},
      {"add_norm_backward", 3e-6},
      {"add_dropout", 4e-7},
      {"dropout_backward", 2e-7},
      {"add", 1e-7},
      {"multiply", 1e-7},
      {"multiply_backward", 1e-7},
      {"activate", 1e-6},
      {"activate_backward", 2e-6},
      {"embed", 5e-7},
      {"embed_backward", 2e-6},
      {"cross_entropy", 1e-6},
      {"alignment_loss", 1e-5},
      {"best_of", 2e-6},
      {"log_softmax", 2e-6},
      {"reduce", 1e-6},
      {"adam", 1e-6},
      {"schedule_free", 1e-6},
      {"moving_average", 1e-6},
      {"zero", 0},
      {"gather", 1e-7},
      {"lstm", 2e-6},
      {"lstm_backward", 4e-6},
      {"ssru", 2e-6},
      {"ssru_backward", 4e-6},
      {"additive_attention", 1e-5},
      {"additive_attention_backward", 1e-4},
  };
  return table.at(kernel);
}

// A larger call of attention on NaN: values that it leaves in the kernel's own buffers must not
// reach any result.
void poison_scratch(const CpuBackend& backend) {
  constexpr std::int64_t kRows = 160, kWidth = 136;
  const std::vector<float> x(kRows * kWidth, NAN);
  std::vector<float> y(x), dq(x), dk(x), dv(x), log_sums(kRows, NAN);
  const Segment all[] = {{0, kRows, 0, kRows}};
  AttentionBackward b;
  Attention& a = b.forward;
  a.segments = describe(all);
  a.d_k = a.d_v = kWidth;
  a.q = a.k = a.v = b.d_out = float32(x.data(), kRows, kWidth);
  a.dropout = {0.5f, 1, 1, 1, 1};
  a.out = float32(y.data(), kRows, kWidth);
  a.log_sums = log_sums.data();
  b.d_q = float32(dq.data(), kRows, kWidth);
  b.d_k = float32(dk.data(), kRows, kWidth);
  b.d_v = float32(dv.data(), kRows, kWidth);
  backend.attention(a);
  backend.attention_backward(b);
}

// TT_KERNEL=name,name: these kernels alone.
bool wanted(const std::string& kernel) {
  const char* only = std::getenv("TT_KERNEL");
  return !only || ("," + std::string(only) + ",").find("," + kernel + ",") != std::string::npos;
}

// Every case against the reference, within the tolerance of its kernel; twice the same bits.
// TT_EVERY=n: only every n-th case of a kernel, once, for tools that make them slow.
void compare_kernels(const Backend& backend, const std::vector<Case>& cases,
                     const std::function<double(std::string)>& tolerance) {
  const ReferenceBackend reference;
  std::map<std::string, double> worst;
  std::map<std::string, int> cases_of;
  const char* const every = std::getenv("TT_EVERY");
  const int step = every ? std::max(1, std::atoi(every)) : 1;
  for (const Case& c : cases) {
    if (!wanted(c.kernel) || cases_of[c.kernel]++ % step != step / 2) continue;
    INFO(c.kernel << " " << c.shape);
    Workspace expected(reference), found(backend), again(backend);
    c.call(reference, expected);
    if (const auto* cpu = dynamic_cast<const CpuBackend*>(&backend);
        cpu && c.kernel.starts_with("attention"))
      poison_scratch(*cpu);
    try {
      c.call(backend, found);
      for (Workspace* w : {&expected, &found}) w->fetch();
      REQUIRE(expected.damage() == "");
      CHECK(found.damage() == "");
      CHECK(expected.difference(found, tolerance(c.kernel), worst[c.kernel]) == "");
      if (every) continue;
      c.call(backend, again);
      again.fetch();
      CHECK(found.bit_difference(again) == "");
    } catch (const DeviceError&) {
      throw;                        // what has failed once does nothing more
    } catch (const Error& error) {  // a device that refuses one call may do the others
      FAIL_CHECK(error.what());
    }
  }
  if (std::getenv("TT_SHOW_ERRORS"))
    for (const auto& [kernel, error] : worst) std::printf("%-20s %.1e\n", kernel.c_str(), error);
}

void compare_kernels(const Backend& backend) {
  for (const auto& table :
       {kernel_cases(), attention_cases(), recurrent_cases(), update_cases(), vocabulary_cases()})
    compare_kernels(backend, table, tolerance_f32);
}

TEST_CASE("the kernels agree with the reference, and write all outputs and nothing else") {
  compare_kernels(test_backend(GENERATE(kCpu, kProtected)));
}

TEST_CASE("the kernels agree with the reference on a GPU") { compare_kernels(test_backend(kCuda)); }

// Each factor is rounded by up to 2^-11 of itself, or 2^-8; where scores are large, so are the
// errors of their exponentials.
TEST_CASE("attention on tensor cores agrees with the reference on a GPU") {
  const Precision precision = GENERATE(Precision::tf32, Precision::bfloat16);
  const bool tf32 = precision == Precision::tf32;
  const CudaBackend cuda(0, precision);
  std::vector<Case> cases = attention_cases();
  std::erase_if(cases, [](const Case& c) {
    return !c.kernel.starts_with("attention") || c.shape.find(" dropout") == std::string::npos;
  });
  REQUIRE(cases.size() > 200);
  compare_kernels(cuda, cases, [=](const std::string& kernel) {
    return (kernel == "attention" ? 1e-2 : 4e-2) * (tf32 ? 1 : 8);
  });
  if (!wanted("attention")) return;
  // The only key has a weight of 1, and its value is rounded: to nearest, in bfloat16 to an even
  // one if two are.
  const float step = tf32 ? 0x1p-10f : 0x1p-7f;
  const std::vector<float> one(4, 1),
      values = {1 + 0.49f * step, 1 + 0.51f * step, -1 - 1.5f * step, INFINITY};
  const DeviceArray<float> x(cuda, std::span(one)), v(cuda, std::span(values)), y(cuda, 4);
  const std::vector<Segment> all = {{0, 1, 0, 1}};
  Workspace w(cuda);
  Attention a;
  a.segments = describe(all);
  a.segments.at = w.copy(all);
  a.d_k = a.d_v = 4;
  a.q = a.k = float32(x.data(), 1, 4);
  a.v = float32(v.data(), 1, 4);
  a.out = float32(y.data(), 1, 4);
  cuda.attention(a);
  CHECK(y.download() == std::vector<float>{1, 1 + step, -1 - 2 * step, INFINITY});
}

// Results of rounded matrices are rounded again on the way: attention's weights and the
// gradients of its scores.
TEST_CASE("kernels of bfloat16 matrices agree with the reference on a GPU") {
  const CudaBackend cuda(0, Precision::bfloat16);
  CHECK(cuda.traits().result_heads == 128);
  CHECK(cuda.traits().factors == ElementType::bfloat16);
  compare_kernels(cuda, rounded_cases(), [](const std::string& kernel) {
    return kernel == "attention"            ? 0.05
           : kernel == "attention_backward" ? 0.15
           : kernel == "product"            ? 0.02
                                            : tolerance_f32(kernel);
  });
}

// Elements are counted in 64 bits, which long rows of many heads need.
TEST_CASE("dropout's mask is the reference's at every element") {
  const Dropout dropout{0.4f, 0x1234567890ABCDEFu, 7, 3, 11};
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1} << 31,
                                    std::uint64_t{1} << 35, (std::uint64_t{1} << 45) + 640}) {
    vec::DropoutRow<true> mask(dropout, first);
    for (std::int64_t c = 0; c < 192; c += vec::kWidth) {
      const vec::Floats factors = mask.factor(c);
      for (int lane = 0; lane < vec::kWidth; ++lane) {
        INFO(first << " + " << c + lane);
        CHECK(factors[lane] == Approx(reference::dropout_factor(
                                   dropout, first + static_cast<std::uint64_t>(c + lane))));
      }
    }
  }
}

// Training detects NaN only if no kernel hides it on the way to the loss.
TEST_CASE("a NaN reaches the results of its row") {
  const CpuBackend cpu;
  constexpr std::int64_t d = 21, kRows = 3;
  for (const std::int64_t column : {0, 7, 8, 20}) {
    INFO("column " << column);
    const std::vector<float> ones(kRows * d, 1.0f);
    std::vector<float> x(kRows * d, 0.5f), y(x);
    x[static_cast<std::size_t>(d + column)] = NAN;
    const auto second_row_only = [&](const std::vector<float>& result, std::int64_t c) {
      return !std::isnan(result[static_cast<std::size_t>(c)]) &&
             std::isnan(result[static_cast<std::size_t>(d + c)]) &&
             !std::isnan(result[static_cast<std::size_t>(2 * d + c)]);
    };
    for (const auto kind : {Activation::relu, Activation::gelu, Activation::swish,
                            Activation::gelu_erf, Activation::tanh}) {
      std::vector<float> hidden = x;
      cpu.activate(
          {kind, float32(hidden.data(), kRows, d), ones.data(), {}, float32(y.data(), kRows, d)});
      CHECK(second_row_only(y, column));
    }
    std::vector<float> s = x, mean(kRows), rstd(kRows);
    const auto rows = [&](auto* at) { return float32(at, kRows, d); };
    cpu.add_norm({rows(ones.data()),
                  rows(s.data()),
                  ones.data(),
                  ones.data(),
                  {},
                  rows(y.data()),
                  {},
                  mean.data(),
                  rstd.data()});
    CHECK((second_row_only(y, 0) && second_row_only(y, column)));
    // As a query, and as a key that the later queries see.
    const Segment all[] = {{0, kRows, 0, kRows}};
    Attention a;
    a.segments = describe(all);
    a.d_k = a.d_v = d;
    a.q = rows(x.data());
    a.k = a.v = rows(ones.data());
    a.out = rows(y.data());
    cpu.attention(a);
    CHECK(second_row_only(y, column));
    a.q = rows(ones.data());
    a.k = rows(x.data());
    a.causal = true;
    cpu.attention(a);
    CHECK((!std::isnan(y[0]) && std::isnan(y[d]) && std::isnan(y[2 * d])));
    const std::int32_t targets[] = {3, 3, 3};
    double sums[2] = {};
    std::vector<float> logits = x;
    cpu.cross_entropy({targets, 0.1f, 1, rows(logits.data()), rows(logits.data()), sums});
    CHECK((std::isnan(sums[0]) && std::isnan(sums[1]) && second_row_only(logits, 5)));
  }
}

}  // namespace
}  // namespace tt
