// The header of a safetensors file: which tensors it holds, and where their values are. Files of tt
// and of other programs.
//
//   file     = length header data
//   length   = the bytes of the header, 8 bytes, little-endian
//   header   = a JSON object: "__metadata__": {key: text, ...}, and for each tensor
//              name: {"dtype": "F32" | ..., "shape": [n, ...], "data_offsets": [begin, end]},
//              then spaces
//   data     = the tensors' bytes, little-endian and row-major; offsets count from its beginning
//
// The tensors cover the data without gap or overlap.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace tt {

using Metadata = std::map<std::string, std::string>;

inline constexpr const char* kMetadataKey = "__metadata__";

struct StoredTensor {
  std::string name;
  std::string type;  // "F32", "BF16", "I64", ...
  Shape shape;
  std::string_view bytes;  // of the file, as many as type and shape say, where the type is known
};

struct StoredTensors {
  Metadata metadata;
  std::vector<StoredTensor> tensors;  // in the order of their data
};

// Reads the header of a file whose bytes are `file`, without its data. Throws Error, which begins
// with `path`, if it is not a safetensors file, is damaged, or is shorter or longer than its header
// says.
StoredTensors read_safetensors_header(std::string_view file, const std::string& path);

}  // namespace tt
