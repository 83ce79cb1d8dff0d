#include "train/trainer.h"

#include <csignal>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "cpu/cpu.h"
#include "tensor/peak.h"
#include "text/subword_dropout.h"
#include "train/reporter.h"

namespace tt {
namespace {

constexpr double kLong = 10;  // seconds; after a longer run the peak is measured, to say what part of it was reached

volatile std::sig_atomic_t signal_seen = 0;
void on_signal(int number) { signal_seen = number; }

// SIGINT and SIGTERM are noted while this lives; a second one ends the program at once.
class SignalWatch {
 public:
  SignalWatch() {
    signal_seen = 0;
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~SignalWatch() {
    for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  int seen() const { return signal_seen; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2];
};

// Batches in order, epoch after epoch, from any place.
class BatchStream {
 public:
  BatchStream(const ParallelCorpus& corpus, const Config& config)
      : corpus_(corpus), options_{config.tokens, config.shards, config.seed} {}

  // Appends the shards of the next batch and moves the place on.
  void next(RunState& state, std::vector<Batch>& shards) {
    if (!epoch_ || number_ != state.epoch) {
      epoch_.emplace(corpus_, options_, state.epoch);
      number_ = state.epoch;
    }
    for (Batch& shard : epoch_->shards(state.batch)) shards.push_back(std::move(shard));
    batches_ = epoch_->updates();
    if (++state.batch == batches_) ++state.epoch, state.batch = 0;
  }

  // Where training stands, in epochs.
  double place(const RunState& state) const {
    return static_cast<double>(state.epoch) + (batches_ ? static_cast<double>(state.batch) / static_cast<double>(batches_) : 0);
  }

 private:
  const ParallelCorpus& corpus_;
  BatchOptions options_;
  std::optional<Epoch> epoch_;
  std::int64_t number_ = -1, batches_ = 0;
};

// Why training is over, or empty.
std::string limit_reached(const Config& config, const RunState& state) {
  if (config.max_updates > 0 && state.update >= config.max_updates) return "max-updates";
  if (config.max_epochs > 0 && state.epoch >= config.max_epochs) return "max-epochs";
  if (config.patience > 0 && state.validations_without_gain >= config.patience) return "patience";
  return "";
}

bool due(std::int64_t update, std::int64_t every) { return every > 0 && update % every == 0; }

}  // namespace

int train(Config config, const TrainingInputs& in) {
  const SignalWatch signals;
  const bool joint = in.source_subword == in.target_subword;
  const Subword source = Subword::load(in.source_subword), target = joint ? source : Subword::load(in.target_subword);
  config.source_vocab = source.size();
  config.target_vocab = target.size();
  if (config.embeddings == "shared" && source.bytes() != target.bytes())
    throw Error(
        "embeddings shared by source and target need one joint subword model; give one --subword, or --embeddings target");
  check(config, "settings");
  const SubwordDropout resegment(source, target, static_cast<float>(config.subword_dropout), config.seed, config.max_length);

  Run run(in.folder);
  const CpuBackend backend;
  ThreadPool pool(in.threads);
  const auto model = make_model(config);
  Updater updater(*model, backend, pool);
  RunState state;
  if (auto before = run.resume(*model, updater, source, target)) {
    state = *before;
    if (!state.ended.empty() && limit_reached(config, state) == state.ended) {
      say(in.folder + ": training has ended after update " + with_commas(static_cast<std::uint64_t>(state.update)) + " (" +
          state.ended + "); nothing to do");
      run.mark_done(state.ended);
      return 0;
    }
    state.ended.clear();
    run.unmark_done();
    say(in.folder + ": going on after update " + with_commas(static_cast<std::uint64_t>(state.update)));
  }

  const CorpusOptions corpus_options{config.max_length, in.threads};
  const ParallelCorpus corpus = read_parallel(in.train_source, in.train_target, source, target, corpus_options);
  std::optional<DevelopmentSet> development;
  if (!in.dev_source.empty()) development = read_development(in.dev_source, in.dev_target, source, target, corpus_options);
  if (config.patience > 0 && !development) throw Error("--patience needs validation; give --dev, or --patience 0");

  Reporter reporter(in.log, config, state);
  reporter.start(*model, corpus.size(), corpus.source_tokens(), corpus.target_tokens());
  BatchStream stream(corpus, config);
  const double wall_before = state.wall - wall_seconds(), flops_before = state.flops;
  std::int64_t saved = state.update;
  std::vector<Batch> shards;
  for (std::string over = limit_reached(config, state); over.empty() && !signals.seen();) {
    shards.clear();
    for (int i = 0; i < config.accumulate; ++i) stream.next(state, shards);
    ++state.update;
    pool.run(shards.size(), [&](std::size_t i, int) { resegment.apply(shards[i], state.update); });
    const UpdateResult result = updater.update(state.update, shards);
    state.window.add(result.loss);
    state.tokens += result.loss.tokens;
    state.flops = flops_before + updater.meter().flops();
    state.wall = wall_before + wall_seconds();
    state.bleu = state.loss = std::nullopt;
    reporter.update(state, result, stream.place(state));

    over = limit_reached(config, state);
    if (development && (due(state.update, config.valid_every) || !over.empty())) {
      const double began = wall_seconds();
      const ValidationResult valid = validate(*model, backend, pool, source, target, *development, config.tokenize);
      // BLEU decides; while it is 0, as at the beginning, the loss does.
      const bool best = !state.best_bleu || valid.bleu > *state.best_bleu || (valid.bleu == 0 && valid.loss < *state.best_loss);
      state.bleu = valid.bleu;
      state.loss = valid.loss;
      state.best_loss = state.best_loss ? std::min(*state.best_loss, valid.loss) : valid.loss;
      if (best) state.best_bleu = valid.bleu;
      state.validations_without_gain = best ? 0 : state.validations_without_gain + 1;
      state.wall = wall_before + wall_seconds();
      reporter.validation(state, valid, best, stream.place(state), wall_seconds() - began);
      over = limit_reached(config, state);
    }
    state.ended = over;
    if (due(state.update, config.save_every) || state.bleu || !over.empty()) {
      run.save(state, *model, updater, source, target);
      saved = state.update;
    }
  }
  if (state.update > saved) run.save(state, *model, updater, source, target);
  if (in.profile) reporter.profile(updater.meter());
  const int signal = state.ended.empty() ? signals.seen() : 0;
  reporter.end(state, signal ? "signal" : state.ended, wall_seconds() > kLong ? product_rate(backend, pool, 0.1) : 0);
  if (!signal) run.mark_done(state.ended);
  return signal;
}

}  // namespace tt
