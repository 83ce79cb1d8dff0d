#include "lines/pipeline.h"

#include <algorithm>

#include "lines/sentences.h"

namespace tt {
namespace {

void translate_sentences(std::span<LineSentence* const> sentences, std::size_t count,
                         const Pipeline::Translate& translate) {
  std::vector<Request> requests;
  for (const LineSentence* s : sentences)
    if (!s->passes) requests.push_back(s->request);
  std::vector<Translated> found = translate(requests);
  auto next = found.begin();
  for (LineSentence* s : sentences)
    if (!s->passes) {
      s->result = std::move(*next++);
    } else {
      s->result.best.resize(count);
      for (Translation& t : s->result.best) t.text = s->request.text;
    }
}

void align_sentences(std::span<Line> lines, const Pipeline::Align& align) {
  std::vector<Pipeline::Link> links;
  const auto each = [&](const auto& visit) {
    for (Line& line : lines)
      if (line.text.sentences[0].request.attended)
        for (std::size_t b = 0; b < line.found.written; ++b)
          for (const LineSentence& s : line.text.sentences) visit(line, b, s);
  };
  each([&](Line&, std::size_t b, const LineSentence& s) {
    links.push_back({&s.request, &s.best(b)});
  });
  if (links.empty()) return;
  std::vector<SoftAlignment> found = align(links);
  auto next = found.begin();
  each([&](Line& line, std::size_t b, const LineSentence&) {
    line.found.of_sentences.resize(line.found.written);
    line.found.of_sentences[b].push_back(std::move(*next++));
  });
}

void undo(Line& line) {
  if (!line.text.answerable) return;
  std::string text = line.found.result.best[0].text;
  for (const TextRange& r : joined_text(line.text, 0).untranslated)
    text.replace(r.begin, r.end - r.begin, r.end - r.begin, ' ');
  for (auto undo = line.undos.rbegin(); undo != line.undos.rend(); ++undo)
    if (undo->check) undo->check(line.found, text, line.text);
  for (auto undo = line.undos.rbegin(); undo != line.undos.rend(); ++undo)
    if (undo->put_back) undo->put_back(line.found, line.text);
}

}  // namespace

std::string Line::answer(std::string found) const {
  for (auto undo = undos.rbegin(); undo != undos.rend(); ++undo)
    if (undo->answer) found = undo->answer(found);
  return found;
}

Pipeline::Pipeline(const LineOptions& options, const LineModels& models) {
  for (MakeTransform* const make : kTransforms)
    if (auto transform = make(options, models)) transforms_.push_back(std::move(transform));
}

Line Pipeline::read(const std::string& raw, std::uint64_t number) const {
  Line line;
  line.text.number = number;
  line.text.text = raw;
  for (const auto& transform : transforms_) {
    line.undos.push_back(transform(line.text));
    if (&transform == &transforms_[0]) line.raw = line.text.text;
  }
  return line;
}

std::vector<Line> Pipeline::run(std::span<const std::string> raw, std::uint64_t first,
                                const Wanted& wanted, const Translate& translate,
                                const Align& align, const Order& order) const {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    Line& line = lines.emplace_back(read(raw[i], first + i));
    const bool attended = wanted.aligned || std::ranges::any_of(line.undos, &Undo::needs_alignment);
    for (LineSentence& s : line.text.sentences) s.request.attended = attended;
  }
  std::vector<LineText*> texts;
  std::vector<LineSentence*> sentences;
  for (Line& line : lines) {
    texts.push_back(&line.text);
    for (LineSentence& s : line.text.sentences) sentences.push_back(&s);
  }
  const auto some = [&](std::span<LineSentence* const> of, const Translate& by) {
    translate_sentences(of, wanted.translations, by);
  };
  if (order) order(texts, some);
  else some(sentences, translate);
  for (Line& line : lines) {
    line.found.result = joined(line.text);
    if (wanted.list) line.found.written = line.found.result.best.size();
  }
  align_sentences(lines, align);
  for (Line& line : lines) undo(line);
  return lines;
}

}  // namespace tt
