#include "exchange/foreign.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "tensor/bfloat16.h"

namespace tt {
namespace {

Shape without_ones(Shape shape) {
  std::erase(shape, 1);
  return shape;
}

void check_finite(std::span<const float> values, const std::string& path, const std::string& name) {
  if (!std::ranges::all_of(values, [](float x) { return std::isfinite(x); }))
    throw Error(path, ": is damaged: its tensor ", in_quotes(name),
                " has values that are not finite");
}

constexpr std::uint64_t kStretch = 1 << 20;  // numbers that are compared at a time
constexpr std::size_t kForgotten = 1 << 20;  // bytes that are worth a call
// Bytes of a path and of its last name: longer ones come from within a file, and are not shown.
constexpr std::size_t kPathMost = 4096, kNameMost = 255;

// Numbers of a type T in the file, which `widen` makes float32.
template <class T>
void read_as(std::string_view bytes, std::uint64_t begin, std::span<float> to, auto widened) {
  const char* at = bytes.data() + begin * sizeof(T);
  for (float& x : to) {
    T value;
    std::memcpy(&value, at, sizeof value);
    x = widened(value);
    at += sizeof value;
  }
}

}  // namespace

void ForeignTensors::add(const std::string& name, ForeignTensor tensor) {
  if (!tensors_.emplace(name, Entry{std::move(tensor), "", false}).second)
    throw Error(path_, ": is damaged: it has two tensors ", in_quotes(name));
}

void ForeignTensors::take_over(ForeignTensors other, const std::string& prefix) {
  bytes_ += other.bytes_;
  for (auto& [name, entry] : other.tensors_)
    if (!tensors_.emplace(name.substr(prefix.size()), std::move(entry)).second)
      throw Error(path_, ": is damaged: it has two tensors ", in_quotes(name));
}

void ForeignTensors::alias(const std::string& other, const std::string& name) {
  if (!has(name))
    throw Error(path_, ": is damaged: ", in_quotes(other), " should be ", in_quotes(name),
                ", which is not there");
  if (!tensors_.emplace(other, Entry{{}, name, false}).second)
    throw Error(path_, ": is damaged: it has two tensors ", in_quotes(other));
}

ForeignTensors::Entry& ForeignTensors::find(const std::string& name) {
  auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Error(path_, ": lacks the tensor ", in_quotes(name));
  for (int steps = 0; !found->second.same_as.empty(); ++steps) {
    if (steps > 8) throw Error(path_, ": is damaged: the name ", in_quotes(name), " leads nowhere");
    found->second.taken = true;
    found = tensors_.find(found->second.same_as);
  }
  return found->second;
}

const Shape& ForeignTensors::shape(const std::string& name) const {
  return const_cast<ForeignTensors*>(this)->find(name).tensor.shape;
}

const std::string& ForeignTensors::first_of(const std::vector<std::string>& names) const {
  for (const std::string& name : names)
    if (has(name)) return name;
  throw Error(path_, ": lacks the tensor ", in_quotes(names[0]));
}

int ForeignTensors::layers(const std::string& before, const std::string& behind,
                           const std::string& program) const {
  int n = 0;
  while (n < 1024 && has(before + std::to_string(n) + behind)) ++n;
  if (n == 0)
    throw Error(path_, ": has no ", before, "0", behind, ", which a model of ", program, " has");
  return n;
}

int ForeignTensors::extent(const std::string& name, std::size_t dimension) const {
  const Shape& of = shape(name);
  if (of.size() != 2 || of[0] < 1 || of[1] < 1 || std::max(of[0], of[1]) > 1 << 24)
    throw Error(path_, ": ", in_quotes(name), " is no matrix of a model");
  return static_cast<int>(of[dimension]);
}

std::vector<std::string> ForeignTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : tensors_) names.push_back(name);
  return names;
}

void ForeignTensors::check(const std::string& name, const Shape& expected) const {
  if (without_ones(shape(name)) != without_ones(expected))
    throw Error(path_, ": the tensor ", in_quotes(name), " is ", to_string(shape(name)),
                ", but should be ", to_string(expected), " according to the other tensors");
}

bool operator==(const StoredNumbers& a, const StoredNumbers& b) {
  if (a.size != b.size) return false;
  std::vector<float> of_a, of_b;
  for (std::uint64_t begin = 0; begin < a.size; begin += of_a.size()) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(kStretch, a.size - begin));
    of_a.resize(n), of_b.resize(n);
    a.read(begin, of_a), b.read(begin, of_b);
    if (of_a != of_b) return false;
  }
  return true;
}

