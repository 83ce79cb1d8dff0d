#include "comet/tokenizer.h"

#include <algorithm>

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

CometTokenizer::CometTokenizer(const Subword& subword, const CometSettings& settings)
    : model_(std::make_unique<const Model>(subword)), reading_(settings.reading),
      longest_text_(static_cast<std::size_t>(settings.longest_text)),
      longest_(static_cast<std::size_t>(settings.longest)) {}

CometTokenizer::~CometTokenizer() = default;

// Appends the pieces of a text without special tokens.
void CometTokenizer::append(std::string_view text, std::vector<std::int32_t>& ids) const {
  std::vector<int> pieces;
  const auto status = model_->processor.Encode(text, &pieces);
  if (!status.ok()) throw Error("SentencePiece failed: ", in_quotes(status.message()));
  for (const int piece : pieces)
    ids.push_back(piece < model_->subword.size() ? piece : model_->subword.unk());
}

// And names of special tokens as these.
void CometTokenizer::append_named(std::string_view text, std::vector<std::int32_t>& ids) const {
  const Subword& subword = model_->subword;
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
}

std::vector<std::int32_t> CometTokenizer::tokens(std::string_view texts) const {
  const Subword& subword = model_->subword;
  const bool marian = reading_ == CometReading::marian;
  std::vector<std::int32_t> all, ids;
  for (const std::string_view text : split(texts, '\n')) {
    ids.clear();
    if (marian) append(text, ids);
    else append_named(text, ids);
    std::size_t most = longest_text_;
    if (marian && !all.empty()) {
      if (all.size() + 2 > longest_) break;
      most = longest_ - all.size();
    }
    ids.resize(std::min(ids.size(), most - 2));
    all.push_back(all.empty() ? subword.bos() : subword.eos());
    all.insert(all.end(), ids.begin(), ids.end());
    all.push_back(subword.eos());
  }
  all.resize(std::min(all.size(), longest_));
  return all;
}

}  // namespace tt
