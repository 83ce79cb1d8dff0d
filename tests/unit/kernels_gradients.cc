// The reference's backward passes against central differences of its forward passes, in double.
//
// The loss is the sum of w_ij y_ij with random w: every output has its own weight, so that
// transposed, swapped or missing terms show. A few forward passes are checked against known values.
#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"
#include "tests/catch.h"
#include "tests/reference.h"
#include "tests/reference_attention.h"
#include "tests/reference_recurrent.h"
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

using Numbers = std::vector<double>;

Numbers random(std::int64_t n, std::uint64_t seed, double spread = 1) {
  Numbers x(static_cast<std::size_t>(n));
  Random numbers(seed);
  for (double& v : x) v = spread * numbers.normal();
  return x;
}

double weigh(const Numbers& y, const Numbers& w) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += w[i] * y[i];
  return sum;
}

// Checks that `gradient` is that of loss() with respect to x.
void check(const char* name, Numbers& x, const Numbers& gradient,
           const std::function<double()>& loss) {
  REQUIRE(x.size() == gradient.size());
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double before = x[i];
    x[i] = before + kStep;
    const double above = loss();
    x[i] = before - kStep;
    const double below = loss();
    x[i] = before;
    INFO(name << "[" << i << "]");
    REQUIRE(gradient[i] == Approx((above - below) / (2 * kStep)).epsilon(1e-5).margin(1e-7));
  }
}

const Dropout kSome{0.3f, 99, 4, 1, 2};

TEST_CASE("reference gradients: attention") {
  const std::vector<Segment> segments = {
      {0, 4, 0, 5}, {4, 5, 5, 6}, {5, 11, 6, 10}, {11, 11, 10, 10}};
  for (const int kind : {0, 1, 2, 3})
    for (const Dropout& dropout : {Dropout{}, kSome}) {
      const bool causal = kind & 1;
      Attention a;
      a.segments = describe(segments);
      a.segments.window = kind & 2 ? 1 : 0;
      a.heads = 2;
      a.d_k = 3;
      a.d_v = 4;
      a.scale = 0.7f;
      a.causal = causal;
      a.q.stride = a.k.stride = 6;
      a.v.stride = 8;
      a.dropout = dropout;
      Numbers q = random(11 * 6, 1), k = random(10 * 6, 2), v = random(10 * 8, 3),
              w = random(11 * 8, 4), y(w.size());
      Numbers d_q(q.size()), d_k(k.size()), d_v(v.size());
      const std::vector<std::int32_t> buckets{0, 2, 2, 3, 1};
      a.bias = {nullptr, buckets.data(), 4, 2};
      Numbers bias = random(2 * 4, 5), d_rows(11 * 2 * 4), d_bias(bias.size());
      const auto loss = [&] {
        reference::attention(a, q.data(), k.data(), v.data(), y.data(),
                             static_cast<double*>(nullptr), static_cast<double*>(nullptr),
                             bias.data());
        return weigh(y, w);
      };
      reference::attention_backward(a, q.data(), k.data(), v.data(), w.data(), d_q.data(),
                                    d_k.data(), d_v.data(), false, false, false, bias.data(),
                                    d_rows.data());
      reference::column_sums(11, 8, d_rows.data(), false, d_bias.data());
      check("bias", bias, d_bias, loss);
      check("q", q, d_q, loss);
      check("k", k, d_k, loss);
      check("v", v, d_v, loss);
    }
}

TEST_CASE("reference gradients: product, bias") {
  const std::int64_t m = 3, n = 5, k = 4;
  Numbers a = random(m * k, 1), b = random(k * n, 2), bias = random(n, 3), w = random(m * n, 4),
          y(w.size());
  const auto loss = [&] {
    reference::product(false, false, m, n, k, a.data(), k, b.data(), n, false, y.data(), n);
    reference::add_bias(m, n, bias.data(), y.data());
    return weigh(y, w);
  };
  Numbers d_a(a.size()), d_b(b.size()), d_bias(bias.size());
  reference::product(false, true, m, k, n, w.data(), n, b.data(), n, false, d_a.data(), k);
  reference::product(true, false, k, n, m, a.data(), k, w.data(), n, false, d_b.data(), n);
  reference::column_sums(m, n, w.data(), false, d_bias.data());
  check("a", a, d_a, loss);
  check("b", b, d_b, loss);
  check("bias", bias, d_bias, loss);
}

