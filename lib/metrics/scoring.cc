#include "metrics/scoring.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kBlock = 1024, kPiece = 32;  // segments that are read at once, and that one task counts

// A file and what was found in it.
struct Source {
  explicit Source(const std::string& path) : reader(path) {}
  LineReader reader;
  std::size_t lines = 0, damaged = 0;
  std::string first_damaged;

  bool next(std::string& line) {
    if (!reader.next(line)) return false;
    ++lines;
    if (first_invalid_utf8(line) != std::string::npos) {
      if (damaged++ == 0) first_damaged = reader.where();
      line = repair_utf8(line);
    }
    line.resize(strip_end(line).size());
    return true;
  }
};

std::string describe(const std::vector<Source>& sources) {
  std::string text;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    text += i == 0 ? "" : i + 1 < sources.size() ? ", " : " and ";
    text += sources[i].reader.name() + " has " + with_commas(sources[i].lines) + (sources[i].lines == 1 ? " line" : " lines");
  }
  return text;
}

class Scorer {
 public:
  Scorer(const ScoringInput& input, const Metrics& metrics) : input_(input), metrics_(metrics) {
    TT_CHECK(!input.references.empty() && !input.systems.empty() && !metrics.empty());
    for (const std::string& path : input.systems) sources_.emplace_back(path);
    for (const std::string& path : input.references) sources_.emplace_back(path);
    lines_.resize(sources_.size());
    result_.tokenised.resize(input.systems.size());
    for (const auto& metric : metrics) result_.totals.emplace_back(input.systems.size(), Totals(metric->width(), 0));
    result_.rows.assign(metrics.size(), std::vector<std::vector<std::int32_t>>(input.systems.size()));
  }

  Scoring run(ThreadPool& pool, const std::function<void(const ScoringBlock&)>& visit) {
    ScoringBlock block;
    while (read(block)) {
      count(block, pool);
      add(block);
      if (visit) visit(block);
    }
    if (result_.segments == 0) throw Error("there are no lines to score: ", describe(sources_));
    result_.references = fewest_ == most_ ? static_cast<int>(most_) : 0;
    for (const Source& source : sources_) {
      if (source.damaged == 0) continue;
      result_.degraded.push_back(source.first_damaged + ": not UTF-8; read as U+FFFD, here and in all " +
                                 with_commas(source.damaged) + " such lines of this file");
    }
    return std::move(result_);
  }

 private:
  // Reads the next segments: as many as are there without waiting, at least one.
  bool read(ScoringBlock& block) {
    const std::size_t systems = input_.systems.size();
    block.first = result_.segments;
    block.size = 0;
    for (auto& lines : lines_) lines.resize(kBlock);
    while (block.size < kBlock && !ended_) {
      std::size_t got = 0;
      for (std::size_t s = 0; s < sources_.size(); ++s) got += sources_[s].next(lines_[s][block.size]);
      if (got < sources_.size()) {
        ended_ = true;
        if (got > 0) differ();
        break;
      }
      ++block.size;
      if (!std::all_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.reader.ready(); })) break;
    }
    for (auto& lines : lines_) lines.resize(block.size);
    block.hypotheses.resize(systems);
    for (std::size_t s = 0; s < systems; ++s) block.hypotheses[s].swap(lines_[s]);
    block.references.resize(block.size);
    for (std::size_t i = 0; i < block.size; ++i) {
      auto& references = block.references[i];
      references.clear();
      for (std::size_t s = systems; s < sources_.size(); ++s) {
        if (!lines_[s][i].empty()) references.push_back(lines_[s][i]);
      }
      if (references.empty()) references.assign(sources_.size() - systems, {});
      fewest_ = std::min(fewest_, references.size()), most_ = std::max(most_, references.size());
    }
    return block.size > 0;
  }

  // Some file ended before another.
  void differ() {
    if (input_.prefix) {
      result_.cut = true;
      return;
    }
    std::string line;
    for (Source& source : sources_) {
      while (source.next(line)) {
      }
    }
    throw Error(describe(sources_), "; check that they belong together, or score what all have with --prefix");
  }

  void count(ScoringBlock& block, ThreadPool& pool) const {
    const std::size_t systems = input_.systems.size();
    block.rows.resize(metrics_.size());
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      block.rows[m].resize(systems);
      for (auto& rows : block.rows[m]) rows.resize(block.size * metrics_[m]->width());
    }
    const std::size_t pieces = (block.size + kPiece - 1) / kPiece;
    pool.run(pieces * systems * metrics_.size(), [&](std::size_t task, int) {
      const std::size_t piece = task % pieces, s = task / pieces % systems, m = task / pieces / systems,
                        width = metrics_[m]->width();
      for (std::size_t i = piece * kPiece; i < std::min(block.size, (piece + 1) * kPiece); ++i) {
        metrics_[m]->segment(block.hypotheses[s][i], block.references[i], Row(block.rows[m][s]).subspan(i * width, width));
      }
    });
  }

  void add(const ScoringBlock& block) {
    result_.segments += block.size;
    for (std::size_t s = 0; s < block.hypotheses.size(); ++s) {
      for (const std::string& line : block.hypotheses[s]) result_.tokenised[s] += line.ends_with(" .");
    }
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      for (std::size_t s = 0; s < block.rows[m].size(); ++s) {
        const auto& rows = block.rows[m][s];
        const Totals sum = sum_rows(rows, metrics_[m]->width());
        for (std::size_t k = 0; k < sum.size(); ++k) result_.totals[m][s][k] += sum[k];
        if (input_.keep_rows) result_.rows[m][s].insert(result_.rows[m][s].end(), rows.begin(), rows.end());
      }
    }
  }

  const ScoringInput& input_;
  const Metrics& metrics_;
  std::vector<Source> sources_;  // systems, then references
  std::vector<std::vector<std::string>> lines_;
  Scoring result_;
  std::size_t fewest_ = static_cast<std::size_t>(-1), most_ = 0;
  bool ended_ = false;
};

}  // namespace

Scoring score_files(const ScoringInput& input, const Metrics& metrics, ThreadPool& pool,
                    const std::function<void(const ScoringBlock&)>& visit) {
  return Scorer(input, metrics).run(pool, visit);
}

}  // namespace tt::metrics
