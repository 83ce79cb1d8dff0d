#include "lines/precision.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/report.h"
#include "base/thread_pool.h"
#include "base/utf8.h"
#include "lines/degraded.h"
#include "lines/loaded_translator.h"
#include "metrics/bleu.h"
#include "model/weight_form.h"

namespace tt {
namespace {

// The best translation of each line; adds to the problems of the lines those of the translations.
std::vector<std::string> translate_all(std::span<const LoadedModel> models,
                                       std::span<InputLine> lines, const Backend& backend,
                                       const FilterOptions& options) {
  LoadedTranslator translator(models, backend, options.translate, options.threads);
  for (InputLine& line : lines) translator.languages().choose(line);
  const LineSplitter splitter(options.sentences, models[0].source);
  std::vector<std::string> texts(lines.size());
  ThreadPool pool(translator.threads());
  const std::size_t block = translator.block();
  pool.run((lines.size() + block - 1) / block, [&](std::size_t task, int thread) {
    const std::size_t begin = task * block, count = std::min(block, lines.size() - begin);
    std::vector<SplitLine> split;
    for (const InputLine& line : lines.subspan(begin, count))
      split.push_back(splitter.split(line.request));
    const auto tapes = translator.tapes(thread);
    translate_sentences(split, 1,
                        [&](auto requests) { return translator->translate(requests, tapes); });
    for (std::size_t i = 0; i < count; ++i) {
      InputLine& line = lines[begin + i];
      const Translated found = split[i].joined(line.request);
      texts[begin + i] = found.best[0].text;
      add_problems(line, split[i], found, translator->options().longest, options.input.keep);
      add_unread(line, models, split[i], found.source, std::span(found.best).first(1));
    }
  });
  return texts;
}

}  // namespace

PrecisionComparison compare_precisions(std::span<const LoadedModel> float32,
                                       std::span<const LoadedModel> int8, LineSource& in,
                                       const std::string& reference, const Backend& backend,
                                       const FilterOptions& options) {
  for (const LoadedModel& loaded : float32)
    if (stored_form(*loaded.file) == WeightForm::int8)
      require_float32(*loaded.file,
                      ", and cannot be compared with itself; give the model that it was made of");
  std::vector<InputLine> lines;
  for (std::string line; in.next(line);)
    lines.push_back(read_line(line, in.line_number(), options.input));
  if (lines.empty()) throw Error("there are no lines to translate");
  std::vector<std::string> wanted = read_lines(reference);
  for (std::string& line : wanted) line = repair_utf8(line);
  if (wanted.size() != lines.size())
    throw Error(reference, ": has ", count_of(wanted.size(), "line"), ", the text ", lines.size(),
                "; give the translation of each line");
  const auto one = translate_all(float32, lines, backend, options),
             other = translate_all(int8, lines, backend, options);
  DegradedLines degraded(in);
  for (std::size_t i = 0; i < lines.size(); ++i) degraded.add(lines[i], i + 1);
  PrecisionComparison result;
  result.lines = lines.size();
  result.degraded = degraded.count();
  for (std::size_t i = 0; i < one.size(); ++i) result.same += one[i] == other[i];
  metrics::BleuOptions bleu;
  bleu.tokenize = float32[0].model->config().tokenize;
  result.float32_bleu = metrics::corpus_bleu(one, wanted, bleu);
  result.int8_bleu = metrics::corpus_bleu(other, wanted, bleu);
  result.between_bleu = metrics::corpus_bleu(other, one, bleu);
  return result;
}

}  // namespace tt
