// Models of the Hugging Face transformers: a folder of MarianMT with config.json, model.safetensors
// or pytorch_model.bin, source.spm, target.spm and vocab.json; the others are in exchange/bart.h
// and t5.h.
//
// Source: models/marian/modeling_marian.py, configuration_marian.py and tokenization_marian.py of
// that project. Matrices are [outputs, inputs].
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "exchange/bart.h"
#include "exchange/foreign.h"
#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/t5.h"
#include "exchange/tokenizer_json.h"
#include "exchange/tokenizer_pieces.h"
#include "exchange/transformers.h"
#include "exchange/vocabulary.h"
#include "model/checkpoint.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr float kNever = -1e9f;  // the bias of a piece that must not be written
constexpr const char* kLayout =
    "tt_position_layout";  // of our own: the order of the columns before they were written
constexpr const char* kStart =
    "tt_start";  // of our own: the piece that the decoder's position 0 holds the embedding of
constexpr int kPositions = 1024;

const ForeignTable& marian_mt_settings() {
  static const ForeignTable table =
      of_transformers({fixed("final_norm=auto|no positions=sinusoidal|learned "
                             "position_layout=concatenated|interleaved|tensor2tensor "
                             "first_position start target_language=none|source")});
  return table;
}

// ---- Reading ------------------------------------------------------------------------------------

// The last row is that of a piece which nothing writes and nobody reads: the one that Marian's
// zeros begin with.
bool is_padding_only(const std::vector<float>& table, std::int64_t d,
                     const std::vector<float>& bias, const std::string& piece) {
  return piece == kPad && bias.back() <= kNever &&
         std::all_of(table.end() - d, table.end(), [](float x) { return x == 0; });
}

std::string filler(std::size_t number) { return "<unused " + std::to_string(number) + ">"; }

// Drops the pieces that add_padding() puts before <pad>.
void drop_fillers(Vocabulary& vocabulary, int& size,
                  std::initializer_list<std::vector<float>*> tables, std::int64_t d) {
  while (size > 0 && vocabulary.pieces.back() == filler(vocabulary.pieces.size() - 1)) {
    vocabulary.pieces.pop_back();
    --size;
    for (std::vector<float>* table : tables)
      table->resize(table->size() - static_cast<std::size_t>(d));
  }
}

// Takes the embedding of <s> out of the decoder's position 0; add_start() says why it is there.
void remove_start(Architecture& config, PositionTables& positions) {
  std::copy_n(positions.encoder.values.begin(), positions.encoder.columns,
              positions.decoder.values.begin());
  describe_positions(config, positions);
  if (config.positions != PositionKind::learned) return;
  --config.max_length;
  for (StoredMatrix* table : {&positions.encoder, &positions.decoder}) {
    const auto last = table->values.end() - table->columns;
    if (table == &positions.decoder) std::copy(last, table->values.end(), table->values.begin());
    table->values.erase(last, table->values.end());
    --table->rows;
  }
}

// The rows of pieces in the tables of embeddings and of the output, and its bias.
struct PieceRows {
  std::vector<float> source, target, output, bias;
};

PieceRows read_piece_rows(ForeignTensors& tensors, const Architecture& config) {
  const std::int64_t d = config.d_model;
  const std::string source = tensors.first_of(
                        {"model.shared.weight", "model.encoder.embed_tokens.weight"}),
                    target = tensors.first_of(
                        {"model.decoder.embed_tokens.weight", "model.shared.weight"}),
                    output =
                        config.embeddings == EmbeddingTies::none && tensors.has("lm_head.weight")
                            ? "lm_head.weight"
                            : target;
  PieceRows rows{tensors.take(source, {config.source_vocab, d}),
                 tensors.take(target, {config.target_vocab, d}),
                 tensors.take(output, {config.target_vocab, d}),
                 std::vector<float>(static_cast<std::size_t>(config.target_vocab))};
  if (tensors.has("final_logits_bias"))
    rows.bias = tensors.take("final_logits_bias", {config.target_vocab});
  return rows;
}

