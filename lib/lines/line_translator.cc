#include "lines/line_translator.h"

namespace tt {
namespace {

TranslateOptions attending(TranslateOptions options, const Model& model, const LineOptions& input,
                           const AlignmentOptions& alignment) {
  if (alignment.kind != AlignmentKind::none || input.may_need_alignment())
    options.heads = alignment_heads(model, alignment);
  return options;
}

LineModels models_of(std::span<const LoadedModel> models, const LoadedTranslator& translator) {
  LineModels all{{}, &models[0].target, translator->options().longest, &translator.languages()};
  for (const LoadedModel& loaded : models) all.sources.push_back(&loaded.source);
  return all;
}

}  // namespace

LineTranslator::LineTranslator(std::span<const LoadedModel> models, const Backend& backend,
                               const LineOptions& input, const TranslateOptions& options,
                               const AlignmentOptions& alignment, int threads)
    : scores_(input.whole), aligned_(alignment.kind != AlignmentKind::none),
      translator_(models, backend, attending(options, *models[0].model, input, alignment), threads),
      pipeline_(input, models_of(models, translator_)) {
  if (const auto& heads = translator_->options().heads; !heads.empty())
    aligner_.emplace(translator_.members()[0], models[0].target, heads);
  if (const int sentences = context_of(models, input.context); sentences > 0)
    documents_.emplace(models, translator_.languages(), sentences, scores_);
}

std::vector<Line> LineTranslator::run(std::span<const std::string> lines, std::uint64_t first,
                                      bool list, std::span<Tape* const> tapes,
                                      const BatchRunner* runner) {
  const auto translate = [&](std::span<const Request> requests) {
    if (scores_) return translator_->score(requests, tapes);
    return runner ? translator_->translate(requests, *runner)
                  : translator_->translate(requests, tapes);
  };
  const auto align = [&](std::span<const Pipeline::Link> links) {
    std::vector<Aligner::Pair> pairs;
    for (const auto& [source, translation] : links)
      pairs.push_back({&source->text, translation, scores_, &translator_->languages(*source)[0]});
    return aligner_->align(pairs, *tapes[0], translator_->options().batch_tokens);
  };
  const auto wanted = static_cast<std::size_t>(translator_->options().search.wanted());
  const Pipeline::Order in_documents = [&](const auto& texts, const auto& some) {
    documents_->translate(texts, some);
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
