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

// The piece that chooses a language of that name in a new vocabulary: "__de__" of "de", "deu_Latn"
// of "deu_Latn", and a piece in any of the forms above itself. Throws Error if it is no code.
std::string language_piece(const std::string& name);

// The piece ">>deu<<" or "<2deu>" that a text begins with, as those who write lines for such models
// put it there; empty if there is none.
std::string_view leading_language(std::string_view text);

// Whether a name is a code of ISO 639, perhaps with a script or a region.
bool is_known_language(const std::string& name);

// Text that stands before a source in one language that is to be translated into another, such as
// "translate English to German:" of T5.
struct SourcePrefix {
  std::string from, to, text;
};

// Of "en-de=translate English to German:;en-fr=...". Requires are_source_prefixes().
std::vector<SourcePrefix> parse_source_prefixes(const std::string& prefixes);
std::string join_source_prefixes(const std::vector<SourcePrefix>& prefixes);
// Whether text names pairs of languages, each once, and what stands before them.
bool are_source_prefixes(const std::string& text);

struct Language {
  std::string name;
  std::int32_t piece;
};

// The language that a piece of a vocabulary chooses, which may have U+2581 before it.
std::optional<std::string> language_of(const Subword& subword, std::int32_t piece);

// The languages of a vocabulary.
class LanguageTable {
 public:
  explicit LanguageTable(const Subword& subword);
  explicit LanguageTable(std::vector<Language> languages);

  const std::vector<Language>& all() const { return languages_; }  // in the vocabulary's order

  // The piece of a language, by the model's name ("deu_Latn"), by the piece in any of the forms
  // above, or by the code of ISO 639 of either kind ("de"). Where the model has no region of that
  // name, as of "en-US" or "zh-TW", it is the language in the script of the region. Throws Error if
  // there is none, or if there are several: "has no language ...".
  std::int32_t find(const std::string& name) const;

 private:
  // A code as its parts.
  struct Code {
    std::string language;        // of three letters: "deu"
    std::string rest;            // what stands behind it, or nothing: "Latn", "DE"
    std::string script, region;  // likely ones where the code does not say
  };
  static Code code_of(const std::string& name);
  std::vector<const Language*> candidates(const std::string& name) const;

  std::vector<Language> languages_;
  std::vector<Code> codes_;  // of each of them
};

// The languages of a sentence; an empty name: it is not said.
struct LanguageNames {
  std::string from = {}, to = {};

  bool operator==(const LanguageNames&) const = default;
};

// The pieces around a sentence: those that choose its languages, <s> where the model reads it
// there, and the sentences before it in its document (text/context.h).
struct LanguagePieces {
  std::vector<std::int32_t> before = {}, behind = {};  // of a source, with its </s>
  std::vector<std::int32_t> first = {};  // what a translation begins with, none of its text
  bool words = false;       // those before a source are words, which are there as a whole or not
  std::size_t context = 0;  // of those before a source, the first ones: of other sentences
  std::vector<std::int32_t> history = {};  // translations of these, which its own follows

  // Puts them around a source, which may begin with the last of those before it already, or, of
  // words, with all of them.
  void put_around(std::vector<std::int32_t>& source) const;

  bool operator==(const LanguagePieces&) const = default;
};

}  // namespace tt
