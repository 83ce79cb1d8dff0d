#include "exchange/tokenizer_json.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.h"
#include "base/utf8.h"
#include "text/languages.h"
#include "text/model_proto.h"

namespace tt {
namespace {

using nlohmann::json;

// Pieces that no text has get this score, so that no text is cut into them. Their texts are in the
// list of pieces all the same, since its order is that of the numbers.
constexpr double kNever = -1e6;

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += at + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
  }
  return text;
}

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
  std::sort(merges.begin(), merges.end(), [](const Merge& a, const Merge& b) {
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
          {"unk_id", std::find(pieces.begin(), pieces.end(), vocabulary.unk) - pieces.begin()},
          {"byte_fallback", bytes},
          {"vocab", scored}};
}

json normalizer_of(const ModelProto& proto) {
  json steps = json::array();
  if (!proto.rules.empty())
    steps.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", base64(proto.rules)}});
  if (proto.remove_extra_whitespace) {
    steps.push_back({{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}});
    steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}});
  }
  return {{"type", "Sequence"}, {"normalizers", steps}};
}

// Pieces around those of a text.
json template_of(const Vocabulary& vocabulary, const std::vector<std::string>& before,
                 const std::vector<std::string>& behind) {
  json around = json::object(), one = json::array(), two = json::array();
  const auto add = [&](const std::string& piece) {
    const auto number = std::find(vocabulary.pieces.begin(), vocabulary.pieces.end(), piece) -
                        vocabulary.pieces.begin();
    around[piece] = {{"id", piece}, {"ids", {number}}, {"tokens", {piece}}};
    for (json* all : {&one, &two})
      all->push_back({{"SpecialToken", {{"id", piece}, {"type_id", 0}}}});
  };
  const auto text = [](const char* id) { return json{{"Sequence", {{"id", id}, {"type_id", 0}}}}; };
  for (const std::string& piece : before) add(piece);
  one.push_back(text("A")), two.push_back(text("A")), two.push_back(text("B"));
  for (const std::string& piece : behind) add(piece);
  return {
      {"type", "TemplateProcessing"}, {"single", one}, {"pair", two}, {"special_tokens", around}};
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
  const auto is = [&](auto predicate) {
    return std::any_of(proto.pieces.begin(), proto.pieces.end(), predicate);
  };
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
