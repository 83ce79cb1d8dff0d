#include "model/stored_subword.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "base/error.h"
#include "base/input.h"

namespace tt {
namespace {

// Whether it begins as a safetensors file does: with the length of its header, which fits into it,
// and a brace.
bool is_tensor_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  Input in(path);
  char bytes[9];
  std::size_t read = 0;
  while (read < sizeof bytes) {
    const std::size_t more = in.read(bytes + read, sizeof bytes - read);
    if (more == 0) return false;
    read += more;
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes, sizeof length);
  return bytes[8] == '{' && length <= static_cast<std::uint64_t>(in.size());
}

const char* name_in(const TensorFile& file, SubwordSide side) {
  return has_joint_subword(file)       ? kSubword
         : side == SubwordSide::source ? kSourceSubword
                                       : kTargetSubword;
}

}  // namespace

bool has_joint_subword(const TensorFile& file) { return file.find(kSubword) != nullptr; }

std::vector<NamedTensor> subword_tensors(std::string_view source, std::string_view target) {
  const auto tensor = [](const char* name, std::string_view bytes) {
    return NamedTensor{name, Dtype::u8, {static_cast<std::int64_t>(bytes.size())}, bytes.data()};
  };
  if (source == target) return {tensor(kSubword, source)};
  return {tensor(kSourceSubword, source), tensor(kTargetSubword, target)};
}

std::string_view stored_subword_bytes(const TensorFile& file, SubwordSide side) {
  return file.text(name_in(file, side));
}

Subword stored_subword(const TensorFile& file, SubwordSide side) {
  return Subword::parse(std::string(stored_subword_bytes(file, side)),
                        file.path() + ", " + name_in(file, side));
}

void check_pieces(const std::string& path, const Architecture& config, const Subword& source,
                  const Subword& target) {
  for (const auto& [side, vocabulary, pieces] :
       {std::tuple("source", config.source_vocab, source.size()),
        {"target", config.target_vocab, target.size()}})
    if (vocabulary != pieces)
      throw Error(path, ": its configuration has ", vocabulary, " ", side,
                  " pieces, its subword model ", pieces, "; the file is damaged");
}

Subword load_subword(const std::string& path, SubwordSide side) {
  if (!is_folder(path) && !is_tensor_file(path)) return Subword::load(path);
  return stored_subword(open_model(path), side);
}

}  // namespace tt
