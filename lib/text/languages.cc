#include "text/languages.h"

#include <unicode/uloc.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
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

// The code of three letters, and what stands behind it: "deu" and "Latn".
std::pair<std::string, std::string> parts_of(const std::string& code) {
  const std::size_t line = code.find_first_of("_-");
  const std::string language = code.substr(0, line);
  const char* const three = uloc_getISO3Language(language.c_str());
  return {three && *three ? three : language, line == code.npos ? "" : code.substr(line + 1)};
}

}  // namespace

std::optional<std::string> language_of(std::string_view piece) {
  if (piece.find('_') != 0 && piece.find('_') != piece.npos && is_code(piece))
    return std::string(piece);
  for (const auto& [before, behind] : {std::pair("__", "__"), {">>", "<<"}, {"<2", ">"}})
    if (const auto code = inside(piece, before, behind); is_code(code)) return std::string(code);
  return std::nullopt;
}

std::vector<Language> languages_of(const Subword& subword) {
  std::vector<Language> languages;
  for (std::int32_t id = 0; id < subword.size(); ++id) {
    std::string piece = subword.piece(id);
    if (piece.starts_with(kSpacePiece)) piece.erase(0, kSpacePiece.size());
    if (auto language = language_of(piece)) languages.push_back({std::move(*language), id});
  }
  return languages;
}

std::int32_t find_language(const Subword& subword, const std::string& name,
                           const std::string& where) {
  const auto languages = languages_of(subword);
  const std::string wanted = language_of(name).value_or(name);
  for (const Language& language : languages)
    if (language.name == wanted) return language.piece;
  const auto [code, rest] = parts_of(wanted);
  std::vector<const Language*> found;
  for (const Language& language : languages) {
    const auto [other, behind] = parts_of(language.name);
    if (other == code && (rest.empty() || rest == behind)) found.push_back(&language);
  }
  if (found.size() == 1) return found[0]->piece;
  std::string names;
  for (std::size_t i = 0; i < found.size() && i < 5; ++i) names += (i ? ", " : "") + found[i]->name;
  if (!found.empty())
    throw Error(where, ": has several languages for ", in_quotes(name), ": ", names,
                "; name one of them");
  names.clear();
  for (std::size_t i = 0; i < languages.size() && i < 5; ++i)
    names += (i ? ", " : "") + languages[i].name;
  throw Error(where, ": has no language ", in_quotes(name), "; it has ", languages.size(),
              ", such as ", names);
}

}  // namespace tt
