#include "nn/tape.h"

#include <cstddef>
#include <functional>

#include "base/error.h"

namespace tt {

void* HostStack::take(std::size_t bytes) {
  constexpr std::size_t kAlign = alignof(std::max_align_t), kChunk = std::size_t{1} << 18;
  bytes = (bytes + kAlign - 1) / kAlign * kAlign;
  while (chunk_ < chunks_.size() && chunks_[chunk_].size - used_ < bytes) ++chunk_, used_ = 0;
  if (chunk_ == chunks_.size()) {
    const std::size_t size = std::max(kChunk, bytes);
    chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
  }
  void* at = chunks_[chunk_].memory.get() + used_;
  used_ += bytes;
  return at;
}

void Tape::record_to(Gradients& gradients, const Dropout& key) {
  clear();
  gradients_ = &gradients;
  key_ = key;
}

Var Tape::new_node(const Matrix& value) {
  if (spare_.empty()) {
    spare_.reserve(store_.size() + 1);
    spare_.push_back(&store_.emplace_back());
  }
  Var node = spare_.back();
  spare_.pop_back();
  node->value = value;
  node->rows = value.rows;
  node->columns = value.columns;
  nodes_.push_back(node);
  return node;
}

Matrix Tape::take(std::int64_t rows, std::int64_t columns, ElementType type) {
  return matrix(arena_.take(bytes_of(type, rows, columns)), type, rows, columns);
}

Var Tape::make(std::int64_t rows, std::int64_t columns, ElementType type) {
  return new_node(take(rows, columns, type));
}

Matrix Tape::room_beside(const Matrix& of) {
  return of.type == factor_type() ? Matrix() : take(of.rows, of.columns, factor_type());
}

ConstMatrix Tape::factor(const Matrix& of, Matrix& kept) {
  if (of.type == factor_type()) return of;
  if (!kept) {
    kept = room_beside(of);
    backend_.round({of, kept});
  }
  return kept;
}

// The copy of a value is not that of what the new owner will have.
Var Tape::take_over(Var from) {
  give(from->value_factor);
  return new_node(std::exchange(from->value, {}));
}

// Zeroes the columns of a gradient that have not been written.
void Tape::complete_gradient(Var x) {
  if (x->written.empty()) return;
  std::sort(x->written.begin(), x->written.end());
  x->written.emplace_back(x->columns, x->columns);
  std::int64_t end = 0;
  for (const auto& [begin, next] : x->written) {
    TT_CHECK(begin <= end || x->gradient.type == ElementType::float32);
    if (begin > end) backend_.zero({x->rows, begin - end, x->columns, x->gradient.floats() + end});
    end = next;
  }
  x->written.clear();
}

Matrix Tape::gradient(Var x, std::int64_t column, std::int64_t width, bool& accumulate) {
  TT_CHECK(column >= 0 && width >= 0 && column + width <= x->columns);
  const bool first = !x->gradient;
  give(x->gradient_factor);
  if (first)
    x->gradient = take(x->rows, x->columns, x->value ? x->value.type : ElementType::float32);
  accumulate = !first && x->written.empty();
  note_written(x, column, width, accumulate);
  TT_CHECK(!accumulate || x->gradient.type == ElementType::float32);
  if (accumulate) complete_gradient(x);
  return x->gradient.columns_from(column, width);
}

// Columns are written for the first time, unless some have been: then accumulate becomes true.
void Tape::note_written(Var x, std::int64_t column, std::int64_t width, bool& accumulate) {
  auto& ranges = x->written;
  for (const auto& [begin, end] : ranges)
    accumulate = accumulate || (begin < column + width && column < end);
  if (accumulate) return;
  ranges.emplace_back(column, column + width);
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size();) {
    if (ranges[i - 1].second == ranges[i].first)
      ranges[i - 1].second = ranges[i].second,
                 ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i));
    else ++i;
  }
  if (ranges.size() == 1 && ranges[0] == std::pair<std::int64_t, std::int64_t>(0, x->columns))
    ranges.clear();
}

void Tape::give(Var node) {
  for (Matrix* of : {&node->value, &node->gradient, &node->value_factor, &node->gradient_factor})
    give(*of);
}

void Tape::forget(Var node) {
  give(node);
  node->written.clear();
  spare_.push_back(node);
}

void Tape::backward() {
  TT_CHECK(recording());
  while (!records_.empty()) {
    const Record record = records_.back();
    records_.pop_back();
    if (record.out) complete_gradient(record.out);
    record.run(record.closure);
    if (record.out) give(record.out);
  }
  clear();
}

void Tape::keep(std::size_t mark, std::span<const Var> kept) {
  if (recording()) return;
  std::vector<Var> sorted(kept.begin(), kept.end());
  std::sort(sorted.begin(), sorted.end(), std::less<>());
  std::size_t end = mark;
  for (std::size_t i = mark; i < nodes_.size(); ++i) {
    if (std::binary_search(sorted.begin(), sorted.end(), nodes_[i], std::less<>()))
      nodes_[end++] = nodes_[i];
    else forget(nodes_[i]);
  }
  nodes_.resize(end);
}

void Tape::release(void* held) {
  const auto found = std::find(held_.rbegin(), held_.rend(), held);
  TT_CHECK(found != held_.rend());
  held_.erase(std::next(found).base());
  arena_.give(held);
}

void Tape::clear() {
  records_.clear();
  for (void* held : held_) arena_.give(held);
  held_.clear();
  for (Var node : nodes_) forget(node);
  nodes_.clear();
  host_.clear();
  gradients_ = nullptr;
  key_ = {};
  site_ = 0;
}

}  // namespace tt
