#include "train/reporter.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/formatted.h"
#include "base/log_format.h"
#include "base/system.h"
#include "text/corpus.h"

namespace tt {
namespace {

using nlohmann::ordered_json;
using namespace log_format;

constexpr int kPatience = 100;                  // milliseconds
constexpr const char* kBegins = "{\"event\":";  // a line

std::string now_iso() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

// Names of files may be no UTF-8.
std::string to_line(const ordered_json& event) {
  return event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string warning_line(const std::string& message) {
  return to_line({{kEvent, "warning"}, {"message", message}});
}

ordered_json end_event(const RunState& state, const std::string& reason) {
  return {{kEvent, kEnd},          {"reason", reason},    {kUpdate, state.update},
          {kTokens, state.tokens}, {kFlops, state.flops}, {kWall, state.wall}};
}

// Perplexity, kept finite for JSON.
double perplexity(double loss) { return std::exp(std::min(loss, 700.0)); }

void say_if_any(const std::string& line) {
  if (!line.empty()) say(line);
}

}  // namespace

Reporter::Reporter(const Run& run, const std::string& log, const TrainingSettings& settings,
                   const RunState& state, std::function<bool()> stopped)
    : settings_(settings), run_(run), log_path_(log), stopped_(std::move(stopped)),
      reported_(state), began_(state) {
  if (!log.empty()) open_log();
  bar_ = std::make_unique<Progress>("training", "updates",
                                    static_cast<std::uint64_t>(settings.max_updates),
                                    static_cast<std::uint64_t>(state.update));
}

Reporter::~Reporter() {
  if (pipe_ >= 0) sys::close(pipe_);
}

void Reporter::open_log() {
  if (opened_ && file_exists(log_path_) && !regular_file(log_path_))
    throw Error(log_path_,
                ": is no longer a regular file; remove it");  // a pipe would be waited for
  if (log_path_ != "-") cut_torn_line(log_path_, kBegins);
  log_ = std::make_unique<Output>(log_path_, true);
  log_->outlive_reader();
  opened_ = log_path_ == "-" ? std::nullopt : regular_file(log_path_);
  if (!opened_ && pipe_ < 0)
    pipe_ = log_path_ == "-" ? sys::duplicate(STDOUT_FILENO)
                             : sys::open(log_path_, O_WRONLY | O_NOCTTY | O_NONBLOCK);
}

// A pipe that can be written takes a page, and whoever writes more may wait for ever. Throws Error
// if a signal comes before.
void Reporter::wait_for_reader() {
  pollfd log{pipe_, POLLOUT, 0};
  while (!opened_ && pipe_ >= 0 && ::poll(&log, 1, kPatience) <= 0)
    if (stopped_()) throw Error(log_path_, ": the program that reads it takes no more lines");
}

void Reporter::log(const ordered_json& event) {
  if (log_path_.empty()) return;
  for (const std::string& warning : take_warnings()) unwritten_ += warning_line(warning);
  unwritten_ += to_line(event);
  write_log();
}

void Reporter::write_log() {
  std::optional<FileStatus> before;
  try {
    before = regular_file(log_path_);
    if (log_ && opened_ &&
        (!before || before->number != opened_->number || before->device != opened_->device))
      log_.reset();
    if (!log_) open_log(), before = regular_file(log_path_);
    while (!unwritten_.empty()) {
      wait_for_reader();
      const std::size_t size =
          opened_ ? unwritten_.size() : std::min<std::size_t>(unwritten_.size(), PIPE_BUF);
      log_->write(std::string_view(unwritten_).substr(0, size));
      log_->flush();
      unwritten_.erase(0, size);
    }
    problem_.clear();
  } catch (const Error& error) {
    if (problem_.empty())
      warn(std::string(error.what()) + "; training goes on, and the lines are kept for later");
    problem_ = error.what();
    // Lines that got through are not kept; one of which only a part did is cut when the log is
    // opened again.
    if (const auto now = regular_file(log_path_); log_ && before && now && now->size > before->size)
      unwritten_.erase(
          0, unwritten_.rfind('\n', static_cast<std::size_t>(now->size - before->size) - 1) + 1);
    if (opened_) log_.reset();  // a pipe would be waited for
  }
}

void Reporter::add_end(const std::string& log, const RunState& state) {
  if (log.empty() || !regular_file(log)) return;
  cut_torn_line(log, kBegins);
  std::string text = read_file(log);
  if (text.empty()) return;
  text.pop_back();  // the last LF
  const auto last = ordered_json::parse(text.substr(text.rfind('\n') + 1), nullptr, false);
  if (!last.is_object() || !last.contains(kEvent) || last[kEvent] == kEnd) return;
  Output out(log, true);
  out.line(end_event(state, state.ended).dump());
  out.close();
}

void Reporter::start(const Model& model, const PairStore& pairs, const DeviceChoice& device) {
  const std::int64_t count = model.params().count();
  say(with_commas(pairs.size()) + " pairs, " + with_commas(pairs.source_tokens()) + " source and " +
      with_commas(pairs.target_tokens()) +
      " target tokens; <unk>: " + percent_unknown(pairs.source_unknown) + " of the source, " +
      percent_unknown(pairs.target_unknown) + " of the target" + share_dropped(pairs));
  say(with_commas(count) + " parameters");
  const std::vector<std::string> before = take_warnings();
  log({{kEvent, kStart},
       {"time", now_iso()},
       {"config", ordered_json::parse(to_json(model.config()))},
       {"device", device.name},
       {"precision", precision_of(device)},
       {"instructions", summation_of(device)},
       {"parameters", count},
       {"pairs", pairs.size()},
       {"source_tokens", pairs.source_tokens()},
       {"target_tokens", pairs.target_tokens()},
       {"source_unknown", pairs.source_unknown.unknown},
       {"target_unknown", pairs.target_unknown.unknown}});
  if (log_path_.empty() || before.empty()) return;
  for (const std::string& warning : before) unwritten_ += warning_line(warning);
  write_log();
}

void Reporter::begin_outlook(std::int64_t parts, int at_once, const RunState& state, double epoch,
                             double epochs) {
  double updates =
      static_cast<double>(std::max<std::int64_t>(0, settings_.max_updates - state.update));
  if (settings_.max_epochs > 0 && epochs > 0) {
    const double until = (static_cast<double>(settings_.max_epochs) - epoch) / epochs;
    updates = updates > 0 ? std::min(updates, until) : until;
  }
  outlook_.emplace(settings_, parts, at_once, updates);
}

void Reporter::after_batch() { say_if_any(outlook_->part()); }

void Reporter::update(RunState& state, const UpdateResult& result, double epoch) {
  say_if_any(outlook_->update(state.update));
  const double loss =
      state.window.negative_log_likelihood / static_cast<double>(state.window.tokens);
  if (settings_.max_epochs > 0 && epoch > 0) {
    const double updates =
        static_cast<double>(state.update) * static_cast<double>(settings_.max_epochs) / epoch;
    bar_->set_total(static_cast<std::uint64_t>(
        settings_.max_updates > 0 ? std::min(updates, static_cast<double>(settings_.max_updates))
                                  : updates));
  }
  bar_->update(static_cast<std::uint64_t>(state.update), formatted("loss %.3f", loss));
  if (state.update % settings_.report_every != 0) return;
  const double seconds = state.wall - reported_.wall,
               rate =
                   static_cast<double>(state.tokens - reported_.tokens) / std::max(1e-9, seconds);
  const auto updates = std::max<std::int64_t>(1, state.update - reported_.update);
  standing_ = {epoch, loss, rate, std::max(0.0, seconds) / static_cast<double>(updates)};
  if (wall_seconds() >= next_status_) {
    write_status(run_, settings_, state, standing_);
    next_status_ = wall_seconds() + 1;
  }
  reported_ = state;
  const auto left = time_left(settings_, state, standing_);
  const std::optional<double> alignment =
      state.window.linked == 0
          ? std::nullopt
          : std::optional(state.window.alignment / static_cast<double>(state.window.linked));
  say(formatted("update %lld  epoch %.2f  loss %.4f  ", static_cast<long long>(state.update), epoch,
                loss) +
      (alignment ? formatted("alignment loss %.4f  ", *alignment) : "") +
      with_commas(static_cast<std::int64_t>(rate)) + " tokens/s  " + human_time(state.wall) +
      (left ? "  " + human_time(*left) + " left" : ""));
  ordered_json event{
      {kEvent, kTrain},
      {kUpdate, state.update},
      {kEpoch, epoch},
      {kLoss, loss},
      {kPerplexity, perplexity(loss)},
      {"smoothed_loss", state.window.smoothed / static_cast<double>(state.window.tokens)},
      {kRate, result.rate},
      {kGradientNorm, result.gradient_norm},
      {kTokens, state.tokens},
      {kSpeed, rate},
      {kFlops, state.flops},
      {kWall, state.wall}};
  if (alignment) event["alignment_loss"] = *alignment;
  log(event);
  state.window = {};
}

void Reporter::rollback(const RunState& state, std::int64_t diverged) {
  reported_ = state;
  log({{kEvent, kRollback},
       {kUpdate, diverged},
       {kTo, state.update},
       {"rate_factor", std::ldexp(1.0, -state.rollbacks)}});
}

void Reporter::validation(const RunState& state, const ValidationResult& result, bool best,
                          double epoch, double seconds, const DevelopmentSet& set, int show) {
  standing_.epoch = epoch;
  write_status(run_, settings_, state, standing_);
  next_status_ = wall_seconds() + 1;
  reported_.wall += seconds;  // tokens/s does not count validation
  say(formatted("update %lld  epoch %.1f  dev loss %.3f  BLEU %.2f%s  ",
                static_cast<long long>(state.update), epoch, result.loss, result.bleu,
                best ? " best" : "") +
      human_time(state.wall));
  if (result.parts.size() > 1)
    for (const ValidationResult::Part& part : result.parts)
      say(formatted("  loss %.3f  BLEU %.2f  ", part.loss, part.bleu) + part.name);
  ordered_json shown = ordered_json::array();
  const std::size_t n = set.source.size(), few = std::min(n, static_cast<std::size_t>(show));
  for (std::size_t k = 0; k < few; ++k) {
    const std::size_t i = k * n / few;
    say("  source       " + set.source[i]);
    say("  translation  " + result.translations[i]);
    say("  reference    " + set.reference[i]);
    shown.push_back({{"line", i + 1}, {"translation", result.translations[i]}});
  }
  if (const std::string why = sameness(set, result);
      !why.empty() && (state.update == 0 || state.update >= settings_.warmup))
    warn("update " + with_commas(state.update) + ": " + why);
  ordered_json event{{kEvent, kValid},
                     {kUpdate, state.update},
                     {kEpoch, epoch},
                     {kLoss, result.loss},
                     {kPerplexity, perplexity(result.loss)},
                     {kBleu, result.bleu},
                     {"best", best},
                     {kTokens, state.tokens},
                     {kFlops, state.flops},
                     {kWall, state.wall},
                     {"seconds", seconds}};
  if (result.parts.size() > 1)
    for (const ValidationResult::Part& part : result.parts)
      event["sets"].push_back({{"name", part.name}, {kLoss, part.loss}, {kBleu, part.bleu}});
  if (few > 0) event["shown"] = shown;
  log(event);
}

void Reporter::end(const RunState& state, const std::string& reason, double peak) {
  if (next_status_ > 0) write_status(run_, settings_, state, standing_);
  const double wall = state.wall - began_.wall, flops = state.flops - began_.flops;
  say("ended (" + reason + ") after update " + with_commas(state.update));
  say(cost_line(static_cast<std::uint64_t>(std::max<std::int64_t>(0, state.tokens - began_.tokens)),
                "tokens", wall));
  const double part = peak > 0 ? 100 * flops / std::max(wall, 1e-9) / peak : 0;  // percent
  if (flops > 0)
    say(formatted("%.3g FLOP, %.1f GFLOP/s, ", flops, flops / std::max(wall, 1e-9) / 1e9) +
        (part >= 0.5 ? formatted("%.0f %% of peak, ", part) : "") +
        formatted("%.3g FLOP in total", state.flops));
  ordered_json event = end_event(state, reason);
  event["cpu"] = cpu_seconds();
  event["peak_memory"] = peak_memory();
  event["peak_flops_per_second"] = peak;
  log(event);
  if (!unwritten_.empty())
    throw Error(problem_, "; the last lines of the log could not be written");
}

}  // namespace tt
