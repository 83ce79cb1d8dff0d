#include "nn/tape.h"

#include <algorithm>
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

void HostStack::clear() { chunk_ = used_ = 0; }

void Tape::record_to(Gradients& gradients, const Dropout& key) {
  clear();
  gradients_ = &gradients;
  key_ = key;
}

Var Tape::new_node(float* value, std::int64_t rows, std::int64_t columns) {
  if (spare_.empty()) {
    spare_.reserve(store_.size() + 1);
    spare_.push_back(&store_.emplace_back());
  }
  Var node = spare_.back();
  spare_.pop_back();
  node->value = value;
  node->rows = rows;
  node->columns = columns;
  nodes_.push_back(node);
  return node;
}

Var Tape::make(std::int64_t rows, std::int64_t columns) {
  return new_node(arena_.take_array<float>(rows * columns), rows, columns);
}

Bfloat16* Tape::room_for_rounded(std::int64_t rows, std::int64_t columns) {
  return recording() && backend_.rounds() ? arena_.take_array<Bfloat16>(rows * ((columns + 7) / 8 * 8)) : nullptr;
}

const Bfloat16* Tape::rounded(Var x, const float* of, Bfloat16*& kept) {
  if (kept) return kept;
  kept = room_for_rounded(x->rows, x->columns);
  if (kept) backend_.round({x->rows, x->columns, of, x->columns, kept});
  return kept;
}

// What was rounded beside a value is not what the new owner will have.
Var Tape::take_over(Var from) {
  Bfloat16* rounded = std::exchange(from->rounded, nullptr);
  if (from->value) arena_.give(std::exchange(rounded, nullptr));
  Var node = new_node(std::exchange(from->value, nullptr), from->rows, from->columns);
  node->rounded = rounded;
  return node;
}

Var Tape::make_narrow(std::int64_t rows, std::int64_t columns) {
  TT_CHECK(may_be_narrow(columns));
  Var node = new_node(nullptr, rows, columns);
  room_for_rounded(node);
  return node;
}

Bfloat16* Tape::narrow_gradient(Var x, std::int64_t column, std::int64_t width) {
  TT_CHECK(is_narrow(x) && !x->gradient);
  bool accumulate = x->rounded_gradient && x->written.empty();
  if (!x->rounded_gradient) room_for_rounded_gradient(x);
  note_written(x, column, width, accumulate);
  TT_CHECK(!accumulate);
  return x->rounded_gradient + column;
}

// Zeroes the columns of a gradient that have not been written.
void Tape::complete_gradient(Var x) {
  if (x->written.empty()) return;
  std::sort(x->written.begin(), x->written.end());
  x->written.emplace_back(x->columns, x->columns);
  std::int64_t end = 0;
  for (const auto& [begin, next] : x->written) {
    TT_CHECK(begin <= end || !is_narrow(x));
    if (begin > end) backend_.zero({x->rows, begin - end, x->columns, x->gradient + end});
    end = next;
  }
  x->written.clear();
}

float* Tape::gradient(Var x, bool& accumulate) {
  TT_CHECK(!is_narrow(x));
  accumulate = x->gradient != nullptr;
  arena_.give(std::exchange(x->rounded_gradient, nullptr));
  if (accumulate) complete_gradient(x);
  else x->gradient = arena_.take_array<float>(x->rows * x->columns);
  return x->gradient;
}

float* Tape::gradient(Var x, std::int64_t column, std::int64_t width, bool& accumulate) {
  TT_CHECK(!is_narrow(x));
  const bool first = x->gradient == nullptr;
  arena_.give(std::exchange(x->rounded_gradient, nullptr));
  if (first) x->gradient = arena_.take_array<float>(x->rows * x->columns);
  accumulate = !first && x->written.empty();
  note_written(x, column, width, accumulate);
  if (accumulate) complete_gradient(x);
  return x->gradient + column;
}

// Columns are written for the first time, unless some have been: then accumulate becomes true.
void Tape::note_written(Var x, std::int64_t column, std::int64_t width, bool& accumulate) {
  TT_CHECK(column >= 0 && width >= 0 && column + width <= x->columns);
  auto& ranges = x->written;
  for (const auto& [begin, end] : ranges) accumulate = accumulate || (begin < column + width && column < end);
  if (accumulate) return;
  ranges.emplace_back(column, column + width);
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size();) {
    if (ranges[i - 1].second == ranges[i].first)
      ranges[i - 1].second = ranges[i].second, ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i));
    else ++i;
  }
  if (ranges.size() == 1 && ranges[0] == std::pair<std::int64_t, std::int64_t>(0, x->columns)) ranges.clear();
}

void Tape::give(Var node) {
  arena_.give(node->value);
  arena_.give(node->gradient);
  arena_.give(node->rounded);
  arena_.give(node->rounded_gradient);
  node->value = node->gradient = nullptr;
  node->rounded = node->rounded_gradient = nullptr;
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
    if (std::binary_search(sorted.begin(), sorted.end(), nodes_[i], std::less<>())) nodes_[end++] = nodes_[i];
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
