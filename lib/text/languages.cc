#include "text/languages.h"

#include <unicode/uloc.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/split.h"
#include "text/subword.h"

namespace tt {
namespace {

bool all(std::string_view text, int (*is)(int)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is(static_cast<unsigned char>(c)) != 0;
  });
}

std::string_view inside(std::string_view piece, std::string_view before, std::string_view behind) {
  if (piece.size() <= before.size() + behind.size() || !piece.starts_with(before) ||
      !piece.ends_with(behind))
    return {};
  return piece.substr(before.size(), piece.size() - before.size() - behind.size());
}

// "de", "deu", "de_DE" and "deu_Latn".
bool is_code(std::string_view code) {
  const std::size_t line = code.find('_');
  const std::string_view language = code.substr(0, line);
  if (!all(language, std::islower) || language.size() < 2 || language.size() > 3) return false;
  if (line == code.npos) return true;
  const std::string_view rest = code.substr(line + 1);
  return (rest.size() == 2 && all(rest, std::isupper)) ||
         (rest.size() == 4 && all(rest.substr(0, 1), std::isupper) &&
          all(rest.substr(1), std::islower));
}

std::string names_of(std::span<const Language* const> languages) {
  constexpr std::size_t kMost = 5;
  return join(languages.first(std::min(kMost, languages.size())), ", ", &Language::name);
}

}  // namespace

std::optional<std::string> language_of(std::string_view piece) {
  if (piece.find('_') != 0 && piece.find('_') != piece.npos && is_code(piece))
    return std::string(piece);
  for (const auto& [before, behind] : {std::pair("__", "__"), {">>", "<<"}, {"<2", ">"}})
    if (const auto code = inside(piece, before, behind); is_code(code)) return std::string(code);
  return std::nullopt;
}

std::string language_piece(const std::string& name) {
  if (language_of(name)) return name;
  if (!is_code(name))
    throw Error(in_quotes(name), " is no language; give a code, such as de, deu or deu_Latn");
  return "__" + name + "__";
}

std::string_view leading_language(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  for (const auto& [before, behind] : {std::pair(">>", "<<"), {"<2", ">"}}) {
    if (!text.starts_with(before)) continue;
    const std::size_t end = text.find(behind);
    if (end == text.npos) continue;
    const std::string_view piece = text.substr(0, end + std::string_view(behind).size());
    if (language_of(piece)) return piece;
  }
  return {};
}

bool is_known_language(const std::string& name) {
  const std::string code = language_of(name).value_or(name);
  const std::string language = code.substr(0, code.find_first_of("_-"));
  const char* const three = uloc_getISO3Language(language.c_str());
  return three && *three;
}

LanguageTable::Code LanguageTable::code_of(const std::string& code) {
  const std::size_t line = code.find_first_of("_-");
  const std::string language = code.substr(0, line);
  const char* const three = uloc_getISO3Language(language.c_str());
  Code parts{three && *three ? three : language, line == code.npos ? "" : code.substr(line + 1), "",
             ""};
  // The library ends what it writes with a NUL only where there is room for it.
  char likely[ULOC_FULLNAME_CAPACITY + 1] = {}, script[ULOC_FULLNAME_CAPACITY + 1] = {},
                                       region[ULOC_FULLNAME_CAPACITY + 1] = {};
  UErrorCode error = U_ZERO_ERROR;
  uloc_addLikelySubtags(code.c_str(), likely, ULOC_FULLNAME_CAPACITY, &error);
  uloc_getScript(likely, script, ULOC_FULLNAME_CAPACITY, &error);
  uloc_getCountry(likely, region, ULOC_FULLNAME_CAPACITY, &error);
  if (U_SUCCESS(error)) parts.script = script, parts.region = region;
  return parts;
}

std::optional<std::string> language_of(const Subword& subword, std::int32_t id) {
  std::string piece = subword.piece(id);
  if (piece.starts_with(kSpacePiece)) piece.erase(0, kSpacePiece.size());
  return language_of(piece);
}

