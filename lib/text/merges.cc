#include "text/merges.h"

#include <algorithm>
#include <queue>

#include "base/error.h"
#include "base/utf8.h"

namespace tt {
namespace {

constexpr std::string_view kEnd = "</w>";

std::uint64_t pair_of(std::int32_t left, std::int32_t right) {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

// A symbol of a word while it is being cut; those that were joined to the one before have no size.
struct Symbol {
  std::int32_t number;
  std::size_t size;
  int before, behind;
};

}  // namespace

std::int32_t Merges::number(const std::string& symbol) {
  return symbols_.emplace(symbol, static_cast<std::int32_t>(symbols_.size())).first->second;
}

Merges::Merges(std::string_view bytes, const std::string& name) {
  TT_CHECK(are(bytes));
  std::int32_t line_number = 0;
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (++line_number == 1) {
      const std::string_view version = line.substr(line.find(' ') + 1);
      if (version != "0.1" && version != "0.2")
        throw Error(name, ": merges of version ", in_quotes(version),
                    " cannot be read; those of 0.1 and 0.2 can");
      end_apart_ = version == "0.1";
      continue;
    }
    const std::size_t space = line.find(' ');
    if (line.empty() && bytes.empty()) break;
    if (space == line.npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != line.npos || first_invalid_utf8(line) != line.npos)
      throw Error(name, ":", line_number, ": ", in_quotes(line),
                  " is no merge, which is two symbols with a space between them");
    const std::string left(line.substr(0, space)), right(line.substr(space + 1));
    const std::int32_t l = number(left), r = number(right), joined = number(left + right);
    merges_.try_emplace(pair_of(l, r), Joined{line_number, joined});
  }
}

std::vector<std::size_t> Merges::cut(std::string_view word) const {
  std::vector<Symbol> symbols;
  const auto symbol = [&](const std::string& text) {
    const auto found = symbols_.find(text);
    return found == symbols_.end() ? -1 : found->second;
  };
  const auto add = [&](std::string text, std::size_t size) {
    const int n = static_cast<int>(symbols.size());
    symbols.push_back({symbol(text), size, n - 1, n + 1});
  };
  for (const char *at = word.data(), *end = at + word.size(); at != end;) {
    const char* const begin = at;
    next_code_point(at, end);
    std::string text(begin, at);
    if (at == end && !end_apart_) text += kEnd;
    add(std::move(text), static_cast<std::size_t>(at - begin));
  }
  if (end_apart_) add(std::string(kEnd), 0);
  const int count = static_cast<int>(symbols.size());
  const auto at = [&](int i) -> Symbol& { return symbols[static_cast<std::size_t>(i)]; };
  using Candidate = std::pair<std::int32_t, int>;  // a rank, and the left one of two symbols
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto merge_at = [&](int i) -> const Joined* {
    if (i < 0 || at(i).number < 0 || at(i).behind >= count) return nullptr;
    const auto found = merges_.find(pair_of(at(i).number, at(at(i).behind).number));
    return found == merges_.end() ? nullptr : &found->second;
  };
  const auto look_at = [&](int i) {
    if (const Joined* merge = merge_at(i)) candidates.emplace(merge->rank, i);
  };
  for (int i = 0; i < count; ++i) look_at(i);
  std::vector<char> gone(symbols.size());
  std::vector<int> changed;
  while (!candidates.empty()) {
    // All places of one merge before any that it makes possible.
    const std::int32_t rank = candidates.top().first;
    changed.clear();
    for (; !candidates.empty() && candidates.top().first == rank; candidates.pop()) {
      const int i = candidates.top().second;
      const Joined* const merge = gone[static_cast<std::size_t>(i)] ? nullptr : merge_at(i);
      if (!merge || merge->rank != rank) continue;
      const int next = at(i).behind;
      at(i).number = merge->symbol;
      at(i).size += at(next).size;
      at(i).behind = at(next).behind;
      if (at(i).behind < count) at(at(i).behind).before = i;
      gone[static_cast<std::size_t>(next)] = 1;
      changed.push_back(i);
    }
    for (const int i : changed) {
      if (gone[static_cast<std::size_t>(i)]) continue;
      look_at(at(i).before);
      look_at(i);
    }
  }
  std::vector<std::size_t> sizes;
  for (int i = 0; i < count; i = at(i).behind)
    if (at(i).size > 0) sizes.push_back(at(i).size);
  return sizes;
}

}  // namespace tt
