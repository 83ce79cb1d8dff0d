// The tokenizers of BLEU: how a line becomes the tokens whose n-grams are counted.
//
// Each gives the same tokens as sacreBLEU 2.6.0's tokenizer of that name. There a tokenizer is a
// chain of regular expressions that only insert spaces; here it is a single pass that decides from
// the neighbours of a character whether the chain would insert one. tokenizer.cc gives the
// derivation.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tt::metrics {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // The tokenizer's name in signatures, for example "13a" or "ja-mecab-0.996-IPA".
  virtual std::string signature() const = 0;

  // Replaces `tokens` by those of `text`. They are views into `text` or into `buffer`; both must
  // outlive them. Safe to call from several threads with different buffers.
  virtual void split(std::string_view text, std::string& buffer,
                     std::vector<std::string_view>& tokens) const = 0;
};

// The files that some tokenizers need; an empty path means the usual place.
struct TokenizerFiles {
  std::string spm_model;         // spm, flores101, flores200, spBLEU-1K: a SentencePiece model
  std::string mecab_dictionary;  // ja-mecab, ko-mecab: the folder of a compiled dictionary
};

// The names make_tokenizer takes: 13a, char, flores101, flores200, intl, ja-mecab, ko-mecab, none,
// spBLEU-1K, spm, zh.
const std::vector<std::string>& tokenizer_names();
// Throws Error if `name` is not one of them, or if it reads none of the files that are named.
void check_tokenizer(const std::string& name, const TokenizerFiles& files);
bool uses_spm_model(const std::string& tokenizer);

// "zh" for "en-zh". Throws Error if `pair` is not two language codes separated by a hyphen.
std::string target_language(const std::string& pair);
// The tokenizer of a language: zh for "zh", ja-mecab for "ja", ko-mecab for "ko", 13a for all
// others.
std::string tokenizer_for(const std::string& language);

// Throws Error if `name` is none of tokenizer_names(), or if its library, model or dictionary is
// missing.
std::unique_ptr<Tokenizer> make_tokenizer(const std::string& name,
                                          const TokenizerFiles& files = {});

// Defined in separate files; each takes its path from TokenizerFiles.
std::unique_ptr<Tokenizer> make_japanese_tokenizer(const std::string& folder);
std::unique_ptr<Tokenizer> make_korean_tokenizer(const std::string& folder);
std::unique_ptr<Tokenizer> make_spm_tokenizer(const std::string& name, const std::string& path);

// Appends the words of `text`, split at white space, to `tokens`.
void split_at_spaces(std::string_view text, std::vector<std::string_view>& tokens);

// Replaces &quot; &amp; &lt; &gt; by their characters, one kind after another, so that "&amp;lt;"
// becomes "<".
void unescape_entities(std::string& text);

// True for the characters that 13a surrounds with spaces: ASCII punctuation and symbols except ' ,
// - and . (and the space itself).
constexpr bool is_western_symbol(unsigned char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

// Whether the last of a run of `run` separators (full stops and commas for 13a, punctuation for
// intl) is a separate token, given what precedes and follows the run. See tokenizer.cc; all others
// in the run always are.
constexpr bool last_of_run_stands_alone(std::size_t run, bool digit_or_nothing_before,
                                        bool digit_or_nothing_after) {
  return (run % 2 == 1) != digit_or_nothing_before || !digit_or_nothing_after;
}

}  // namespace tt::metrics
