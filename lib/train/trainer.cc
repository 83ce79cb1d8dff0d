#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/formatted.h"
#include "base/setting.h"
#include "decode/search.h"
#include "metrics/bleu.h"
#include "model/average.h"
#include "tensor/peak.h"
#include "train/batch_stream.h"
#include "train/changes.h"
#include "train/command.h"
#include "train/memory.h"
#include "train/outlook.h"
#include "train/replicas.h"
#include "train/reporter.h"
#include "train/schedule.h"
#include "train/signals.h"
#include "train/transfer.h"
#include "train/validation.h"

namespace tt {
namespace {

// When training has diverged: a rule of our own.
constexpr double kForgotten = 0.001;    // of the longest gradient, with each update
constexpr std::int64_t kHistory = 100;  // gradients that make a history
constexpr int kRollbacksMost = 10;
constexpr double kLong =
    10;  // seconds; after a longer run the peak is measured, to report the fraction reached

// With in.memory, the batches that a run has already, if there is one.
Config first_choice(Config config, const TrainingInputs& in, const Ranks& ranks) {
  if (!in.memory) return config;
  if (ranks.first() && is_folder(in.folder))
    for (const Checkpoint& checkpoint : list_checkpoints(in.folder, true)) try {
        config.tokens = stored_config(TensorFile(checkpoint.path)).tokens;
      } catch (const Error&) {  // damaged: the one before it counts
      }
  ranks.share(&config.tokens, sizeof config.tokens);
  return config;
}

void say_if_any(const std::string& line) {
  if (!line.empty()) say(line);
}

bool due(std::int64_t update, std::int64_t every) { return every > 0 && update % every == 0; }

// A run in progress: its updates, when validation and saving are due, and how it ends.
class Training {
 public:
  Training(Config config, const TrainingInputs& in, const Backend& backend, const Ranks& ranks)
      : ranks_(ranks), replicas_(ranks, backend), subwords_(load_subwords(config, in)),
        config_(first_choice(config, in, ranks)), in_(with_language_pieces(in, config, subwords_)),
        backend_(backend), pool_(in.threads), respelling_(subwords_, config),
        model_(make_model(config_)) {
    model_->set_name(in.folder);
    if (ranks.first()) run_.emplace(in.folder);
    replicas_.check(config_, in, subwords_);
  }

  TrainingEnd run() {
    if (!prepare()) return {0, degraded_};
    if (development_ && state_.update == 0 && !state_.from.empty()) measure_beginning();
    if (state_.validation_pending && development_) validate();
    do {
      while (limit_reached().empty() && !signalled()) {
        update();
        if (state_.update == saved_) continue;  // rolled back
        if (!limit_reached().empty()) break;
        if (due(state_.update, config_.valid_every) || due(state_.update, config_.save_every))
          replicas_.check(*model_);
        if (development_ && due(state_.update, config_.valid_every)) save_and_validate();
        else if (due(state_.update, config_.save_every) ||
                 (unsaved_ && due(state_.update, config_.report_every)))
          try_to_save();
      }
    } while (goes_on_after_all());
    return {end(), degraded_};
  }

 private:
  // Whether the run must stop: on all ranks, if one was asked to.
  bool signalled() { return stopped_ = stopped_ || ranks_.any(signals_->seen()); }

