#include "nn/tape.h"

#include <algorithm>

namespace tt {

Var Tape::make(std::int64_t rows, std::int64_t columns) {
  Var node = new (arena_.take(sizeof(Node))) Node{arena_.take_array<float>(rows * columns), nullptr, rows, columns};
  nodes_.push_back(node);
  return node;
}

Var Tape::take_over(Var from) {
  Var node = new (arena_.take(sizeof(Node))) Node{from->value, nullptr, from->rows, from->columns};
  from->value = nullptr;
  nodes_.push_back(node);
  return node;
}

float* Tape::gradient(Var x, bool& accumulate) {
  accumulate = x->gradient != nullptr;
  if (!accumulate) x->gradient = arena_.take_array<float>(x->rows * x->columns);
  return x->gradient;
}

void Tape::give(Var node) {
  arena_.give(node->value);
  arena_.give(node->gradient);
  node->value = node->gradient = nullptr;
}

void Tape::backward() {
  TT_CHECK(recording());
  while (!records_.empty()) {
    const Record record = records_.back();
    records_.pop_back();
    record.run(record.closure);
    arena_.give(record.closure);
    give(record.out);
  }
  clear();
}

void Tape::keep(std::size_t mark, std::span<const Var> kept) {
  if (recording()) return;
  std::size_t end = mark;
  for (std::size_t i = mark; i < nodes_.size(); ++i) {
    if (std::find(kept.begin(), kept.end(), nodes_[i]) != kept.end()) {
      nodes_[end++] = nodes_[i];
    } else {
      give(nodes_[i]);
      arena_.give(nodes_[i]);
    }
  }
  nodes_.resize(end);
}

void Tape::clear() {
  for (const Record& record : records_) arena_.give(record.closure);
  records_.clear();
  for (Var node : nodes_) {
    give(node);
    arena_.give(node);
  }
  nodes_.clear();
}

}  // namespace tt
