#include "exchange/npy.h"

#include <charconv>

#include "base/bytes.h"
#include "base/error.h"

namespace tt {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// The text behind a key of the header, {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), };
// empty if it is not there.
std::string_view behind(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size());
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == ':' || rest.front() == '\''))
    rest.remove_prefix(1);
  return rest;
}

std::string make(const char* type, const Shape& shape, std::string_view bytes) {
  std::string header = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i)
    header += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  header += shape.size() == 1
                ? ",), }"
                : "), }";  // Marian takes "(3, )" for two dimensions, the last of them 0
  while ((kMagic.size() + 4 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file(kMagic);
  file += std::string("\x01\x00", 2);
  append_number(file, static_cast<std::uint16_t>(header.size()));
  return file + header + std::string(bytes);
}

}  // namespace

Array read_npy(std::string_view bytes, std::uint64_t file_size, const std::string& name) {
  const auto refuse = [&](const char* what) {
    throw Error(name, ": is no array of numpy that can be read: ", what);
  };
  ByteReader reader(bytes, name);
  if (!bytes.starts_with(kMagic)) refuse("it does not begin as one");
  reader.take(kMagic.size());
  const auto version = reader.number<std::uint8_t>();
  reader.number<std::uint8_t>();
  if (version < 1 || version > 3) refuse("its version is unknown");
  const std::size_t size =
      version == 1 ? reader.number<std::uint16_t>() : reader.number<std::uint32_t>();
  const std::string_view header = reader.take(size);
  const std::string_view type = behind(header, "'descr'"),
                         order = behind(header, "'fortran_order'"),
                         shape = behind(header, "'shape'");
  Array array;
  if (type.size() < 3 || (type[0] != '<' && type[0] != '|' && type[0] != '='))
    refuse("its numbers are big-endian, or of no valid type");
  array.type = type.substr(1, 2);
  if (std::string_view("fiub").find(type[1]) == type.npos ||
      std::string_view("1248").find(type[2]) == type.npos || (type.size() > 3 && type[3] != '\''))
    refuse("its numbers are of an unknown type");
  std::uint64_t count = 1;
  if (shape.empty() || shape[0] != '(') refuse("it has no shape");
  for (const char *at = shape.data() + 1, *end = shape.data() + shape.size();;) {
    while (at < end && (*at == ' ' || *at == ',')) ++at;
    if (at < end && *at == ')') break;
    std::int64_t n = 0;
    const auto [next, status] = std::from_chars(at, end, n);
    if (status != std::errc() || n < 0 || array.shape.size() > 8 ||
        __builtin_mul_overflow(count, static_cast<std::uint64_t>(n), &count))
      refuse("it has no shape");
    array.shape.push_back(n);
    at = next;
  }
  if (order.starts_with("True") && array.shape.size() > 1) refuse("it is stored column by column");
  array.begin = reader.place();
  std::uint64_t needed = 0;
  if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(array.type[1] - '0'), &needed) ||
      needed > file_size - array.begin)
    throw Error(name, ": is truncated: ", to_string(array.shape), " needs more bytes than ",
                file_size - array.begin);
  if (needed < file_size - array.begin)
    throw Error(name, ": is damaged: ", to_string(array.shape), " needs ", needed, " bytes, but ",
                file_size - array.begin, " are there");
  return array;
}

std::vector<float> Array::numbers(std::string_view file, const std::string& name) const {
  constexpr std::pair<std::string_view, NumberType> kTypes[] = {
      {"f4", NumberType::float32}, {"f8", NumberType::float64}, {"f2", NumberType::float16},
      {"i1", NumberType::int8},    {"i4", NumberType::int32},   {"i8", NumberType::int64}};
  for (const auto& [known, number] : kTypes) {
    if (type != known) continue;
    std::vector<float> values(bytes(file).size() / size_of(number));
    read_numbers(bytes(file), NumbersIn::memory, number, 0, values);
    return values;
  }
  throw Error(name, ": has numbers of a type (", type, ") that cannot be read");
}

std::string make_npy(const Shape& shape, const std::vector<float>& values) {
  return make("<f4", shape,
              {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

std::string make_npy_of_bytes(std::string_view bytes) {
  return make("|i1", {static_cast<std::int64_t>(bytes.size())}, bytes);
}

}  // namespace tt
