#include "nn/params.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "tensor/panels.h"

namespace tt {

Param Params::add(const std::string& name, std::int64_t rows, std::int64_t columns, Init init,
                  float scale, int blocks) {
  TT_CHECK(!backend_ && rows > 0 && columns > 0);
  const Param param{number(), size_, rows, columns};
  entries_.push_back({name, param, init, scale, blocks,
                      rows > 1 && init == Init::xavier ? Use::weights : Use::other});
  size_ += (param.size() + 15) / 16 * 16;
  return param;
}

void Params::fix(Param p, std::int64_t columns) {
  TT_CHECK(p.rows == 1 && columns <= p.columns);
  entries_[static_cast<std::size_t>(p.index)].fixed = columns;
}

Param Params::add_table(const std::string& name, std::int64_t rows, std::int64_t columns,
                        float deviation) {
  const Param param = add(name, rows, columns, Init::normal, deviation);
  entries_.back().use = Use::table;
  return param;
}

void Params::place(const Backend& backend) {
  DeviceArray<float> values(backend, size_);
  factors_ = {};
  backend_ = &backend;
  exchange(values);
}

void Params::exchange(DeviceArray<float>& values) {
  TT_CHECK(values.size() == size_);
  std::swap(values_, values);
  at_.clear();
  for (const Entry& e : entries_) at_.push_back(values_.data() + e.param.offset);
  refresh_factors();
}

void Params::borrow(const Backend& backend, int index, const float* from, Forget forget) {
  TT_CHECK(backend.is_host());
  backend_ = &backend;
  forget_ = forget;
  at_.resize(entries_.size());
  at_[static_cast<std::size_t>(index)] = from;
}

void Params::borrow_packed(const Backend& backend, int index, const float* panels) {
  TT_CHECK(use(index) != Use::other);
  borrow(backend, index, nullptr);
  panels_.resize(entries_.size());
  panels_[static_cast<std::size_t>(index)] = panels;
}

void Params::keep_factors() {
  const ElementType type = backend_->traits().factors;
  if (type == ElementType::float32) return;
  if (factors_.size() == 0)
    factors_ = DeviceArray<float>(
        *backend_, static_cast<std::int64_t>(bytes_of(type, 1, size_) / sizeof(float)));
  refresh_factors();
}

void Params::refresh_factors() {
  if (factors_.size() > 0) backend_->round({float32(values_.data(), 1, size_), factors(0, size_)});
}

Matrix Params::factors(std::int64_t offset, std::int64_t size) const {
  if (factors_.size() == 0) return {};
  return matrix(factors_.data(), backend_->traits().factors, 1, size_).columns_from(offset, size);
}

ConstMatrix Params::factor(Param p) const {
  const Matrix copy = factors(p.offset, p.size());
  if (!copy || row_stride(copy.type, p.columns) != p.columns) return stored(p);
  return matrix(copy.at, copy.type, p.rows, p.columns);
}

ConstMatrix Params::stored(Param p) const {
  if (const float* values = of(p)) return float32(values, p.rows, p.columns);
  return {panels_.at(static_cast<std::size_t>(p.index)), ElementType::panels, p.rows, p.columns};
}

void Params::freeze(WeightForm form) {
  if (form != WeightForm::int8) {
    packed_ = std::make_unique<Packed[]>(2 * entries_.size());
    return;
  }
  const auto names = tensors();
  for (int i = 0; i < number(); ++i)
    if (use(i) != Use::other)
      check_int8_depth(names[static_cast<std::size_t>(i)].name, product_of(i).k);
  eight_ = std::make_unique<Eight[]>(entries_.size());
}

Params::Product Params::product_of(int index) const {
  const Param p = at(index);
  const bool table = use(index) == Use::table;
  return {table, table ? p.rows : p.columns, table ? p.columns : p.rows};
}

void Params::set_int8(int index, const std::uint8_t* panels, const float* scales) {
  TT_CHECK(eight_ && use(index) != Use::other);
  Eight& entry = eight_[static_cast<std::size_t>(index)];
  std::call_once(entry.once, [&] {
    const auto [transposed, n, k] = product_of(index);
    if (backend_->is_host()) entry.matrix = int8_matrix(n, k, panels, scales);
    else upload_int8(index, panels, scales);
  });
}

void Params::upload_int8(int index, const std::uint8_t* panels, const float* scales) const {
  Eight& entry = eight_[static_cast<std::size_t>(index)];
  const auto [transposed, n, k] = product_of(index);
  const auto words = static_cast<std::size_t>(int8_bytes(n, k)) / sizeof(std::uint32_t);
  entry.panels = DeviceArray<std::uint32_t>(*backend_, static_cast<std::int64_t>(words));
  backend_->upload(entry.panels.data(), panels, words * sizeof(std::uint32_t));
  entry.scales = {*backend_, std::span(scales, static_cast<std::size_t>(n))};
  entry.matrix = int8_matrix(n, k, reinterpret_cast<const std::uint8_t*>(entry.panels.data()),
                             entry.scales.data());
  backend_->synchronise();
}

ConstMatrix Params::int8(Param p) const {
  if (!eight_ || use(p.index) == Use::other) return {};
  Eight& entry = eight_[static_cast<std::size_t>(p.index)];
  std::call_once(entry.once, [&] {
    const auto [transposed, n, k] = product_of(p.index);
    std::vector<float> scratch, scales(static_cast<std::size_t>(n));
    const auto panels =
        std::make_unique_for_overwrite<std::uint8_t[]>(static_cast<std::size_t>(int8_bytes(n, k)));
    quantize(transposed, n, k, view(p.index, scratch), panels.get(), scales.data());
    upload_int8(p.index, panels.get(), scales.data());
  });
  return entry.matrix;
}

ConstMatrix Params::weights(Param p, bool transposed) const {
  if (!packed_ || factors_.size() > 0) return factor(p);
  const auto i = static_cast<std::size_t>(p.index);
  const ElementType type = backend_->traits().weights;
  if (!panels_.empty() && panels_[i]) {
    TT_CHECK(transposed == (use(p.index) == Use::table));
    if (type == ElementType::panels) return stored(p);
  }
  Packed& entry = packed_[2 * i + (transposed ? 1 : 0)];
  std::call_once(entry.once, [&] {
    const std::int64_t n = transposed ? p.rows : p.columns, k = transposed ? p.columns : p.rows;
    const std::size_t bytes = packed_bytes(type, transposed, n, k);
    if (bytes == 0) return;
    entry.matrix =
        DeviceArray<float>::unset(*backend_, static_cast<std::int64_t>(bytes / sizeof(float)));
    backend_->pack({transposed, stored(p), matrix(entry.matrix.data(), type, p.rows, p.columns)});
    backend_->synchronise();
    if (forget_ && of(p)) forget_(of(p), static_cast<std::size_t>(p.size()) * sizeof(float));
  });
  return entry.matrix.size() > 0 ? matrix(entry.matrix.data(), type, p.rows, p.columns) : stored(p);
}

const float* Params::unpacked(int index, const float* panels, std::vector<float>& scratch) const {
  const auto [transposed, n, k] = product_of(index);
  scratch.resize(static_cast<std::size_t>(n * k));
  unpack(transposed, n, k, panels, scratch.data());
  return scratch.data();
}

const float* Params::view(int index, std::vector<float>& scratch) const {
  const Param p = at(index);
  const bool packed = !panels_.empty() && panels_[static_cast<std::size_t>(index)];
  if (packed) return unpacked(index, panels_[static_cast<std::size_t>(index)], scratch);
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
        const float bound =
            e.scale *
            std::sqrt(6.0f / static_cast<float>(e.param.rows + e.param.columns / e.blocks));
        for (float& x : w) x = bound * (2 * random.uniform() - 1);
      }
    }
    fill(e.param.index, w.data());
  }
}

void Params::fill(int index, const float* from) {
  const Param p = at(index);
  backend_->upload(values_.data() + p.offset, from,
                   static_cast<std::size_t>(p.size()) * sizeof(float));
}

void Params::fill_packed(int index, const float* panels) {
  std::vector<float> scratch;
  fill(index, unpacked(index, panels, scratch));
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

void Gradients::begin() {
  written_.assign(written_.size(), 0);
  open_ = params_.number();
  last_ = false;
}

void Gradients::settle(std::int64_t offset, const Backend& backend) {
  for (; open_ > 0 && params_.at(open_ - 1).offset >= offset; --open_) {
    const auto i = static_cast<std::size_t>(open_ - 1);
    const std::int64_t begin = params_.at(open_ - 1).offset,
                       end = open_ < params_.number() ? params_.at(open_).offset : params_.size();
    const std::int64_t n = !written_[i] || frozen_[i] ? end - begin : params_.fixed(open_ - 1);
    if (n > 0) backend.zero({1, n, n, values() + begin});
  }
  if (watcher_) watcher_(offset, backend);
}

}  // namespace tt
