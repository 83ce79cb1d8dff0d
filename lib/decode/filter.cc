#include "decode/filter.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/parallel.h"
#include "base/report.h"
#include "nn/worker.h"

namespace tt {
namespace {

constexpr std::int64_t kDeviceTokens = 4096;             // of a batch, where a device has memory
constexpr std::size_t kLines = 64, kDeviceLines = 1024;  // lines that one thread translates together
constexpr int kDeviceThreads = 4;  // each has memory there; while one computes, others search, read and write

using nlohmann::ordered_json;

std::vector<std::string> texts(const Subword& subword, std::span<const std::int32_t> pieces) {
  std::vector<std::string> all;
  for (const std::int32_t piece : pieces) all.push_back(subword.piece(piece));
  return all;
}

// The same of a source, an unknown piece as the characters it stands for.
std::vector<std::string> source_texts(const Subword& subword, std::span<const std::int32_t> pieces, const std::string& line) {
  std::vector<std::string> all = texts(subword, pieces), in_line;
  subword.encode(line, in_line);
  const auto ends = static_cast<std::size_t>(std::count(pieces.begin(), pieces.end(), subword.eos()));
  if (in_line.size() + ends != pieces.size()) return all;  // cut into parts where the pieces are others
  auto next = in_line.begin();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] == subword.eos()) continue;
    if (pieces[i] == subword.unk()) all[i] = *next;
    ++next;
  }
  return all;
}

// One line of JSON: the pieces of both sides, and per layer and head the weights [queries][keys]. There are none where one of
// the sides is longer than the model has positions for.
std::string attention_json(const LoadedModel& loaded, const std::string& text, const Translated& translated, std::size_t line,
                           bool self, Tape& tape) {
  const std::vector<std::int32_t>&source = translated.source, &target = translated.best[0].target;
  ordered_json result{{"line", line},
                      {"source", source_texts(loaded.source, source, text)},
                      {"target", texts(loaded.target, target)},
                      {"attention", ordered_json::array()}};
  const std::int64_t places = loaded.model->longest();
  const bool too_long = places > 0 && static_cast<std::int64_t>(std::max(source.size(), target.size())) > places;
  if (source.empty() || target.empty() || too_long) return result.dump();
  Batch batch;
  batch.source = {source, {0, static_cast<std::int32_t>(source.size())}};
  batch.target_out = {target, {0, static_cast<std::int32_t>(target.size())}};
  batch.target_in = shifted(batch.target_out, loaded.target.bos());
  batch.sentences = {0};
  tape.clear();
  for (const AttentionWeights& layer : loaded.model->attention_weights(tape, batch)) {
    if (layer.kind != "cross" && !self) continue;
    const std::size_t queries = (layer.kind == "encoder" ? source : target).size();
    const std::size_t keys = (layer.kind == "decoder" ? target : source).size();
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

// Says which lines were degraded, for each reason the first of them and how many there were, in the order of the first, when it
// goes out of scope: also when an error ends the work.
class DegradedLines {
 public:
  explicit DegradedLines(const LineSource& in) : in_(in) {}
  ~DegradedLines() {
    std::vector<std::pair<std::string, Lines>> all(reasons_.begin(), reasons_.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    for (const auto& [reason, lines] : all)
      warn(in_.where(lines.first) + ": " + reason + lines.details +
           (lines.count == 1 ? "" : " (" + with_commas(lines.count) + " such lines)"));
  }

  // `details`: of this line, for a reason that others have too.
  void add(const std::string& reason, const std::string& details, std::size_t line) {
    Lines& lines = reasons_[reason];
    if (lines.count++ > 0 && line > lines.first) return;
    lines.first = line;
    lines.details = details.empty() ? "" : ": " + details;
  }

 private:
  struct Lines {
    std::size_t first = 0, count = 0;
    std::string details;
  };
  const LineSource& in_;
  std::map<std::string, Lines> reasons_;
};

// Of each line, the alignments of the translations that are written.
std::vector<std::vector<SoftAlignment>> align(const Aligner& aligner, const std::vector<InputLine>& lines,
                                              const std::vector<Translated>& results, const FilterOptions& options,
                                              std::int64_t tokens, Tape& tape) {
  std::vector<Aligner::Pair> pairs;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t count = options.output.list ? results[i].best.size() : 1;
    for (std::size_t b = 0; b < count; ++b) pairs.push_back({&lines[i].request.text, &results[i].best[b]});
    ends.push_back(pairs.size());
  }
  auto found = aligner.align(pairs, tape, tokens);
  std::vector<std::vector<SoftAlignment>> alignments;
  std::size_t at = 0;
  for (const std::size_t end : ends) {
    alignments.emplace_back();
    for (; at < end; ++at) alignments.back().push_back(std::move(found[at]));
  }
  return alignments;
}

// Those that are verbatim, or those that are not, of what is unmet: each once.
std::string names_of(const std::vector<Wanted>& wanted, const std::set<std::size_t>& unmet, bool verbatim) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> counts;
  for (const std::size_t w : unmet)
    if (wanted[w].verbatim == verbatim && counts[wanted[w].source]++ == 0) names.push_back(wanted[w].source);
  std::string all;
  for (const std::string& name : names)
    all += (all.empty() ? "" : ", ") + in_quotes(name) + (counts[name] == 1 ? "" : " (" + with_commas(counts[name]) + " times)");
  return all;
}

constexpr const char* kNotKept = "what was to be kept is not in the translation";
constexpr const char* kNoTerm = "no translation of a glossary's term is in the translation";

}  // namespace

