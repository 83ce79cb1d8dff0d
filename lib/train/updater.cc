#include "train/updater.h"

#include <algorithm>
#include <cmath>

namespace tt {
namespace {

constexpr int kSums = 3;  // of Model::loss(), for each batch

}  // namespace

Updater::Updater(Model& model, const Backend& backend, ThreadPool& pool,
                 std::span<const int> frozen, const Ranks& ranks)
    : model_(model), backend_(backend), pool_(pool),
      workers_(backend, model.params(), pool.threads()), first_(backend, model.params().size()),
      square_(backend, model.params().size()), ranks_(ranks),
      gradients_(model.params(), backend, ranks, model.config().shards) {
  if (model.config().averages()) average_ = DeviceArray<float>(backend, model.params().size());
  if (model.config().quantize_from > 0) quantized_.emplace(model.params(), pool);
  model_.params().keep_factors();
  parameters_changed();
  chunks_ = (model.params().size() + Reduce::kChunk - 1) / Reduce::kChunk;
  const Params& params = model.params();
  for (int p = 0; p < params.number(); ++p) {
    const std::int64_t begin = params.at(p).offset;
    if (std::find(frozen.begin(), frozen.end(), p) == frozen.end()) {
      if (params.fixed(p) > 0) frozen_.push_back({begin, begin + params.fixed(p)});
      continue;
    }
    frozen_.push_back({begin, p + 1 < params.number() ? params.at(p + 1).offset : params.size()});
    for (int s = gradients_.begin(); s < gradients_.end(); ++s)
      gradients_.of(s).freeze(p);  // no part in the norm
  }
}

void Updater::over(std::int64_t begin, std::int64_t end, const GradientSum::Work& f) {
  const std::int64_t stretch =
      backend_.traits().queue ? std::max<std::int64_t>(end - begin, 1) : Reduce::kChunk;
  pool_.run(static_cast<std::size_t>((end - begin + stretch - 1) / stretch),
            [&](std::size_t i, int thread) {
              const std::int64_t from = begin + static_cast<std::int64_t>(i) * stretch;
              f(from, std::min(end, from + stretch), workers_[thread].meter);
            });
}

// Batches s, s + shards, ... one after another.
void Updater::compute_shard(int s, float scale, Worker& worker) {
  const auto shard = static_cast<std::size_t>(s),
             shards = static_cast<std::size_t>(model_.config().shards);
  Gradients& gradients = gradients_.of(s);
  gradients.begin();
  std::size_t last = shard;
  for (std::size_t i = shard; i < batches_.size(); i += shards)
    if (batches_[i].size() > 0) last = i;
  for (std::size_t i = shard; i < batches_.size(); i += shards) {
    if (batches_[i].size() == 0) continue;
    Dropout key;
    key.seed = model_.config().seed;
    key.update = static_cast<std::uint32_t>(update_);
    key.shard = static_cast<std::uint32_t>(i);
    worker.tape.record_to(gradients, key);
    if (i == last) gradients.begin_last();
    model_.loss(worker.tape, batches_[i], scale, results_.data() + kSums * i);
    worker.tape.backward();
    if (after_batch_ && backend_.is_host()) after_batch_();
  }
  gradients.finish(worker.meter);
}

// A thread has a shard at a time. A device computes one after another whoever asks for it, so this
// thread does, and its memory holds the activations of one.
void Updater::compute_gradients(std::int64_t tokens) {
  const float scale = 1 / static_cast<float>(tokens);
  const int begin = gradients_.begin(), end = gradients_.end();
  if (!backend_.traits().queue)
    pool_.run(static_cast<std::size_t>(end - begin), [&](std::size_t task, int thread) {
      compute_shard(begin + static_cast<int>(task), scale, workers_[thread]);
    });
  else
    for (int s = begin; s < end; ++s) compute_shard(s, scale, workers_[0]);
}

void Updater::start(std::int64_t update, std::span<const Batch> batches) {
  TT_CHECK(!batches.empty() &&
           batches.size() % static_cast<std::size_t>(model_.config().shards) == 0);
  check_parameters();
  update_ = update;
  batches_ = batches;
  std::int64_t tokens = 0;
  for (const Batch& batch : batches) tokens += batch.target_out.rows();
  const auto count = static_cast<std::int64_t>(batches.size());
  if (count != counted_)
    results_ = DeviceArray<double>(backend_, kSums * count + chunks_), counted_ = count;
  const std::int64_t words = 2 * kSums * count;
  backend_.zero({1, words, words, reinterpret_cast<float*>(results_.data())});

  gradients_.start(results_.data() + kSums * count);
  const bool quantized = quantizes(update);
  if (quantized) quantized_->apply();
  compute_gradients(tokens);
  if (quantized) quantized_->restore();
  gradients_.add_up([this](std::int64_t begin, std::int64_t end, const GradientSum::Work& f) {
    over(begin, end, f);
  });
}

UpdateResult Updater::finish(const UpdateLimits& limits) {
  const std::span<const Batch> batches = batches_;
  UpdateResult result;
  // Each number is known to one rank and is 0 on the others, so its sum is exact; only the
  // operations are added up.
  gradients_.complete();
  std::vector<double> host = results_.download();
  host.push_back(ranks_.first() ? limits.rate_factor * learning_rate(model_.config(), update_) : 0);
  host.push_back(meter().flops());
  ranks_.sum(host);
  const auto shards = static_cast<std::size_t>(model_.config().shards);
  for (std::size_t shard = 0; shard < shards; ++shard) {
    LossSums sums;
    for (std::size_t i = shard; i < batches.size(); i += shards)
      sums.add({host[kSums * i], host[kSums * i + 1], batches[i].target_out.rows(),
                host[kSums * i + 2], batches[i].links.linked_rows()});
    result.loss.add(sums);
  }
  double sum = 0;
  for (auto at = host.begin() + kSums * counted_; at != host.end() - 2; ++at) sum += *at;
  result.gradient_norm = std::sqrt(sum);
  result.rate = *(host.end() - 2);
  result.flops = host.back();
  const auto fail = [&](const auto&... found) {
    throw Diverged("update ", update_, ": ", found..., "; training has diverged: lower ",
                   Setting{"rate"}, " or ", Setting{"rate_scale"}, ", lengthen ", Setting{"warmup"},
                   ", set ", Setting{"clip"}, ", raise ", Setting{"divergence_ratio"},
                   ", or let it go back: ", Setting{"on_divergence"}, " rollback");
  };
  if (!std::isfinite(result.loss.smoothed) || !std::isfinite(result.gradient_norm))
    fail("the loss is ", result.loss.smoothed / static_cast<double>(result.loss.tokens),
         ", the norm of the gradient ", result.gradient_norm);
  if (result.gradient_norm > limits.gradient_norm)
    fail("the norm of the gradient is ", result.gradient_norm, ", after at most ",
         limits.gradient_norm / model_.config().divergence_ratio, " before");
  apply(result);
  return result;
}

void Updater::parameters_changed() {
  const Params& params = model_.params();
  if (average_.size() > 0)
    backend_.moving_average({average_.size(), 1, params.values(), average_.data()});
  if (schedule_free()) backend_.moving_average({first_.size(), 1, params.values(), first_.data()});
  model_.params().refresh_factors();
}

void Updater::state_changed() {
  if (average_.size() == 0) return;
  const auto copy = [&](const float* from, float* to, const Stretch& s) {
    backend_.moving_average({s.end - s.begin, 1, from + s.begin, to + s.begin});
  };
  float* y = model_.params().values();
  // If they were trained before they were frozen, what is trained is not their average, which is
  // what the model has.
  for (const Stretch& s : frozen_) copy(average_.data(), schedule_free() ? first_.data() : y, s);
  if (schedule_free()) {
    copy(first_.data(), y, {0, first_.size()});
    backend_.moving_average(
        {first_.size(), static_cast<float>(model_.config().beta1), average_.data(), y});
  }
  model_.params().refresh_factors();
}

void Updater::check_parameters() const {
  if (!lost_.empty()) throw DeviceError(lost_);
}

void Updater::exchange() const {
  check_parameters();
  if (average_.size() > 0) model_.params().exchange(average_);
}

Updater::Averaged::~Averaged() noexcept(false) {
  try {
    if (quantized_) updater_.quantized_->restore();
    updater_.exchange();
  } catch (const Error& error) {
    updater_.lost_ = error.what();
    if (std::uncaught_exceptions() == errors_) throw DeviceError(updater_.lost_);
  }
}

void Updater::reset() {
  for (const DeviceArray<float>* array : {&first_, &square_})
    backend_.zero({1, array->size(), array->size(), array->data()});
  parameters_changed();
}

void Updater::step(const UpdateResult& result, std::int64_t begin, std::int64_t end,
                   const Meter& meter) {
  if (end <= begin) return;
  const Config& config = model_.config();
  const float scale = config.clip > 0 && result.gradient_norm > config.clip
                          ? static_cast<float>(config.clip / result.gradient_norm)
                          : 1;
  const auto place = [&](auto& k, float*& parameters, float*& first) {
    k.size = end - begin;
    k.gradient = gradients_.total() + begin;
    parameters = model_.params().values() + begin;
    first = first_.data() + begin;
    k.v = square_.data() + begin;
    k.copy = model_.params().factors(begin, k.size);
  };
  if (schedule_free()) {
    ScheduleFree k = schedule_free_step(config, update_, result.rate, scale, point_weight_);
    place(k, k.y, k.z);
    k.x = average_.data() + begin;
    meter.schedule_free(k);
  } else {
    Adam k = adam_step(config, update_, result.rate, scale);
    place(k, k.parameters, k.m);
    meter.adam(k);
  }
}

void Updater::apply(const UpdateResult& result) {
  const Config& config = model_.config();
  // At first the average follows the weights closely, so that it forgets how they began (as
  // TensorFlow's does).
  const auto t = static_cast<double>(update_);
  const auto weight = static_cast<float>(1 - std::min(config.average_decay, (1 + t) / (10 + t)));
  if (schedule_free()) point_weight_ = average_weight_(config, update_);
  over(0, model_.params().size(), [&](std::int64_t begin, std::int64_t end, const Meter& meter) {
    const std::int64_t first = begin;
    for (const Stretch& s : frozen_) {
      step(result, begin, std::min(s.begin, end), meter);
      begin = std::max(begin, std::min(s.end, end));
    }
    step(result, begin, end, meter);
    if (config.average_decay > 0)
      meter.moving_average(
          {end - first, weight, model_.params().values() + first, average_.data() + first});
  });
}

void Updater::time_kernels() {
  for (Worker& worker : workers_) worker.meter.wait_for_each();
}

Meter Updater::meter() const {
  Meter all(backend_);
  for (const Worker& worker : workers_) all.add(worker.meter);
  return all;
}

void Updater::reset_meter() {
  for (Worker& worker : workers_) worker.meter.reset();
}

}  // namespace tt
