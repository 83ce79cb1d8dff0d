// Vocabularies without a model that cuts text: the words between spaces are pieces, or the
// characters are. Text that was cut by other programs is such words, whatever characters they have.
//
// Inside a subword model a word has U+2581 before it, as in SentencePiece; another U+2581 is a part
// of the word. Where merges cut words, each of their pieces has it, and all but the last of a word
// have "@@" behind them, as subword-nmt writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/merges.h"
#include "text/model_proto.h"
#include "text/words.h"

namespace tt {

class PlainPieces {
 public:
  // The pieces must live as long as this object. Requires proto.plain != Plain::no. Throws Error,
  // beginning with `name`, if its merges are none.
  PlainPieces(const ModelProto& proto, std::int32_t unk, const std::string& name);

  struct Piece {
    std::int32_t id;       // unk for each word or character that is unknown
    TextRange range;       // in the line
    bool goes_on = false;  // the next piece is of the same word
  };
  std::vector<Piece> cut(std::string_view line) const;

  // How a piece of a line is spelt.
  std::string spelling(std::string_view line, const Piece& piece) const;
  // Appends a piece to a text.
  void append(std::string& text, std::string_view piece) const;
  // The size of a text without the mark at its end of a word that goes on.
  std::size_t without_mark(std::string_view text) const;

 private:
  bool words_;
  std::optional<Merges> merges_;
  std::int32_t unk_;
  std::unordered_map<std::string_view, std::int32_t> ids_;
};

}  // namespace tt