struct Vocabularies {
  Vocabulary source, target;
};

Vocabularies read_vocabularies(const std::string& folder, const Architecture& config) {
  Vocabularies read;
  read.source.path = folder + "/vocab.json", read.target.path = folder + "/target_vocab.json";
  if (!file_exists(read.target.path)) read.target.path = read.source.path;
  const std::string tokenizer = folder + "/" + kTokenizer;
  const bool alone = !file_exists(read.source.path) && file_exists(tokenizer);
  for (Vocabulary* vocabulary : {&read.source, &read.target}) {
    if (alone) vocabulary->path = tokenizer;
    vocabulary->pieces =
        alone ? read_tokenizer_json(tokenizer, config.source_vocab).pieces
              : read_json_vocabulary(read_file(file_of_model(vocabulary->path)), vocabulary->path);
    vocabulary->silent = {kPad};
  }
  check_rows(read.source, config.source_vocab);
  check_rows(read.target, config.target_vocab);
  return read;
}

// Sets what the decoder begins with: a piece; where its embedding is zero, zeros. Leaves out the
// pieces that stand for zeros alone, and those that only fill a vocabulary.
void choose_start(const JsonSettings& settings, Architecture& config, PieceRows& rows,
                  Vocabularies& vocabularies) {
  const std::int64_t d = config.d_model;
  auto& [source, target] = vocabularies;
  const int start = settings.integer("decoder_start_token_id", config.target_vocab - 1, 0,
                                     config.target_vocab - 1);
  const auto row = rows.target.begin() + start * d;
  const bool from_zero = std::all_of(row, row + d, [](float x) { return x == 0; });
  const bool has_start = settings.has(kStart);
  const int first = settings.integer(kStart, start, 0, config.target_vocab - 1);
  if (has_start && (!from_zero || first == start)) settings.refuse(kStart);
  config.start = from_zero && !has_start ? StartSymbol::zero : StartSymbol::bos;
  if (config.start == StartSymbol::bos) target.start = source.start = target.pieces[first];
  if (!from_zero || !is_padding_only(rows.target, d, rows.bias, target.pieces.back())) return;
  config.target_vocab -= 1;
  for (auto* table : {&rows.target, &rows.output})
    table->resize(table->size() - static_cast<std::size_t>(d));
  rows.bias.pop_back();
  target.pieces.pop_back();
  if (source.pieces.back() == kPad) {
    config.source_vocab -= 1;
    rows.source.resize(rows.source.size() - static_cast<std::size_t>(d));
    source.pieces.pop_back();
  }
  drop_fillers(source, config.source_vocab, {&rows.source}, d);
  drop_fillers(target, config.target_vocab, {&rows.target, &rows.output}, d);
  rows.bias.resize(target.pieces.size());
}

// The tables of positions, which settings.json may leave to the formula.
PositionTables read_positions(const JsonSettings& settings, ForeignTensors& tensors,
                              Architecture& config) {
  if (!tensors.has(kEncoderPositions) || !tensors.has(kDecoderPositions)) {
    if (!settings.yes("static_position_embeddings", true))
      settings.refuse("static_position_embeddings", "true");
    return {};
  }
  PositionTables positions =
      take_positions(tensors, kEncoderPositions, kDecoderPositions, config.d_model);
  if (settings.has(kStart)) remove_start(config, positions);
  else describe_positions(config, positions);
  return positions;
}

