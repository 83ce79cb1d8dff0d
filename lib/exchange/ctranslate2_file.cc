#include "exchange/ctranslate2_file.h"

#include <limits>

#include "base/error.h"
#include "tensor/bfloat16.h"

namespace tt {
namespace {

constexpr std::uint32_t kVersion = 6, kRevision = 7;
constexpr std::uint32_t kOldest = 4;  // earlier versions do not say the types of their tensors
constexpr const char* kSpecification = "TransformerSpec";
constexpr std::uint64_t kVariablesMost = 100000;
// In the order of the program's enumeration.
enum class Type : std::uint8_t { float32, int8, int16, int32, float16, bfloat16 };
constexpr std::size_t kSizes[] = {4, 1, 2, 4, 2, 2};

std::string text_of(ByteReader& bytes, const std::string& path) {
  const auto size = bytes.number<std::uint16_t>();
  std::string_view text = bytes.take(size);
  if (text.empty() || text.back() != '\0') throw Error(path, ": is damaged: a name does not end; copy it again");
  text.remove_suffix(1);
  return std::string(text);
}

void append_text(std::string& bytes, const std::string& text) {
  append_number(bytes, static_cast<std::uint16_t>(text.size() + 1));
  bytes.append(text.c_str(), text.size() + 1);
}

float value_of(Type type, ByteReader& bytes) {
  switch (type) {
    case Type::float32: return bytes.number<float>();
    case Type::int8: return bytes.number<std::int8_t>();
    case Type::int16: return bytes.number<std::int16_t>();
    case Type::int32: return static_cast<float>(bytes.number<std::int32_t>());
    case Type::float16: return from_half(bytes.number<std::uint16_t>());
    case Type::bfloat16: return widen(bytes.number<std::uint16_t>());
  }
  return 0;
}

}  // namespace

ForeignTensors read_ctranslate2_variables(const std::string& path) {
  const MappedFile file(path);
  check_downloaded(file.text(), path);
  ByteReader bytes(file.text(), path);
  const auto version = bytes.number<std::uint32_t>();
  if (version < kOldest || version > kVersion)
    throw Error(path, ": is no model.bin of CTranslate2 of version ", kOldest, " to ", kVersion, " (it begins with ", version,
                ")");
  const std::string specification = text_of(bytes, path);
  if (specification != kSpecification)
    throw Error(path, ": is a ", in_quotes(specification), "; only a ", kSpecification, " can be imported");
  const auto revision = bytes.number<std::uint32_t>();
  if (revision < 5 || revision > kRevision)
    throw Error(path, ": is of revision ", revision, "; 5 to ", kRevision, " can be imported");
  ForeignTensors tensors(path);
  const auto count = bytes.number<std::uint32_t>();
  if (count > kVariablesMost) throw Error(path, ": is damaged: it would have ", count, " variables");
  std::map<std::string, ForeignTensor> read;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name = text_of(bytes, path);
    ForeignTensor tensor;
    std::uint64_t size = 1;
    for (auto rank = bytes.number<std::uint8_t>(); rank > 0; --rank) {
      tensor.shape.push_back(bytes.number<std::uint32_t>());
      if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(tensor.shape.back()), &size) || size > bytes.left())
        throw Error(path, ": is truncated, or damaged: ", in_quotes(name), " has more numbers than the file; copy it again");
    }
    const auto type = bytes.number<std::uint8_t>();
    if (type > static_cast<std::uint8_t>(Type::bfloat16))
      throw Error(path, ": ", in_quotes(name), " is of the unknown type ", int{type});
    const auto there = bytes.number<std::uint32_t>();
    if (there != static_cast<std::uint32_t>(size * kSizes[type]))
      throw Error(path, ": is damaged: ", in_quotes(name), " has ", there, " bytes");
    ByteReader values(bytes.take(size * kSizes[type]), path);
    tensor.values.reserve(size);
    for (std::uint64_t k = 0; k < size; ++k) tensor.values.push_back(value_of(static_cast<Type>(type), values));
    // A number of 8 bits is a switch, another is the scale itself.
    if (name.ends_with("/scale_embeddings") && static_cast<Type>(type) != Type::int8 && tensor.values == std::vector<float>{1})
      tensor.values[0] = 0;
    if (!read.emplace(name, std::move(tensor)).second) throw Error(path, ": is damaged: it has two variables ", in_quotes(name));
  }
  for (auto& [name, tensor] : read) {
    if (name.ends_with("_scale") && read.contains(name.substr(0, name.size() - 6))) continue;
    // Weights of few bits are multiplied by a scale, that of their row or one for all.
    if (const auto scale = read.find(name + "_scale"); scale != read.end()) {
      const std::vector<float>& by = scale->second.values;
      const auto rows = tensor.shape.empty() ? 0 : static_cast<std::size_t>(tensor.shape[0]);
      if (by.empty() || rows == 0 || (by.size() != 1 && by.size() != rows))
        throw Error(path, ": is damaged: ", in_quotes(name), " has ", by.size(), " scales");
      const std::size_t columns = tensor.values.size() / rows;
      for (std::size_t k = 0; k < tensor.values.size(); ++k) tensor.values[k] /= by[by.size() == 1 ? 0 : k / columns];
    }
    tensors.add(name, std::move(tensor));
  }
  for (auto aliases = bytes.number<std::uint32_t>(); aliases > 0; --aliases) {
    const std::string alias = text_of(bytes, path), name = text_of(bytes, path);
    tensors.alias(alias, name);
  }
  if (bytes.left() > 0) throw Error(path, ": is damaged: ", bytes.left(), " bytes follow its end; copy it again");
  return tensors;
}

void CTranslate2Writer::add(const std::string& name, const Shape& shape, const std::vector<float>& values) {
  Variable& variable = all_[name];
  variable.shape = shape;
  variable.bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

void CTranslate2Writer::add(const std::string& name, std::int8_t number) {
  append_number(all_[name].bytes, number);
  all_[name].type = static_cast<std::uint8_t>(Type::int8);
}

void CTranslate2Writer::add(const std::string& name, std::int16_t number) {
  append_number(all_[name].bytes, number);
  all_[name].type = static_cast<std::uint8_t>(Type::int16);
}

void CTranslate2Writer::check(const std::string& folder) const {
  for (const auto& [name, variable] : all_)
    if (variable.bytes.size() > std::numeric_limits<std::uint32_t>::max())
      throw Error(folder, ": ", in_quotes(name), " has more than 4 GiB, which model.bin cannot have");
}

void CTranslate2Writer::write(AtomicFile& file) const {
  std::string head;
  append_number(head, kVersion);
  append_text(head, kSpecification);
  append_number(head, kRevision);
  append_number(head, static_cast<std::uint32_t>(all_.size()));
  file.write(head);
  for (const auto& [name, variable] : all_) {
    head.clear();
    append_text(head, name);
    append_number(head, static_cast<std::uint8_t>(variable.shape.size()));
    for (const std::int64_t n : variable.shape) append_number(head, static_cast<std::uint32_t>(n));
    append_number(head, variable.type);
    append_number(head, static_cast<std::uint32_t>(variable.bytes.size()));
    file.write(head);
    file.write(variable.bytes);
  }
  head.clear();
  append_number(head, static_cast<std::uint32_t>(aliases_.size()));
  for (const auto& [alias, name] : aliases_) append_text(head, alias), append_text(head, name);
  file.write(head);
}

}  // namespace tt
