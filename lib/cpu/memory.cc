// Host memory as memory of the backend.
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/report.h"
#include "cpu/cpu.h"

namespace tt {

void* CpuBackend::allocate(std::size_t bytes) const {
  constexpr std::size_t kAlign = 64;
  void* at = std::aligned_alloc(kAlign, (bytes + kAlign - 1) / kAlign * kAlign);
  if (!at)
    throw Error("out of memory: ", human_bytes(bytes),
                " more were requested; use smaller batches, fewer threads or a smaller model");
  return at;
}

void CpuBackend::release(void* memory) const { std::free(memory); }

void CpuBackend::upload(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void CpuBackend::download(void* to, const void* from, std::size_t bytes) const { upload(to, from, bytes); }

}  // namespace tt
