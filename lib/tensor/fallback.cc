#include "tensor/fallback.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "tensor/arguments.h"
#include "tensor/int8.h"

namespace tt {
namespace {

// The arguments of one call on the host. Arguments that overlap on the device overlap here too.
// Rows that were written go back one by one, since between the rows of a matrix there may be those
// of another.
class HostCopy {
 public:
  explicit HostCopy(const Backend& device) : device_(device) {}

  // First the arguments are noted, then they are brought here, then each gives way to its copy.
  void fetch() {
    std::ranges::sort(pieces_, [](const Piece& a, const Piece& b) { return a.at < b.at; });
    for (const Piece& piece : pieces_) {
      if (regions_.empty() || piece.at >= regions_.back().end)
        regions_.push_back({piece.at, piece.end(), nullptr});
      else regions_.back().end = std::max(regions_.back().end, piece.end());
    }
    for (Region& region : regions_) {
      const auto bytes = static_cast<std::size_t>(region.end - region.begin);
      region.copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
      device_.download(region.copy.get(), region.begin, bytes);
    }
    fetched_ = true;
  }
  void put_back() const {
    for (const Piece& piece : pieces_) {
      if (!piece.written) continue;
      for (std::size_t r = 0; r < piece.rows; ++r) {
        std::byte* row = piece.at + r * piece.stride;
        device_.upload(row, here(row), piece.row);
      }
    }
  }

  template <class T>
  void operator()(T*& at, std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
    visit(at, {nullptr, bytes, bytes, 1, !std::is_const_v<T>});
  }
  template <class Void>
  void operator()(BasicMatrix<Void>& m) {
    // Which are the host's.
    TT_CHECK(m.type != ElementType::panels && m.type != ElementType::paired_panels);
    constexpr bool kWritten = !std::is_const_v<Void>;
    if (m.type == ElementType::int8) {
      const auto bytes = static_cast<std::size_t>(int8_bytes(m.columns, m.rows));
      visit(m.at, {nullptr, bytes, bytes, 1, kWritten});
      return (*this)(m.scales, m.columns);
    }
    // With the gaps of its type, which a kernel writes too.
    const std::size_t size =
                          bytes_of(m.type, 1, 1) / static_cast<std::size_t>(row_stride(m.type, 1)),
                      stride = static_cast<std::size_t>(m.stride) * size,
                      row = std::min(
                          stride, static_cast<std::size_t>(row_stride(m.type, m.columns)) * size);
    const auto rows = static_cast<std::size_t>(m.rows);
    if (row == stride) visit(m.at, {nullptr, rows * row, rows * row, 1, kWritten});
    else visit(m.at, {nullptr, row, stride, rows, kWritten});
  }
  template <class T, class Each>
  void table(T*& at, std::int64_t count, const Each& each) {
    const auto pointers = std::make_shared<std::vector<std::remove_const_t<T>>>(copy_of(at, count));
    for (std::int64_t i = 0; i < count; ++i) each(i, (*pointers)[i]);
    if (!fetched_) return;
    at = pointers->data();
    tables_.push_back(pointers);
  }
  template <class T>
  const T* numbers(T* at, std::int64_t count) {
    numbers_ = copy_of(at, count);
    return numbers_.data();
  }

 private:
  struct Piece {
    std::byte* at;
    std::size_t row, stride, rows;  // in bytes; rows of them
    bool written;
    std::byte* end() const { return at + (rows - 1) * stride + row; }
  };
  struct Region {
    std::byte *begin, *end;
    std::unique_ptr<std::byte[]> copy;
  };

  template <class T>
  void visit(T*& at, Piece piece) {
    if (!at || piece.row == 0 || piece.rows == 0) return;
    auto* const there = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(at));
    if (fetched_) {
      at = reinterpret_cast<T*>(here(there));
    } else {
      piece.at = there;
      pieces_.push_back(piece);
    }
  }
  std::byte* here(const std::byte* there) const {
    const auto after = std::upper_bound(
        regions_.begin(), regions_.end(), there,
        [](const std::byte* at, const Region& region) { return at < region.begin; });
    const Region& region = *std::prev(after);
    TT_CHECK(there < region.end);
    return region.copy.get() + (there - region.begin);
  }
  template <class T>
  std::vector<std::remove_const_t<T>> copy_of(T* at, std::int64_t count) const {
    std::vector<std::remove_const_t<T>> host(static_cast<std::size_t>(count));
    if (count > 0) device_.download(host.data(), at, host.size() * sizeof(T));
    return host;
  }

  const Backend& device_;
  bool fetched_ = false;
  std::vector<Piece> pieces_;
  std::vector<Region> regions_;
  std::vector<std::shared_ptr<void>> tables_;
  std::vector<std::int32_t> numbers_;
};

template <class Arguments>
void call_on_host(const Backend& device, const Backend& host, const Arguments& a,
                  void (Backend::*kernel)(const Arguments&) const) {
  if (device.is_host()) return (host.*kernel)(a);
  Arguments mine = a;
  HostCopy copy(device);
  each_argument(mine, copy);
  copy.fetch();
  each_argument(mine, copy);
  (host.*kernel)(mine);
  copy.put_back();
}

}  // namespace

#define TT_CALL_ON_HOST(name, Arguments) \
  void FallbackBackend::name(const Arguments& a) const { \
    call_on_host(*this, host_, a, &Backend::name); \
  }
TT_KERNELS(TT_CALL_ON_HOST)
#undef TT_CALL_ON_HOST

}  // namespace tt
