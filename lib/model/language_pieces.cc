#include "model/language_pieces.h"

#include <algorithm>

#include "base/error.h"

namespace tt {
namespace {

std::int32_t bos(const Subword& subword, const std::string& name) {
  const std::int32_t piece = subword.find("<s>");
  if (piece < 0) throw Error(name, ": begins sentences with <s>, which its vocabulary lacks");
  return piece;
}

// The pieces before that of a language in a text that begins with it: the beginning of a word,
// unless the piece has that.
std::vector<std::int32_t> lead_of(const Subword& subword, const LanguageTable& languages) {
  if (languages.all().empty()) return {};
  const std::int32_t piece = languages.all()[0].piece;
  std::string text = subword.piece(piece);
  if (text.starts_with(kSpacePiece)) text.erase(0, kSpacePiece.size());
  std::vector<std::int32_t> pieces;
  subword.encode(text, pieces);
  const auto end = std::find(pieces.begin(), pieces.end(), piece);
  if (end == pieces.end()) return {};  // it is none of a text
  return {pieces.begin(), end};
}

}  // namespace

LanguageReader::LanguageReader(const Config& config, const Subword& source, const Subword& target,
                               const std::string& name)
    : source_place_(config.source_language), target_place_(config.target_language),
      sources_(source), targets_(target) {
  if (config.source_bos) begin_.before = {bos(source, name)};
  if (config.target_bos) begin_.first = {bos(target, name)};
  if (in_text()) lead_ = lead_of(source, sources_);
}

LanguagePieces LanguageReader::pieces(const std::string& from, const std::string& to) const {
  LanguagePieces pieces = begin_;
  if (reads_source() && !from.empty())
    (source_place_ == SourceLanguage::before ? pieces.before : pieces.behind)
        .push_back(sources_.find(from));
  if (in_text() && !to.empty()) {
    pieces.before.insert(pieces.before.end(), lead_.begin(), lead_.end());
    pieces.before.push_back(sources_.find(to));
  }
  if (target_place_ == TargetLanguage::first && !to.empty())
    pieces.first.push_back(targets_.find(to));
  return pieces;
}

std::size_t LanguageReader::most() const {
  return std::max(
      begin_.before.size() + (reads_source() ? 1 : 0) + (in_text() ? lead_.size() + 1 : 0),
      begin_.first.size() + (reads_target() && !in_text() ? 1 : 0));
}

}  // namespace tt
