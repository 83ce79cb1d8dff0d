#include "metrics/parseval.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"

namespace tt::metrics {
namespace {

bool is_punctuation(std::string_view tag) {
  static constexpr std::array<std::string_view, 5> kTags = {",", ":", "``", "''", "."};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

using Bracket = std::tuple<std::string, std::size_t, std::size_t>;

// The brackets that count, sorted; `place` has the number of words before each word, and of all.
std::vector<Bracket> counted(const Tree& tree, const std::vector<std::size_t>& place) {
  std::vector<Bracket> all;
  for (const Tree::Constituent& c : tree.constituents) {
    const std::size_t begin = place[c.begin], end = place[c.end];
    if (begin < end && c.label != "TOP" && !is_punctuation(c.label))
      all.emplace_back(c.label == "PRT" ? "ADVP" : c.label, begin, end);
  }
  std::sort(all.begin(), all.end());
  return all;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Parseval::add(const Tree& gold_tree, const Tree& found_tree) {
  TT_CHECK(gold_tree.leaves.size() == found_tree.leaves.size());
  std::vector<std::size_t> place{0};
  for (const Tree::Leaf& leaf : gold_tree.leaves)
    place.push_back(place.back() + !is_punctuation(leaf.tag));
  ++sentences;
  if (place.back() == 0) return;
  ++worded;
  const auto one = counted(gold_tree, place), other = counted(found_tree, place);
  std::vector<Bracket> both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(both));
  agreeing += static_cast<std::int64_t>(both.size());
  gold += static_cast<std::int64_t>(one.size());
  found += static_cast<std::int64_t>(other.size());
  whole += one == other;
}

double Parseval::recall() const { return percent(agreeing, gold); }
double Parseval::precision() const { return percent(agreeing, found); }
double Parseval::complete() const { return percent(whole, worded); }
double Parseval::f1() const { return percent(2 * agreeing, gold + found); }

}  // namespace tt::metrics
