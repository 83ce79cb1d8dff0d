#include "plot/training_log.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"

namespace tt::plot {
namespace {

using Json = nlohmann::json;

// Takes one line into the log. Throws Error if it is none of a log.
void take(TrainingLog& log, std::string_view text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("event") || !json["event"].is_string())
    throw Error(where, ": no record of a training log, as tt-train --log writes it");
  const std::string event = json["event"];
  log.ended = event == "end";
  if (event != "train" && event != "valid") return;
  if (!json.contains("update") || !json["update"].is_number_integer()) throw Error(where, ": the record has no \"update\"");
  LogRecord record;
  for (const auto& [key, value] : json.items())
    if (value.is_number()) record[key] = value.get<double>();
  (event == "train" ? log.train : log.valid)[json["update"].get<std::int64_t>()] = std::move(record);
}

double value_of(const LogRecord& record, const std::string& field) {
  const auto found = record.find(field);
  return found == record.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

std::vector<Point> points_of(const TrainingLog& log, bool validation, const std::string& field, const std::string& axis) {
  std::vector<Point> points;
  for (const auto& [update, record] : validation ? log.valid : log.train) {
    if (!record.contains(field)) continue;
    double x = value_of(record, axis);
    if (auto after = log.train.upper_bound(update); std::isnan(x) && after != log.train.begin())
      x = value_of(std::prev(after)->second, axis);
    if (axis == "wall") x /= 3600;
    points.push_back({x, value_of(record, field)});
  }
  return points;
}

}  // namespace

TrainingLog read_training_log(const std::string& path) {
  TrainingLog log;
  log.name = path;
  LineReader in(path);
  std::string broken;  // what is wrong with the line before, if anything
  std::string_view line;
  while (in.next(line)) {
    if (!broken.empty()) throw Error(broken);
    try {
      take(log, line, in.where());
      ++log.lines;
    } catch (const Error& error) {
      broken = error.what();
    }
  }
  return log;
}

const std::vector<LogPanel>& log_panels() {
  static const std::vector<LogPanel> panels = {
      {"loss", "loss", "loss (nats per token)", false}, {"bleu", "bleu", "BLEU", false},
      {"rate", "rate", "learning rate", false},         {"speed", "tokens_per_second", "target tokens per second", false},
      {"perplexity", "perplexity", "perplexity", true}, {"gradient", "gradient_norm", "norm of the gradient", false},
  };
  return panels;
}

std::vector<LogPanel> parse_panels(const std::string& text) {
  std::vector<LogPanel> made;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    const auto& known = log_panels();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& panel) { return panel.name == name; });
    if (found == known.end()) {
      std::string all;
      for (const auto& panel : known) all += (all.empty() ? "" : ", ") + std::string(panel.name);
      throw Error("a log has no panel '", name, "'; choose from ", all);
    }
    made.push_back(*found);
    begin = end + 1;
  }
  return made;
}

const std::vector<std::string>& log_axes() {
  static const std::vector<std::string> axes = {"update", "epoch", "tokens", "wall", "flops"};
  return axes;
}

Figure log_figure(const std::vector<TrainingLog>& logs, const std::vector<LogPanel>& panels, const std::string& axis) {
  Figure figure;
  const bool several = logs.size() > 1;
  double last = 0;
  for (const auto& panel : panels) {
    Curves curves;
    curves.title = panel.title;
    curves.logarithmic = panel.logarithmic;
    curves.x_label = axis == "wall" ? "hours" : axis == "tokens" ? "target tokens" : axis == "flops" ? "FLOPs" : axis;
    for (std::size_t i = 0; i < logs.size(); ++i)
      for (const bool validation : {false, true}) {
        Curve curve;
        curve.points = points_of(logs[i], validation, panel.field, axis);
        if (curve.points.empty()) continue;
        for (const auto& point : curve.points)
          if (std::isfinite(point.x)) last = std::max(last, point.x);
        curve.name = (several ? logs[i].name + ", " : "") + (validation ? "validation" : "training");
        curve.color = 2 * i + validation;
        curve.marked = validation;
        curve.dashed = i / 4 % 2 == 1;  // the eight colours begin again
        curves.curves.push_back(std::move(curve));
      }
    if (!curves.curves.empty()) figure.panels.emplace_back(std::move(curves));
  }
  // All panels run from the beginning to the end of the longest run.
  for (auto& panel : figure.panels) std::get<Curves>(panel).x = range_of(0, last);
  figure.columns = figure.panels.size() > 1 ? 2 : 1;
  return figure;
}

std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::vector<std::string> made = paths;
  for (;;) {
    const auto slash = made.empty() ? std::string::npos : made[0].find('/');
    if (slash == std::string::npos) return made;
    const std::string folder = made[0].substr(0, slash + 1);
    for (const auto& name : made)
      if (name.compare(0, folder.size(), folder) != 0) return made;
    for (auto& name : made) name.erase(0, folder.size());
  }
}

}  // namespace tt::plot
