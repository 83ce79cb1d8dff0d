#include "train/optimizer.h"

#include <cmath>

namespace tt {
namespace {

template <class Step>
Step step_of(const Config& config, std::int64_t update, double rate, float scale) {
  Step step;
  step.rate = static_cast<float>(rate);
  step.beta1 = static_cast<float>(config.beta1);
  step.beta2 = static_cast<float>(config.beta2);
  step.epsilon = static_cast<float>(config.epsilon);
  step.weight_decay = static_cast<float>(config.weight_decay);
  step.correction2 = static_cast<float>(1 - std::pow(config.beta2, static_cast<double>(update)));
  step.gradient_scale = scale;
  return step;
}

}  // namespace

Adam adam_step(const Config& config, std::int64_t update, double rate, float scale) {
  auto step = step_of<Adam>(config, update, rate, scale);
  step.correction1 = static_cast<float>(1 - std::pow(config.beta1, static_cast<double>(update)));
  step.nesterov = config.optimizer == Optimizer::nadam;
  return step;
}

ScheduleFree schedule_free_step(const Config& config, std::int64_t update, double rate, float scale,
                                double weight) {
  auto step = step_of<ScheduleFree>(config, update, rate, scale);
  step.weight = static_cast<float>(weight);
  return step;
}

}  // namespace tt
