#include "train/signals.h"

#include <cstring>

namespace tt {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t signal_seen = 0;
void on_signal(int number) {
  signal_seen = number;
  for (const int one : kSignals) std::signal(one, SIG_DFL);
}

}  // namespace

SignalWatch::SignalWatch() {
  signal_seen = 0;
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &before_[i]);
}

SignalWatch::~SignalWatch() {
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int SignalWatch::seen() const { return signal_seen; }

}  // namespace tt
