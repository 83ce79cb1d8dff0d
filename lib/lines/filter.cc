#include "lines/filter.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/map_lines.h"
#include "base/report.h"
#include "lines/degraded.h"
#include "lines/loaded_translator.h"
#include "lines/restore.h"
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
                           const Translated& translated, std::uint64_t line, bool self,
                           Tape& tape) {
  const std::vector<std::int32_t>&source = translated.source, &target = translated.best[0].target;
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

// Of each line, the alignments of the translations that are written, where they are needed.
std::vector<std::vector<SoftAlignment>> align(const Aligner& aligner,
                                              const std::vector<InputLine>& lines,
                                              const std::vector<SplitLine>& split,
                                              const std::vector<Translated>& results,
                                              const FilterOptions& options,
                                              const Translator& translator, Tape& tape) {
  const auto count = [&](std::size_t i) -> std::size_t {
    if (options.output.alignment.kind == AlignmentKind::none &&
        !needs_alignment(lines[i], split[i]))
      return 0;
    return options.output.list ? results[i].best.size() : 1;
  };
  std::vector<Aligner::Pair> pairs;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t b = 0; b < count(i); ++b)
      for (const LineSentence& s : split[i].sentences)
        pairs.push_back({&s.request.text, &s.best(b), options.output.scoring,
                         &translator.languages(s.request)[0]});
  const auto found = aligner.align(pairs, tape, translator.options().batch_tokens);
  std::vector<std::vector<SoftAlignment>> alignments(lines.size());
  for (std::size_t i = 0, at = 0; i < lines.size(); ++i)
    for (std::size_t b = 0; b < count(i); ++b, at += split[i].sentences.size())
      alignments[i].push_back(split[i].joined(
          lines[i].request, b, std::span(found).subspan(at, split[i].sentences.size())));
  return alignments;
}

}  // namespace

FilterReport translate_lines(LineSource& in, Output& out, std::span<const LoadedModel> models,
                             const Backend& backend, FilterOptions options) {
  const bool aligned = options.output.alignment.kind != AlignmentKind::none;
  if (aligned || options.input.markup != MarkupKind::none || options.sentences.letter_case ||
      options.input.accelerators)
    options.translate.heads = alignment_heads(*models[0].model, options.output.alignment);
  LoadedTranslator translator(models, backend, options.translate,
                              options.attention.to || options.watch ? 1 : options.threads);
  const Subword& target = models[0].target;
  const LineSplitter splitter(options.sentences, models[0].source);
  std::optional<Aligner> aligner;
  if (!options.translate.heads.empty())
    aligner.emplace(translator.members()[0], target, options.translate.heads);
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
        std::vector<InputLine> lines;
        std::vector<SplitLine> split;
        for (std::size_t i = 0; i < raw.size(); ++i) {
          lines.push_back(
              read_line(raw[i], options.input.first_line - 1 + first + i, options.input));
          translator.languages().choose(lines[i]);
          Request& request = lines[i].request;
          request.attended = aligned || lines[i].accelerator ||
                             (lines[i].markup && lines[i].markup->needs_alignment());
          split.push_back(options.output.scoring ? SplitLine(request) : splitter.split(request));
          read_as_split(lines[i], split[i]);
        }
        translate_sentences(split, static_cast<std::size_t>(translator->options().search.wanted()),
                            [&](auto requests) {
                              return options.output.scoring
                                         ? translator->score(requests, tapes)
                                         : translator->translate(requests, runner);
                            });
        std::vector<Translated> results;
        for (std::size_t i = 0; i < lines.size(); ++i) {
          results.push_back(split[i].joined(lines[i].request));
          add_problems(lines[i], split[i], results[i], translator->options().longest,
                       options.input.keep);
          const std::size_t written = options.output.scoring ? 0
                                      : options.output.list  ? results[i].best.size()
                                                             : 1;
          add_unread(lines[i], models, split[i], results[i].source,
                     std::span(results[i].best).first(written));
        }
        const auto alignments =
            aligner ? align(*aligner, lines, split, results, options, *translator, *tapes[0])
                    : std::vector<std::vector<SoftAlignment>>(lines.size());
        std::vector<std::string> replies;
        for (std::size_t i = 0; i < lines.size(); ++i) {
          restore(lines[i], split[i], alignments[i], results[i]);
          replies.push_back(
              reply(lines[i], results[i], alignments[i], target, options.input, options.output));
        }
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < lines.size(); ++i) {
          if (options.watch)
            for (const LineSentence& s : split[i].sentences)
              if (const auto why = options.watch(s, lines[i].request.number); !why.empty())
                add_unwatched(lines[i], why);
          degraded.add(lines[i], first + i);
          for (const Translation& t : results[i].best) report.tokens += t.target.size();
          if (!options.attention.to) continue;
          for (const LineSentence& s : split[i].sentences)
            options.attention.to->line(attention_json(models[0], s.request.text, s.result,
                                                      lines[i].request.number,
                                                      options.attention.self, *tapes[0]));
        }
        if (options.attention.to) options.attention.to->flush();
        return replies;
      });
  report.lines = in.line_number();
  report.degraded = degraded.count();
  translator.add_to(report.meter);
  return report;
}

}  // namespace tt
