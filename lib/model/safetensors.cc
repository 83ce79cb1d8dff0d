#include "model/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "model/json_keys.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr std::uint64_t kHeaderMost = 100'000'000;  // the format's own limit
constexpr std::size_t kDimensionsMost = 8;
constexpr std::size_t kValuesMost = 1 << 21;  // of a header: more than 250,000 tensors

// The bytes of an element; 0 for a type that is not known.
std::uint64_t size_of_type(std::string_view type) {
  static const std::map<std::string_view, std::uint64_t> sizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},
      {"I32", 4},  {"F32", 4}, {"U64", 8}, {"I64", 8},     {"F64", 8}};
  const auto found = sizes.find(type);
  return found == sizes.end() ? 0 : found->second;
}

// Every function throws Error with the path and the problem.
class Reader {
 public:
  Reader(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  StoredTensors read() {
    StoredTensors stored;
    const json header = parse(header_text());
    for (const auto& [name, entry] : header.items()) {
      if (name == kMetadataKey) read_metadata(entry, stored.metadata);
      else placed_.push_back(read_tensor(name, entry));
    }
    std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
      return std::tie(a.begin, a.end, a.tensor.name) < std::tie(b.begin, b.end, b.tensor.name);
    });
    check_places();
    for (Placed& placed : placed_) {
      placed.tensor.bytes = bytes_.substr(data_ + placed.begin, placed.end - placed.begin);
      stored.tensors.push_back(std::move(placed.tensor));
    }
    return stored;
  }

 private:
  struct Placed {
    StoredTensor tensor;
    std::uint64_t begin, end;
  };

  template <class... Parts>
  [[noreturn]] void damaged(const Parts&... parts) const {
    throw Error(path_, ": is damaged: ", parts..., "; copy or make it again");
  }

  std::string_view header_text() {
    std::uint64_t length = 0;
    const char* const not_one = ": is not a model: not a safetensors file";
    if (bytes_.size() <= sizeof length)
      throw Error(path_, not_one, " (it has only ", bytes_.size(), " bytes)");
    std::memcpy(&length, bytes_.data(), sizeof length);
    if (bytes_[sizeof length] != '{' || length < 2) throw Error(path_, not_one);
    if (length > kHeaderMost)
      throw Error(path_, not_one, " (its header would have ", length, " bytes)");
    if (length > bytes_.size() - sizeof length)
      throw Error(path_, ": is truncated: its header ends at byte ", sizeof length + length,
                  ", the file at ", bytes_.size(), "; copy it again");
    data_ = sizeof length + length;
    return bytes_.substr(sizeof length, length);
  }

  json parse(std::string_view text) const {
    if (text.find('\0') != text.npos) damaged("its header has a NUL byte");  // where JSON would end
    const std::string_view last = text.substr(0, text.find_last_not_of(' ') + 1);
    if (!last.ends_with('}')) damaged("its header does not end with a brace and spaces");
    std::set<std::string> names;
    const auto see = [&](const std::string& name) {
      if (!names.insert(name).second) damaged("it has two tensors ", in_quotes(name));
    };
    if (each_key(text, see, kValuesMost) > kValuesMost)
      damaged("its header has more than ", kValuesMost, " values");
    try {
      json header = json::parse(text);
      if (!header.is_object()) damaged("its header is not a JSON object");
      return header;
    } catch (const json::exception&) {
      damaged("its header is not JSON");
    }
  }

  void read_metadata(const json& entry, Metadata& metadata) const {
    if (!entry.is_object()) damaged("its metadata are not a JSON object");
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) damaged("its metadata ", in_quotes(key), " is not a string");
      metadata[key] = value.get<std::string>();
    }
  }

  Placed read_tensor(const std::string& name, const json& entry) const {
    const auto wrong = [&](const char* what) { damaged("tensor ", in_quotes(name), " ", what); };
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") ||
        !entry.contains("shape") || !entry.contains("data_offsets"))
      wrong("is not described by dtype, shape and data_offsets");
    const json &type = entry["dtype"], &shape = entry["shape"], &offsets = entry["data_offsets"];
    if (!type.is_string()) wrong("has a dtype that is not a string");
    Placed placed{{name, type.get<std::string>(), {}, {}}, 0, 0};
    if (!shape.is_array() || shape.size() > kDimensionsMost) wrong("has no valid shape");
    const std::uint64_t size_of_one = size_of_type(placed.tensor.type);
    std::uint64_t bytes = std::max<std::uint64_t>(size_of_one, 1);
    for (const json& size : shape) {
      if (!size.is_number_unsigned() || size.get<std::uint64_t>() > INT64_MAX)
        wrong("has an invalid dimension");
      if (__builtin_mul_overflow(bytes, size.get<std::uint64_t>(), &bytes) || bytes > INT64_MAX)
        wrong("is larger than any file");
      placed.tensor.shape.push_back(size.get<std::int64_t>());
    }
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned())
      wrong("has no valid data_offsets");
    placed.begin = offsets[0].get<std::uint64_t>();
    placed.end = offsets[1].get<std::uint64_t>();
    if (placed.begin > placed.end || (size_of_one > 0 && placed.end - placed.begin != bytes))
      wrong("has a size that does not match its shape");
    if (placed.end > INT64_MAX) wrong("is outside any file");
    return placed;
  }

  void check_places() const {
    std::uint64_t end = 0;
    for (const Placed& placed : placed_) {
      const std::string name = in_quotes(placed.tensor.name);
      if (placed.begin != end)
        damaged("tensor ", name, " begins at ", placed.begin, ", but the previous one ends at ",
                end);
      end = placed.end;
    }
    const std::uint64_t there = bytes_.size() - data_;
    if (end > there)
      throw Error(path_, ": is truncated: its tensors need ", data_ + end, " bytes, the file has ",
                  bytes_.size(), "; copy it again");
    if (end < there)
      damaged("it has ", bytes_.size(), " bytes, but its tensors end at ", data_ + end);
  }

  const std::string& path_;
  std::string_view bytes_;
  std::size_t data_ = 0;  // where the data begin
  std::vector<Placed> placed_;
};

}  // namespace

StoredTensors read_safetensors_header(std::string_view file, const std::string& path) {
  return Reader(path, file).read();
}

}  // namespace tt
