#include "lines/loaded_translator.h"

#include <algorithm>

#include "base/setting.h"

namespace tt {
namespace {

constexpr std::int64_t kDeviceTokens = 4096;  // of a batch
constexpr std::size_t kLines = 64, kDeviceLines = 1024;
constexpr int kDeviceThreads = 4;  // while one computes, others search, read and write

std::vector<Member> members_of(std::span<const LoadedModel> models) {
  std::vector<Member> members;
  for (const LoadedModel& loaded : models) members.push_back({loaded.model.get(), &loaded.source});
  return members;
}

TranslateOptions suited(TranslateOptions options, const Backend& backend,
                        const LineLanguages& languages) {
  if (options.batch_tokens == 0 && backend.traits().queue) options.batch_tokens = kDeviceTokens;
  options.pieces = languages.usual();
  options.language_pieces = languages.most();
  return options;
}

}  // namespace

LoadedTranslator::LoadedTranslator(std::span<const LoadedModel> models, const Backend& backend,
                                   TranslateOptions options, int threads)
    : backend_(backend),
      threads_(backend.traits().queue ? std::min(threads, kDeviceThreads) : threads),
      languages_(models, options), members_(members_of(models)),
      translator_(members_, models[0].target, suited(options, backend, languages_)) {
  if (const auto& list = translator_.options().shortlist) {
    list->check_pieces(models[0].source.size(), models[0].target.size());
    if (!OutputLayer::can_restrict(backend))
      throw SettingError("shortlists are used on a processor alone; omit ", Setting{"shortlist"},
                         ", or choose ", Setting{"device"}, " cpu");
  }
  for (const LoadedModel& loaded : models)
    workers_.emplace_back(backend, loaded.model->params(), threads_);
}

std::size_t LoadedTranslator::block() const {
  return backend_.traits().queue ? kDeviceLines : kLines;
}

std::vector<Tape*> LoadedTranslator::tapes(int thread) {
  std::vector<Tape*> tapes;
  for (Workers& each : workers_) tapes.push_back(&each[thread].tape);
  return tapes;
}

void LoadedTranslator::add_to(Meter& meter) {
  for (Workers& each : workers_)
    for (const Worker& worker : each) meter.add(worker.meter);
}

}  // namespace tt
