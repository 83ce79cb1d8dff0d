// Models of Marian: .npz or .bin, with the options of training inside, and vocabularies beside it:
// a file, or the one of a folder with a decoder.yml. Vocabularies that are not given are those that
// decoder.yml names, or the model's own options.
//
// Source: src/models/transformer.h of that project (names and their meaning), src/common/binary.cpp
// (.bin), src/data/default_vocab.cpp (vocabularies). Matrices are [inputs, outputs].
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/setting.h"
#include "exchange/foreign.h"
#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/marian_file.h"
#include "exchange/marian_folder.h"
#include "exchange/vocabulary.h"
#include "text/subword.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kModelFile = "model.npz";
constexpr const char* kTargetLanguage =
    "tt-target-language";  // of our own, where pieces such as ">>deu<<" do not say it
constexpr std::uint64_t kMostBytes = 0xFF000000;  // of a zip archive, less some for its directory

std::string layer_name(bool decoder, int layer) {
  return std::string(decoder ? "decoder" : "encoder") + "_l" + std::to_string(layer);
}

// Layers may share their parameters: `tied` has the number of the layer whose parameters layer i
// has.
int shared_layer(const std::vector<int>& tied, bool decoder, int layer) {
  return decoder && !tied.empty() ? tied[layer - 1] : layer;
}

// The input of a recurrent unit has no bias.
ForeignPlace place_of(const ParameterPart& part, const Architecture& config,
                      const std::vector<int>& tied) {
  const bool decoder = part.stack == Stack::decoder;
  const std::string layer = layer_name(decoder, shared_layer(tied, decoder, part.layer));
  const bool units =
      decoder && config.decoder_self == DecoderSelf::ssru && part.sublayer == Sublayer::self;
  if (part.role == Role::gain || part.role == Role::shift) {
    const std::string suffix = part.layer > 0 && config.norm == NormPlace::pre ? "_pre" : "";
    const std::string prefix = part.layer == 0 ? decoder ? "decoder_top" : "encoder_top"
                               : units         ? layer + (suffix.empty() ? "_rnn_ffn" : "_rnn")
                               : part.sublayer == Sublayer::self  ? layer + "_self_Wo"
                               : part.sublayer == Sublayer::cross ? layer + "_context_Wo"
                                                                  : layer + "_ffn_ffn";
    return {prefix + (part.role == Role::gain ? "_ln_scale" : "_ln_bias") + suffix};
  }
  const std::string kind = part.bias ? "b" : "W";
  const char* const block = part.sublayer == Sublayer::self    ? "_self_"
                            : part.sublayer == Sublayer::cross ? "_context_"
                                                               : "_ffn_";
  if (part.sublayer == Sublayer::ffn) return {layer + block + kind + std::to_string(part.index)};
  switch (part.role) {
    case Role::content: return {part.bias ? "" : layer + "_rnn_W"};
    case Role::forget: return {layer + "_rnn_" + kind + "f"};
    case Role::query: return {layer + block + kind + "q"};
    case Role::key: return {layer + block + kind + "k"};
    case Role::value: return {layer + block + kind + "v"};
    case Role::out: return {layer + block + kind + "o"};
    default: TT_CHECK(!"Marian has no such part"); return {};
  }
}

// ---- Reading ------------------------------------------------------------------------------------

