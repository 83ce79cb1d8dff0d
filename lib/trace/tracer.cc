#include "trace/tracer.h"

#include "trace/forward.h"

namespace tt {

Tracer::Tracer(std::span<const LoadedModel> model, const Backend& backend, TranslateOptions options,
               Output& to)
    : loaded_(model[0]), backend_(backend), beam_(model[0].target),
      translator_(model, backend, (options.search.observer = &beam_, options), 1), to_(to) {}

std::optional<Problem> Tracer::add(const LineSentence& sentence, bool scored, std::uint64_t line) {
  if (sentence.passes) return Problem{Reason::trace_of_untranslated};
  const Translated& result = sentence.result;
  const Translation& best = result.best[0];
  if (best.target.empty() || (scored && best.token_scores.empty()))
    return Problem{Reason::trace_of_no_pieces};
  if (result.cut) return Problem{Reason::trace_of_parts};
  if (count_ == kMost) return Problem{Reason::trace_too_many, {}, 0, std::to_string(kMost)};
  Trace trace;
  if (!scored) translator_->translate(std::span(&sentence.request, 1), translator_.tapes(0));
  trace.beam = beam_.take();
  trace.line = line;
  trace.model = loaded_.model->name();
  trace.text = sentence.request.text;
  trace.translation = best.text;
  trace.config = loaded_.model->config();
  // The lines before it, and their translations, are pieces that come first.
  std::vector<std::int32_t> target;
  if (!sentence.request.languages.empty()) {
    target = sentence.request.languages[0].history;
    trace.source_context = static_cast<std::int64_t>(sentence.request.languages[0].context);
    trace.target_context = std::ssize(target);
  }
  target.insert(target.end(), best.target.begin(), best.target.end());
  take_pieces(loaded_.source, result.source, loaded_.target, target, trace);
  read_once(*loaded_.model, backend_, result.source, target, loaded_.target.bos(), &loaded_.target,
            trace);
  write_trace(to_, trace);
  ++count_;
  if (!trace.summarised) return std::nullopt;
  return Problem{Reason::trace_summarised, {}, 0, std::to_string(kLongestTraced)};
}

}  // namespace tt
