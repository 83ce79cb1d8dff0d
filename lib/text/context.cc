#include "text/context.h"

#include <algorithm>

namespace tt {

std::int32_t separator(const Subword& subword) {
  const std::int32_t piece = subword.find(kSeparator);
  return std::ranges::count(subword.silent(), piece) > 0 ? piece : subword.bos();
}

Context::Context(const ContextOptions& options, const Subword& source, const Subword& target)
    : options_(options), source_separator_(separator(source)),
      target_separator_(separator(target)) {}

void Context::put_around(LanguagePieces& pieces, std::size_t source, std::size_t target) const {
  source += pieces.before.size() + pieces.behind.size(), target += pieces.first.size();
  const auto longest = static_cast<std::size_t>(options_.longest);
  auto first = sentences_.end();
  while (first != sentences_.begin()) {
    const Sentence& before = *(first - 1);
    source += before.source.size(), target += before.target.size();
    if (source > longest || target > longest) break;
    --first;
  }
  std::vector<std::int32_t> sources;
  for (; first != sentences_.end(); ++first) {
    sources.insert(sources.end(), first->source.begin(), first->source.end());
    pieces.history.insert(pieces.history.end(), first->target.begin(), first->target.end());
  }
  pieces.before.insert(pieces.before.begin(), sources.begin(), sources.end());
  pieces.context = sources.size();
}

void Context::add(std::span<const std::int32_t> source, std::span<const std::int32_t> target) {
  Sentence& sentence = sentences_.emplace_back();
  sentence.source.assign(source.begin(), source.end());
  sentence.source.push_back(source_separator_);
  if (options_.history) {
    sentence.target.assign(target.begin(), target.end());
    sentence.target.push_back(target_separator_);
  }
  if (std::ssize(sentences_) > options_.sentences) sentences_.pop_front();
}

}  // namespace tt
