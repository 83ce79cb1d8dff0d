// Text as the tokens of COMET's encoders.
//
// Other models here read text without what nobody sees (text/invisible.h); COMET reads it as it is,
// and may take the names of special tokens in it for these, so a tokenizer of its own gives its
// scores. Source: tokenization_xlm_roberta_fast.py of transformers; comet/encoders/base.py; of
// Marian src/data/corpus_base.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "comet/settings.h"
#include "text/subword.h"

namespace tt {

class CometTokenizer {
 public:
  // A text is cut to `longest_text` tokens, with <s> and </s>; texts that are joined to `longest`.
  CometTokenizer(const Subword& subword, const CometSettings& settings);
  ~CometTokenizer();

  // <s> text </s>, and for each text behind an LF, which is joined, </s> text </s>. Any number of
  // threads may call it.
  std::vector<std::int32_t> tokens(std::string_view texts) const;

 private:
  struct Model;
  void append(std::string_view text, std::vector<std::int32_t>& ids) const;

  void append_named(std::string_view text, std::vector<std::int32_t>& ids) const;

  std::unique_ptr<const Model> model_;
  CometReading reading_;
  std::size_t longest_text_, longest_;
};

}  // namespace tt
