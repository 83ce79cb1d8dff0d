#include "train/run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/report.h"
#include "base/system.h"
#include "model/average.h"
#include "model/stored_subword.h"

template <>
struct nlohmann::adl_serializer<std::optional<double>> {
  static void to_json(json& to, const std::optional<double>& x) { to = x ? json(*x) : json(); }
  static void from_json(const json& from, std::optional<double>& x) {
    x = from.is_null() ? std::nullopt : std::optional(from.get<double>());
  }
};

namespace tt {

using nlohmann::json;

static void to_json(json& to, const LossSums& x) {
  to = {x.smoothed, x.negative_log_likelihood, x.tokens, x.alignment, x.linked};
}
static void from_json(const json& from, LossSums& x) {
  x = {from.at(0), from.at(1), from.at(2)};
  if (from.size() > 3) x.alignment = from.at(3), x.linked = from.at(4);
}
// The list of a state's members. Those that are not there keep their default: earlier versions had
// fewer.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RunState, update, epoch, batch, corpus, batching,
                                                validation_pending, tokens, flops, wall,
                                                validations_without_gain, best_bleu, best_loss,
                                                last_bleu, bleu, loss, window, rollbacks,
                                                longest_gradient, gradients, validation, from,
                                                from_checksum, freeze, ended)

namespace {

constexpr const char *kState = "state.tt", *kPrevious = "previous.tt";
constexpr const char* kSquare = "adam.square";  // in state.tt
constexpr const char* kParameters =
    "parameters";  // there, too, when the checkpoint holds their moving average
constexpr const char* kCheckpoint =
    "checkpoint";  // in its metadata: the checksum of the checkpoint's parameters

constexpr const char* kCommand = "command";

// The name of Updater::first() in state.tt.
const char* name_of_first(const TrainingSettings& settings) {
  return settings.optimizer == Optimizer::schedule_free ? "schedule-free.z" : "adam.mean";
}

// Whether a state would have been saved, too, had no signal stopped the run.
bool on_schedule(const RunState& state, const TrainingSettings& settings) {
  return state.loss || state.validation_pending ||
         (settings.save_every > 0 ? state.update % settings.save_every : state.update) == 0;
}

RunState state_of(const TensorFile& file) {
  check_kind(file, kOptimizerKind);
  return read_state(file.value("state"), file.path());
}

// Whether a killed run may have left a file of that name.
bool is_partial(const std::string& name) {
  const auto begins = [&](const char* with) { return name.starts_with(with); };
  return (begins("update-") || begins(kState) || begins(kPrevious) || begins("status.") ||
          begins("done.")) &&
         name.find(".partial-") != std::string::npos;
}

// A state and its checkpoint. Throws Error if one of them is missing or damaged.
SavedRun load(const std::string& folder, const std::string& name) {
  TensorFile file(folder + "/" + name);
  RunState state = state_of(file);
  file.verify();
  TensorFile checkpoint = open_model(folder + "/" + checkpoint_name(state.update));
  checkpoint.verify();
  if (!file.note(kCheckpoint).empty()) {  // states of earlier versions say nothing of it
    file.value("checksum");               // so it has one
    if (file.note(kCheckpoint) != parameter_checksum(checkpoint))
      throw Error(file.path(), " and ", checkpoint.path(),
                  " are not of one run: one of them was replaced");
  }
  return {std::move(state), std::move(checkpoint), std::move(file)};
}

// Of a checkpoint.
Metadata metadata_of(const RunState& state, const Config& config, const std::string& text) {
  Metadata metadata{{"kind", kModelKind},
                    {"config", to_json(config)},
                    {"decisive_keys", decisive_keys(config)},
                    {"update", std::to_string(state.update)}};
  if (!text.empty()) metadata[kTargetText] = text;
  if (state.bleu) metadata["bleu"] = json(*state.bleu).dump();
  if (state.loss)
    metadata["loss"] = json(*state.loss).dump(), metadata["validation"] = state.validation;
  return metadata;
}

// Throws Error if the saved run is of another model, subword model or optimiser. Returns the other
// settings that differ.
std::vector<Change> compare(const std::string& folder, const SavedRun& saved, const Model& model,
                            const SubwordPair& subwords) {
  const TensorFile &checkpoint = saved.checkpoint, &state_file = saved.optimizer;
  const Config before = stored_config(checkpoint);
  if (const std::string difference = same_model(before, model.config()); !difference.empty())
    throw Error(folder, ": holds a run of another model: ", difference,
                "; give another folder, or the same settings");
  for (const NamedTensor& subword :
       subword_tensors(subwords.source.bytes(), subwords.target.bytes())) {
    const NamedTensor* stored = checkpoint.find(subword.name);
    if (!stored || stored->bytes() != subword.bytes() ||
        std::memcmp(stored->data, subword.data, subword.bytes()) != 0)
      throw Error(
          folder,
          ": holds a run with another subword model; give another folder, or the same model");
  }
  const char* first = name_of_first(model.config());
  if (const char* was = name_of_first(before); std::strcmp(was, first) != 0)
    throw Error(folder, ": the state of its run is not that of the optimizer ",
                get_field(model.config(), "optimizer"), ", but of ", get_field(before, "optimizer"),
                "; give another folder, and begin from a checkpoint of this one");
  check_tensors(checkpoint, model.params().tensors());
  for (const std::string name : {first, kSquare, kParameters}) {
    const NamedTensor* from = state_file.find(name);
    if (!from && name == kParameters) continue;
    if (!from || from->type != Dtype::f32 || elements(from->shape) != model.params().size())
      throw Error(state_file.path(), ": ", name,
                  " does not belong to this model; remove the folder to start again");
  }
  std::vector<Change> changes;
  for (const Field& field : fields())
    if (field.group != FieldGroup::model || field.name == std::string_view("max_length"))
      if (const auto now = get_field(model.config(), field), was = get_field(before, field);
          now != was)
        changes.push_back({field.name, now, was});
  return changes;
}

}  // namespace