PortableModel read_hugging_face(const ImportRequest& request) {
  const std::string& folder = request.path;
  JsonSettings settings(folder + "/config.json");
  settings.add(JsonSettings::if_any(folder + "/generation_config.json"));
  const std::string type = settings.text("model_type", "");
  if (is_bart(type)) return read_bart(request, settings);
  if (is_t5(type)) return read_t5(request, settings);
  if (type != "marian")
    throw Error(settings.path(), ": its model_type is ", in_quotes(type), "; only \"marian\", ",
                kBartTypes, ", ", kT5Types, " can be imported");
  ForeignTensors tensors = read_transformers_tensors(folder);
  PortableModel model;
  Config& config = model.config = read_transformers_settings(marian_mt_settings(), settings);
  PieceRows rows = read_piece_rows(tensors, config);
  Vocabularies vocabularies = read_vocabularies(folder, config);
  check_eos(settings, vocabularies.target);
  note_lost_search(model, folder, settings, vocabularies.target);
  note_no_length(model, folder, settings);
  choose_start(settings, config, rows, vocabularies);
  config.output_bias = true;
  if (config.embeddings == EmbeddingTies::shared && rows.source != rows.target)
    config.embeddings = EmbeddingTies::target;
  const PositionTables positions = read_positions(settings, tensors, config);
  model.declare(tensors.path());
  model.at(Stack::encoder, Role::embeddings).values = std::move(rows.source);
  model.at(Stack::decoder, Role::embeddings).values = std::move(rows.target);
  model.at(Stack::decoder, Role::output).values = std::move(rows.output);
  model.at(Stack::decoder, Role::output, true).values = std::move(rows.bias);
  put_positions(model, positions, tensors.path());
  read_layers(model, tensors, transformers_place);
  tensors.ignore({"model.shared.weight", "model.encoder.embed_tokens.weight",
                  "model.decoder.embed_tokens.weight", "lm_head.weight", kEncoderPositions,
                  kDecoderPositions});
  tensors.check_all_taken();
  drop_zero_biases(model);
  if (settings.has(kLayout)) {
    if (settings.text(kLayout, "") != "interleaved") settings.refuse(kLayout, "\"interleaved\"");
    change_layout(model, PositionLayout::interleaved);
  }

  read_target_language(config, settings, vocabularies.source);
  // One vocabulary has one subword model, whichever side it is given for.
  const auto given = [&](SubwordSide side) -> const std::string& {
    const bool other =
        vocabularies.source.path == vocabularies.target.path && request.subword(side).empty();
    return other == (side == SubwordSide::source) ? request.target_subword : request.source_subword;
  };
  for (const auto& [side, vocabulary] : {std::pair(SubwordSide::source, &vocabularies.source),
                                         {SubwordSide::target, &vocabularies.target}})
    model.take_subword(side, *vocabulary, find_subword(folder, side, given(side)));
  return model;
}

// ---- Writing ------------------------------------------------------------------------------------

// Rows of zeros at the end of a table, for pieces that no text has.
void add_rows(StoredMatrix& table, std::int64_t rows) {
  table.rows += rows;
  table.values.resize(static_cast<std::size_t>(table.rows * table.columns));
}

// The decoder's positions of a model that begins with a piece of its own. CTranslate2's converter
// drops the last row of the embeddings, takes it for <pad>, and lets the decoder begin with zeros,
// whatever config.json says. So it does: the embedding of the piece is part of position 0, where
// nothing else stands. Of learned positions, an additional row keeps what was there.
void add_start(StoredMatrix& positions, const StoredMatrix& embeddings, std::int64_t start,
               float scale, bool learned) {
  if (learned) {
    const std::vector<float> row(positions.values.begin(),
                                 positions.values.begin() + positions.columns);
    positions.values.insert(positions.values.end(), row.begin(), row.end());
    ++positions.rows;
  }
  for (std::int64_t c = 0; c < positions.columns; ++c)
    positions.values[c] += scale * embeddings.values[start * positions.columns + c];
}

