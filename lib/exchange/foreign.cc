#include "exchange/foreign.h"

#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/file.h"

namespace tt {
namespace {

Shape without_ones(Shape shape) {
  std::erase(shape, 1);
  return shape;
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

std::vector<float> ForeignTensors::take(const std::string& name) {
  Entry& entry = find(name);
  entry.taken = true;
  const auto count = static_cast<std::uint64_t>(elements(entry.tensor.shape));
  if (__builtin_add_overflow(taken_, sizeof(float) * count, &taken_) || taken_ > most_from(bytes_))
    throw Error(path_, ": is damaged: its ", bytes_, " bytes would become a model of more than ",
                most_from(bytes_));
  std::vector<float> values = entry.tensor.values();
  TT_CHECK(values.size() == count);
  for (const float x : values)
    if (!std::isfinite(x))
      throw Error(path_, ": is damaged: its tensor ", in_quotes(name),
                  " has values that are not finite");
  return values;
}

std::vector<float> ForeignTensors::take(const std::string& name, const Shape& expected) {
  check(name, expected);
  return take(name);
}

void ForeignTensors::ignore(const std::string& name) {
  if (const auto found = tensors_.find(name); found != tensors_.end()) found->second.taken = true;
}

void ForeignTensors::check_all_taken() const {
  for (const auto& [name, entry] : tensors_)
    if (!entry.taken)
      throw Error(path_, ": has a tensor ", in_quotes(name), " ", to_string(entry.tensor.shape),
                  ", which belongs to a kind of model that cannot be imported");
}

void check_downloaded(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("version https://git-lfs"))
    throw Error(path,
                ": is a pointer of Git LFS in place of the file; fetch that with \"git lfs pull\"");
  const std::size_t text = bytes.find_first_not_of(" \t\r\n");
  if (text != std::string_view::npos &&
      (bytes.substr(text).starts_with("<!") || bytes.substr(text).starts_with("<h")))
    throw Error(path, ": is a web page in place of the file; download it again");
}

const std::string& file_of_model(const std::string& path) {
  if (file_exists(path) && !is_folder(path) && !regular_file(path))
    throw Error(path, ": is not a regular file, as the files of a model are; copy it again");
  return path;
}

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float sign = bits >> 15 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction ? std::nanf("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

}  // namespace tt
