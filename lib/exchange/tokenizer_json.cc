#include "exchange/tokenizer_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "base/utf8.h"
#include "exchange/json_settings.h"
#include "text/languages.h"
#include "text/model_proto.h"
#include "text/subword.h"

namespace tt {
namespace {

using nlohmann::json;

// ---- Reading ------------------------------------------------------------------------------------

std::string type_of(const json& step) { return text_in(step, "type").value_or(""); }

// A step, or the steps of a sequence.
std::vector<json> steps_of(const JsonSettings& tokenizer, const char* name, const char* list) {
  const json one = tokenizer.value(name);
  if (one.is_null()) return {};
  std::vector<json> steps{one};
  if (type_of(one) == "Sequence" && one.contains(list) && one[list].is_array())
    steps = one[list].get<std::vector<json>>();
  if (!std::ranges::all_of(steps, &json::is_object)) tokenizer.refuse(name, "an object");
  return steps;
}

// How a text is changed before it is cut.
Normalisation read_normalisation(const JsonSettings& tokenizer) {
  const std::string usual = "that of SentencePiece, without a step ";
  Normalisation all;
  all.dummy_prefix = false;
  for (const json& step : steps_of(tokenizer, "normalizer", "normalizers")) {
    const std::string type = type_of(step);
    const json pattern = step.value("pattern", json());
    const auto rules = text_in(step, "precompiled_charsmap");
    if (type == "Precompiled" && rules) all.rules = from_base64(*rules);
    else if (type == "Strip" || (type == "Replace" && pattern == json{{"Regex", " {2,}"}}))
      all.remove_extra_whitespace = true;  // of several spaces one stays, and none at the ends
    else if (type == "Prepend" && step.value("prepend", json()) == kSpacePiece)
      all.dummy_prefix = true;
    else if (!(type == "Replace" && pattern == json{{"String", " "}} &&
               step.value("content", json()) == kSpacePiece))
      tokenizer.refuse("normalizer", usual + in_quotes(type) + ",");
  }
  for (const json& step : steps_of(tokenizer, "pre_tokenizer", "pretokenizers")) {
    const std::string type = type_of(step);
    if (type == "WhitespaceSplit") all.remove_extra_whitespace = true;
    else if (type == "Metaspace")
      all.dummy_prefix = step.value("prepend_scheme", json("always")) != "never" &&
                         step.value("add_prefix_space", json(true)) != false;
    else tokenizer.refuse("pre_tokenizer", usual + in_quotes(type) + ",");
  }
  return all;
}

// A piece with its score.
using Scored = std::pair<std::string, float>;

std::vector<Scored> unigram_pieces(const JsonSettings& tokenizer, const json& vocabulary) {
  std::vector<Scored> pieces;
  for (const json& pair : vocabulary) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number() ||
        !std::isfinite(pair[1].get<float>()))
      tokenizer.refuse("model", "one whose pieces are text with a score");
    pieces.emplace_back(pair[0].get<std::string>(), pair[1].get<float>());
  }
  return pieces;
}

// The two halves of a merge: an array, or text with a space between them.
std::pair<std::string, std::string> halves_of(const JsonSettings& tokenizer, const json& merge) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  const std::string text = merge.is_string() ? merge.get<std::string>() : "";
  const std::size_t space = text.find(' ');
  if (space == text.npos) tokenizer.refuse("model", "one whose merges are pairs of pieces");
  return {text.substr(0, space), text.substr(space + 1)};
}

// A piece has the score of the first merge that makes it; SentencePiece merges whatever two pieces
// are one together, the best first.
std::vector<Scored> bpe_pieces(const JsonSettings& tokenizer, const json& model,
                               std::vector<std::string>* losses) {
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (const json text = model.value(key, json()); !text.is_null() && text != "")
      tokenizer.refuse("model", "one of SentencePiece, without " + std::string(key) + ",");
  if (model.value("ignore_merges", json(false)) == true)
    tokenizer.refuse("model", "one without ignore_merges");
  const json& vocabulary = model["vocab"];
  std::vector<Scored> pieces(vocabulary.size());
  std::map<std::string_view, float> scores;
  for (const auto& [piece, number] : vocabulary.items()) {
    if (!number.is_number_integer() || number < 0 || number >= vocabulary.size())
      tokenizer.refuse("model", "one whose pieces have the numbers from 0 on");
    pieces[number.get<std::size_t>()].first = piece;
  }
  for (const auto& [piece, score] : pieces) scores[piece] = 0;
  std::set<std::pair<std::string, std::string>> merges;
  float rank = 0;
  for (const json& merge : model.value("merges", json::array())) {
    auto halves = halves_of(tokenizer, merge);
    const auto found = scores.find(halves.first + halves.second);
    if (found == scores.end()) tokenizer.refuse("model", "one whose merges make pieces");
    rank -= 1;
    if (found->second == 0) found->second = rank;
    merges.insert(std::move(halves));
  }
  std::size_t others = 0;
  for (auto& [piece, score] : pieces) {
    score = scores[piece];
    const std::string_view text = piece;
    for (const char* at = piece.data(); !text.empty();) {
      next_code_point(at, text.data() + text.size());
      const auto cut = static_cast<std::size_t>(at - text.data());
      if (cut >= text.size()) break;
      const auto left = scores.find(text.substr(0, cut)), right = scores.find(text.substr(cut));
      others += score != 0 && left != scores.end() && right != scores.end() &&
                !merges.contains({piece.substr(0, cut), piece.substr(cut)});
    }
  }
  const std::string what = ": its merges lack " + std::to_string(others) +
                           " pairs of pieces that " +
                           "SentencePiece merges; words may be cut otherwise";
  if (others > 0 && !losses) throw Error(tokenizer.path(), what);
  if (others > 0) losses->push_back(tokenizer.path() + what);
  return pieces;
}

}  // namespace

