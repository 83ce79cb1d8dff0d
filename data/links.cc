#include "data/links.h"

#include <string_view>

#include "data/lexicon.h"
#include "text/words.h"

namespace tt::toy {
namespace {

// Without what may stand behind a word.
std::string_view bare(std::string_view word) {
  while (!word.empty() && std::string_view(".,?!").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  if (word.ends_with("'s")) word.remove_suffix(2);
  return word;
}

class Linker {
 public:
  explicit Linker(const Pair& pair) : pair_(pair), en_(words_of(pair.en)), ja_(words_of(pair.ja)) {}

  void add(std::string_view en, std::string_view plural, std::string_view ja) {
    std::size_t source = 0, times = 0;
    for (std::size_t w = 0; w < en_.size(); ++w) {
      const std::string_view word =
          bare(std::string_view(pair_.en).substr(en_[w].begin, en_[w].end - en_[w].begin));
      if (word == en || (!plural.empty() && word == plural)) source = w, ++times;
    }
    const std::size_t at = pair_.ja.find(ja);
    if (times != 1 || at == std::string::npos || pair_.ja.find(ja, at + 1) != std::string::npos)
      return;
    for (std::size_t t = 0; t < ja_.size(); ++t)
      if (ja_[t].begin >= at && ja_[t].end <= at + ja.size())
        links_ += (links_.empty() ? "" : " ") + std::to_string(source) + "-" + std::to_string(t);
  }
  std::string links() const { return links_; }

 private:
  const Pair& pair_;
  const std::vector<TextRange> en_, ja_;
  std::string links_;
};

}  // namespace

std::string sure_links(const Pair& pair) {
  Linker linker(pair);
  for (const Noun& noun : kNouns) linker.add(noun.en, noun.plural, noun.ja);
  for (const Name& name : kNames) linker.add(name.en, "", name.ja);
  return linker.links();
}

}  // namespace tt::toy
