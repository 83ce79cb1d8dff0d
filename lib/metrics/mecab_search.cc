#include "metrics/mecab_search.h"

#ifdef TT_MECAB

#include <algorithm>
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

// A search through one line. The words that end at a place are in a list by `enext`, the last found
// first, as in MeCab, where the first of equal paths wins.
class Search {
 public:
  Search(const MeCab::Model& model, std::span<const SpacePenalty> penalties, std::string_view text,
         MeCab::Lattice& lattice)
      : model_(model), penalties_(penalties), text_(text), lattice_(lattice),
        ends_(text.size() + 1) {}

  void run(std::span<const std::size_t> boundaries, std::vector<std::string_view>& words) {
    MeCab::Node* const begin = lattice_.newNode();
    ends_[0] = begin;
    auto boundary = boundaries.begin();
    for (std::size_t at = 0; at < text_.size(); ++at) {
      while (boundary != boundaries.end() && *boundary <= at) ++boundary;
      if (!ends_[at]) continue;
      for (MeCab::Node* node = find(at, boundary == boundaries.end() ? text_.size() : *boundary);
           node; node = node->bnext)
        connect(at, *node);
    }
    std::size_t last = text_.size();  // words may also end before white space at the end
    while (!ends_[last]) --last;
    MeCab::Node* const end = lattice_.newNode();
    set_path(last, *end, 0);
    const auto first = static_cast<std::ptrdiff_t>(words.size());
    for (const MeCab::Node* node = end->prev; node != begin; node = node->prev)
      words.emplace_back(node->surface, node->length);
    std::reverse(words.begin() + first, words.end());
  }

 private:
  std::size_t end_of(const MeCab::Node& node) const {
    return static_cast<std::size_t>(node.surface - text_.data()) + node.length;
  }

  // The words that begin at a place, or after white space there, up to a limit. MeCab sees a
  // window, which is enlarged if some word reaches its end.
  MeCab::Node* find(std::size_t at, std::size_t limit) const {
    const std::size_t letter = std::min(text_.find_first_not_of(" \t\n\v", at), limit);
    if (letter - at > kWindow) at = letter - 1;  // MeCab counts white space in 16 bits
    for (std::size_t window = letter - at + kWindow;; window *= 2) {
      const std::size_t stop = std::min(limit, at + window);
      MeCab::Node* const found = model_.lookup(text_.data() + at, text_.data() + stop, &lattice_);
      bool reached = false;
      for (const MeCab::Node* node = found; node; node = node->bnext)
        reached = reached || end_of(*node) >= stop;
      if (!reached || stop == limit) return found;
    }
  }

  void connect(std::size_t at, MeCab::Node& node) {
    const std::size_t end = end_of(node);
    if (end > text_.size() || end <= at) return;  // what MeCab makes of white space at the end
    long own = node.wcost;
    if (node.surface != text_.data() + at) {
      const auto penalty = std::ranges::find(penalties_, node.posid, &SpacePenalty::first);
      if (penalty != penalties_.end()) own += penalty->second;
    }
    set_path(at, node, own);
    node.enext = ends_[end];
    ends_[end] = &node;
  }

  // Finds the cheapest path to `node` among those that end at `at`.
  void set_path(std::size_t at, MeCab::Node& node, long own) const {
    node.cost = std::numeric_limits<long>::max();
    for (MeCab::Node* before = ends_[at]; before; before = before->enext) {
      const long cost = before->cost + model_.transition_cost(before->rcAttr, node.lcAttr) + own;
      if (cost < node.cost) node.cost = cost, node.prev = before;
    }
  }

  const MeCab::Model& model_;
  std::span<const SpacePenalty> penalties_;
  std::string_view text_;
  MeCab::Lattice& lattice_;
  std::vector<MeCab::Node*> ends_;  // the words that end before each byte
};

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

void append_words(const MeCab::Model& model, std::span<const SpacePenalty> penalties,
                  std::span<const std::size_t> boundaries, std::string_view text,
                  MeCab::Lattice& lattice, std::vector<std::string_view>& words) {
  lattice.clear();
  Search(model, penalties, text, lattice).run(boundaries, words);
}

}  // namespace tt::metrics

#endif
