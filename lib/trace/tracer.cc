#include "trace/tracer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/report.h"
#include "text/batch.h"
#include "trace/recorder.h"

namespace tt {
namespace {

constexpr std::size_t kBest = 10;  // pieces of a position

// The likeliest pieces of softmax(logits).
TraceBest best_of(std::span<const float> logits, const Subword* pieces) {
  const float most = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float x : logits) sum += std::exp(static_cast<double>(x) - static_cast<double>(most));
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t n = std::min(kBest, order.size());
  const auto of = [&](std::int32_t piece) { return logits[static_cast<std::size_t>(piece)]; };
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(n),
                            [&](auto a, auto b) { return of(a) != of(b) ? of(a) > of(b) : a < b; });
  TraceBest best;
  for (std::size_t i = 0; i < n; ++i) {
    best.pieces.push_back(pieces ? pieces->piece(order[i]) : std::to_string(order[i]));
    best.logits.push_back(of(order[i]));
    best.log_probabilities.push_back(
        static_cast<float>(static_cast<double>(of(order[i]) - most) - std::log(sum)));
  }
  return best;
}

std::vector<std::string> texts(const Subword& subword, std::span<const std::int32_t> pieces) {
  std::vector<std::string> all;
  for (const std::int32_t piece : pieces) all.push_back(subword.piece(piece));
  return all;
}

}  // namespace

void read_once(const Model& model, const Backend& backend, std::span<const std::int32_t> source,
               std::span<const std::int32_t> target, std::int32_t bos, const Subword* pieces,
               Trace& trace) {
  Batch batch;
  append(batch.source, source);
  append(batch.target_out, target);
  batch.target_in = shifted(batch.target_out, bos);
  batch.sentences = {0};
  trace.summarised = std::max(source.size(), target.size()) > kLongestTraced;
  const Recorder recorder(backend, model.params(), trace.summarised);
  Tape tape(recorder, model.params());
  trace.log_probabilities = model.token_scores(tape, batch);
  trace.matrices = recorder.matrices();
  for (const auto& row : recorder.logits()) trace.best.push_back(best_of(row, pieces));
}

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
  trace.source = texts(loaded_.source, result.source);
  trace.target = texts(loaded_.target, best.target);
  trace.input = trace.target;
  trace.input.pop_back();
  trace.input.insert(trace.input.begin(), trace.config.start == StartSymbol::zero
                                              ? "0"
                                              : loaded_.target.piece(loaded_.target.bos()));
  read_once(*loaded_.model, backend_, result.source, best.target, loaded_.target.bos(),
            &loaded_.target, trace);
  write_trace(to_, trace);
  ++count_;
  if (!trace.summarised) return std::nullopt;
  return Problem{Reason::trace_summarised, {}, 0, std::to_string(kLongestTraced)};
}

}  // namespace tt
