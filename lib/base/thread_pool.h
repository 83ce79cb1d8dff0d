// A pool of threads that runs numbered tasks.
//
// Results must not depend on scheduling: any thread may run a task, so a task may depend only on
// its number.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace tt {

// The number of processors this process may use.
int available_threads();

// Starts body(t) on a thread for every t in [first, threads). If one cannot be started, calls
// `stop`, joins the others and throws Error.
std::vector<std::thread> start_threads(int first, int threads, const std::function<void(int)>& body,
                                       const std::function<void()>& stop);

// A fixed set of threads; the caller is one of them.
class ThreadPool {
 public:
  explicit ThreadPool(
      int threads);  // Requires threads >= 1. Throws Error if they cannot be started.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Calls task(i, thread) once for every i in [0, tasks), with thread in [0, threads()), and
  // returns when all are done. Rethrows the exception of the failed task with the lowest number.
  // Not reentrant.
  void run(std::size_t tasks, const std::function<void(std::size_t i, int thread)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tt
