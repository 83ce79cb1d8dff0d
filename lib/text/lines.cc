#include "text/lines.h"

#include <charconv>
#include <utility>

#include "base/map_lines.h"
#include "base/random.h"
#include "base/report.h"
#include "base/split.h"
#include "base/utf8.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 500;                  // lines that a thread maps at once
constexpr std::uint32_t kSampleStream = 0x73616D70;  // stream of random numbers for segmentations

// Maps every line by map(line, number, thread, problem); a text in `problem` becomes a warning.
template <class Map>
std::uint64_t map_with_warnings(LineReader& in, Output& out, const char* what, int threads, const Map& map) {
  OrderedWarnings warnings;
  Progress bar(what, "lines");
  const std::string name = in.name();
  map_lines(in, out, threads, kBlock, bar, [&](std::vector<std::string>&& lines, std::size_t first, Team& team) {
    std::vector<std::string> results, problems;
    results.reserve(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::string problem;
      results.push_back(map(std::move(lines[i]), first + i, team.thread(), problem));
      if (!problem.empty()) problems.push_back(name + ":" + std::to_string(first + i) + ": " + problem);
    }
    warnings.block(first, lines.size(), std::move(problems));
    return results;
  });
  return warnings.count();
}

void repair(std::string& line, std::string& problem) {
  const std::size_t bad = first_invalid_utf8(line);
  if (bad == std::string::npos) return;
  problem = "not UTF-8: byte " + std::to_string(bad + 1) + " of the line; invalid bytes are read as U+FFFD";
  line = repair_utf8(line);
}

// The parts of a line between spaces; empty ones are left out.
std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string_view word : split(line, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) text.push_back(' ');
    text += pieces[i];
  }
  return text;
}

std::string joined(const std::vector<std::int32_t>& ids) {
  std::string text;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0) text.push_back(' ');
    text += std::to_string(ids[i]);
  }
  return text;
}

// Words to numbers; words that are not numbers below `size` become `unk` and are counted.
std::vector<std::int32_t> numbers(const std::vector<std::string>& words, int size, int unk, std::size_t& unknown) {
  std::vector<std::int32_t> ids;
  for (const auto& word : words) {
    std::int32_t id = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    const bool good = error == std::errc() && end == word.data() + word.size() && id >= 0 && id < size;
    ids.push_back(good ? id : unk);
    unknown += !good;
  }
  return ids;
}

}  // namespace

void OrderedWarnings::block(std::size_t first, std::size_t lines, std::vector<std::string> warnings) {
  const std::lock_guard lock(mutex_);
  count_ += warnings.size();
  waiting_.emplace(first, Block{lines, std::move(warnings)});
  for (auto block = waiting_.begin(); block != waiting_.end() && block->first == next_; block = waiting_.erase(block)) {
    for (const auto& warning : block->second.warnings) warn(warning);
    next_ += block->second.lines;
  }
}

std::uint64_t encode_lines(LineReader& in, Output& out, const Subword& model, const LineOptions& options) {
  std::vector<SubwordEncoder> encoders;
  for (int t = 0; t < options.threads; ++t) encoders.emplace_back(model);
  return map_with_warnings(in, out, "encoding", options.threads,
                           [&](std::string&& line, std::size_t number, int thread, std::string& problem) {
                             repair(line, problem);
                             SubwordEncoder& encoder = encoders[static_cast<std::size_t>(thread)];
                             std::vector<std::int32_t> ids;
                             std::vector<std::string> pieces;
                             if (options.sample) {
                               Random random(options.seed, number, kSampleStream);
                               if (options.ids) model.sample(line, options.strength, random, ids);
                               else model.sample(line, options.strength, random, pieces);
                               return options.ids ? joined(ids) : joined(pieces);
                             }
                             std::string text;
                             if (options.ids) encoder.append(line, ids);
                             else encoder.append(line, text);
                             return options.ids ? joined(ids) : text;
                           });
}

std::uint64_t decode_lines(LineReader& in, Output& out, const Subword& model, const LineOptions& options) {
  return map_with_warnings(in, out, "decoding", options.threads, [&](std::string&& line, std::size_t, int, std::string& problem) {
    if (!options.ids) {
      repair(line, problem);
      return model.decode(words(line));
    }
    std::size_t unknown = 0;
    const auto ids = numbers(words(line), model.size(), model.unk(), unknown);
    if (unknown > 0)
      problem = std::to_string(unknown) + " of " + std::to_string(ids.size()) + " words are not numbers from 0 to " +
                std::to_string(model.size() - 1) + "; they are read as <unk>";
    return model.decode(ids);
  });
}

}  // namespace tt
