// How a model of many languages is told which: by pieces around a sentence, as its settings say.
#pragma once

#include <string>

#include "model/config.h"
#include "text/languages.h"
#include "text/subword.h"

namespace tt {

class LanguageReader {
 public:
  // Throws Error, beginning with `name`, if the model begins sentences with <s>, which its
  // vocabulary lacks.
  LanguageReader(const Config& config, const Subword& source, const Subword& target,
                 const std::string& name);

  // Whether a sentence needs a piece of the source's language; whether a piece chooses the
  // target's.
  bool reads_source() const { return source_place_ != SourceLanguage::none; }
  bool reads_target() const { return target_place_ != TargetLanguage::none; }
  // Whether lines may begin with the target's piece themselves.
  bool in_text() const { return target_place_ == TargetLanguage::source; }

  // The pieces for the languages of a sentence; an empty name has none, nor has one that the model
  // is not told. Throws Error that says which language the model has not (LanguageTable::find).
  LanguagePieces pieces(const std::string& from, const std::string& to) const;

  // How many pieces there are at most around a source, or before a translation.
  std::size_t most() const;

 private:
  SourceLanguage source_place_;
  TargetLanguage target_place_;
  LanguageTable sources_, targets_;
  LanguagePieces begin_;  // <s>
  // Where lines may begin with the target's piece: what the subword model puts before that.
  std::vector<std::int32_t> lead_;
};

}  // namespace tt
