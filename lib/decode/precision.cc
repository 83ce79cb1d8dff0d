#include "decode/precision.h"

#include <algorithm>
#include <deque>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "metrics/bleu.h"
#include "model/weight_form.h"
#include "nn/worker.h"

namespace tt {
namespace {

constexpr std::size_t kLines = 64;  // that one thread translates together

std::vector<std::string> translate_all(std::span<const LoadedModel> models, std::span<const Request> requests,
                                       const Backend& backend, const FilterOptions& options) {
  std::vector<Member> members;
  std::deque<Workers> workers;
  for (const LoadedModel& loaded : models) {
    members.push_back({loaded.model.get(), &loaded.source});
    workers.emplace_back(backend, loaded.model->params(), options.threads);
  }
  const Translator translator(members, models[0].target, options.translate);
  std::vector<std::string> texts(requests.size());
  ThreadPool pool(options.threads);
  pool.run((requests.size() + kLines - 1) / kLines, [&](std::size_t task, int thread) {
    std::vector<Tape*> tapes;
    for (Workers& each : workers) tapes.push_back(&each[thread].tape);
    const std::size_t begin = task * kLines;
    const auto found = translator.translate(requests.subspan(begin, std::min(kLines, requests.size() - begin)), tapes);
    for (std::size_t i = 0; i < found.size(); ++i) texts[begin + i] = found[i].best[0].text;
  });
  return texts;
}

}  // namespace

PrecisionComparison compare_precisions(std::span<const LoadedModel> float32, std::span<const LoadedModel> int8, LineSource& in,
                                       const std::string& reference, const Backend& backend, const FilterOptions& options) {
  for (const LoadedModel& loaded : float32)
    if (stored_form(*loaded.file) == WeightForm::int8)
      require_float32(*loaded.file, ", and cannot be compared with itself; give the model that it was made of");
  std::vector<Request> requests;
  for (std::string line; in.next(line);) requests.push_back(read_line(line, in.line_number(), options.input).request);
  if (requests.empty()) throw Error("there are no lines to translate");
  std::vector<std::string> wanted = read_lines(reference);
  for (std::string& line : wanted) line = repair_utf8(line);
  if (wanted.size() != requests.size())
    throw Error(reference, ": has ", wanted.size(), " lines, the text ", requests.size(), "; give the translation of each line");
  const auto one = translate_all(float32, requests, backend, options), other = translate_all(int8, requests, backend, options);
  PrecisionComparison result;
  result.lines = requests.size();
  for (std::size_t i = 0; i < one.size(); ++i) result.same += one[i] == other[i];
  metrics::BleuOptions bleu;
  bleu.tokenize = float32[0].model->config().tokenize;
  result.float32_bleu = metrics::corpus_bleu(one, wanted, bleu);
  result.int8_bleu = metrics::corpus_bleu(other, wanted, bleu);
  result.between_bleu = metrics::corpus_bleu(other, one, bleu);
  return result;
}

}  // namespace tt
