#include "train/signals.h"

#include <atomic>
#include <cstring>
#include <iterator>

namespace tt {
namespace {

constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};

std::atomic<int> signal_seen{0};
static_assert(std::atomic<int>::is_always_lock_free);  // or a handler could not use it
bool watched[std::size(kSignals)];
void on_signal(int number) {
  signal_seen = number;
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    if (watched[i]) std::signal(kSignals[i], SIG_DFL);
}

}  // namespace

SignalWatch::SignalWatch() {
  signal_seen = 0;
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    watched[i] = before_[i].sa_handler != SIG_IGN;
    if (watched[i]) sigaction(kSignals[i], &action, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int SignalWatch::seen() const { return signal_seen; }

}  // namespace tt