FilterReport translate_lines(LineSource& in, Output& out, std::span<const LoadedModel> models, const Backend& backend,
                             FilterOptions options) {
  if (options.attention.to) options.threads = 1;
  if (!backend.is_host()) options.threads = std::min(options.threads, kDeviceThreads);
  if (options.translate.batch_tokens == 0 && !backend.is_host()) options.translate.batch_tokens = kDeviceTokens;
  const Subword& target = models[0].target;
  std::vector<Member> members;
  std::deque<Workers> workers;
  for (const LoadedModel& loaded : models) {
    members.push_back({loaded.model.get(), &loaded.source});
    workers.emplace_back(backend, loaded.model->params(), options.threads);
  }
  const Translator translator(members, target, options.translate);
  const std::string cut = "longer than " + std::to_string(translator.options().longest) + " pieces; translated in parts";
  std::optional<Aligner> aligner;
  if (options.output.alignment.kind != AlignmentKind::none) aligner.emplace(members[0], target, options.output.alignment);
  std::mutex mutex;
  FilterReport report(backend);
  DegradedLines degraded(in);
  Progress bar(options.output.scoring ? "scoring" : "translating", "lines");
  const bool host = backend.is_host();
  const std::size_t block = host ? kLines : kDeviceLines;
  map_lines(in, out, options.threads, block, bar, [&](std::vector<std::string>&& raw, std::size_t first, Crew& crew) {
    const auto tapes_of = [&](int thread) {
      std::vector<Tape*> tapes;
      for (Workers& each : workers) tapes.push_back(&each[thread].tape);
      return tapes;
    };
    const std::vector<Tape*> tapes = tapes_of(crew.thread());
    // Threads share a device; smaller batches for each would only make it slower.
    const Spread spread{host ? crew.threads() : 1, [&](std::size_t batches, const auto& each) {
                          crew.run(batches, [&](std::size_t b, int thread) { each(b, tapes_of(thread)); });
                        }};
    std::vector<InputLine> lines;
    std::vector<Request> requests;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      lines.push_back(read_line(raw[i], first + i, options.input));
      requests.push_back(lines[i].request);
    }
    const auto results = options.output.scoring ? translator.score(requests, tapes) : translator.translate(requests, spread);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (results[i].cut) lines[i].problems.push_back(cut);
      for (const std::string& problem : results[i].problems) lines[i].problems.push_back(problem);
      const std::vector<Wanted>& wanted = lines[i].request.wanted;
      std::set<std::size_t> unmet(results[i].unmet.begin(), results[i].unmet.end());
      if (!wanted.empty())
        for (const std::size_t w : not_apart(wanted, results[i].best[0].text, options.input.keep)) unmet.insert(w);
      for (const bool verbatim : {false, true}) {
        const std::string missed = names_of(wanted, unmet, verbatim);
        if (missed.empty()) continue;
        lines[i].problems.push_back(verbatim ? kNotKept : kNoTerm);
        lines[i].details = missed;
      }
    }
    const auto alignments = aligner ? align(*aligner, lines, results, options, translator.options().batch_tokens, *tapes[0])
                                    : std::vector<std::vector<SoftAlignment>>(lines.size());
    std::vector<std::string> replies;
    for (std::size_t i = 0; i < lines.size(); ++i)
      replies.push_back(reply(lines[i], results[i], alignments[i], target, options.input, options.output));
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const std::string& problem : lines[i].problems)
        degraded.add(problem, &problem == &lines[i].problems.back() ? lines[i].details : "", first + i);
      report.degraded += !lines[i].problems.empty();
      for (const Translation& t : results[i].best) report.tokens += t.target.size();
      if (options.attention.to)
        options.attention.to->line(
            attention_json(models[0], lines[i].request.text, results[i], first + i, options.attention.self, *tapes[0]));
    }
    return replies;
  });
  report.lines = in.line_number();
  for (Workers& each : workers)
    for (const Worker& worker : each) report.meter.add(worker.meter);
  return report;
}

}  // namespace tt