std::string tokenizer_model(std::string_view bytes, const std::string& path,
                            std::vector<std::string>* losses) {
  const JsonSettings tokenizer(bytes, path);
  const json model = tokenizer.value("model");
  const Normalisation normalisation = read_normalisation(tokenizer);
  const json vocabulary = model.is_object() ? model.value("vocab", json()) : json();
  const bool bpe = vocabulary.is_object();
  if (!bpe && !vocabulary.is_array())
    tokenizer.refuse("model", "one of type \"Unigram\" or \"BPE\"; give the SentencePiece model");
  const std::vector<Scored> scored =
      bpe ? bpe_pieces(tokenizer, model, losses) : unigram_pieces(tokenizer, vocabulary);
  std::size_t unknown = scored.size();
  if (const json number = model.value("unk_id", json()); number.is_number_unsigned())
    unknown = number.get<std::size_t>();
  if (bpe) {
    const std::string text = text_in(model, "unk_token").value_or("<unk>");
    unknown =
        static_cast<std::size_t>(std::ranges::find(scored, text, &Scored::first) - scored.begin());
  }
  if (unknown >= scored.size())
    tokenizer.refuse("model", "one with an unknown piece; give the SentencePiece model");
  const bool of_bytes = model.value("byte_fallback", json(false)) == true;
  std::map<std::string, PieceType> added;  // which have a type that the list of pieces has not
  for (const json& token : tokenizer.value("added_tokens"))
    if (const auto text = text_in(token, "content"))
      added[*text] = token.value("special", json(false)) == true ? PieceType::control
                                                                 : PieceType::user_defined;
  std::vector<ModelPiece> pieces;
  for (const auto& [text, score] : scored) {
    const auto found = added.find(text);
    const bool byte = of_bytes && text.size() == 6 && text.starts_with("<0x");
    pieces.push_back({text, score,
                      pieces.size() == unknown ? PieceType::unknown
                      : byte                   ? PieceType::byte
                      : found != added.end()   ? found->second
                                               : PieceType::normal});
  }
  std::string proto = with_pieces(
      empty_model(bpe ? ModelProto::Kind::bpe : ModelProto::Kind::unigram, normalisation, of_bytes),
      pieces, {scored[unknown].first, "", ""}, static_cast<int>(pieces.size()));
  read_model_proto(proto, path);  // whose rules may be damaged
  return proto;
}

// ---- Writing ------------------------------------------------------------------------------------

namespace {

// Pieces that no text has get this score, so that no text is cut into them. Their texts are in the
// list of pieces all the same, since its order is that of the numbers.
constexpr double kNever = -1e6;

bool is_cut(const ModelPiece& piece) { return piece.type == PieceType::normal; }

// The pairs of pieces that are merged, those of the best piece first, as SentencePiece merges.
json merges_of(const ModelProto& proto) {
  std::map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < proto.pieces.size(); ++i)
    if (is_cut(proto.pieces[i])) known.emplace(proto.pieces[i].text, i);
  struct Merge {
    float score;
    std::size_t left, right;
  };
  std::vector<Merge> merges;
  for (const auto& [text, number] : known) {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (next_code_point(at, end); at != end; next_code_point(at, end)) {
      const auto size = static_cast<std::size_t>(at - text.data());
      const auto left = known.find(text.substr(0, size)), right = known.find(text.substr(size));
      if (left != known.end() && right != known.end())
        merges.push_back({proto.pieces[number].score, left->second, right->second});
    }
  }
  std::ranges::sort(merges, [](const Merge& a, const Merge& b) {
    return std::tuple(-a.score, a.left, a.right) < std::tuple(-b.score, b.left, b.right);
  });
  json pairs = json::array();
  for (const Merge& merge : merges)
    pairs.push_back(std::string(proto.pieces[merge.left].text) + " " +
                    std::string(proto.pieces[merge.right].text));
  return pairs;
}