TEST_CASE("reference gradients: add_norm") {
  const std::int64_t n = 4, d = 7;
  for (const NormType type : {NormType::layer, NormType::rms})
    for (const auto& form : {std::pair(false, Dropout{}), {false, kSome}, {true, Dropout{}}}) {
      const bool alone = form.first;
      const Dropout dropout = form.second;
      Numbers a = random(n * d, 1), b = random(n * d, 2, 2), gain = random(d, 3),
              bias = random(d, 4), w = random(n * d, 5), y(w.size());
      const bool shifted = type == NormType::layer;
      Numbers s;
      const auto loss = [&] {
        s = b;
        reference::add_norm(type, n, d, alone ? nullptr : a.data(), s.data(), gain.data(),
                            shifted ? bias.data() : nullptr, dropout, y.data(),
                            static_cast<double*>(nullptr), static_cast<double*>(nullptr));
        return weigh(y, w);
      };
      loss();
      Numbers d_a(a.size()), d_b(b.size()), d_gain(gain.size()), d_bias(bias.size());
      reference::add_norm_backward(type, n, d, w.data(), s.data(), gain.data(), dropout, false,
                                   d_a.data(), d_b.data(), false, d_gain.data(),
                                   shifted ? d_bias.data() : nullptr);
      if (!alone) check("a", a, d_a, loss);
      check("b", b, d_b, loss);
      check("gain", gain, d_gain, loss);
      if (shifted) check("bias", bias, d_bias, loss);
    }
}

TEST_CASE("reference gradients: add_dropout, activation, embed") {
  const std::int64_t n = 4, d = 9;
  for (const Dropout& dropout : {Dropout{}, kSome}) {
    Numbers x = random(n * d, 1), b = random(n * d, 2), bias = random(d, 3), w = random(n * d, 4),
            y(w.size()), d_x(x.size()), d_bias(bias.size());
    reference::dropout_backward(n, d, w.data(), dropout, d_x.data());
    check("b", b, d_x, [&] {
      reference::add_dropout(n, d, x.data(), b.data(), dropout, y.data());
      return weigh(y, w);
    });
    for (const auto kind : {Activation::relu, Activation::gelu, Activation::swish,
                            Activation::gelu_logistic, Activation::gelu_erf, Activation::tanh}) {
      Numbers hidden;
      const auto loss = [&] {
        hidden = x;
        reference::activation(kind, n, d, bias.data(), hidden.data(), dropout, y.data());
        return weigh(y, w);
      };
      loss();
      reference::activation_backward(kind, n, d, kind == Activation::relu ? nullptr : hidden.data(),
                                     y.data(), w.data(), dropout, d_x.data(), false, d_bias.data());
      check("x", x, d_x, loss);
      check("bias", bias, d_bias, loss);
    }
    const std::vector<std::int32_t> tokens = {2, -1, 2, 4}, places = {0, 1, 2, 0};
    Numbers table = random(5 * d, 5), positions = random(3 * d, 6), d_table(table.size()),
            d_positions(positions.size());
    reference::embed_backward(n, d, tokens.data(), places.data(), w.data(), 3.0, dropout,
                              d_table.data(), d_positions.data());
    const auto loss = [&] {
      reference::embed(n, d, tokens.data(), places.data(), table.data(), positions.data(), 3.0,
                       dropout, y.data());
      return weigh(y, w);
    };
    check("table", table, d_table, loss);
    check("positions", positions, d_positions, loss);
  }
}

TEST_CASE("reference gradients: lstm") {
  const std::int64_t n = 3, d = 5;
  for (const bool before : {false, true}) {
    Numbers gates = random(n * 4 * d, 1), recurrent = random(n * 4 * d, 2),
            c_before = random(n * d, 3), w_h = random(n * d, 4), w_c = random(n * d, 5),
            c(w_h.size()), h(w_h.size()), active;
    const auto loss = [&] {
      active = gates;
      reference::lstm(n, d, active.data(), recurrent.data(), before ? c_before.data() : nullptr,
                      c.data(), h.data());
      return weigh(h, w_h) + weigh(c, w_c);
    };
    loss();
    Numbers d_gates(gates.size()), d_before(c_before.size());
    reference::lstm_backward(n, d, active.data(), before ? c_before.data() : nullptr, c.data(),
                             w_h.data(), w_c.data(), d_gates.data(), false,
                             before ? d_before.data() : nullptr);
    check("gates", gates, d_gates, loss);
    check("recurrent", recurrent, d_gates, loss);
    if (before) check("c_before", c_before, d_before, loss);
  }
}

