// See tests/protected_backend.h.
#include "tests/protected_backend.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "tensor/arguments.h"

namespace tt {
namespace {

constexpr std::size_t kRange = std::size_t{1} << 36, kAlign = 256;

}  // namespace

ProtectedBackend::ProtectedBackend(const Backend& kernels) : kernels_(kernels) {
  const int memory = ::memfd_create("device", MFD_CLOEXEC);
  TT_CHECK(memory >= 0 && ::ftruncate(memory, static_cast<off_t>(kRange)) == 0);
  void *closed = ::mmap(nullptr, kRange, PROT_NONE, MAP_SHARED | MAP_NORESERVE, memory, 0),
       *open =
           ::mmap(nullptr, kRange, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
  TT_CHECK(closed != MAP_FAILED && open != MAP_FAILED);
  ::close(memory);
  begin_ = static_cast<std::byte*>(closed);
  open_ = static_cast<std::byte*>(open);
}

ProtectedBackend::~ProtectedBackend() {
  TT_CHECK(blocks_.empty());  // everything was given back
  ::munmap(begin_, kRange);
  ::munmap(open_, kRange);
}

void* ProtectedBackend::allocate(std::size_t bytes) const {
  bytes = (bytes + kAlign - 1) / kAlign * kAlign + kAlign;  // what follows a block is not another's
  std::size_t at;
  {
    const std::lock_guard lock(mutex_);
    if (const auto fit = free_.lower_bound(bytes); fit != free_.end() && fit->first < 2 * bytes) {
      at = fit->second;
      bytes = fit->first;
      free_.erase(fit);
    } else {
      at = end_;
      end_ += bytes;
      TT_CHECK(end_ <= kRange);
    }
    blocks_[at] = bytes;
  }
  std::memset(open_ + at, 0xFF, bytes);
  return begin_ + at;
}

void ProtectedBackend::release(void* memory) const {
  if (!memory) return;
  const std::lock_guard lock(mutex_);
  const auto block =
      blocks_.find(static_cast<std::size_t>(static_cast<std::byte*>(memory) - begin_));
  TT_CHECK(block != blocks_.end());
  free_.emplace(block->second, block->first);
  blocks_.erase(block);
}

void ProtectedBackend::upload(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0)
    std::memcpy(inside(static_cast<std::byte*>(to), static_cast<std::int64_t>(bytes)), from, bytes);
}

void ProtectedBackend::download(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0)
    std::memcpy(to, inside(static_cast<const std::byte*>(from), static_cast<std::int64_t>(bytes)),
                bytes);
}

template <class T>
T* ProtectedBackend::inside(T* at, std::int64_t count) const {
  if (at == nullptr) return nullptr;
  const auto place =
      reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(begin_);
  TT_CHECK(place < kRange);
  const std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(place);
  TT_CHECK(after != blocks_.begin());
  const auto& [begin, size] = *std::prev(after);
  TT_CHECK(place + static_cast<std::size_t>(count) * sizeof(T) <= begin + size);
  return reinterpret_cast<T*>(open_ + place);
}

namespace {

// Puts addresses of the kernels' memory in the place of those that are given; `inside(at, n)` finds
// them.
template <class Inside>
class Translation {
 public:
  explicit Translation(const Inside& inside) : inside_(inside) {}
  template <class T>
  void operator()(T*& at, std::int64_t count) {
    at = inside_(at, count);
  }
  template <class Void>
  void operator()(BasicMatrix<Void>& m) {
    using Byte = std::conditional_t<std::is_const_v<Void>, const std::byte, std::byte>;
    m.at = inside_(static_cast<Byte*>(m.at), 0);
    m.scales = inside_(m.scales, m.columns);
  }
  template <class T, class Each>
  void table(T*& at, std::int64_t count, const Each& each) {
    const T* given = inside_(at, count);
    const auto pointers =
        std::make_shared<std::vector<std::remove_const_t<T>>>(given, given + count);
    for (std::int64_t i = 0; i < count; ++i) each(i, (*pointers)[static_cast<std::size_t>(i)]);
    at = pointers->data();
    tables_.push_back(pointers);
  }
  template <class T>
  const T* numbers(T* at, std::int64_t count) {
    return inside_(at, count);
  }

 private:
  const Inside& inside_;
  std::vector<std::shared_ptr<void>> tables_;
};

}  // namespace

// clang-format off
#define TT_CALL(name, Arguments)                                                  \
  void ProtectedBackend::name(const Arguments& a) const {                         \
    Arguments mine = a;                                                           \
    const auto find = [this](auto* at, std::int64_t n) { return inside(at, n); }; \
    Translation translation(find);                                                \
    each_argument(mine, translation);                                             \
    kernels_.name(mine);                                                          \
  }
// clang-format on
TT_KERNELS(TT_CALL)
#undef TT_CALL

}  // namespace tt