// The options of a model, in the order in which they are written; settings of all models of the
// program. Norms are operations without dropout, which is for training alone.
const ForeignTable& model_options() {
  static const ForeignTable table{
      always("type", {"transformer"}),
      kept("dim-emb", "d_model", "512"),
      kept("dim-vocabs"),
      kept("enc-depth", "encoder_layers", "6"),
      kept("dec-depth", "decoder_layers", "6"),
      kept("transformer-heads", "heads", "8"),
      kept("transformer-dim-ffn", "d_ff", "2048"),
      kept("transformer-decoder-dim-ffn", "d_ff", "0", {{"0", {}}}),
      kept("transformer-ffn-depth", "ffn_layers", "2"),
      kept("transformer-decoder-ffn-depth", "ffn_layers", "0", {{"0", {}}}),
      kept("transformer-ffn-activation", "activation", "relu",
           {{"relu", "relu"}, {"swish", "swish"}, {"gelu", "gelu_erf"}}),
      kept("transformer-preprocess", "norm", "", {{"n", "pre"}, {"", "post"}}),
      kept("transformer-postprocess", "norm", "an",
           {{"da", "pre"}, {"a", "pre"}, {"dan", "post"}, {"an", "post"}}),
      always("transformer-postprocess-emb", {"d", ""}),
      kept("transformer-postprocess-top", "final_norm", "", {{"n", "yes"}, {"", "no"}}),
      kept("transformer-decoder-autoreg", "decoder_self", "self-attention",
           {{"self-attention", "attention"}, {"rnn", "ssru"}}),
      kept("dec-cell", "decoder_self", "gru", {{"gru", "attention"}, {"ssru", "ssru"}}),
      always("transformer-rnn-projection", {"false", "False", "0"}),
      kept("transformer-train-position-embeddings"),
      always("transformer-no-projection", {"false", "0"}),
      kept("transformer-tied-layers"),
      kept("tied-embeddings tied-embeddings-src tied-embeddings-all output-omit-bias"),
      always("layer-normalization", {"false", "False", "0"}),
      kept("transformer-guided-alignment-layer"),
      always("lemma-dim-emb", {"0", "false"}),
      kept("factors-combine"),
      always("ulr", {"false", "0"}),
      kept(kTargetLanguage),
      kept("version"),
      only("transformer-pool transformer-disable-position-embeddings transformer-no-bias "
           "transformer-no-affine right-left",
           {"false", "0"}),
      only("transformer-attention-mask", {"default"}),
      fixed("final_norm"),
      // Marian 1.12 trains sinusoids whatever its options say, and stops where a model has learned
      // positions.
      fixed("positions=sinusoidal position_layout=tensor2tensor start=zero "
            "target_language=none|source"),
      replaced("norm_epsilon", "1e-06"),
  };
  return table;
}

// Of the options of recurrent units there are none in a model without.
ForeignValues model_values(const JsonSettings& options) {
  ForeignValues values = marian_values(options);
  const bool units = options.text("transformer-decoder-autoreg", "") == "rnn";
  values.text = [units, said = values.text](const std::string& key) {
    const bool of_units =
        key == "dec-cell" || key == "transformer-rnn-projection" || key == "layer-normalization";
    return of_units && !units ? std::nullopt : said(key);
  };
  return values;
}

Config read_settings(const JsonSettings& options, const ForeignTensors& tensors) {
  Config config;
  const ForeignValues values = model_values(options);
  read_settings(model_options(), values, config);
  if (options.list("dim-vocabs").size() > 2) values.refuse("dim-vocabs", "");
  if (config.d_model % config.heads != 0) values.refuse("transformer-heads", "");
  if (--config.ffn_layers < 1) values.refuse("transformer-ffn-depth", "");
  if (config.has_final_norm() == (config.norm == NormPlace::pre))
    config.final_norm = FinalNorm::by_norm;
  if (tensors.has("Wpos")) {  // the options do not say it: 1.12 reads another than it writes, and
                              // trains sinusoids
    config.positions = PositionKind::learned;
    config.scale_embeddings = false;
    const Shape positions = tensors.shape("Wpos");
    config.max_length =
        positions.empty() ? 0 : static_cast<int>(std::min<std::int64_t>(positions[0], 1 << 24));
  }
  config.attention_bias = true;
  config.output_bias = tensors.has("decoder_ff_logit_out_b");
  const bool all = options.yes("tied-embeddings-all", false),
             inputs = all || options.yes("tied-embeddings-src", false);
  const bool tied = all || options.yes("tied-embeddings", false);
  config.embeddings = all || (inputs && tied) ? EmbeddingTies::shared
                      : tied                  ? EmbeddingTies::target
                                              : EmbeddingTies::none;
  const auto rows = [&](const std::string& name) {
    const Shape& shape = tensors.shape(name);
    if (shape.size() != 2 || shape[0] < 1 || shape[0] > 1 << 24)
      throw Error(tensors.path(), ": ", in_quotes(name), " is no matrix of embeddings");
    return static_cast<int>(shape[0]);
  };
  config.source_vocab = rows(inputs ? "Wemb" : "encoder_Wemb");
  config.target_vocab = rows(inputs ? "Wemb" : "decoder_Wemb");
  return config;
}

