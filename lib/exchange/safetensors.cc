#include "exchange/safetensors.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/bytes.h"
#include "tensor/bfloat16.h"

namespace tt {
namespace {

using nlohmann::json;

std::size_t size_of(const std::string& type) {
  return type == "F32" ? 4 : type == "F16" || type == "BF16" ? 2 : type == "F64" ? 8 : 0;
}

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
  ByteReader reader(file.text(), path);
  const auto length = reader.number<std::uint64_t>();
  if (length < 2 || length > reader.left() || file.text()[sizeof length] != '{')
    throw Error(path, ": is no safetensors file, or a truncated one");
  json header;
  try {
    header = json::parse(reader.take(length));
  } catch (const json::exception&) {
    throw Error(path, ": is damaged: its header is not JSON; copy it again");
  }
  const std::size_t data = reader.place();
  ForeignTensors tensors(path);
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const auto damaged = [&, &name = name] {
      throw Error(path, ": is damaged: its tensor ", in_quotes(name), " is not described; copy it again");
    };
    const json type = entry.is_object() ? entry.value("dtype", json()) : json(),
               shape = entry.is_object() ? entry.value("shape", json()) : json(),
               offsets = entry.is_object() ? entry.value("data_offsets", json()) : json();
    if (!type.is_string() || !shape.is_array() || shape.size() > 8 || !offsets.is_array() || offsets.size() != 2 ||
        !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned())
      damaged();
    const std::size_t size = size_of(type.get_ref<const std::string&>());
    if (size == 0) continue;
    ForeignTensor tensor;
    std::uint64_t count = 1;
    for (const json& n : shape) {
      if (!n.is_number_unsigned() || __builtin_mul_overflow(count, n.get<std::uint64_t>(), &count) ||
          n.get<std::uint64_t>() > INT64_MAX)
        damaged();
      tensor.shape.push_back(n.get<std::int64_t>());
    }
    const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
    if (end < begin || (end - begin) % size != 0 || (end - begin) / size != count || begin > file.size() - data) damaged();
    reader.go_to(data + begin);
    ByteReader values(reader.take(end - begin), path);
    tensor.values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) tensor.values.push_back(value_of(type.get_ref<const std::string&>(), values));
    tensors.add(name, std::move(tensor));
  }
  return tensors;
}

}  // namespace tt
