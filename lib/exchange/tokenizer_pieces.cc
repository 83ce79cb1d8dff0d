#include "exchange/tokenizer_pieces.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/split.h"
#include "exchange/json_settings.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr std::string_view kM2m =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu "
    "ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms "
    "my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur "
    "uz vi wo xh yi yo zh zu";
constexpr std::string_view kWmt21 = "en ha is ja cs ru zh de";

std::vector<std::string> pieces_of(std::string_view codes) {
  std::vector<std::string> pieces;
  for (const auto code : split(codes, ' ')) pieces.push_back("__" + std::string(code) + "__");
  return pieces;
}

class Pieces {
 public:
  Pieces(std::string path, std::int64_t rows) {
    found_.path = std::move(path);
    found_.pieces.resize(static_cast<std::size_t>(rows));
  }

  void add(const std::string& piece, const json& number) {
    if (!number.is_number_integer() || number < 0 || number >= found_.pieces.size())
      throw Error(found_.path, ": the piece ", in_quotes(piece), " has no number below ",
                  found_.pieces.size(), ", the rows of the model's embeddings");
    found_.pieces[number.get<std::size_t>()] = piece;
    there_.insert(piece);
    next_ = std::max(next_, number.get<std::size_t>() + 1);
  }
  // Behind the others, unless it is there.
  void append(const std::string& piece) {
    if (!piece.empty() && !there_.contains(piece)) add(piece, next_);
  }

  Vocabulary take() { return std::move(found_); }

 private:
  Vocabulary found_;
  std::set<std::string> there_;
  std::size_t next_ = 0;
};

// A piece is text, or an object that has it.
std::string text_of(const json& token) {
  return token.is_string() ? token.get<std::string>() : text_in(token, "content").value_or("");
}

void add_model_pieces(Pieces& pieces, const std::string& subword, PieceNumbers numbers) {
  const std::string bytes = read_subword(subword);
  const ModelProto proto = read_model_proto(bytes, subword);
  if (numbers == PieceNumbers::fairseq)
    for (const char* piece : kFairseqSpecials) pieces.append(piece);
  for (const ModelPiece& piece : proto.pieces)
    if (numbers == PieceNumbers::own || piece.type == PieceType::normal ||
        piece.type == PieceType::user_defined)
      pieces.append(std::string(piece.text));
}

void add_languages(Pieces& pieces, const JsonSettings& about) {
  if (about.text("tokenizer_class", "") != "M2M100Tokenizer") return;
  const std::string kind = about.text("language_codes", "m2m100");
  if (kind != "m2m100" && kind != "wmt21")
    about.refuse("language_codes", "\"m2m100\" or \"wmt21\"");
  for (const std::string& piece : pieces_of(kind == "wmt21" ? kWmt21 : kM2m)) pieces.append(piece);
}

}  // namespace

Vocabulary read_tokenizer_json(const std::string& path, std::int64_t rows) {
  Pieces pieces(path, rows);
  const JsonSettings tokenizer(path);
  const json model = tokenizer.value("model");
  const json vocabulary = model.is_object() ? model.value("vocab", json()) : json();
  if (vocabulary.is_object()) {
    for (const auto& [piece, number] : vocabulary.items()) pieces.add(piece, number);
  } else if (vocabulary.is_array()) {  // pairs of a piece and its score
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
      const json& pair = vocabulary[i];
      if (!pair.is_array() || pair.empty() || !pair[0].is_string())
        tokenizer.refuse("model", "one whose pieces are text with a score");
      pieces.add(pair[0].get<std::string>(), i);
    }
  } else {
    tokenizer.refuse("model", "one that has its pieces by their numbers");
  }
  for (const json& token : tokenizer.value("added_tokens"))
    if (token.is_object()) pieces.add(text_of(token), token.value("id", json()));
  return pieces.take();
}

std::vector<std::string> m2m_languages() { return pieces_of(kM2m); }

Vocabulary read_tokenizer_pieces(const std::string& folder, std::int64_t rows,
                                 const std::string& subword, PieceNumbers numbers) {
  if (const std::string path = folder + "/tokenizer.json"; file_exists(path))
    return read_tokenizer_json(path, rows);
  const std::string vocab = folder + "/vocab.json";
  Pieces pieces(file_exists(vocab) ? vocab : subword, rows);
  if (file_exists(vocab)) {
    const JsonSettings vocabulary(vocab);
    for (const std::string& piece : vocabulary.keys()) pieces.add(piece, vocabulary.value(piece));
  } else {
    add_model_pieces(pieces, subword, numbers);
  }
  const auto file = [&](const char* name) { return JsonSettings::if_any(folder + name); };
  const JsonSettings more = file("/added_tokens.json");
  for (const std::string& piece : more.keys()) pieces.add(piece, more.value(piece));
  for (const char* name : {"/tokenizer_config.json", "/special_tokens_map.json"}) {
    const json added = file(name).value("added_tokens_decoder");
    if (added.is_object())
      for (const auto& [number, token] : added.items())
        pieces.add(text_of(token), json::parse(number, nullptr, false));
  }
  for (const char* name : {"/special_tokens_map.json", "/tokenizer_config.json"})
    for (const json& token : file(name).value("additional_special_tokens"))
      pieces.append(text_of(token));
  if (numbers == PieceNumbers::fairseq && !file_exists(vocab)) pieces.append(kMask);
  add_languages(pieces, file("/tokenizer_config.json"));
  return pieces.take();
}

}  // namespace tt