// The pieces of a vocabulary's file, and its subword model where it is one.
struct VocabularyFile {
  Vocabulary vocabulary;
  std::string subword;
};

VocabularyFile read_vocabulary(const std::string& path) {
  VocabularyFile read;
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".spm" || extension == ".model") {
    read.subword = read_subword(path);
    read.vocabulary = vocabulary_of(read.subword, path);
  } else if (extension == ".yml" || extension == ".yaml") {
    read.vocabulary.pieces = read_yaml_vocabulary(read_file(path), path);
  } else if (extension == ".json") {
    read.vocabulary.pieces = read_json_vocabulary(read_file(path), path);
  } else if (extension == ".fsv") {
    throw Error(path, ": is a vocabulary of factors, which cannot be imported");
  } else {
    LineReader lines(path);
    std::string line;
    while (lines.next(line)) read.vocabulary.pieces.push_back(line);
  }
  return read;
}

// The layer of the decoder whose self-attention each layer has; empty: its own.
std::vector<int> tied_layers(const JsonSettings& options, int layers) {
  std::vector<int> tied;
  for (const std::string& layer : options.list("transformer-tied-layers"))
    tied.push_back(number_in<int>(layer).value_or(0));  // 0 is refused
  if (!tied.empty() &&
      (static_cast<int>(tied.size()) != layers || *std::ranges::min_element(tied) < 1))
    values_of(options).refuse("transformer-tied-layers", "");
  return tied;
}

// Embeddings, the output's matrix and bias, and learned positions.
void read_tables(PortableModel& model, ForeignTensors& tensors) {
  const Config& config = model.config;
  const bool inputs = tensors.has("Wemb");
  model.at(Stack::encoder, Role::embeddings).values =
      tensors.take(inputs ? "Wemb" : "encoder_Wemb", {config.source_vocab, config.d_model});
  model.at(Stack::decoder, Role::embeddings).values =
      tensors.take(inputs ? "Wemb" : "decoder_Wemb", {config.target_vocab, config.d_model});
  if (config.embeddings == EmbeddingTies::none) {
    const auto& output = *std::ranges::find_if(model.parts, [](const ParameterPart& part) {
      return part.role == Role::output && !part.bias;
    });
    if (tensors.has("decoder_ff_logit_out_W"))
      model.put(output,
                tensors.take("decoder_ff_logit_out_W", {config.d_model, config.target_vocab}),
                true);
    else
      model.put(output,
                tensors.take("decoder_ff_logit_out_Wt", {config.target_vocab, config.d_model}),
                false);
  }
  if (config.output_bias)
    model.at(Stack::decoder, Role::output, true).values =
        tensors.take("decoder_ff_logit_out_b", {config.target_vocab});
  if (config.positions == PositionKind::learned)
    for (const Stack stack : {Stack::encoder, Stack::decoder})
      model.at(stack, Role::positions).values =
          tensors.take("Wpos", {config.max_length, config.d_model});
}

// Reads the vocabulary of a side, and its subword model.
void take_vocabulary(PortableModel& model, const std::string& path, const JsonSettings& options,
                     SubwordSide side, const std::string& from, const std::string& subword_given) {
  const bool is_source = side == SubwordSide::source;
  VocabularyFile read = read_vocabulary(from);
  const std::string subword = read.subword.empty() ? subword_path(path, side, subword_given) : from;
  if (read.subword.empty() && !subword.empty()) read.subword = read_subword(subword);
  model.files.insert(model.files.end(), {from, subword});
  // Embeddings may have rows without a piece, where their number was rounded up.
  auto& pieces = read.vocabulary.pieces;
  const auto rows =
      static_cast<std::size_t>(is_source ? model.config.source_vocab : model.config.target_vocab);
  if (pieces.size() > rows || pieces.size() + 64 <= rows)
    throw Error(from, ": has ", pieces.size(), " pieces, but the model's embeddings have ", rows,
                " rows; they belong to other models");
  pieces.resize(rows);
  const char* const language = chooses_target(read.vocabulary) ? "source" : "none";
  if (is_source)
    set_field(model.config, *find_field("target_language"), options.text(kTargetLanguage, language),
              options.path());
  read.vocabulary.path = from;
  read.vocabulary.start.clear();
  model.subword(side) = number_pieces(read.subword, read.vocabulary, side,
                                      subword.empty() ? from : subword, &model.losses);
  model.notes.push_back(std::string(name_of(side)) + " vocabulary: " + from +
                        (subword.empty()   ? ", whose pieces are words between spaces"
                         : subword == from ? ""
                                           : ", cut by " + subword));
}

