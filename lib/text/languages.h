// Pieces that choose a language, as models of many languages have them: "deu_Latn", "__de__",
// "de_DE", ">>deu<<" and "<2de>".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tt {

class Subword;

// The language that a piece chooses, by the model's own name: "deu_Latn", "de", "de_DE", "deu",
// "de".
std::optional<std::string> language_of(std::string_view piece);

struct Language {
  std::string name;
  std::int32_t piece;
};
// The languages of a vocabulary, in its order.
std::vector<Language> languages_of(const Subword& subword);

// The piece of a language, by the model's name, the piece, or the code of ISO 639 of either kind
// ("de" for deu_Latn). Throws Error, beginning with `where`, if there is none, or if there are
// several.
std::int32_t find_language(const Subword& subword, const std::string& name,
                           const std::string& where);

}  // namespace tt
