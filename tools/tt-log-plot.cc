// tt-log-plot: plots learning curves from the logs of tt-train, once or live.
#include <csignal>
#include <cstring>
#include <ctime>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "plot/show.h"
#include "plot/training_log.h"
#include "tools/main.h"
#include "tools/picture.h"
#include "tools/values.h"

namespace tt {
namespace {

struct Options {
  std::vector<std::string> logs;
  std::string panels = "loss,bleu,rate,speed";
  plot::LogView view;
  double interval = 1;
  bool follow = false;
  plot::Destination to;
};

volatile std::sig_atomic_t stopped = 0;

// Waits, unless a signal arrives.
void wait(double seconds) {
  timespec time{static_cast<time_t>(seconds), 0};
  time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
  if (!stopped) nanosleep(&time, nullptr);
}

std::vector<plot::TrainingLog> read_all(const std::vector<plot::LogSource>& sources, bool follow) {
  std::vector<plot::TrainingLog> logs;
  for (const auto& [name, path] : sources) {
    // A followed run may not have started its log yet.
    logs.push_back(follow && !file_exists(path) ? plot::TrainingLog{} : plot::read_training_log(path));
    logs.back().name = name;
  }
  return logs;
}

int follow(const Options& options, const std::vector<plot::LogSource>& sources, const std::vector<plot::LogPanel>& panels,
           plot::Viewer& viewer) {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = [](int) { stopped = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::size_t seen = 0;
  bool drawn = false, waiting = false, whole = true;
  while (!stopped) {
    const auto logs = read_all(sources, true);
    std::size_t lines = 0, ended = 0;
    for (const auto& log : logs) lines += log.lines, ended += log.ended;
    const plot::Figure figure = plot::log_figure(logs, panels, options.view);
    if (lines != seen && !figure.panels.empty()) {
      whole = viewer.show(figure, true);
      drawn = true;
    }
    seen = lines;
    if (ended == logs.size()) break;
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
  check_not_read(options.to.output, read);
  plot::Viewer viewer(options.to);
  if (options.follow) {
    if (options.to.output == "-") throw Error("--follow replaces its picture, which is impossible on stdout; name a file");
    for (const auto& source : sources)
      if (source.path == "-" || (file_exists(source.path) && !regular_file(source.path)))
        throw Error("--follow rereads its logs, which is impossible ",
                    source.path == "-" ? "on stdin" : "on " + source.path + ", no regular file", "; name a file");
    return follow(options, sources, panels, viewer);
  }
  const auto logs = read_all(sources, false);
  const plot::Figure figure = plot::log_figure(logs, panels, options.view);
  if (figure.panels.empty()) {
    for (const auto& log : logs)
      if (!log.broken.empty()) throw Error(log.broken);  // more likely the cause than the options
    throw Error(sources[0].path, ": nothing to draw: no log has numbers of ", options.panels, " over ", options.view.axis,
                options.view.log_x || options.view.log_y ? " above zero, as logarithmic axes show" : "");
  }
  return viewer.show(figure) ? kDone : kDegraded;
}

std::string unknown_panel(std::string& list) {
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
  return run_tool(argc, argv, "tt-log-plot", "Plots the learning curves of training runs.", [](CLI::App& app) {
    auto options = std::make_shared<Options>();
    Options& o = *options;
    app.add_option("log", o.logs, "logs of tt-train --log, one file per run; - for stdin")->required()->type_name("[NAME=]LOG");
    app.add_option("--show", o.panels, "the panels: loss, bleu, rate, speed, perplexity, gradient")
        ->check(CLI::Validator(unknown_panel, ""))
        ->type_name("LIST");
    app.add_option("--x", o.view.axis, "the horizontal axis: update, epoch, tokens, wall or flops")
        ->check(one_of(plot::log_axes()))
        ->type_name("NAME");
    app.add_flag("--log-x", o.view.log_x, "make the horizontal axis logarithmic");
    app.add_flag("--log-y", o.view.log_y, "make the vertical axes logarithmic");
    app.add_option("--title", o.view.title, "the title of the picture")->type_name("TEXT");
    auto* follow = app.add_flag("-f,--follow", o.follow, "redraw whenever a log grows, until all runs end");
    app.add_option("--interval", o.interval, "with --follow: seconds between checks of the logs")
        ->transform(within(0.05, 86400.0))
        ->needs(follow)
        ->type_name("SECONDS");
    add_picture(app, o.to);
    return [options] { return work(*options); };
  });
}
