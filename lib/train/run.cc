#include "train/run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "base/report.h"
#include "model/average.h"
#include "model/checkpoint.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kMoments[] = {"adam.mean", "adam.square"};  // in state.tt

json optional_number(const std::optional<double>& x) { return x ? json(*x) : json(); }

std::string write_state(const RunState& s) {
  return json{{"update", s.update},
              {"corpus", s.corpus},
              {"batching", s.batching},
              {"validation_pending", s.validation_pending},
              {"epoch", s.epoch},
              {"batch", s.batch},
              {"tokens", s.tokens},
              {"flops", s.flops},
              {"wall", s.wall},
              {"validations_without_gain", s.validations_without_gain},
              {"best_bleu", optional_number(s.best_bleu)},
              {"best_loss", optional_number(s.best_loss)},
              {"bleu", optional_number(s.bleu)},
              {"loss", optional_number(s.loss)},
              {"window", {s.window.smoothed, s.window.negative_log_likelihood, s.window.tokens}},
              {"ended", s.ended}}
      .dump();
}

RunState read_state(const std::string& text, const std::string& where) {
  try {
    const json j = json::parse(text);
    const auto number = [&](const char* key) {
      return j.at(key).is_null() ? std::nullopt : std::optional(j.at(key).get<double>());
    };
    RunState s;
    j.at("update").get_to(s.update);
    j.at("epoch").get_to(s.epoch);
    j.at("batch").get_to(s.batch);
    s.corpus = j.value("corpus", "");
    s.batching = j.value("batching", "");
    s.validation_pending = j.value("validation_pending", false);
    j.at("tokens").get_to(s.tokens);
    j.at("flops").get_to(s.flops);
    j.at("wall").get_to(s.wall);
    j.at("validations_without_gain").get_to(s.validations_without_gain);
    s.best_bleu = number("best_bleu");
    s.best_loss = number("best_loss");
    s.bleu = number("bleu");
    s.loss = number("loss");
    s.window = {j.at("window").at(0), j.at("window").at(1), j.at("window").at(2)};
    j.at("ended").get_to(s.ended);
    return s;
  } catch (const json::exception& error) {
    throw Error(where, ": the state of the run is damaged (", error.what(), "); remove the folder to start again");
  }
}

// The subword models as stored in a checkpoint: a single one if source and target share it.
std::vector<NamedTensor> subword_tensors(const Subword& source, const Subword& target) {
  const auto tensor = [](const char* name, const Subword& s) {
    return NamedTensor{name, Dtype::u8, {static_cast<std::int64_t>(s.bytes().size())}, s.bytes().data()};
  };
  if (source.bytes() == target.bytes()) return {tensor(kSubword, source)};
  return {tensor("subword.source", source), tensor("subword.target", target)};
}

}  // namespace

Run::Run(const std::string& folder) : folder_(folder) {
  if (file_exists(folder)) open();
}

void Run::create() {
  if (lock_ >= 0) return;
  make_folder(folder_);
  open();
}

void Run::open() {
  const std::string& folder = folder_;
  if (!std::filesystem::is_directory(folder)) throw Error(folder, ": is a file; give a folder");
  lock_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0 || ::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error(folder, ": the folder cannot be written: ", std::strerror(errno));
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0)
    throw Error(folder, ": another process is using this folder; wait for it, or give another folder");
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().find(".tt.partial-") != std::string::npos) std::filesystem::remove(entry.path());
}

Run::~Run() {
  if (lock_ >= 0) ::close(lock_);
}

