#include "document/proof.h"

#include <algorithm>

#include "base/error.h"

namespace tt::document {
namespace {

// The texts that there are in a document, and what was put; that only, if asked for.
std::vector<Reading> texts_of(const Editor& editor, bool put_only) {
  std::vector<Reading> texts = editor.readings();
  std::erase_if(texts,
                [&](const Reading& text) { return !text.put && (put_only || text.meaning == 0); });
  return texts;
}

}  // namespace

std::vector<std::vector<std::uint64_t>> misread_in(std::string_view written, const Editor& merged,
                                                   const Format& format, const Settings& settings) {
  const std::vector<Reading> meant = texts_of(merged, format.bilingual);
  if (std::ranges::none_of(meant, &Reading::put)) return {};
  Settings proof = settings;
  proof.all = proof.targets = true;
  proof.join.clear();
  Editor reader(
      written, "", [](const std::string&) { return std::optional<std::string>(); }, nullptr);
  std::optional<std::size_t> unread;
  try {
    format.pass(reader, proof);
    if (!merged.unread()) unread = reader.unread();
  } catch (const Error&) {
    unread = 0;
  }
  const std::vector<Reading> read = texts_of(reader, false);
  std::vector<std::vector<std::uint64_t>> found;
  const auto begin_with = [&](std::size_t text) {
    while (text > 0 && !meant[text].put) --text;
    while (!meant[text].put) ++text;
    found.emplace_back();
    // A translation without a letter is not seen; it stands first.
    if (text > 0 && meant[text - 1].meaning == 0) found.back().push_back(meant[text - 1].number);
    found.back().push_back(meant[text].number);
  };
  bool wrong = false;
  for (std::size_t i = 0, j = 0; i < meant.size() || j < read.size();) {
    const bool more = i == meant.size() || (j < read.size() && read[j].begin < meant[i].begin);
    const bool fewer = !more && (j == read.size() || read[j].begin >= meant[i].end);
    // It is no text; of several in one place others may be.
    if (!more && meant[i].meaning == 0 && (fewer || format.bilingual)) {
      ++i;
      continue;
    }
    const bool right = !more && !fewer && read[j].meaning == meant[i].meaning;
    if (format.bilingual && !fewer && !right) {  // what stays beside it
      ++j;
      continue;
    }
    if (!right && !wrong) begin_with(more && i > 0 ? i - 1 : i);
    if (!right && !more && meant[i].put) found.back().push_back(meant[i].number);
    wrong = !right;
    i += !more;
    j += !fewer;
  }
  if (unread && found.empty()) {
    const auto next = std::ranges::upper_bound(meant, *unread, {}, &Reading::begin);
    begin_with(static_cast<std::size_t>(next - meant.begin()) - (next != meant.begin()));
  }
  return found;
}

}  // namespace tt::document
