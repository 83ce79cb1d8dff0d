#include "lines/glossary.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/report.h"
#include "base/split.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "lines/transforms.h"
#include "text/invisible.h"

namespace tt {
namespace {

// A text in which terms are looked for, and where in the given one each of its bytes begins a
// character; npos: none.
class Searched {
 public:
  Searched(std::string_view text, bool folded) : text_(text) {
    if (!folded) return;
    for (std::size_t at = 0; at < text.size();) {
      begins_.push_back(at);
      for (const char32_t c : fold_case(code_point_at(text, at))) append(c);
      begins_.resize(folded_.size(), std::string::npos);
    }
    begins_.push_back(text.size());
  }

  std::string_view text() const { return begins_.empty() ? text_ : folded_; }
  std::size_t begin_of(std::size_t at) const {
    if (!begins_.empty()) return begins_[at];
    const bool inside = at < text_.size() && !begins_character(text_[at]);
    return inside ? std::string::npos : at;
  }

 private:
  // The letters I of Turkish, of which each has a dot or none in both cases, are one here.
  void append(char32_t c) {
    if (c == U'\u0307' && folded_.ends_with('i')) return;
    append_utf8(folded_, c == U'ı' ? U'i' : c);
  }

  std::string_view text_;
  std::string folded_;
  std::vector<std::size_t> begins_;  // empty: the text is not folded
};

bool is_comment(std::string_view line) { return line == "#" || line.starts_with("# "); }

}  // namespace

Glossary::Glossary(const std::string& path, bool ignores_case) : ignores_case_(ignores_case) {
  LineReader in(path);
  std::string line, store;
  while (in.next(line)) {
    if (in.line_number() == 1 && line.starts_with("\ufeff")) line.erase(0, 3);
    if (is_comment(line)) continue;
    if (const std::size_t sign = line.find_first_not_of('\\');
        sign > 0 && sign < line.size() && line[sign] == '#')
      line.erase(0, 1);
    const auto fields = split(line, '\t');
    std::vector<std::string> columns(fields.begin() + 1, fields.end());
    const bool damaged = first_invalid_utf8(line) != std::string::npos;
    const std::string source(damaged ? "" : as_read(fields[0], store));
    std::erase_if(columns, [](const std::string& target) { return words_of(target).empty(); });
    if (source.empty() || columns.empty()) {
      if (line.empty()) continue;
      ++left_out_;
      warn(in.where() + ": " +
           (damaged ? "not UTF-8" : "no term TAB translation in " + in_quotes(line)) +
           "; left out");
      continue;
    }
    const Searched term(source, ignores_case_);
    lengths_.insert(term.text().size());
    auto& targets =
        terms_.try_emplace(std::string(term.text()), Term{source, {}}).first->second.targets;
    targets.insert(targets.end(), columns.begin(), columns.end());
  }
}

std::vector<Requirement> Glossary::find(std::string_view source,
                                        const std::vector<TextRange>& taken) const {
  std::vector<Requirement> found;
  if (terms_.empty()) return found;
  std::string store;
  std::vector<Removed> removed;
  const std::string_view text = as_read(source, store, &removed);
  const Searched searched(text, ignores_case_);
  const std::string_view read = searched.text();
  std::size_t before = 0;  // bytes that were taken out before `begin`
  auto out = removed.begin();
  auto next_taken = taken.begin();
  for (std::size_t at = 0; at < read.size(); ++at) {
    const std::size_t begin = searched.begin_of(at);
    if (begin == std::string::npos) continue;
    for (; out != removed.end() && out->at <= begin; ++out) before += out->bytes;
    while (next_taken != taken.end() && next_taken->end <= begin + before) ++next_taken;
    const bool inside = next_taken != taken.end() && next_taken->begin <= begin + before;
    if (inside || word_goes_on(text, begin)) continue;
    for (const std::size_t length : lengths_) {
      if (at + length > read.size()) continue;
      const std::size_t behind = searched.begin_of(at + length);
      if (behind == std::string::npos || word_goes_on(text, behind)) continue;
      const auto found_term = terms_.find(read.substr(at, length));
      if (found_term == terms_.end()) continue;
      std::size_t end = behind + before;
      for (auto o = out; o != removed.end() && o->at < behind; ++o) end += o->bytes;
      if (next_taken != taken.end() && next_taken->begin < end) continue;
      const Term& term = found_term->second;
      found.push_back({term.source, term.targets, false, {begin + before, end}});
      at += length - 1;
      break;
    }
  }
  return found;
}

namespace {

void check_terms(const LineTranslation& found, const std::string&, LineText& line) {
  std::vector<std::string> terms;
  for (const std::size_t w : found.result.missing)
    if (!line.requirements[w].verbatim) terms.push_back(line.requirements[w].source);
  if (!terms.empty()) line.problems.add({Reason::no_term, terms});
}

}  // namespace

Transform glossary_transform(const LineOptions& options, const LineModels&) {
  if (!options.glossary) return nullptr;
  return [&glossary = *options.glossary](LineText& line) -> Undo {
    std::vector<TextRange> taken = line.untranslated;
    for (const Requirement& kept : line.requirements) taken.push_back(kept.place);
    std::ranges::sort(taken, {}, &TextRange::begin);
    std::vector<Requirement> terms = glossary.find(line.text, taken);
    if (terms.empty()) return {};
    line.requirements.insert(line.requirements.end(), terms.begin(), terms.end());
    return {.check = check_terms};
  };
}

}  // namespace tt
