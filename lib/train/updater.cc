#include "train/updater.h"

#include <algorithm>
#include <cmath>

#include "train/schedule.h"

namespace tt {

Updater::Updater(Model& model, const Backend& backend, ThreadPool& pool)
    : model_(model), backend_(backend), pool_(pool), workers_(backend, model.params(), pool.threads()),
      mean_(backend, model.params().size()), square_(backend, model.params().size()) {
  std::vector<float*> pointers;
  for (int s = 0; s < model.config().shards; ++s) pointers.push_back(gradients_.emplace_back(model.params(), backend).values());
  gradient_pointers_ = DeviceArray<float*>(backend, std::span<float* const>(pointers));
  chunks_ = (model.params().size() + Reduce::kChunk - 1) / Reduce::kChunk;
}

// Shard s is one task: batches s, s + shards, ... one after another.
void Updater::compute_gradients(std::int64_t update, std::span<const Batch> batches, std::int64_t tokens) {
  const std::size_t shards = gradients_.size();
  const float scale = 1 / static_cast<float>(tokens);
  pool_.run(shards, [&](std::size_t shard, int thread) {
    Tape& tape = workers_[thread].tape;
    Gradients& gradients = gradients_[shard];
    gradients.begin();
    for (std::size_t i = shard; i < batches.size(); i += shards) {
      if (batches[i].size() == 0) continue;
      Dropout key;
      key.seed = model_.config().seed;
      key.update = static_cast<std::uint32_t>(update);
      key.shard = static_cast<std::uint32_t>(i);
      tape.record_to(gradients, key);
      model_.loss(tape, batches[i], scale, results_.data() + 2 * i);
      tape.backward();
    }
    gradients.finish(workers_[thread].meter);
  });
}

UpdateResult Updater::update(std::int64_t update, std::span<const Batch> batches) {
  TT_CHECK(!batches.empty() && batches.size() % gradients_.size() == 0);
  std::int64_t tokens = 0;
  for (const Batch& batch : batches) tokens += batch.target_out.rows();
  const auto count = static_cast<std::int64_t>(batches.size());
  if (count != batches_) results_ = DeviceArray<double>(backend_, 2 * count + chunks_), batches_ = count;
  backend_.zero({1, 4 * count, 4 * count, reinterpret_cast<float*>(results_.data())});

  compute_gradients(update, batches, tokens);
  const std::int64_t size = model_.params().size();
  double* squares = results_.data() + 2 * count;
  pool_.run(static_cast<std::size_t>(chunks_), [&](std::size_t i, int thread) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * Reduce::kChunk, end = std::min(size, begin + Reduce::kChunk);
    workers_[thread].meter.reduce({static_cast<int>(gradients_.size()), gradient_pointers_.data(), begin, end, squares});
  });

  UpdateResult result;
  const std::vector<double> host = results_.download();
  for (std::size_t shard = 0; shard < gradients_.size(); ++shard) {
    LossSums sums;
    for (std::size_t i = shard; i < batches.size(); i += gradients_.size())
      sums.add({host[2 * i], host[2 * i + 1], batches[i].target_out.rows()});
    result.loss.add(sums);
  }
  double sum = 0;
  for (auto at = host.begin() + 2 * count; at != host.end(); ++at) sum += *at;
  result.gradient_norm = std::sqrt(sum);
  result.rate = learning_rate(model_.config(), update);
  if (!std::isfinite(result.loss.smoothed) || !std::isfinite(result.gradient_norm))
    throw Error("update ", update, ": the loss is ", result.loss.smoothed / static_cast<double>(tokens),
                ", the norm of the gradient ", result.gradient_norm,
                "; training has diverged: lower --rate or --rate-scale, lengthen --warmup, or set --clip");
  apply(result, update);
  return result;
}

void Updater::apply(const UpdateResult& result, std::int64_t update) {
  const Config& config = model_.config();
  const std::int64_t size = model_.params().size();
  Adam step;
  step.rate = static_cast<float>(result.rate);
  step.beta1 = static_cast<float>(config.beta1);
  step.beta2 = static_cast<float>(config.beta2);
  step.epsilon = static_cast<float>(config.epsilon);
  step.weight_decay = static_cast<float>(config.weight_decay);
  step.correction1 = static_cast<float>(1 - std::pow(config.beta1, static_cast<double>(update)));
  step.correction2 = static_cast<float>(1 - std::pow(config.beta2, static_cast<double>(update)));
  if (config.clip > 0 && result.gradient_norm > config.clip)
    step.gradient_scale = static_cast<float>(config.clip / result.gradient_norm);
  pool_.run(static_cast<std::size_t>(chunks_), [&](std::size_t i, int thread) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * Reduce::kChunk;
    Adam mine = step;
    mine.size = std::min(Reduce::kChunk, size - begin);
    mine.gradient = gradients_[0].values() + begin;
    mine.parameters = model_.params().values() + begin;
    mine.m = mean_.data() + begin;
    mine.v = square_.data() + begin;
    workers_[thread].meter.adam(mine);
  });
}

Meter Updater::meter() const {
  Meter all(backend_);
  for (const Worker& worker : workers_) all.add(worker.meter);
  return all;
}

void Updater::reset_meter() {
  for (Worker& worker : workers_) worker.meter.reset();
}

std::size_t Updater::activation_memory() const {
  std::size_t bytes = 0;
  for (Worker& worker : workers_) bytes += worker.tape.arena().reserved();
  return bytes;
}

}  // namespace tt
