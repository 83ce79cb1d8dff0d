// ja-mecab: MeCab's words under the IPA dictionary 2.7.0-20070801.
//
// Published scores come from the dictionary's 392,126 entries. Debian's copy has one more, the era name of 2019; where a line
// holds it, MeCab is told that a word ends between its two characters, which is how the original dictionary parses it (no other
// entry spans them).
#include "base/error.h"
#include "metrics/tokenizer.h"
#include "metrics/unicode.h"

#ifdef TT_MECAB
#include <mecab.h>
#include <unistd.h>

#include <atomic>
#endif

namespace tt::metrics {

#ifdef TT_MECAB

namespace {

constexpr unsigned kEntries = 392126;
constexpr std::string_view kAdded = "\u4EE4\u548C";
constexpr std::size_t kAddedMiddle = 3;  // bytes
// Where Debian and MeCab's own installation keep it; at last, whatever mecabrc names.
constexpr const char* kFolders[] = {"/var/lib/mecab/dic/ipadic-utf8", "/usr/lib/mecab/dic/ipadic",
                                    "/usr/local/lib/mecab/dic/ipadic", ""};

class TokenizerJa : public Tokenizer {
 public:
  TokenizerJa() {
    std::string tried;
    for (const std::string folder : kFolders) {
      if (!folder.empty() && ::access((folder + "/sys.dic").c_str(), R_OK) != 0) continue;
      model_.reset(MeCab::Model::create(folder.empty() ? "" : ("-r /dev/null -d " + folder).c_str()));
      if (!model_) continue;
      const MeCab::DictionaryInfo* info = model_->dictionary_info();
      const std::string charset = lower(info->charset);
      const bool utf8 = charset == "utf-8" || charset == "utf8";
      if (utf8 && !info->next && (info->size == kEntries || info->size == kEntries + 1)) {
        has_added_ = info->size != kEntries;
        return;
      }
      tried += std::string(" (") + info->filename + ": " + std::to_string(info->size) + " entries, " + charset + ")";
    }
    throw Error("ja-mecab needs MeCab's IPA dictionary in UTF-8 with 392126 entries and no other, which was not found", tried,
                "; install mecab-ipadic-utf8");
  }

  std::string signature() const override { return std::string("ja-mecab-") + MeCab::Model::version() + "-IPA"; }

  void split(std::string_view text, std::string&, std::vector<std::string_view>& tokens) const override {
    tokens.clear();
    text = strip(text);
    text = text.substr(0, text.find('\0'));  // MeCab reads no further in sacreBLEU either
    if (text.empty()) return;
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
    if (has_added_) {
      for (std::size_t at = 0; (at = text.find(kAdded, at)) != text.npos; at += kAdded.size()) {
        lattice->set_boundary_constraint(at + kAddedMiddle, MECAB_TOKEN_BOUNDARY);
      }
    }
    if (!tagger->parse(lattice.get())) throw Error("MeCab cannot parse a line: ", lattice->what());
    for (const MeCab::Node* node = lattice->bos_node(); node; node = node->next) {
      if (node->stat != MECAB_BOS_NODE && node->stat != MECAB_EOS_NODE) split_at_spaces({node->surface, node->length}, tokens);
    }
  }

 private:
  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::unique_ptr<MeCab::Model> model_;
  bool has_added_ = false;
  const std::uint64_t id_ = next_id();  // never 0 and never used twice, unlike an address
};

}  // namespace

std::unique_ptr<Tokenizer> make_japanese_tokenizer() { return std::make_unique<TokenizerJa>(); }

#else

std::unique_ptr<Tokenizer> make_japanese_tokenizer() {
  throw Error(
      "this tt-bleu was built without MeCab, so there is no tokenizer ja-mecab; install libmecab-dev and mecab-ipadic-utf8 and "
      "build again");
}

#endif

}  // namespace tt::metrics
