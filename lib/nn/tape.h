// The tape: records coarse operations as they run and replays them backwards.
//
// It has two parts. On the device lie matrices, in an arena that keeps its memory from step to step. On the host lie the nodes that name
// them, the closures that replay them, and the integers that describe a batch on their way to the device and back.
//
// A Var is a matrix of activations. An operation computes its value at once and records a closure that, given the gradient of its output,
// adds to the gradients of its inputs. The first contribution to a gradient is written, later ones are added, so nothing is zeroed. When
// an operation has been replayed, its output, that output's gradient and whatever it had saved are given back: what is alive backwards
// shrinks as it was built. With recording off the same operations run inference; keep() then gives back all but some.
//
// One tape is one thread's, and serves step after step: from the second step of a size on it asks neither the system nor the backend for
// memory.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "nn/params.h"
#include "tensor/arena.h"
#include "tensor/backend.h"

namespace tt {

struct Node {
  float* value = nullptr;     // [rows, columns], on the device
  float* gradient = nullptr;  // null until the first contribution
  std::int64_t rows = 0, columns = 0;
  // The columns of the gradient that have been written, as ranges that do not touch; empty: all of them, once there is a gradient.
  std::vector<std::pair<std::int64_t, std::int64_t>> written = {};
};
using Var = Node*;

// Memory on the host that is given back all at once, and then used again.
class HostStack {
 public:
  // `bytes` bytes, aligned for any type, until clear().
  void* take(std::size_t bytes);
  void clear();

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0, used_ = 0;  // of the chunk that is being filled
};

class Tape {
 public:
  // A tape in inference. The backend must outlive it, and so must the parameters.
  Tape(const Backend& backend, const Params& params) : backend_(backend), params_(params), arena_(backend) {}
  ~Tape() { clear(); }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Begins to record: gradients will go to `gradients`, dropout is keyed by (seed, update, shard). Gives back what there was before.
  void record_to(Gradients& gradients, const Dropout& key);
  // Replays everything recorded since, last first, and gives back everything; the tape is then in inference.
  void backward();
  // Gives back everything; the tape is then in inference.
  void clear();

  const Backend& backend() const { return backend_; }
  Arena& arena() { return arena_; }
  bool recording() const { return gradients_ != nullptr; }

  const float* value(Param p) const { return params_.of(p); }
  const void* packed(Param p, bool transposed) const { return params_.packed(p, transposed); }
  Gradients& gradients() const { return *gradients_; }

  // A new matrix, uninitialised.
  Var make(std::int64_t rows, std::int64_t columns);
  // A new node that takes over the value of `from`, which has none afterwards.
  Var take_over(Var from);

  // Room on the device for n of T, with the life of a matrix made now.
  template <class T>
  T* array(std::int64_t n) {
    static_assert(sizeof(T) % sizeof(float) == 0 && std::is_trivially_copyable_v<T>);
    return reinterpret_cast<T*>(make(n, sizeof(T) / sizeof(float))->value);
  }
  // Room on the host for n of T, until the tape is cleared.
  template <class T>
  std::span<T> host_array(std::int64_t n) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    return {static_cast<T*>(host_.take(static_cast<std::size_t>(n) * sizeof(T))), static_cast<std::size_t>(n)};
  }
  // What the host has, on the device, with the life of a matrix made now. It must stay as it is as long: where the device has the host's
  // memory, nothing is copied.
  template <class T>
  const T* upload(std::span<const T> from) {
    if (backend_.is_host()) return from.data();
    T* to = array<T>(static_cast<std::int64_t>(from.size()));
    backend_.upload(to, from.data(), from.size_bytes());
    return to;
  }
  // n of T from the device, for the host; alive until the tape is cleared, or as long as what it was taken from.
  template <class T>
  const T* download(const T* from, std::int64_t n) {
    if (backend_.is_host()) return from;
    const std::span<T> to = host_array<T>(n);
    backend_.download(to.data(), from, to.size_bytes());
    return to.data();
  }

  // Records the replay of the operation that made `out`. The closure is copied bytewise.
  template <class F>
  void record(Var out, F backward) {
    static_assert(std::is_trivially_destructible_v<F> && std::is_trivially_copyable_v<F>);
    auto* closure = new (host_.take(sizeof(F))) F(std::move(backward));
    records_.push_back({out, closure, [](void* c) { (*static_cast<F*>(c))(); }});
  }

  // The gradient of x, allocated now if this is the first contribution; `accumulate` says whether to add to it.
  float* gradient(Var x, bool& accumulate);
  // The same for columns [column, column + width) of x alone: returns where the first of them begins, row stride x->columns.
  float* gradient(Var x, std::int64_t column, std::int64_t width, bool& accumulate);

  // Inference: gives back every matrix made since `mark` (a value of mark()) except those in `kept`. Does nothing when recording.
  std::size_t mark() const { return nodes_.size(); }
  void keep(std::size_t mark, std::span<const Var> kept);
  void keep(std::size_t mark, Var x) { keep(mark, {&x, 1}); }

  // The next site's dropout: off in inference.
  Dropout dropout(float rate) {
    Dropout d = key_;
    d.rate = recording() ? rate : 0;
    d.site = site_++;
    return d;
  }

 private:
  struct Record {
    Var out;
    void* closure;
    void (*run)(void*);
  };

  Var new_node(float* value, std::int64_t rows, std::int64_t columns);
  void give(Var node);
  void forget(Var node);
  void complete_gradient(Var x);

  const Backend& backend_;
  const Params& params_;
  Arena arena_;
  HostStack host_;
  Gradients* gradients_ = nullptr;
  Dropout key_;
  std::uint32_t site_ = 0;
  std::vector<Record> records_;
  std::deque<Node> store_;  // every node there ever was
  std::vector<Var> spare_;  // of which these are not used now
  std::vector<Var> nodes_;  // and these are, in the order in which they were made
};

}  // namespace tt
