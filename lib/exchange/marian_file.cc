#include "exchange/marian_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/error.h"
#include "base/file.h"
#include "exchange/bytes.h"
#include "exchange/npy.h"

namespace tt {
namespace {

constexpr const char* kOptions = "special:model.yml";
constexpr std::string_view kNpy = ".npy";
constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kTensorsMost = 100000, kDimensionsMost = 8;
// Types of a .bin: a class in the upper bits, the size in the lowest eight (src/common/types.h).
constexpr std::uint64_t kFloat16 = 0x402, kFloat32 = 0x404;
// intgemm8 and intgemm16, for any processor: of Marian, and of the fork that the Firefox translations are made with.
constexpr std::uint64_t kQuantised[] = {0x10001, 0x10002, 0x4101, 0x4102};
constexpr std::string_view kActivationScale = "_QuantMultA";  // of what the weights are multiplied with, which is float32 here

// Text that is padded with NULs.
std::string text_of(std::string_view bytes) { return std::string(bytes.substr(0, bytes.find('\0'))); }

void read_npz(const std::string& path, MarianFile& file) {
  const ZipFile zip(path);
  for (const auto& [member, place] : zip.members()) {
    std::string name = member;
    if (name.ends_with(kNpy)) name.resize(name.size() - kNpy.size());
    const std::string bytes = zip.read(member), where = path + ": " + in_quotes(member);
    const Array array = read_npy(bytes, where);
    if (name == kOptions) file.options = text_of(array.bytes);
    else if (!name.starts_with("special:")) file.tensors.add(name, array.numbers(where));
  }
}

struct Header {
  std::uint64_t name, type, dimensions, bytes;
};

struct Numbers {
  const Shape& shape;
  const std::string& name;
  std::uint64_t count;
};

// Numbers of few bits have one scale behind them, and matrices of weights are then transposed (expression_graph_packable.h).
ForeignTensor read_numbers(std::string_view data, std::uint64_t type, const Numbers& numbers, const std::string& path) {
  const bool quantised = std::find(std::begin(kQuantised), std::end(kQuantised), type) != std::end(kQuantised);
  const std::uint64_t size = type & 0xFF;
  if (type != kFloat32 && type != kFloat16 && !quantised)
    throw Error(path, ": ", in_quotes(numbers.name), " has numbers of the type ", type,
                ", whose layout is that of one processor; give the model in float32, or quantised as intgemm8");
  if (numbers.count > data.size() / size || (quantised && data.size() - numbers.count * size < sizeof(float)))
    throw Error(path, ": is damaged: ", in_quotes(numbers.name), " has fewer numbers than ", to_string(numbers.shape));
  ForeignTensor tensor{numbers.shape, std::vector<float>(numbers.count)};
  float scale = 1;
  if (quantised) std::memcpy(&scale, data.data() + numbers.count * size, sizeof scale);
  const bool turned = quantised && numbers.shape.size() == 2 && numbers.name.find("Wemb") == std::string::npos;
  const std::uint64_t rows = turned ? static_cast<std::uint64_t>(numbers.shape[0]) : 1;
  const std::uint64_t columns = turned ? static_cast<std::uint64_t>(numbers.shape[1]) : numbers.count;
  ByteReader reader(data, path);
  for (std::uint64_t k = 0; k < numbers.count; ++k)
    tensor.values[turned ? k % rows * columns + k / rows : k] = type == kFloat32   ? reader.number<float>()
                                                                : type == kFloat16 ? from_half(reader.number<std::uint16_t>())
                                                                : size == 1
                                                                    ? static_cast<float>(reader.number<std::int8_t>()) / scale
                                                                    : static_cast<float>(reader.number<std::int16_t>()) / scale;
  return tensor;
}

void read_bin(const std::string& path, MarianFile& file) {
  const MappedFile mapped(path);
  ByteReader reader(mapped.text(), path);
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
      throw Error(path, ": is damaged: ", in_quotes(names[i]), " has ", headers[i].dimensions, " dimensions");
    Shape shape;
    for (std::uint64_t k = 0; k < headers[i].dimensions; ++k) shape.push_back(reader.number<std::int32_t>());
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
      if (n < 0 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(n), &elements)) elements = UINT64_MAX;
    ForeignTensor tensor = read_numbers(data, headers[i].type, {shapes[i], names[i], elements}, path);
    file.tensors.add(names[i], std::move(tensor));
  }
}

}  // namespace

MarianFile read_marian_file(const std::string& path) {
  MarianFile file{ForeignTensors(path), {}};
  bool binary = false;
  {
    const MappedFile mapped(path);
    ByteReader reader(mapped.text(), path);
    binary = reader.left() >= sizeof kVersion && reader.number<std::uint64_t>() == kVersion;
  }
  if (binary) read_bin(path, file);
  else read_npz(path, file);
  if (file.options.empty()) throw Error(path, ": has no ", in_quotes(kOptions), ", which a model of Marian has");
  return file;
}

void MarianWriter::add(const std::string& name, const Shape& shape, const std::vector<float>& values) {
  zip_.add(name + std::string(kNpy), make_npy(shape, values));
}

void MarianWriter::finish(const std::string& options) {
  zip_.add(std::string(kOptions) + std::string(kNpy), make_npy_of_bytes(options + '\0'));
  zip_.finish();
}

}  // namespace tt
