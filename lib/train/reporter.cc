#include "train/reporter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

namespace tt {
namespace {

using nlohmann::ordered_json;

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

Reporter::Reporter(const std::string& log, const Config& config, const RunState& state)
    : config_(config), report_wall_(state.wall), report_tokens_(state.tokens), begin_flops_(state.flops), begin_wall_(state.wall),
      begin_tokens_(state.tokens) {
  if (!log.empty() && log != "-") cut_torn_line(log);
  if (!log.empty()) log_ = std::make_unique<Output>(log, true);
  bar_ = std::make_unique<Progress>("training", "updates", static_cast<std::uint64_t>(config.max_updates),
                                    static_cast<std::uint64_t>(state.update));
}

void Reporter::log(const std::string& json_line) {
  if (!log_) return;
  log_->line(json_line);
  log_->flush();
}

void Reporter::start(const Model& model, std::int64_t pairs, std::int64_t source_tokens, std::int64_t target_tokens) {
  const auto count = static_cast<std::uint64_t>(model.params().count());
  say(with_commas(static_cast<std::uint64_t>(pairs)) + " pairs, " + with_commas(static_cast<std::uint64_t>(source_tokens)) +
      " source and " + with_commas(static_cast<std::uint64_t>(target_tokens)) + " target tokens; " + with_commas(count) +
      " parameters");
  log(ordered_json{{"event", "start"},
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
  bar_->update(static_cast<std::uint64_t>(state.update), format("loss %.3f", loss));
  if (state.update % config_.report_every != 0) return;
  const double rate = static_cast<double>(state.tokens - report_tokens_) / std::max(1e-9, state.wall - report_wall_);
  report_tokens_ = state.tokens;
  report_wall_ = state.wall;
  say(format("update %lld  epoch %.2f  loss %.4f  ", static_cast<long long>(state.update), epoch, loss) +
      with_commas(static_cast<std::uint64_t>(rate)) + " tokens/s  " + human_time(state.wall));
  log(ordered_json{{"event", "train"},
                   {"update", state.update},
                   {"epoch", epoch},
                   {"loss", loss},
                   {"perplexity", perplexity(loss)},
                   {"smoothed_loss", state.window.smoothed / static_cast<double>(state.window.tokens)},
                   {"rate", result.rate},
                   {"gradient_norm", result.gradient_norm},
                   {"tokens", state.tokens},
                   {"tokens_per_second", rate},
                   {"flops", state.flops},
                   {"wall", state.wall}}
          .dump());
  state.window = {};
}

void Reporter::validation(const RunState& state, const ValidationResult& result, bool best, double epoch, double seconds) {
  report_wall_ += seconds;  // tokens/s does not count validation
  say(format("update %lld  epoch %.2f  dev loss %.4f  BLEU %.2f%s  ", static_cast<long long>(state.update), epoch, result.loss,
             result.bleu, best ? "  best" : "") +
      human_time(state.wall));
  log(ordered_json{{"event", "valid"},
                   {"update", state.update},
                   {"epoch", epoch},
                   {"loss", result.loss},
                   {"perplexity", perplexity(result.loss)},
                   {"bleu", result.bleu},
                   {"best", best},
                   {"flops", state.flops},
                   {"wall", state.wall},
                   {"seconds", seconds}}
          .dump());
}

void Reporter::end(const RunState& state, const std::string& reason, double peak) {
  const double wall = state.wall - begin_wall_, flops = state.flops - begin_flops_;
  say("ended (" + reason + ") after update " + with_commas(static_cast<std::uint64_t>(state.update)));
  say(cost_line(static_cast<std::uint64_t>(state.tokens - begin_tokens_), "tokens", wall));
  if (flops > 0)
    say(format("%.3g FLOP, %.1f GFLOP/s, ", flops, flops / std::max(wall, 1e-9) / 1e9) +
        (peak > 0 ? format("%.0f %% of peak, ", 100 * flops / std::max(wall, 1e-9) / peak) : "") +
        format("%.3g FLOP in total", state.flops));
  log(ordered_json{{"event", "end"},
                   {"reason", reason},
                   {"update", state.update},
                   {"tokens", state.tokens},
                   {"flops", state.flops},
                   {"wall", state.wall},
                   {"cpu", cpu_seconds()},
                   {"peak_memory", peak_memory()},
                   {"peak_flops_per_second", peak}}
          .dump());
}

}  // namespace tt
