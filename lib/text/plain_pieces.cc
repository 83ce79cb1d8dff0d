#include "text/plain_pieces.h"

#include "base/utf8.h"
#include "text/subword.h"

namespace tt {

PlainPieces::PlainPieces(const ModelProto& proto, std::int32_t unk)
    : words_(proto.plain == ModelProto::Plain::words), unk_(unk) {
  for (std::int32_t i = 0; i < proto.vocabulary; ++i) {
    const ModelPiece& piece = proto.pieces[static_cast<std::size_t>(i)];
    if (piece.type == PieceType::normal || piece.type == PieceType::user_defined)
      ids_.emplace(piece.text, i);
  }
}

std::vector<PlainPieces::Piece> PlainPieces::cut(std::string_view line) const {
  std::vector<Piece> pieces;
  const auto add = [&](std::size_t begin, std::size_t end) {
    const auto found = ids_.find(spelling(line.substr(begin, end - begin)));
    pieces.push_back({found == ids_.end() ? unk_ : found->second, {begin, end}});
  };
  for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
    if (words_ && line[begin] == ' ') {
      end = begin + 1;
      continue;
    }
    if (words_) {
      end = std::min(line.find(' ', begin), line.size());
    } else {
      const char* at = line.data() + begin;
      next_code_point(at, line.data() + line.size());
      end = static_cast<std::size_t>(at - line.data());
    }
    add(begin, end);
  }
  return pieces;
}

std::string PlainPieces::spelling(std::string_view text) const {
  if (words_) return std::string(kSpacePiece) + std::string(text);
  return std::string(text == " " ? kSpacePiece : text);
}

void PlainPieces::append(std::string& text, std::string_view piece) const {
  const bool marked = piece.starts_with(kSpacePiece);
  if (words_ ? !text.empty() : marked) text.push_back(' ');
  text += marked ? piece.substr(kSpacePiece.size()) : piece;
}

}  // namespace tt
