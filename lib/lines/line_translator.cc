#include "lines/line_translator.h"

#include <algorithm>

#include "decode/token_constraints.h"

namespace tt {
namespace {

TranslateOptions attending(TranslateOptions options, const Model& model, const LineOptions& input,
                           const AlignmentOptions& alignment) {
  if (alignment.kind != AlignmentKind::none || input.may_need_alignment())
    options.heads = alignment_heads(model, alignment);
  return options;
}

LineModels models_of(std::span<const LoadedModel> models, const LoadedTranslator& translator,
                     const std::optional<Flaws>& flaws) {
  LineModels all{{},
                 &models[0].target,
                 translator->options().longest,
                 &translator.languages(),
                 flaws ? &*flaws : nullptr};
  for (const LoadedModel& loaded : models) all.sources.push_back(&loaded.source);
  return all;
}

std::optional<Flaws> flaws_of(const LineOptions& input, const LoadedModel& model) {
  if (input.whole || input.flaws.empty()) return std::nullopt;
  return std::optional<Flaws>(std::in_place, input.flaws, target_text_of(model));
}

// The search for another translation: wider, and without sequences of kRepeated tokens that come
// twice.
TranslateOptions other_search(TranslateOptions options) {
  constexpr int kWider = 2, kRepeated = 3;
  options.search.beam *= kWider;
  options.batch_tokens = std::max<std::int64_t>(1, options.batch_tokens / kWider);
  options.search.constraints.push_back(std::make_shared<NoRepeat>(kRepeated));
  return options;
}

}  // namespace

LineTranslator::LineTranslator(std::span<const LoadedModel> models, const Backend& backend,
                               const LineOptions& input, const TranslateOptions& options,
                               const AlignmentOptions& alignment, int threads)
    : scores_(input.whole), aligned_(alignment.kind != AlignmentKind::none),
      translator_(models, backend, attending(options, *models[0].model, input, alignment), threads),
      flaws_(flaws_of(input, models[0])), pipeline_(input, models_of(models, translator_, flaws_)) {
  if (flaws_ && input.retry)
    again_.emplace(translator_.members(), models[0].target, other_search(translator_->options()));
  if (const auto& heads = translator_->options().heads; !heads.empty())
    aligner_.emplace(translator_.members()[0], models[0].target, heads);
  if (const int sentences = context_of(models, input.context); sentences > 0)
    documents_.emplace(models, translator_.languages(), sentences, scores_);
}

// A translation that has flaws is replaced by that of the other search if that has none.
void LineTranslator::search_again(std::span<const Request> requests, std::vector<Translated>& found,
                                  std::span<Tape* const> tapes) const {
  std::vector<Request> flawed;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (!flaws_->of(requests[i], found[i].best[0]).empty())
      flawed.push_back(requests[i]), which.push_back(i);
  if (flawed.empty()) return;
  std::vector<Translated> others = again_->translate(flawed, tapes);
  for (std::size_t i = 0; i < flawed.size(); ++i) {
    if (!flaws_->of(flawed[i], others[i].best[0]).empty()) continue;
    others[i].problems.push_back({Reason::searched_again});
    found[which[i]] = std::move(others[i]);
  }
}

std::vector<Line> LineTranslator::run(std::span<const std::string> lines, std::uint64_t first,
                                      bool list, std::span<Tape* const> tapes,
                                      const BatchRunner* runner, const InTurn& in_turn) {
  const auto translate_by = [&](std::span<const Request> requests, std::span<Tape* const> by,
                                const BatchRunner* with) {
    if (scores_) return translator_->score(requests, by);
    std::vector<Translated> found =
        with ? translator_->translate(requests, *with) : translator_->translate(requests, by);
    if (again_) search_again(requests, found, by);
    return found;
  };
  const auto translate = [&](std::span<const Request> requests) {
    return translate_by(requests, tapes, runner);
  };
  const auto align = [&](std::span<const Pipeline::Link> links) {
    std::vector<Aligner::Pair> pairs;
    for (const auto& [source, translation] : links)
      pairs.push_back({&source->text, translation, scores_, &translator_->languages(*source)[0]});
    return aligner_->align(pairs, *tapes[0], translator_->options().batch_tokens);
  };
  const auto wanted = static_cast<std::size_t>(translator_->options().search.wanted());
  const Pipeline::Order in_documents = [&](const auto& texts, const Pipeline::Some& some) {
    Documents::Work work;
    work.translate = [&](const auto& sentences) { some(sentences, translate); };
    work.threads = runner ? static_cast<std::size_t>(runner->threads) : 1;
    work.apart = [&](std::size_t parts, const auto& each) {
      const auto with = [&](std::size_t part, std::span<Tape* const> of) {
        each(part, [&](const auto& sentences) {
          some(sentences,
               [&](const auto& requests) { return translate_by(requests, of, nullptr); });
        });
      };
      if (runner && parts > 1) runner->run(parts, with);
      else
        for (std::size_t part = 0; part < parts; ++part) each(part, work.translate);
    };
    work.in_turn = in_turn;
    documents_->translate(texts, work);
  };
  std::vector<Line> found = pipeline_.run(lines, first, {wanted, list, aligned_}, translate, align,
                                          documents_ ? in_documents : nullptr);
  for (Line& line : found)
    if (line.text.context && !documents_) line.text.problems.add({Reason::context_not_read});
  return found;
}

void DegradedLines::add(const Problems& problems, std::size_t number) {
  count_ += !problems.empty();
  for (const Problem& problem : problems)
    reasons_.add(reason_of(problem), number, text_of(problem));
}

}  // namespace tt
