#include "train/memory.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/report.h"
#include "base/setting.h"
#include "model/model.h"
#include "tensor/dry.h"
#include "train/batch_stream.h"
#include "train/validation.h"

namespace tt {
namespace {

constexpr std::int64_t kSample = 200;       // updates
constexpr std::size_t kThread = 12 << 20;   // what libraries and the stack take for a thread
constexpr std::size_t kProcess = 56 << 20;  // programs, and what is small: batches, reports

// The memory that is resident now, without files that are mapped.
std::size_t resident() {
  const std::string status = read_file("/proc/self/status"), key = "RssAnon:";
  const auto at = status.find(key);
  return at == std::string::npos
             ? peak_memory()
             : std::strtoull(status.c_str() + at + key.size(), nullptr, 10) << 10;
}

// At least so many rows on each side, in sentences of at most that length.
Batch batch_of(std::int64_t source_rows, std::int64_t target_rows, std::int64_t length) {
  Batch batch;
  const std::int64_t n = (std::max(source_rows, target_rows) + length - 1) / length;
  const auto fill = [&](Sequences& side, std::int64_t rows) {
    const std::vector<std::int32_t> sentence(static_cast<std::size_t>((rows + n - 1) / n));
    for (std::int64_t i = 0; i < n; ++i) append(side, sentence);
  };
  fill(batch.source, source_rows);
  fill(batch.target_in, target_rows);
  batch.target_out = batch.target_in;
  batch.sentences.assign(static_cast<std::size_t>(n), 0);
  return batch;
}

// Packed weights are not those of training.
Traits types_of(Traits traits) {
  traits.weights = ElementType::float32;
  return traits;
}

class Needs {
 public:
  Needs(const Config& config, const MemoryInputs& in)
      : config_(config), in_(in),
        backend_(in.subwords.target.eos() == 0 ? 1 : 0, types_of(in.traits)),
        model_(make_model(config)), shards_((config.shards + in.ranks - 1) / in.ranks) {
    std::size_t bytes = resident();
    model_->params().place(backend_);
    // Parameters, two arrays of the optimiser, the average, the weights in eight bits as floats, a
    // gradient for each shard; and what arrives from other processes.
    const int arrays = 3 + (config.averages() ? 1 : 0) + (config.quantize_from > 0 ? 1 : 0) +
                       shards_ + (in.ranks > 1 ? 2 : 0);
    bytes += kProcess + static_cast<std::size_t>(in.threads) * kThread;
    bytes += static_cast<std::size_t>(arrays) * static_cast<std::size_t>(model_->params().size()) *
             sizeof(float);
    if (in.traits.factors != ElementType::float32) {
      bytes += bytes_of(in.traits.factors, 1, model_->params().size());
      // A thread's factors of a product, as they are multiplied; the largest are the gradients of
      // logits.
      bytes += static_cast<std::size_t>(in.threads) *
               bytes_of(in.traits.factors, 2 * 512, config.target_vocab);
    }
    bytes += 16 * static_cast<std::size_t>(in.corpus.size());  // the order of an epoch
    if (in.development)
      bytes += validation_memory(*model_, backend_, in.subwords, *in.development, in.threads);
    fixed_ = bytes;
    for (std::int64_t i = 0; i < in.corpus.size(); ++i)
      longest_ = std::max({longest_, in.corpus.source_length(i), in.corpus.target_length(i)});
    mean_ = std::max(in.corpus.source_tokens(), in.corpus.target_tokens()) /
            std::max<std::int64_t>(1, in.corpus.size());
  }

  std::size_t with(std::int64_t tokens) const {
    const std::size_t bytes =
        fixed_ + static_cast<std::size_t>(std::min(in_.threads, shards_)) * activations(tokens);
    return bytes + bytes / 50;
  }

 private:
  // The memory of the largest shard, and of smaller ones before and after it, which leave gaps.
  std::size_t activations(std::int64_t tokens) const {
    // The largest shards of some updates.
    std::int64_t source = 1, target = 1;
    BatchOptions options = batch_options(config_);
    options.tokens = tokens;
    const Epoch epoch(in_.corpus, options, 0);
    for (std::int64_t u = 0; u < std::min(kSample, epoch.batches()); ++u)
      for (const Batch& shard : epoch.shards(u))
        source = std::max(source, shard.source.rows()),
        target = std::max(target, shard.target_out.rows());
    const double growth = Respelling::growth(config_);
    const auto more = [&](std::int64_t rows, double times) {
      return std::max(longest_,
                      static_cast<std::int64_t>(times * growth * static_cast<double>(rows)));
    };
    Gradients gradients(model_->params(), backend_);
    const DeviceArray<double> sums(backend_, 3);
    Tape tape(backend_, model_->params());
    for (const auto& [part, length] :
         {std::pair(1.0, mean_), {0.5, longest_}, {1.0, longest_}, {1.0, mean_}}) {
      Batch batch = batch_of(more(source, part), more(target, part), length);
      if (config_.r_drop > 0) batch = twice(batch);
      gradients.begin();
      tape.record_to(gradients, Dropout());
      model_->loss(tape, batch, 1, sums.data());
      tape.backward();
    }
    return tape.arena().reserved();
  }

  const Config& config_;
  const MemoryInputs& in_;
  const DryBackend backend_;  // on which search always finds the same piece, never </s>
  const std::unique_ptr<Model> model_;
  const int shards_;  // of this process
  std::size_t fixed_ = 0;
  std::int64_t longest_ = 1, mean_ = 1;  // of sentences
};

}  // namespace

std::size_t memory_needed(const Config& config, const MemoryInputs& in) {
  return Needs(config, in).with(config.tokens);
}

std::int64_t most_tokens(const Config& config, const MemoryInputs& in, std::size_t bytes) {
  const Needs needs(config, in);
  const auto fits = [&](std::int64_t tokens) { return needs.with(tokens) <= bytes; };
  const auto two_digits = [](std::int64_t tokens) {
    std::int64_t unit = 1;
    while (tokens / unit >= 100) unit *= 10;
    return tokens / unit * unit;
  };
  std::int64_t least = config.shards,
               beyond = std::max(in.corpus.source_tokens(), in.corpus.target_tokens()) + 1;
  if (!fits(least))
    throw SettingError(Setting{"memory"}, " ", human_bytes(bytes), ": training takes at least ",
                       human_bytes(needs.with(least)), " with ", config.shards, " shards on ",
                       in.threads, " threads; use fewer of them, or a smaller model");
  // Batches of what is tried are made, so from below: of half the pairs they would themselves be
  // more than is allowed.
  for (std::int64_t more = 2 * least; more < beyond; more *= 2) {
    if (!fits(two_digits(more))) beyond = two_digits(more);
    else least = two_digits(more);
  }
  while (two_digits(beyond - 1) > least) {
    const std::int64_t middle = two_digits(least + (beyond - least) / 2);
    if (middle <= least) {
      if (fits(two_digits(beyond - 1))) least = two_digits(beyond - 1);
      break;
    }
    if (fits(middle)) least = middle;
    else beyond = middle;
  }
  return least;
}

}  // namespace tt
