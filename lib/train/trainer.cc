#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/setting.h"
#include "clean/target_text.h"
#include "decode/search.h"
#include "metrics/bleu.h"
#include "model/average.h"
#include "tensor/peak.h"
#include "train/batch_stream.h"
#include "train/command.h"
#include "train/memory.h"
#include "train/optimizer.h"
#include "train/replicas.h"
#include "train/reporter.h"
#include "train/signals.h"
#include "train/transfer.h"
#include "train/update_trace.h"
#include "train/validation.h"

namespace tt {
namespace {

// When training has diverged: a rule of our own.
constexpr double kForgotten = 0.001;    // of the longest gradient, with each update
constexpr std::int64_t kHistory = 100;  // gradients that make a history
constexpr int kRollbacksMost = 10;
constexpr double kLong = 10;  // seconds; behind longer runs the peak is measured, for its fraction

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

// Text of several languages says nothing of one of them.
bool has_one_target_language(const std::vector<CorpusPart>& parts) {
  return std::ranges::all_of(
      parts, [&](const CorpusPart& part) { return part.languages.to == parts[0].languages.to; });
}

clean::TargetText target_text_of(const PairStore& pairs, const SubwordPair& subwords) {
  std::vector<std::int32_t> pieces;
  const auto text = [&](const Subword& subword, auto append, std::size_t i) {
    pieces.clear();
    (pairs.*append)(pieces, static_cast<std::int64_t>(i));
    return subword.decode(pieces);
  };
  return clean::learn_target_text(static_cast<std::size_t>(pairs.size()), [&](std::size_t i) {
    return std::pair(text(subwords.source, &PairStore::append_source, i),
                     text(subwords.target, &PairStore::append_target, i));
  });
}

bool due(std::int64_t update, std::int64_t every) { return every > 0 && update % every == 0; }

// A run in progress. The work beside its updates has one owner each, which knows when it is due:
// the reporter, and below it who saves and who validates.
struct Training {
  Training(Config given, const TrainingInputs& inputs, const Backend& backend, const Ranks& ranks)
      : ranks(ranks), replicas(ranks, backend), subwords(load_subwords(given, inputs)),
        config(first_choice(given, inputs, ranks)),
        in(with_language_pieces(inputs, config, subwords)), backend(backend), pool(inputs.threads),
        model(make_model(config)) {
    model->set_name(in.folder);
    if (ranks.first()) folder.emplace(in.folder);
    replicas.check(config, in, subwords);
  }

  // Why training is over, or empty.
  std::string limit_reached() const {
    if (config.max_updates > 0 && state.update >= config.max_updates) return "max-updates";
    if (config.max_epochs > 0 && state.epoch >= config.max_epochs) return "max-epochs";
    if (config.patience > 0 && state.validations_without_gain >= config.patience) return "patience";
    return "";
  }

  void degrade(const std::string& remark) {
    warn(remark);
    degraded = true;
  }

  const Ranks& ranks;
  const Replicas replicas;
  const SubwordPair subwords;
  Config config;
  const TrainingInputs in;
  const Backend& backend;
  ThreadPool pool;
  std::unique_ptr<Model> model;
  std::optional<Updater> updater;
  std::optional<Run> folder;  // of rank 0 only, and so is the reporter
  std::optional<Reporter> reporter;
  std::optional<SignalWatch> signals;
  RunState state;
  double place = 0;                          // in epochs
  double wall_before = 0, flops_before = 0;  // of the state, without those of this process
  bool degraded = false;  // not all of the text was learned, or not as the settings say
};

// Saves the run.
class Saver {
 public:
  explicit Saver(Training& training) : t_(training) {}

  // The state is that of the newest checkpoint.
  void loaded() {
    saved_ = tried_ = t_.state.update;
    saved_end_.clear();
  }

  void after_update() {
    const std::int64_t update = t_.state.update;
    if (tried_ == update) return;  // with its validation
    if (due(update, t_.config.save_every) ||
        (tried_ != saved_ && due(update, t_.config.report_every)))
      try_to_save();
  }