json model_of(const ModelProto& proto, const Vocabulary& vocabulary, bool bytes) {
  const auto& pieces = vocabulary.pieces;
  if (proto.kind == ModelProto::Kind::bpe) {
    json numbers = json::object();
    for (std::size_t i = 0; i < pieces.size(); ++i) numbers[pieces[i]] = i;
    return {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", vocabulary.unk},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", true},
            {"byte_fallback", bytes},
            {"vocab", numbers},
            {"merges", merges_of(proto)}};
  }
  json scored = json::array();
  for (std::size_t i = 0; i < pieces.size(); ++i)
    scored.push_back({pieces[i], is_cut(proto.pieces[i]) ? proto.pieces[i].score : kNever});
  return {{"type", "Unigram"},
          {"unk_id", std::ranges::find(pieces, vocabulary.unk) - pieces.begin()},
          {"byte_fallback", bytes},
          {"vocab", scored}};
}

json normalizer_of(const ModelProto& proto) {
  json steps = json::array();
  if (!proto.rules.empty())
    steps.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", to_base64(proto.rules)}});
  if (proto.remove_extra_whitespace) {
    steps.push_back({{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}});
    steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}});
  }
  return {{"type", "Sequence"}, {"normalizers", steps}};
}

// Pieces around those of a text.
json template_of(const Vocabulary& vocabulary, const std::vector<std::string>& before,
                 const std::vector<std::string>& behind) {
  json special = json::object(), one = json::array(), two = json::array();
  const auto add = [&](const std::string& piece) {
    const auto number = std::ranges::find(vocabulary.pieces, piece) - vocabulary.pieces.begin();
    special[piece] = {{"id", piece}, {"ids", {number}}, {"tokens", {piece}}};
    for (json* all : {&one, &two})
      all->push_back({{"SpecialToken", {{"id", piece}, {"type_id", 0}}}});
  };
  const auto text = [](const char* id) { return json{{"Sequence", {{"id", id}, {"type_id", 0}}}}; };
  for (const std::string& piece : before) add(piece);
  one.push_back(text("A")), two.push_back(text("A")), two.push_back(text("B"));
  for (const std::string& piece : behind) add(piece);
  return {
      {"type", "TemplateProcessing"}, {"single", one}, {"pair", two}, {"special_tokens", special}};
}

// Pieces that are found in a text as they are written.
json added_tokens(const ModelProto& proto, const Vocabulary& vocabulary) {
  json added = json::array();
  for (std::size_t i = 0; i < vocabulary.pieces.size(); ++i) {
    const std::string& piece = vocabulary.pieces[i];
    const bool special = piece == vocabulary.eos || piece == vocabulary.unk ||
                         piece == vocabulary.start || piece == kBos || piece == kPad ||
                         piece == kMask || language_of(piece);
    if (special || proto.pieces[i].type == PieceType::user_defined)
      added.push_back({{"id", i},
                       {"content", piece},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", special}});
  }
  return added;
}

}  // namespace

std::string make_tokenizer_json(const std::string& bytes, const Vocabulary& vocabulary,
                                const std::vector<std::string>& before,
                                const std::vector<std::string>& behind) {
  const ModelProto proto = read_model_proto(bytes, vocabulary.path);
  const auto refuse = [&](const std::string& what) {
    throw Error(vocabulary.path, ": ", what, ", which no tokenizer.json of transformers can");
  };
  if (proto.plain != ModelProto::Plain::no || proto.kind == ModelProto::Kind::word ||
      proto.kind == ModelProto::Kind::character)
    refuse("cuts text into words or characters");
  if (proto.whitespace_as_suffix || !proto.escape_whitespace)
    refuse("has spaces at the ends of its pieces, or none");
  if (const auto unknown = proto.pieces.size() - vocabulary.pieces.size(); unknown > 0)
    refuse("cuts text into " + std::to_string(unknown) + " pieces that its vocabulary has not");
  const auto is = [&](auto predicate) { return std::ranges::any_of(proto.pieces, predicate); };
  const bool of_bytes = is([](const ModelPiece& p) { return p.type == PieceType::byte; });
  // Words are cut apart, unless a piece reaches from one into the next.
  const bool split = !is([](const ModelPiece& piece) {
    return is_cut(piece) && piece.text.find(kSpacePiece, 1) != piece.text.npos;
  });
  const char* const spaces = proto.dummy_prefix ? "always" : "never";
  json decoder{{"type", "Metaspace"},
               {"replacement", kSpacePiece},
               {"prepend_scheme", spaces},
               {"split", split}};
  const json pre_tokenizer = decoder;
  if (of_bytes)
    decoder = {{"type", "Sequence"},
               {"decoders", {{{"type", "ByteFallback"}}, {{"type", "Fuse"}}, decoder}}};
  return json{{"version", "1.0"},
              {"truncation", nullptr},
              {"padding", nullptr},
              {"added_tokens", added_tokens(proto, vocabulary)},
              {"normalizer", normalizer_of(proto)},
              {"pre_tokenizer", pre_tokenizer},
              {"post_processor", template_of(vocabulary, before, behind)},
              {"decoder", decoder},
              {"model", model_of(proto, vocabulary, of_bytes)}}
             .dump() +
         "\n";
}

}  // namespace tt
