#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/system.h"

namespace tt {
namespace {

// Starts body(t) for every t in [first, threads). If one cannot be started, calls `stop`, joins the others and throws Error.
std::vector<std::thread> start_threads(int first, int threads, const std::function<void(int)>& body,
                                       const std::function<void()>& stop) {
  std::vector<std::thread> started;
  int next = first;
  try {
    started.reserve(static_cast<std::size_t>(std::max(0, threads - first)));
    for (; next < threads; ++next) started.push_back(sys::start_thread([body, next] { body(next); }));
  } catch (const std::exception& failure) {
    stop();
    for (auto& thread : started) thread.join();
    const auto* error = dynamic_cast<const std::system_error*>(&failure);
    if (!error) throw;
    throw Error("cannot start thread ", next + 1, " of ", threads, ": ", error->code().message(), "; use fewer --threads");
  }
  return started;
}

}  // namespace

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

namespace {

struct Block {
  std::vector<std::string> lines;  // input, then output
  std::size_t first = 1;
  double part = -1;  // fraction of the input up to the end of these lines
  bool done = false;
  std::exception_ptr error;
};

}  // namespace

// One reader (the calling thread), `threads` mappers, and whoever finishes the oldest block writes it. At most five blocks per
// thread are queued, so memory does not grow with the input.
void map_lines(LineSource& in, Output& out, int threads, std::size_t block, Progress& bar, const LineMap& map) {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Block>> to_map, to_write;
  bool ended = false, writing = false;
  std::uint64_t written = 0;
  std::exception_ptr error;

  // Writes the finished blocks; called with the lock held. Only one thread writes at a time, without the lock.
  const auto write_ready = [&](std::unique_lock<std::mutex>& lock) {
    if (writing) return;
    writing = true;
    while (!to_write.empty() && to_write.front()->done && !error) {
      const auto ready = to_write.front();
      to_write.pop_front();
      changed.notify_all();
      if (ready->error) {
        error = ready->error;
        break;
      }
      lock.unlock();
      std::exception_ptr failed;
      try {
        for (const auto& line : ready->lines) out.line(line);
        out.flush();
        bar.update(written += ready->lines.size(), ready->part);
      } catch (...) {
        failed = std::current_exception();
      }
      lock.lock();
      if (failed) error = failed;
    }
    writing = false;
    changed.notify_all();
  };

  const auto mapper = [&](int thread) {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return !to_map.empty() || ended || error; });
      if (error || to_map.empty()) return;
      const auto mine = to_map.front();
      to_map.pop_front();
      lock.unlock();
      try {
        const std::size_t count = mine->lines.size();
        mine->lines = map(std::move(mine->lines), mine->first, thread);
        TT_CHECK(mine->lines.size() == count);
      } catch (...) {
        mine->error = std::current_exception();
      }
      lock.lock();
      mine->done = true;
      write_ready(lock);
    }
  };

  const auto end = [&] {
    {
      const std::lock_guard lock(mutex);
      ended = true;
    }
    changed.notify_all();
  };
  auto mappers = start_threads(0, threads, mapper, end);
  std::exception_ptr reading_failed;
  std::string line;
  const std::size_t shares = static_cast<std::size_t>(threads);
  std::vector<std::string> lines;  // that are ready, at most a block for each thread
  const auto read_lines = [&] {
    lines.clear();
    try {
      while (lines.size() < shares * block && (lines.empty() || in.ready()) && in.next(line)) lines.push_back(std::move(line));
    } catch (...) {  // the earlier lines are still mapped
      reading_failed = std::current_exception();
    }
  };
  try {
    while (!reading_failed) {
      const std::size_t first = in.line_number() + 1;
      const double part_before = in.part();
      read_lines();
      if (lines.empty()) break;
      const double part = in.part() - part_before, count = static_cast<double>(lines.size());
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return to_write.size() < 4 * shares || error; });
      if (error) break;
      for (std::size_t share = 0, begin = 0; share < shares; ++share) {
        const std::size_t end = (share + 1) * lines.size() / shares;
        if (begin == end) continue;
        const auto next = std::make_shared<Block>();
        next->lines.assign(std::make_move_iterator(lines.begin() + static_cast<std::ptrdiff_t>(begin)),
                           std::make_move_iterator(lines.begin() + static_cast<std::ptrdiff_t>(end)));
        next->first = first + begin;
        next->part = part_before < 0 ? -1 : part_before + part * static_cast<double>(end) / count;
        to_write.push_back(next);
        to_map.push_back(next);
        begin = end;
      }
      changed.notify_all();
    }
  } catch (...) {  // no memory
    reading_failed = std::current_exception();
  }
  end();
  for (auto& thread : mappers) thread.join();
  if (error) std::rethrow_exception(error);
  if (reading_failed) std::rethrow_exception(reading_failed);
}

}  // namespace tt
