// The mean of checkpoints, and the choice of checkpoints to average.
//
// Source: "Attention Is All You Need" (2017), section 6.1: the mean of the last 5 checkpoints for
// base, of the last 20 for big. Sums are in double and in the order given, so the same list gives
// the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/params.h"

namespace tt {

// A checkpoint in the folder of a run.
struct Checkpoint {
  std::string path;
  std::int64_t update = 0;
  std::optional<double> bleu, loss;  // of the validation after that update, if there was one
  std::string validation = {};  // what these are results of: those of another cannot be compared
  bool on_schedule =
      false;  // made since so many updates had passed, not since a run ended or was interrupted
  bool damaged = false;  // or could not be read now: nothing else of it is known
};

// "update-0000700.tt", the name of a checkpoint in the folder of a run.
std::string checkpoint_name(std::int64_t update);

// The checkpoints of a folder, that is its files of such names, by update. Throws Error if the
// folder cannot be read or a checkpoint is damaged; with `damaged_too` one that is damaged stands
// there without bleu and loss.
std::vector<Checkpoint> list_checkpoints(const std::string& folder, bool damaged_too = false);

// Leaves those that have been validated as the last that has, by update.
void keep_comparable(std::vector<Checkpoint>& checkpoints);

// Whether `a` is better than `b`: higher BLEU; without BLEU, or where it is 0, lower loss; ties go
// to the later update.
bool better(const Checkpoint& a, const Checkpoint& b);

// The last `n` checkpoints of a folder by update, or its best `n`, both in the order of their
// updates. Throws Error if there are fewer, with their number.
std::vector<std::string> last_checkpoints(const std::string& folder, int n);
std::vector<std::string> best_checkpoints(const std::string& folder, int n);

// Writes the mean of the models at `paths` to `to`: F32 tensors are averaged, the subword models
// must be the same. The metadata are the first model's, without its update and validation results,
// plus "averaged" with the names of the files. Memory: the largest tensor. With another form,
// matrices are then quantised or packed (model/weight_form.h). Throws Error if a model cannot be
// read or is damaged, if two do not match (with both names and the difference), or if a value is
// not finite. Requires at least one path.
void average(std::span<const std::string> paths, const std::string& to,
             WeightForm form = WeightForm::float32);

}  // namespace tt
