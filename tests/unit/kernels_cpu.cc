// The CPU's kernels against the naive reference: every case of the table, within the tolerance of its kernel.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "cpu/cpu.h"
#include "tests/reference_backend.h"
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

// How far an element may be off, as a multiple of the larger of itself and its buffer's root mean square. float32 rounds by 6e-8; the
// rest is the length of the sums.
double tolerance_f32(const std::string& kernel) {
  static const std::map<std::string, double> table = {
      {"product", 5e-6},          {"add_bias", 1e-7},
      {"column_sums", 2e-6},      {"attention", 1e-5},
      {"attention_backward", 3e-5}, {"cached_attention", 4e-6},
      {"add_norm", 2e-6},         {"add_norm_backward", 2e-6},
      {"add_dropout", 2e-7},      {"dropout_backward", 2e-7},
      {"add", 1e-7},              {"activation", 1e-6},
      {"activation_backward", 2e-6}, {"embed", 4e-7},
      {"embed_backward", 2e-6},   {"cross_entropy", 1e-6},
      {"best_of", 2e-6},          {"reduce", 1e-6},
      {"adam", 1e-6},             {"zero", 0},
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

}  // namespace
}  // namespace tt
