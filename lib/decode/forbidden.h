// Pieces that no translation has.
#pragma once

#include <utility>

#include "decode/constraint.h"

namespace tt {

class Forbidden : public Constraint {
 public:
  explicit Forbidden(std::vector<std::int32_t> pieces) : pieces_(std::move(pieces)) {}

  void demand(Tokens, const Progress*, Demands& demands) const override {
    demands.barred.insert(demands.barred.end(), pieces_.begin(), pieces_.end());
  }

 private:
  std::vector<std::int32_t> pieces_;
};

}  // namespace tt
