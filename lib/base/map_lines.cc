#include "base/map_lines.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/thread_pool.h"

namespace tt {
namespace {

struct Block {
  std::vector<std::string> lines;  // input, then output
  std::size_t first = 1;
  double part = -1;  // fraction of the input up to the end of these lines
  bool done = false, had_turn = false;
  std::exception_ptr error;
};

// Tasks that the thread which maps a block shares with those that have none.
struct SharedTasks {
  const std::function<void(std::size_t, int)>& task;
  std::size_t tasks, next = 0, done = 0, failed = 0;
  std::exception_ptr error;  // of task `failed`
};

// One reader (the calling thread), `threads` mappers, and whoever finishes the oldest block writes
// it. At most five blocks per thread are queued, so memory does not grow with the input.
class LineMapper {
 public:
  LineMapper(Output& out, int threads, Progress& bar, const LineMap& map, bool in_order)
      : out_(out), threads_(threads), in_order_(in_order), bar_(bar), map_(map),
        mappers_(start_mappers()) {}

  void run(LineSource& in, std::size_t block) {
    const auto shares = static_cast<std::size_t>(threads_);
    std::exception_ptr reading_failed;
    std::vector<std::string> lines;  // that are ready, at most a block for each thread
    std::string line;
    try {
      while (!reading_failed) {
        const std::size_t first = in.line_number() + 1;
        const double before = in.part();
        lines.clear();
        try {
          while (lines.size() < shares * block && (lines.empty() || in.ready()) && in.next(line))
            lines.push_back(std::move(line));
        } catch (...) {  // the earlier lines are still mapped
          reading_failed = std::current_exception();
        }
        if (lines.empty() || !queue(lines, first, before, in.part())) break;
      }
    } catch (...) {  // no memory
      reading_failed = std::current_exception();
    }
    end();
    for (auto& thread : mappers_) thread.join();
    if (error_) std::rethrow_exception(error_);
    if (reading_failed) std::rethrow_exception(reading_failed);
  }

 private:
  // Shares the tasks of one mapper.
  struct SharingTeam final : Team {
    SharingTeam(LineMapper& mapper, int thread) : mapper_(mapper), thread_(thread) {}
    int thread() const override { return thread_; }
    int threads() const override { return mapper_.threads_; }
    void run(std::size_t tasks, const std::function<void(std::size_t, int)>& task) override {
      mapper_.share(tasks, task, thread_);
    }
    void in_turn(const std::function<void()>& step) override {
      std::unique_lock lock(mapper_.mutex_);
      mapper_.changed_.wait(lock, [&] { return mapper_.has_turn(*block_); });
      lock.unlock();
      step();
      lock.lock();
      block_->had_turn = true;
      mapper_.changed_.notify_all();
    }
    LineMapper& mapper_;
    const int thread_;
    Block* block_ = nullptr;  // that is being mapped
  };

  // Queues the lines in equal shares. False: there was an error.
  bool queue(std::vector<std::string>& lines, std::size_t first, double part_before, double part) {
    const auto shares = in_order_ ? 1 : static_cast<std::size_t>(threads_);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return (in_order_ ? to_write_.empty() : to_write_.size() < 4 * shares) || error_;
    });
    if (error_) return false;
    std::size_t begin = 0;
    for (std::size_t share = 1; share <= shares; ++share) {
      const std::size_t end = share * lines.size() / shares;
      if (begin == end) continue;
      const auto next = std::make_shared<Block>();
      for (std::size_t i = begin; i < end; ++i) next->lines.push_back(std::move(lines[i]));
      next->first = first + begin;
      const double done = static_cast<double>(end) / static_cast<double>(lines.size());
      next->part = part_before < 0 ? part : part_before + (part - part_before) * done;
      to_write_.push_back(next);
      to_map_.push_back(next);
      begin = end;
    }
    changed_.notify_all();
    return true;
  }

  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  std::vector<std::thread> start_mappers() {
    const auto map = [this](int thread) { map_blocks(thread); };
    const auto stop = [this] { end(); };
    return start_threads(0, threads_, map, stop);
  }

