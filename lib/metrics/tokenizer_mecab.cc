// ja-mecab and ko-mecab: the words of MeCab, under the one dictionary of each language that published scores come from.
//
// Japanese: the IPA dictionary 2.7.0-20070801 with 392,126 entries. Debian's copy has one more, the era name of 2019; if a line
// contains it, MeCab is told that a word ends between its two characters, as the original dictionary parses it (no other entry
// spans them).
//
// Korean: mecab-ko-dic with 811,795 entries, read by MeCab-ko, whose search differs from MeCab's (space_penalty.h). Debian has
// neither.
#include "base/error.h"
#include "base/setting.h"
#include "metrics/tokenizer.h"
#include "metrics/unicode.h"

#ifdef TT_MECAB
#include <mecab.h>
#include <unistd.h>

#include <atomic>

#include "metrics/space_penalty.h"
#endif

namespace tt::metrics {

#ifdef TT_MECAB

namespace {

struct Dictionary {
  const char *tokenizer, *what, *advice;
  unsigned entries, most_entries;
  std::vector<const char*> folders;  // the usual places; "": the one named by mecabrc
};

const Dictionary kJapanese = {
    "ja-mecab",
    "the IPA dictionary",
    "install mecab-ipadic-utf8, or",
    392126,
    392127,
    {"/var/lib/mecab/dic/ipadic-utf8", "/usr/lib/mecab/dic/ipadic", "/usr/local/lib/mecab/dic/ipadic", ""}};
const Dictionary kKorean = {
    "ko-mecab", "mecab-ko-dic", "download mecab-ko-dic and",
    811795,     811795,         {"/usr/local/lib/mecab/dic/mecab-ko-dic", "/usr/lib/mecab/dic/mecab-ko-dic"}};

// A model over one dictionary, and the objects that each thread needs to parse with it.
class Parser {
 public:
  // Loads the dictionary in `given`, or from the first of the usual folders that has the right one.
  Parser(const Dictionary& dictionary, const std::string& given) {
    std::string tried;
    const std::vector<std::string> folders =
        given.empty() ? std::vector<std::string>(dictionary.folders.begin(), dictionary.folders.end()) : std::vector{given};
    for (const std::string& folder : folders) {
      if (!folder.empty() && ::access((folder + "/sys.dic").c_str(), R_OK) != 0) continue;
      // Blanks and quotes would end MeCab's argument.
      std::vector<std::string> arguments = {"mecab", "-r", "/dev/null", "-d", folder};
      if (folder.empty()) arguments.resize(1);
      std::vector<char*> pointers;
      for (std::string& argument : arguments) pointers.push_back(argument.data());
      model_.reset(MeCab::Model::create(static_cast<int>(pointers.size()), pointers.data()));
      if (!model_) continue;
      const MeCab::DictionaryInfo* info = model_->dictionary_info();
      const std::string charset = lower(info->charset);
      const bool utf8 = charset == "utf-8" || charset == "utf8";
      if (utf8 && !info->next && info->size >= dictionary.entries && info->size <= dictionary.most_entries) {
        folder_ = folder;
        entries_ = info->size;
        return;
      }
      tried += std::string(" (") + info->filename + ": " + std::to_string(info->size) + " entries, " + charset + ")";
    }
    throw SettingError(dictionary.tokenizer, " needs ", dictionary.what, " in UTF-8 with ", dictionary.entries,
                       " entries, which was not found", given.empty() ? "" : " in " + given, tried, "; ", dictionary.advice,
                       " give its folder with ", Setting{"mecab_dictionary"});
  }

  const std::string& folder() const { return folder_; }
  unsigned entries() const { return entries_; }
  const MeCab::Model& model() const { return *model_; }

  // The parsed lattice of `text`, which belongs to the calling thread; `prepare` may add constraints before.
  template <class Prepare>
  MeCab::Lattice& parse(std::string_view text, Prepare prepare) const {
    thread_local std::unique_ptr<MeCab::Lattice> lattice;
    thread_local std::unique_ptr<MeCab::Tagger> tagger;
    thread_local std::uint64_t owner = 0;
    if (owner != id_) {
      lattice.reset(model_->createLattice());
      tagger.reset(model_->createTagger());
      owner = id_;
    }
    lattice->clear();
    lattice->set_sentence(text.data(), text.size());
    prepare(*lattice);
    if (!tagger->parse(lattice.get())) throw Error("MeCab cannot parse a line: ", lattice->what());
    return *lattice;
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

void add_words(const MeCab::Lattice& lattice, std::vector<std::string_view>& tokens) {
  for (const MeCab::Node* node = lattice.bos_node(); node; node = node->next) {
    if (node->stat != MECAB_BOS_NODE && node->stat != MECAB_EOS_NODE) split_at_spaces({node->surface, node->length}, tokens);
  }
}

class TokenizerJa : public Tokenizer {
 public:
  explicit TokenizerJa(const std::string& folder) : parser_(kJapanese, folder) {}

  std::string signature() const override { return std::string("ja-mecab-") + MeCab::Model::version() + "-IPA"; }

  void split(std::string_view text, std::string&, std::vector<std::string_view>& tokens) const override {
    tokens.clear();
    text = readable(text);
    if (text.empty()) return;
    add_words(parser_.parse(text,
                            [&](MeCab::Lattice& lattice) {
                              if (parser_.entries() == kJapanese.entries) return;
                              for (std::size_t at = 0; (at = text.find(kAdded, at)) != text.npos; at += kAdded.size())
                                lattice.set_boundary_constraint(at + kAddedMiddle, MECAB_TOKEN_BOUNDARY);
                            }),
              tokens);
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

  void split(std::string_view text, std::string&, std::vector<std::string_view>& tokens) const override {
    tokens.clear();
    text = readable(text);
    if (text.empty()) return;
    MeCab::Lattice& lattice = parser_.parse(text, [](MeCab::Lattice&) {});
    apply_space_penalties(parser_.model(), penalties_, lattice);
    add_words(lattice, tokens);
  }

 private:
  Parser parser_;
  std::vector<SpacePenalty> penalties_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_japanese_tokenizer(const std::string& folder) { return std::make_unique<TokenizerJa>(folder); }
std::unique_ptr<Tokenizer> make_korean_tokenizer(const std::string& folder) { return std::make_unique<TokenizerKo>(folder); }

#else

namespace {

[[noreturn]] void no_mecab(const std::string& name, const std::string& dictionary) {
  throw Error("this program was built without MeCab, so there is no tokenizer ", name, "; install libmecab-dev", dictionary,
              " and build again");
}

}  // namespace

std::unique_ptr<Tokenizer> make_japanese_tokenizer(const std::string&) { no_mecab("ja-mecab", " and mecab-ipadic-utf8"); }
std::unique_ptr<Tokenizer> make_korean_tokenizer(const std::string&) { no_mecab("ko-mecab", ""); }

#endif

}  // namespace tt::metrics
