#include "base/ranks.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.h"

// The only place that knows MPI.
#ifdef TT_MPI
#define OMPI_SKIP_MPICXX 1  // the old interface for C++
#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <new>
#include <thread>

#include "base/report.h"
#endif

namespace tt {

const Ranks& Ranks::alone() {
  static const Ranks one;
  return one;
}

void Ranks::send(int, int, const void*, std::size_t) const {
  TT_CHECK(!"a process alone sends nothing");
}
void Ranks::receive(int, int, void*, std::size_t) const {
  TT_CHECK(!"a process alone receives nothing");
}

void Ranks::share(std::string& text) const {
  std::uint64_t size = text.size();
  share(&size, sizeof size);
  text.resize(size);
  share(text.data(), size);
}

void Ranks::agree(const std::string& what, const std::string& text) const {
  std::string others = text;
  share(others);
  std::vector<double> differs(static_cast<std::size_t>(number()));
  differs[static_cast<std::size_t>(rank())] = text != others;
  sum(differs);
  const auto found = std::find(differs.begin(), differs.end(), 1.0);
  if (found != differs.end())
    throw Error("rank ", found - differs.begin(), " of ", number(), " has other ", what);
}

bool Ranks::any(bool mine) const {
  double number = mine;
  sum({&number, 1});
  return number > 0;
}

#ifdef TT_MPI
namespace {

using std::chrono::steady_clock;

// MPI waits by asking again and again. So does this, but after a moment it leaves the processor to
// others in between.
void complete(std::vector<MPI_Request>& requests, const std::atomic<bool>& given_up) {
  constexpr auto kBusy = std::chrono::microseconds(200), kPause = std::chrono::microseconds(50);
  const auto began = steady_clock::now();
  for (int done = 0;;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done) break;
    if (given_up) throw Error("another thread has failed");
    if (steady_clock::now() - began > kBusy) std::this_thread::sleep_for(kPause);
  }
  requests.clear();
}

class MpiRanks final : public Ranks {
 public:
  // Any error of MPI ends all processes, with MPI's message.
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) throw Error("this MPI does not allow threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &number_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local_);
    MPI_Comm_free(&machine);
    if (rank_ > 0) set_quiet(true);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int number() const override { return number_; }
  int local() const override { return local_; }

  void send(int queue, int to, const void* data, std::size_t bytes) const override {
    in_pieces(bytes, [&](std::size_t at, int size) {
      MPI_Isend(static_cast<const char*>(data) + at, size, MPI_BYTE, to, 0, MPI_COMM_WORLD,
                add(queue));
    });
  }
  void receive(int queue, int from, void* data, std::size_t bytes) const override {
    in_pieces(bytes, [&](std::size_t at, int size) {
      MPI_Irecv(static_cast<char*>(data) + at, size, MPI_BYTE, from, 0, MPI_COMM_WORLD, add(queue));
    });
  }
  void wait(int queue) const override {
    complete(queues_[static_cast<std::size_t>(queue)], given_up_);
  }
  void give_up() const override { given_up_ = true; }

  void share(void* data, std::size_t bytes) const override {
    in_pieces(bytes, [&](std::size_t at, int size) {
      std::vector<MPI_Request> request(1);
      MPI_Ibcast(static_cast<char*>(data) + at, size, MPI_BYTE, 0, MPI_COMM_WORLD, request.data());
      complete(request, given_up_);
    });
  }
  void sum(std::span<double> numbers) const override {
    std::vector<MPI_Request> request(1);
    MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE,
                   MPI_SUM, MPI_COMM_WORLD, request.data());
    complete(request, given_up_);
  }

  // An error that all ranks have is told by rank 0, which ends the others before their time comes.
  [[noreturn]] void fail(const char* message) const {
    if (!first())
      std::this_thread::sleep_for(std::chrono::milliseconds(2000 + 250 * std::min(rank_, 40)));
    const std::string where =
        first() ? "" : "rank " + std::to_string(rank_) + " of " + std::to_string(number_) + ": ";
    std::fprintf(stderr, "%s: %s%s\n", program_name().c_str(), where.c_str(),
                 printable(message).c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::_Exit(1);
  }

 private:
  // MPI counts bytes by int.
  template <class F>
  static void in_pieces(std::size_t bytes, const F& f) {
    constexpr std::size_t kMost = std::size_t{1} << 28;
    for (std::size_t at = 0; at < bytes; at += kMost)
      f(at, static_cast<int>(std::min(kMost, bytes - at)));
  }
  MPI_Request* add(int queue) const {
    return &queues_[static_cast<std::size_t>(queue)].emplace_back();
  }

  int rank_ = 0, number_ = 1, local_ = 0;
  mutable std::atomic<bool> given_up_ = false;
  mutable std::array<std::vector<MPI_Request>, kQueues> queues_;
};

// Whether mpirun or srun has started this process, by the variables that they set.
bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

}  // namespace

int on_all_ranks(const std::function<int(const Ranks&)>& work) {
  if (!launched()) return work(Ranks::alone());
  const MpiRanks ranks;
  try {
    return work(ranks);
  } catch (const std::bad_alloc&) {
    ranks.fail("out of memory");
  } catch (const std::exception& error) {
    ranks.fail(error.what());
  }
}

#else

int on_all_ranks(const std::function<int(const Ranks&)>& work) {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size && std::strcmp(size, "1") != 0)
    throw Error("started as one of ", size,
                " processes, but built without MPI; build it with \"make MPI=1\", or start it "
                "without mpirun");
  return work(Ranks::alone());
}

#endif

}  // namespace tt
