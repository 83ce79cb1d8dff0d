#include "lines/glossary.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/report.h"
#include "base/split.h"
#include "base/utf8.h"
#include "lines/transforms.h"
#include "text/invisible.h"

namespace tt {

Glossary::Glossary(const std::string& path) {
  LineReader in(path);
  std::string line, store;
  while (in.next(line)) {
    if (in.line_number() == 1 && line.starts_with("\ufeff")) line.erase(0, 3);
    const auto fields = split(line, '	');
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
    lengths_.insert(source.size());
    auto& targets = terms_[source];
    targets.insert(targets.end(), columns.begin(), columns.end());
  }
}

std::vector<Requirement> Glossary::find(std::string_view given,
                                        const std::vector<TextRange>& taken) const {
  std::vector<Requirement> found;
  if (terms_.empty()) return found;
  std::string store;
  std::vector<Removed> removed;
  const std::string_view text = as_read(given, store, &removed);
  std::size_t before = 0;  // bytes that were taken out before `at`
  auto out = removed.begin();
  auto next_taken = taken.begin();
  for (std::size_t at = 0; at < text.size();) {
    for (; out != removed.end() && out->at <= at; ++out) before += out->bytes;
    while (next_taken != taken.end() && next_taken->end <= at + before) ++next_taken;
    const bool inside = next_taken != taken.end() && next_taken->begin <= at + before;
    const char* behind = text.data() + at;
    next_code_point(behind, text.data() + text.size());
    auto next = static_cast<std::size_t>(behind - text.data());
    if (!inside && !word_goes_on(text, at)) {
      for (const std::size_t length : lengths_) {
        if (at + length > text.size() || word_goes_on(text, at + length)) continue;
        const auto term = terms_.find(text.substr(at, length));
        if (term == terms_.end()) continue;
        std::size_t end = at + length + before;
        for (auto o = out; o != removed.end() && o->at < at + length; ++o) end += o->bytes;
        if (next_taken != taken.end() && next_taken->begin < end) continue;
        found.push_back({term->first, term->second, false, {at + before, end}});
        next = at + length;
        break;
      }
    }
    at = next;
  }
  return found;
}

namespace {

class CheckTerms : public Undo {
 public:
  void check(const LineTranslation& found, const std::string&, LineText& line) const override {
    std::vector<std::string> terms;
    for (const std::size_t w : found.result.missing)
      if (!line.requirements[w].verbatim) terms.push_back(line.requirements[w].source);
    if (!terms.empty()) line.problems.add({Reason::no_term, terms});
  }
};

class FindTerms : public Transform {
 public:
  explicit FindTerms(const Glossary& glossary) : glossary_(glossary) {}

  std::unique_ptr<Undo> read(LineText& line) const override {
    std::vector<TextRange> taken = line.untranslated;
    for (const Requirement& kept : line.requirements) taken.push_back(kept.place);
    std::ranges::sort(taken, {}, &TextRange::begin);
    std::vector<Requirement> terms = glossary_.find(line.text, taken);
    if (terms.empty()) return nullptr;
    line.requirements.insert(line.requirements.end(), terms.begin(), terms.end());
    return std::make_unique<CheckTerms>();
  }

 private:
  const Glossary& glossary_;
};

}  // namespace

std::unique_ptr<Transform> glossary_transform(const LineOptions& options, const LineModels&) {
  return options.glossary ? std::make_unique<FindTerms>(*options.glossary) : nullptr;
}

}  // namespace tt