PortableModel read_marian(const ImportRequest& request) {
  const MarianFolder folder = find_marian(request.path);
  const std::string& path = folder.model;
  MarianFile file = read_marian_file(path);
  const JsonSettings options = JsonSettings::of_yaml(file.options, path + ": its options");
  ForeignTensors& tensors = file.tensors;
  PortableModel model;
  const Config& config = model.config = read_settings(options, tensors);
  take_search(folder, options, model);
  const std::vector<int> tied = tied_layers(options, config.decoder_layers);
  model.declare(path);

  read_tables(model, tensors);
  read_layers(model, tensors,
              [&](const ParameterPart& part) { return place_of(part, config, tied); });
  tensors.ignore({"decoder_c_tt", "encoder_c_tt"});
  tensors.check_all_taken();
  drop_zero_biases(model);

  const auto paths = vocabulary_paths(folder, request, options);
  take_vocabulary(model, path, options, SubwordSide::source, paths[0], request.source_subword);
  take_vocabulary(model, path, options, SubwordSide::target, paths[1], request.target_subword);
  return model;
}

// ---- Writing ------------------------------------------------------------------------------------

// Marian's recurrent units take in without a bias.
std::vector<std::string> obstacles(const PortableModel& model) {
  for (const ParameterPart& part : model.parts) {
    if (part.role != Role::content || !part.bias) continue;
    const std::vector<float> bias = model.get(part, false);
    if (std::ranges::any_of(bias, [](float x) { return x != 0; }))
      return {
          "its recurrent units have a bias of their input, as those that earlier versions trained, "
          "and Marian's have none; train it again: units that are trained now have none"};
  }
  return {};
}

// Of the model alone: what stands here overrides the command line, so that a path of a vocabulary,
// or a limit of lengths, could not be given any more. Those are in decoder.yml.
std::string options_text(const Config& config, const Vocabulary& source) {
  Config said = config;
  said.final_norm = config.has_final_norm() ? FinalNorm::yes : FinalNorm::no;
  ++said.ffn_layers;
  const bool aligns = config.alignment_layer > 0 && config.alignment_head == 1;
  json others{{"dim-vocabs", {config.source_vocab, config.target_vocab}},
              {"transformer-train-position-embeddings", false},
              {"transformer-tied-layers", json::array()},
              {"tied-embeddings", config.embeddings == EmbeddingTies::target},
              {"tied-embeddings-src", false},
              {"tied-embeddings-all", config.embeddings == EmbeddingTies::shared},
              {"output-omit-bias", !config.output_bias},
              {"transformer-guided-alignment-layer",
               aligns ? std::to_string(config.alignment_layer) : "last"},
              {"factors-combine", "sum"},
              {"version", "v1.12.0"}};
  if (const std::string language = get_field(config, "target_language");
      language != (chooses_target(source) ? "source" : "none"))
    others[kTargetLanguage] = language;
  std::string text;
  const nlohmann::ordered_json written = written_settings(model_options(), said, others);
  for (const auto& [key, value] : written.items()) {
    text += key + ":";
    if (!value.is_array())
      text += " " + (value.is_string() && value != "" ? value.get<std::string>() : value.dump());
    else if (value.empty()) text += "\n  []";
    else
      for (const auto& item : value) text += "\n  - " + item.dump();
    text += "\n";
  }
  return text;
}