  // If the disk is full or read-only, training goes on and saves when it can: stopping would lose
  // what is in memory.
  void try_to_save() {
    tried_ = t_.state.update;
    try {
      save();
    } catch (const DeviceError&) {
      throw;  // nothing can go on
    } catch (const Error& error) {
      warn(std::string(error.what()) + "; training goes on, and tries again");
    }
  }

  void at_end() {
    if (t_.state.update > saved_ || t_.state.ended != saved_end_) save();
  }

 private:
  void save() {
    if (t_.folder) t_.folder->save(t_.state, *t_.model, *t_.updater, t_.subwords);
    saved_ = t_.state.update;
    saved_end_ = t_.state.ended;
  }

  Training& t_;
  std::int64_t saved_ = 0, tried_ = 0;  // the newest update on disk, and that was to be saved
  std::string saved_end_;
};

// Validates the model. The run is saved before, so that nothing is lost if validation fails or is
// killed, and after, with the results.
class Validator {
 public:
  Validator(Training& training, Saver& saver) : t_(training), saver_(saver) {}

  // Reads the development set, if there is one.
  void read(const CorpusOptions& options) {
    if (t_.in.dev.empty() && t_.config.patience > 0)
      throw SettingError(Setting{"patience"}, " needs validation; give ", Setting{"dev"}, ", or ",
                         Setting{"patience"}, " 0");
    if (t_.in.dev.empty()) return;
    metrics::BleuOptions bleu;
    bleu.tokenize = t_.config.tokenize;
    const metrics::Bleu usable(bleu);  // its dictionaries are there
    set_ = read_development(t_.in.dev, t_.subwords.source, t_.subwords.target, options);
    check_lengths(*set_, t_.in, t_.model->longest());
  }
  const DevelopmentSet* set() const { return set_ ? &*set_ : nullptr; }

  // Earlier results count if they are those of the same validation.
  void find() {
    RunState& state = t_.state;
    if (!set_) {
      state.validation_pending = false;
      return;
    }
    const std::string now = validation_of(*set_, t_.config, quantized());
    if (state.best_bleu && !state.validation.empty() && state.validation != now) {
      const std::string anew = "; the best checkpoints are chosen anew";
      if (now.starts_with(state.validation)) say("validated in eight bits from here on" + anew);
      else warn(t_.in.folder + ": the validation has changed" + anew);
      state.best_bleu = state.best_loss = state.last_bleu = state.bleu = state.loss = std::nullopt;
      state.validations_without_gain = 0;
    }
    state.validation = now;
  }

  // How good the model is that a run begins with, or a validation that was left pending.
  void begin() {
    if (set_ && t_.state.update == 0 && !t_.state.from.empty()) {
      measure();
      t_.state.validation_pending = false;
      t_.replicas.share(t_.state);
    } else if (t_.state.validation_pending) {
      validate();
    }
  }

  void after_update() {
    if (set_ && due(t_.state.update, t_.config.valid_every)) save_and_validate();
  }

  // At a limit the last update is validated, whether due or not. Whether that has ended patience's
  // limit, so that training goes on.
  bool at_end() {
    if (t_.limit_reached().empty() || !set_ || t_.state.bleu) return false;
    save_and_validate();
    return t_.limit_reached().empty();
  }

 private:
  void save_and_validate() {
    t_.state.validation_pending = true;
    saver_.try_to_save();
    validate();
  }

  void validate() {
    measure();
    t_.replicas.share(t_.state);
    if (!t_.state.validation_pending) saver_.try_to_save();
  }

  // Adds the result to the state; after a signal it is left pending. Does nothing where training
  // has diverged: the next update finds that too, and does what it should then.
  void measure() {
    if (!t_.ranks.first()) return;
    RunState& state = t_.state;
    const double began = wall_seconds();
    std::optional<ValidationResult> result;
    if (t_.config.quantize_from > 0) find();
    try {
      const Updater::Averaged averaged(*t_.updater, quantized());
      result = tt::validate(*t_.model, t_.backend, t_.pool, t_.subwords, *set_,
                            [this] { return t_.signals->seen() != 0; });
    } catch (const NotFinite& error) {
      if (!t_.limit_reached().empty()) throw;
      warn(std::string(error.what()) + "; not validated");
      state.validation_pending = false;
    }
    state.wall = t_.wall_before + wall_seconds();
    if (!result) return;
    const bool best = take_validation(state, *result);
    t_.reporter->validation(state, *result, best, t_.place, wall_seconds() - began, *set_,
                            t_.in.show.value_or(0));
    state.ended = t_.limit_reached();
  }

