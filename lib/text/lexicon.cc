#include "text/lexicon.h"

#include <algorithm>
#include <utility>

#include "base/report.h"

namespace tt {
namespace {

// A source and a target piece that stand in one pair.
struct Cell {
  std::uint64_t key = 0;  // source << 32 | target, and 1 more; 0: free
  float p = 1, count = 0;
};

// Cells by their pieces, in a table with open addressing.
class Cells {
 public:
  // Makes room for so many new cells, so that references to cells stay valid meanwhile.
  void reserve(std::size_t more) {
    while (4 * (size_ + more) > 3 * cells_.size()) {
      const std::vector<Cell> old = std::exchange(cells_, std::vector<Cell>(2 * cells_.size()));
      for (const Cell& cell : old)
        if (cell.key != 0) cells_[find(cell.key)] = cell;
    }
  }

  Cell& at(std::int32_t source, std::int32_t target) {
    const std::uint64_t key =
        (static_cast<std::uint64_t>(source) << 32 | static_cast<std::uint32_t>(target)) + 1;
    Cell& cell = cells_[find(key)];
    size_ += cell.key == 0;
    cell.key = key;
    return cell;
  }

  template <class Each>
  void each(const Each& call) {
    for (Cell& cell : cells_)
      if (cell.key != 0)
        call(static_cast<std::size_t>((cell.key - 1) >> 32),
             static_cast<std::int32_t>((cell.key - 1) & 0xFFFFFFFF), cell);
  }

 private:
  // The place of a cell, or a free one for it.
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = cells_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15 >> 20) & mask;
    while (cells_[at].key != 0 && cells_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  std::vector<Cell> cells_ = std::vector<Cell>(1 << 16);
  std::size_t size_ = 0;
};

// Sums what each pair expects of each cell, and then makes that the new p.
void iterate(const ParallelCorpus& corpus, std::int32_t none, Cells& cells, Progress& progress) {
  std::vector<double> totals(static_cast<std::size_t>(none) + 1);
  std::vector<std::int32_t> source, target;
  std::vector<Cell*> row;
  for (std::int64_t i = 0; i < corpus.size(); ++i) {
    source.assign(1, none), target.clear();
    corpus.append_source(source, i), corpus.append_target(target, i);
    cells.reserve(source.size() * target.size());
    for (const std::int32_t t : target) {
      row.clear();
      float sum = 0;
      for (const std::int32_t s : source) {
        row.push_back(&cells.at(s, t));
        sum += row.back()->p;
      }
      for (std::size_t k = 0; k < source.size(); ++k) {
        const float part = row[k]->p / sum;
        row[k]->count += part;
        totals[static_cast<std::size_t>(source[k])] += static_cast<double>(part);
      }
    }
    if (i % 1024 == 0) progress.update(static_cast<std::uint64_t>(i));
  }
  // No p becomes zero, so that no sum does.
  cells.each([&](std::size_t s, std::int32_t, Cell& cell) {
    cell.p = std::max(1e-30f, static_cast<float>(static_cast<double>(cell.count) / totals[s]));
    cell.count = 0;
  });
}

}  // namespace

std::vector<std::vector<std::int32_t>> likely_translations(const ParallelCorpus& corpus,
                                                           int source_pieces,
                                                           const LexiconOptions& options) {
  Cells cells;
  for (int i = 1; i <= options.iterations; ++i) {
    Progress progress("iteration " + std::to_string(i), "pairs",
                      static_cast<std::uint64_t>(corpus.size()));
    iterate(corpus, source_pieces, cells, progress);
  }
  std::vector<std::vector<std::pair<float, std::int32_t>>> found(
      static_cast<std::size_t>(source_pieces) + 1);
  cells.each(
      [&](std::size_t s, std::int32_t t, const Cell& cell) { found[s].emplace_back(-cell.p, t); });
  std::vector<std::vector<std::int32_t>> lists(static_cast<std::size_t>(source_pieces));
  for (std::size_t s = 0; s < lists.size(); ++s) {
    const std::size_t kept = std::min(found[s].size(), static_cast<std::size_t>(options.best));
    std::partial_sort(found[s].begin(), found[s].begin() + static_cast<std::ptrdiff_t>(kept),
                      found[s].end());
    for (std::size_t k = 0; k < kept; ++k) lists[s].push_back(found[s][k].second);
    std::sort(lists[s].begin(), lists[s].end());
  }
  return lists;
}

}  // namespace tt
