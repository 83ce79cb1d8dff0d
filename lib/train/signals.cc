#include "train/signals.h"

#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace tt {
namespace {

constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};

std::atomic<int> signal_seen{0};
static_assert(std::atomic<int>::is_always_lock_free);  // or a handler could not use it
std::atomic<std::int64_t> seen_at;                     // in milliseconds
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
struct sigaction before[std::size(kSignals)];

void restore() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
}

void on_signal(int number) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t at = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
  if (signal_seen == 0) {
    seen_at = at;
    signal_seen = number;
  } else if (at - seen_at > 1000) {
    restore();
    raise(number);  // on return
  }
}

}  // namespace

SignalWatch::SignalWatch() {
  signal_seen = 0;
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

SignalWatch::~SignalWatch() { restore(); }

int SignalWatch::seen() const { return signal_seen; }

}  // namespace tt
