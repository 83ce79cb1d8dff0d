// The layers of table 1 (data/complexity): their gradients against differences, and how much they
// wait.
#include <numeric>

#include "base/random.h"
#include "cpu/cpu.h"
#include "data/complexity/chain.h"
#include "data/complexity/layer.h"
#include "tests/catch.h"

namespace tt::table1 {

TEST_CASE("the gradients of the layers of table 1 are those of differences") {
  const CpuBackend cpu;
  constexpr std::int64_t d = 4, window = 2;
  constexpr float step = 1e-2f;
  for (const std::string& kind : layer_kinds())
    for (const std::int64_t n : {1, 2, 5}) {
      INFO(kind << " of " << n << " rows");
      const auto layer = make_layer(kind, cpu, n, d, window);
      const auto size = static_cast<std::size_t>(n * d);
      std::vector<float> x(size), y(size), d_y(size), d_x(size);
      Random random(3);
      for (auto* values : {&x, &d_y})
        for (float& v : *values) v = random.normal();
      // The sum of the output, weighted by d_y.
      const auto value = [&] {
        layer->forward(x.data(), y.data());
        return std::inner_product(y.begin(), y.end(), d_y.begin(), 0.0);
      };
      value();
      layer->backward(x.data(), y.data(), d_y.data(), d_x.data());
      for (std::size_t i = 0; i < size; ++i) {
        const float before = x[i];
        x[i] = before + step;
        const double above = value();
        x[i] = before - step;
        const double below = value();
        x[i] = before;
        CHECK(static_cast<double>(d_x[i]) ==
              Approx((above - below) / (2 * static_cast<double>(step))).epsilon(2e-2).margin(2e-3));
      }
    }
}

TEST_CASE(
    "kernels that wait for each other are counted: steps of a recurrent layer, taps of a "
    "convolution") {
  const CpuBackend cpu;
  for (const std::int64_t n : {2, 7}) {
    const auto longest = [&](const char* kind) {
      const Chain chain(cpu);
      const std::vector<float> x(static_cast<std::size_t>(n * 8));
      std::vector<float> y(x.size());
      make_layer(kind, chain, n, 8, 2)->forward(x.data(), y.data());
      return chain.longest();
    };
    CHECK(longest("self-attention") == 1);
    CHECK(longest("restricted") == 1);
    CHECK(longest("separable") == 1);
    CHECK(longest("convolution") == kKernel);
    CHECK(longest("recurrent") ==
          2 * n);  // a product and a cell for each row, the first product for all
  }
}

}  // namespace tt::table1
