#include "exchange/marian_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "exchange/npy.h"

namespace tt {
namespace {

constexpr const char* kOptions = "special:model.yml";
constexpr std::string_view kNpy = ".npy";
constexpr std::string_view kVersion("\1\0\0\0\0\0\0\0", 8);  // which a .bin begins with
constexpr std::uint64_t kTensorsMost = 100000, kDimensionsMost = 8;
// Types of a .bin: a class in the upper bits, the size in the lowest eight (src/common/types.h).
constexpr std::uint64_t kFloat16 = 0x402, kFloat32 = 0x404;
// intgemm8 and intgemm16, for any processor: of Marian, and of the fork that the Firefox
// translations are made with.
constexpr std::uint64_t kQuantised[] = {0x10001, 0x10002, 0x4101, 0x4102};
constexpr std::string_view kActivationScale =
    "_QuantMultA";  // of what the weights are multiplied with, which is float32 here

// Text that is padded with NULs.
std::string text_of(std::string_view bytes) {
  return std::string(bytes.substr(0, bytes.find('\0')));
}

MarianFile read_npz(const std::string& path) {
  const auto zip = std::make_shared<const ZipFile>(path);
  MarianFile file{ForeignTensors(path, zip->bytes()), {}};
  for (const auto& [member, place] : zip->members()) {
    std::string name = member;
    if (name.ends_with(kNpy)) name.resize(name.size() - kNpy.size());
    const std::string where = path + ": " + in_quotes(member);
    const Array array = read_npy(zip->read_head(member, kNpyHeadMost), place.size, where);
    if (name == kOptions) file.options = text_of(array.bytes(zip->read(member)));
    else if (!name.starts_with("special:"))
      file.tensors.add(name, {array.shape, [zip, member = member, array, where] {
                                return array.numbers(zip->read(member), where);
                              }});
  }
  return file;
}

struct Header {
  std::uint64_t name, type, dimensions, bytes;
};

struct Numbers {
  std::string_view data;
  std::uint64_t type;
  std::string name;
  Shape shape;
  std::uint64_t count;

  bool quantised() const { return std::ranges::find(kQuantised, type) != std::end(kQuantised); }
  std::uint64_t size() const { return type & 0xFF; }  // of one
};

void check_numbers(const Numbers& numbers, const std::string& path) {
  if (numbers.type != kFloat32 && numbers.type != kFloat16 && !numbers.quantised())
    throw Error(path, ": ", in_quotes(numbers.name), " has numbers of the type ", numbers.type,
                ", whose layout is that of one processor; give the model in float32, or quantised "
                "as intgemm8");
  const std::uint64_t there = numbers.data.size();
  if (numbers.count > there / numbers.size() ||
      (numbers.quantised() && there - numbers.count * numbers.size() < sizeof(float)))
    throw Error(path, ": is damaged: ", in_quotes(numbers.name), " has fewer numbers than ",
                to_string(numbers.shape));
}

// Numbers of few bits have one scale behind them, and matrices of weights are then transposed
// (expression_graph_packable.h).
std::vector<float> values_of(const Numbers& numbers, const std::string& path) {
  std::vector<float> values(numbers.count);
  float scale = 1;
  if (numbers.quantised())
    std::memcpy(&scale, numbers.data.data() + numbers.count * numbers.size(), sizeof scale);
  const bool turned = numbers.quantised() && numbers.shape.size() == 2 &&
                      numbers.name.find("Wemb") == std::string::npos;
  const std::uint64_t rows = turned ? static_cast<std::uint64_t>(numbers.shape[0]) : 1;
  const std::uint64_t columns =
      turned ? static_cast<std::uint64_t>(numbers.shape[1]) : numbers.count;
  ByteReader reader(numbers.data, path);
  for (std::uint64_t k = 0; k < numbers.count; ++k)
    values[turned ? k % rows * columns + k / rows : k] =
        numbers.type == kFloat32   ? reader.number<float>()
        : numbers.type == kFloat16 ? from_half(reader.number<std::uint16_t>())
        : numbers.size() == 1      ? static_cast<float>(reader.number<std::int8_t>()) / scale
                                   : static_cast<float>(reader.number<std::int16_t>()) / scale;
  return values;
}

MarianFile read_bin(const std::string& path) {
  const auto mapped = std::make_shared<const MappedFile>(path);
  MarianFile file{ForeignTensors(path, mapped->size()), {}};
  ByteReader reader(mapped->text(), path);
  reader.number<std::uint64_t>();
  const auto count = reader.number<std::uint64_t>();
  if (count > kTensorsMost) throw Error(path, ": is damaged: it would have ", count, " tensors");
  std::vector<Header> headers;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto name = reader.number<std::uint64_t>(), type = reader.number<std::uint64_t>(),
               dimensions = reader.number<std::uint64_t>();
    headers.push_back({name, type, dimensions, reader.number<std::uint64_t>()});
  }
  std::vector<std::string> names;
  for (const Header& header : headers) names.push_back(text_of(reader.take(header.name)));
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (headers[i].dimensions > kDimensionsMost)
      throw Error(path, ": is damaged: ", in_quotes(names[i]), " has ", headers[i].dimensions,
                  " dimensions");
    Shape shape;
    for (std::uint64_t k = 0; k < headers[i].dimensions; ++k)
      shape.push_back(reader.number<std::int32_t>());
    shapes.push_back(std::move(shape));
  }
  reader.take(reader.number<std::uint64_t>());
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const std::string_view data = reader.take(headers[i].bytes);
    if (names[i] == kOptions) {
      file.options = text_of(data);
      continue;
    }
    if (names[i].starts_with("special:")) continue;
    if (names[i].ends_with(kActivationScale)) continue;
    std::uint64_t elements = 1;
    for (const std::int64_t n : shapes[i])
      if (n < 0 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(n), &elements))
        elements = UINT64_MAX;
    const Numbers numbers{data, headers[i].type, names[i], shapes[i], elements};
    check_numbers(numbers, path);
    file.tensors.add(names[i],
                     {shapes[i], [mapped, numbers, path] { return values_of(numbers, path); }});
  }
  return file;
}

}  // namespace

ForeignValues marian_values(const JsonSettings& options) {
  ForeignValues values = values_of(options);
  values.text = [said = values.text](const std::string& key) {
    auto text = said(key);
    if (text && key.find("process") != key.npos) std::erase(*text, 'd');
    return text;
  };
  return values;
}

MarianFile read_marian_file(const std::string& path) {
  const bool binary = MappedFile(path).text().starts_with(kVersion);
  MarianFile file = binary ? read_bin(path) : read_npz(path);
  if (file.options.empty())
    throw Error(path, ": has no ", in_quotes(kOptions), ", which a model of Marian has");
  return file;
}

void MarianWriter::add(const std::string& name, const Shape& shape,
                       const std::vector<float>& values) {
  zip_.add(name + std::string(kNpy), make_npy(shape, values));
}

void MarianWriter::finish(const std::string& options) {
  zip_.add(std::string(kOptions) + std::string(kNpy), make_npy_of_bytes(options + '\0'));
  zip_.finish();
}

}  // namespace tt
