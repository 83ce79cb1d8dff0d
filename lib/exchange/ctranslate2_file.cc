#include "exchange/ctranslate2_file.h"

#include <algorithm>

#include "base/error.h"

namespace tt {
namespace {

constexpr std::uint32_t kVersion = 6, kRevision = 7;
constexpr const char* kSpecification = "TransformerSpec";
// Specifications of the first versions, which say the number of heads.
constexpr std::pair<const char*, int> kOldSpecifications[] = {
    {"", 8}, {"TransformerBase", 8}, {"TransformerBig", 16}};
constexpr float kOldScale = 1000;  // of numbers of 16 bits that come without one
constexpr std::uint64_t kVariablesMost = 100000;
// In the order of the program's enumeration.
constexpr NumberType kTypes[] = {NumberType::float32, NumberType::int8,    NumberType::int16,
                                 NumberType::int32,   NumberType::float16, NumberType::bfloat16};

std::string text_of(ByteReader& bytes, const std::string& path) {
  const auto size = bytes.number<std::uint16_t>();
  std::string_view text = bytes.take(size);
  if (text.empty() || text.back() != '\0')
    throw Error(path, ": is damaged: a name does not end; copy it again");
  text.remove_suffix(1);
  return std::string(text);
}

void append_text(std::string& bytes, const std::string& text) {
  append_number(bytes, static_cast<std::uint16_t>(text.size() + 1));
  bytes.append(text.c_str(), text.size() + 1);
}

// The first revision has the names of OpenNMT-tf.
std::string name_now(std::string name) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    if (const std::size_t at = name.find(from); at != std::string::npos)
      name.replace(at, from.size(), to);
  };
  replace("transformer/", "");
  replace(":0", "");
  replace("w_embs", "embeddings/weight");
  replace("kernel", "weight");
  replace("LayerNorm", "layer_norm");
  replace("dense", "projection");
  replace("conv1d_", "linear_");
  replace("conv1d", "linear_0");
  if (name.find("encoder") == std::string::npos)
    replace("masked_multi_head", "self_attention"), replace("multi_head", "attention");
  else replace("multi_head", "self_attention");
  return name;
}

// A variable as it lies in the file.
struct Stored {
  Shape shape;
  NumberType type;
  std::string_view bytes;
  NumbersIn where;
};

std::vector<float> values_of(const Stored& stored) {
  std::vector<float> values(stored.bytes.size() / size_of(stored.type));
  read_numbers(stored.bytes, stored.where, stored.type, 0, values);
  return values;
}

// A variable with its name, which of the first revision is an `old` one.
std::pair<std::string, Stored> read_variable(ByteReader& bytes, const std::string& path,
                                             std::uint32_t version, bool old, NumbersIn where) {
  const std::string name = old ? name_now(text_of(bytes, path)) : text_of(bytes, path);
  Stored stored{{}, {}, {}, where};
  std::uint64_t size = 1;
  for (auto rank = bytes.number<std::uint8_t>(); rank > 0; --rank) {
    stored.shape.push_back(bytes.number<std::uint32_t>());
    if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(stored.shape.back()), &size) ||
        size > bytes.left())
      throw Error(path, ": is truncated, or damaged: ", in_quotes(name),
                  " has more numbers than the file; copy it again");
  }
  // The first versions say how long a number is, and how many there are; later ones the type, and
  // how many bytes.
  const auto said = bytes.number<std::uint8_t>();
  const auto is_so_long = [&](NumberType each) { return size_of(each) == said; };
  const auto* const type = version < 4 ? std::ranges::find_if(kTypes, is_so_long)
                                       : kTypes + std::min<std::size_t>(said, std::size(kTypes));
  if (type == std::end(kTypes))
    throw Error(path, ": ", in_quotes(name), " is of the unknown type ", int{said});
  const auto there = bytes.number<std::uint32_t>();
  if (there != static_cast<std::uint32_t>(version < 4 ? size : size * size_of(*type)))
    throw Error(path, ": is damaged: ", in_quotes(name), " has ", there,
                version < 4 ? " numbers" : " bytes");
  stored.type = *type;
  stored.bytes = bytes.take(size * size_of(*type));
  return {name, stored};
}

