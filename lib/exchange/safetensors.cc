#include "exchange/safetensors.h"

#include <utility>

#include "base/file.h"
#include "exchange/bytes.h"
#include "model/safetensors.h"
#include "tensor/bfloat16.h"

namespace tt {
namespace {

bool is_read(const std::string& type) { return type == "F32" || type == "F64" || type == "F16" || type == "BF16"; }

float value_of(const std::string& type, ByteReader& bytes) {
  if (type == "F32") return bytes.number<float>();
  if (type == "F64") return static_cast<float>(bytes.number<double>());
  const auto bits = bytes.number<std::uint16_t>();
  return type == "F16" ? from_half(bits) : widen(bits);
}

}  // namespace

ForeignTensors read_safetensors(const std::string& path) {
  const MappedFile file(path);
  check_downloaded(file.text(), path);
  ForeignTensors tensors(path);
  for (const StoredTensor& stored : read_safetensors_header(file.text(), path).tensors) {
    if (!is_read(stored.type)) continue;
    ByteReader bytes(stored.bytes, path);
    ForeignTensor tensor{stored.shape, {}};
    tensor.values.reserve(static_cast<std::size_t>(elements(stored.shape)));
    while (bytes.left() > 0) tensor.values.push_back(value_of(stored.type, bytes));
    tensors.add(stored.name, std::move(tensor));
  }
  return tensors;
}

}  // namespace tt
