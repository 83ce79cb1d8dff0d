#include "exchange/safetensors.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "model/safetensors.h"

namespace tt {
namespace {

constexpr std::pair<const char*, NumberType> kTypes[] = {{"F32", NumberType::float32},
                                                         {"F16", NumberType::float16},
                                                         {"BF16", NumberType::bfloat16},
                                                         {"F64", NumberType::float64}};

}  // namespace

ForeignTensors read_safetensors(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  check_downloaded(file->text(), path);
  ForeignTensors tensors(path, file->size());
  for (StoredTensor& stored : read_safetensors_header(file->text(), path).tensors) {
    const auto* const known =
        std::ranges::find_if(kTypes, [&](const auto& type) { return stored.type == type.first; });
    if (known == std::end(kTypes) && stored.name.ends_with("weight"))
      throw Error(path, ": the numbers of ", in_quotes(stored.name), " are ", stored.type,
                  ", which cannot be imported; F32, F16, BF16 and F64 can");
    if (known == std::end(kTypes)) continue;
    tensors.add(stored.name, {stored.shape,
                              {},
                              [file, bytes = stored.bytes, type = known->second](
                                  std::uint64_t begin, std::span<float> to) {
                                read_numbers(bytes, NumbersIn::mapped_file, type, begin, to);
                              }});
  }
  return tensors;
}

}  // namespace tt