// Puts a piece <pad> behind those of both vocabularies, where it has the same number: the smaller
// one gets pieces before it that no text has.
void add_padding(PortableModel& model, Vocabulary& source, Vocabulary& target) {
  Config& config = model.config;
  const std::string source_name = model.name(Stack::encoder, Role::embeddings),
                    target_name = model.name(Stack::decoder, Role::embeddings),
                    output_name = model.name(Stack::decoder, Role::output);
  const int size = std::max(config.source_vocab, config.target_vocab);
  add_rows(model.at(target_name), size + 1 - config.target_vocab);
  if (output_name != target_name) add_rows(model.at(output_name), size + 1 - config.target_vocab);
  if (source_name != target_name) add_rows(model.at(source_name), size + 1 - config.source_vocab);
  StoredMatrix& bias = model.at(Stack::decoder, Role::output, true);
  bias.columns = size + 1;
  bias.values.resize(static_cast<std::size_t>(size) + 1, kNever);
  for (auto* pieces : {&source.pieces, &target.pieces}) {
    while (static_cast<int>(pieces->size()) < size) pieces->push_back(filler(pieces->size()));
    pieces->emplace_back(kPad);
  }
  config.source_vocab = config.target_vocab = size + 1;
}

// Tables of embeddings and positions, of which the decoder's may begin with the piece `start`.
void write_tables(const PortableModel& model, std::int64_t positions,
                  std::optional<std::int64_t> start, TransformersTensors& tensors) {
  const Config& config = model.config;
  const bool learned = config.positions == PositionKind::learned;
  const Shape source_shape{config.source_vocab, config.d_model},
      target_shape{config.target_vocab, config.d_model};
  if (config.embeddings == EmbeddingTies::shared) {
    tensors.add("model.shared.weight", source_shape,
                model.at(Stack::encoder, Role::embeddings).values);
  } else {
    tensors.add("model.encoder.embed_tokens.weight", source_shape,
                model.at(Stack::encoder, Role::embeddings).values);
    tensors.add("model.decoder.embed_tokens.weight", target_shape,
                model.at(Stack::decoder, Role::embeddings).values);
    if (config.embeddings == EmbeddingTies::none)
      tensors.add("lm_head.weight", target_shape, model.at(Stack::decoder, Role::output).values);
  }
  tensors.add("final_logits_bias", {1, config.target_vocab},
              model.at(Stack::decoder, Role::output, true).values);
  for (const Stack stack : {Stack::encoder, Stack::decoder}) {
    StoredMatrix table = position_table(model, stack, positions);
    const float scale =
        config.scale_embeddings ? std::sqrt(static_cast<float>(config.d_model)) : 1.0f;
    if (start && stack == Stack::decoder)
      add_start(table, model.at(Stack::decoder, Role::embeddings), *start, scale, learned);
    else if (start && learned) add_rows(table, 1);
    tensors.add(positions_name(stack), {table.rows, table.columns}, table.values);
  }
}

// Writes the subword models, the numbers of pieces, and what is said of both.
void write_tokenizer(AtomicFolder& to, const PortableModel& model, const Vocabulary& source,
                     const Vocabulary& target, const std::string& pad, int positions) {
  const bool two = source.pieces != target.pieces;
  to.add("source.spm", without_plain(model.source));
  to.add("target.spm", without_plain(model.target));
  to.add("vocab.json", numbered(source.pieces));
  if (two) to.add("target_vocab.json", numbered(target.pieces));
  to.add("tokenizer_config.json", json{{"tokenizer_class", "MarianTokenizer"},
                                       {"separate_vocabs", two},
                                       {"eos_token", target.eos},
                                       {"unk_token", target.unk},
                                       {"pad_token", pad},
                                       {"model_max_length", positions}}
                                          .dump(2) +
                                      "\n");
}

// The piece that pads, and begins a translation, has an embedding, or another number on a side.
std::vector<std::string> obstacles(const PortableModel& model) {
  const Config& config = model.config;
  const Vocabulary source = vocabulary_of(model.source, model.path, true),
                   target = vocabulary_of(model.target, model.path, true);
  const auto pad = index_of(target.pieces, kPad);
  if (pad >= config.target_vocab) return {};  // one is added
  std::vector<std::string> found;
  const bool zero = config.start == StartSymbol::zero;
  const auto row = model.at(Stack::decoder, Role::embeddings).values.begin() + pad * config.d_model;
  if (zero && std::any_of(row, row + config.d_model, [](float x) { return x != 0; }))
    found.push_back("a model with start zero whose piece " + in_quotes(kPad) +
                    " has an embedding cannot be one of MarianMT, which begins with that piece");
  const std::string start = zero ? kPad : target.start;
  if (index_of(source.pieces, start) != index_of(target.pieces, start))
    found.push_back("a model with vocabularies of " + std::to_string(source.pieces.size()) +
                    " and " + std::to_string(target.pieces.size()) +
                    " pieces cannot be one of MarianMT, whose padding has the same number in both");
  return found;
}

