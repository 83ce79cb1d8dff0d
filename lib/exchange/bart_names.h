// The names that fairseq gives to the matrices of a Transformer, which MarianMT has behind "model.".
#pragma once

#include <string>

#include "exchange/portable.h"

namespace tt {

std::string bart_name(const LinearMap& map);
std::string bart_name(const NormMap& map);

}  // namespace tt
