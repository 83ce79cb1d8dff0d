#include "exchange/m2m100.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/transformers.h"
#include "text/languages.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr int kFirstPosition = 2;  // behind that of padding

// The pieces of a tokenizer: those of its model, by numbers, and those that are added. Numbers
// between that have none are empty.
class Pieces {
 public:
  Pieces(std::string path, std::int64_t rows)
      : path_(std::move(path)), pieces_(static_cast<std::size_t>(rows)) {}

  void add(const std::string& piece, const json& number) {
    if (!number.is_number_integer() || number < 0 || number >= pieces_.size())
      throw Error(path_, ": the piece ", in_quotes(piece), " has no number below ", pieces_.size(),
                  ", the rows of the model's embeddings");
    pieces_[number.get<std::size_t>()] = piece;
    next_ = std::max(next_, number.get<std::size_t>() + 1);
  }
  // Behind the others.
  void append(const std::string& piece) {
    if (std::find(pieces_.begin(), pieces_.end(), piece) == pieces_.end()) add(piece, next_);
  }

  const std::string& path() const { return path_; }
  const std::vector<std::string>& all() const { return pieces_; }

 private:
  std::string path_;
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
};

Pieces read_pieces(const std::string& folder, std::int64_t rows) {
  const auto text_of = [](const json& token) {
    return token.is_string()   ? token.get<std::string>()
           : token.is_object() ? token.value("content", "")
                               : "";
  };
  if (const std::string path = folder + "/tokenizer.json"; file_exists(path)) {
    Pieces pieces(path, rows);
    const JsonSettings tokenizer(path);
    const json model = tokenizer.value("model"), added = tokenizer.value("added_tokens");
    const json vocabulary = model.is_object() ? model.value("vocab", json()) : json();
    if (!vocabulary.is_object())
      tokenizer.refuse("model", "one that has its pieces by their numbers");
    for (const auto& [piece, number] : vocabulary.items()) pieces.add(piece, number);
    for (const json& token : added)
      if (token.is_object()) pieces.add(text_of(token), token.value("id", json()));
    return pieces;
  }
  Pieces pieces(folder + "/vocab.json", rows);
  const JsonSettings vocabulary(pieces.path());
  for (const std::string& piece : vocabulary.keys()) pieces.add(piece, vocabulary.value(piece));
  for (const char* name : {"/special_tokens_map.json", "/tokenizer_config.json"})
    if (file_exists(folder + name))
      for (const json& token : JsonSettings(folder + name).value("additional_special_tokens"))
        if (!text_of(token).empty()) pieces.append(text_of(token));
  return pieces;
}

}  // namespace

PortableModel read_m2m100(const ImportRequest& request, const JsonSettings& settings) {
  const std::string& folder = request.path;
  ForeignTensors tensors = read_transformers_tensors(folder);
  PortableModel model;
  Config& config = model.config = read_transformers_settings(settings);
  if (!settings.has("activation_function")) config.activation = Activation::relu;
  config.scale_embeddings = settings.yes("scale_embedding", true);
  config.embeddings =
      settings.yes("tie_word_embeddings", true) ? EmbeddingTies::shared : EmbeddingTies::target;
  config.norm = NormPlace::pre;
  config.position_layout = PositionLayout::tensor2tensor;
  config.first_position = kFirstPosition;
  config.source_language = SourceLanguage::before;
  config.target_language = TargetLanguage::first;
  if (config.embeddings != EmbeddingTies::shared) settings.refuse("tie_word_embeddings", "true");
  const char* const shared = "model.shared.weight";
  const Shape table{config.source_vocab, config.d_model};
  tensors.check(shared, table);
  model.declare(tensors.path());
  model.at(Stack::encoder, Role::embeddings).values = tensors.take(shared, table);
  read_layers(model, tensors, transformers_place);
  for (const char* name :
       {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight",
        "model.encoder.embed_positions.weights", "model.decoder.embed_positions.weights"})
    tensors.ignore(name);
  tensors.check_all_taken();
  drop_zero_biases(model);

  const Pieces pieces = read_pieces(folder, config.source_vocab);
  Vocabulary vocabulary;
  vocabulary.path = pieces.path();
  vocabulary.pieces = pieces.all();
  const int start = settings.integer("decoder_start_token_id", 2, 0, config.source_vocab - 1);
  vocabulary.start = vocabulary.pieces[static_cast<std::size_t>(start)];
  vocabulary.silent = {"<s>", kPad, "<mask>"};
  for (const std::string& piece : vocabulary.pieces)
    if (language_of(piece)) vocabulary.silent.push_back(piece);
  check_eos(settings, vocabulary);
  if (const std::string lost = lost_search(settings, vocabulary); !lost.empty())
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
