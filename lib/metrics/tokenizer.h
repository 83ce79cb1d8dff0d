// The tokenizers of BLEU: how a line becomes the tokens whose n-grams are counted.
//
// Each gives the tokens that sacreBLEU 2.6.0 gives under the same name. There a tokenizer is a chain of regular expressions that
// only insert spaces; here it is one pass that knows, from what stands left and right of a character, where the chain would end
// up inserting one. tokenizer.cc states the derivation.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tt::metrics {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // How the tokenizer is called in a signature, for example "13a" or "ja-mecab-0.996-IPA".
  virtual std::string signature() const = 0;

  // Replaces `tokens` by those of `text`. They are views into `text` or into `buffer`; both must outlive them. Safe to call from
  // several threads with different buffers.
  virtual void split(std::string_view text, std::string& buffer, std::vector<std::string_view>& tokens) const = 0;
};

// The files that some tokenizers need; an empty path: where it usually is.
struct TokenizerFiles {
  std::string spm_model;         // spm, flores101, flores200, spBLEU-1K: a SentencePiece model
  std::string mecab_dictionary;  // ja-mecab, ko-mecab: the folder of a compiled dictionary
};

// The names make_tokenizer takes: 13a, char, flores101, flores200, intl, ja-mecab, ko-mecab, none, spBLEU-1K, spm, zh.
const std::vector<std::string>& tokenizer_names();
// Throws Error if `name` is none of them.
void check_tokenizer_name(const std::string& name);
bool uses_spm_model(const std::string& tokenizer);
bool uses_mecab_dictionary(const std::string& tokenizer);

// "zh" of "en-zh". Throws Error if `pair` is not two codes of languages with a hyphen between them.
std::string target_language(const std::string& pair);
// The tokenizer of a language: zh for "zh", ja-mecab for "ja", ko-mecab for "ko", 13a for all others.
std::string tokenizer_for(const std::string& language);

// Throws Error if `name` is none of tokenizer_names(), or if its library, model or dictionary is not there.
std::unique_ptr<Tokenizer> make_tokenizer(const std::string& name, const TokenizerFiles& files = {});

// In files of their own; each takes the path that TokenizerFiles has for it.
std::unique_ptr<Tokenizer> make_japanese_tokenizer(const std::string& folder);
std::unique_ptr<Tokenizer> make_korean_tokenizer(const std::string& folder);
std::unique_ptr<Tokenizer> make_spm_tokenizer(const std::string& name, const std::string& path);

// Appends the words of `text` between white space to `tokens`.
void split_at_spaces(std::string_view text, std::vector<std::string_view>& tokens);

// Replaces &quot; &amp; &lt; &gt; by what they stand for, one kind after the other, so that "&amp;lt;" ends as "<".
void unescape_entities(std::string& text);

// True for the characters that 13a puts a space around: ASCII punctuation and symbols but ' , - and . (and the space itself).
constexpr bool is_western_symbol(unsigned char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

// Of a run of `run` equal separators (full stops and commas for 13a, punctuation for intl): is the last a token by itself, given
// what stands before and after the run? See tokenizer.cc; all others of the run always are.
constexpr bool last_of_run_stands_alone(std::size_t run, bool digit_or_nothing_before, bool digit_or_nothing_after) {
  return (run % 2 == 1) != digit_or_nothing_before || !digit_or_nothing_after;
}

}  // namespace tt::metrics
