// The folder of a run: its checkpoints, and the data needed to resume from the last of them.
//
//   update-0000700.tt   a self-contained model; the newest, the last few and the best few are kept
//   state.tt            the optimiser's arrays and the counters of the newest checkpoint
//   previous.tt         the same of the one before that was made on schedule, to go on from if the
//                       newest is damaged
//   status              how the run stood at the last report; see train/status.h
//   done                there when training has ended, with the reason
//
// A state has the checksum of its checkpoint's parameters, so that files of two runs are not taken
// for one.
//
// Invariant: state.tt or, where that is missing, previous.tt names a checkpoint that is there, or
// state.tt says that none was made yet. The checkpoint is written first, then state.tt, if it was
// made on schedule, becomes previous.tt, then the new state is written, and only then old
// checkpoints are removed, each file whole or not at all; so a run killed at any moment goes on
// from a state.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/checkpoint.h"
#include "model/model.h"
#include "text/subword.h"
#include "train/updater.h"

namespace tt {

// The progress of training. All of it is saved, so that even the reports of a resumed run are as if
// it had not stopped.
struct RunState {
  std::int64_t update = 0;            // updates done
  std::int64_t epoch = 0, batch = 0;  // the next batch to train on
  std::string corpus, batching;       // what that place refers to; see BatchStream
  bool validation_pending = false;    // saved before the validation of this update was completed
  std::int64_t tokens = 0;            // target tokens so far
  double flops = 0, wall = 0;         // so far
  int validations_without_gain = 0;
  std::optional<double> best_bleu, best_loss;
  std::optional<double> last_bleu;   // of the last validation
  std::optional<double> bleu, loss;  // of the validation after this update, if there was one
  LossSums window;                   // since the last report
  int rollbacks = 0;                 // how often training has diverged and gone back
  double longest_gradient =
      0;  // the longest norm so far, which shrinks by a thousandth with each update
  std::int64_t gradients = 0;  // how many gradients it is the longest of
  std::string validation;  // what BLEU and loss are those of; see validation_of() in validation.h
  std::string from,
      freeze;  // of TrainingInputs: the model that the run began with, and what was frozen last
  std::string from_checksum;  // of the parameters of that model
  std::string
      ended;  // why training ended: "max-updates", "max-epochs", "patience"; empty while it goes on
};

// Whether a path leads to one of the files above in that folder, whether or not they exist.
bool is_of_run(const std::string& path, const std::string& folder);

// The command that started a run, by its state. Throws Error if the folder is that of no run,
// or its states are damaged or of an earlier version, which says nothing.
std::string stored_command(const std::string& folder);

// As text, and back, exactly. Throws Error, beginning with `where`, if it is not such a text.
std::string write_state(const RunState& state);
RunState read_state(const std::string& text, const std::string& where);

// Something that a run was given, and is not as it was.
struct Change {
  std::string name, now, was;
  bool moved = false;  // of files: only their names
};

// A state of a run and its checkpoint, both checked, their data still in the files.
struct SavedRun {
  RunState state;
  TensorFile checkpoint, optimizer;
  std::vector<Change> changes = {};  // of settings

  // Sets the parameters, their average and the optimiser's arrays, which have memory.
  void restore(Params& params, Updater& updater) const;
};

class Run {
 public:
  // If the folder exists, locks it, and, if it can be written, removes partial files left by a
  // killed run. Throws Error if it is no folder or another process is using it.
  explicit Run(const std::string& folder);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // The state to go on from, if there is one: the newest that is not damaged. Damage is
  // reported. Throws Error if all is damaged, or if it belongs to another model or other subword
  // models. Other settings that differ are its `changes`. Checkpoints of later updates, as of a
  // run whose earlier files were copied back, are reported: they stay until they are made again.
  std::optional<SavedRun> find(const Model& model, const SubwordPair& subwords);

  // The checkpoint that training goes back to: the newest checkpoint of fewer than `before` updates
  // that would be there, too, had no signal stopped the run; none: to its beginning. Throws Error
  // if it is damaged, or is not what this run has written or found.
  std::optional<SavedRun> newest_on_schedule(std::int64_t before) const;

  bool writable() const { return unwritable_.empty(); }
  void require_writable() const;  // Throws Error, with the reason.

  // Creates the folder if it does not exist; unless begin() is called, it is removed again at the
  // end of this object's lifetime if nothing is in it. Throws Error as the constructor does.
  void create();

  // Sets the command that states which are written from now on name as that of the run; see
  // train/command.h.
  void set_command(std::string command) { command_ = std::move(command); }
  // Sets the note on the target text that checkpoints have from now on.
  void set_target_text(std::string note) { target_text_ = std::move(note); }
  // Writes the state of a run before its first update.
  void begin();

  const std::string& folder() const { return folder_; }
  // Throws Error if the folder's path leads to another folder now, or nowhere: nothing may be
  // written there.
  void require_folder() const;

  // Saves a checkpoint and the state; removes checkpoints that need not be kept. Throws Error if
  // they cannot be written; there is then still a state to go on from, and it may be tried again.
  void save(const RunState& state, const Model& model, const Updater& updater,
            const SubwordPair& subwords);

  // Removes the checkpoints that such a run does not keep, as save() does.
  void prune(const TrainingSettings& settings);

  void mark_done(const std::string& reason);
  void unmark_done();  // Throws Error.

 private:
  struct Saved {
    std::int64_t update = -1;  // -1: there is none, or it is damaged
    std::string sum = "";      // of the parameters, where the state says it
    bool on_schedule = false;
  };
  Run() = default;
  void open();
  bool newest_is(const Saved& saved) const;  // whether state.tt says so
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string folder_, unwritable_;  // why the folder cannot be written; empty if it can
  std::string command_, target_text_;
  int lock_ = -1;                       // the folder, opened and locked
  std::optional<NewFolders> made_;      // by create(), until begin()
  Saved newest_, previous_;             // state.tt and previous.tt
  std::set<std::int64_t> found_later_;  // the updates of checkpoints that were newer than the
                                        // state, and not made again yet
};

}  // namespace tt
