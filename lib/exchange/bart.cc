#include "exchange/bart.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/tokenizer_pieces.h"
#include "exchange/transformers.h"
#include "text/languages.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr int kFirstPosition = 2;  // behind that of padding
constexpr const char* kBos = "<s>";

void set_architecture(Config& config, const JsonSettings& settings, const std::string& type) {
  const bool m2m = type == "m2m_100";
  if (m2m && !settings.has("activation_function")) config.activation = Activation::relu;
  config.scale_embeddings = settings.yes("scale_embedding", m2m);
  if (!settings.yes("tie_word_embeddings", true)) settings.refuse("tie_word_embeddings", "true");
  config.embeddings = EmbeddingTies::shared;
  config.output_bias = true;
  config.norm = type == "bart" ? NormPlace::post : NormPlace::pre;
  if (m2m) {
    config.position_layout = PositionLayout::tensor2tensor;
    config.first_position = kFirstPosition;
    return;
  }
  config.embedding_norm = true;
  config.positions = PositionKind::learned;
  config.max_length = settings.integer("max_position_embeddings", 1024, 1, 1 << 20);
}

// Where the pieces of languages stand. The decoder of mBART begins with that of the target, those
// of its successors with </s>, behind which it stands.
void set_languages(Config& config, Vocabulary& vocabulary, const JsonSettings& settings,
                   const std::string& folder) {
  std::vector<std::string> languages;
  for (const std::string& piece : vocabulary.pieces)
    if (language_of(piece)) languages.push_back(piece);
  const auto number = [&](const char* key, int otherwise) {
    return settings.integer(key, otherwise, 0, config.source_vocab - 1);
  };
  const auto piece = [&](int id) { return vocabulary.pieces[static_cast<std::size_t>(id)]; };
  const int start = number("decoder_start_token_id", number("bos_token_id", 0));
  const int forced = settings.has("forced_bos_token_id") ? number("forced_bos_token_id", 0) : -1;
  vocabulary.start = piece(start);
  vocabulary.silent = {kBos, kPad, "<mask>"};
  vocabulary.silent.insert(vocabulary.silent.end(), languages.begin(), languages.end());
  if (languages.empty()) {
    if (forced >= 0 && piece(forced) != kBos) settings.refuse("forced_bos_token_id", "that of <s>");
    config.source_bos = true;  // as the tokenizer has it
    config.target_bos = forced >= 0;
    return;
  }
  if (language_of(vocabulary.start)) {
    config.source_language = SourceLanguage::behind;
    return;
  }
  if (vocabulary.start != vocabulary.eos)
    settings.refuse("decoder_start_token_id",
                    "the number of " + in_quotes(vocabulary.eos) + ", or of a language,");
  const std::string about = folder + "/tokenizer_config.json";
  const bool behind = file_exists(about) && JsonSettings(about).yes("legacy_behaviour", false);
  config.source_language = behind ? SourceLanguage::behind : SourceLanguage::before;
  config.target_language = TargetLanguage::first;
}

// BARThez numbers pieces as its SentencePiece model does.
bool has_own_numbers(const std::string& folder, const JsonSettings& settings) {
  const std::string about = folder + "/tokenizer_config.json";
  return settings.text("model_type", "") == "bart" ||
         (file_exists(about) &&
          JsonSettings(about).text("tokenizer_class", "").starts_with("Barthez"));
}

}  // namespace

bool is_bart(const std::string& model_type) {
  return model_type == "bart" || model_type == "mbart" || model_type == "m2m_100";
}

PortableModel read_bart(const ImportRequest& request, const JsonSettings& settings) {
  const std::string& folder = request.path;
  const std::string source_subword =
      subword_if_any(folder, SubwordSide::source, request.source_subword);
  if (source_subword.empty() && file_exists(folder + "/merges.txt"))
    throw Error(folder,
                "/merges.txt: text is cut by byte-level BPE, which cannot be imported; models "
                "with a SentencePiece model can");
  ForeignTensors tensors = read_transformers_tensors(folder);
  PortableModel model;
  Config& config = model.config = read_transformers_settings(settings);
  set_architecture(config, settings, settings.text("model_type", ""));
  const std::string shared = first_of(
      tensors, {"model.shared.weight", "model.encoder.embed_tokens.weight", "lm_head.weight"});
  const Shape table{config.source_vocab, config.d_model};
  tensors.check(shared, table);
  model.declare(tensors.path());
  model.at(Stack::encoder, Role::embeddings).values = tensors.take(shared, table);
  StoredMatrix& bias = model.at(Stack::decoder, Role::output, true);
  if (tensors.has("final_logits_bias"))
    bias.values = tensors.take("final_logits_bias", {config.target_vocab});
  else bias.values.resize(static_cast<std::size_t>(config.target_vocab));
  if (config.positions == PositionKind::learned)
    for (const Stack stack : {Stack::encoder, Stack::decoder}) {
      const std::vector<float> all =
          tensors.take(std::string(stack == Stack::encoder ? "model.encoder" : "model.decoder") +
                           ".embed_positions.weight",
                       {config.max_length + kFirstPosition, config.d_model});
      model.at(stack, Role::positions).values = {
          all.begin() + std::int64_t{kFirstPosition} * config.d_model, all.end()};
    }
  read_layers(model, tensors, transformers_place);
  for (const char* name :
       {"model.shared.weight", "model.encoder.embed_tokens.weight",
        "model.decoder.embed_tokens.weight", "lm_head.weight", "model.encoder.version",
        "model.decoder.version", "model.encoder.embed_positions.weights",
        "model.decoder.embed_positions.weights"})
    tensors.ignore(name);
  tensors.check_all_taken();
  drop_zero_biases(model);

  TokenizerPieces pieces = read_tokenizer_pieces(
      folder, config.source_vocab,
      find_subword(folder, SubwordSide::source, request.source_subword),
      has_own_numbers(folder, settings) ? PieceNumbers::own : PieceNumbers::fairseq);
  Vocabulary vocabulary;
  vocabulary.path = std::move(pieces.path);
  vocabulary.pieces = std::move(pieces.pieces);
  set_languages(config, vocabulary, settings, folder);
  check_eos(settings, vocabulary);
  if (const std::string lost = lost_search(settings, vocabulary, "forced_bos_token_id");
      !lost.empty())
    model.losses.push_back(folder + ": settings of search that are not kept: " + lost);
  for (const SubwordSide side : {SubwordSide::source, SubwordSide::target}) {
    const bool is_source = side == SubwordSide::source;
    const std::string path =
        find_subword(folder, side, is_source ? request.source_subword : request.target_subword);
    (is_source ? model.source : model.target) =
        number_pieces(read_subword(path), vocabulary, side, path, &model.losses);
  }
  return model;
}

}  // namespace tt
