// The tape: records coarse operations as they run and replays them backwards.
//
// A Var is a matrix of activations in the arena. An operation computes its value at once and records a closure that, given the gradient
// of its output, adds to the gradients of its inputs. The first contribution to a gradient is written, later ones are added, so nothing
// is zeroed. When an operation has been replayed, its output, that output's gradient and whatever it had saved are given back: what is
// alive backwards shrinks as it was built. With recording off the same operations run inference; keep() then gives back all but one.
//
// One tape is one shard's: one thread, one arena, one set of gradients. Closures live in the arena; a step allocates nothing else.
#pragma once

#include <cstdint>
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
  float* value;     // [rows, columns]
  float* gradient;  // null until the first contribution
  std::int64_t rows, columns;
};
using Var = Node*;

class Tape {
 public:
  // Inference.
  Tape(const Backend& backend, Arena& arena, const Params& params) : backend_(backend), arena_(arena), params_(params) {}
  // Training: gradients go to `gradients`, dropout is keyed by (seed, update, shard).
  Tape(const Backend& backend, Arena& arena, const Params& params, Gradients& gradients, Dropout key)
      : backend_(backend), arena_(arena), params_(params), gradients_(&gradients), key_(key) {}
  ~Tape() { clear(); }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  const Backend& backend() const { return backend_; }
  Arena& arena() const { return arena_; }
  bool recording() const { return gradients_ != nullptr; }

  const float* value(Param p) const { return params_.of(p); }
  Gradients& gradients() const { return *gradients_; }

  // A new matrix, uninitialised.
  Var make(std::int64_t rows, std::int64_t columns);
  // Room for n of T, with the life of a matrix made now.
  template <class T>
  T* array(std::int64_t n) {
    static_assert(sizeof(T) % sizeof(float) == 0 && std::is_trivially_destructible_v<T>);
    return reinterpret_cast<T*>(make(n, sizeof(T) / sizeof(float))->value);
  }
  // A new node that takes over the value of `from`, which has none afterwards.
  Var take_over(Var from);
  // Records the replay of the operation that made `out`. The closure is copied bytewise.
  template <class F>
  void record(Var out, F backward) {
    static_assert(std::is_trivially_destructible_v<F> && std::is_trivially_copyable_v<F>);
    auto* closure = new (arena_.take(sizeof(F))) F(std::move(backward));
    records_.push_back({out, closure, [](void* c) { (*static_cast<F*>(c))(); }});
  }

  // The gradient of x, allocated now if this is the first contribution; `accumulate` says whether to add to it.
  float* gradient(Var x, bool& accumulate);

  // Replays everything recorded since the beginning, last first, and forgets it.
  void backward();

  // Inference: gives back every matrix made since `mark` (a value of mark()) except those in `kept`. Does nothing when recording.
  std::size_t mark() const { return nodes_.size(); }
  void keep(std::size_t mark, std::span<const Var> kept);
  void keep(std::size_t mark, Var x) { keep(mark, {&x, 1}); }
  // Gives back everything.
  void clear();

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

  void give(Var node);

  const Backend& backend_;
  Arena& arena_;
  const Params& params_;
  Gradients* gradients_ = nullptr;
  Dropout key_;
  std::uint32_t site_ = 0;
  std::vector<Record> records_;
  std::vector<Var> nodes_;
};

}  // namespace tt
