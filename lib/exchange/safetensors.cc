#include "exchange/safetensors.h"

#include <memory>

#include "base/file.h"
#include "exchange/bytes.h"
#include "model/safetensors.h"
#include "tensor/bfloat16.h"

namespace tt {
namespace {

bool is_read(const std::string& type) {
  return type == "F32" || type == "F64" || type == "F16" || type == "BF16";
}

std::vector<float> values_of(const StoredTensor& tensor, const std::string& path) {
  ByteReader bytes(tensor.bytes, path);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(elements(tensor.shape)));
  const bool half = tensor.type == "F16", wide = tensor.type == "F64",
             narrow = half || tensor.type == "BF16";
  while (bytes.left() > 0)
    values.push_back(half     ? from_half(bytes.number<std::uint16_t>())
                     : narrow ? widen(bytes.number<std::uint16_t>())
                     : wide   ? static_cast<float>(bytes.number<double>())
                              : bytes.number<float>());
  return values;
}

}  // namespace

ForeignTensors read_safetensors(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  check_downloaded(file->text(), path);
  ForeignTensors tensors(path, file->size());
  for (StoredTensor& stored : read_safetensors_header(file->text(), path).tensors)
    if (is_read(stored.type))
      tensors.add(stored.name,
                  {stored.shape, [file, stored, path] { return values_of(stored, path); }});
  return tensors;
}

}  // namespace tt
