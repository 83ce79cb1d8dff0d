// An array in a backend's memory, released with its owner.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensor/backend.h"

namespace tt {

// Movable, not copyable. The host must not dereference data() unless backend.is_host().
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  // `size` elements, all bits zero. Throws Error if there is no memory. The backend must outlive
  // the array.
  DeviceArray(const Backend& backend, std::int64_t size)
      : backend_(&backend), size_(size), data_(static_cast<T*>(backend.allocate(bytes(size)))) {
    static_assert(sizeof(T) % sizeof(float) == 0);
    const auto words = static_cast<std::int64_t>(bytes(size) / sizeof(float));
    backend.zero({1, words, words, reinterpret_cast<float*>(data_)});
  }
  // `size` elements of any value.
  static DeviceArray unset(const Backend& backend, std::int64_t size) {
    DeviceArray array;
    array.data_ = static_cast<T*>(backend.allocate(bytes(size)));
    array.backend_ = &backend;
    array.size_ = size;
    return array;
  }
  // A copy of host data.
  DeviceArray(const Backend& backend, std::span<const T> from)
      : backend_(&backend), size_(static_cast<std::int64_t>(from.size())),
        data_(static_cast<T*>(backend.allocate(bytes(size_)))) {
    backend.upload(data_, from.data(), from.size_bytes());
  }
  ~DeviceArray() {
    if (backend_) backend_->release(data_);
  }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    DeviceArray moved(std::move(other));
    swap(moved);
    return *this;
  }

  // Sets all elements from host data.
  void upload(const T* from) const { backend_->upload(data_, from, bytes(size_)); }

  T* data() const { return data_; }
  std::int64_t size() const { return size_; }

  // A host copy of elements [begin, begin + n).
  std::vector<T> download(std::int64_t begin, std::int64_t n) const {
    std::vector<T> host(static_cast<std::size_t>(n));
    if (n > 0) backend_->download(host.data(), data_ + begin, bytes(n));
    return host;
  }
  std::vector<T> download() const { return download(0, size_); }
  // Numbers of the array, not copied if the host can access them, otherwise copied to `scratch`.
  const T* view(std::int64_t begin, std::int64_t n, std::vector<T>& scratch) const {
    if (backend_->is_host()) return data_ + begin;
    scratch = download(begin, n);
    return scratch.data();
  }

 private:
  static std::size_t bytes(std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(T); }
  void swap(DeviceArray& other) {
    std::swap(backend_, other.backend_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  const Backend* backend_ = nullptr;
  std::int64_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace tt
