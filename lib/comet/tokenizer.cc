#include "comet/tokenizer.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/split.h"
#include "text/sentencepiece.h"

namespace tt {
namespace {

constexpr const char* kSpecials[] = {"<s>", "</s>", "<unk>", "<mask>"};
constexpr std::string_view kMask = "<mask>";  // which takes the space before it

}  // namespace

struct CometTokenizer::Model {
  explicit Model(const Subword& of) : subword(of) {
    if (!processor.LoadFromSerializedProto(of.bytes()).ok())
      throw Error("the subword model of a COMET model is none of SentencePiece");
  }
  Subword subword;
  sentencepiece::SentencePieceProcessor processor;
};

CometTokenizer::CometTokenizer(const Subword& subword, int longest_text, int longest)
    : model_(std::make_unique<const Model>(subword)),
      longest_text_(static_cast<std::size_t>(longest_text)),
      longest_(static_cast<std::size_t>(longest)) {}

CometTokenizer::~CometTokenizer() = default;

// Appends the pieces of a text without special tokens.
void CometTokenizer::append(std::string_view text, std::vector<std::int32_t>& ids) const {
  std::vector<int> pieces;
  const auto status = model_->processor.Encode(text, &pieces);
  if (!status.ok()) throw Error("SentencePiece failed: ", in_quotes(status.message()));
  for (const int piece : pieces)
    ids.push_back(piece < model_->subword.size() ? piece : model_->subword.unk());
}

std::vector<std::int32_t> CometTokenizer::tokens(std::string_view texts) const {
  const Subword& subword = model_->subword;
  std::vector<std::int32_t> all, ids;
  for (std::string_view text : split(texts, '\n')) {
    ids.clear();
    while (true) {
      std::size_t at = text.npos;
      std::string_view special;
      for (const std::string_view each : kSpecials)
        if (const std::size_t found = text.find(each); found < at) at = found, special = each;
      std::string_view before = text.substr(0, at);
      if (special == kMask)
        while (before.ends_with(' ')) before.remove_suffix(1);
      append(before, ids);
      if (at == text.npos) break;
      ids.push_back(special == kSpecials[2] ? subword.unk() : subword.find(special));
      text.remove_prefix(at + special.size());
    }
    ids.resize(std::min(ids.size(), longest_text_ - 2));
    all.push_back(all.empty() ? subword.bos() : subword.eos());
    all.insert(all.end(), ids.begin(), ids.end());
    all.push_back(subword.eos());
  }
  all.resize(std::min(all.size(), longest_));
  return all;
}

}  // namespace tt