// Adds variables, those of few bits with their scales.
void add_variables(const std::map<std::string, Stored>& read, const FileBytes& file,
                   const std::string& path, ForeignTensors& tensors) {
  for (const auto& [name, stored] : read) {
    if (name.ends_with("_scale") && read.contains(name.substr(0, name.size() - 6))) continue;
    std::vector<float> scales;
    if (const auto scale = read.find(name + "_scale"); scale != read.end()) {
      scales = values_of(scale->second);
      const auto rows = stored.shape.empty() ? 0 : static_cast<std::size_t>(stored.shape[0]);
      if (scales.empty() || rows == 0 || (scales.size() != 1 && scales.size() != rows))
        throw Error(path, ": is damaged: ", in_quotes(name), " has ", scales.size(), " scales");
    } else if (stored.type == NumberType::int16 && stored.shape.size() > 1) {
      scales = {kOldScale};
    }
    // A number of 8 bits is a switch, another is the scale itself, and 1 asks for nothing.
    const bool factor = name.ends_with("/scale_embeddings") && stored.type != NumberType::int8;
    // Weights of few bits are multiplied by a scale, that of their row or one for all.
    std::uint64_t row = 1;
    for (const std::int64_t n : stored.shape) row *= static_cast<std::uint64_t>(n);
    row /= std::max<std::uint64_t>(scales.size(), 1);
    tensors.add(name, {stored.shape,
                       {},
                       [file, stored = stored, scales, factor, row](std::uint64_t begin,
                                                                    std::span<float> to) {
                         read_numbers(stored.bytes, stored.where, stored.type, begin, to);
                         if (factor && to.size() == 1 && to[0] == 1) to[0] = 0;
                         if (!scales.empty())
                           for (std::size_t k = 0; k < to.size(); ++k)
                             to[k] /= scales[(begin + k) / row];
                       }});
  }
}

}  // namespace

CTranslate2File read_ctranslate2_file(const FileBytes& file, const std::string& path) {
  check_downloaded(file.text, path);
  ByteReader bytes(file.text, path);
  const auto version = bytes.number<std::uint32_t>();
  if (version < 1 || version > kVersion)
    throw Error(path, ": is no model.bin of CTranslate2 of version 1 to ", kVersion,
                " (it begins with ", version, ")");
  CTranslate2File result{ForeignTensors(path, file.text.size()), static_cast<int>(version), 0};
  const std::string specification = version == 1 ? "" : text_of(bytes, path);
  const auto revision = version == 1 ? 1 : bytes.number<std::uint32_t>();
  for (const auto& [name, heads] : kOldSpecifications)
    if (specification == name) result.heads = heads;
  if (specification != kSpecification && result.heads == 0)
    throw Error(path, ": is a ", in_quotes(specification), "; only a ", kSpecification,
                " can be imported");
  if (revision < 1 || revision > kRevision)
    throw Error(path, ": is of revision ", revision, "; 1 to ", kRevision, " can be imported");
  const auto count = bytes.number<std::uint32_t>();
  if (count > kVariablesMost)
    throw Error(path, ": is damaged: it would have ", count, " variables");
  std::map<std::string, Stored> read;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto variable = read_variable(bytes, path, version, revision == 1, file.where);
    if (!read.insert(variable).second)
      throw Error(path, ": is damaged: it has two variables ", in_quotes(variable.first));
  }
  ForeignTensors& tensors = result.variables;
  add_variables(read, file, path, tensors);
  for (auto aliases = version < 3 ? 0 : bytes.number<std::uint32_t>(); aliases > 0; --aliases) {
    const std::string alias = text_of(bytes, path), name = text_of(bytes, path);
    tensors.alias(alias, name);
  }
  if (bytes.left() > 0)
    throw Error(path, ": is damaged: ", bytes.left(), " bytes follow its end; copy it again");
  return result;
}

void CTranslate2Writer::add(const std::string& name, const Shape& shape,
                            const std::vector<float>& values) {
  Variable& variable = all_[name];
  variable.shape = shape;
  variable.bytes.append(reinterpret_cast<const char*>(values.data()),
                        values.size() * sizeof(float));
}

void CTranslate2Writer::add(const std::string& name, int number) {
  const auto type = name.ends_with("_distance") ? NumberType::int32
                    : name.ends_with("num_heads") || name.find("/alignment_") != name.npos
                        ? NumberType::int16
                        : NumberType::int8;
  Variable& variable = all_[name];
  variable.type = static_cast<std::uint8_t>(std::ranges::find(kTypes, type) - kTypes);
  variable.bytes.assign(reinterpret_cast<const char*>(&number), size_of(type));
}

void CTranslate2Writer::check(const std::string& folder) const {
  for (const auto& [name, variable] : all_)
    if (variable.bytes.size() > UINT32_MAX)
      throw Error(folder, ": ", in_quotes(name),
                  " has more than 4 GiB, which model.bin cannot have");
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