bool is_of_run(const std::string& path, const std::string& folder) {
  const std::filesystem::path file = resolved_path(path);
  const std::string name = file.filename().string();
  const bool named = name == kState || name == kPrevious || name == "status" || name == "done" ||
                     (name.starts_with("update-") && name.ends_with(".tt"));
  return named && file.parent_path() == resolved_path(folder);
}

std::string stored_command(const std::string& folder) {
  for (const std::string name : {kState, kPrevious}) {
    if (!regular_file(folder + "/" + name)) continue;
    const TensorFile file(folder + "/" + name);
    check_kind(file, kOptimizerKind);
    const auto found = file.metadata().find(kCommand);
    if (found != file.metadata().end()) return found->second;
    throw Error(folder,
                ": was begun by an earlier version, which did not store its command; repeat the "
                "whole command once");
  }
  throw Error(folder, ": is not the folder of a run: it has no ", kState);
}

std::string write_state(const RunState& state) { return json(state).dump(); }

RunState read_state(const std::string& text, const std::string& where) {
  try {
    const json j = json::parse(text);
    for (const char* key : {"update", "epoch", "batch", "tokens", "window", "ended"}) j.at(key);
    auto state = j.get<RunState>();
    if (state.update < 0 || state.epoch < 0 || state.batch < 0)
      throw Error(where, ": is damaged: it has negative counters");
    return state;
  } catch (const json::exception& error) {
    throw Error(where, ": is damaged: its counters cannot be read (", error.what(), ")");
  }
}

Run::Run(const std::string& folder)
    : Run() {  // so that the destructor closes the folder where this fails
  folder_ = folder;
  if (file_exists(folder)) open();
}

void Run::create() {
  if (lock_ >= 0) return require_writable();
  made_.emplace(folder_);
  open();
  require_writable();
  if (file_exists(path(kState)) || file_exists(path(kPrevious)) ||
      !list_checkpoints(folder_, true).empty())
    throw Error(folder_,
                ": another process has begun a run here meanwhile; repeat the command, or give "
                "another folder");
}

// Without this a run killed between its first checkpoint and its first state would have nothing to
// say what the checkpoint is.
void Run::begin() {
  require_folder();
  save_tensors(path(kState), {},
               {{"kind", kOptimizerKind}, {"state", write_state({})}, {kCommand, command_}});
  newest_ = {0, "", true};
  if (made_) made_->keep();
}

void Run::open() {
  if (!is_folder(folder_)) throw Error(folder_, ": is a file; give a folder");
  lock_ = sys::open(folder_, O_RDONLY | O_DIRECTORY);
  if (lock_ < 0 || ::access(folder_.c_str(), X_OK) != 0)
    throw Error(folder_, ": the folder cannot be read: ", std::strerror(errno));
  if (::access(folder_.c_str(), W_OK) != 0)
    unwritable_ = folder_ + ": the folder cannot be written: " + std::strerror(errno);
  if (sys::lock(lock_) != 0) {
    if (errno == EWOULDBLOCK)
      throw Error(folder_,
                  ": another process is using this folder; wait for it, or give another folder");
    if (errno != ENOLCK && errno != ENOSYS && errno != ENOTSUP)
      throw Error(folder_, ": the folder cannot be locked: ", std::strerror(errno));
    warn(
        folder_ +
        ": the file system has no locks; make sure yourself that no other process uses the folder");
  }
  if (writable())
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (is_partial(entry.path().filename().string())) sys::unlink(entry.path().string());
}

