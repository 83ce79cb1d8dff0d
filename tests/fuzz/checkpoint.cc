// Fuzz target: any bytes read as a checkpoint give an Error, or tensors that can be read to their
// last byte.
//
//   make fuzz
#include "model/checkpoint.h"

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "clean/target_text.h"
#include "tests/fuzz/memory_file.h"

namespace {

volatile std::size_t sink;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  memory.hold(bytes, size);
  try {
    const tt::TensorFile file(memory.path());
    std::size_t sum = 0, total = 0;
    for (const tt::NamedTensor& tensor : file.tensors()) {
      total += tensor.bytes();
      for (std::size_t i = 0; i < tensor.bytes(); ++i)
        sum += static_cast<const std::uint8_t*>(tensor.data)[i];
      TT_CHECK(file.find(tensor.name) == &tensor);
    }
    TT_CHECK(total < size);
    sink = sum;
    check_kind(file, tt::kModelKind);
    stored_config(file);
    tt::clean::TargetText::read(file.value(tt::kTargetText));
  } catch (const tt::Error&) {
  }
  return 0;
}
