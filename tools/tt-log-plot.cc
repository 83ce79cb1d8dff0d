// tt-log-plot: plots learning curves from the logs of tt-train, once or live.
#include <algorithm>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "plot/show.h"
#include "plot/tensorboard.h"
#include "plot/training_log.h"
#include "tools/main.h"
#include "tools/picture.h"

namespace tt {
namespace {

struct Options {
  std::vector<std::string> logs;
  std::string panels = "loss,bleu,rate,speed";
  plot::LogView view;
  double interval = 1;
  bool follow = false;
  std::string events;
  plot::Destination to;
};

volatile std::sig_atomic_t stopped = 0, resized = 0;

// Waits, unless a signal arrives.
void wait(double seconds) {
  timespec time{static_cast<time_t>(seconds), 0};
  time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
  if (!stopped && !resized) nanosleep(&time, nullptr);
}

// Whether there is nothing: a followed run may not have started its log yet.
bool missing(const std::string& path) {
  std::error_code error;
  return !std::filesystem::exists(std::filesystem::status(path, error)) &&
         error == std::errc::no_such_file_or_directory;
}

std::vector<plot::TrainingLog> read_all(const std::vector<plot::LogSource>& sources, bool follow) {
  std::vector<plot::TrainingLog> logs;
  for (const auto& [name, path] : sources) {
    // Opening a pipe would wait for whoever writes to it.
    if (follow && file_exists(path) && !regular_file(path))
      throw Error(path, ": is no longer a regular file, which --follow needs; follow another log");
    logs.push_back(follow && missing(path) ? plot::TrainingLog{} : plot::read_training_log(path));
    logs.back().name = name;
  }
  return logs;
}

// Whether all logs are drawn whole; warns of others. Throws Error if none is.
bool check_drawn(const plot::Figure& figure, const std::vector<plot::TrainingLog>& logs,
                 const Options& options) {
  const auto reasons = plot::undrawn(figure, logs, options.panels, options.view);
  if (figure.panels.empty()) throw Error(reasons.front());
  for (const auto& reason : reasons) warn(reason);
  bool whole = reasons.empty();
  for (const auto& log : logs)
    for (const auto& lost : log.lost) warn(lost), whole = false;
  return whole;
}

// Writes all that the logs have, for another program to draw.
int write_events(const Options& options, const std::vector<plot::LogSource>& sources) {
  const auto logs = read_all(sources, false);
  bool whole = true;
  for (const auto& log : logs)
    for (const auto& lost : log.lost) warn(lost), whole = false;
  plot::write_tensorboard(options.events, logs);
  return whole ? kDone : kDegraded;
}

int follow(const Options& options, const std::vector<plot::LogSource>& sources,
           const std::vector<plot::LogPanel>& panels, plot::Viewer& viewer) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { stopped = 1; });
  std::signal(SIGWINCH, [](int) { resized = 1; });
  std::size_t seen = 0;
  bool drawn = false, waiting = false, whole = true;
  while (!stopped) {
    const auto logs = read_all(sources, true);
    std::size_t lines = 0, ended = 0;
    for (const auto& log : logs) lines += log.lines, ended += log.ended;
    const plot::Figure figure = plot::log_figure(logs, panels, options.view);
    const bool again = resized || lines != seen;
    resized = 0;
    if (again && !figure.panels.empty()) {
      whole = viewer.show(figure, true);
      drawn = true;
    }
    seen = lines;
    if (ended == logs.size()) {
      whole = check_drawn(figure, logs, options) && whole;
      break;
    }
    if (!drawn && !waiting) say("waiting for the first record"), waiting = true;
    wait(options.interval);
  }
  return whole ? kDone : kDegraded;
}

int work(const Options& options) {
  const auto panels = plot::parse_panels(options.panels);
  const auto sources = plot::log_sources(options.logs);
  std::vector<std::string> read;
  for (const auto& source : sources) read.push_back(source.path);
  check_stdin_once(read);
  if (std::count(read.begin(), read.end(), "") > 0)
    throw UsageError("[NAME=]LOG: the name is empty");
  if (!options.events.empty()) return write_events(options, sources);
  check_not_read(options.to.output, read);
  plot::Viewer viewer(options.to);
  if (options.follow) {
    const std::string& to = options.to.output;
    if (to == "-" || (file_exists(to) && !regular_file(to)))
      throw Error("--follow replaces its picture, which is impossible on ",
                  to == "-" ? "stdout" : to + ", no regular file", "; name a file");
    for (const auto& source : sources) {
      if (same_path(source.path, to)) throw Error(to, ": is read; write to another file");
      if (source.path == "-" || (file_exists(source.path) && !regular_file(source.path)))
        throw Error("--follow rereads its logs, which is impossible ",
                    source.path == "-" ? "on stdin" : "on " + source.path + ", no regular file",
                    "; name a file");
    }
    return follow(options, sources, panels, viewer);
  }
  const auto logs = read_all(sources, false);
  const plot::Figure figure = plot::log_figure(logs, panels, options.view);
  const bool all = check_drawn(figure, logs, options);
  return viewer.show(figure) && all ? kDone : kDegraded;
}

std::string unknown_panel(const std::string& list) {
  try {
    plot::parse_panels(list);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Options o;
  Value panels =
      text(o.panels, unknown_panel, {"loss", "bleu", "rate", "speed", "perplexity", "gradient"})
          .as("LIST");
  panels.list = true;
  const std::vector<Option> rows{
      {"[NAME=]LOG", file(o.logs), "logs of tt-train --log, one file per run; - for stdin",
       kRequired},
      {"--show", panels, "the panels", kBrief},
      {"--x", choice(o.view.axis, plot::log_axes()), "the horizontal axis"},
      {"--log-x", toggle(o.view.log_x), "make the horizontal axis logarithmic"},
      {"--log-y", toggle(o.view.log_y), "make the vertical axes logarithmic"},
      {"-f,--follow", toggle(o.follow), "redraw whenever a log grows, until all runs end",
       excludes("--tsv") + kBrief},
      {"--interval", number(o.interval, 0.05, 86400).as("SECONDS"),
       "seconds between checks of the logs", needs("--follow")},
      {"--tensorboard", folder(o.events),
       "write event files for TensorBoard to FOLDER, one a run, instead of drawing",
       excludes("--output", "--terminal", "--tsv", "--follow", "--show", "--x", "--log-x",
                "--log-y", "--title")},
  };
  return run_tool(argc, argv,
                  {.name = "tt-log-plot",
                   .summary = "Plots the learning curves of training runs.",
                   .groups = {{"Curves", rows}, picture_group(o.to)},
                   .work = [&] { return work(o); },
                   .example = "tt-log-plot -o curves.svg base=base.jsonl big=big.jsonl"});
}
