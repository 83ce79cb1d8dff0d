// Fuzz target: any bytes as a checkpoint end in an Error or in tensors that can be read to their last byte.
//
//   make fuzz
#include "model/checkpoint.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace {

// A file in memory, so that a round costs no disk.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("fuzz", 0)) { TT_CHECK(fd_ >= 0); }
  void hold(const std::uint8_t* bytes, std::size_t size) const {
    TT_CHECK(::ftruncate(fd_, 0) == 0);
    TT_CHECK(::pwrite(fd_, bytes, size, 0) == static_cast<ssize_t>(size));
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

volatile std::size_t sink;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const MemoryFile memory;
  memory.hold(bytes, size);
  try {
    const tt::TensorFile file(memory.path());
    std::size_t sum = 0, total = 0;
    for (const tt::NamedTensor& tensor : file.tensors()) {
      total += tensor.bytes();
      for (std::size_t i = 0; i < tensor.bytes(); ++i) sum += static_cast<const std::uint8_t*>(tensor.data)[i];
      TT_CHECK(file.find(tensor.name) == &tensor);
    }
    TT_CHECK(total < size);
    sink = sum;
    check_kind(file, tt::kModelKind);
    stored_config(file);
  } catch (const tt::Error&) {
  }
  return 0;
}
