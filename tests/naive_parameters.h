// The parameters of a model for tests/naive_forward.h.
#pragma once

#include "model/model.h"
#include "tests/naive_forward.h"

namespace tt {

inline std::map<std::string, NaiveForward::Rows> parameters(const Model& model) {
  std::map<std::string, NaiveForward::Rows> all;
  const auto names = model.params().tensors();
  for (int i = 0; i < model.params().number(); ++i) {
    const Param p = model.params().at(i);
    std::vector<float> scratch;
    const float* from = model.params().view(i, scratch);
    auto& rows = all[names[static_cast<std::size_t>(i)].name];
    for (std::int64_t r = 0; r < p.rows; ++r, from += p.columns)
      rows.emplace_back(from, from + p.columns);
  }
  return all;
}

}  // namespace tt