void Run::require_writable() const {
  if (!writable()) throw Error(unwritable_);
}

Run::~Run() {
  if (lock_ >= 0) sys::close(lock_);
}

std::optional<SavedRun> Run::find(const Model& model, const SubwordPair& subwords) {
  if (lock_ < 0) return std::nullopt;
  std::optional<SavedRun> saved;
  std::string damaged;
  bool begun = false;  // state.tt is of a run before its first update
  for (const std::string name : {kState, kPrevious}) {
    if (!file_exists(path(name))) continue;
    if (!regular_file(path(name)))
      throw Error(path(name), ": is not a regular file; remove it, or give another folder");
    try {
      const TensorFile file(path(name));
      const RunState state = state_of(file);
      if (state.update == 0) {
        file.verify();
        if (name == kPrevious) continue;  // earlier versions left such
        begun = true;
      } else if (!saved && !begun) {
        saved = load(folder_, name);
      }
      (name == kState ? newest_ : previous_) = {state.update, file.note(kCheckpoint),
                                                on_schedule(state, model.config())};
    } catch (const Error& error) {
      if (!saved && !begun)
        damaged += (damaged.empty() ? "" : ", and ") + std::string(error.what());
    }
  }
  const std::vector<Checkpoint> all = list_checkpoints(folder_, true);
  // A run that was killed when it saved for the first time has left one.
  if (begun && (all.size() > 1 || previous_.update > 0))
    throw Error(path(kState),
                " is the state of a run that begins, but there are checkpoints; copy the right one "
                "again, or give another folder");
  if (saved && !damaged.empty()) warn(damaged + "; resuming from the checkpoint before it");
  if (saved && damaged.empty() && newest_.update < 0)
    warn(path(kState) + " is missing; resuming from " + kPrevious);
  std::string later;
  for (const Checkpoint& c : all)
    if ((saved || begun) && c.update > (saved ? saved->state.update : 0))
      found_later_.insert(c.update),
          later += (later.empty() ? "" : ", ") + checkpoint_name(c.update);
  if (!later.empty())
    warn(folder_ +
         ": has checkpoints of later updates than its state, which stay until training makes them "
         "again: " +
         later);
  if (begun) return std::nullopt;
  if (!saved) {
    if (!damaged.empty())
      throw Error(damaged,
                  "; nothing is left to resume from: copy the files again, or give another folder");
    if (!all.empty())
      throw Error(folder_, ": has checkpoints but no state.tt to resume from; give another folder");
    return std::nullopt;
  }
  saved->changes = compare(folder_, *saved, model, subwords);
  return saved;
}

std::optional<SavedRun> Run::newest_on_schedule(std::int64_t before) const {
  const bool newest = newest_.update >= 0 && newest_.on_schedule && newest_.update < before;
  const auto& [update, sum, scheduled] = newest ? newest_ : previous_;
  if (update <= 0 || update >= before) return std::nullopt;
  require_folder();
  const char* name = newest ? kState : kPrevious;
  SavedRun saved = load(folder_, name);
  if (saved.state.update != update || saved.optimizer.note(kCheckpoint) != sum)
    throw Error(path(name), ": is not the file that this run has written, but was replaced");
  return saved;
}

void SavedRun::restore(Params& params, Updater& updater) const {
  fill_params(params, checkpoint);
  updater.parameters_changed();
  if (const NamedTensor* weights = optimizer.find(kParameters)) {
    params.backend().upload(params.values(), weights->data, weights->bytes());
    params.refresh_factors();
  }
  const char* first = name_of_first(stored_config(checkpoint));
  updater.first().upload(static_cast<const float*>(optimizer.find(first)->data));
  updater.square().upload(static_cast<const float*>(optimizer.find(kSquare)->data));
  updater.state_changed();
}

void Run::require_folder() const {
  struct stat locked, named;
  if (::fstat(lock_, &locked) == 0 && ::stat(folder_.c_str(), &named) == 0 &&
      locked.st_dev == named.st_dev && locked.st_ino == named.st_ino)
    return;
  throw Error(folder_,
              ": the folder was moved, removed or replaced, and is not written; move it back");
}

bool Run::newest_is(const Saved& saved) const {
  try {
    const TensorFile file(path(kState));
    return state_of(file).update == saved.update && file.note(kCheckpoint) == saved.sum;
  } catch (const Error&) {
    return false;
  }
}

