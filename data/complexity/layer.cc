#include "data/complexity/layer.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace tt::table1 {
namespace {

using Floats = std::vector<float>;

Floats drawn(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Random random(seed);
  Floats w(static_cast<std::size_t>(rows * columns));
  for (float& x : w) x = random.normal() / std::sqrt(static_cast<float>(rows));
  return w;
}

class AttentionLayer : public Layer {
 public:
  AttentionLayer(const Backend& backend, std::int64_t n, std::int64_t d, std::int64_t window)
      : backend_(backend), d_(d) {
    const auto rows = static_cast<std::int32_t>(n);
    all_ = {0, rows, 0, rows};
    a_.heads = static_cast<int>(std::max<std::int64_t>(1, d / 64));
    a_.d_k = a_.d_v = d / a_.heads;
    a_.scale = 1 / std::sqrt(static_cast<float>(a_.d_k));
    Segments& s = a_.segments;
    s.at = &all_;
    s.count = 1;
    s.queries = s.keys = s.longest_queries = s.longest_keys = n;
    s.window = window < n ? window : 0;
    s.pairs = static_cast<double>(n) * static_cast<double>(n);
    for (std::int64_t i = 0; i < n; ++i)
      s.seen += static_cast<double>(
          window < n ? 1 + std::min(i, window) + std::min(n - 1 - i, window) : n);
  }

  void forward(const float* x, float* y) override {
    a_.q = a_.k = a_.v = float32(x, a_.segments.queries, d_);
    a_.out = float32(y, a_.segments.queries, d_);
    log_sums_.resize(static_cast<std::size_t>(a_.segments.queries * a_.heads));
    a_.log_sums = log_sums_.data();
    backend_.attention(a_);
  }
  void backward(const float*, const float*, const float* d_y, float* d_x) override {
    AttentionBackward b;
    b.forward = a_;
    b.d_out = float32(d_y, a_.segments.queries, d_);
    b.accumulate_q = b.accumulate_k = b.accumulate_v = true;  // all three are x
    b.d_q = b.d_k = b.d_v = float32(d_x, a_.segments.queries, d_);
    std::fill_n(d_x, a_.segments.queries * d_, 0.0f);
    backend_.attention_backward(b);
  }

 private:
  const Backend& backend_;
  const std::int64_t d_;
  Segment all_{};
  Attention a_;
  Floats log_sums_;
};

class RecurrentLayer : public Layer {
 public:
  RecurrentLayer(const Backend& backend, std::int64_t n, std::int64_t d)
      : backend_(backend), n_(n), d_(d), w_(drawn(d, 4 * d, 1)), u_(drawn(d, 4 * d, 2)) {}

  void forward(const float* x, float* y) override {
    gates_.resize(static_cast<std::size_t>(n_ * 4 * d_));
    c_.resize(static_cast<std::size_t>(n_ * d_));
    Floats recurrent(static_cast<std::size_t>(4 * d_));
    const ConstMatrix w = float32(w_.data(), d_, 4 * d_), u = float32(u_.data(), d_, 4 * d_);
    backend_.product(
        {false, false, float32(x, n_, d_), w, false, float32(gates_.data(), n_, 4 * d_)});
    for (std::int64_t t = 0; t < n_; ++t) {
      const Matrix sums = float32(recurrent.data(), 1, 4 * d_);
      if (t > 0) backend_.row_product({false, float32(y + (t - 1) * d_, 1, d_), u, sums});
      backend_.lstm({1, d_, gates_.data() + t * 4 * d_, t > 0 ? recurrent.data() : nullptr,
                     t > 0 ? c_.data() + (t - 1) * d_ : nullptr, c_.data() + t * d_, y + t * d_});
    }
  }
  void backward(const float* x, const float* y, const float* d_y, float* d_x) override {
    Floats d_gates(gates_.size()), d_c(c_.size(), 0.0f), d_h(d_y, d_y + n_ * d_), d_w(w_.size()),
        d_u(u_.size());
    const ConstMatrix w = float32(w_.data(), d_, 4 * d_), u = float32(u_.data(), d_, 4 * d_);
    const Matrix gates = float32(d_gates.data(), n_, 4 * d_);
    for (std::int64_t t = n_; t-- > 0;) {
      float* sums = d_gates.data() + t * 4 * d_;
      const bool first = t == 0;
      backend_.lstm_backward({1, d_, gates_.data() + t * 4 * d_,
                              first ? nullptr : c_.data() + (t - 1) * d_, c_.data() + t * d_,
                              d_h.data() + t * d_, d_c.data() + t * d_, sums, true,
                              first ? nullptr : d_c.data() + (t - 1) * d_});
      if (!first)
        backend_.product({false, true, gates.rows_from(t, 1), u, true,
                          float32(d_h.data() + (t - 1) * d_, 1, d_)});
    }
    backend_.product({false, true, gates, w, false, float32(d_x, n_, d_)});
    backend_.product(
        {true, false, float32(x, n_, d_), gates, false, float32(d_w.data(), d_, 4 * d_)});
    if (n_ > 1)
      backend_.product({true, false, float32(y, n_ - 1, d_), gates.rows_from(1, n_ - 1), false,
                        float32(d_u.data(), d_, 4 * d_)});
  }