ForeignTensors::Entry& ForeignTensors::count(const std::string& name) {
  Entry& entry = find(name);
  entry.taken = true;
  const auto count = static_cast<std::uint64_t>(elements(entry.tensor.shape));
  if (__builtin_add_overflow(taken_, sizeof(float) * count, &taken_) || taken_ > most_from(bytes_))
    throw Error(path_, ": is damaged: its ", bytes_, " bytes would become a model of more than ",
                most_from(bytes_));
  return entry;
}

std::vector<float> ForeignTensors::take(const std::string& name) {
  const ForeignTensor& tensor = count(name).tensor;
  const auto size = static_cast<std::size_t>(elements(tensor.shape));
  std::vector<float> values(tensor.read ? size : 0);
  if (tensor.read) tensor.read(0, values);
  else values = tensor.values();
  TT_CHECK(values.size() == size);
  check_finite(values, path_, name);
  return values;
}

StoredNumbers ForeignTensors::later(const std::string& name, const Shape& expected) {
  check(name, expected);
  const ForeignTensor& tensor = find(name).tensor;
  const auto size = static_cast<std::uint64_t>(elements(tensor.shape));
  if (!tensor.read) {
    const auto values = std::make_shared<const std::vector<float>>(take(name));
    return {size, [values](std::uint64_t begin, std::span<float> to) {
              std::copy_n(values->begin() + static_cast<std::ptrdiff_t>(begin), to.size(),
                          to.begin());
            }};
  }
  count(name);
  return {size, [read = tensor.read, path = path_, name](std::uint64_t begin, std::span<float> to) {
            read(begin, to);
            check_finite(to, path, name);
          }};
}

std::vector<float> ForeignTensors::take(const std::string& name, const Shape& expected) {
  check(name, expected);
  return take(name);
}

void ForeignTensors::ignore(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (const auto found = tensors_.find(name); found != tensors_.end()) found->second.taken = true;
}

void ForeignTensors::check_all_taken() const {
  for (const auto& [name, entry] : tensors_)
    if (!entry.taken)
      throw Error(path_, ": has a tensor ", in_quotes(name), " ", to_string(entry.tensor.shape),
                  ", which belongs to a kind of model that cannot be imported");
}

const std::string& file_of_model(const std::string& path) {
  if (path.size() >= kPathMost || path.size() - (path.rfind('/') + 1) > kNameMost)
    throw Error(in_quotes(path), ": is too long for the name of a file");
  if (file_exists(path) && !is_folder(path) && !regular_file(path))
    throw Error(path, ": is not a regular file, as the files of a model are; copy it again");
  return path;
}

float from_half(std::uint16_t bits) {
  // The exponent of float32 counts from another place, which a multiplication makes good.
  const std::uint32_t rest = (bits & 0x7fffu) << 13, sign = (bits & 0x8000u) << 16;
  const auto magnitude = rest >= 0x0f800000u
                             ? rest | 0x7f800000u
                             : std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112f);
  return std::bit_cast<float>(magnitude | sign);
}

std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::float64:
    case NumberType::int64: return 8;
    case NumberType::float32:
    case NumberType::int32: return 4;
    case NumberType::float16:
    case NumberType::bfloat16:
    case NumberType::int16: return 2;
    case NumberType::int8: break;
  }
  return 1;
}

void read_numbers(std::string_view bytes, NumbersIn where, NumberType type, std::uint64_t begin,
                  std::span<float> to) {
  TT_CHECK(begin + to.size() <= bytes.size() / size_of(type));
  const auto plain = [](auto x) { return static_cast<float>(x); };
  switch (type) {
    case NumberType::float64: read_as<double>(bytes, begin, to, plain); break;
    case NumberType::float32: read_as<float>(bytes, begin, to, plain); break;
    case NumberType::float16: read_as<std::uint16_t>(bytes, begin, to, from_half); break;
    case NumberType::bfloat16: read_as<std::uint16_t>(bytes, begin, to, widen); break;
    case NumberType::int8: read_as<std::int8_t>(bytes, begin, to, plain); break;
    case NumberType::int16: read_as<std::int16_t>(bytes, begin, to, plain); break;
    case NumberType::int32: read_as<std::int32_t>(bytes, begin, to, plain); break;
    case NumberType::int64: read_as<std::int64_t>(bytes, begin, to, plain); break;
  }
  const std::size_t size = to.size() * size_of(type);
  if (where == NumbersIn::mapped_file && size >= kForgotten)
    MappedFile::forget(bytes.data() + begin * size_of(type), size);
}

}  // namespace tt
