#include "decode/translator.h"

#include <algorithm>

#include "base/error.h"
#include "model/int8.h"
#include "text/cut.h"

namespace tt {

LoadedModel load_model(const std::string& path, const Backend& backend, WeightForm form) {
  const auto file = std::make_shared<const TensorFile>(open_model(path));
  const bool joint = file->find(kSubword) != nullptr;
  const auto subword = [&](const std::string& name) { return Subword::parse(std::string(file->text(name)), path + ", " + name); };
  Subword source = subword(joint ? kSubword : "subword.source"), target = joint ? source : subword("subword.target");
  const Config config = stored_config(*file);
  for (const auto& [side, vocabulary, pieces] :
       {std::tuple("source", config.source_vocab, source.size()), {"target", config.target_vocab, target.size()}})
    if (vocabulary != pieces)
      throw Error(path, ": its configuration has ", vocabulary, " ", side, " pieces, its subword model ", pieces,
                  "; the file is damaged");
  auto model = make_model(config);
  model->set_name(path);
  load_frozen(model->params(), *file, backend, form);
  return {file, std::move(model), std::move(source), std::move(target)};
}

constexpr std::size_t kPart = 128;  // pieces of a part of a line that is too long: models are trained on sentences

// A part of a line that is searched as one sentence.
struct Translator::Part {
  std::size_t line;
  std::vector<std::int32_t> source, target;
  double score = 0;
};

Translator::Translator(const Model& model, const Subword& source, const Subword& target, const TranslateOptions& options)
    : model_(model), source_(source), target_(target), options_(options) {
  if (const std::int64_t places = model.longest()) {  // neither side may be longer
    options_.longest = std::min(options_.longest, places - 1);
    options_.search.extra_length = static_cast<int>(std::min<std::int64_t>(options_.search.extra_length, places));
  }
}

std::vector<Translation> Translator::translate(std::span<const std::string> lines, Tape& tape) const {
  std::vector<Translation> translations(lines.size());
  std::vector<Part> parts;
  std::vector<std::int32_t> pieces;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    source_.encode(lines[i], pieces);
    const auto longest = static_cast<std::size_t>(options_.longest);
    translations[i].cut = pieces.size() > longest;
    const auto add_part = [&](std::span<const std::int32_t> part) {
      if (part.empty()) return;
      parts.push_back({i, {part.begin(), part.end()}, {}});
      parts.back().source.push_back(source_.eos());
    };
    if (!translations[i].cut) {
      add_part(pieces);
      continue;
    }
    const auto size = [&](std::string_view text) {
      source_.encode(text, pieces);
      return pieces.size();
    };
    for (const std::string_view stretch : cut(lines[i], std::min(longest, kPart), size)) {
      source_.encode(stretch, pieces);
      // A character may have more pieces than a part.
      for (std::span<const std::int32_t> left = pieces; !left.empty(); left = left.subspan(std::min(longest, left.size())))
        add_part(left.first(std::min(longest, left.size())));
    }
  }
  std::vector<Part*> order;
  for (Part& part : parts) order.push_back(&part);
  std::stable_sort(order.begin(), order.end(), [](const Part* a, const Part* b) { return a->source.size() > b->source.size(); });
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::int64_t tokens = 0;
    while (end < order.size() &&
           (end == begin || tokens + static_cast<std::int64_t>(order[end]->source.size()) <= options_.batch_tokens))
      tokens += static_cast<std::int64_t>(order[end++]->source.size());
    translate_batch(std::span(order).subspan(begin, end - begin), tape);
  }
  for (Part& part : parts) {
    Translation& t = translations[part.line];
    const std::string text = target_.decode(part.target);
    t.text += (t.text.empty() || text.empty() ? "" : " ") + text;
    t.score += part.score;
    part.target.push_back(target_.eos());
    t.source.insert(t.source.end(), part.source.begin(), part.source.end());
    t.target.insert(t.target.end(), part.target.begin(), part.target.end());
  }
  return translations;
}

void Translator::translate_batch(std::span<Part*> parts, Tape& tape) const {
  Side source;
  std::vector<std::int64_t> limits;
  for (const Part* part : parts) {
    source.tokens.insert(source.tokens.end(), part->source.begin(), part->source.end());
    source.offsets.push_back(static_cast<std::int32_t>(source.tokens.size()));
    std::int64_t limit = static_cast<std::int64_t>(part->source.size()) + options_.search.extra_length;
    if (model_.longest()) limit = std::min(limit, model_.longest() - 1);
    limits.push_back(limit);
  }
  tape.clear();
  const auto state = model_.start(tape, source);
  std::vector<std::vector<Hypothesis>> found;
  try {
    found = beam_search(*state, limits, target_.bos(), target_.eos(), options_.search);
  } catch (const NotFinite& error) {
    throw Error(model_.name(), ": ", error.what());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i]->target = std::move(found[i][0].tokens);
    parts[i]->score = found[i][0].score;
  }
}

}  // namespace tt
