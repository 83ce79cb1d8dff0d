// The CPU's kernels against the naive reference: every case of the table, within the tolerance of its kernel.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "cpu/cpu.h"
#include "tests/catch.h"
#include "tests/reference_backend.h"
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

// How far an element may be off, as a multiple of the larger of itself and its buffer's root mean square. float32 rounds by 6e-8;
// the rest is the length of the sums.
double tolerance_f32(const std::string& kernel) {
  static const std::map<std::string, double> table = {
      {"product", 5e-6},
      {"row_product", 5e-6},
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
      {"activation", 1e-6},
      {"activation_backward", 2e-6},
      {"embed", 5e-7},
      {"embed_backward", 2e-6},
      {"cross_entropy", 1e-6},
      {"best_of", 2e-6},
      {"reduce", 1e-6},
      {"adam", 1e-6},
      {"zero", 0},
  };
  return table.at(kernel);
}

// A larger call of attention on NaN: what it leaves in the kernel's own buffers must not reach any result.
void poison_scratch(const Backend& backend) {
  constexpr std::int64_t kRows = 160, kWidth = 136;
  const std::vector<float> x(kRows * kWidth, NAN);
  std::vector<float> y(x), dq(x), dk(x), dv(x), log_sums(kRows, NAN);
  const Segment all[] = {{0, kRows, 0, kRows}};
  Attention a;
  a.segments = all;
  a.d_k = a.d_v = a.ldq = a.ldk = a.ldv = kWidth;
  a.q = a.k = a.v = x.data();
  a.dropout = {0.5f, 1, 1, 1, 1};
  backend.attention(a, y.data(), log_sums.data(), nullptr);
  backend.attention_backward(a, y.data(), log_sums.data(), x.data(), dq.data(), dk.data(), dv.data());
}

TEST_CASE("the cpu's kernels give what the reference gives, write all of it and nothing else") {
  const CpuBackend cpu;
  const ReferenceBackend reference;
  std::map<std::string, double> worst;
  for (const auto& table : {kernel_cases(), attention_cases()})
    for (const Case& c : table) {
      INFO(c.kernel << " " << c.shape);
      Workspace expected, found, again;
      c.call(reference, expected);
      if (c.kernel.starts_with("attention")) poison_scratch(cpu);
      c.call(cpu, found);
      REQUIRE(expected.damage() == "");
      CHECK(found.damage() == "");
      CHECK(expected.difference(found, tolerance_f32(c.kernel), worst[c.kernel]) == "");
      c.call(cpu, again);
      CHECK(found.bit_difference(again) == "");
    }
  if (std::getenv("TT_SHOW_ERRORS"))
    for (const auto& [kernel, error] : worst) std::printf("%-20s %.1e\n", kernel.c_str(), error);
}

// Training stops at a NaN only if no kernel hides it on the way to the loss.
TEST_CASE("a NaN reaches the results of its row") {
  const CpuBackend cpu;
  constexpr std::int64_t d = 21, kRows = 3;
  for (const std::int64_t column : {0, 7, 8, 20}) {
    INFO("column " << column);
    const std::vector<float> ones(kRows * d, 1.0f);
    std::vector<float> x(kRows * d, 0.5f), y(x);
    x[static_cast<std::size_t>(d + column)] = NAN;
    const auto second_row_only = [&](const std::vector<float>& result, std::int64_t c) {
      return !std::isnan(result[static_cast<std::size_t>(c)]) && std::isnan(result[static_cast<std::size_t>(d + c)]) &&
             !std::isnan(result[static_cast<std::size_t>(2 * d + c)]);
    };
    for (const auto kind : {Activation::relu, Activation::gelu}) {
      std::vector<float> hidden = x;
      cpu.activation(kind, kRows, d, ones.data(), hidden.data(), {}, y.data());
      CHECK(second_row_only(y, column));
    }
    std::vector<float> s = x, mean(kRows), rstd(kRows);
    cpu.add_norm(kRows, d, ones.data(), s.data(), ones.data(), ones.data(), {}, y.data(), mean.data(), rstd.data());
    CHECK((second_row_only(y, 0) && second_row_only(y, column)));
    // As a query, and as a key that the later queries see.
    const Segment all[] = {{0, kRows, 0, kRows}};
    Attention a;
    a.segments = all;
    a.d_k = a.d_v = a.ldq = a.ldk = a.ldv = d;
    a.q = x.data();
    a.k = a.v = ones.data();
    cpu.attention(a, y.data(), nullptr, nullptr);
    CHECK(second_row_only(y, column));
    a.q = ones.data();
    a.k = x.data();
    a.causal = true;
    cpu.attention(a, y.data(), nullptr, nullptr);
    CHECK((!std::isnan(y[0]) && std::isnan(y[d]) && std::isnan(y[2 * d])));
    const std::int32_t targets[] = {3, 3, 3};
    double sums[2] = {};
    std::vector<float> logits = x;
    cpu.cross_entropy(kRows, d, targets, 0.1f, 1, logits.data(), sums);
    CHECK((std::isnan(sums[0]) && std::isnan(sums[1]) && second_row_only(logits, 5)));
  }
}

}  // namespace
}  // namespace tt
