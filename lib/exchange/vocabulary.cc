#include "exchange/vocabulary.h"

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/setting.h"
#include "base/utf8.h"
#include "exchange/foreign.h"
#include "exchange/tokenizer_json.h"
#include "exchange/yaml.h"
#include "text/languages.h"
#include "text/merges.h"

namespace tt {
namespace {

// Tokens such as ">>deu<<" choose a target language. They are no pieces of the SentencePiece model,
// but of the text before it.
bool is_language(std::string_view piece) {
  return piece.starts_with(">>") && piece.ends_with("<<") && piece.size() > 4;
}

// Puts a list in the order of its numbers.
std::vector<std::string> in_order(std::vector<std::pair<std::string, std::int64_t>> pairs,
                                  const std::string& path) {
  std::vector<std::string> pieces(pairs.size());
  std::vector<char> there(pairs.size());
  for (auto& [piece, number] : pairs) {
    if (number < 0 || number >= static_cast<std::int64_t>(pairs.size()))
      throw Error(path, ": the piece ", in_quotes(piece), " has the number ", number,
                  ", but there are ", pairs.size(), " pieces");
    const auto at = static_cast<std::size_t>(number);
    if (std::exchange(there[at], 1))
      throw Error(path, ": the pieces ", in_quotes(pieces[at]), " and ", in_quotes(piece),
                  " have the same number, ", number);
    pieces[at] = std::move(piece);
  }
  return pieces;
}

PieceType special_type(const Vocabulary& vocabulary, const std::string& piece) {
  if (piece.empty()) return PieceType::normal;
  if (piece == vocabulary.unk) return PieceType::unknown;
  const bool silent = std::ranges::find(vocabulary.silent, piece) != vocabulary.silent.end();
  return piece == vocabulary.eos || piece == vocabulary.start || silent ? PieceType::control
                                                                        : PieceType::normal;
}

// Throws Error if a vocabulary lacks pieces that it names, or seems to be that of another subword
// model: pieces of one corpus have names of which another corpus has some.
void check_pieces(const Vocabulary& vocabulary, const std::set<std::string_view>& there,
                  const ModelProto& proto, const std::string& name,
                  std::vector<std::string>* losses) {
  for (const auto& [what, piece] :
       {std::pair("ends a sentence", &vocabulary.eos), {"is unknown", &vocabulary.unk}})
    if (!there.contains(*piece))
      throw Error(vocabulary.path, ": the vocabulary lacks ", in_quotes(*piece),
                  ", which stands for what ", what);
  std::size_t all = 0, common = 0;
  for (const ModelPiece& piece : proto.pieces)
    if (piece.type == PieceType::normal) ++all, common += there.contains(piece.text);
  if (2 * common < all)
    throw Error(name, ": of its ", all, " pieces the model's vocabulary has ", common,
                "; it belongs to another model");
  if (losses && 100 * common < 95 * all)
    losses->push_back(name + ": of its " + std::to_string(all) +
                      " pieces the model's vocabulary has " + std::to_string(common) + " (" +
                      std::to_string(100 * common / all) + " %); make sure that it is the model's");
}

// Whether the pieces are those of the model, which also ends and begins sentences as the vocabulary
// says.
bool changes_nothing(const std::vector<ModelPiece>& pieces, const ModelProto& proto,
                     const Vocabulary& vocabulary, const std::string& bytes,
                     const std::string& name) {
  const auto same = [](const ModelPiece& a, const ModelPiece& b) {
    return a.text == b.text && a.type == b.type;
  };
  if (!std::equal(pieces.begin(), pieces.end(), proto.pieces.begin(), proto.pieces.end(), same))
    return false;
  const Subword subword = Subword::parse(bytes, name);
  const auto is = [&](int id, const std::string& piece) {
    return piece.empty() || pieces[id].text == piece;
  };
  return is(subword.eos(), vocabulary.eos) && is(subword.bos(), vocabulary.start);
}

}  // namespace

std::string number_pieces(const std::string& bytes, const Vocabulary& vocabulary, SubwordSide side,
                          const std::string& name, std::vector<std::string>* losses) {
  const bool merges = Merges::are(bytes), plain = bytes.empty() || merges;
  if (merges) Merges(bytes, name);  // whose errors name the line
  const std::string model = merges  ? plain_model(ModelProto::Plain::words, bytes)
                            : plain ? plain_model(vocabulary.plain)
                                    : bytes;
  ModelProto proto;
  if (plain) proto.plain = merges ? ModelProto::Plain::words : vocabulary.plain;
  else proto = read_model_proto(model, name);
  const bool characters = proto.plain == ModelProto::Plain::characters,
             words =
                 proto.plain == ModelProto::Plain::words || proto.kind == ModelProto::Kind::word;
  std::map<std::string_view, const ModelPiece*> known;
  float lowest = 0;
  for (const ModelPiece& piece : proto.pieces)
    known.emplace(piece.text, &piece), lowest = std::min(lowest, piece.score);
  std::vector<ModelPiece> pieces;
  std::deque<std::string> texts;  // of the pieces that are not the vocabulary's
  std::set<std::string_view> there;
  for (std::size_t i = 0; i < vocabulary.pieces.size(); ++i) {
    const std::string& text = vocabulary.pieces[i];
    if (first_invalid_utf8(text) != std::string_view::npos)
      throw Error(vocabulary.path, ": the piece ", in_quotes(text),
                  " of the vocabulary is not UTF-8");
    ModelPiece piece{text, 0, special_type(vocabulary, text)};
    if (text.empty()) {
      piece = {texts.emplace_back("<" + std::to_string(i) + ">"), 0, PieceType::control};
    } else if (piece.type == PieceType::normal) {
      const bool unmarked = proto.plain == ModelProto::Plain::no && known.contains(text);
      const bool marked = words ? !unmarked : !characters && is_language(text) && !unmarked;
      if (characters && text == " ") piece.text = kSpacePiece;
      if (marked) piece.text = texts.emplace_back(std::string(kSpacePiece) + text);
      const auto found = known.find(piece.text);
      // A piece of the other side is never cut out of text, but written as it is.
      if (found != known.end() && found->second->type != PieceType::unknown) piece = *found->second;
      else if (plain || marked)
        piece.type = plain || words ? PieceType::normal : PieceType::user_defined;
      else
        piece = {piece.text, lowest - 1,
                 side == SubwordSide::source ? PieceType::control : PieceType::unused};
    }
    if (!there.insert(piece.text).second)
      throw Error(vocabulary.path, ": the vocabulary has the piece ", in_quotes(text), " twice");
    pieces.push_back(piece);
  }
  check_pieces(vocabulary, there, proto, name, losses);
  const auto size = pieces.size();
  for (const ModelPiece& piece : proto.pieces)
    if (piece.type != PieceType::control && piece.type != PieceType::unknown &&
        !there.contains(piece.text))
      pieces.push_back(piece);
  if (!plain && static_cast<int>(size) == proto.vocabulary &&
      changes_nothing(pieces, proto, vocabulary, bytes, name))
    return bytes;
  return with_pieces(model, pieces, {vocabulary.unk, vocabulary.start, vocabulary.eos},
                     static_cast<int>(size));
}

std::vector<std::string> subword_names(SubwordSide side) {
  const std::string name = name_of(side);
  return {name + ".spm",
          "sentencepiece.model",
          "sentencepiece.bpe.model",
          "spm.model",
          "spiece.model",
          name + ".codes",
          "bpe.model",
          "bpecodes",
          kTokenizer};
}

void refuse_without_subword(const std::string& folder, SubwordSide side, bool both) {
  const std::string name = name_of(side);
  const std::string what = ": has no SentencePiece model (" + name +
                           ".spm, sentencepiece.model, spiece.model or tokenizer.json); give it "
                           "with ";
  if (both)
    throw SettingError(folder, what, Setting{"source_subword"}, ", and that of the target with ",
                       Setting{"target_subword"});
  throw SettingError(folder, what, Setting{name + "_subword"});
}

std::string subword_if_any(const std::string& folder, SubwordSide side, const std::string& given) {
  if (!given.empty()) return given;
  for (const std::string& name : subword_names(side))
    if (file_exists(folder + "/" + name)) return file_of_model(folder + "/" + name);
  return "";
}

std::string find_subword(const std::string& folder, SubwordSide side, const std::string& given) {
  std::string found = subword_if_any(folder, side, given);
  if (found.empty())
    refuse_without_subword(
        folder, side,
        side == SubwordSide::source && subword_if_any(folder, SubwordSide::target, "").empty());
  return found;
}

std::string read_subword(const std::string& path, std::vector<std::string>* losses) {
  std::string bytes = read_file(path);
  if (bytes.empty()) throw Error(path, ": is empty; copy it again");
  check_downloaded(bytes, path);
  return bytes[0] == '{' ? tokenizer_model(bytes, path, losses) : bytes;
}

ModelProto::Plain plain_kind(const Vocabulary& vocabulary) {
  bool any = false;
  for (const std::string& piece : vocabulary.pieces) {
    if (piece.empty() || (piece.size() > 2 && piece.front() == '<' && piece.back() == '>'))
      continue;
    const char* at = piece.data();
    next_code_point(at, piece.data() + piece.size());
    if (at != piece.data() + piece.size()) return ModelProto::Plain::words;
    any = true;
  }
  return any ? ModelProto::Plain::characters : ModelProto::Plain::words;
}

const char* name_of(ModelProto::Plain plain) {
  return plain == ModelProto::Plain::characters ? "characters" : "words";
}

bool chooses_target(const Vocabulary& vocabulary) {
  int languages = 0;
  for (const std::string& piece : vocabulary.pieces) {
    if (is_language(piece)) return true;
    languages += piece.starts_with("<2") && language_of(piece);
  }
  return languages > 1;
}

std::vector<std::string> language_pieces(const Vocabulary& vocabulary) {
  std::vector<std::string> languages;
  for (const std::string& piece : vocabulary.pieces)
    if (language_of(piece)) languages.push_back(piece);
  return languages;
}

void check_absent(const std::string& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (file_exists(folder + "/" + name))
      throw Error(folder, "/", name,
                  ": is there, and is that of another model; give another folder, or remove it");
}

bool is_whole_subword(const std::string& bytes) {
  const ModelProto proto = read_model_proto(bytes, "the subword model");
  return proto.plain == ModelProto::Plain::no &&
         proto.vocabulary == static_cast<int>(proto.pieces.size()) &&
         std::ranges::none_of(proto.pieces, [](const ModelPiece& piece) {
           return piece.type == PieceType::unused ||
                  (piece.type == PieceType::user_defined &&
                   is_language(piece.text.substr(std::min<std::size_t>(3, piece.text.size()))));
         });
}

Vocabulary vocabulary_of(const std::string& bytes, const std::string& name, bool marked) {
  const Subword subword = Subword::parse(bytes, name);
  const ModelProto proto = read_model_proto(bytes, name);
  Vocabulary vocabulary;
  vocabulary.path = name;
  vocabulary.plain = proto.plain;
  for (int i = 0; i < subword.size(); ++i) {
    const ModelPiece& piece = proto.pieces[i];
    std::string_view text = piece.text;
    const bool language = piece.type == PieceType::user_defined && text.starts_with(kSpacePiece) &&
                          is_language(text.substr(kSpacePiece.size()));
    const bool word = proto.plain == ModelProto::Plain::words && piece.type == PieceType::normal;
    if (marked && word && text.find(kSpacePiece, 1) != text.npos)
      throw Error(name, ": has the word ", in_quotes(text.substr(kSpacePiece.size())),
                  ", which SentencePiece would cut into several");
    if ((language || (word && !marked)) && text.starts_with(kSpacePiece))
      text.remove_prefix(kSpacePiece.size());
    if (proto.plain == ModelProto::Plain::characters && !marked && text == kSpacePiece) text = " ";
    vocabulary.pieces.emplace_back(text);
    if (i != subword.eos() && i != subword.bos() && piece.type == PieceType::control)
      vocabulary.silent.emplace_back(text);
  }
  const auto at = [&](int id) { return vocabulary.pieces[id]; };
  vocabulary.eos = at(subword.eos());
  vocabulary.unk = at(subword.unk());
  vocabulary.start = at(subword.bos());
  return vocabulary;
}

void check_rows(const Vocabulary& vocabulary, std::int64_t rows) {
  if (static_cast<std::int64_t>(vocabulary.pieces.size()) != rows)
    throw Error(vocabulary.path, ": has ", vocabulary.pieces.size(),
                " pieces, but the model's embeddings have ", rows,
                " rows; they belong to other models");
}

std::vector<std::string> read_json_vocabulary(std::string_view json, const std::string& path) {
  nlohmann::json value;
  try {
    value = nlohmann::json::parse(json);
  } catch (const nlohmann::json::exception&) {
    throw Error(path, ": not JSON");
  }
  std::vector<std::string> pieces;
  std::vector<std::pair<std::string, std::int64_t>> numbered;
  if (value.is_array()) {
    for (const auto& piece : value) {
      if (!piece.is_string())
        throw Error(path, ": a list of pieces has an element that is no text");
      pieces.push_back(piece.get<std::string>());
    }
    return pieces;
  }
  if (!value.is_object())
    throw Error(path, ": must be a list of pieces, or pieces with their numbers");
  for (const auto& [piece, number] : value.items()) {
    if (!number.is_number_integer())
      throw Error(path, ": the piece ", in_quotes(piece), " has no number");
    numbered.emplace_back(piece, number.get<std::int64_t>());
  }
  return in_order(std::move(numbered), path);
}

std::vector<std::string> read_yaml_vocabulary(std::string_view yaml, const std::string& path) {
  std::vector<std::pair<std::string, std::int64_t>> numbered;
  for (const auto& [piece, value] : read_yaml(yaml, path)) {
    const std::string digits = value.is_string() ? value.get<std::string>() : "";
    const auto number = number_in<std::int64_t>(digits);
    if (!number) throw Error(path, ": the piece ", in_quotes(piece), " has no number");
    numbered.emplace_back(piece, *number);
  }
  if (numbered.empty()) throw Error(path, ": is empty; a vocabulary has lines of `piece: number`");
  return in_order(std::move(numbered), path);
}

std::string yaml_vocabulary(const std::vector<std::string>& pieces) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    text += nlohmann::json(pieces[i]).dump() + ": " + std::to_string(i) + "\n";
  return text;
}

}  // namespace tt
