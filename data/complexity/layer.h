// The layers that table 1 of "Attention Is All You Need" compares, each alone: a sequence [n, D] to
// a sequence [n, D], and back.
//
// One sequence, one head for each 64 columns, no projections around attention: what the table
// counts and nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tensor/backend.h"

namespace tt::table1 {

constexpr std::int64_t kKernel = 3;  // rows that a convolution sees

// A layer for sequences of one size, on a backend whose memory is the host's.
class Layer {
 public:
  virtual ~Layer() = default;

  virtual void forward(const float* x, float* y) = 0;
  // The gradient of x and, where there are any, of the weights, given that of y. After forward() of
  // the same x.
  virtual void backward(const float* x, const float* y, const float* d_y, float* d_x) = 0;
  // Operations of products, forward and backward, that no kernel counts.
  virtual double uncounted() const { return 0; }
};

// "self-attention", "restricted" (a window of r rows around each), "recurrent", "convolution" or
// "separable" (convolutions of 3 rows). The backend must outlive the layer.
std::unique_ptr<Layer> make_layer(const std::string& kind, const Backend& backend, std::int64_t n,
                                  std::int64_t d, std::int64_t r);
const std::vector<std::string>& layer_kinds();

}  // namespace tt::table1
