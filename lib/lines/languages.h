// The languages of lines, for models of many.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decode/loaded_model.h"
#include "decode/translator.h"
#include "lines/line_text.h"
#include "model/language_pieces.h"

namespace tt {

// Any number of threads may use it.
class LineLanguages {
 public:
  // The options' languages are those of lines that name none. Throws Error if a model has not
  // these, or does not read any, of which lines may have columns; and if it needs one that is
  // missing, unless lines may name it.
  LineLanguages(std::span<const LoadedModel> models, const TranslateOptions& options);

  // Of each model.
  const std::vector<LanguagePieces>& usual() const { return usual_pieces_; }
  std::size_t most() const;  // pieces around a side

  // Sets the pieces of a line's languages, which live as long as this object. A line whose
  // languages are missing, or which the models have not, is refused.
  void choose(LineText& line) const;

 private:
  const std::vector<LanguagePieces>& pieces(const LanguageNames& names) const;
  // Sets the names to those that the text begins with, where it does. Returns false if the line has
  // been refused.
  bool choose_in_text(LineText& line, LanguageNames& names) const;

  std::vector<std::string> models_;  // their names
  std::vector<LanguageReader> readers_;
  LanguageNames usual_;
  bool by_line_;
  std::vector<std::vector<std::int32_t>> prefixes_;  // of each model: pieces before each source
  std::vector<LanguagePieces> usual_pieces_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::string, std::string>, std::vector<LanguagePieces>> known_;
};

}  // namespace tt
