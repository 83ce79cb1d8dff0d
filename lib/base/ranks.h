// The processes that compute together: one alone, or, built with MPI=1, those that mpirun or srun
// started, on one machine or on several.
//
// Ranks are numbered from 0. All of them must make the same calls in the same order, from one
// thread at a time; what they decide must follow from what they have shared, so that none waits for
// what another does not do.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace tt {

class Ranks {
 public:
  virtual ~Ranks() = default;
  static const Ranks& alone();  // the only process

  virtual int rank() const { return 0; }
  virtual int number() const { return 1; }
  bool first() const { return rank() == 0; }
  virtual int local() const { return 0; }  // its number among the processes of its machine

  // Starts to send bytes to another rank, or to receive from it what it sends in the same order.
  // The memory must stay, and what is sent must not change, until wait() for the same queue, 0 to
  // kQueues - 1, has returned.
  static constexpr int kQueues = 4;
  virtual void send(int queue, int to, const void* data, std::size_t bytes) const;
  virtual void receive(int queue, int from, void* data, std::size_t bytes) const;
  virtual void wait(int) const {}
  // Ends a wait() in another thread, which throws Error. Nothing but the end of all processes can
  // follow.
  virtual void give_up() const {}

  // `data` becomes that of rank 0 everywhere.
  virtual void share(void*, std::size_t) const {}
  // Each number becomes the sum over the ranks, the same bits everywhere; exact where all but one
  // are 0.
  virtual void sum(std::span<double>) const {}

  void share(std::string& text) const;
  // Throws Error on every rank unless `text` is the same on all of them: "rank 2 of 4 has other
  // WHAT".
  void agree(const std::string& what, const std::string& text) const;
  // Whether any rank says so.
  bool any(bool mine) const;
};

// Calls work() in every process and returns what it returns. Where it throws in a process that is
// not alone, the error is printed, once, and all processes end with status 1. Throws Error if this
// program was started by Open MPI's mpirun as one of several but built without MPI=1.
int on_all_ranks(const std::function<int(const Ranks&)>& work);

}  // namespace tt
