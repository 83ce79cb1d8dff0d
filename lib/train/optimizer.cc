#include "train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace tt {
namespace {

template <class Step>
Step step_of(const TrainingSettings& settings, std::int64_t update, double rate, float scale) {
  Step step;
  step.rate = static_cast<float>(rate);
  step.beta1 = static_cast<float>(settings.beta1);
  step.beta2 = static_cast<float>(settings.beta2);
  step.epsilon = static_cast<float>(settings.epsilon);
  step.weight_decay = static_cast<float>(settings.weight_decay);
  step.correction2 = static_cast<float>(1 - std::pow(settings.beta2, static_cast<double>(update)));
  step.gradient_scale = scale;
  return step;
}

}  // namespace

Adam adam_step(const TrainingSettings& settings, std::int64_t update, double rate, float scale) {
  auto step = step_of<Adam>(settings, update, rate, scale);
  step.correction1 = static_cast<float>(1 - std::pow(settings.beta1, static_cast<double>(update)));
  step.nesterov = settings.optimizer == Optimizer::nadam;
  return step;
}

ScheduleFree schedule_free_step(const TrainingSettings& settings, std::int64_t update, double rate,
                                float scale, double weight) {
  auto step = step_of<ScheduleFree>(settings, update, rate, scale);
  step.weight = static_cast<float>(weight);
  return step;
}

double learning_rate(const Config& config, std::int64_t update) {
  const double warmup = std::max(config.warmup, 1), t = static_cast<double>(update);
  const double peak =
      config.rate_scale * config.rate.value_or(1 / std::sqrt(config.d_model * warmup));
  if (t < warmup) return peak * t / warmup;
  if (config.schedule == Schedule::paper) return peak * std::sqrt(warmup / t);
  if (config.schedule == Schedule::constant) return peak;
  const double end = static_cast<double>(config.max_updates);
  const double begin =
      config.schedule == Schedule::wsd ? std::max(warmup, end * (1 - config.cooldown)) : warmup;
  const double gone = end > begin ? std::clamp((t - begin) / (end - begin), 0.0, 1.0) : 1.0;
  if (config.schedule == Schedule::wsd) return peak * (1 - std::sqrt(gone));
  return config.schedule == Schedule::linear ? peak * (1 - gone)
                                             : peak * 0.5 * (1 + std::cos(std::numbers::pi * gone));
}

std::string unfinished_schedule(const Config& config, std::int64_t update,
                                const std::string& limit) {
  const bool slow = config.schedule == Schedule::linear || config.schedule == Schedule::cosine;
  if (limit == "max-updates" || (slow ? limit == "patience" : config.schedule != Schedule::wsd))
    return "";
  std::ostringstream text;
  text << "the rate was still " << learning_rate(config, update) << " at the end (" << limit
       << "), as the schedule falls to 0 at max_updates (" << config.max_updates << ")";
  return text.str();
}

double AverageWeight::operator()(const TrainingSettings& settings, std::int64_t update) {
  if (update <= update_) update_ = 0, sum_ = 0;
  const double warmup = std::max(settings.warmup, 1);
  while (update_ < update) {
    const double t = static_cast<double>(++update_), before = t - 1;
    const double rise = std::min(before, warmup) / std::min(t, warmup);
    sum_ = sum_ * std::pow(before / t, settings.average_power) * rise * rise + 1;
  }
  return 1 / sum_;
}

}  // namespace tt
