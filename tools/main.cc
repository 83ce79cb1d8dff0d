#include "tools/main.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/signals.h"
#include "base/thread_pool.h"
#include "tools/completion.h"
#include "tools/help.h"
#include "tools/parse.h"
#include "tools/version.h"

namespace tt {
namespace {

// Occupies the descriptors of closed standard streams, so that no other file gets one and is
// written to by mistake. They are opened in the wrong direction, so that using such a stream fails.
void occupy_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Throws Error where the stack is too small for the blocks that kernels keep there.
void check_stack() {
  constexpr rlim_t kLeast = 256 * 1024;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < kLeast)
    throw Error("the stack may have only ", limit.rlim_cur / 1024, " KiB; allow it ", kLeast / 1024,
                " or more, as with \"ulimit -s 8192\"");
}

// "--d-model" for the setting "d_model", if a program has that option; otherwise the plain name.
std::string spelt(const SettingError& error, const Command& program) {
  return error.spelt([&](const std::string& name) {
    std::string option = "--" + name, found = name;
    std::ranges::replace(option, '_', '-');
    const auto search = [&](const Command& command) {
      for (const Group& group : command.groups)
        for (const Option& row : group.options)
          if (row.spelt() == option) found = option;
    };
    search(program);
    std::ranges::for_each(program.commands, search);
    return found;
  });
}

int run(int argc, char** argv, Command& program) {
  const char* const name = program.name.c_str();
  occupy_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file as large as is allowed: writing fails
  // base/output.cc ends the program quietly if the reader closes the pipe.
  std::signal(SIGPIPE, SIG_IGN);
  remove_partial_files_on_signals();
  set_program_name(name);
  bool hush = false, unused = false;
  std::string section;
  const Value sections{.name = "SECTION",
                       .read = [&](const std::string& word) { return section = word, ""; },
                       .least = 0};
  program.groups.push_back(
      {"General",
       {{"-q,--quiet", toggle(hush), "print only errors and warnings"},
        {"-h", toggle(unused), "print the most used options, and an example"},
        {"--help", sections, "print this help, or that of a section; all: of all options"},
        {"--version", toggle(unused), "print the version and the optional parts built in"}}});
  const Command* command = &program;
  try {
    const Words words(argv + 1, argv + argc);
    // For installation; not an option, so not in --help.
    if (words.size() == 2 && words[0] == "--completion") {
      print(completion(program, words[1]));
      return kDone;
    }
    const Ask ask = parse(program, words, command);
    if (ask == Ask::brief) print(brief_help(program, *command));
    if (ask == Ask::help) print(help(program, *command, section));
    if (ask == Ask::version) print(version_text(name) + "\n");
    if (ask != Ask::work) return kDone;
    set_quiet(hush);
    check_stack();
    return command->work();
  } catch (const UsageError& error) {
    const std::string text = message(spelt(error, program));
    std::fprintf(stderr, "%s: %s\nTry '%s --help'.\n", name, text.c_str(),
                 full_name(program, *command).c_str());
    return kUsage;
  } catch (const SettingError& error) {
    warn(spelt(error, program));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of memory\n", name);
  } catch (const std::system_error& error) {
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    warn((thread ? "a thread cannot be started: " : "") + std::string(error.what()));
  } catch (const std::exception& error) {
    warn(error.what());
  }
  return kFailed;
}

}  // namespace

void print(const std::string& text) {
  Output out("-");
  out.write(text);
  out.close();
}

int run_tool(int argc, char** argv, Command program) {
  const int status = run(argc, argv, program);
// Sanitizers have something to say at the end.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The end of a process waits for OpenBLAS's own threads, which are idle, or try for ever to get
  // memory that is not there.
  std::fflush(nullptr);
  ::_exit(status);
#endif
  return status;
}

Option model_option(std::string& path) {
  return {"-m,--model", file(path), "the model file, made by tt-train, tt-average or tt-import",
          kRequired + variable("TT_MODEL")};
}

Option threads_option(int& threads) {
  threads = available_threads();
  return {"--threads", number(threads, 1, 1024), "number of threads; does not affect results"};
}

Option seed_option(std::uint64_t& seed) {
  return {"--seed", number(seed), "seed of all random numbers"};
}

Option cost_option(bool& asked) {
  return {"--cost", toggle(asked), "report the cost at the end also where stderr is no terminal"};
}

bool reports_cost(bool asked) { return asked || ::isatty(STDERR_FILENO); }

std::vector<Option> device_options(DeviceChoice& device) {
  const bool gpus = device_names().find("cuda") != std::string::npos;
  const Words known = gpus ? Words{"cpu", "cuda"} : Words{"cpu"};
  Option where{"--device", text(device.name, {}, known), "where to compute: " + device_names()};
  where.value.name = "NAME";
  Words known_precisions = precisions();
  known_precisions.push_back("auto");
  return {where,
          {"--precision", choice(device.precision, known_precisions),
           "format of the inputs of matrix products, see tt-precision(7); auto: bfloat16 where it "
           "is faster"}};
}

}  // namespace tt