  // Everything before the first update. False: there is nothing to do.
  bool prepare() {
    const auto before =
        run_ ? run_->find(*model_, subwords_.source, subwords_.target) : std::nullopt;
    if (before) state_ = before->state;
    replicas_.share(state_);
    const bool resumed = state_.update > 0;
    const std::vector<Change> changes =
        before ? changes_since(*before, in_) : std::vector<Change>();
    if (resumed && in_.unchanged) require_unchanged(changes, state_, in_, config_.schedule);
    if (resumed)
      if (const std::string late = late_changes(changes, state_, in_, limit_reached());
          !late.empty())
        degrade(in_.folder + ": " + late);
    if (resumed && !state_.ended.empty() && limit_reached() == state_.ended) {
      stay_ended(before);
      return false;
    }
    if (run_) run_->require_writable();
    if (resumed) resume(changes);
    else state_.from = in_.from;
    state_.freeze = in_.freeze;
    // Errors are found before a corpus is encoded and stored.
    const std::vector<int> frozen = parameters_of(*model_, in_.freeze);
    if (!in_.dev.empty()) {
      metrics::BleuOptions bleu;
      bleu.tokenize = config_.tokenize;
      const metrics::Bleu usable(bleu);  // its dictionaries are there
    }
    if (config_.patience > 0 && in_.dev.empty())
      throw SettingError(Setting{"patience"}, " needs validation; give ", Setting{"dev"}, ", or ",
                         Setting{"patience"}, " 0");
    read_corpora();
    report_losses();
    if (in_.memory) choose_tokens(resumed);
    if (resumed) model_->params().place(backend_);
    else draw();
    updater_.emplace(*model_, backend_, pool_, frozen, ranks_);
    if (in_.profile) updater_->time_kernels();
    if (before) before->restore(model_->params(), *updater_);
    replicas_.share(*model_, *updater_);
    stream_.emplace(*corpus_, respelling_, pool_, config_);
    if (const std::string why = stream_->find_place(state_); !why.empty())
      warn(in_.folder + ": " + why);
    find_validation();
    if (ranks_.number() > 1)
      ranks_.agree("training pairs than rank 0; give all the same files", state_.corpus);
    place_ = stream_->place(state_);
    if (run_) {
      run_->create();
      run_->set_command(write_command(in_, config_));
      // The log may be in the folder, and may wait for the reader of a pipe.
      reporter_.emplace(*run_, in_.log, config_, state_,
                        [this] { return signals_ && signals_->seen() != 0; });
    }
    signals_.emplace();  // until here there is nothing to save
    if (run_) {
      if (resumed) update_status(in_.folder, config_);
      else run_->begin();
      run_->unmark_done();
      reporter_->start(*model_, corpus_->pairs());
    }
    say_of_threads();
    wall_before_ = state_.wall - wall_seconds();
    flops_before_ = state_.flops;
    return true;
  }

  void stay_ended(const std::optional<SavedRun>& before) {
    say(in_.folder + ": training has ended after update " +
        with_commas(static_cast<std::uint64_t>(state_.update)) + " (" + state_.ended +
        "); nothing to do");
    if (!run_ || !run_->writable()) return;
    run_->prune(stored_config(before->checkpoint));  // as it may have been killed doing
    run_->mark_done(state_.ended);
    Reporter::add_end(in_.log, state_);
  }

  void resume(const std::vector<Change>& changes) {
    for (const Change& c : changes) warn(in_.folder + ": " + message_of(c));
    state_.ended.clear();
    saved_ = state_.update;
    say(in_.folder + ": resuming after update " +
        with_commas(static_cast<std::uint64_t>(state_.update)));
    if (begins_elsewhere(state_, in_))
      warn(in_.folder + ": from has no effect on a run that is resumed" +
           (state_.from.empty() ? "; it began at random" : "; it began with " + state_.from));
  }

  void read_corpora() {
    const CorpusOptions options{config_.max_length,
                                in_.threads,
                                in_.language_temperature.value_or(1),
                                {config_.context, config_.context_sides == ContextSides::both},
                                config_.context_dropout};
    if (!in_.dev.empty()) {
      development_.emplace(read_development(in_.dev, subwords_.source, subwords_.target, options));
      check_lengths(*development_, in_, model_->longest());
    }
    // Rank 0 may have made it from a copy of the corpus on its machine, which has another time of
    // change.
    std::string note =
        in_.store.empty() ? "" : store_note(in_.train, subwords_.source, subwords_.target, options);
    if (!in_.store.empty()) ranks_.share(note);
    const auto read = [&] {
      corpus_.emplace(
          read_parts(in_.train, subwords_.source, subwords_.target, options, in_.store, note));
    };
    if (run_ && !in_.store.empty()) run_->create();  // the store may be in the folder
    // Where ranks see the same store, the first makes it.
    if (ranks_.first()) read();
    if (!in_.store.empty()) ranks_.any(false);
    if (!ranks_.first()) read();
    if (run_ && in_.language_temperature.value_or(1) != 1) say_mix();
  }

  // How often the pairs of each corpus come, which has a stretch of its own.
  void say_mix() const {
    const auto& stretches = corpus_->stretches();
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const std::int64_t end = i + 1 < stretches.size() ? stretches[i + 1].begin : corpus_->size();
      say(in_.train[i].languages.from + "-" + in_.train[i].languages.to + ": " +
          with_commas(static_cast<std::uint64_t>(end - stretches[i].begin)) +
          formatted(" pairs, %.3g times in an epoch", stretches[i].weight));
    }
  }

