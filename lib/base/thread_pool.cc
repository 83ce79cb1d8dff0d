#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/setting.h"
#include "base/system.h"

namespace tt {
std::vector<std::thread> start_threads(int first, int threads, const std::function<void(int)>& body,
                                       const std::function<void()>& stop) {
  std::vector<std::thread> started;
  int next = first;
  try {
    started.reserve(static_cast<std::size_t>(std::max(0, threads - first)));
    for (; next < threads; ++next)
      started.push_back(sys::start_thread([body, next] { body(next); }));
  } catch (const std::exception& failure) {
    stop();
    for (auto& thread : started) thread.join();
    const auto* error = dynamic_cast<const std::system_error*>(&failure);
    if (!error) throw;
    throw SettingError("cannot start thread ", next + 1, " of ", threads, ": ",
                       error->code().message(), "; use fewer ", Setting{"threads"});
  }
  return started;
}

int available_threads() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

// A run is a new `generation`; workers take task numbers from `next` until there are none left.
struct ThreadPool::State {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, finished;
  std::uint64_t generation = 0;
  int working = 0;
  bool stop = false;

  const std::function<void(std::size_t, int)>* task = nullptr;
  std::size_t tasks = 0;
  std::atomic<std::size_t> next{0};
  std::size_t failed = 0;
  std::exception_ptr error;

  void work(int thread) {
    for (std::size_t i; (i = next.fetch_add(1)) < tasks;) {
      try {
        (*task)(i, thread);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error || i < failed) error = std::current_exception(), failed = i;
      }
    }
  }

  void end() {
    {
      const std::lock_guard lock(mutex);
      stop = true;
    }
    wake.notify_all();
  }

  void loop(int thread) {
    std::uint64_t seen = 0;
    for (;;) {
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stop || generation != seen; });
        if (stop) return;
        seen = generation;
      }
      work(thread);
      const std::lock_guard lock(mutex);
      if (--working == 0) finished.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  TT_CHECK(threads >= 1);
  const auto work = [state = state_.get()](int t) { state->loop(t); };
  state_->workers = start_threads(1, threads, work, [this] { state_->end(); });
}

ThreadPool::~ThreadPool() {
  state_->end();
  for (auto& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(std::size_t tasks, const std::function<void(std::size_t, int)>& task) {
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    s.task = &task;
    s.tasks = tasks;
    s.next = 0;
    s.error = nullptr;
    s.working = static_cast<int>(s.workers.size());
    ++s.generation;
  }
  s.wake.notify_all();
  s.work(0);
  std::unique_lock lock(s.mutex);
  s.finished.wait(lock, [&] { return s.working == 0; });
  if (s.error) std::rethrow_exception(std::exchange(s.error, nullptr));
}

}  // namespace tt