std::optional<SavedRun> Run::find(const Model& model, const Subword& source, const Subword& target) const {
  if (lock_ < 0) return std::nullopt;
  if (!file_exists(path("state.tt"))) {
    if (!list_checkpoints(folder_).empty())
      throw Error(folder_, ": has checkpoints but no state.tt to resume from; give another folder");
    return std::nullopt;
  }
  TensorFile state_file(path("state.tt"));
  check_kind(state_file, kOptimizerKind);
  RunState state = read_state(state_file.value("state"), state_file.path());
  TensorFile checkpoint = open_model(path(checkpoint_name(state.update)));
  const Config before = stored_config(checkpoint);
  if (const std::string difference = same_model(before, model.config()); !difference.empty())
    throw Error(folder_, ": holds a run of another model: ", difference, "; give another folder, or the same settings");
  for (const NamedTensor& subword : subword_tensors(source, target)) {
    const NamedTensor* stored = checkpoint.find(subword.name);
    if (!stored || stored->bytes() != subword.bytes() || std::memcmp(stored->data, subword.data, subword.bytes()) != 0)
      throw Error(folder_, ": holds a run with another subword model; give another folder, or the same model");
  }
  for (const Field& field : fields())
    if (field.group == FieldGroup::training && get_field(before, field) != get_field(model.config(), field))
      say(folder_ + ": " + field.flag() + " is now " + get_field(model.config(), field) + ", was " + get_field(before, field));
  check_tensors(checkpoint, model.params().tensors());
  for (const char* name : kMoments) {
    const NamedTensor* from = state_file.find(name);
    if (!from || from->type != Dtype::f32 || elements(from->shape) != model.params().size())
      throw Error(state_file.path(), ": ", name, " does not belong to this model; remove the folder to start again");
  }
  return SavedRun{std::move(state), std::move(checkpoint), std::move(state_file)};
}

void SavedRun::restore(Params& params, const Updater& updater) const {
  fill_params(params, checkpoint);
  updater.mean().upload(static_cast<const float*>(optimizer.find(kMoments[0])->data));
  updater.square().upload(static_cast<const float*>(optimizer.find(kMoments[1])->data));
}

void Run::save(const RunState& state, const Model& model, const Updater& updater, const Subword& source, const Subword& target) {
  std::vector<NamedTensor> tensors = model.params().tensors();
  const auto subwords = subword_tensors(source, target);
  tensors.insert(tensors.end(), subwords.begin(), subwords.end());
  Metadata metadata{{"kind", kModelKind},
                    {"config", to_json(model.config())},
                    {"decisive_keys", decisive_keys(model.config())},
                    {"update", std::to_string(state.update)}};
  if (state.bleu) metadata["bleu"] = json(*state.bleu).dump();
  if (state.loss) metadata["loss"] = json(*state.loss).dump();
  std::vector<float> scratch;
  save_tensors(path(checkpoint_name(state.update)), tensors, metadata, [&](std::size_t i) -> const void* {
    return tensors[i].data ? tensors[i].data : model.params().view(static_cast<int>(i), scratch);
  });
  const std::int64_t size = model.params().size();
  const NamedTensor moments[] = {{kMoments[0], Dtype::f32, {size}, nullptr}, {kMoments[1], Dtype::f32, {size}, nullptr}};
  save_tensors(path("state.tt"), moments, {{"kind", kOptimizerKind}, {"state", write_state(state)}},
               [&](std::size_t i) { return (i == 0 ? updater.mean() : updater.square()).view(0, size, scratch); });
  prune(model.config(), state.update);
}

// Keeps the newest checkpoint, and the last and the best of those made on schedule. A checkpoint made on a signal would not exist
// without the interruption, so it is removed once the next one is written.
void Run::prune(const Config& config, std::int64_t newest) {
  std::vector<Checkpoint> scheduled;
  std::set<std::int64_t> kept{newest};
  const auto all = list_checkpoints(folder_);
  for (const Checkpoint& c : all)
    if ((config.save_every > 0 && c.update % config.save_every == 0) || c.bleu || c.loss) scheduled.push_back(c);
  for (std::size_t i = 0; i < scheduled.size(); ++i)
    if (i + static_cast<std::size_t>(config.keep_last) >= scheduled.size()) kept.insert(scheduled[i].update);
  std::erase_if(scheduled, [](const Checkpoint& c) { return !c.bleu && !c.loss; });
  std::stable_sort(scheduled.begin(), scheduled.end(), better);
  for (std::size_t i = 0; i < scheduled.size() && i < static_cast<std::size_t>(config.keep_best); ++i)
    kept.insert(scheduled[i].update);
  for (const Checkpoint& c : all)
    if (!kept.contains(c.update)) ::unlink(c.path.c_str());
}

void Run::mark_done(const std::string& reason) {
  if (file_exists(path("done")) && read_file(path("done")) == reason + "\n") return;  // keeps its time stamp, for make
  AtomicFile file(path("done"));
  file.write(reason + "\n");
  file.commit();
}

void Run::unmark_done() { ::unlink(path("done").c_str()); }

}  // namespace tt
