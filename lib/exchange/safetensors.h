// Tensors of any program's safetensors file, as float32. (Those of tt are read by
// model/checkpoint.h, without a copy.)
#pragma once

#include <string>

#include "exchange/foreign.h"

namespace tt {

// Reads F32, F16, BF16 and F64; other tensors are left out. Throws Error if the file cannot be
// read, is none, or is damaged.
ForeignTensors read_safetensors(const std::string& path);

}  // namespace tt