void write_marian_mt(PortableModel model, const std::string& folder) {
  const PositionLayout layout = model.config.position_layout;
  const bool reordered =
      model.config.positions == PositionKind::sinusoidal && layout == PositionLayout::interleaved;
  if (reordered) change_layout(model, PositionLayout::concatenated);
  add_zero_biases(model);
  Config& config = model.config;
  Vocabulary source =
                 vocabulary_of(model.source, model.path + ": the source's subword model", true),
             target =
                 vocabulary_of(model.target, model.path + ": the target's subword model", true);
  const bool bos = config.start == StartSymbol::bos,
             learned = config.positions == PositionKind::learned;
  const bool has_pad = index_of(target.pieces, kPad) < config.target_vocab;
  if (!has_pad) add_padding(model, source, target);
  // A vocabulary that has a <pad> of its own cannot have another: then the decoder begins with <s>
  // itself.
  const bool zero = !bos || !has_pad, with_start = bos && zero,
             two = source.pieces != target.pieces;
  const std::string pad = zero ? kPad : target.start;
  const auto start = index_of(target.pieces, pad);

  check_absent(folder, two ? std::vector<std::string>{"pytorch_model.bin"}
                           : std::vector<std::string>{"pytorch_model.bin", "target_vocab.json"});
  const auto eos = index_of(target.pieces, target.eos),
             first = index_of(target.pieces, target.start);
  const int positions = learned ? config.max_length : kPositions;
  AtomicFolder to(folder, model.path);
  write_tokenizer(to, model, source, target, pad, positions);
  json settings = transformers_settings(marian_mt_settings(), config, "marian", "MarianMTModel");
  settings.update({{"decoder_vocab_size", config.target_vocab},
                   {"share_encoder_decoder_embeddings", config.embeddings == EmbeddingTies::shared},
                   {"static_position_embeddings", true},
                   {"max_position_embeddings", positions + (learned && with_start)},
                   {"bos_token_id", nullptr}});
  if (reordered) settings[kLayout] = "interleaved";
  if (with_start) settings[kStart] = first;
  write_target_language(config, source, settings);
  json search = json::object();
  if (zero) search["bad_words_ids"] = json::array({json::array({start})});

  TransformersTensors tensors;
  write_tables(model, positions, with_start ? std::optional(first) : std::nullopt, tensors);
  write_layers(model, transformers_place, tensors.put());
  finish_transformers(
      to, config, settings, search,
      {{"decoder_start_token_id", start}, {"eos_token_id", eos}, {"pad_token_id", start}},
      positions, tensors);
}

void keep_search(const SearchSettings& model, SearchSettings& kept) {
  kept.stop_when_full = model.stop_when_full;
  if (model.length_factor == 0) kept.length_factor = 0, kept.extra_length = model.extra_length;
  if (model.length_penalty != LengthPenalty::length) kept.alpha = 1;
}

std::vector<ForeignKind> kinds() {
  std::vector<ForeignKind> kinds{
      {"one of MarianMT", marian_mt_settings(), write_marian_mt, obstacles}};
  for (ForeignKind& kind : bart_kinds()) kinds.push_back(std::move(kind));
  kinds.push_back(t5_kind());
  return kinds;
}

}  // namespace

const ForeignFormat kHuggingFace{.name = "hugging-face",
                                 .files = {"model.safetensors", "pytorch_model.bin"},
                                 .read = read_hugging_face,
                                 .kinds = kinds(),
                                 .keep_search = keep_search};

}  // namespace tt
