// See tests/protected_backend.h.
#include "tests/protected_backend.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace tt {
namespace {

constexpr std::size_t kRange = std::size_t{1} << 36, kAlign = 256;

// Calls f with every member of a plain struct, in order; their number is found from the ways to initialise it.
struct Anything {
  template <class T>
  operator T() const;
};

template <class T, class... Args>
constexpr std::size_t members() {
  if constexpr (requires { T{Args{}..., Anything{}}; }) return members<T, Args..., Anything>();
  else return sizeof...(Args);
}

template <class T, class F>
void for_each_member(T& s, const F& f) {
  constexpr std::size_t n = members<T>();
  const auto all = [&](auto&... member) { (f(member), ...); };
#define TT_MEMBERS(count, ...) \
  if constexpr (n == count) { \
    auto& [__VA_ARGS__] = s; \
    all(__VA_ARGS__); \
  }
  TT_MEMBERS(2, a, b)
  TT_MEMBERS(3, a, b, c)
  TT_MEMBERS(4, a, b, c, d)
  TT_MEMBERS(5, a, b, c, d, e)
  TT_MEMBERS(6, a, b, c, d, e, g)
  TT_MEMBERS(7, a, b, c, d, e, g, h)
  TT_MEMBERS(8, a, b, c, d, e, g, h, i)
  TT_MEMBERS(9, a, b, c, d, e, g, h, i, j)
  TT_MEMBERS(10, a, b, c, d, e, g, h, i, j, k)
  TT_MEMBERS(11, a, b, c, d, e, g, h, i, j, k, l)
  TT_MEMBERS(12, a, b, c, d, e, g, h, i, j, k, l, m)
  TT_MEMBERS(13, a, b, c, d, e, g, h, i, j, k, l, m, o)
  TT_MEMBERS(14, a, b, c, d, e, g, h, i, j, k, l, m, o, p)
  TT_MEMBERS(15, a, b, c, d, e, g, h, i, j, k, l, m, o, p, q)
  TT_MEMBERS(16, a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r)
  TT_MEMBERS(17, a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t)
#undef TT_MEMBERS
  static_assert(n >= 2 && n <= 17);
}

}  // namespace

ProtectedBackend::ProtectedBackend(const Backend& kernels) : kernels_(kernels) {
  const int memory = ::memfd_create("device", MFD_CLOEXEC);
  TT_CHECK(memory >= 0 && ::ftruncate(memory, static_cast<off_t>(kRange)) == 0);
  void *closed = ::mmap(nullptr, kRange, PROT_NONE, MAP_SHARED | MAP_NORESERVE, memory, 0),
       *open = ::mmap(nullptr, kRange, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
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
  const auto block = blocks_.find(static_cast<std::size_t>(static_cast<std::byte*>(memory) - begin_));
  TT_CHECK(block != blocks_.end());
  free_.emplace(block->second, block->first);
  blocks_.erase(block);
}

void ProtectedBackend::upload(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) std::memcpy(inside(to), from, bytes);
}

void ProtectedBackend::download(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) std::memcpy(to, inside(from), bytes);
}

template <class T>
T* ProtectedBackend::inside(T* at) const {
  if (at == nullptr) return nullptr;
  const auto place = reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(begin_);
  TT_CHECK(place < kRange);
  return reinterpret_cast<T*>(open_ + place);
}

template <class T>
void ProtectedBackend::translate(T& arguments) const {
  for_each_member(arguments, [&](auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_pointer_v<Member>) member = inside(member);
    else if constexpr (std::is_class_v<Member>) translate(member);
  });
}

namespace {

// Copies of the tables of pointers in a kernel's arguments, with translated pointers.
template <class T>
struct Tables {
  template <class Inside>
  Tables(T&, const Inside&) {}
};

template <>
struct Tables<CachedAttention> {
  template <class Inside>
  Tables(CachedAttention& a, const Inside& inside) : blocks(a.blocks, a.blocks + a.steps) {
    for (const float*& block : blocks) block = inside(block);
    a.blocks = blocks.data();
  }
  std::vector<const float*> blocks;
};

template <>
struct Tables<Reduce> {
  template <class Inside>
  Tables(Reduce& a, const Inside& inside) : gradients(a.gradients, a.gradients + a.shards) {
    for (float*& gradient : gradients) gradient = inside(gradient);
    a.gradients = gradients.data();
  }
  std::vector<float*> gradients;
};

}  // namespace

// clang-format off
#define TT_CALL(name, Arguments)                          \
  void ProtectedBackend::name(const Arguments& a) const { \
    Arguments mine = a;                                   \
    translate(mine);                                      \
    const Tables<Arguments> tables(mine, [&](auto* at) { return inside(at); }); \
    kernels_.name(mine);                                      \
  }
// clang-format on
TT_KERNELS(TT_CALL)
#undef TT_CALL

}  // namespace tt
