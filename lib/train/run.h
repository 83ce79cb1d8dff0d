// The folder of a run: its checkpoints, and what is needed to go on after the last of them.
//
//   update-0000700.tt   a model, whole by itself; kept: the last and the best few, and the newest
//   state.tt            Adam's moments and the counters of the newest checkpoint
//   done                there when training has ended, with the reason
//
// Invariant: state.tt names a checkpoint that is there. The checkpoint is written first, then the state, and only then old checkpoints are
// removed, each file whole or not at all; so a run killed at any moment goes on from the state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/checkpoint.h"
#include "model/model.h"
#include "text/subword.h"
#include "train/updater.h"

namespace tt {

// Where training stands. All of it is saved, so that a resumed run also reports as if it had not stopped.
struct RunState {
  std::int64_t update = 0;            // updates done
  std::int64_t epoch = 0, batch = 0;  // the next batch to train on
  std::string corpus, batching;       // what that place is a place in; see BatchStream
  bool validation_pending = false;    // saved before the validation of this update was done
  std::int64_t tokens = 0;            // target tokens so far
  double flops = 0, wall = 0;         // so far
  int validations_without_gain = 0;
  std::optional<double> best_bleu, best_loss;
  std::optional<double> bleu, loss;  // of the validation after this update, if there was one
  LossSums window;                   // since the last report
  std::string ended;                 // why training ended: "max-updates", "max-epochs", "patience"; empty while it goes on
};

// The newest state of a run and its checkpoint, both checked, their data still in the files.
struct SavedRun {
  RunState state;
  TensorFile checkpoint, optimizer;

  // Sets the parameters and Adam's moments, which have memory.
  void restore(Params& params, const Updater& updater) const;
};

class Run {
 public:
  // Where there is the folder, keeps others out of it, and removes what a killed run left half written. Throws Error if it cannot be
  // written or another run is at work in it.
  explicit Run(const std::string& folder);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // What there is to go on from, if there is anything. Throws Error if it belongs to another model or other subword models, or is damaged.
  // Differences in other settings are reported.
  std::optional<SavedRun> find(const Model& model, const Subword& source, const Subword& target) const;

  // Makes the folder if it is not there. Throws Error as the constructor does.
  void create();

  // Saves a checkpoint and the state; removes checkpoints that need not be kept.
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
