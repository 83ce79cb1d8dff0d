// Vocabularies without a model that cuts text: the words between spaces are pieces, or the
// characters are. Text that was cut by other programs is such words, whatever characters they have.
//
// Inside a subword model a word has U+2581 before it, as in SentencePiece; another U+2581 is a part
// of the word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/model_proto.h"
#include "text/words.h"

namespace tt {

class PlainPieces {
 public:
  // The pieces must live as long as this object. Requires proto.plain != Plain::no.
  PlainPieces(const ModelProto& proto, std::int32_t unk);

  struct Piece {
    std::int32_t id;  // unk for each word or character that is unknown
    TextRange range;  // in the line
  };
  std::vector<Piece> cut(std::string_view line) const;

  // How a stretch of a line is spelt as a piece.
  std::string spelling(std::string_view text) const;
  // Appends a piece to a text.
  void append(std::string& text, std::string_view piece) const;

 private:
  bool words_;
  std::int32_t unk_;
  std::unordered_map<std::string_view, std::int32_t> ids_;
};

}  // namespace tt
