#include "text/links.h"

#include <algorithm>
#include <charconv>

namespace tt {
namespace {

constexpr std::string_view kSpaces = " \t\r";

void sort_once(std::vector<TokenLink>& links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

// Reads a number below `most` and what ends it.
bool take_number(std::string_view& text, std::size_t most, std::int32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || static_cast<std::size_t>(number) >= most) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// The pieces that have a part in each word.
std::vector<std::vector<std::int32_t>> pieces_of(std::span<const WordRange> pieces) {
  std::vector<std::vector<std::int32_t>> found;
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (std::size_t w = pieces[p].begin; w < pieces[p].end; ++w) {
      if (found.size() <= w) found.resize(w + 1);
      found[w].push_back(static_cast<std::int32_t>(p));
    }
  return found;
}

}  // namespace

std::vector<TokenLink> read_links(std::string_view line, std::size_t source_words,
                                  std::size_t target_words, std::string& bad) {
  std::vector<TokenLink> links;
  bad.clear();
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
    if (line.empty()) break;
    const std::string_view text = line.substr(0, line.find_first_of(kSpaces));
    std::string_view rest = text;
    TokenLink link;
    const bool good = take_number(rest, source_words, link.source) && rest.starts_with('-') &&
                      (rest.remove_prefix(1), take_number(rest, target_words, link.target)) &&
                      rest.empty();
    if (good) links.push_back(link);
    else if (bad.empty()) bad = text;
    line.remove_prefix(text.size());
  }
  sort_once(links);
  return links;
}

std::vector<TokenLink> between_pieces(std::span<const TokenLink> words,
                                      std::span<const WordRange> source,
                                      std::span<const WordRange> target) {
  const auto sources = pieces_of(source), targets = pieces_of(target);
  std::vector<TokenLink> links;
  for (const TokenLink& word : words) {
    const auto s = static_cast<std::size_t>(word.source), t = static_cast<std::size_t>(word.target);
    if (s >= sources.size() || t >= targets.size()) continue;  // words of no piece
    for (const std::int32_t of_target : targets[t])
      for (const std::int32_t of_source : sources[s]) links.push_back({of_target, of_source});
  }
  sort_once(links);
  return links;
}

std::vector<TokenLink> between_words(std::span<const TokenLink> pieces,
                                     std::span<const WordRange> source,
                                     std::span<const WordRange> target) {
  std::vector<TokenLink> links;
  for (const TokenLink& piece : pieces) {
    const WordRange s = source[static_cast<std::size_t>(piece.source)],
                    t = target[static_cast<std::size_t>(piece.target)];
    for (std::size_t at = t.begin; at < t.end; ++at)
      for (std::size_t from = s.begin; from < s.end; ++from)
        links.push_back({static_cast<std::int32_t>(at), static_cast<std::int32_t>(from)});
  }
  sort_once(links);
  return links;
}

}  // namespace tt