void Run::save(const RunState& state, const Model& model, const Updater& updater,
               const SubwordPair& subwords) {
  require_folder();
  const std::string written = path(checkpoint_name(state.update));
  if (file_exists(written) && !regular_file(written))  // a pipe would be waited for
    throw Error(written, ": is not a regular file; remove it");
  std::vector<NamedTensor> tensors = model.params().tensors();
  const auto models = subword_tensors(subwords.source.bytes(), subwords.target.bytes());
  tensors.insert(tensors.end(), models.begin(), models.end());
  const std::int64_t size = model.params().size();
  std::vector<NamedTensor> rest;
  for (const char* name : {name_of_first(model.config()), kSquare, kParameters})
    rest.push_back({name, Dtype::f32, {size}, nullptr});
  if (model.config().average_decay == 0) rest.pop_back();
  std::vector<float> scratch;
  Saved saved{state.update, "", on_schedule(state, model.config())};
  try {
    {
      const Updater::Averaged averaged(updater);
      save_tensors(written, tensors, metadata_of(state, model.config(), target_text_),
                   [&](std::size_t i) -> const void* {
                     return tensors[i].data ? tensors[i].data
                                            : model.params().view(static_cast<int>(i), scratch);
                   });
    }
    saved.sum = parameter_checksum(TensorFile(written));
    found_later_.erase(state.update);
    // Not one of updates that training went back behind.
    if (newest_.update > 0 && newest_.update < state.update && newest_.on_schedule) {
      const bool moved = sys::rename(path(kState), path(kPrevious)) == 0;
      if (!moved && errno != ENOENT)
        throw Error(path(kState), ": cannot be renamed to ", kPrevious, ": ", std::strerror(errno));
      Saved was = std::exchange(newest_, {});
      if (moved) previous_ = std::move(was);
    }
    const Metadata about{{"kind", kOptimizerKind},
                         {"state", write_state(state)},
                         {kCheckpoint, saved.sum},
                         {kCommand, command_}};
    save_tensors(path(kState), rest, about, [&](std::size_t i) -> const void* {
      return i == 2 ? model.params().view(scratch)
                    : (i == 0 ? updater.first() : updater.square()).view(0, size, scratch);
    });
  } catch (const Error&) {
    // Both may be there, and not be known to be on the disk.
    if (!saved.sum.empty() && newest_is(saved)) newest_ = saved;
    // Without its state the checkpoint is of no use; where saving fails again and again, they would
    // fill the disk.
    if (state.update != newest_.update && state.update != previous_.update) sys::unlink(written);
    throw;
  }
  newest_ = saved;
  prune(model.config());
}

// Keeps the newest checkpoint and the one before it, and the last and the best of those made on
// schedule. A checkpoint made on a signal would not exist without the interruption, so it is
// removed once the next ones are written. One that was found newer than the state may be of another
// run.
void Run::prune(const TrainingSettings& settings) {
  std::vector<Checkpoint> scheduled;
  std::set<std::int64_t> kept{newest_.update, previous_.update};
  const auto due = [](const Checkpoint& c) { return c.on_schedule || c.bleu || c.loss; };
  const auto all = list_checkpoints(folder_, true);
  for (const Checkpoint& c : all) {
    const bool later = found_later_.contains(c.update);
    if (later && (c.update > newest_.update || due(c))) kept.insert(c.update);
    if (c.update <= newest_.update && due(c) && !later)
      scheduled.push_back(c);  // without those that a rollback went back behind
  }
  for (std::size_t i = 0; i < scheduled.size(); ++i)
    if (i + static_cast<std::size_t>(settings.keep_last) >= scheduled.size())
      kept.insert(scheduled[i].update);
  keep_comparable(scheduled);
  std::stable_sort(scheduled.begin(), scheduled.end(), better);
  const auto best = std::min(scheduled.size(), static_cast<std::size_t>(settings.keep_best));
  for (std::size_t i = 0; i < best; ++i) kept.insert(scheduled[i].update);
  for (const Checkpoint& c : all)
    if (!kept.contains(c.update) && !c.damaged) sys::unlink(c.path);
}

void Run::mark_done(const std::string& reason) {
  require_folder();
  if (regular_file(path("done")) && read_file(path("done")) == reason + "\n")
    return;  // keeps its time stamp, for make
  write_file(path("done"), reason + "\n");
}

void Run::unmark_done() {
  require_folder();
  if (file_exists(path("done")) && sys::unlink(path("done")) != 0)
    throw Error(path("done"), ": cannot be removed: ", std::strerror(errno));
}

}  // namespace tt
