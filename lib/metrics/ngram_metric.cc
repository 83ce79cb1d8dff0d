#include "metrics/ngram_metric.h"

namespace tt::metrics {

void SymbolNumbering::clear() {
  characters.clear(), words.clear();
  used_ = 0;
}

std::string& SymbolNumbering::buffer() {
  if (used_ == buffers_.size()) buffers_.emplace_back();
  std::string& text = buffers_[used_++];
  text.clear();
  return text;
}

}  // namespace tt::metrics
