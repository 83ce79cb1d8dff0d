// A function with its own stack that can pause and be resumed: the threads of an emulated GPU.
#pragma once

#include <cstddef>
#include <functional>

namespace tt {

class Fibre {
 public:
  Fibre();
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // Sets the function that resume() runs next, from its beginning; it must outlive its run, and
  // must not throw. Requires done().
  void start(const std::function<void()>& function);
  // Runs until the function calls pause(), or ends. To be called where the fibre is not running,
  // always on the same thread of the system.
  void resume();
  // To be called by the function.
  void pause();
  bool done() const { return function_ == nullptr; }

 private:
  struct Context;
  static void enter(Fibre* self);

  const std::function<void()>* function_ = nullptr;
  Context* context_;
};

// For the thread sanitizer, which takes each fibre for a thread that switches do not order: what a
// fibre (or who resumes it) did before happens_before() comes before what another one does after a
// later happens_after() of the same place.
void happens_before(void* place);
void happens_after(void* place);
// While one of these lives, memory that this thread releases or allocates is forgotten, and its
// accesses are not looked at.
struct Unwatched {
  Unwatched();
  ~Unwatched();
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;
};

}  // namespace tt
