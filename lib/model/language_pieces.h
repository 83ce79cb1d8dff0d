// How a model of many languages is told which: by pieces around a sentence, as its settings say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/config.h"
#include "text/languages.h"
#include "text/subword.h"

namespace tt {

class LanguageReader {
 public:
  // Throws Error, beginning with `name`, if the model begins sentences with <s>, which its
  // vocabulary lacks.
  LanguageReader(const Architecture& config, const Subword& source, const Subword& target,
                 const std::string& name);

  // Whether a sentence needs a piece of the source's language; whether a piece chooses the
  // target's.
  bool needs_source() const { return source_place_ != SourceLanguage::none; }
  bool needs_target() const { return target_place_ != TargetLanguage::none; }
  // Whether the languages choose pieces, or the text before a source, which lines may have
  // themselves.
  bool reads_source() const { return needs_source() || !prefixes_.empty(); }
  bool reads_target() const { return needs_target() || !prefixes_.empty(); }
  // Whether lines may begin with the target's piece themselves.
  bool in_text() const { return target_place_ == TargetLanguage::source; }
  // Whether it is text before a source that chooses them.
  bool by_words() const { return !prefixes_.empty(); }

  // The languages whose text, or whose piece, a text begins with, as those who write lines for such
  // models put it there; none: it begins with no such thing. Of a piece, that of the target alone;
  // empty names: it is text that cannot be put before other sources.
  std::optional<LanguageNames> leading(std::string_view text) const;
  // How a text might begin so; empty where it cannot.
  const std::string& example() const { return example_; }

  // The pieces for the languages of a sentence; an empty name has none, nor has one that the model
  // is not told. Throws Error that says which language the model has not (LanguageTable::find).
  LanguagePieces pieces(const std::string& from, const std::string& to) const;

  // How many pieces there are at most around a source, or before a translation.
  std::size_t most() const;

 private:
  // The pieces of text before a source, and its languages by their numbers in the tables.
  struct Prefix {
    std::int32_t from, to;
    SourcePrefix said;
    std::vector<std::int32_t> pieces;
    std::string problem;  // why it cannot be put there; empty: it can
  };
  const Prefix& prefix_of(const std::string& from, const std::string& to) const;

  SourceLanguage source_place_;
  TargetLanguage target_place_;
  LanguageTable sources_, targets_;
  LanguagePieces begin_;  // <s>
  // The text that the subword model puts before the target's piece, if lines may begin with that.
  std::vector<std::int32_t> lead_;
  std::vector<Prefix> prefixes_;
  std::string example_;
};

// The pieces of text that stands before a source, as words of its own. Throws Error that says so
// ("does not know ...") if the model does not know a character of it, or cuts it otherwise than by
// itself.
std::vector<std::int32_t> pieces_before(const Subword& subword, const std::string& text);

}  // namespace tt