TEST_CASE("reference gradients: ssru") {
  const std::vector<Segment> segments = {{0, 4, 0, 0}, {4, 5, 0, 0}, {5, 5, 0, 0}, {5, 11, 0, 0}};
  const Segments all = describe(segments);
  const std::int64_t n = 11, d = 5;
  Numbers gates = random(n * 2 * d, 1), w = random(n * d, 2), c(w.size()), h(w.size()), active;
  const auto loss = [&] {
    active = gates;
    reference::ssru(all, d, active.data(), static_cast<double*>(nullptr), nullptr, c.data(),
                    h.data());
    return weigh(h, w);
  };
  loss();
  Numbers d_gates(gates.size());
  reference::ssru_backward(all, d, active.data(), c.data(), w.data(), d_gates.data());
  check("gates", gates, d_gates, loss);
  // The sums before count as if they were a row.
  const std::vector<Segment> one = {{0, 1, 0, 0}};
  const std::int32_t before = 1;
  Numbers row(gates.begin() + 2 * 2 * d, gates.begin() + 3 * 2 * d),
      cell(static_cast<std::size_t>(d)), out(cell);
  reference::ssru(describe(one), d, row.data(), c.data(), &before, cell.data(), out.data());
  CHECK(cell == Numbers(c.begin() + 2 * d, c.begin() + 3 * d));
}

TEST_CASE("reference gradients: additive attention") {
  const std::vector<Segment> segments = {
      {0, 4, 0, 5}, {4, 5, 5, 6}, {5, 11, 6, 10}, {11, 11, 10, 10}};
  for (const int kind : {0, 1, 2, 3})
    for (const Dropout& dropout : {Dropout{}, kSome}) {
      const bool causal = kind & 1;
      Attention a;
      a.segments = describe(segments);
      a.segments.window = kind & 2 ? 1 : 0;
      a.heads = 2;
      a.d_k = 3;
      a.d_v = 4;
      a.causal = causal;
      a.q.stride = a.k.stride = 6;
      a.v.stride = 8;
      a.dropout = dropout;
      Numbers q = random(11 * 6, 1), k = random(10 * 6, 2), v = random(10 * 8, 3), u = random(6, 5),
              w = random(11 * 8, 4), y(w.size());
      Numbers d_q(q.size()), d_k(k.size()), d_v(v.size()), d_u(u.size());
      const auto loss = [&] {
        reference::additive_attention(a, q.data(), k.data(), v.data(), u.data(), y.data(),
                                      static_cast<double*>(nullptr), static_cast<double*>(nullptr));
        return weigh(y, w);
      };
      reference::additive_attention_backward(a, q.data(), k.data(), v.data(), u.data(), w.data(),
                                             d_q.data(), d_k.data(), d_v.data(), d_u.data());
      check("q", q, d_q, loss);
      check("k", k, d_k, loss);
      check("v", v, d_v, loss);
      check("w", u, d_u, loss);
    }
}

TEST_CASE("reference gradients: alignment_loss") {
  const std::vector<Segment> segments = {{0, 4, 0, 5}, {4, 5, 5, 6}, {5, 8, 6, 10}, {8, 8, 10, 10}};
  // Two, none, all and one link; a link to the only key; one twice, as it then counts.
  const std::vector<std::int32_t> begins = {0, 2, 2, 7, 8, 9, 9, 12, 12},
                                  linked = {0, 3, 0, 1, 2, 3, 4, 4, 5, 9, 9, 7};
  AlignmentLoss a;
  a.segments = describe(segments);
  a.scale = 0.7f;
  a.begins = begins.data();
  a.linked = linked.data();
  a.links = static_cast<std::int64_t>(linked.size());
  a.q.columns = a.k.columns = 3;
  a.q.stride = a.k.stride = 4;
  Numbers q = random(8 * 4, 1), k = random(10 * 4, 2), d_q(q.size()), d_k(k.size());
  a.gradient_scale = 0.3f;
  reference::alignment_loss(a, q.data(), k.data(), nullptr, d_q.data(), d_k.data());
  a.gradient_scale = 0;
  const auto loss = [&] {
    double sum = 0;
    reference::alignment_loss(a, q.data(), k.data(), &sum, d_q.data(), d_k.data());
    return static_cast<double>(0.3f) * sum;
  };
  check("q", q, d_q, loss);
  check("k", k, d_k, loss);
  // Equal scores: the logarithm of the number of keys, of each query that has links.
  std::fill(q.begin(), q.end(), 0);
  CHECK(loss() == Approx(static_cast<double>(0.3f) * (3 * std::log(5.0) + std::log(4.0))));
}

