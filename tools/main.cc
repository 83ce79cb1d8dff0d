#include "tools/main.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/report.h"
#include "nn/device.h"
#include "tools/complaint.h"
#include "tools/completion.h"
#include "tools/help.h"
#include "tools/values.h"
#include "tools/version.h"

namespace tt {
namespace {

void print(const std::string& text) {
  Output out("-");
  out.write(text);
  out.close();
}

// Occupies the descriptors of closed standard streams, so that no other file gets one and is written to by mistake. They are
// opened in the wrong direction, so that using such a stream fails.
void occupy_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// What a shell makes of a variable that is not set is no file, and "-" no folder. What is a flag takes no value.
void check_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) option->disable_flag_override();
    const std::string kind = option->get_type_name();
    const auto is = [&](const char* word) { return kind.starts_with(word); };
    const bool folder = is("FOLDER"), list = is("LIST");
    if (!folder && !list && !is("FILE") && !is("MODEL") && !is("SOURCE") && !is("PATH") && !is("REF")) continue;
    option->check(CLI::Validator(
        [folder, list](std::string& path) {
          return std::string(path.empty()            ? (list ? "the list is empty" : "the name is empty")
                             : folder && path == "-" ? "must be a folder, not stdout"
                                                     : "");
        },
        ""));
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) check_values(*command);
}

// An option that takes a value, if there is one of that name.
const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
  for (const CLI::Option* option : app.get_options())
    if (option->check_lname(name) && option->get_items_expected_max() > 0) return option;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (const CLI::Option* option = find_option(*command, name)) return option;
  return nullptr;
}

// The words behind the name of the program, where "--output=" is "--output" and an empty word: of the former CLI11 takes the next
// word for the value.
std::vector<std::string> words_of_line(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> words;
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    options = options && word != "--";
    const bool empty = options && word.size() > 3 && word.starts_with("--") && word.find('=') == word.size() - 1;
    if (empty) word.pop_back();
    const CLI::Option* option = options && word.starts_with("--") ? find_option(app, word.substr(2)) : nullptr;
    // Of a switch an empty word would be no value, which means true.
    if (option && option->get_items_expected_min() == 0 && (empty || (i + 1 < argc && !*argv[i + 1])))
      throw CLI::ValidationError(word + ": must be true or false, not \"\"");
    if (empty && option) words.insert(words.end(), {word, ""});
    else words.push_back(argv[i]);
  }
  return words;
}

int run(int argc, char** argv, const char* name, const char* summary, const Declare& declare) {
  occupy_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file as large as is allowed: writing fails
  std::signal(SIGPIPE, SIG_IGN);  // base/output.cc ends the program quietly if the reader closes the pipe
  remove_partial_files_on_signals();
  set_program_name(name);
  CLI::App app(summary, name);
  app.option_defaults()->always_capture_default();
  app.formatter_fn([](const CLI::App* shown, const std::string& called, CLI::AppFormatMode) { return help(*shown, called); });
  bool hush = false;
  app.set_help_flag("-h,--help", "print this help and exit");
  const auto version = [name] { return version_text(name); };
  app.set_version_flag("--version", version, "print the version and the optional parts built in, and exit");
  app.add_flag("-q,--quiet", hush, "print only errors and warnings");
  try {
    const auto work = declare(app);
    check_values(app);
    if (argc == 3 && std::string(argv[1]) == "--completion") {  // for installation; not an option, so not in --help
      print(completion(app, argv[2]));
      return kDone;
    }
    try {
      auto words = words_of_line(app, argc, argv);
      std::reverse(words.begin(), words.end());  // as the library wants them
      app.parse(std::move(words));
      set_quiet(hush);
      return work();
    } catch (const CLI::Success& success) {  // --help or --version: stdout, 0
      std::ostringstream text;
      app.exit(success, text, text);
      print(text.str());
      return kDone;
    } catch (const CLI::ParseError& error) {
      std::fprintf(stderr, "%s: %s\nTry '%s --help'.\n", name, printable(complaint(app, error)).c_str(), name);
      return kUsage;
    }
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of memory\n", name);
  } catch (const std::system_error& error) {
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    std::fprintf(stderr, "%s: %s%s\n", name, thread ? "a thread cannot be started: " : "", printable(error.what()).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, printable(error.what()).c_str());
  }
  return kFailed;
}

}  // namespace

int run_tool(int argc, char** argv, const char* name, const char* summary, const Declare& declare) {
  const int status = run(argc, argv, name, summary, declare);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have something to say at the end
  // The end of a process waits for OpenBLAS's own threads, which are idle, or try for ever to get memory that is not there.
  std::fflush(nullptr);
  ::_exit(status);
#endif
  return status;
}

CLI::Option* add_model(CLI::App& app, std::string& path) {
  return app.add_option("-m,--model", path, "the model file, made by tt-train or tt-average")->required()->type_name("FILE");
}

CLI::Option* add_threads(CLI::App& app, int& threads) {
  threads = available_threads();
  return app.add_option("--threads", threads, "number of threads; does not affect results")
      ->transform(within(1, 1024))
      ->type_name("N");
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed) {
  return app.add_option("--seed", seed, "seed of all random numbers")
      ->transform(within(std::uint64_t{0}, ~std::uint64_t{0}))
      ->type_name("N");
}

void add_device(CLI::App& app, DeviceChoice& device) {
  app.add_option("--device", device.name, "where to compute: " + device_names())->type_name("NAME");
  app.add_option("--precision", device.precision, "format of the inputs of matrix products on a GPU: float32, tf32, bfloat16")
      ->check(one_of(precisions()))
      ->type_name("NAME");
}

}  // namespace tt