  // Reports text that the model learns nothing of.
  void report_losses() {
    const auto report = [&](const PairStore& pairs) {
      for (const std::string& remark : pairs.remarks) degrade(remark);
    };
    report(corpus_->pairs());
    if (development_) report(development_->corpus.pairs());
    for (const std::string& remark : respelling_.remarks()) degrade(remark);
  }

  // In eight bits is validated what the next update would begin with.
  bool validates_quantized() const { return updater_->quantizes(state_.update + 1); }

  void find_validation() {
    if (!development_) {
      state_.validation_pending = false;
      return;
    }
    const std::string now = validation_of(*development_, config_, validates_quantized());
    if (state_.best_bleu && !state_.validation.empty() && state_.validation != now) {
      const std::string anew = "; the best checkpoints are chosen anew";
      if (now.starts_with(state_.validation)) say("validated in eight bits from here on" + anew);
      else warn(in_.folder + ": the validation has changed" + anew);
      state_.best_bleu = state_.best_loss = state_.last_bleu = state_.bleu = state_.loss =
          std::nullopt;
      state_.validations_without_gain = 0;
    }
    state_.validation = now;
  }

  // The largest batches that fit, or those that the run has, if they do. Rank 0 decides.
  void choose_tokens(bool resumed) {
    const MemoryInputs inputs{*corpus_,         development_ ? &*development_ : nullptr,
                              subwords_.source, subwords_.target,
                              in_.threads,      ranks_.number(),
                              backend_.traits()};
    if (!backend_.traits().host_memory)
      throw SettingError(Setting{"memory"}, " is that of CPUs; omit it, or ", Setting{"device"});
    // The memory needed changes a little from time to time, which must not change the batches.
    if (ranks_.first() &&
        !(resumed && memory_needed(config_, inputs) <= *in_.memory + *in_.memory / 20))
      config_.tokens = most_tokens(config_, inputs, *in_.memory);
    ranks_.share(&config_.tokens, sizeof config_.tokens);
    model_ = make_model(config_);
    model_->set_name(in_.folder);
    say("batches of " + with_commas(static_cast<std::uint64_t>(config_.tokens)) + " tokens: " +
        human_bytes(memory_needed(config_, inputs)) + " of " + human_bytes(*in_.memory));
  }

  void say_of_threads() const {
    const int ranks = ranks_.number(), idle = in_.threads - (config_.shards + ranks - 1) / ranks;
    if (ranks > 1)
      say(std::to_string(ranks) + " processes with " + std::to_string(in_.threads) +
          " threads each train together");
    if (!backend_.traits().queue && idle > 0)
      say(std::to_string(idle) + " of " + std::to_string(in_.threads) +
          " threads are idle except in validation: there are only " +
          std::to_string(config_.shards) + " shards");
  }

  // The parameters that training starts from.
  void draw() {
    std::optional<TensorFile> from;
    if (!state_.from.empty()) {
      // By the name that this call gives it: the run may have begun in another folder.
      from.emplace(open_model(in_.from.empty() ? state_.from : in_.from)), from->verify();
      const std::string sum = parameter_checksum(*from);
      if (!state_.from_checksum.empty() && state_.from_checksum != sum)
        throw Error(
            state_.from,
            ": is not the model that the run began with, but was replaced; copy that again");
      state_.from_checksum = sum;
    }
    model_->params().draw(backend_, config_.seed);
    if (from) take_parameters(*model_, subwords_.source, subwords_.target, *from);
  }

  // `epochs`: of each update.
  void begin_outlook(double epochs) {
    double updates =
        static_cast<double>(std::max<std::int64_t>(0, config_.max_updates - state_.update));
    if (config_.max_epochs > 0 && epochs > 0) {
      const double until = (static_cast<double>(config_.max_epochs) - place_) / epochs;
      updates = updates > 0 ? std::min(updates, until) : until;
    }
    const int ranks = ranks_.number(), shards = (config_.shards + ranks - 1) / ranks;
    outlook_.emplace(config_, shards * config_.accumulate, std::min(in_.threads, shards), updates);
    updater_->after_batch([this] { say_if_any(outlook_->part()); });
  }