namespace {

std::vector<Language> languages_of(const Subword& subword) {
  std::vector<Language> languages;
  for (std::int32_t id = 0; id < subword.size(); ++id)
    if (auto language = language_of(subword, id)) languages.push_back({std::move(*language), id});
  return languages;
}

// The first pair of prefixes, which ends at `at`. Nothing if it has no such form.
std::optional<SourcePrefix> next_source_prefix(const std::string& prefixes, std::size_t& at) {
  const std::size_t begin = at, end = std::min(prefixes.find(';', begin), prefixes.size());
  at = end + 1;
  const std::string one = prefixes.substr(begin, end - begin);
  const std::size_t dash = one.find('-'), sign = one.find('=');
  if (sign == one.npos || dash > sign) return std::nullopt;
  SourcePrefix prefix{one.substr(0, dash), one.substr(dash + 1, sign - dash - 1),
                      one.substr(sign + 1)};
  if (!is_code(prefix.from) || !is_code(prefix.to) || words_of(prefix.text).empty())
    return std::nullopt;
  return prefix;
}

}  // namespace

bool are_source_prefixes(const std::string& text) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t at = 0; at < text.size();) {
    const auto prefix = next_source_prefix(text, at);
    if (!prefix || !pairs.emplace(prefix->from, prefix->to).second) return false;
  }
  return !text.ends_with(';') && text.find('\n') == text.npos;
}

std::vector<SourcePrefix> parse_source_prefixes(const std::string& prefixes) {
  std::vector<SourcePrefix> all;
  for (std::size_t at = 0; at < prefixes.size();) all.push_back(*next_source_prefix(prefixes, at));
  return all;
}

std::string join_source_prefixes(const std::vector<SourcePrefix>& prefixes) {
  return join(prefixes, ";", [](const SourcePrefix& prefix) {
    return prefix.from + "-" + prefix.to + "=" + prefix.text;
  });
}

LanguageTable::LanguageTable(const Subword& subword) : LanguageTable(languages_of(subword)) {}

LanguageTable::LanguageTable(std::vector<Language> languages) : languages_(std::move(languages)) {
  for (const Language& language : languages_) codes_.push_back(code_of(language.name));
}

// Those with the most exact match there is.
std::vector<const Language*> LanguageTable::candidates(const std::string& name) const {
  std::vector<const Language*> same, near;
  const Code wanted = code_of(name);
  for (std::size_t i = 0; i < languages_.size(); ++i) {
    const Code& other = codes_[i];
    if (languages_[i].name == name) return {&languages_[i]};
    if (other.language != wanted.language) continue;
    if (wanted.rest.empty() || wanted.rest == other.rest) same.push_back(&languages_[i]);
    // XX is where a model of mBART names no region.
    const bool any = other.rest.empty() || other.rest == "XX";
    if (any ? other.script == wanted.script
            : other.rest == wanted.script || other.rest == wanted.region)
      near.push_back(&languages_[i]);
  }
  return same.empty() ? near : same;
}

std::int32_t LanguageTable::find(const std::string& name) const {
  const auto found = candidates(language_of(name).value_or(name));
  if (found.size() == 1) return found[0]->piece;
  if (!found.empty())
    throw Error("has several languages for ", in_quotes(name), ": ", names_of(found),
                "; name one of them");
  std::vector<const Language*> all;
  for (const Language& language : languages_) all.push_back(&language);
  throw Error("has no language ", in_quotes(name),
              all.empty() ? "" : "; it has " + std::to_string(all.size()) + ", such as ",
              names_of(all));
}

void LanguagePieces::put_around(std::vector<std::int32_t>& source) const {
  // Of the pieces before it those that it begins with.
  auto has = static_cast<std::ptrdiff_t>(std::min(before.size(), source.size()));
  if (words && source.size() < before.size()) has = 0;
  while (!std::equal(before.end() - has, before.end(), source.begin())) has = words ? 0 : has - 1;
  source.insert(source.begin(), before.begin(), before.end() - has);
  source.insert(source.end(), behind.begin(), behind.end());
}

}  // namespace tt
