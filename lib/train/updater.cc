#include "train/updater.h"

#include <algorithm>
#include <cmath>

#include "train/schedule.h"

namespace tt {
namespace {

constexpr std::int64_t kChunk = 1 << 16;  // floats of the parameters that one task reduces or updates

}  // namespace

Updater::Updater(Model& model, const Backend& backend, ThreadPool& pool)
    : model_(model), backend_(backend), pool_(pool), mean_(make_floats(model.params().size())),
      square_(make_floats(model.params().size())), total_(nullptr) {
  for (int s = 0; s < model.config().shards; ++s) gradients_.emplace_back(model.params());
  for (int t = 0; t < pool.threads(); ++t) arenas_.push_back(std::make_unique<Arena>());
}

UpdateResult Updater::update(std::int64_t update, std::span<const Batch> batches) {
  const Config& config = model_.config();
  const std::size_t shards = gradients_.size();
  TT_CHECK(!batches.empty() && batches.size() % shards == 0);
  std::int64_t tokens = 0;
  for (const Batch& batch : batches) tokens += batch.target_out.rows();

  std::vector<LossSums> losses(shards);
  std::vector<Meter> meters(static_cast<std::size_t>(pool_.threads()), Meter(&backend_));
  pool_.run(shards, [&](std::size_t shard, int thread) {
    gradients_[shard].begin();
    for (std::size_t i = shard; i < batches.size(); i += shards) {
      if (batches[i].size() == 0) continue;
      Dropout key;
      key.seed = config.seed;
      key.update = static_cast<std::uint32_t>(update);
      key.shard = static_cast<std::uint32_t>(i);
      Tape tape(meters[static_cast<std::size_t>(thread)], *arenas_[static_cast<std::size_t>(thread)], model_.params(),
                gradients_[shard], key);
      losses[shard].add(model_.loss(tape, batches[i], 1 / static_cast<float>(tokens)));
      tape.backward();
    }
    gradients_[shard].finish(model_.params());
  });

  UpdateResult result;
  for (const LossSums& loss : losses) result.loss.add(loss);
  result.rate = learning_rate(config, update);

  std::vector<float*> gradients;
  for (Gradients& g : gradients_) gradients.push_back(g.values());
  const std::int64_t size = model_.params().size();
  const auto chunks = static_cast<std::size_t>((size + kChunk - 1) / kChunk);
  std::vector<double> squares(chunks);
  pool_.run(chunks, [&](std::size_t i, int thread) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * kChunk;
    std::vector<float*> parts;
    for (float* g : gradients) parts.push_back(g + begin);
    squares[i] = meters[static_cast<std::size_t>(thread)].reduce(parts, std::min(kChunk, size - begin));
  });
  double sum = 0;
  for (const double s : squares) sum += s;
  result.gradient_norm = std::sqrt(sum);
  if (!std::isfinite(result.loss.smoothed) || !std::isfinite(result.gradient_norm))
    throw Error("update ", update, ": the loss is ", result.loss.smoothed / static_cast<double>(tokens),
                ", the norm of the gradient ", result.gradient_norm,
                "; training has diverged: lower --rate or --rate-scale, lengthen --warmup, or set --clip");

  AdamStep step;
  step.rate = static_cast<float>(result.rate);
  step.beta1 = static_cast<float>(config.beta1);
  step.beta2 = static_cast<float>(config.beta2);
  step.epsilon = static_cast<float>(config.epsilon);
  step.weight_decay = static_cast<float>(config.weight_decay);
  step.correction1 = static_cast<float>(1 - std::pow(config.beta1, static_cast<double>(update)));
  step.correction2 = static_cast<float>(1 - std::pow(config.beta2, static_cast<double>(update)));
  if (config.clip > 0 && result.gradient_norm > config.clip)
    step.gradient_scale = static_cast<float>(config.clip / result.gradient_norm);
  pool_.run(chunks, [&](std::size_t i, int thread) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * kChunk;
    meters[static_cast<std::size_t>(thread)].adam(step, std::min(kChunk, size - begin), gradients[0] + begin,
                                                  model_.params().values() + begin, mean_.get() + begin, square_.get() + begin);
  });
  for (const Meter& meter : meters) total_.add(meter);
  return result;
}

std::size_t Updater::activation_memory() const {
  std::size_t bytes = 0;
  for (const auto& arena : arenas_) bytes += arena->reserved();
  return bytes;
}

}  // namespace tt
