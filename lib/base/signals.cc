#include "base/signals.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <iterator>
#include <span>

#include "base/error.h"
#include "base/report.h"

namespace tt {
namespace {

struct Slot {
  enum { free, taken, named };
  std::atomic<int> state = free;
  char name[PATH_MAX];
  const char* at = nullptr;  // of a mapped file
  std::size_t size = 0;
};
Slot partial_files[16], mapped_files[64];

int remember(std::span<Slot> slots, const std::string& name, const void* at, std::size_t size) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int state = Slot::free;
    if (!slots[i].state.compare_exchange_strong(state, Slot::taken)) continue;
    std::memcpy(slots[i].name, name.c_str(), name.size() + 1);
    slots[i].at = static_cast<const char*>(at), slots[i].size = size;
    slots[i].state = Slot::named;
    return static_cast<int>(i);
  }
  return -1;
}

void remove_partial_files() {
  for (const Slot& slot : partial_files)
    if (slot.state == Slot::named) ::unlink(slot.name);
}

std::atomic_flag ending;

// All threads may come here at once, and one ends the process.
void end_at_lost_bytes(int signal, siginfo_t* info, void*) {
  if (info->si_code != BUS_ADRERR) return end_by(signal);  // something else
  while (ending.test_and_set()) ::pause();
  const char* name = "a file that is being read";
  const auto* lost = static_cast<const char*>(info->si_addr);
  for (const Slot& slot : mapped_files)
    if (slot.state == Slot::named && lost >= slot.at && lost < slot.at + slot.size)
      name = slot.name;
  static char what[] =
      ": was made shorter while it was read, or can no longer be read; repeat the command\n";
  static char colon[] = ": ";
  const std::string& program = program_name();
  const iovec line[] = {{const_cast<char*>(program.data()), program.size()},
                        {colon, sizeof colon - 1},
                        {const_cast<char*>(name), std::strlen(name)},
                        {what, sizeof what - 1}};
  if (::writev(STDERR_FILENO, line, 4) < 0) errno = 0;  // there is nobody to tell
  remove_partial_files();
  ::_exit(1);
}

}  // namespace

void end_by(int signal) {
  remove_partial_files();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

int remember_partial_file(const std::string& path) {
  return path.size() < sizeof partial_files->name ? remember(partial_files, path, nullptr, 0) : -1;
}

void forget_partial_file(int& slot) {
  if (slot >= 0) partial_files[slot].state = Slot::free;
  slot = -1;
}

void remember_mapped_file(const std::string& name, const void* at, std::size_t size) {
  remember(mapped_files, printable(name).substr(0, sizeof mapped_files->name - 1), at, size);
}

void forget_mapped_file(const void* at) {
  for (Slot& slot : mapped_files)
    if (slot.state == Slot::named && slot.at == at) slot.state = Slot::free;
}

void remove_partial_files_on_signals() {
  struct sigaction lost = {};
  lost.sa_sigaction = end_at_lost_bytes;
  lost.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &lost, nullptr);
  // These end no program, or cannot be handled.
  constexpr int kOthers[] = {SIGCHLD, SIGCONT, SIGURG,  SIGWINCH, SIGTSTP,
                             SIGTTIN, SIGTTOU, SIGSTOP, SIGKILL};
  for (int number = 1; number <= SIGRTMAX; ++number) {
    struct sigaction before;
    if (std::find(std::begin(kOthers), std::end(kOthers), number) != std::end(kOthers)) continue;
    if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    ::signal(number, end_by);
  }
}

}  // namespace tt