  // In eight bits is validated what the next update would begin with.
  bool quantized() const { return t_.updater->quantizes(t_.state.update + 1); }

  Training& t_;
  Saver& saver_;
  std::optional<DevelopmentSet> set_;
};

// The updates of a run, how it begins and goes back, and how it ends.
class Trainer : Training {
 public:
  using Training::Training;

  TrainingEnd run() {
    if (!prepare()) return {0, degraded};
    validator_.begin();
    do {
      while (limit_reached().empty() && !signals->seen_by_any(ranks)) {
        if (!update()) continue;
        if (!limit_reached().empty()) break;
        if (due(state.update, config.valid_every) || due(state.update, config.save_every))
          replicas.check(*model);
        validator_.after_update();
        saver_.after_update();
      }
      replicas.check(*model);
    } while (validator_.at_end());
    return {end(), degraded};
  }

 private:
  // Everything before the first update. False: there is nothing to do.
  bool prepare() {
    const auto before = folder ? folder->find(*model, subwords) : std::nullopt;
    if (before) state = before->state;
    replicas.share(state);
    if (resumed() && !goes_on(before)) return false;
    if (folder) folder->require_writable();
    if (!resumed()) state.from = in.from;
    state.freeze = in.freeze;
    // Errors are found before a corpus is encoded and stored.
    const std::vector<int> frozen = parameters_of(*model, in.freeze);
    const CorpusOptions options{config.max_length,
                                in.threads,
                                in.language_temperature.value_or(1),
                                {config.context, config.context_sides == ContextSides::both},
                                config.context_dropout};
    validator_.read(options);
    if (folder && !in.store.empty()) folder->create();  // the store may be in the folder
    corpus_.emplace(read_corpus(in, subwords, options, ranks));
    report_losses();
    if (in.memory) choose_tokens();
    if (resumed()) model->params().place(backend);
    else draw();
    updater.emplace(*model, backend, pool, frozen, ranks);
    if (in.profile) updater->time_kernels();
    if (before) before->restore(model->params(), *updater);
    replicas.share(*model, *updater);
    stream_.emplace(*corpus_, respelling_, pool, config);
    if (const std::string why = stream_->find_place(state); !why.empty())
      warn(in.folder + ": " + why);
    validator_.find();
    if (ranks.number() > 1)
      ranks.agree("training pairs than rank 0; give all the same files", state.corpus);
    place = stream_->place(state);
    begin();
    return true;
  }

  bool resumed() const { return state.update > 0; }

  // A run that goes on; false: it had ended, and stays so.
  bool goes_on(const std::optional<SavedRun>& before) {
    const std::vector<Change> changes = before ? changes_since(*before, in) : std::vector<Change>();
    if (in.unchanged) require_unchanged(changes, state, in, config.schedule);
    if (const std::string late = late_changes(changes, state, in, limit_reached()); !late.empty())
      degrade(in.folder + ": " + late);
    const std::string update = with_commas(state.update);
    if (!state.ended.empty() && limit_reached() == state.ended) {
      say(in.folder + ": training has ended after update " + update + " (" + state.ended +
          "); nothing to do");
      if (!folder || !folder->writable()) return false;
      folder->prune(stored_config(before->checkpoint));  // as it may have been killed doing
      folder->mark_done(state.ended);
      Reporter::add_end(in.log, state);
      return false;
    }
    for (const Change& c : changes) warn(in.folder + ": " + message_of(c));
    state.ended.clear();
    saver_.loaded();
    say(in.folder + ": resuming after update " + update);
    if (begins_elsewhere(state, in))
      warn(in.folder + ": from has no effect on a run that is resumed" +
           (state.from.empty() ? "; it began at random" : "; it began with " + state.from));
    return true;
  }