// Of the weights A and the shares G of the links, -sum G log A, as fairseq's
// label_smoothed_cross_entropy_with_alignment has it before it is divided by the target tokens, and
// Marian's "ce" but for the 1e-6 that it adds to A. By torch 2, in double:
//   a = s.softmax(-1); align = [[2, 0], [0, 1], [3, 1]]; weights = [1, .5, .5]
//   -(a[align[:, 1], align[:, 0]].log() * weights).sum()             1.7240495046747433, and s.grad
//   -((a[align[:, 1], align[:, 0]] + 1e-6).log() * weights).sum()    1.7240430399764155
TEST_CASE("the loss of links is that of fairseq, and of Marian") {
  const Segment all[] = {{0, 3, 0, 4}};
  const std::vector<std::int32_t> begins = {0, 1, 3, 3}, linked = {2, 0, 3};
  AlignmentLoss a;
  a.segments = describe(all);
  a.begins = begins.data();
  a.linked = linked.data();
  a.links = 3;
  a.q.columns = a.k.columns = a.q.stride = a.k.stride = 4;
  a.gradient_scale = 1;
  const Numbers scores = {.5, -1, 2, .25, 1.5, .75, -.5, 0, -2, 1, .5, 3};
  Numbers one(16), d_scores(12), d_k(16);
  for (std::size_t i = 0; i < 4; ++i) one[5 * i] = 1;  // the scores are the queries then
  double sum = 0;
  reference::alignment_loss(a, scores.data(), one.data(), &sum, d_scores.data(), d_k.data());
  CHECK(sum == Approx(1.7240495046747433).epsilon(1e-12));
  CHECK(sum == Approx(1.7240430399764155).margin(1e-5));
  const double expected[] = {.1542348253, .0344144413, -.3087674693, .1201182027,
                             .0461997617, .2580064985, .0739200995,  -.3781263597};
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(d_scores[i] == Approx(i < 8 ? expected[i] : 0).margin(1e-9));
}

TEST_CASE("reference gradients: cross_entropy") {
  const std::int64_t n = 4, v = 11;
  const std::vector<std::int32_t> targets = {4, 10, 0, 7};
  for (const double smoothing : {0.0, 0.1})
    for (const double agreement : {0.0, 5.0}) {
      Numbers logits = random(n * v, 1, 2), gradient = logits;
      double sums[2] = {};
      reference::cross_entropy(n, v, targets.data(), smoothing, 0.3, gradient.data(), sums,
                               agreement);
      check("logits", logits, gradient, [&] {
        double s[2] = {};
        reference::cross_entropy(n, v, targets.data(), smoothing, 0.0, logits.data(), s, agreement);
        return 0.3 * s[0];
      });
    }
}

