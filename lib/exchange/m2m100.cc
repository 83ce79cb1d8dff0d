#include "exchange/m2m100.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/tokenizer_pieces.h"
#include "exchange/transformers.h"
#include "text/languages.h"

namespace tt {
namespace {

constexpr int kFirstPosition = 2;  // behind that of padding

}  // namespace

PortableModel read_m2m100(const ImportRequest& request, const JsonSettings& settings) {
  const std::string& folder = request.path;
  ForeignTensors tensors = read_transformers_tensors(folder);
  PortableModel model;
  Config& config = model.config = read_transformers_settings(settings);
  if (!settings.has("activation_function")) config.activation = Activation::relu;
  config.scale_embeddings = settings.yes("scale_embedding", true);
  if (!settings.yes("tie_word_embeddings", true)) settings.refuse("tie_word_embeddings", "true");
  config.embeddings = EmbeddingTies::shared;
  config.norm = NormPlace::pre;
  config.position_layout = PositionLayout::tensor2tensor;
  config.first_position = kFirstPosition;
  config.target_language = TargetLanguage::first;
  const std::string shared = first_of(
      tensors, {"model.shared.weight", "model.encoder.embed_tokens.weight", "lm_head.weight"});
  const Shape table{config.source_vocab, config.d_model};
  tensors.check(shared, table);
  model.declare(tensors.path());
  model.at(Stack::encoder, Role::embeddings).values = tensors.take(shared, table);
  read_layers(model, tensors, transformers_place);
  for (const char* name :
       {"model.shared.weight", "model.encoder.embed_tokens.weight",
        "model.decoder.embed_tokens.weight", "lm_head.weight",
        "model.encoder.embed_positions.weights", "model.decoder.embed_positions.weights"})
    tensors.ignore(name);
  tensors.check_all_taken();
  drop_zero_biases(model);

  TokenizerPieces pieces = read_tokenizer_pieces(
      folder, config.source_vocab,
      find_subword(folder, SubwordSide::source, request.source_subword), PieceNumbers::fairseq);
  Vocabulary vocabulary;
  vocabulary.path = std::move(pieces.path);
  vocabulary.pieces = std::move(pieces.pieces);
  const int start = settings.integer("decoder_start_token_id", 2, 0, config.source_vocab - 1);
  vocabulary.start = vocabulary.pieces[static_cast<std::size_t>(start)];
  vocabulary.silent = {"<s>", kPad, "<mask>"};
  for (const std::string& piece : vocabulary.pieces)
    if (language_of(piece)) vocabulary.silent.push_back(piece);
  const std::string about = folder + "/tokenizer_config.json";
  const bool behind = file_exists(about) && JsonSettings(about).yes("legacy_behaviour", false);
  config.source_language = behind ? SourceLanguage::behind : SourceLanguage::before;
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
