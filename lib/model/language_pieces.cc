#include "model/language_pieces.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "text/words.h"

namespace tt {
namespace {

std::int32_t bos(const Subword& subword, const std::string& name) {
  const std::int32_t piece = subword.find("<s>");
  if (piece < 0) throw Error(name, ": begins sentences with <s>, which its vocabulary lacks");
  return piece;
}

std::string text_of(const Subword& subword, const Language& language) {
  std::string text = subword.piece(language.piece);
  if (text.starts_with(kSpacePiece)) text.erase(0, kSpacePiece.size());
  return text;
}

// Whether a text begins with the words of another, whatever spaces are between them. Behind a sign,
// as the colon of "translate English to German:", a space may be missing.
bool begins_with(std::string_view text, std::string_view begin) {
  const auto in = words_of(text), words = words_of(begin);
  if (words.empty() || in.size() < words.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto word = text.substr(in[i].begin, in[i].end - in[i].begin),
               expected = begin.substr(words[i].begin, words[i].end - words[i].begin);
    const bool open =
        i + 1 == words.size() && std::ispunct(static_cast<unsigned char>(begin.back()));
    if (open ? !word.starts_with(expected) : word != expected) return false;
  }
  return true;
}

// The pieces before that of a language in a text that begins with it: the beginning of a word,
// unless the piece has that.
std::vector<std::int32_t> lead_of(const Subword& subword, const LanguageTable& languages) {
  if (languages.all().empty()) return {};
  const std::int32_t piece = languages.all()[0].piece;
  std::vector<std::int32_t> pieces;
  subword.encode(text_of(subword, languages.all()[0]), pieces);
  const auto end = std::find(pieces.begin(), pieces.end(), piece);
  if (end == pieces.end()) return {};  // it is none of a text
  return {pieces.begin(), end};
}

}  // namespace

LanguageReader::LanguageReader(const Architecture& config, const Subword& source,
                               const Subword& target, const std::string& name)
    : source_place_(config.source_language), target_place_(config.target_language),
      sources_(source), targets_(target) {
  if (const auto prefixes = parse_source_prefixes(config.source_prefixes); !prefixes.empty()) {
    std::vector<Language> froms, tos;
    const auto number = [](std::vector<Language>& languages, const std::string& language) {
      const auto found = std::ranges::find(languages, language, &Language::name);
      const auto n = static_cast<std::int32_t>(found - languages.begin());
      if (found == languages.end()) languages.push_back({language, n});
      return n;
    };
    for (const SourcePrefix& p : prefixes) {
      Prefix& prefix =
          prefixes_.emplace_back(Prefix{number(froms, p.from), number(tos, p.to), p, {}, {}});
      try {
        prefix.pieces = pieces_before(source, p.text);
      } catch (const Error& error) {  // which only who chooses it must know
        prefix.problem = error.what();
      }
    }
    sources_ = LanguageTable(froms), targets_ = LanguageTable(tos);
    example_ = in_quotes(prefixes[0].text);
  }
  if (config.source_bos) begin_.before = {bos(source, name)};
  if (config.target_bos) begin_.first = {bos(target, name)};
  if (!in_text()) return;
  lead_ = lead_of(source, sources_);
  if (sources_.all().empty()) return;
  example_ = text_of(source, sources_.all()[0]);
  if (leading_language(example_).empty()) example_ = ">>" + sources_.all()[0].name + "<<";
}

std::optional<LanguageNames> LanguageReader::leading(std::string_view text) const {
  if (const auto piece = leading_language(text); in_text() && !piece.empty())
    return LanguageNames{"", std::string(piece)};
  const Prefix* found = nullptr;
  for (const Prefix& prefix : prefixes_)
    if (begins_with(text, prefix.said.text) &&
        (!found || prefix.said.text.size() > found->said.text.size()))
      found = &prefix;
  if (!found) return std::nullopt;
  if (!found->problem.empty()) return LanguageNames{};  // it can stand only where it does
  return LanguageNames{found->said.from, found->said.to};
}

LanguagePieces LanguageReader::pieces(const std::string& from, const std::string& to) const {
  LanguagePieces pieces = begin_;
  if (!prefixes_.empty()) {
    if (from.empty() && to.empty()) return pieces;
    const Prefix& prefix = prefix_of(from, to);
    pieces.before.insert(pieces.before.end(), prefix.pieces.begin(), prefix.pieces.end());
    pieces.words = true;
    return pieces;
  }
  if (needs_source() && !from.empty())
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

const LanguageReader::Prefix& LanguageReader::prefix_of(const std::string& from,
                                                        const std::string& to) const {
  const auto find = [](const LanguageTable& languages, const std::string& name, const char* side) {
    if (name.empty()) return -1;
    try {
      return languages.find(name);
    } catch (const Error& error) {
      throw Error(error.what(), ", to translate ", side);
    }
  };
  const std::int32_t source = find(sources_, from, "from"), target = find(targets_, to, "into");
  const Prefix* found = nullptr;
  for (const Prefix& prefix : prefixes_) {
    if ((source >= 0 && prefix.from != source) || (target >= 0 && prefix.to != target)) continue;
    if (found)
      throw Error("does several things with ", from.empty() ? to : from, "; name both languages");
    found = &prefix;
  }
  if (found && !found->problem.empty()) throw Error(found->problem);
  if (found) return *found;
  throw Error("does not translate from ", from, " to ", to);
}

std::size_t LanguageReader::most() const {
  std::size_t longest = 0;
  for (const Prefix& prefix : prefixes_) longest = std::max(longest, prefix.pieces.size());
  return std::max(begin_.before.size() + (needs_source() ? 1 : 0) +
                      (in_text() ? lead_.size() + 1 : 0) + longest,
                  begin_.first.size() + (needs_target() && !in_text() ? 1 : 0));
}

std::vector<std::int32_t> pieces_before(const Subword& subword, const std::string& text) {
  constexpr const char* kWord = "the";
  std::vector<std::int32_t> pieces, word, both;
  subword.encode(text, pieces);
  subword.encode(kWord, word);
  subword.encode(text + " " + kWord, both);
  if (std::ranges::find(pieces, subword.unk()) != pieces.end())
    throw Error("does not know all characters of ", in_quotes(text),
                ", which is to stand before a source");
  word.insert(word.begin(), pieces.begin(), pieces.end());
  if (word != both)
    throw Error("does not cut ", in_quotes(text),
                " as words of its own; write it before each source");
  return pieces;
}

}  // namespace tt
