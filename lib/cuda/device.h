// One GPU as seen from the host: a queue of work done in order, and scratch memory for kernels with
// several launches.
//
// All work goes to one stream, so later calls see the results of earlier ones, from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "cuda/cuda.h"
#include "tensor/backend.h"

namespace tt::gpu {

class Device {
 public:
  // GPU number `number`. Throws Error if there is none, or its driver is too old.
  Device(int number, Precision precision);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void use() const;  // makes it the calling thread's current device
  void* stream() const { return stream_; }
  int number() const { return number_; }
  Precision precision() const { return precision_; }

  void* allocate(std::size_t bytes) const;
  void release(void* memory) const;
  void upload(void* to, const void* from, std::size_t bytes) const;
  void download(void* to, const void* from, std::size_t bytes) const;
  void synchronise() const;

  // The Product of backend.h, with factors of the same type. Returns false if it has not added the
  // bias, where cuBLASLt cannot do so. The bias is aligned to 16 bytes.
  bool multiply(const Product& p) const;

 private:
  friend class Scratch;
  struct Library;  // the cuBLASLt handle, and the plans made so far

  int number_;
  Precision precision_;
  void* stream_ = nullptr;
  std::unique_ptr<Library> library_;
  mutable std::mutex mutex_;  // of the scratch memory
  mutable void* scratch_ = nullptr;
  mutable std::size_t scratch_bytes_ = 0;
};

// Scratch memory of one call, uninitialised and exclusive; it may be released once all launches
// that use it are queued.
class Scratch {
 public:
  Scratch(const Device& device, std::size_t bytes) : lock_(device.mutex_) {
    if (device.scratch_bytes_ < bytes) {
      device.release(device.scratch_);
      device.scratch_ = nullptr;
      device.scratch_bytes_ = 0;
      device.scratch_ = device.allocate(bytes);
      device.scratch_bytes_ = bytes;
    }
    at_ = device.scratch_;
  }
  template <class T>
  T* at(std::int64_t byte = 0) const {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(at_) + byte);
  }

 private:
  std::lock_guard<std::mutex> lock_;
  void* at_;
};

}  // namespace tt::gpu