// Writes vocabularies, or subword models that have them, and returns the names of their files.
std::vector<std::string> write_vocabularies(AtomicFolder& to, PortableModel& model) {
  std::vector<std::string> vocabularies;
  const bool joint = model.source == model.target;
  for (const SubwordSide side : {SubwordSide::source, SubwordSide::target}) {
    if (joint && side == SubwordSide::target && vocabularies[0] == "vocab.spm") {  // one file
      vocabularies.push_back(vocabularies[0]);
      break;
    }
    const std::string& bytes = model.subword(side);
    const std::string name = joint ? "vocab" : name_of(side);
    if (is_whole_subword(bytes)) {
      vocabularies.push_back(name + ".spm");
      to.add(vocabularies.back(), bytes);
    } else {
      vocabularies.push_back(name + ".vocab.yml");
      to.add(vocabularies.back(), yaml_vocabulary(vocabulary_of(bytes, name).pieces));
      to.add(std::string(name_of(side)) + ".spm", bytes);
    }
  }
  return vocabularies;
}

void write_marian(PortableModel model, const std::string& folder) {
  const bool output_bias = model.config.output_bias;
  add_zero_biases(model);
  Config& config = model.config;
  config.output_bias = output_bias;
  if (sizeof(float) * model.count() > kMostBytes)
    throw Error(folder, ": the model has more than 4 GiB, which ", kModelFile, " cannot have");
  AtomicFolder to(folder, model.path);
  const std::vector<std::string> vocabularies = write_vocabularies(to, model);
  MarianWriter file(to.add(kModelFile));
  // Vectors have one row there.
  const auto add = [&](const std::string& name, const Shape& shape,
                       const std::vector<float>& values) {
    file.add(name, shape.size() == 1 ? Shape{1, shape[0]} : shape, values);
  };
  const Shape source{config.source_vocab, config.d_model},
      target{config.target_vocab, config.d_model};
  if (config.embeddings == EmbeddingTies::shared) {
    add("Wemb", source, model.at(Stack::encoder, Role::embeddings).values);
  } else {
    add("encoder_Wemb", source, model.at(Stack::encoder, Role::embeddings).values);
    add("decoder_Wemb", target, model.at(Stack::decoder, Role::embeddings).values);
    if (config.embeddings == EmbeddingTies::none)
      add("decoder_ff_logit_out_Wt", target, model.at(Stack::decoder, Role::output).values);
  }
  if (config.output_bias)
    add("decoder_ff_logit_out_b", {config.target_vocab},
        model.at(Stack::decoder, Role::output, true).values);
  write_layers(
      model, [&](const ParameterPart& part) { return place_of(part, config, {}); }, add);
  file.finish(options_text(config, vocabulary_of(model.source, model.path)));
  std::string decoder =
      "relative-paths: true\nmodels:\n  - " + std::string(kModelFile) + "\nvocabs:\n";
  for (const std::string& name : vocabularies) decoder += "  - " + name + "\n";
  decoder += "beam-size: " + std::to_string(config.beam) + "\n";
  if (config.length_penalty == LengthPenalty::length)
    decoder += "normalize: " + get_field(config, "alpha") + "\n";
  if (!config.forbid_unknown) decoder += "allow-unk: true\n";
  if (config.extra_length == 0)
    decoder += "max-length-factor: " + get_field(config, "length_factor") + "\n";
  to.add("decoder.yml", decoder);
  to.commit();
}

void keep_search(const SearchSettings& model, SearchSettings& kept) {
  kept.narrow_beam = true, kept.forbid_unknown = model.forbid_unknown;
  if (model.extra_length == 0) kept.length_factor = model.length_factor, kept.extra_length = 0;
  if (model.length_penalty != LengthPenalty::length) kept.alpha = 0;
  if (model.alignment_head == 1) kept.alignment_layer = model.alignment_layer;
}

// Seen in Marian 1.12: its decoder normalises the rows of queries alone.
std::string departure_of_search(const Architecture& model) {
  if (model.norm != NormPlace::pre || model.decoder_self != DecoderSelf::attention) return "";
  return "Marian 1.12 does not normalise the keys and values of earlier tokens when it translates, "
         "though such a model is trained with normalised ones: its translations differ from those "
         "made here, which are as trained";
}

}  // namespace

const ForeignFormat kMarian{.name = "marian",
                            .files = {kModelFile, "decoder.yml"},
                            .read = read_marian,
                            .takes_files = true,
                            .takes_vocabularies = true,
                            .kinds = {{"one of Marian", model_options(), write_marian, obstacles}},
                            .keep_search = keep_search,
                            .departure = departure_of_search};

}  // namespace tt
