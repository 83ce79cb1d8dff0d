#include "base/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "base/error.h"
#include "base/setting.h"

namespace tt {
namespace {

constexpr char kResult = 'r', kError = 'e';  // the first byte of what the child writes
const std::string kMark(1, '\0');  // before and after the name of a setting in the text of an error

[[noreturn]] void be_child(int to, pid_t parent, const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it has ended before
  std::string bytes;
  try {
    bytes = kResult + work();
  } catch (const SettingError& error) {
    bytes = kError + error.spelt([](const std::string& name) { return kMark + name + kMark; });
  } catch (const std::bad_alloc&) {
    bytes = std::string(1, kError) + "out of memory";
  } catch (const std::exception& error) {
    bytes = kError + std::string(error.what());
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t put = ::write(to, bytes.data() + at, bytes.size() - at);
    if (put < 0 && errno != EINTR) ::_exit(1);
    if (put > 0) at += static_cast<std::size_t>(put);
  }
  ::_exit(0);
}

std::string read_all(int from) {
  std::string bytes;
  for (char block[1 << 16];;) {
    const ssize_t got = ::read(from, block, sizeof block);
    if (got == 0 || (got < 0 && errno != EINTR)) return bytes;
    if (got > 0) bytes.append(block, static_cast<std::size_t>(got));
  }
}

SettingError setting_error(const std::string& text) {
  std::vector<TextPart> parts;
  bool is_setting = false;
  for (std::size_t begin = 0, end = 0; end != std::string::npos;
       begin = end + 1, is_setting = !is_setting) {
    end = text.find(kMark, begin);
    const std::string part = text.substr(begin, end == std::string::npos ? end : end - begin);
    parts.push_back(is_setting ? TextPart(Setting{part}) : TextPart(part));
  }
  return SettingError(parts);
}

}  // namespace

ChildResult run_in_child(const std::function<std::string()>& work) {
  int ends[2];
  const pid_t parent = ::getpid(), child = ::pipe2(ends, O_CLOEXEC) == 0 ? ::fork() : -1;
  if (child < 0) throw Error("a process cannot be started: ", std::strerror(errno));
  if (child == 0) be_child(ends[1], parent, work);
  ::close(ends[1]);
  ChildResult result{read_all(ends[0]), ""};
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    result.ended = "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  } else if (WEXITSTATUS(status) != 0 || result.bytes.empty()) {
    result.ended = "status " + std::to_string(WEXITSTATUS(status));
  }
  if (!result.ended.empty()) return result;
  const char kind = result.bytes[0];
  result.bytes.erase(0, 1);
  if (kind == kError) throw setting_error(result.bytes);
  return result;
}

}  // namespace tt
