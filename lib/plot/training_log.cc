#include "plot/training_log.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log_format.h"
#include "base/split.h"
#include "plot/json_line.h"
#include "plot/screen.h"

namespace tt::plot {
namespace {

using namespace log_format;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr int kLongestRun = 40;  // columns of a name in the legend, which has more to say

// The names of runs in the legend: shortened, unless they would no longer differ.
std::vector<std::string> names_in_legend(const std::vector<TrainingLog>& logs) {
  std::vector<std::string> whole, made;
  for (const auto& log : logs) {
    whole.push_back(log.name);
    made.push_back(cut_in_the_middle(log.name, kLongestRun));
  }
  return std::set<std::string>(made.begin(), made.end()).size() == made.size() ? made : whole;
}

constexpr const char* kRemedy = "give the log of a training, or remove the line";

// Adds one line to the log. Throws Error if it is invalid.
void take(TrainingLog& log, std::string_view text, const std::string& where) {
  const auto json = parse_object(text, where, kRemedy);
  const auto found = json.find(kEvent);
  if (found == json.end()) throw Error(where, ": \"event\" is missing; ", kRemedy);
  if (!found->is_string())
    throw Error(where, ": \"event\" is ", kind_of(*found), " instead of a text; ", kRemedy);
  const auto& event = found->get_ref<const std::string&>();
  log.ended = event == kEnd;
  if (event == kRollback) {
    const auto to = json.find(kTo);
    if (to == json.end() || !to->is_number_integer())
      throw Error(where, ": \"to\", an update, is missing; ", kRemedy);
    for (auto* records : {&log.train, &log.valid})
      records->erase(records->upper_bound(to->get<std::int64_t>()), records->end());
  }
  if (event != kTrain && event != kValid) return;
  const auto update = json.find(kUpdate);
  if (update == json.end()) throw Error(where, ": \"update\" is missing; ", kRemedy);
  if (!update->is_number_integer() || *update < 0)
    throw Error(where, ": \"update\" is ", kind_of(*update), " instead of a whole number; ",
                kRemedy);
  LogRecord record;
  for (const auto& [key, value] : json.items()) {
    if (value.is_number()) record[key] = value.get<double>();
    if (value.is_null()) record[key] = kNan;  // JSON for a value that is not a number
  }
  (event == kTrain ? log.train : log.valid)[update->get<std::int64_t>()] = std::move(record);
}

double value_of(const LogRecord& record, const std::string& field) {
  const auto found = record.find(field);
  return found == record.end() ? kNan : found->second;
}

// The place of a record on an axis.
double place_of(const TrainingLog& log, std::int64_t update, const LogRecord& record,
                const std::string& axis) {
  double x = value_of(record, axis);
  if (auto after = log.train.upper_bound(update); std::isnan(x) && after != log.train.begin())
    x = value_of(std::prev(after)->second, axis);
  return axis == kWall ? x / 3600 : x;
}

std::vector<Point> points_of(const TrainingLog& log, bool validation, const std::string& field,
                             const std::string& axis) {
  std::vector<Point> points;
  for (const auto& [update, record] : validation ? log.valid : log.train) {
    if (!record.contains(field)) continue;
    points.push_back({place_of(log, update, record, axis), value_of(record, field)});
  }
  return points;
}

bool share_folder(const std::vector<std::string>& paths) {
  const auto slash = paths.empty() ? std::string::npos : paths[0].find('/');
  return slash != std::string::npos &&
         std::all_of(paths.begin(), paths.end(), [&](const auto& path) {
           return path.compare(0, slash + 1, paths[0], 0, slash + 1) == 0;
         });
}

bool share_file_name(const std::vector<std::string>& paths) {
  const auto file = [](const std::string& path) {
    return path.substr(std::min(path.rfind('/'), path.size()));
  };
  return paths.size() > 1 && std::all_of(paths.begin(), paths.end(), [&](const auto& path) {
           return !file(path).empty() && file(path) == file(paths[0]);
         });
}

// Paths without the folders that all share, and without the file name if all share it.
std::vector<std::string> short_names(std::vector<std::string> paths) {
  while (share_folder(paths))
    for (auto& path : paths) path.erase(0, path.find('/') + 1);
  while (share_file_name(paths))
    for (auto& path : paths) path.erase(path.rfind('/'));
  return paths;
}

}  // namespace

TrainingLog read_training_log(const std::string& path) {
  TrainingLog log;
  log.name = path;
  LineReader in(path);
  std::string_view line;
  while (in.next(line)) {
    if (const auto nul = line.rfind('\0'); nul != std::string_view::npos) {
      log.lost.push_back(
          in.where() + ": NULs, as a power loss leaves them; the records in their place are lost");
      line.remove_prefix(nul + 1);
      if (line.empty()) continue;
    }
    if (!log.broken.empty()) throw Error(log.broken);
    try {
      take(log, line, in.where());
      ++log.lines;
    } catch (const Error& error) {
      log.broken = error.what();
    }
  }
  return log;
}

const std::vector<LogPanel>& log_panels() {
  static const std::vector<LogPanel> panels = {
      {"loss", kLoss, "loss (nats per token)", false},
      {"bleu", kBleu, "BLEU", false},
      {"rate", kRate, "learning rate", false},
      {"speed", kSpeed, "target tokens per second", false},
      {"perplexity", kPerplexity, "perplexity", true},
      {"gradient", kGradientNorm, "norm of the gradient", false},
  };
  return panels;
}

std::vector<LogPanel> parse_panels(const std::string& text) {
  std::vector<LogPanel> made;
  for (const std::string_view name : split(text, ',')) {
    const auto& known = log_panels();
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const auto& panel) { return panel.name == name; });
    if (found == known.end())
      throw Error("there is no panel '", name, "'; choose from ",
                  join(known, ", ", &LogPanel::name));
    made.push_back(*found);
  }
  return made;
}

