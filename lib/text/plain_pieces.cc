#include "text/plain_pieces.h"

#include "base/utf8.h"
#include "text/subword.h"

namespace tt {

namespace {

constexpr std::string_view kGoesOn = "@@";

}  // namespace

PlainPieces::PlainPieces(const ModelProto& proto, std::int32_t unk, const std::string& name)
    : words_(proto.plain == ModelProto::Plain::words), unk_(unk) {
  if (!proto.merges.empty()) merges_.emplace(proto.merges, name);
  for (std::int32_t i = 0; i < proto.vocabulary; ++i) {
    const ModelPiece& piece = proto.pieces[static_cast<std::size_t>(i)];
    if (piece.type == PieceType::normal || piece.type == PieceType::user_defined)
      ids_.emplace(piece.text, i);
  }
}

std::vector<PlainPieces::Piece> PlainPieces::cut(std::string_view line) const {
  std::vector<Piece> pieces;
  const auto add = [&](std::size_t begin, std::size_t end, bool goes_on) {
    Piece piece{unk_, {begin, end}, goes_on};
    if (const auto found = ids_.find(spelling(line, piece)); found != ids_.end())
      piece.id = found->second;
    pieces.push_back(piece);
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
    if (!merges_) {
      add(begin, end, false);
      continue;
    }
    for (const std::size_t size : merges_->cut(line.substr(begin, end - begin))) {
      add(begin, begin + size, begin + size < end);
      begin += size;
    }
  }
  return pieces;
}

std::string PlainPieces::spelling(std::string_view line, const Piece& piece) const {
  const std::string text(piece.range.in(line));
  if (words_) return std::string(kSpacePiece) + text + std::string(piece.goes_on ? kGoesOn : "");
  return text == " " ? std::string(kSpacePiece) : text;
}

void PlainPieces::append(std::string& text, std::string_view piece) const {
  const bool marked = piece.starts_with(kSpacePiece);
  if (const std::size_t size = without_mark(text); size < text.size()) {
    text.resize(size);
    text += marked ? piece.substr(kSpacePiece.size()) : piece;
    return;
  }
  if (words_ ? !text.empty() : marked) text.push_back(' ');
  text += marked ? piece.substr(kSpacePiece.size()) : piece;
}

std::size_t PlainPieces::without_mark(std::string_view text) const {
  return text.size() - (merges_ && text.ends_with(kGoesOn) ? kGoesOn.size() : 0);
}

}  // namespace tt
