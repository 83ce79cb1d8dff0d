#include "decode/loaded_translator.h"

#include <algorithm>

#include "base/error.h"
#include "base/setting.h"
#include "text/languages.h"

namespace tt {
namespace {

constexpr std::int64_t kDeviceTokens = 4096;  // of a batch
constexpr std::size_t kLines = 64, kDeviceLines = 1024;
constexpr int kDeviceThreads = 4;  // while one computes, others search, read and write

std::int32_t language(const Subword& subword, const std::string& name, const LoadedModel& loaded,
                      const char* setting) {
  const std::string where = loaded.model->name();
  if (name.empty())
    throw SettingError(where, ": is of several languages; choose one of its own with ",
                       Setting{setting});
  return find_language(subword, name, where);
}

std::int32_t bos(const Subword& subword, const LoadedModel& loaded) {
  const std::int32_t piece = subword.find("<s>");
  if (piece < 0)
    throw Error(loaded.model->name(), ": begins sentences with <s>, which its vocabulary lacks");
  return piece;
}

std::vector<Member> members_of(std::span<const LoadedModel> models,
                               const TranslateOptions& options) {
  std::vector<Member> members;
  bool reads = false, writes = false;
  for (const LoadedModel& loaded : models) {
    const Config& config = loaded.model->config();
    Member member{loaded.model.get(), &loaded.source};
    if (config.source_bos) member.before.push_back(bos(loaded.source, loaded));
    if (config.source_language != SourceLanguage::none) {
      reads = true;
      auto& place =
          config.source_language == SourceLanguage::before ? member.before : member.behind;
      place.push_back(language(loaded.source, options.from, loaded, "from"));
    }
    // A line may name the language itself, as those of OPUS-MT do.
    if (config.target_language == TargetLanguage::source && !options.to.empty())
      member.before.push_back(language(loaded.source, options.to, loaded, "to"));
    writes |= config.target_language != TargetLanguage::none;
    members.push_back(std::move(member));
  }
  if ((!reads && !options.from.empty()) || (!writes && !options.to.empty()))
    throw SettingError(models[0].model->name(), ": does not choose its ",
                       !writes && !options.to.empty() ? "target" : "source",
                       " language by a piece; omit ",
                       Setting{!writes && !options.to.empty() ? "to" : "from"});
  return members;
}

TranslateOptions suited(TranslateOptions options, const Backend& backend,
                        std::span<const LoadedModel> models) {
  if (options.batch_tokens == 0 && backend.traits().queue) options.batch_tokens = kDeviceTokens;
  for (const LoadedModel& loaded : models) {
    options.first.clear();
    if (loaded.model->config().target_bos) options.first = {bos(loaded.target, loaded)};
    if (loaded.model->config().target_language == TargetLanguage::first)
      options.first.push_back(language(loaded.target, options.to, loaded, "to"));
  }
  return options;
}

}  // namespace

LoadedTranslator::LoadedTranslator(std::span<const LoadedModel> models, const Backend& backend,
                                   TranslateOptions options, int threads)
    : backend_(backend),
      threads_(backend.traits().queue ? std::min(threads, kDeviceThreads) : threads),
      members_(members_of(models, options)),
      translator_(members_, models[0].target, suited(options, backend, models)) {
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