  // A device computes the gradient while the next batch is prepared.
  void update() {
    const std::span<const Batch> shards = stream_->next(state_);
    const double before = std::exchange(place_, stream_->place(state_));
    if (reporter_ && !outlook_) begin_outlook(place_ - before);
    updater_->start(++state_.update, shards);
    if (limit_reached().empty()) stream_->read_ahead(state_);
    const bool limited =
        config_.clip == 0 && config_.divergence_ratio > 0 && state_.gradients >= kHistory;
    UpdateLimits limits{std::ldexp(1.0, -state_.rollbacks)};
    if (limited) limits.gradient_norm = config_.divergence_ratio * state_.longest_gradient;
    UpdateResult result;
    try {
      result = updater_->finish(limits);
    } catch (const Diverged& error) {
      if (config_.on_divergence == OnDivergence::stop || state_.rollbacks == kRollbacksMost) throw;
      return roll_back(error);
    }
    state_.longest_gradient =
        std::max(result.gradient_norm, state_.longest_gradient * (1 - kForgotten));
    ++state_.gradients;
    state_.window.add(result.loss);
    state_.tokens += result.loss.tokens;
    state_.flops = flops_before_ + result.flops;
    state_.wall = wall_before_ + wall_seconds();
    state_.bleu = state_.loss = std::nullopt;
    if (!reporter_) return;
    say_if_any(outlook_->update(state_.update));
    reporter_->update(state_, result, place_);
  }

  // Rolls back to the checkpoint that an uninterrupted run would roll back to, and halves the rate;
  // but not to the weights with which it diverged, as it would again.
  void roll_back(const Diverged& error) {
    const int rollbacks = state_.rollbacks + 1;
    const std::int64_t diverged = state_.update;
    const double wall = state_.wall;
    const auto before = run_ ? run_->newest_on_schedule(diverged - 1) : std::nullopt;
    const auto [from, checksum, freeze] =
        std::tuple(state_.from, state_.from_checksum, state_.freeze);
    state_ = before ? before->state : RunState{};
    state_.from = from, state_.from_checksum = checksum, state_.freeze = freeze;
    replicas_.share(state_);
    if (before) {
      before->restore(model_->params(), *updater_);
    } else if (state_.update == 0) {
      draw();
      updater_->reset();
    }
    replicas_.share(*model_, *updater_);
    state_.rollbacks = rollbacks;
    state_.wall = wall;
    state_.ended.clear();
    state_.validation_pending = false;
    saved_ = state_.update;
    saved_end_.clear();
    stream_->find_place(state_);
    find_validation();
    if (!reporter_) return;
    warn(std::string(error.what()) + "; rolled back to update " + std::to_string(state_.update) +
         ", with half the rate");
    reporter_->rollback(state_, diverged);
  }

  // Why training is over, or empty.
  std::string limit_reached() const {
    if (config_.max_updates > 0 && state_.update >= config_.max_updates) return "max-updates";
    if (config_.max_epochs > 0 && state_.epoch >= config_.max_epochs) return "max-epochs";
    if (config_.patience > 0 && state_.validations_without_gain >= config_.patience)
      return "patience";
    return "";
  }

  // Saves first, so that nothing is lost if the validation fails or is killed.
  void save_and_validate() {
    state_.validation_pending = true;
    try_to_save();
    validate();
  }

  // Validates, and saves the results with the checkpoint, if there are any.
  void validate() {
    if (ranks_.first()) measure();
    replicas_.share(state_);
    if (!state_.validation_pending) try_to_save();
  }

  // How good the model is that a run begins with.
  void measure_beginning() {
    state_.validation_pending = true;
    if (ranks_.first()) measure();
    state_.validation_pending = false;
    replicas_.share(state_);
  }

