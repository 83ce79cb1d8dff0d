// Host memory as memory of the backend.
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/report.h"
#include "cpu/cpu.h"

namespace tt {

// Large memory in pages of 2 MiB where the system has them: a model's weights are then there in
// half the time.
void* CpuBackend::allocate(std::size_t bytes) const {
  constexpr std::size_t kLine = 64, kHuge = std::size_t{2} << 20;
  const bool large = bytes >= 2 * kHuge;
  const std::size_t align = large ? kHuge : kLine, size = (bytes + align - 1) / align * align;
  void* at =
      size >= bytes ? std::aligned_alloc(align, size) : nullptr;  // the size may have gone round
  if (at && large) ::madvise(at, size, MADV_HUGEPAGE);
  if (!at)
    throw Error("out of memory: ", human_bytes(bytes),
                " more were requested; use smaller batches, fewer threads or a smaller model");
  return at;
}

void CpuBackend::release(void* memory) const { std::free(memory); }

void CpuBackend::upload(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void CpuBackend::download(void* to, const void* from, std::size_t bytes) const {
  upload(to, from, bytes);
}

}  // namespace tt
