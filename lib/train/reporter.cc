#include "train/reporter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/file.h"
#include "base/log_format.h"

namespace tt {
namespace {

using nlohmann::ordered_json;
using namespace log_format;

constexpr const char* kBegins = "{\"event\":";  // a line

std::string format(const char* pattern, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

std::string now_iso() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

// Perplexity, kept finite for JSON.
double perplexity(double loss) { return std::exp(std::min(loss, 700.0)); }

}  // namespace

Reporter::Reporter(const Run& run, const std::string& log, const Config& config, const RunState& state)
    : config_(config), run_(run), report_wall_(state.wall), report_tokens_(state.tokens), report_update_(state.update),
      begin_flops_(state.flops), begin_wall_(state.wall), begin_tokens_(state.tokens) {
  log_path_ = log;
  if (!log.empty()) open_log();
  bar_ = std::make_unique<Progress>("training", "updates", static_cast<std::uint64_t>(config.max_updates),
                                    static_cast<std::uint64_t>(state.update));
}

void Reporter::open_log() {
  if (opened_ && file_exists(log_path_) && !regular_file(log_path_))
    throw Error(log_path_, ": was a file, and is none any more; remove what is there");  // a pipe would be waited for
  if (log_path_ != "-") cut_torn_line(log_path_, kBegins);
  log_ = std::make_unique<Output>(log_path_, true);
  log_->outlive_reader();
  opened_ = log_path_ == "-" ? std::nullopt : regular_file(log_path_);
}

void Reporter::log(const std::string& json_line) {
  if (log_path_.empty()) return;
  unwritten_ += json_line + "\n";
  std::optional<FileStatus> before;
  try {
    before = regular_file(log_path_);
    if (log_ && opened_ && (!before || before->number != opened_->number || before->device != opened_->device)) log_.reset();
    if (!log_) open_log(), before = regular_file(log_path_);
    log_->write(unwritten_);
    log_->flush();
    unwritten_.clear();
    problem_.clear();
  } catch (const Error& error) {
    if (problem_.empty()) warn(std::string(error.what()) + "; training goes on, and the lines are kept for later");
    problem_ = error.what();
    // Lines that got through are not kept; one of which only a part did is cut when the log is opened again.
    if (const auto now = regular_file(log_path_); log_ && before && now && now->size > before->size)
      unwritten_.erase(0, unwritten_.rfind('\n', static_cast<std::size_t>(now->size - before->size) - 1) + 1);
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
  out.line(ordered_json{{kEvent, kEnd},
                        {"reason", state.ended},
                        {kUpdate, state.update},
                        {kTokens, state.tokens},
                        {kFlops, state.flops},
                        {kWall, state.wall}}
               .dump());
  out.close();
}

void Reporter::start(const Model& model, std::int64_t pairs, std::int64_t source_tokens, std::int64_t target_tokens) {
  const auto count = static_cast<std::uint64_t>(model.params().count());
  say(with_commas(static_cast<std::uint64_t>(pairs)) + " pairs, " + with_commas(static_cast<std::uint64_t>(source_tokens)) +
      " source and " + with_commas(static_cast<std::uint64_t>(target_tokens)) + " target tokens");
  say(with_commas(count) + " parameters");
  log(ordered_json{{kEvent, kStart},
                   {"time", now_iso()},
                   {"config", ordered_json::parse(to_json(model.config()))},
                   {"parameters", count},
                   {"pairs", pairs},
                   {"source_tokens", source_tokens},
                   {"target_tokens", target_tokens}}
          .dump());
}

void Reporter::update(RunState& state, const UpdateResult& result, double epoch) {
  const double loss = state.window.negative_log_likelihood / static_cast<double>(state.window.tokens);
  if (config_.max_epochs > 0 && epoch > 0) {
    const double updates = static_cast<double>(state.update) * static_cast<double>(config_.max_epochs) / epoch;
    bar_->expect(static_cast<std::uint64_t>(config_.max_updates > 0 ? std::min(updates, static_cast<double>(config_.max_updates))
                                                                    : updates));
  }
  bar_->update(static_cast<std::uint64_t>(state.update), format("loss %.3f", loss));
  if (state.update % config_.report_every != 0) return;
  const double rate = static_cast<double>(state.tokens - report_tokens_) / std::max(1e-9, state.wall - report_wall_);
  standing_ = {
      epoch, loss, rate,
      std::max(0.0, state.wall - report_wall_) / static_cast<double>(std::max<std::int64_t>(1, state.update - report_update_))};
  if (wall_seconds() >= next_status_) {
    write_status(run_, config_, state, standing_);
    next_status_ = wall_seconds() + 1;
  }
  report_tokens_ = state.tokens;
  report_wall_ = state.wall;
  report_update_ = state.update;
  say(format("update %lld  epoch %.2f  loss %.4f  ", static_cast<long long>(state.update), epoch, loss) +
      with_commas(static_cast<std::uint64_t>(rate)) + " tokens/s  " + human_time(state.wall));
  log(ordered_json{{kEvent, kTrain},
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
                   {kWall, state.wall}}
          .dump());
  state.window = {};
}

void Reporter::rollback(const RunState& state, std::int64_t diverged) {
  report_update_ = state.update;
  report_tokens_ = state.tokens;
  report_wall_ = state.wall;
  log(ordered_json{
      {kEvent, kRollback}, {kUpdate, diverged}, {kTo, state.update}, {"rate_factor", std::ldexp(1.0, -state.rollbacks)}}
          .dump());
}

void Reporter::validation(const RunState& state, const ValidationResult& result, bool best, double epoch, double seconds) {
  report_wall_ += seconds;  // tokens/s does not count validation
  say(format("update %lld  epoch %.1f  dev loss %.3f  BLEU %.2f%s  ", static_cast<long long>(state.update), epoch, result.loss,
             result.bleu, best ? " best" : "") +
      human_time(state.wall));
  log(ordered_json{{kEvent, kValid},
                   {kUpdate, state.update},
                   {kEpoch, epoch},
                   {kLoss, result.loss},
                   {kPerplexity, perplexity(result.loss)},
                   {kBleu, result.bleu},
                   {"best", best},
                   {kTokens, state.tokens},
                   {kFlops, state.flops},
                   {kWall, state.wall},
                   {"seconds", seconds}}
          .dump());
}

void Reporter::end(const RunState& state, const std::string& reason, double peak) {
  if (next_status_ > 0) write_status(run_, config_, state, standing_);
  const double wall = state.wall - begin_wall_, flops = state.flops - begin_flops_;
  say("ended (" + reason + ") after update " + with_commas(static_cast<std::uint64_t>(state.update)));
  say(cost_line(static_cast<std::uint64_t>(std::max<std::int64_t>(0, state.tokens - begin_tokens_)), "tokens", wall));
  const double part = peak > 0 ? 100 * flops / std::max(wall, 1e-9) / peak : 0;  // percent
  if (flops > 0)
    say(format("%.3g FLOP, %.1f GFLOP/s, ", flops, flops / std::max(wall, 1e-9) / 1e9) +
        (part >= 0.5 ? format("%.0f %% of peak, ", part) : "") + format("%.3g FLOP in total", state.flops));
  log(ordered_json{{kEvent, kEnd},
                   {"reason", reason},
                   {kUpdate, state.update},
                   {kTokens, state.tokens},
                   {kFlops, state.flops},
                   {kWall, state.wall},
                   {"cpu", cpu_seconds()},
                   {"peak_memory", peak_memory()},
                   {"peak_flops_per_second", peak}}
          .dump());
  if (!unwritten_.empty()) throw Error(problem_, "; the last lines of the log could not be written");
}

}  // namespace tt