TEST_CASE("reference forward passes give known values") {
  // Equal scores: the mean of the values; causal, of the values so far.
  const Segment all[] = {{0, 3, 0, 3}};
  Attention a;
  a.segments = describe(all);
  a.d_k = a.d_v = a.q.stride = a.k.stride = a.v.stride = 1;
  const Numbers zero(3), v = {1, 2, 6};
  for (const bool causal : {false, true}) {
    a.causal = causal;
    Numbers y(3), log_sums(3), weights(9);
    reference::attention(a, zero.data(), zero.data(), v.data(), y.data(), log_sums.data(),
                         weights.data());
    CHECK(y[0] == Approx(causal ? 1 : 3));
    CHECK(y[1] == Approx(causal ? 1.5 : 3));
    CHECK(y[2] == Approx(3));
    CHECK(log_sums[1] == Approx(std::log(causal ? 2 : 3)));
    CHECK(weights[2] == Approx(causal ? 0 : 1.0 / 3));
  }
  // Restricted: of the values of the neighbours.
  for (const bool causal : {false, true}) {
    a.causal = causal;
    a.segments.window = 1;
    Numbers y(3), weights(9);
    reference::attention(a, zero.data(), zero.data(), v.data(), y.data(),
                         static_cast<double*>(nullptr), weights.data());
    CHECK(y[0] == Approx(causal ? 1 : 1.5));
    CHECK(y[2] == Approx(4));
    CHECK(weights[2 * 3] == 0);
    CHECK(weights[2 * 3 + 1] == Approx(0.5));
  }
  // Equal logits: log V, however smoothed.
  Numbers logits(20, 5);
  double sums[2] = {};
  const std::int32_t targets[] = {3, 9};
  reference::cross_entropy(2, 10, targets, 0.1, 0.0, logits.data(), sums);
  CHECK(sums[0] == Approx(2 * std::log(10.0)));
  CHECK(sums[1] == Approx(2 * std::log(10.0)));
  // The first step of Adam moves every parameter by the rate.
  Numbers gradient = {3, -0.02}, parameters = {1, 1}, first(2), second(2);
  reference::adam(Adam{0.5f, 0.9f, 0.98f, 1e-9f, 0, 0.1f, 0.02f, 1}, 2, gradient.data(),
                  parameters.data(), first.data(), second.data());
  CHECK(parameters[0] == Approx(0.5).epsilon(1e-5));
  CHECK(parameters[1] == Approx(1.5).epsilon(1e-5));
  // A cell that forgets nothing and lets nothing in keeps what it has; one that lets all in has
  // tanh of its input.
  const double kMuch = 50, kept[] = {0.75};
  double keeps[] = {-kMuch, kMuch, 0.3, kMuch}, takes[] = {kMuch, -kMuch, 0.3, kMuch}, c, h;
  reference::lstm<double>(1, 1, keeps, nullptr, kept, &c, &h);
  CHECK((c == Approx(0.75) && h == Approx(std::tanh(0.75))));
  reference::lstm<double>(1, 1, takes, nullptr, kept, &c, &h);
  CHECK(c == Approx(std::tanh(0.3)));
  // GELU far from zero is the identity or nothing; its slope at zero is a half.
  CHECK(reference::activate(Activation::gelu, 20) == Approx(20));
  CHECK(reference::activate(Activation::gelu, -20) == Approx(0).margin(1e-12));
  CHECK(reference::slope(Activation::gelu, 0) == Approx(0.5));
}

TEST_CASE("dropout drops the given fraction, differently for every key, and keeps the mean") {
  for (const float rate : {0.1f, 0.3f, 0.5f}) {
    double sum = 0, dropped = 0;
    constexpr int kElements = 100000;
    for (int i = 0; i < kElements; ++i) {
      const double f = reference::dropout_factor({rate, 1, 2, 3, 4}, static_cast<std::uint64_t>(i));
      sum += f;
      dropped += f == 0;
    }
    const double deviation = std::sqrt(rate * (1 - rate) * kElements);
    CHECK(std::abs(dropped - rate * kElements) < 5 * deviation);
    CHECK(sum / kElements == Approx(1).epsilon(0.02));
  }
  // Far out, where a 32-bit counter would wrap around.
  int repeated = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    repeated += reference::dropout_factor({0.5f, 1, 2, 3, 4}, i) ==
                reference::dropout_factor({0.5f, 1, 2, 3, 4}, i + (1ull << 35));
  CHECK(std::abs(repeated - 500) < 80);
  const Dropout base{0.5f, 1, 2, 3, 4};
  for (const Dropout& other :
       {Dropout{0.5f, 2, 2, 3, 4}, Dropout{0.5f, 1ull << 32 | 1, 2, 3, 4},
        Dropout{0.5f, 1, 3, 3, 4}, Dropout{0.5f, 1, 2, 4, 4}, Dropout{0.5f, 1, 2, 3, 5}}) {
    int same = 0;
    for (std::uint64_t i = 0; i < 1000; ++i)
      same += reference::dropout_factor(base, i) == reference::dropout_factor(other, i);
    CHECK(std::abs(same - 500) < 80);
  }
}

}  // namespace
}  // namespace tt
