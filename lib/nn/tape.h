// The tape: records coarse operations as they run and replays them backwards.
//
// It has two parts. On the device are matrices, in an arena that keeps its memory from step to
// step. On the host are the nodes that refer to them, the closures that replay operations, and
// integers that describe a batch, before upload or after download.
//
// A Var is a matrix of activations. An operation computes its value immediately and records a
// closure that, given the gradient of its output, adds to the gradients of its inputs. The first
// contribution to a gradient is written, later ones are added, so nothing is zeroed. After an
// operation has been replayed, its output, the output's gradient and everything it saved are freed,
// so memory shrinks during the backward pass as it grew in the forward pass. Without recording, the
// same operations run inference; keep() then frees all matrices but the chosen ones.
//
// A tape belongs to one thread and is reused step after step: from the second step of a size on, it
// needs no memory from the backend, and on the host only what nodes and closures take.
#pragma once

#include <algorithm>
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
  Matrix value;     // on the device, as its kernel wrote it
  Matrix gradient;  // none until the first contribution
  // Value and gradient in the type that products read; none where they are of it, or as long as no
  // product wants them.
  Matrix value_factor, gradient_factor;
  std::int64_t rows = 0, columns = 0;
  // The columns of the gradient that have been written, as separate ranges; empty: all of them,
  // once there is a gradient.
  std::vector<std::pair<std::int64_t, std::int64_t>> written = {};
};
using Var = Node*;

// Host memory that is freed all at once and reused.
class HostStack {
 public:
  // `bytes` bytes, aligned for any type, until clear().
  void* take(std::size_t bytes);
  void clear() { chunk_ = used_ = 0; }

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0, used_ = 0;  // the current chunk, and the bytes used in it
};

class Tape {
 public:
  // A tape in inference mode. The backend and the parameters must outlive it.
  Tape(const Backend& backend, const Params& params)
      : backend_(backend), params_(params), traits_(backend.traits()), arena_(backend) {}
  ~Tape() { clear(); }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Starts recording: gradients go to `gradients`, dropout is keyed by (seed, update, shard).
  // Clears the tape first.
  void record_to(Gradients& gradients, const Dropout& key);
  // Replays everything recorded since, in reverse order, and clears the tape.
  void backward();
  // Frees everything and returns to inference mode.
  void clear();

  const Backend& backend() const { return backend_; }
  Arena& arena() { return arena_; }
  bool recording() const { return gradients_ != nullptr; }

  const float* value(Param p) const { return params_.of(p); }
  const Params& params() const { return params_; }
  Gradients& gradients() const { return *gradients_; }

  // A new matrix, uninitialised.
  Var make(std::int64_t rows, std::int64_t columns, ElementType type = ElementType::float32);
  // A new node that takes over the value of `from`, which has none afterwards.
  Var take_over(Var from);

  // The types of computations are decided here, from the backend's traits: when recording. In
  // inference all is float32 but constant weights.

  // The type of factors of products.
  ElementType factor_type() const { return recording() ? traits_.factors : ElementType::float32; }
  // The type of a product that nothing reads but activations, the loss and products.
  ElementType result_type(std::int64_t columns) const {
    return recording() && columns % 8 == 0 ? traits_.results : ElementType::float32;
  }
  // The type of a product that nothing reads but attention, as heads of so many columns.
  ElementType heads_type(std::int64_t d_k, std::int64_t d_v) const {
    const bool fit = d_k % 8 == 0 && d_v % 8 == 0 && std::max(d_k, d_v) <= traits_.result_heads;
    return recording() && fit ? traits_.results : ElementType::float32;
  }

  // x or its gradient as a factor of products: what its kernel wrote, the existing copy of it, or a
  // new one.
  ConstMatrix factor(Var x) { return factor(x->value, x->value_factor); }
  ConstMatrix gradient_factor(Var x) { return factor(x->gradient, x->gradient_factor); }
  // Memory for such a copy, for the kernel that computes x or its gradient to fill; none if none is
  // needed. It lives as long as the value or the gradient, which must not change afterwards.
  Matrix copy_of(Var x) { return x->value_factor = room_beside(x->value); }
  Matrix copy_of_gradient(Var x) { return x->gradient_factor = room_beside(x->gradient); }
  // Memory for a matrix, to be given back to the arena by give(), or to a node.
  Matrix take(std::int64_t rows, std::int64_t columns, ElementType type);
  void give(Matrix& matrix) { arena_.give(std::exchange(matrix, {}).at); }

