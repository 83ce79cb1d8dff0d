#include "nn/params.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "base/random.h"

namespace tt {

FloatArray make_floats(std::int64_t size) {
  const std::size_t bytes = (static_cast<std::size_t>(size) * sizeof(float) + 63) / 64 * 64 + 64;
  auto* at = static_cast<float*>(std::aligned_alloc(64, bytes));
  if (!at) throw std::bad_alloc();
  std::fill(at, at + bytes / sizeof(float), 0.0f);
  return FloatArray(at, [](float* p) { std::free(p); });
}

Param Params::add(const std::string& name, std::int64_t rows, std::int64_t columns, Init init, float scale, int blocks) {
  TT_CHECK(!values_ && rows > 0 && columns > 0);
  const Param param{number(), size_, rows, columns};
  entries_.push_back({name, param, init, scale, blocks});
  size_ += (param.size() + 15) / 16 * 16;
  return param;
}

void Params::create(std::uint64_t seed) {
  values_ = make_floats(size_);
  for (const Entry& e : entries_) {
    Random random(seed, static_cast<std::uint64_t>(e.param.index), 0x1417);
    float* w = of(e.param);
    const std::int64_t n = e.param.size();
    switch (e.init) {
      case Init::zeros:
      case Init::positions: break;
      case Init::ones: std::fill(w, w + n, 1.0f); break;
      case Init::normal:
        for (std::int64_t i = 0; i < n; ++i) w[i] = e.scale * random.normal();
        break;
      case Init::xavier: {
        const float bound = e.scale * std::sqrt(6.0f / static_cast<float>(e.param.rows + e.param.columns / e.blocks));
        for (std::int64_t i = 0; i < n; ++i) w[i] = bound * (2 * random.uniform() - 1);
      }
    }
  }
}

std::int64_t Params::count() const {
  std::int64_t n = 0;
  for (const Entry& e : entries_) n += e.param.size();
  return n;
}

std::vector<NamedTensor> Params::tensors() const {
  std::vector<NamedTensor> all;
  for (const Entry& e : entries_) {
    Shape shape = e.param.rows == 1 ? Shape{e.param.columns} : Shape{e.param.rows, e.param.columns};
    all.push_back({e.name, Dtype::f32, std::move(shape), values_ ? of(e.param) : nullptr});
  }
  return all;
}

void Gradients::finish(const Params& params) {
  std::int64_t end = params.size();
  const auto tensors = params.tensors();
  for (std::size_t i = tensors.size(); i-- > 0;) {
    const std::int64_t begin = static_cast<const float*>(tensors[i].data) - params.values();
    if (!written_[i]) std::fill(values() + begin, values() + end, 0.0f);
    end = begin;
  }
}

}  // namespace tt
