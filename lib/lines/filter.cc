#include "lines/filter.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/map_lines.h"
#include "base/report.h"
#include "text/attention_format.h"

namespace tt {
namespace {
using nlohmann::ordered_json;
using namespace attention_format;

std::vector<std::string> texts(const Subword& subword, std::span<const std::int32_t> pieces) {
  std::vector<std::string> all;
  for (const std::int32_t piece : pieces) all.push_back(subword.piece(piece));
  return all;
}

// The texts of a source's pieces, an unknown one as the characters that it stands for.
std::vector<std::string> source_texts(const Subword& subword, std::span<const std::int32_t> pieces,
                                      const std::string& line) {
  std::vector<std::string> all = texts(subword, pieces), in_line;
  subword.encode(line, in_line);
  const auto ends =
      static_cast<std::size_t>(std::count(pieces.begin(), pieces.end(), subword.eos()));
  if (in_line.size() + ends != pieces.size())
    return all;  // cut into parts where the pieces are others
  auto next = in_line.begin();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] == subword.eos()) continue;
    if (pieces[i] == subword.unk()) all[i] = *next;
    ++next;
  }
  return all;
}

// One line of JSON: the pieces of both sides, and per layer and head the weights [queries][keys].
// There are none where one of the sides is longer than the model has positions for, or was cut or
// not scored for its length.
std::string attention_json(const LoadedModel& loaded, const std::string& text,
                           const Translated& translated, std::span<const std::int32_t> history,
                           std::uint64_t line, bool self, Tape& tape) {
  const std::vector<std::int32_t>& source = translated.source;
  std::vector<std::int32_t> target = translated.best[0].target;
  target.insert(target.begin(), history.begin(), history.end());
  ordered_json result{{kLine, line},
                      {kSource, source_texts(loaded.source, source, text)},
                      {kTarget, texts(loaded.target, target)},
                      {kAttention, ordered_json::array()}};
  const std::int64_t places = loaded.model->longest();
  const bool too_long =
      translated.cut || translated.best[0].token_scores.empty() ||
      (places > 0 && static_cast<std::int64_t>(std::max(source.size(), target.size())) > places);
  if (source.empty() || target.empty() || too_long) return result.dump();
  Batch batch;
  batch.source = {source, {0, static_cast<std::int32_t>(source.size())}};
  batch.target_out = {target, {0, static_cast<std::int32_t>(target.size())}};
  batch.target_in = shifted(batch.target_out, loaded.target.bos());
  batch.sentences = {0};
  tape.clear();
  for (const AttentionWeights& layer : loaded.model->attention_weights(tape, batch)) {
    if (layer.kind != kCross && !self) continue;
    const std::size_t queries = (layer.kind == kEncoder ? source : target).size();
    const std::size_t keys = (layer.kind == kDecoder ? target : source).size();
    const float* w = layer.weights.data();
    for (int head = 1; head <= layer.heads; ++head) {
      ordered_json rows = ordered_json::array();
      for (std::size_t q = 0; q < queries; ++q, w += keys) {
        ordered_json row = ordered_json::array();
        for (std::size_t k = 0; k < keys; ++k) row.push_back(std::round(w[k] * 1e5) / 1e5);
        rows.push_back(std::move(row));
      }
      result[kAttention].push_back({{kKind, layer.kind},
                                    {kLayer, layer.layer},
                                    {kHead, head},
                                    {kWeightRows, std::move(rows)}});
    }
  }
  return result.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

FilterReport translate_lines(LineSource& in, Output& out, std::span<const LoadedModel> models,
                             const Backend& backend, const FilterOptions& options) {
  LineTranslator lines_translator(models, backend, options.input, options.translate,
                                  options.output.alignment,
                                  options.attention.to || options.watch ? 1 : options.threads);
  LoadedTranslator& translator = lines_translator.translator();
  OutputOptions output = options.output;
  output.model = model_number(*models[0].file);
  output.length = target_text_of(models[0]).length;
  std::mutex mutex;
  FilterReport report(backend);
  DegradedLines degraded(in);
  Progress bar(options.output.scoring ? "scoring" : "translating", "lines");
  map_lines(
      in, out, translator.threads(), translator.block(), bar,
      [&](std::vector<std::string>&& raw, std::size_t first, Team& team) {
        const std::vector<Tape*> tapes = translator.tapes(team.thread());
        // Threads share a device; smaller batches for each would only make it slower.
        const BatchRunner runner{backend.traits().queue ? 1 : team.threads(),
                                 [&](std::size_t batches, const auto& each) {
                                   team.run(batches, [&](std::size_t b, int thread) {
                                     each(b, translator.tapes(thread));
                                   });
                                 }};
        std::vector<Line> lines =
            lines_translator.run(raw, options.first_line - 1 + first, options.output.list, tapes,
                                 &runner, [&](const auto& step) { team.in_turn(step); });
        std::vector<std::string> replies;
        for (const Line& line : lines) replies.push_back(reply(line, models[0].target, output));
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < lines.size(); ++i) {
          LineText& line = lines[i].text;
          if (options.watch)
            for (const LineSentence& s : line.sentences)
              if (auto problem = options.watch(s, line.number))
                line.problems.add(std::move(*problem));
          degraded.add(line.problems, first + i);
          report.remembered += line.remembered;
          for (const Translation& t : lines[i].found.result.best) report.tokens += t.target.size();
          if (!options.attention.to) continue;
          for (const LineSentence& s : line.sentences)
            options.attention.to->line(attention_json(
                models[0], s.request.text, s.result, translator->languages(s.request)[0].history,
                line.number, options.attention.self, *tapes[0]));
        }
        if (options.attention.to) options.attention.to->flush();
        return replies;
      },
      lines_translator.reads_translations());
  report.lines = in.line_number();
  report.degraded = degraded.count();
  translator.add_to(report.meter);
  return report;
}

}  // namespace tt