  // Device memory for n of T, with the lifetime of a matrix made now.
  template <class T>
  T* array(std::int64_t n) {
    static_assert(sizeof(T) % sizeof(float) == 0 && std::is_trivially_copyable_v<T>);
    return static_cast<T*>(make(n, sizeof(T) / sizeof(float))->value.at);
  }
  // Device memory for n of T that an operation holds for its backward function, which releases it.
  template <class T>
  T* hold(std::int64_t n) {
    held_.reserve(held_.size() + 1);
    T* at = arena_.take_array<T>(n);
    held_.push_back(at);
    return at;
  }
  void release(void* held);
  // Host memory for n of T, until the tape is cleared.
  template <class T>
  std::span<T> host_array(std::int64_t n) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    return {static_cast<T*>(host_.take(static_cast<std::size_t>(n) * sizeof(T))),
            static_cast<std::size_t>(n)};
  }
  // Host data on the device, with the lifetime of a matrix made now. It must not change as long as
  // it is used, since nothing is copied if the device shares the host's memory.
  template <class Values, class T = typename Values::value_type>
  const T* upload(const Values& from) {
    if (backend_.is_host()) return from.data();
    T* to = array<T>(std::ssize(from));
    backend_.upload(to, from.data(), from.size() * sizeof(T));
    return to;
  }
  // n of T from the device, for the host; valid until the tape is cleared, or as long as the device
  // data if memory is shared.
  template <class T>
  const T* download(const T* from, std::int64_t n) {
    if (backend_.is_host()) return from;
    const std::span<T> to = host_array<T>(n);
    backend_.download(to.data(), from, to.size_bytes());
    return to.data();
  }

  // Records the backward function of the operation that made `out`, or, for null, of none. The
  // closure is copied bytewise.
  template <class F>
  void record(Var out, F backward) {
    static_assert(std::is_trivially_destructible_v<F> && std::is_trivially_copyable_v<F>);
    auto* closure = new (host_.take(sizeof(F))) F(std::move(backward));
    records_.push_back({out, closure, [](void* c) { (*static_cast<F*>(c))(); }});
  }

  // No operation recorded so far uses p, or a parameter declared after it: when the backward pass
  // is back here, their gradients are complete.
  void first_use(Param p) {
    if (recording()) record(nullptr, [this, p] { gradients_->passed(p, backend_); });
  }

  // The gradient of x, of the type of its value, allocated now if this is the first contribution;
  // `accumulate` says whether to add to it, which is so for float32 alone.
  Matrix gradient(Var x, bool& accumulate) { return gradient(x, 0, x->columns, accumulate); }
  // The gradient of columns [column, column + width) of x only.
  Matrix gradient(Var x, std::int64_t column, std::int64_t width, bool& accumulate);

  // In inference, frees all matrices made since `mark` (a value of mark()) except those in `kept`.
  // Does nothing when recording.
  std::size_t mark() const { return nodes_.size(); }
  void keep(std::size_t mark, std::span<const Var> kept);
  void keep(std::size_t mark, Var x) { keep(mark, {&x, 1}); }

  // Dropout for the next site; off in inference.
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

  void note_written(Var x, std::int64_t column, std::int64_t width, bool& accumulate);
  Matrix room_beside(const Matrix& of);
  ConstMatrix factor(const Matrix& of, Matrix& kept);
  Var new_node(const Matrix& value);
  void give(Var node);
  void forget(Var node);
  void complete_gradient(Var x);

  const Backend& backend_;
  const Params& params_;
  const Traits traits_;
  Arena arena_;
  HostStack host_;
  Gradients* gradients_ = nullptr;
  Dropout key_;
  std::uint32_t site_ = 0;
  std::vector<Record> records_;
  std::vector<void*> held_;
  std::deque<Node> store_;  // all nodes ever made
  std::vector<Var> spare_;  // those not in use
  std::vector<Var> nodes_;  // those in use, in the order in which they were made
};

}  // namespace tt
