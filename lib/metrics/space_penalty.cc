#include "metrics/space_penalty.h"

#ifdef TT_MECAB

#include <charconv>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

constexpr std::string_view kKey = "left-space-penalty-factor";

template <class Number>
Number take_number(std::string_view& text, const std::string& where) {
  text = strip(text);
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  text = strip(text);
  if (error != std::errc() || (!text.empty() && text[0] != ','))
    throw Error(where, ": ", kKey, " must be pairs of whole numbers separated by commas");
  text.remove_prefix(text.empty() ? 0 : 1);
  return number;
}

// Finds the cheapest path to `node` from the list of words `before`, which end where it begins. False if there is none.
bool connect(const MeCab::Model& model, std::span<const SpacePenalty> penalties, MeCab::Node* before, MeCab::Node& node) {
  long own = node.wcost;
  if (node.rlength != node.length) {
    for (const auto& [part, cost] : penalties) {
      if (part != node.posid) continue;
      own += cost;
      break;
    }
  }
  long best = std::numeric_limits<int>::max();
  MeCab::Node* found = nullptr;
  for (; before; before = before->enext) {
    if (before->stat == MECAB_EOS_NODE) continue;
    const long cost = before->cost + model.transition_cost(before->rcAttr, node.lcAttr) + own;
    if (cost < best) best = cost, found = before;
  }
  node.prev = found, node.next = nullptr, node.cost = best;
  return found;
}

}  // namespace

std::vector<SpacePenalty> read_space_penalties(const std::string& folder) {
  const std::string path = folder + "/dicrc";
  for (const std::string& line : read_lines(path)) {
    const std::size_t equals = line.find('=');
    if (equals == line.npos || strip(std::string_view(line).substr(0, equals)) != kKey) continue;
    std::string_view rest = strip(std::string_view(line).substr(equals + 1));
    std::vector<SpacePenalty> penalties;
    while (!rest.empty()) {
      const auto part = take_number<unsigned short>(rest, path);
      penalties.emplace_back(part, take_number<int>(rest, path));
    }
    return penalties;
  }
  throw Error(path, ": there is no ", kKey, ", so this is not a dictionary for MeCab-ko");
}

void apply_space_penalties(const MeCab::Model& model, std::span<const SpacePenalty> penalties, MeCab::Lattice& lattice) {
  const std::size_t size = lattice.size();
  const auto fail = [] { throw Error("MeCab cannot parse a line: it is too long"); };
  for (std::size_t at = 0; at < size; ++at) {
    for (MeCab::Node* node = lattice.begin_nodes(at); node; node = node->bnext) {
      if (node->stat == MECAB_EOS_NODE || !lattice.end_nodes(at)) continue;
      if (!connect(model, penalties, lattice.end_nodes(at), *node)) fail();
    }
  }
  MeCab::Node* const end = lattice.eos_node();
  for (std::size_t at = size + 1; at-- > 0;) {  // words may also end before trailing white space
    if (connect(model, penalties, lattice.end_nodes(at), *end)) break;
    if (at == 0) fail();
  }
  for (MeCab::Node* node = end; node->prev; node = node->prev) node->prev->next = node;
}

}  // namespace tt::metrics

#endif
