#include "text/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "base/random.h"
#include "base/utf8.h"

namespace tt {
namespace {

// The length of the user-defined symbol at the start of the text, or else of its first character.
std::size_t unit_length(std::string_view text, const PieceTable& table, bool& symbol) {
  symbol = true;
  for (auto s : table.symbols)
    if (text.starts_with(s)) return s.size();
  symbol = false;
  const char* at = text.data();
  next_code_point(at, at + text.size());
  return static_cast<std::size_t>(at - text.data());
}

// A part of the word in a doubly linked list. A part that was merged into its left neighbour has
// length 0.
struct Part {
  int previous, next;
  std::size_t begin, length;
  bool symbol;
};

// A possible merge of two neighbours; it is void once their lengths no longer add up to `length`.
struct Merge {
  float score;
  int left, right;
  std::size_t length;
  // Best score first; ties go to the leftmost.
  bool operator<(const Merge& other) const {
    return std::tie(score, other.left) < std::tie(other.score, left);
  }
};

struct Edge {
  std::size_t begin;
  double score;
};

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == -std::numeric_limits<double>::infinity() ? a : a + std::log1p(std::exp(b - a));
}

// Uniform in [0, 1), with 53 bits: a float's 24 would favour some segmentations of a long text.
double uniform(Random& random) {
  const std::uint64_t high = random.bits() >> 5, low = random.bits() >> 6;
  return static_cast<double>(high << 26 | low) * 0x1p-53;
}

}  // namespace

// Dropped merges are set aside rather than drawn again: taking the first candidate, from the best
// down, that is not dropped is the same as dropping some of all candidates and taking the best of
// the others.
void sample_merges(std::string_view word, const PieceTable& table, float dropout, Random& random,
                   std::vector<std::string_view>& pieces) {
  std::vector<Part> parts;
  for (std::size_t at = 0; at < word.size();) {
    const int i = static_cast<int>(parts.size());
    bool symbol = false;
    const std::size_t length = unit_length(word.substr(at), table, symbol);
    parts.push_back({i - 1, i + 1, at, length, symbol});
    at += length;
  }
  if (parts.empty()) return;
  parts.back().next = -1;

  std::priority_queue<Merge> possible;
  std::vector<Merge> left_out;
  const auto consider = [&](int left, int right) {
    if (left < 0 || right < 0 || parts[left].symbol || parts[right].symbol) return;
    const std::size_t length = parts[left].length + parts[right].length;
    const auto found = table.scores.find(word.substr(parts[left].begin, length));
    if (found != table.scores.end()) possible.push({found->second, left, right, length});
  };
  for (int i = 0; i + 1 < static_cast<int>(parts.size()); ++i) consider(i, i + 1);

  while (!possible.empty()) {
    const Merge best = possible.top();
    possible.pop();
    Part &left = parts[best.left], &right = parts[best.right];
    if (left.length == 0 || right.length == 0 || left.length + right.length != best.length)
      continue;
    if (dropout > 0 && random.uniform() < dropout) {
      left_out.push_back(best);
      continue;
    }
    left.length = best.length;
    right.length = 0;
    left.next = right.next;
    if (left.next >= 0) parts[left.next].previous = best.left;
    for (const Merge& merge : left_out) possible.push(merge);
    left_out.clear();
    consider(left.previous, best.left);
    consider(best.left, left.next);
  }
  for (int i = 0; i >= 0; i = parts[i].next)
    pieces.push_back(word.substr(parts[i].begin, parts[i].length));
}

void sample_lattice(std::string_view text, const PieceTable& table, float strength, Random& random,
                    std::vector<std::string_view>& pieces) {
  // No piece extends into a symbol: `reach` is where the next one begins.
  struct Unit {
    std::size_t begin, length, reach;
    bool symbol;
  };
  std::vector<Unit> units;
  for (std::size_t at = 0; at < text.size(); at += units.back().length) {
    bool symbol = false;
    const std::size_t length = unit_length(text.substr(at), table, symbol);
    units.push_back({at, length, text.size(), symbol});
  }
  for (std::size_t i = units.size(); i-- > 1;)
    units[i - 1].reach = units[i].symbol ? units[i].begin : units[i].reach;

  // forward[at]: log of the summed weights of all segmentations of text[0, at); edges[at]: the
  // pieces that end there.
  std::vector<double> forward(text.size() + 1, -std::numeric_limits<double>::infinity());
  std::vector<std::vector<Edge>> edges(text.size() + 1);
  forward[0] = 0;
  const auto add = [&](std::size_t begin, std::size_t end, double score) {
    edges[end].push_back({begin, score});
    forward[end] = log_add(forward[end], forward[begin] + score);
  };
  for (const Unit& unit : units) {
    const std::size_t at = unit.begin;
    if (unit.symbol) {
      add(at, at + unit.length, 0);
      continue;
    }
    if (!table.scores.contains(text.substr(at, unit.length)))
      add(at, at + unit.length, double{strength} * table.unknown);
    const std::size_t most = std::min(table.longest, unit.reach - at);
    for (std::size_t length = 1; length <= most; ++length) {
      const auto found = table.scores.find(text.substr(at, length));
      if (found != table.scores.end()) add(at, at + length, double{strength} * found->second);
    }
  }

  const std::size_t first = pieces.size();
  for (std::size_t end = text.size(); end > 0;) {
    double left = uniform(random);
    std::size_t begin = edges[end].back().begin;  // in case rounding leaves a remainder
    for (const Edge& edge : edges[end]) {
      left -= std::exp(forward[edge.begin] + edge.score - forward[end]);
      if (left < 0) {
        begin = edge.begin;
        break;
      }
    }
    pieces.push_back(text.substr(begin, end - begin));
    end = begin;
  }
  std::reverse(pieces.begin() + static_cast<std::ptrdiff_t>(first), pieces.end());
}

}  // namespace tt
