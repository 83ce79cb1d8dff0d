#include "lines/request.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/json_line.h"
#include "base/report.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "text/placeholders.h"

namespace tt {
namespace {

// The name of a language in a field of a line's object.
std::string read_language(InputLine& line, const std::optional<JsonMember>& member) {
  if (!member) return "";
  if (!member->text && !member->written.ends_with("null")) line.no_languages.push_back(member->key);
  return member->text.value_or("");
}

void read_object(InputLine& line) {
  const auto refuse = [&](const std::string& why, const std::string& details = "") {
    line.answerable = false;
    line.problems.push_back({why, details});
  };
  std::optional<JsonMember> text, prefix, from, to;
  try {
    for (JsonMember& member : json_members(line.raw)) {
      if (member.key == "text") text = std::move(member);
      else if (member.key == "prefix") prefix = std::move(member);
      else if (member.key == "from") from = std::move(member);
      else if (member.key == "to") to = std::move(member);
    }
  } catch (const Error& error) {
    const std::string why = error.what();
    const std::size_t colon = why.find(": ");
    return refuse(why.substr(0, colon), colon == std::string::npos ? "" : why.substr(colon + 2));
  }
  line.object = true;
  if (!text || !text->text) return refuse("a JSON object without \"text\", which must be a string");
  if (prefix && !prefix->text) return refuse("its \"prefix\" is not a string");
  for (const auto* member : {&text, &prefix})
    if (*member && (*member)->repaired)
      line.problems.push_back({"its " + in_quotes((*member)->key) +
                                   " has half of a surrogate pair, which is read as U+FFFD",
                               ""});
  line.request.text = *text->text;
  if (prefix) line.request.prefix = *prefix->text;
  line.languages = {read_language(line, from), read_language(line, to)};
}

// Adds the problems of a line with its placeholders.
void add_placeholders(InputLine& line) {
  const std::string& text = line.request.text;
  const auto add = [&](const char* reason, std::string_view placeholder) {
    const auto same = [&](const Problem& p) { return p.reason == reason; };
    if (!placeholder.empty() && std::ranges::none_of(line.problems, same))
      line.problems.push_back({reason, in_quotes(placeholder)});
  };
  for (const Requirement& w : line.request.requirements) {
    const bool is_one = placeholder_end(w.source, 0) == w.source.size();
    const auto letter = [](char32_t c) { return is_letter(c) || is_mark(c); };
    if (is_one && letter(character_before(text, w.place.begin)) &&
        letter(character_at(text, w.place.end)))
      add("a placeholder inside of a word, whose parts are translated by themselves", w.source);
    if (is_one && has_message(w.source))
      add("a placeholder with text inside, which is not translated", w.source);
  }
  add("a placeholder without its end, which is translated as text", unfinished_placeholder(text));
}

// Takes the markup out of a line's text.
void take_markup(InputLine& line, MarkupKind kind) {
  const auto markup = std::make_shared<MarkupLine>(line.request.text, kind);
  line.request.text = markup->text();
  line.request.gaps = markup->gaps();
  for (const std::string& problem : markup->problems()) {
    const std::size_t colon = problem.find(": ");
    const std::string reason = problem.substr(0, colon);
    const auto same = [&](const Problem& p) { return p.reason == reason; };
    if (std::ranges::none_of(line.problems, same))
      line.problems.push_back({reason, problem.substr(colon + 2)});
  }
  line.markup = markup;
}

// The column, from 1, of a line; npos where it has fewer.
std::pair<std::size_t, std::size_t> find_column(const std::string& line, int column) {
  std::size_t begin = 0;
  for (int c = 1; c < column; ++c) {
    begin = line.find('\t', begin);
    if (begin++ == std::string::npos) return {std::string::npos, 0};
  }
  return {begin, std::min(line.find('\t', begin), line.size())};
}

void read_columns(InputLine& line, const InputOptions& options) {
  const int most = std::max({options.column, options.from_column, options.to_column});
  if (find_column(line.raw, most).first == std::string::npos) {
    line.answerable = false;
    line.problems.push_back({"fewer than " + std::to_string(most) + " columns; left as it is", ""});
    return;
  }
  const auto text = [&](int column) {
    const auto [begin, end] = find_column(line.raw, column);
    return line.raw.substr(begin, end - begin);
  };
  const auto name = [&](int column) {
    const std::string whole = column > 0 ? text(column) : "";
    const auto words = words_of(whole);
    return words.empty() ? "" : whole.substr(words[0].begin, words.back().end - words[0].begin);
  };
  line.request.text = text(options.column);
  line.languages = {name(options.from_column), name(options.to_column)};
}

}  // namespace

std::string text_of(const Problem& p) {
  std::string text = p.reason;
  if (const std::size_t at = text.find('#'); at != std::string::npos) {
    if (p.number == 1) text.erase(text.find(' ', at + 2) - 1, 1);  // the ending of a plural
    text.replace(at, 1, with_commas(p.number));
  }
  return text + (p.details.empty() ? "" : ": " + p.details);
}

InputLine read_line(std::string_view text, std::uint64_t number, const InputOptions& options) {
  InputLine line;
  const auto repaired = [&](std::string_view part, const std::string& name) {
    if (first_invalid_utf8(part) == std::string::npos) return std::string(part);
    line.problems.push_back({name + "not UTF-8; invalid bytes are read as U+FFFD", ""});
    return repair_utf8(part);
  };
  line.request.number = number;
  std::string second;
  if (options.second != InputOptions::Second::none) {
    const std::size_t lf = text.find('\n');
    TT_CHECK(lf != std::string::npos);
    second = repaired(text.substr(lf + 1), options.second == InputOptions::Second::prefix
                                               ? "its prefix is "
                                               : "the translation is ");
    text = text.substr(0, lf);
  }
  line.raw = repaired(text, "");
  if (options.json) {
    read_object(line);
  } else if (options.column > 0) {
    read_columns(line, options);
  } else {
    line.request.text = line.raw;
  }
  std::string& source = line.request.text;
  std::vector<TextRange>& gaps = line.request.gaps;
  if (options.markup != MarkupKind::none && line.answerable) take_markup(line, options.markup);
  if (options.accelerators && line.answerable) line.accelerator = take_accelerator(source);
  if (options.accelerators && !line.accelerator && has_several_accelerators(source))
    line.problems.push_back({"the signs of several accelerators are translated as text", ""});
  std::vector<TextRange> kept = find_kept(source, options.keep);
  std::erase_if(kept, [&](const TextRange& r) {
    const auto gap = std::ranges::partition_point(
        gaps, [&](const TextRange& before) { return before.end <= r.begin; });
    return gap != gaps.end() && gap->begin < r.end;
  });
  std::vector<TextRange> breaks;
  for (const TextRange& range : kept) {
    const std::string text = source.substr(range.begin, range.end - range.begin);
    if (options.keep.placeholders && is_line_break(text)) breaks.push_back(range);
    else line.request.requirements.push_back({text, {text}, true, range});
  }
  kept.insert(kept.end(), gaps.begin(), gaps.end());
  std::ranges::sort(kept, {}, &TextRange::begin);
  gaps.insert(gaps.end(), breaks.begin(), breaks.end());
  std::ranges::sort(gaps, {}, &TextRange::begin);
  if (options.keep.placeholders) add_placeholders(line);
  if (options.glossary)
    for (Requirement& term : options.glossary->find(source, kept))
      line.request.requirements.push_back(std::move(term));
  if (options.second == InputOptions::Second::prefix) line.request.prefix = second;
  if (options.second == InputOptions::Second::target) line.request.target = second;
  return line;
}

std::string replace_column(const std::string& line, int column, const std::string& by) {
  const auto [begin, end] = find_column(line, column);
  return line.substr(0, begin) + by + line.substr(end);
}

}  // namespace tt
