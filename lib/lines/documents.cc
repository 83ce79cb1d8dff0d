#include "lines/documents.h"

#include <algorithm>

#include "base/error.h"
#include "base/report.h"
#include "base/setting.h"
#include "text/words.h"

namespace tt {
namespace {

std::vector<std::int32_t> pieces(const Subword& subword, const std::string& text) {
  std::vector<std::int32_t> ids;
  subword.encode(text, ids);
  return ids;
}

}  // namespace

int context_of(std::span<const LoadedModel> models, std::optional<int> asked) {
  const int first = models[0].model->config().context;
  for (const LoadedModel& loaded : models) {
    const Config& config = loaded.model->config();
    const int own = config.context;
    const auto read = [](int sentences) {
      return "reads " + count_of(static_cast<std::uint64_t>(sentences), "sentence") + " of context";
    };
    if (asked.value_or(0) > own)
      throw SettingError(loaded.model->name(), ": ",
                         own == 0 ? "was trained without context" : read(own), "; lower ",
                         Setting{"context"}, ", or train it with more");
    if (!asked && own != first)
      throw SettingError(loaded.model->name(), ": ", read(own), ", and ", models[0].model->name(),
                         " ", count_of(static_cast<std::uint64_t>(first), "sentence"),
                         "; say how many with ", Setting{"context"});
    if (asked.value_or(own) > 0 && own > 0 &&
        config.context_sides != models[0].model->config().context_sides)
      throw SettingError(loaded.model->name(), ": reads other sides of its context than ",
                         models[0].model->name(), "; give models that read the same, or ",
                         Setting{"context"}, " 0");
  }
  return asked.value_or(first);
}

Documents::Documents(std::span<const LoadedModel> models, const LineLanguages& languages,
                     int sentences, bool scores)
    : models_(models), languages_(languages), scores_(scores) {
  options_.sentences = sentences;
  options_.history = models[0].model->config().context_sides == ContextSides::both;
  options_.longest = models[0].model->config().max_length;
  for (const LoadedModel& loaded : models)
    options_.longest = std::min<std::int64_t>(options_.longest, loaded.model->config().max_length);
  contexts_ = none();
}

Documents::Contexts Documents::none() const {
  Contexts contexts;
  for (const LoadedModel& loaded : models_)
    contexts.emplace_back(options_, loaded.source, loaded.target);
  return contexts;
}

// A translation that is not there yet is taken to be as long as its source.
void Documents::begin(const Contexts& contexts, const LineText& line,
                      LineSentence& sentence) const {
  Request& request = sentence.request;
  const auto around = line.pieces.empty() ? std::span(languages_.usual()) : line.pieces;
  sentence.around.assign(around.begin(), around.end());
  for (std::size_t m = 0; m < models_.size(); ++m) {
    const std::size_t source = pieces(models_[m].source, request.text).size() + 1,
                      target =
                          scores_ ? pieces(models_[m].target, request.target).size() + 1 : source;
    contexts[m].put_around(sentence.around[m], source, target);
  }
  request.languages = sentence.around;
}

void Documents::add(Contexts& contexts, const std::string& source,
                    const std::string& target) const {
  for (std::size_t m = 0; m < models_.size(); ++m)
    contexts[m].add(pieces(models_[m].source, source), pieces(models_[m].target, target));
}

void Documents::translate(std::span<LineText* const> lines,
                          const std::function<void(std::span<LineSentence* const>)>& translate) {
  std::vector<Queue> queues;
  queues.push_back({std::move(contexts_), {}});
  for (LineText* const line : lines) {
    if (line->wrong_context) line->problems.add({Reason::no_context});
    const bool blank = !line->remembered && words_of(line->text).empty();
    if (line->answerable && (blank || line->document != name_)) {
      queues.push_back({none(), {}});
      name_ = line->document;
    }
    for (LineSentence& s : line->sentences) queues.back().sentences.emplace_back(line, &s);
  }
  std::vector<LineSentence*> now;
  const auto has_text = [](const LineSentence& s) { return !words_of(s.request.text).empty(); };
  const auto before = [&](Contexts& contexts, const LineText& line, LineSentence& s) {
    if (line.context) {
      contexts = none();
      for (const auto& [source, translation] : *line.context) add(contexts, source, translation);
    }
    begin(contexts, line, s);
    now.push_back(&s);
  };
  if (!options_.history || scores_) {
    for (Queue& queue : queues)
      for (const auto& [line, s] : queue.sentences) {
        before(queue.contexts, *line, *s);
        if (has_text(*s)) add(queue.contexts, s->request.text, s->request.target);
      }
    translate(now);
  } else {
    for (std::size_t round = 0;; ++round) {
      now.clear();
      for (Queue& queue : queues)
        if (round < queue.sentences.size())
          before(queue.contexts, *queue.sentences[round].first, *queue.sentences[round].second);
      if (now.empty()) break;
      translate(now);
      for (Queue& queue : queues)
        if (round < queue.sentences.size())
          if (const LineSentence& s = *queue.sentences[round].second; has_text(s))
            add(queue.contexts, s.request.text, s.best(0).text);
    }
  }
  contexts_ = std::move(queues.back().contexts);
}

}  // namespace tt