  // Reports text that the model learns nothing of.
  void report_losses() {
    const auto report = [&](const std::vector<std::string>& remarks) {
      for (const std::string& remark : remarks) degrade(remark);
    };
    report(corpus_->pairs().remarks);
    if (const DevelopmentSet* set = validator_.set()) report(set->corpus.pairs().remarks);
    report(respelling_.remarks());
  }

  // The largest batches that fit, or those that the run has, if they do. Rank 0 decides.
  void choose_tokens() {
    const MemoryInputs inputs{*corpus_,   validator_.set(), subwords,
                              in.threads, ranks.number(),   backend.traits()};
    if (!backend.traits().host_memory)
      throw SettingError(Setting{"memory"}, " is that of CPUs; omit it, or ", Setting{"device"});
    // The memory needed changes a little from time to time, which must not change the batches.
    if (ranks.first() &&
        !(resumed() && memory_needed(config, inputs) <= *in.memory + *in.memory / 20))
      config.tokens = most_tokens(config, inputs, *in.memory);
    ranks.share(&config.tokens, sizeof config.tokens);
    model = make_model(config);
    model->set_name(in.folder);
    say("batches of " + with_commas(config.tokens) + " tokens: " +
        human_bytes(memory_needed(config, inputs)) + " of " + human_bytes(*in.memory));
  }

  // The parameters that training starts from.
  void draw() {
    std::optional<TensorFile> from;
    if (!state.from.empty()) {
      // By the name that this call gives it: the run may have begun in another folder.
      from.emplace(open_model(in.from.empty() ? state.from : in.from)), from->verify();
      const std::string sum = parameter_checksum(*from);
      if (!state.from_checksum.empty() && state.from_checksum != sum)
        throw Error(
            state.from,
            ": is not the model that the run began with, but was replaced; copy that again");
      state.from_checksum = sum;
    }
    model->params().draw(backend, config.seed);
    if (from) take_parameters(*model, subwords, *from);
  }

  // From here on there is something to save and to report.
  void begin() {
    if (folder) {
      folder->create();
      folder->set_command(write_command(in, config));
      if (has_one_target_language(in.train))
        folder->set_target_text(target_text_of(corpus_->pairs(), subwords).text());
      // The log may be in the folder, and may wait for the reader of a pipe.
      reporter.emplace(*folder, in.log, config, state,
                       [this] { return signals && signals->seen() != 0; });
    }
    signals.emplace();
    if (folder) {
      if (resumed()) update_status(in.folder, config);
      else folder->begin();
      folder->unmark_done();
      reporter->start(*model, corpus_->pairs(), in.device);
    }
    const int idle = in.threads - shards();
    if (ranks.number() > 1)
      say(std::to_string(ranks.number()) + " processes with " + std::to_string(in.threads) +
          " threads each train together");
    if (!backend.traits().queue && idle > 0)
      say(std::to_string(idle) + " of " + std::to_string(in.threads) +
          " threads are idle except in validation: there are only " +
          std::to_string(config.shards) + " shards");
    wall_before = state.wall - wall_seconds();
    flops_before = state.flops;
  }

  // Of a batch, that this process computes.
  int shards() const { return (config.shards + ranks.number() - 1) / ranks.number(); }

