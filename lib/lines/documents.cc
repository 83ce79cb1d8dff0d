#include "lines/documents.h"

#include <algorithm>

#include "base/report.h"
#include "base/setting.h"
#include "text/words.h"

namespace tt {

int context_of(std::span<const LoadedModel> models, std::optional<int> asked) {
  const int first = models[0].model->config().context;
  for (const LoadedModel& loaded : models) {
    const Config& config = loaded.model->config();
    const int own = config.context;
    const auto read = [](int sentences) {
      return "reads " + count_of(sentences, "sentence") + " of context";
    };
    if (asked.value_or(0) > own)
      throw SettingError(loaded.model->name(), ": ",
                         own == 0 ? "was trained without context" : read(own), "; lower ",
                         Setting{"context"}, ", or train it with more");
    if (!asked && own != first)
      throw SettingError(loaded.model->name(), ": ", read(own), ", and ", models[0].model->name(),
                         " ", count_of(first, "sentence"), "; say how many with ",
                         Setting{"context"});
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

Documents::Sentence Documents::read(LineText& line, LineSentence& sentence) const {
  Sentence s{&line, &sentence, {}, {}};
  for (const LoadedModel& loaded : models_) {
    s.source.push_back(loaded.source.encode(sentence.request.text));
    s.target.push_back(scores_ ? loaded.target.encode(sentence.request.target) : Pieces());
  }
  return s;
}

// A translation that is not there yet is taken to be as long as its source.
void Documents::begin(Contexts& contexts, const Sentence& of) const {
  const LineText& line = *of.line;
  LineSentence& sentence = *of.sentence;
  if (line.context) {
    contexts = none();
    for (const auto& [source, translation] : *line.context)
      for (std::size_t m = 0; m < models_.size(); ++m)
        contexts[m].add(models_[m].source.encode(source), models_[m].target.encode(translation));
  }
  const auto pieces_of_line = line.pieces.empty() ? std::span(languages_.usual()) : line.pieces;
  sentence.context_pieces.assign(pieces_of_line.begin(), pieces_of_line.end());
  for (std::size_t m = 0; m < models_.size(); ++m)
    contexts[m].put_around(sentence.context_pieces[m], of.source[m].size() + 1,
                           (scores_ ? of.target[m] : of.source[m]).size() + 1);
  sentence.request.languages = sentence.context_pieces;
}

// Makes sentence `i`, which has this translation, context of the next one.
void Documents::follow(Queue& queue, std::size_t i, const std::string& translation) const {
  const Sentence& s = queue.sentences[i];
  if (words_of(s.sentence->request.text).empty()) return;
  for (std::size_t m = 0; m < models_.size(); ++m)
    queue.contexts[m].add(
        s.source[m], reads_translations() ? models_[m].target.encode(translation) : s.target[m]);
}

// The sentences of each document.
std::vector<Documents::Queue> Documents::queues(std::span<LineText* const> lines,
                                                std::vector<Sentence>&& sentences) {
  std::vector<Queue> all;
  all.push_back({std::move(contexts_), {}});
  auto next = sentences.begin();
  for (LineText* const line : lines) {
    const bool blank = !line->remembered && words_of(line->text).empty();
    if (line->answerable && (blank || line->document != name_)) {
      all.push_back({none(), {}});
      name_ = line->document;
    }
    for (std::size_t i = 0; i < line->sentences.size(); ++i)
      all.back().sentences.push_back(std::move(*next++));
  }
  return all;
}

// Translates documents side by side, and the sentences of each one after the other.
void Documents::follow_each_other(std::span<Queue> documents, const Translate& translate) const {
  std::vector<LineSentence*> now;
  for (std::size_t round = 0;; ++round) {
    now.clear();
    for (Queue& queue : documents)
      if (round < queue.sentences.size()) {
        begin(queue.contexts, queue.sentences[round]);
        now.push_back(queue.sentences[round].sentence);
      }
    if (now.empty()) return;
    translate(now);
    for (Queue& queue : documents)
      if (round < queue.sentences.size())
        follow(queue, round, queue.sentences[round].sentence->best(0).text);
  }
}

void Documents::translate(std::span<LineText* const> lines, const Work& work) {
  std::vector<Sentence> sentences;
  for (LineText* const line : lines) {
    if (line->wrong_context) line->problems.add({Reason::no_context});
    for (LineSentence& s : line->sentences) sentences.push_back(read(*line, s));
  }
  const std::size_t count = sentences.size();
  std::vector<LineSentence*> now;
  work.in_turn([&] {
    std::vector<Queue> all = queues(lines, std::move(sentences));
    if (reads_translations()) {
      // Parts of about as many sentences.
      std::vector<std::size_t> ends;
      std::size_t before = 0;
      for (std::size_t q = 0; q < all.size(); ++q) {
        before += all[q].sentences.size();
        if (before * work.threads >= count * (ends.size() + 1) || q + 1 == all.size())
          ends.push_back(q + 1);
      }
      work.apart(ends.size(), [&](std::size_t part, const Translate& translate) {
        const std::size_t first = part == 0 ? 0 : ends[part - 1];
        follow_each_other(std::span(all).subspan(first, ends[part] - first), translate);
      });
    } else {
      for (Queue& queue : all)
        for (std::size_t i = 0; i < queue.sentences.size(); ++i) {
          begin(queue.contexts, queue.sentences[i]);
          now.push_back(queue.sentences[i].sentence);
          follow(queue, i, "");
        }
    }
    contexts_ = std::move(all.back().contexts);
  });
  if (!reads_translations()) work.translate(now);
}

}  // namespace tt
