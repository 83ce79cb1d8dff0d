#include "nn/params.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace tt {

Param Params::add(const std::string& name, std::int64_t rows, std::int64_t columns, Init init, float scale, int blocks) {
  TT_CHECK(!backend_ && rows > 0 && columns > 0);
  const Param param{number(), size_, rows, columns};
  entries_.push_back({name, param, init, scale, blocks});
  size_ += (param.size() + 15) / 16 * 16;
  return param;
}

void Params::place(const Backend& backend) {
  values_ = DeviceArray<float>(backend, size_);
  rounded_ = {};
  backend_ = &backend;
  at_.clear();
  for (const Entry& e : entries_) at_.push_back(values_.data() + e.param.offset);
}

void Params::borrow(const Backend& backend, int index, const float* from) {
  TT_CHECK(backend.is_host());
  backend_ = &backend;
  at_.resize(entries_.size());
  at_[static_cast<std::size_t>(index)] = from;
}

void Params::keep_rounded() {
  if (!backend_->rounds()) return;
  if (rounded_.size() == 0) rounded_ = DeviceArray<float>(*backend_, size_ / 2);
  backend_->round({1, size_, values_.data(), size_, rounded()});
}

void Params::freeze() { packed_ = std::make_unique<Packed[]>(2 * entries_.size()); }

const void* Params::packed(Param p, bool transposed) const {
  if (const Bfloat16* kept = rounded(p)) return kept;  // in the form of a backend that rounds
  if (!packed_) return nullptr;
  Packed& entry = packed_[2 * static_cast<std::size_t>(p.index) + (transposed ? 1 : 0)];
  std::call_once(entry.once, [&] {
    const std::int64_t n = transposed ? p.rows : p.columns, k = transposed ? p.columns : p.rows;
    const std::size_t bytes = backend_->packed_bytes(n, k);
    if (bytes == 0) return;
    entry.matrix = DeviceArray<float>(*backend_, static_cast<std::int64_t>(bytes / sizeof(float)));
    backend_->pack({transposed, n, k, of(p), entry.matrix.data()});
    backend_->synchronise();
  });
  return entry.matrix.data();
}

const float* Params::view(int index, std::vector<float>& scratch) const {
  const Param p = at(index);
  if (backend_->is_host()) return of(p);
  scratch.resize(static_cast<std::size_t>(p.size()));
  backend_->download(scratch.data(), of(p), scratch.size() * sizeof(float));
  return scratch.data();
}

void Params::draw(const Backend& backend, std::uint64_t seed) {
  place(backend);
  std::vector<float> w;
  for (const Entry& e : entries_) {
    Random random(seed, static_cast<std::uint64_t>(e.param.index), 0x1417);
    w.assign(static_cast<std::size_t>(e.param.size()), 0.0f);
    switch (e.init) {
      case Init::zeros: continue;
      case Init::ones: std::fill(w.begin(), w.end(), 1.0f); break;
      case Init::forget: {
        const auto quarter = static_cast<std::ptrdiff_t>(w.size() / 4);
        std::fill(w.begin() + quarter, w.begin() + 2 * quarter, 1.0f);
        break;
      }
      case Init::normal:
        for (float& x : w) x = e.scale * random.normal();
        break;
      case Init::xavier: {
        const float bound = e.scale * std::sqrt(6.0f / static_cast<float>(e.param.rows + e.param.columns / e.blocks));
        for (float& x : w) x = bound * (2 * random.uniform() - 1);
      }
    }
    fill(e.param.index, w.data());
  }
}

void Params::fill(int index, const float* from) {
  const Param p = at(index);
  backend_->upload(values_.data() + p.offset, from, static_cast<std::size_t>(p.size()) * sizeof(float));
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
    all.push_back({e.name, Dtype::f32, std::move(shape), nullptr});
  }
  return all;
}

void Gradients::finish(const Backend& backend) {
  std::int64_t end = params_.size();
  for (int i = params_.number(); i-- > 0;) {
    const std::int64_t begin = params_.at(i).offset;
    if (!written_[static_cast<std::size_t>(i)]) backend.zero({1, end - begin, end - begin, values() + begin});
    end = begin;
  }
}

}  // namespace tt
