// The folder of a run: its checkpoints, and the data needed to resume from the last of them.
//
//   update-0000700.tt   a self-contained model; the newest, the last few and the best few are kept
//   state.tt            Adam's moments and the counters of the newest checkpoint
//   done                exists when training has ended, with the reason
//
// Invariant: the checkpoint named in state.tt exists. The checkpoint is written first, then the state, and only then are old
// checkpoints removed; each file appears complete or not at all. So a run killed at any moment can be resumed from the state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/checkpoint.h"
#include "model/model.h"
#include "text/subword.h"
#include "train/updater.h"

namespace tt {

// The progress of training. All of it is saved, so that even the reports of a resumed run are as if it had not stopped.
struct RunState {
  std::int64_t update = 0;            // updates done
  std::int64_t epoch = 0, batch = 0;  // the next batch to train on
  std::string corpus, batching;       // what that place refers to; see BatchStream
  bool validation_pending = false;    // saved before the validation of this update was completed
  std::int64_t tokens = 0;            // target tokens so far
  double flops = 0, wall = 0;         // so far
  int validations_without_gain = 0;
  std::optional<double> best_bleu, best_loss;
  std::optional<double> bleu, loss;  // of the validation after this update, if there was one
  LossSums window;                   // since the last report
  std::string ended;                 // why training ended: "max-updates", "max-epochs", "patience"; empty until then
};

// The newest state of a run and its checkpoint, both checked, with their data still in the files.
struct SavedRun {
  RunState state;
  TensorFile checkpoint, optimizer;

  // Sets the parameters and Adam's moments, which must be allocated.
  void restore(Params& params, const Updater& updater) const;
};

class Run {
 public:
  // If the folder exists, locks it, and removes partial files left by a killed run. Throws Error if it cannot be written or
  // another process is using it.
  explicit Run(const std::string& folder);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // The saved run to resume, if there is one. Throws Error if it belongs to another model or other subword models, or is damaged.
  // Differences in other settings are reported.
  std::optional<SavedRun> find(const Model& model, const Subword& source, const Subword& target) const;

  // Creates the folder if it does not exist. Throws Error as the constructor does.
  void create();

  // Saves a checkpoint and the state; removes checkpoints that are no longer needed.
  void save(const RunState& state, const Model& model, const Updater& updater, const Subword& source, const Subword& target);

  void mark_done(const std::string& reason);
  void unmark_done();

 private:
  void open();
  void prune(const Config& config, std::int64_t newest);
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string folder_;
  int lock_ = -1;  // the folder, opened and locked
};

}  // namespace tt