const std::vector<std::string>& log_axes() {
  static const std::vector<std::string> axes = {kUpdate, kEpoch, kTokens, kWall, kFlops};
  return axes;
}

Figure log_figure(const std::vector<TrainingLog>& logs, const std::vector<LogPanel>& panels,
                  const LogView& view) {
  Figure figure;
  const std::string& axis = view.axis;
  const bool several = logs.size() > 1;
  const std::vector<std::string> names = names_in_legend(logs);
  for (const auto& panel : panels) {
    Curves curves;
    curves.title = panel.title;
    curves.log_x = view.log_x, curves.log_y = view.log_y || panel.logarithmic;
    curves.x_label = axis == kWall     ? "hours"
                     : axis == kTokens ? "target tokens"
                     : axis == kFlops  ? "FLOPs"
                                       : axis;
    for (std::size_t i = 0; i < logs.size(); ++i)
      for (const bool validation : {false, true}) {
        Curve curve;
        curve.points = points_of(logs[i], validation, panel.field, axis);
        if (curve.points.empty()) continue;
        curve.name = (several ? names[i] + ", " : "") + (validation ? "validation" : "training");
        curve.color = i;
        curve.marked = curve.dashed = validation;
        curves.curves.push_back(std::move(curve));
      }
    if (!curves.curves.empty()) figure.panels.emplace_back(std::move(curves));
  }
  // All panels extend from the start to the end of the longest run, whatever they show; a
  // logarithmic axis starts at the first record.
  double first = std::numeric_limits<double>::infinity(), last = 0;
  for (const auto& log : logs)
    for (const bool validation : {false, true})
      for (const auto& [update, record] : validation ? log.valid : log.train) {
        const double x = place_of(log, update, record, axis);
        if (!std::isfinite(x)) continue;
        last = std::max(last, x);
        if (x > 0) first = std::min(first, x);
      }
  for (auto& panel : figure.panels)
    std::get<Curves>(panel).x = view.log_x ? range_of(first, last, true) : range_of(0, last);
  for (auto& panel : figure.panels) leave_out_the_empty(std::get<Curves>(panel));
  std::erase_if(figure.panels,
                [](const auto& panel) { return std::get<Curves>(panel).curves.empty(); });
  figure.columns = figure.panels.size() > 1 ? 2 : 1;
  return figure;
}

std::vector<std::string> undrawn(const Figure& figure, const std::vector<TrainingLog>& logs,
                                 const std::string& panels, const LogView& view) {
  std::set<std::size_t> drawn;
  for (const auto& panel : figure.panels)
    for (const auto& curve : std::get<Curves>(panel).curves) drawn.insert(curve.color);
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (drawn.contains(i)) continue;
    reasons.push_back(
        !logs[i].broken.empty()
            ? logs[i].broken  // more likely the cause than the options
            : logs[i].name + ": nothing to draw: no numbers of " + panels + " over " + view.axis +
                  (view.log_x || view.log_y ? " above zero, as logarithmic axes show" : ""));
  }
  return reasons;
}

std::vector<LogSource> log_sources(const std::vector<std::string>& arguments) {
  std::vector<LogSource> made;
  std::vector<std::string> unnamed;
  for (const auto& argument : arguments) {
    const auto end = argument.find_first_of("=/");
    const bool named =
        end != std::string::npos && end > 0 && argument[end] == '=' && !file_exists(argument);
    if (!named) unnamed.push_back(argument);
    made.push_back(named ? LogSource{argument.substr(0, end), argument.substr(end + 1)}
                         : LogSource{"", argument});
  }
  const auto names = short_names(unnamed);
  auto next = names.begin();
  std::set<std::string> all;
  for (auto& source : made) {
    if (source.name.empty()) source.name = *next++;
    if (!all.insert(source.name).second)
      throw Error("two runs are named '", source.name,
                  "'; rename one of them, as in NAME=", source.path);
  }
  return made;
}

}  // namespace tt::plot