  // The body of a mapper: blocks, and what is shared before them, until the last block is mapped.
  void map_blocks(int thread) {
    SharingTeam team(*this, thread);
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] {
        return error_ || !shared_.empty() || !to_map_.empty() || (ended_ && mapping_ == 0);
      });
      if (error_ || (shared_.empty() && to_map_.empty())) return;
      if (!shared_.empty()) {
        work_on(*shared_.front(), lock, thread);
        continue;
      }
      const auto block = to_map_.front();
      to_map_.pop_front();
      ++mapping_;
      team.block_ = block.get();
      lock.unlock();
      try {
        const std::size_t count = block->lines.size();
        block->lines = map_(std::move(block->lines), block->first, team);
        TT_CHECK(block->lines.size() == count);
      } catch (...) {
        block->error = std::current_exception();
      }
      lock.lock();
      --mapping_;
      block->done = block->had_turn = true;
      write_ready(lock);
    }
  }

  // Whether all blocks before one had their turn; called with the lock held.
  bool has_turn(const Block& block) const {
    for (const auto& other : to_write_)
      if (other.get() == &block || !other->had_turn) return other.get() == &block;
    return true;
  }

  void share(std::size_t tasks, const std::function<void(std::size_t, int)>& task, int thread) {
    SharedTasks work{task, tasks, 0, 0, 0, nullptr};
    std::unique_lock lock(mutex_);
    if (tasks > 0) shared_.push_back(&work);
    if (tasks > 1) changed_.notify_all();
    while (work.next < work.tasks) work_on(work, lock, thread);
    changed_.wait(lock, [&] { return work.done == work.tasks; });
    if (work.error) std::rethrow_exception(work.error);
  }

  // Does one task; called with the lock held, while there is one.
  void work_on(SharedTasks& work, std::unique_lock<std::mutex>& lock, int thread) {
    const std::size_t i = work.next++;
    if (work.next == work.tasks) shared_.erase(std::find(shared_.begin(), shared_.end(), &work));
    lock.unlock();
    std::exception_ptr failed;
    try {
      work.task(i, thread);
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    if (failed && (!work.error || i < work.failed)) work.error = failed, work.failed = i;
    ++work.done;
    if (work.tasks > 1 && !writing_)
      bar_.update(written_, part_,
                  "batch " + with_commas(work.done) + " of " + with_commas(work.tasks));
    if (work.done == work.tasks) changed_.notify_all();
  }

  // Writes the finished blocks; called with the lock held. Only one thread writes at a time,
  // without the lock.
  void write_ready(std::unique_lock<std::mutex>& lock) {
    if (!writing_) {
      writing_ = true;
      while (!to_write_.empty() && to_write_.front()->done && !error_) {
        const auto ready = to_write_.front();
        to_write_.pop_front();
        changed_.notify_all();
        if (ready->error) {
          error_ = ready->error;
          break;
        }
        lock.unlock();
        std::exception_ptr failed;
        try {
          for (const auto& line : ready->lines) out_.line(line);
          out_.flush();
          bar_.update(written_ += ready->lines.size(), part_ = ready->part);
        } catch (...) {
          failed = std::current_exception();
        }
        lock.lock();
        if (failed) error_ = failed;
      }
      writing_ = false;
    }
    changed_.notify_all();
  }

  Output& out_;
  const int threads_;
  const bool in_order_;
  Progress& bar_;
  const LineMap& map_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Block>> to_map_, to_write_;
  std::deque<SharedTasks*> shared_;  // with tasks that nobody has begun
  int mapping_ = 0;                  // blocks that are being mapped
  bool ended_ = false, writing_ = false;
  std::uint64_t written_ = 0;  // lines, and the fraction of the input that they are
  double part_ = -1;
  std::exception_ptr error_;
  std::vector<std::thread> mappers_;  // the last member: they use the others
};

}  // namespace

void map_lines(LineSource& in, Output& out, int threads, std::size_t block, Progress& bar,
               const LineMap& map, bool in_order) {
  LineMapper(out, threads, bar, map, in_order).run(in, block);
}

}  // namespace tt
