// See tests/protected_backend.h.
#include "tests/protected_backend.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/error.h"

namespace tt {
namespace {

constexpr std::size_t kRange = std::size_t{1} << 36, kPage = 4096;

// Calls f with every member of a plain struct, in order; what it can be initialised from says how many there are.
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
void for_each_member(const T& s, const F& f) {
  constexpr std::size_t n = members<T>();
  const auto all = [&](const auto&... member) { (f(member), ...); };
#define TT_MEMBERS(count, ...) \
  if constexpr (n == count) { \
    const auto& [__VA_ARGS__] = s; \
    all(__VA_ARGS__); \
  }
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
#undef TT_MEMBERS
  static_assert(n >= 3 && n <= 16);
}

}  // namespace

class ProtectedBackend::Open {
 public:
  explicit Open(const ProtectedBackend& backend) : backend_(backend) { change(1, PROT_READ | PROT_WRITE); }
  ~Open() { change(-1, PROT_NONE); }

 private:
  void change(int by, int protection) const {
    const std::lock_guard lock(backend_.mutex_);
    const bool first = backend_.open_ == 0;
    backend_.open_ += by;
    if (first || backend_.open_ == 0) TT_CHECK(::mprotect(backend_.begin_, backend_.end_, protection) == 0);
  }
  const ProtectedBackend& backend_;
};

ProtectedBackend::ProtectedBackend() {
  void* at = ::mmap(nullptr, kRange, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TT_CHECK(at != MAP_FAILED);
  begin_ = static_cast<std::byte*>(at);
}

ProtectedBackend::~ProtectedBackend() {
  TT_CHECK(blocks_.empty());  // everything was given back
  ::munmap(begin_, kRange);
}

void* ProtectedBackend::allocate(std::size_t bytes) const {
  bytes = (bytes + kPage - 1) / kPage * kPage + kPage;
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
      if (open_ > 0) TT_CHECK(::mprotect(begin_ + at, bytes, PROT_READ | PROT_WRITE) == 0);
    }
    blocks_[at] = bytes;
  }
  const Open open(*this);
  std::memset(begin_ + at, 0xFF, bytes);
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
  if (bytes == 0) return;
  TT_CHECK(inside(to) && !inside(from));
  const Open open(*this);
  std::memcpy(to, from, bytes);
}

void ProtectedBackend::download(void* to, const void* from, std::size_t bytes) const {
  if (bytes == 0) return;
  TT_CHECK(inside(from) && !inside(to));
  const Open open(*this);
  std::memcpy(to, from, bytes);
}

bool ProtectedBackend::inside(const void* at) const {
  return at >= static_cast<const void*>(begin_) && at < static_cast<const void*>(begin_ + kRange);
}

template <class T>
void ProtectedBackend::check_pointers(const T& arguments) const {
  for_each_member(arguments, [&](const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_pointer_v<Member>) TT_CHECK(member == nullptr || inside(member));
    else if constexpr (std::is_class_v<Member>) check_pointers(member);
  });
}

#define TT_CALL(name, Arguments) \
  void ProtectedBackend::name(const Arguments& a) const { \
    check_pointers(a); \
    const Open open(*this); \
    cpu_.name(a); \
  }
TT_KERNELS(TT_CALL)
#undef TT_CALL

}  // namespace tt