 private:
  const Backend& backend_;
  const std::int64_t n_, d_;
  const Floats w_, u_;
  Floats gates_, c_;
};

// Row t of y is a sum over the rows t - 1, t, t + 1 of x; what a call of `f` is given: the first
// rows of y and x that meet, and how many.
template <class F>
void taps(std::int64_t n, const F& f) {
  for (std::int64_t j = 0; j < kKernel; ++j) {
    const std::int64_t shift = j - kKernel / 2, rows = n - std::abs(shift);
    if (rows > 0) f(j, std::max<std::int64_t>(0, -shift), std::max<std::int64_t>(0, shift), rows);
  }
}

class ConvolutionLayer : public Layer {
 public:
  ConvolutionLayer(const Backend& backend, std::int64_t n, std::int64_t d)
      : backend_(backend), n_(n), d_(d), w_(drawn(kKernel * d, d, 3)) {}

  void forward(const float* x, float* y) override {
    std::fill_n(y, n_ * d_, 0.0f);
    taps(n_, [&](std::int64_t j, std::int64_t to, std::int64_t from, std::int64_t rows) {
      backend_.product({false, false, float32(x + from * d_, rows, d_), tap(j), true,
                        float32(y + to * d_, rows, d_)});
    });
  }
  void backward(const float* x, const float*, const float* d_y, float* d_x) override {
    Floats d_w(w_.size());
    std::fill_n(d_x, n_ * d_, 0.0f);
    taps(n_, [&](std::int64_t j, std::int64_t to, std::int64_t from, std::int64_t rows) {
      const ConstMatrix of_x = float32(x + from * d_, rows, d_),
                        of_y = float32(d_y + to * d_, rows, d_);
      backend_.product({false, true, of_y, tap(j), true, float32(d_x + from * d_, rows, d_)});
      backend_.product({true, false, of_x, of_y, false, float32(d_w.data() + j * d_ * d_, d_, d_)});
    });
  }

 private:
  ConstMatrix tap(std::int64_t j) const { return float32(w_.data() + j * d_ * d_, d_, d_); }

  const Backend& backend_;
  const std::int64_t n_, d_;
  const Floats w_;
};

// Each column by itself over its rows, then a product of D x D.
class SeparableLayer : public Layer {
 public:
  SeparableLayer(const Backend& backend, std::int64_t n, std::int64_t d)
      : backend_(backend), n_(n), d_(d), depth_(drawn(kKernel, d, 4)), point_(drawn(d, d, 5)) {}

  void forward(const float* x, float* y) override {
    middle_.assign(static_cast<std::size_t>(n_ * d_), 0.0f);
    taps(n_, [&](std::int64_t j, std::int64_t to, std::int64_t from, std::int64_t rows) {
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < d_; ++c)
          middle_[static_cast<std::size_t>((to + r) * d_ + c)] +=
              depth_[static_cast<std::size_t>(j * d_ + c)] * x[(from + r) * d_ + c];
    });
    const ConstMatrix point = float32(point_.data(), d_, d_);
    backend_.product(
        {false, false, float32(middle_.data(), n_, d_), point, false, float32(y, n_, d_)});
  }
  void backward(const float* x, const float*, const float* d_y, float* d_x) override {
    Floats d_middle(middle_.size()), d_point(point_.size()), d_depth(depth_.size());
    const ConstMatrix of_y = float32(d_y, n_, d_), point = float32(point_.data(), d_, d_);
    backend_.product({false, true, of_y, point, false, float32(d_middle.data(), n_, d_)});
    backend_.product({true, false, float32(middle_.data(), n_, d_), of_y, false,
                      float32(d_point.data(), d_, d_)});
    std::fill_n(d_x, n_ * d_, 0.0f);
    taps(n_, [&](std::int64_t j, std::int64_t to, std::int64_t from, std::int64_t rows) {
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < d_; ++c) {
          const float g = d_middle[static_cast<std::size_t>((to + r) * d_ + c)];
          d_x[(from + r) * d_ + c] += depth_[static_cast<std::size_t>(j * d_ + c)] * g;
          d_depth[static_cast<std::size_t>(j * d_ + c)] += x[(from + r) * d_ + c] * g;
        }
    });
  }
  double uncounted() const override { return 3 * 2 * static_cast<double>(kKernel * n_ * d_); }

 private:
  const Backend& backend_;
  const std::int64_t n_, d_;
  const Floats depth_, point_;
  Floats middle_;
};

}  // namespace

const std::vector<std::string>& layer_kinds() {
  static const std::vector<std::string> kinds = {"self-attention", "restricted", "recurrent",
                                                 "convolution", "separable"};
  return kinds;
}

std::unique_ptr<Layer> make_layer(const std::string& kind, const Backend& backend, std::int64_t n,
                                  std::int64_t d, std::int64_t r) {
  TT_CHECK(n > 0 && d > 0 && (d < 64 || d % 64 == 0));
  if (kind == "self-attention") return std::make_unique<AttentionLayer>(backend, n, d, n);
  if (kind == "restricted")
    return std::make_unique<AttentionLayer>(backend, n, d, std::max<std::int64_t>(1, r / 2));
  if (kind == "recurrent") return std::make_unique<RecurrentLayer>(backend, n, d);
  if (kind == "convolution") return std::make_unique<ConvolutionLayer>(backend, n, d);
  TT_CHECK(kind == "separable");
  return std::make_unique<SeparableLayer>(backend, n, d);
}

}  // namespace tt::table1
