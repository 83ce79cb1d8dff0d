// tt-cgi: answers a request of a web server with translations.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/input.h"
#include "cgi/service.h"
#include "tools/lines.h"
#include "tools/main.h"
#include "tools/search.h"

namespace tt {
namespace {

struct Flags {
  cgi::ServiceSettings service;
  SearchFlags search;
  LineFlags lines;
  Lookup lookup;
  int seconds = 60;
  bool int8 = false;
};

// The answer that is given when the time is over, unless another one is being written.
constexpr char kLate[] =
    "Status: 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\n"
    "Access-Control-Allow-Origin: *\r\n\r\n{\"error\":\"it took too long\"}\n";
volatile std::sig_atomic_t writing = 0;

void end_late(int) {
  if (!writing && ::write(STDOUT_FILENO, kLate, sizeof kLate - 1) < 0) ::_exit(kFailed);
  ::_exit(kFailed);
}

// Some rows of a group of another program.
std::vector<Option> rows(const Group& group, const Words& names) {
  std::vector<Option> found;
  for (const Option& option : group.options)
    if (std::ranges::find(names, option.spelt()) != names.end()) found.push_back(option);
  return found;
}

int work(Flags& flags) {
  if (!flags.service.scgi && !std::getenv("REQUEST_METHOD"))
    throw Error(
        "is run by a web server, as CGI has it; try REQUEST_METHOD=GET PATH_INFO=/languages "
        "tt-cgi --models FOLDER");
  flags.search.check();
  // No text gets into a file.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGALRM, end_late);
  ::alarm(static_cast<unsigned>(flags.seconds));
  if (flags.int8) flags.service.form = WeightForm::int8;
  flags.service.configure = [&](const LoadedModel& model, int count, const std::string& glossary,
                                FilterOptions& options) {
    SearchFlags search = flags.search;
    search.best = count > 1 ? count : 0;
    if (search.beam >= 0) search.beam = std::max(search.beam, count);
    search.apply(model.model->config(), model.target, options.translate);
    flags.lines.glossary = glossary;
    flags.lines.apply(search, flags.lookup, options);
  };
  Input in("-");
  const cgi::Answer answer =
      cgi::answer(flags.service, [&](char* to, std::size_t size) { return in.read(to, size); });
  writing = 1;
  print(answer.text());
  return answer.status == 500 ? kFailed : answer.degraded ? kDegraded : kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  // RFC 3875, section 4.4: of a query without = servers make words of the command line.
  if (const char* const query = std::getenv("QUERY_STRING");
      query && *query && !std::strchr(query, '=')) {
    print(cgi::Answer{400, "{\"error\":\"Invalid request: a query is NAME=VALUE\"}\n"}.text());
    return kDone;
  }
  Flags flags;
  flags.lines.keep = "urls,emails,placeholders";
  cgi::ServiceSettings& service = flags.service;
  std::vector<Option> models{
      {"-d,--models", folder(service.models), "the folder of models, as en-de.tt",
       kRequired + variable("TT_MODELS")},
      {"--scgi", toggle(service.scgi), "read a request as SCGI has it, not CGI", kBrief},
      {"--max-characters", number(service.characters, 1, 1 << 30),
       "characters of the texts of a request", kBrief},
      {"--max-alternatives", number(service.alternatives, 0, 1023),
       "translations beside the best one"},
      {"--max-seconds", number(flags.seconds, 1, 1 << 20), "seconds until a request is given up",
       kBrief},
  };
  std::vector<Option> computing{
      {"--int8", toggle(flags.int8), "multiply in 8 bits: faster, and almost as good"},
      threads_option(service.threads),
  };
  service.threads = 1;
  return run_tool(
      argc, argv,
      {.name = "tt-cgi",
       .summary = "Answers a request to a web server with translations, as "
                  "LibreTranslate does.",
       .groups = {{"Requests", models},
                  {"Lines", rows(line_group(flags.lines), {"--keep", "--case", "--allow"})},
                  {"Search",
                   rows(search_group(flags.search), {"--beam", "--length-penalty", "--alpha",
                                                     "--extra-length", "--no-repeat"})},
                  {"Computation", computing}},
       .work = [&] { return work(flags); },
       .example = "REQUEST_METHOD=GET PATH_INFO=/languages tt-cgi -d models"});
}
