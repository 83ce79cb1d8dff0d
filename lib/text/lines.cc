#include "text/lines.h"

#include <algorithm>
#include <utility>

#include "base/map_lines.h"
#include "base/number.h"
#include "base/random.h"
#include "base/report.h"
#include "base/split.h"
#include "base/utf8.h"
#include "text/invisible.h"
#include "text/unread.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 500;                  // lines that a thread maps at once
constexpr std::uint32_t kSampleStream = 0x73616D70;  // stream of random numbers for segmentations

// Maps every line by map(line, number, thread, problem); a text in `problem` becomes a warning.
template <class Map>
std::uint64_t map_with_warnings(LineReader& in, Output& out, const char* what, int threads,
                                const Map& map) {
  OrderedWarnings warnings;
  Progress bar(what, "lines");
  const std::string name = in.name();
  map_lines(in, out, threads, kBlock, bar,
            [&](std::vector<std::string>&& lines, std::size_t first, Team& team) {
              std::vector<std::string> results, problems;
              results.reserve(lines.size());
              for (std::size_t i = 0; i < lines.size(); ++i) {
                std::string problem;
                results.push_back(map(std::move(lines[i]), first + i, team.thread(), problem));
                if (!problem.empty())
                  problems.push_back(name + ":" + std::to_string(first + i) + ": " + problem);
              }
              warnings.block(first, lines.size(), std::move(problems));
              return results;
            });
  return warnings.count();
}

void repair(std::string& line, std::string& problem) {
  const std::size_t bad = first_invalid_utf8(line);
  if (bad == std::string::npos) return;
  problem = "not UTF-8: byte " + std::to_string(bad + 1) +
            " of the line; invalid bytes are read as U+FFFD";
  line = repair_utf8(line);
}

void add(std::string& problem, const std::string& more) {
  problem += (problem.empty() ? "" : "; ") + more;
}

void add(std::string& problem, std::string_view line, const std::vector<TextRange>& ranges,
         const std::string& one) {
  constexpr std::size_t kMost = 10;
  if (ranges.empty()) return;
  const std::string list = join(std::span(ranges).first(std::min(kMost, ranges.size())), ", ",
                                [&](TextRange r) { return escape_invisible(r.in(line)); });
  add(problem, with_commas(ranges.size()) + " " + (ranges.size() == 1 ? one : one + "s") + ": " +
                   list + (ranges.size() > kMost ? ", ..." : ""));
}

// Reports what of a line is not in its pieces, but for U+FFFD where that was reported.
void add_unread(std::string& problem, const Subword& model, std::string_view line, bool unknown) {
  const bool repaired = !problem.empty();
  Unread found = unknown ? unread(model, line) : Unread{{}, dropped(model, line)};
  for (auto* ranges : {&found.unknown, &found.dropped})
    if (repaired) std::erase_if(*ranges, [&](TextRange r) { return r.in(line) == "\uFFFD"; });
  add(problem, line, found.unknown, model.has_words() ? "unknown word" : "unknown character");
  add(problem, line, found.dropped, "dropped character");
}

// The parts of a line between spaces; empty ones are left out.
std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string_view word : split(line, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

// Words to numbers; words that are not numbers below `size` become `unk` and are counted.
std::vector<std::int32_t> numbers(const std::vector<std::string>& words, int size, int unk,
                                  std::size_t& unknown) {
  std::vector<std::int32_t> ids;
  for (const auto& word : words) {
    const std::int32_t id = number_in<std::int32_t>(word).value_or(-1);
    const bool good = id >= 0 && id < size;
    ids.push_back(good ? id : unk);
    unknown += !good;
  }
  return ids;
}

void add_unknown(std::string& problem, std::ptrdiff_t pieces) {
  if (pieces > 0) add(problem, count_of(pieces, "unknown piece"));
}

}  // namespace

void OrderedWarnings::block(std::size_t first, std::size_t lines,
                            std::vector<std::string> warnings) {
  const std::lock_guard lock(mutex_);
  count_ += warnings.size();
  waiting_.emplace(first, Block{lines, std::move(warnings)});
  for (auto block = waiting_.begin(); block != waiting_.end() && block->first == next_;
       block = waiting_.erase(block)) {
    for (const auto& warning : block->second.warnings) warn(warning);
    next_ += block->second.lines;
  }
}

std::uint64_t encode_lines(LineReader& in, Output& out, const Subword& model,
                           const EncodingOptions& options) {
  std::vector<SubwordEncoder> encoders;
  for (int t = 0; t < options.threads; ++t) encoders.emplace_back(model);
  return map_with_warnings(
      in, out, "encoding", options.threads,
      [&](std::string&& line, std::size_t number, int thread, std::string& problem) {
        repair(line, problem);
        SubwordEncoder& encoder = encoders[thread];
        std::vector<std::int32_t> ids;
        std::vector<std::string> pieces;
        if (options.sample) {
          Random random(options.seed, number, kSampleStream);
          if (options.ids) model.sample(line, options.strength, random, ids);
          else model.sample(line, options.strength, random, pieces);
        }
        std::string text = join(pieces, " ");
        if (!options.sample && options.ids) encoder.append(line, ids);
        else if (!options.sample) encoder.append(line, text);
        add_unread(problem, model, line, std::ranges::count(ids, model.unk()) > 0);
        return options.ids ? join(ids, " ", [](std::int32_t id) { return std::to_string(id); })
                           : text;
      });
}

std::uint64_t decode_lines(LineReader& in, Output& out, const Subword& model,
                           const EncodingOptions& options) {
  return map_with_warnings(
      in, out, "decoding", options.threads,
      [&](std::string&& line, std::size_t, int, std::string& problem) {
        if (!options.ids) {
          repair(line, problem);
          const std::vector<std::string> pieces = words(line);
          add_unknown(problem, std::ranges::count(pieces, model.piece(model.unk())));
          return model.decode(pieces);
        }
        std::size_t unknown = 0;
        const auto ids = numbers(words(line), model.size(), model.unk(), unknown);
        if (unknown > 0)
          problem = std::to_string(unknown) + " of " + std::to_string(ids.size()) +
                    " words are not numbers from 0 to " + std::to_string(model.size() - 1) +
                    "; they are read as <unk>";
        add_unknown(problem,
                    std::ranges::count(ids, model.unk()) - static_cast<std::ptrdiff_t>(unknown));
        return model.decode(ids);
      });
}

}  // namespace tt
