#include "lines/precision.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/report.h"
#include "base/thread_pool.h"
#include "base/utf8.h"
#include "metrics/bleu.h"
#include "model/weight_form.h"

namespace tt {
namespace {

// The best translation of each line as a filter writes it, without other columns. Adds its problems
// to those of the line.
std::vector<std::string> translate_all(std::span<const LoadedModel> models,
                                       std::span<const std::string> lines,
                                       std::span<Problems> problems, const Backend& backend,
                                       const FilterOptions& options) {
  LineTranslator lines_translator(models, backend, options.input, options.translate,
                                  options.output.alignment, options.threads);
  LoadedTranslator& translator = lines_translator.translator();
  std::vector<std::string> texts(lines.size());
  ThreadPool pool(translator.threads());
  const std::size_t block = translator.block(), tasks = (lines.size() + block - 1) / block;
  const BatchRunner shared{
      pool.threads(), [&](std::size_t batches, const auto& each) {
        pool.run(batches, [&](std::size_t b, int thread) { each(b, translator.tapes(thread)); });
      }};
  const auto run = [&](std::size_t task, int thread, const BatchRunner* runner) {
    const std::size_t begin = task * block, count = std::min(block, lines.size() - begin);
    const auto found = lines_translator.run(lines.subspan(begin, count), options.first_line + begin,
                                            false, translator.tapes(thread), runner);
    for (std::size_t i = 0; i < count; ++i) {
      const Line& line = found[i];
      texts[begin + i] = line.text.answerable ? line.found.result.best[0].text : line.raw;
      problems[begin + i].add(line.text.problems.all());
    }
  };
  if (lines_translator.reads_context())
    for (std::size_t task = 0; task < tasks; ++task) run(task, 0, &shared);
  else pool.run(tasks, [&](std::size_t task, int thread) { run(task, thread, nullptr); });
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
  std::vector<std::string> lines;
  for (std::string line; in.next(line);) lines.push_back(line);
  if (lines.empty()) throw Error("there are no lines to translate");
  std::vector<std::string> wanted = read_lines(reference);
  for (std::string& line : wanted) line = repair_utf8(line);
  if (wanted.size() != lines.size())
    throw Error(reference, ": has ", count_of(wanted.size(), "line"), ", the text ", lines.size(),
                "; give the translation of each line");
  std::vector<Problems> problems(lines.size());
  const auto one = translate_all(float32, lines, problems, backend, options),
             other = translate_all(int8, lines, problems, backend, options);
  DegradedLines degraded(in);
  for (std::size_t i = 0; i < lines.size(); ++i) degraded.add(problems[i], i + 1);
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