  // False: training has diverged, and was rolled back. A device computes the gradient while the
  // next batch is prepared.
  bool update() {
    const std::span<const Batch> batches = stream_->next(state);
    const double before = std::exchange(place, stream_->place(state));
    if (reporter && !reporter->has_outlook()) {
      reporter->begin_outlook(shards() * config.accumulate, std::min(in.threads, shards()), state,
                              before, place - before);
      updater->after_batch([this] { reporter->after_batch(); });
    }
    updater->start(++state.update, batches);
    std::optional<UpdateTrace> trace;
    if (folder && state.update == in.trace) {
      trace.emplace(*model, *updater, backend, subwords);
      trace->before(state.update, batches);
    }
    if (limit_reached().empty()) stream_->read_ahead(state);
    const bool limited =
        config.clip == 0 && config.divergence_ratio > 0 && state.gradients >= kHistory;
    UpdateLimits limits{std::ldexp(1.0, -state.rollbacks)};
    if (limited) limits.gradient_norm = config.divergence_ratio * state.longest_gradient;
    UpdateResult result;
    try {
      result = updater->finish(limits);
    } catch (const Diverged& error) {
      if (config.on_divergence == OnDivergence::stop || state.rollbacks == kRollbacksMost) throw;
      roll_back(error);
      return false;
    }
    if (trace) trace->after(result, in.folder), traced_ = true;
    state.longest_gradient =
        std::max(result.gradient_norm, state.longest_gradient * (1 - kForgotten));
    ++state.gradients;
    state.window.add(result.loss);
    state.tokens += result.loss.tokens;
    state.flops = flops_before + result.flops;
    state.wall = wall_before + wall_seconds();
    state.bleu = state.loss = std::nullopt;
    if (reporter) reporter->update(state, result, place);
    return true;
  }

  // Rolls back to the checkpoint that an uninterrupted run would roll back to, and halves the rate;
  // but not to the weights with which it diverged, as it would again.
  void roll_back(const Diverged& error) {
    const RunState diverged = state;
    const auto before = folder ? folder->newest_on_schedule(diverged.update - 1) : std::nullopt;
    state = before ? before->state : RunState{};
    state.from = diverged.from, state.from_checksum = diverged.from_checksum;
    state.freeze = diverged.freeze;
    replicas.share(state);
    if (before) {
      before->restore(model->params(), *updater);
    } else if (state.update == 0) {
      draw();
      updater->reset();
    }
    replicas.share(*model, *updater);
    state.rollbacks = diverged.rollbacks + 1;
    state.wall = diverged.wall;
    state.ended.clear();
    state.validation_pending = false;
    saver_.loaded();
    stream_->find_place(state);
    validator_.find();
    if (!reporter) return;
    warn(std::string(error.what()) + "; rolled back to update " + std::to_string(state.update) +
         ", with half the rate");
    reporter->rollback(state, diverged.update);
  }

  // quantize_from may lie behind the end, or another limit come first, or before the schedule's.
  void say_unfinished(const std::string& limit) {
    if (config.quantize_from > state.update)
      degrade(in.folder + ": no update was taken at weights in eight bits, as quantize_from is " +
              std::to_string(config.quantize_from));
    const std::string note = unfinished_schedule(config, state.update, limit);
    if (!note.empty()) degrade(in.folder + ": " + note);
  }

  // After a signal the last update is only saved, and a validation that it ended is made when the
  // run goes on. Returns the signal, or 0.
  int end() {
    const std::string reason = limit_reached();
    const bool pending = state.validation_pending;
    state.ended = pending ? "" : reason;
    saver_.at_end();
    if (in.profile) say_profile(updater->meter());
    // If another rank got the signal, this one ends in the usual way.
    const int signal = reason.empty() || pending ? signals->seen() ? signals->seen() : SIGTERM : 0;
    if (!folder) return signal;
    if (!signal) folder->mark_done(reason), say_unfinished(reason);
    if (!signal && in.trace > 0 && !traced_)
      degrade(in.folder + ": update " + std::to_string(in.trace) +
              " was not followed, as this run did not take it");
    try {
      reporter->end(state, signal ? "signal" : reason,
                    wall_seconds() > kLong ? product_rate(backend, pool, 0.1) : 0);
    } catch (const Error& error) {  // the same signal may have ended the reader of the log
      if (!signal) throw;
      warn(error.what());
    }
    return signal;
  }

  const Respelling respelling_{subwords, config};
  std::optional<ParallelCorpus> corpus_;
  std::optional<BatchStream> stream_;
  bool traced_ = false;  // the update that is followed was taken
  Saver saver_{*this};
  Validator validator_{*this, saver_};
};

}  // namespace

TrainingEnd train(Config config, const TrainingInputs& inputs, const Backend& backend,
                  const Ranks& ranks) {
  keep_warnings();
  check_inputs(inputs);
  return Trainer(with_views_and_links(std::move(config), inputs), inputs, backend, ranks).run();
}

}  // namespace tt
