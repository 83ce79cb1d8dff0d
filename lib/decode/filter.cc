#include "decode/filter.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "base/report.h"
#include "base/utf8.h"
#include "nn/worker.h"

namespace tt {
namespace {

constexpr std::size_t kLines = 64;  // lines that one thread translates together

using nlohmann::ordered_json;

std::vector<std::string> texts(const Subword& subword, std::span<const std::int32_t> pieces) {
  std::vector<std::string> all;
  for (const std::int32_t piece : pieces) all.push_back(subword.piece(piece));
  return all;
}

// One line of JSON: the pieces of both sides, and per layer and head the weights [queries][keys].
std::string attention_json(const LoadedModel& loaded, const Translation& translation, std::size_t line, bool self, Tape& tape) {
  ordered_json result{{"line", line},
                      {"source", texts(loaded.source, translation.source)},
                      {"target", texts(loaded.target, translation.target)},
                      {"attention", ordered_json::array()}};
  if (translation.source.empty()) return result.dump();
  Batch batch;
  batch.source = {translation.source, {0, static_cast<std::int32_t>(translation.source.size())}};
  batch.target_out = {translation.target, {0, static_cast<std::int32_t>(translation.target.size())}};
  batch.target_in = shifted(batch.target_out, loaded.target.bos());
  batch.sentences = {0};
  tape.clear();
  for (const AttentionWeights& layer : loaded.model->attention_weights(tape, batch)) {
    if (layer.kind != "cross" && !self) continue;
    const std::size_t queries = (layer.kind == "encoder" ? translation.source : translation.target).size();
    const std::size_t keys = (layer.kind == "decoder" ? translation.target : translation.source).size();
    const float* w = layer.weights.data();
    for (int head = 1; head <= layer.heads; ++head) {
      ordered_json rows = ordered_json::array();
      for (std::size_t q = 0; q < queries; ++q, w += keys) {
        ordered_json row = ordered_json::array();
        for (std::size_t k = 0; k < keys; ++k) row.push_back(std::round(w[k] * 1e5) / 1e5);
        rows.push_back(std::move(row));
      }
      result["attention"].push_back({{"kind", layer.kind}, {"layer", layer.layer}, {"head", head}, {"weights", std::move(rows)}});
    }
  }
  return result.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Lines degraded for one reason: the first of them, and their number.
struct Degraded {
  std::size_t first = 0, lines = 0;

  void add(std::size_t line) { first = lines++ == 0 ? line : std::min(first, line); }
  // The message after all lines have been read.
  std::string message(const std::string& name, const std::string& what) const {
    return name + ":" + std::to_string(first) + ": " + what + (lines == 1 ? "" : " (" + with_commas(lines) + " such lines)");
  }
};

// Reports degraded lines, in the order of the first of each kind, when it goes out of scope, so also after an error.
class DegradedLines {
 public:
  DegradedLines(const LineReader& in, std::int64_t longest) : in_(in), longest_(longest) {}
  ~DegradedLines() {
    std::map<std::size_t, std::string> messages;
    if (damaged.lines > 0)
      messages[2 * damaged.first] = damaged.message(in_.name(), "not UTF-8; invalid bytes are read as U+FFFD");
    if (cut.lines > 0)
      messages[2 * cut.first + 1] =
          cut.message(in_.name(), "longer than " + std::to_string(longest_) + " pieces; translated in parts");
    for (const auto& [line, message] : messages) warn(message);
  }
  Degraded damaged, cut;

 private:
  const LineReader& in_;
  std::int64_t longest_;
};

}  // namespace

FilterReport translate_lines(LineReader& in, Output& out, const LoadedModel& loaded, const TranslateOptions& options,
                             const Backend& backend, int threads, const AttentionRequest& attention) {
  if (attention.to) threads = 1;
  const Translator translator(*loaded.model, loaded.source, loaded.target, options);
  Workers workers(backend, loaded.model->params(), threads);
  std::mutex mutex;
  FilterReport report(backend);
  DegradedLines degraded(in, translator.options().longest);
  Progress bar("translating", "lines");
  map_lines(in, out, threads, kLines, bar, [&](std::vector<std::string>&& lines, std::size_t first, int thread) {
    Tape& tape = workers[thread].tape;
    std::vector<bool> damaged(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (first_invalid_utf8(lines[i]) != std::string::npos) {
        damaged[i] = true;
        lines[i] = repair_utf8(lines[i]);
      }
    const auto translations = translator.translate(lines, tape);
    std::vector<std::string> results;
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (damaged[i]) degraded.damaged.add(first + i);
      if (translations[i].cut) degraded.cut.add(first + i);
      report.degraded += damaged[i] || translations[i].cut;
      report.tokens += translations[i].target.size();
      results.push_back(translations[i].text);
      if (attention.to) attention.to->line(attention_json(loaded, translations[i], first + i, attention.self, tape));
    }
    return results;
  });
  report.lines = in.line_number();
  for (const Worker& worker : workers) report.meter.add(worker.meter);
  return report;
}

}  // namespace tt
