#include "exchange/unigram_json.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "exchange/json_settings.h"
#include "text/model_proto.h"
#include "text/subword.h"

namespace tt {
namespace {

using nlohmann::json;

int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The bytes that base64 spells. What is no digit ends them.
std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;  // bits of these
  for (const char c : text) {
    const int digit = digit_of(c);
    if (digit < 0) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>(bits >> held & 255));
  }
  return bytes;
}

std::string type_of(const json& step) {
  if (!step.is_object() || !step.contains("type") || !step["type"].is_string()) return "";
  return step["type"].get<std::string>();
}

// A step, or the steps of a sequence.
std::vector<json> steps_of(const json& one, const char* key) {
  if (one.is_null()) return {};
  if (type_of(one) != "Sequence" || !one.contains(key) || !one[key].is_array()) return {one};
  return one[key].get<std::vector<json>>();
}

// How a text is changed before it is cut.
Normalisation read_normalisation(const JsonSettings& tokenizer) {
  Normalisation all;
  all.dummy_prefix = false;
  for (const json& step : steps_of(tokenizer.value("normalizer"), "normalizers")) {
    const std::string type = type_of(step);
    if (type == "Precompiled" && step.contains("precompiled_charsmap") &&
        step["precompiled_charsmap"].is_string())
      all.rules = from_base64(step["precompiled_charsmap"].get<std::string>());
    else if (type == "Replace" || type == "Strip")
      all.remove_extra_whitespace = true;  // of several spaces one stays, and none at the ends
    else tokenizer.refuse("normalizer", "that of SentencePiece");
  }
  for (const json& step : steps_of(tokenizer.value("pre_tokenizer"), "pretokenizers")) {
    const std::string type = type_of(step);
    if (type == "WhitespaceSplit") all.remove_extra_whitespace = true;
    else if (type == "Metaspace")
      all.dummy_prefix = step.value("prepend_scheme", json("always")) != "never" &&
                         step.value("add_prefix_space", json(true)) != false;
    else tokenizer.refuse("pre_tokenizer", "that of SentencePiece");
  }
  return all;
}

}  // namespace

std::string read_unigram_json(const std::string& path) {
  const JsonSettings tokenizer(path);
  const json model = tokenizer.value("model");
  const json vocabulary = model.is_object() ? model.value("vocab", json()) : json();
  const json unknown = model.is_object() ? model.value("unk_id", json()) : json();
  if (!vocabulary.is_array() || !unknown.is_number_integer() || unknown < 0 ||
      unknown >= vocabulary.size())
    tokenizer.refuse("model", "one of type \"Unigram\"; give the SentencePiece model");
  const bool bytes = model.value("byte_fallback", json(false)) == true;
  std::vector<std::string> texts;
  std::vector<ModelPiece> pieces;
  texts.reserve(vocabulary.size());
  std::map<std::string, PieceType> added;  // which have a type that the list of pieces has not
  for (const json& token : tokenizer.value("added_tokens"))
    if (token.is_object() && token.contains("content") && token["content"].is_string())
      added[token["content"].get<std::string>()] = token.value("special", json(false)) == true
                                                       ? PieceType::control
                                                       : PieceType::user_defined;
  for (const json& pair : vocabulary) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number() ||
        !std::isfinite(pair[1].get<float>()))
      tokenizer.refuse("model", "one whose pieces are text with a score");
    const std::string& text = texts.emplace_back(pair[0].get<std::string>());
    const auto found = added.find(text);
    const bool byte = bytes && text.size() == 6 && text.starts_with("<0x");
    pieces.push_back({text, pair[1].get<float>(),
                      pieces.size() == unknown.get<std::size_t>() ? PieceType::unknown
                      : found != added.end()                      ? found->second
                      : byte                                      ? PieceType::byte
                                                                  : PieceType::normal});
  }
  const SpecialPieces special{texts[unknown.get<std::size_t>()], "", ""};
  const std::string proto = with_pieces(unigram_model(read_normalisation(tokenizer), bytes), pieces,
                                        special, static_cast<int>(pieces.size()));
  read_model_proto(proto, path);  // whose rules may be damaged
  return proto;
}

}  // namespace tt