  // Validates, and adds the result to the state; after a signal it is left pending. Does nothing
  // where training has diverged: the next update finds that too, and does what it should then.
  void measure() {
    const double began = wall_seconds();
    std::optional<ValidationResult> result;
    if (config_.quantize_from > 0) find_validation();
    try {
      const Updater::Averaged averaged(*updater_, validates_quantized());
      result = tt::validate(*model_, backend_, pool_, subwords_.source, subwords_.target,
                            *development_, [this] { return signals_->seen() != 0; });
    } catch (const NotFinite& error) {
      if (!limit_reached().empty()) throw;
      warn(std::string(error.what()) + "; not validated");
      state_.validation_pending = false;
    }
    state_.wall = wall_before_ + wall_seconds();
    if (!result) return;
    const bool best = take_validation(state_, *result);
    reporter_->validation(state_, *result, best, place_, wall_seconds() - began, *development_,
                          in_.show.value_or(0));
    state_.ended = limit_reached();
  }

  // If the disk is full or read-only, training goes on and saves when it can: stopping would lose
  // what is in memory.
  void try_to_save() {
    unsaved_ = true;
    try {
      save();
    } catch (const DeviceError&) {
      throw;  // nothing can go on
    } catch (const Error& error) {
      warn(std::string(error.what()) + "; training goes on, and tries again");
    }
  }

  void save() {
    if (run_) run_->save(state_, *model_, *updater_, subwords_.source, subwords_.target);
    saved_ = state_.update;
    saved_end_ = state_.ended;
    unsaved_ = false;
  }

  // At a limit the last update is validated and saved, whether due or not. Whether that has ended
  // patience's limit.
  bool goes_on_after_all() {
    replicas_.check(*model_);
    if (limit_reached().empty() || !development_ || state_.bleu) return false;
    save_and_validate();
    return limit_reached().empty();
  }

  void degrade(const std::string& remark) {
    warn(remark);
    degraded_ = true;
  }

  // quantize_from may lie behind the end, or another limit come first, or before the schedule's.
  void say_unfinished(const std::string& limit) {
    if (config_.quantize_from > state_.update)
      degrade(in_.folder + ": no update was taken at weights in eight bits, as quantize_from is " +
              std::to_string(config_.quantize_from));
    const std::string note = unfinished_schedule(config_, state_.update, limit);
    if (!note.empty()) degrade(in_.folder + ": " + note);
  }

  // After a signal the last update is only saved, and a validation that it ended is made when the
  // run goes on. Returns the signal, or 0.
  int end() {
    const std::string reason = limit_reached();
    const bool pending = state_.validation_pending && development_;
    state_.ended = pending ? "" : reason;
    if (state_.update > saved_ || state_.ended != saved_end_) save();
    if (in_.profile) say_profile(updater_->meter());
    // Where another rank got the signal, this one ends in the usual way.
    const int signal =
        reason.empty() || pending ? signals_->seen() ? signals_->seen() : SIGTERM : 0;
    if (run_) {
      if (!signal) run_->mark_done(reason), say_unfinished(reason);
      try {
        reporter_->end(state_, signal ? "signal" : reason,
                       wall_seconds() > kLong ? product_rate(backend_, pool_, 0.1) : 0);
      } catch (const Error& error) {  // the same signal may have ended the reader of the log
        if (!signal) throw;
        warn(error.what());
      }
    }
    return signal;
  }

  const Ranks& ranks_;
  const Replicas replicas_;
  std::optional<SignalWatch> signals_;
  bool stopped_ = false;  // by a signal, to any rank
  const SubwordPair subwords_;
  Config config_;
  const TrainingInputs in_;
  const Backend& backend_;
  std::optional<Run> run_;  // of rank 0 only, and so is the reporter
  ThreadPool pool_;
  const Respelling respelling_;
  std::unique_ptr<Model> model_;
  std::optional<Updater> updater_;
  std::optional<ParallelCorpus> corpus_;
  std::optional<DevelopmentSet> development_;
  std::optional<BatchStream> stream_;
  std::optional<Reporter> reporter_;
  std::optional<Outlook> outlook_;
  RunState state_;
  double place_ = 0;  // in epochs
  double wall_before_ = 0, flops_before_ = 0;
  std::int64_t saved_ = 0;  // the newest update on disk
  std::string saved_end_;
  bool unsaved_ = false;   // the last attempt failed
  bool degraded_ = false;  // not all of the text was learned, or not as the settings say
};

}  // namespace

TrainingEnd train(Config config, const TrainingInputs& inputs, const Backend& backend,
                  const Ranks& ranks) {
  keep_warnings();
  check_inputs(inputs);
  return Training(with_views_and_links(std::move(config), inputs), inputs, backend, ranks).run();
}

}  // namespace tt
