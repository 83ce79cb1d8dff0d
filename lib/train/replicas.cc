#include "train/replicas.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/setting.h"

namespace tt {

void Replicas::check(const Config& config, const TrainingInputs& in,
                     const SubwordPair& subwords) const {
  if (ranks_.number() == 1) return;
  const std::string number = std::to_string(ranks_.number()) + " processes train together";
  if (ranks_.number() > config.shards)
    throw SettingError(number, ", but an update has only ", config.shards,
                       " shards; start fewer, or give ", Setting{"shards"}, " ", ranks_.number());
  if (std::ranges::count(read_files(in), "-") > 0)
    throw Error(number, ", and cannot all read the standard input; give files");
  ranks_.agree("settings than rank 0; give all the same options", to_json(config) + in.freeze);
  ranks_.agree("subword models than rank 0; give all the same files",
               std::string(subwords.source.bytes()) + std::string(subwords.target.bytes()));
}

void Replicas::check(const Model& model) const {
  if (ranks_.number() == 1) return;
  std::vector<float> scratch;
  const std::string_view bytes(reinterpret_cast<const char*>(model.params().view(scratch)),
                               static_cast<std::size_t>(model.params().size()) * sizeof(float));
  ranks_.agree("parameters than rank 0; run the same program on the same kind of processor",
               std::to_string(std::hash<std::string_view>()(bytes)));
}

void Replicas::share(RunState& state) const {
  if (ranks_.number() == 1) return;
  std::string text = write_state(state);
  ranks_.share(text);
  if (!ranks_.first()) state = read_state(text, "the state of rank 0");
}

void Replicas::share(float* at, std::int64_t size) const {
  const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(float);
  if (backend_.is_host()) return ranks_.share(at, bytes);
  std::vector<float> host(static_cast<std::size_t>(size));
  if (ranks_.first()) backend_.download(host.data(), at, bytes);
  ranks_.share(host.data(), bytes);
  if (!ranks_.first()) backend_.upload(at, host.data(), bytes);
}

void Replicas::share(Model& model, const Updater& updater) const {
  if (ranks_.number() == 1) return;
  share(model.params().values(), model.params().size());
  for (const DeviceArray<float>* array : {&updater.average(), &updater.first(), &updater.square()})
    share(array->data(), array->size());
  model.params().refresh_factors();
}

}  // namespace tt
