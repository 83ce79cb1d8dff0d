#include "decode/filter.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "base/report.h"
#include "tensor/meter.h"
#include "text/utf8.h"

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
std::string attention_json(const LoadedModel& loaded, const Translation& translation, std::size_t line, bool self,
                           const Backend& backend, Arena& arena) {
  ordered_json result{{"line", line},
                      {"source", texts(loaded.source, translation.source)},
                      {"target", texts(loaded.target, translation.target)},
                      {"attention", ordered_json::array()}};
  if (translation.source.empty()) return result.dump();
  Batch batch;
  batch.source = {translation.source, {0, static_cast<std::int32_t>(translation.source.size())}};
  batch.target_out = {translation.target, {0, static_cast<std::int32_t>(translation.target.size())}};
  batch.target_in = batch.target_out;
  batch.target_in.tokens.insert(batch.target_in.tokens.begin(), loaded.target.bos());
  batch.target_in.tokens.pop_back();
  batch.sentences = {0};
  struct Layer {
    std::string kind;
    int number;
    std::vector<float> weights;
  };
  std::vector<std::unique_ptr<Layer>> layers;
  Tape tape(backend, arena, loaded.model->params());
  loaded.model->attention_weights(tape, batch, [&](const std::string& kind, int layer, std::int64_t floats) {
    layers.push_back(std::make_unique<Layer>(Layer{kind, layer, std::vector<float>(static_cast<std::size_t>(floats))}));
    return layers.back()->weights.data();
  });
  for (const auto& layer : layers) {
    if (layer->kind != "cross" && !self) continue;
    const std::size_t queries = (layer->kind == "encoder" ? translation.source : translation.target).size();
    const std::size_t keys = (layer->kind == "decoder" ? translation.target : translation.source).size();
    const float* w = layer->weights.data();
    for (int head = 1; head <= loaded.model->config().heads; ++head) {
      ordered_json rows = ordered_json::array();
      for (std::size_t q = 0; q < queries; ++q, w += keys) {
        ordered_json row = ordered_json::array();
        for (std::size_t k = 0; k < keys; ++k) row.push_back(std::round(w[k] * 1e5) / 1e5);
        rows.push_back(std::move(row));
      }
      result["attention"].push_back(
          {{"kind", layer->kind}, {"layer", layer->number}, {"head", head}, {"weights", std::move(rows)}});
    }
  }
  return result.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

FilterReport translate_lines(LineReader& in, Output& out, const LoadedModel& loaded, const TranslateOptions& options,
                             const Backend& backend, int threads, const AttentionRequest& attention) {
  if (attention.to) threads = 1;
  const Translator translator(*loaded.model, loaded.source, loaded.target, options);
  std::vector<Arena> arenas(static_cast<std::size_t>(threads));
  std::vector<Meter> meters(static_cast<std::size_t>(threads), Meter(&backend));
  std::mutex mutex;
  FilterReport report;
  Progress bar("translating", "lines");
  map_lines(in, out, threads, kLines, bar, [&](std::vector<std::string>&& lines, std::size_t first, int thread) {
    Arena& arena = arenas[static_cast<std::size_t>(thread)];
    Meter& meter = meters[static_cast<std::size_t>(thread)];
    std::vector<std::string> damage(lines.size()), results;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (const std::size_t at = first_invalid_utf8(lines[i]); at != std::string::npos) {
        damage[i] = "not UTF-8 at byte " + std::to_string(at + 1) + "; read as U+FFFD";
        lines[i] = repair_utf8(lines[i]);
      }
    const auto translations = translator.translate(lines, meter, arena);
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string where = in.name() + ":" + std::to_string(first + i) + ": ";
      if (!damage[i].empty()) warn(where + damage[i]);
      if (translations[i].cut)
        warn(where + "longer than " + std::to_string(translator.options().longest) + " pieces; translated in parts");
      report.degraded += !damage[i].empty() || translations[i].cut;
      report.tokens += translations[i].target.size();
      results.push_back(translations[i].text);
      if (attention.to) attention.to->line(attention_json(loaded, translations[i], first + i, attention.self, meter, arena));
    }
    return results;
  });
  report.lines = in.line_number();
  for (const Meter& meter : meters) report.flops += meter.flops();
  return report;
}

}  // namespace tt
