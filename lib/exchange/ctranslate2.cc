#include "exchange/ctranslate2.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/setting.h"
#include "base/split.h"
#include "exchange/ctranslate2_file.h"
#include "exchange/ctranslate2_variables.h"
#include "exchange/foreign.h"
#include "exchange/json_settings.h"
#include "exchange/t5.h"
#include "exchange/tokenizer_json.h"
#include "exchange/vocabulary.h"
#include "text/languages.h"
#include "text/subword.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kSearch = "tt_search";  // of our own: how the model searches here
// Our own key: settings that the program leaves to whoever calls it.
constexpr const char* kCalled = "tt_called_with";
const ForeignTable& caller_settings() {
  static const ForeignTable table =
      fixed("source_language source_prefixes target_language target_bos source_eos");
  return table;
}
// Our own key: by side whether pieces without a SentencePiece model are "words" or "characters".
constexpr const char* kPieces = "tt_pieces";
constexpr const char *kStart = "decoder_start_token", *kTarget = "decoder/embeddings/weight",
                     *kOutput = "decoder/projection/weight";
constexpr const char* kSource = "encoder/embeddings_0/weight";  // or, in older files, without _0
constexpr std::int64_t kPositions = 2048;                       // that a folder has sinusoids for
// ---- Reading ------------------------------------------------------------------------------------

std::string source_table(const ForeignTensors& tensors) {
  const char* const old = "encoder/embeddings/weight";
  return tensors.has(old) ? old : kSource;
}

// Keys of config.json. Source: the converters of CTranslate2, in specs/ and converters/.
const ForeignTable& folder_settings() {
  static const ForeignTable table{
      kept("unk_token bos_token eos_token add_source_bos add_source_eos layer_norm_epsilon"),
      kept(kStart),
      kept(kSearch),
      kept(kCalled),
      kept(kPieces),
      reported("multi_query_attention", "false"),
      reported("suppress_ids suppress_ids_begin alignment_heads lang_ids"),
      // Of the numbers' form, which the variables have.
      idle("quantization_type quantization_bits quantization_group_size"),
  };
  return table;
}

// Variables, of both sides where their names say none, and settings of all models of the program; a
// search is what it is without others.
const ForeignTable& variable_settings() {
  static const ForeignTable table{
      kept("num_heads", "heads", "8"),
      kept("pre_norm", "norm", "1", {{"1", "pre"}, {"0", "post"}}),
      kept("activation", "activation", "0",
           {{"0", "relu"},
            {"1", "gelu"},
            {"2", "swish"},
            {"4", "gelu_logistic"},
            {"3", "gelu_erf"}}),
      kept("scale_embeddings", "scale_embeddings", "1", {{"1", "true"}, {"0", "false"}}),
      kept("decoder/start_from_zero_embedding", "start", "0", {{"0", "bos"}, {"1", "zero"}}),
      kept("decoder/alignment_layer decoder/alignment_heads"),
      only("multi_query_attention", {"0"}),
      always("decoder/alibi decoder/scale_alibi", {"0"}),
      always("encoder/embeddings_merge decoder/alibi_use_positive_positions", {"0", "1"}),
      fixed("scores=scaled|dot positions=sinusoidal|learned|relative beam=2 length_penalty=length "
            "alpha=1 stop_when_full=true length_factor=0 extra_length=256"),
      // Those that tensors tell, or whoever calls the program.
      fixed("norm_type final_norm norm_epsilon ffn_gate ffn_bias d_k d_v scale_output embeddings "
            "position_buckets position_distance position_layout first_position embedding_norm "
            "source_bos"),
      caller_settings(),
  };
  return table;
}

Config read_settings(CTranslate2File& file, const JsonSettings& settings) {
  ForeignTensors& tensors = file.variables;
  Config config;
  config.encoder_layers =
      tensors.layers("encoder/layer_", "/self_attention/linear_0/weight", "CTranslate2");
  config.decoder_layers =
      tensors.layers("decoder/layer_", "/self_attention/linear_0/weight", "CTranslate2");
  config.source_vocab = tensors.extent(source_table(tensors), 0);
  config.target_vocab = tensors.extent(kTarget, 0);
  config.d_model = tensors.extent(source_table(tensors), 1);
  config.d_ff = tensors.extent("encoder/layer_0/ffn/linear_0/weight", 0);
  read_settings(variable_settings(), values_of(file, variable_settings(), config.d_model), config);
  config.final_norm = tensors.has("encoder/layer_norm/gamma") ? FinalNorm::yes : FinalNorm::no;
  if (config.has_final_norm() == (config.norm == NormPlace::pre))
    config.final_norm = FinalNorm::by_norm;
  config.embedding_norm = tensors.has("encoder/layernorm_embedding/gamma");
  if (!tensors.has("encoder/layer_0/ffn/layer_norm/beta")) config.norm_type = NormType::rms;
  config.norm_epsilon = settings.number("layer_norm_epsilon",
                                        config.norm_type == NormType::rms ? 1e-6 : 1e-5, 1e-12, 1);
  // From 0; the first heads of the layer. Of several CTranslate2 takes the mean.
  const double layer = scalar(tensors, "decoder/alignment_layer", -1),
               heads = scalar(tensors, "decoder/alignment_heads", 0);
  if (layer >= 0 && layer < config.decoder_layers && heads == 1)
    config.alignment_layer = static_cast<int>(layer) + 1;
  config.attention_bias = true;
  config.ffn_bias = tensors.has("encoder/layer_0/ffn/linear_0/bias");
  config.ffn_gate = tensors.has("encoder/layer_0/ffn/linear_0_noact/weight");
  read_attention(config, tensors);
  return config;
}

// The settings that an object of a key of our own has, each of which `may` be there.
void read_own(Config& config, const JsonSettings& settings, const char* key, const char* setting,
              const auto& may) {
  if (!settings.has(key)) return;
  const json own = settings.value(key);
  if (!own.is_object()) settings.refuse(key, "an object");
  const std::string where = settings.path() + ": its " + in_quotes(key);
  for (const auto& [name, value] : own.items())
    if (!value.is_primitive() || !may(name))
      throw Error(where, ": ", in_quotes(name), " is no ", setting);
  read_json(config, own.dump(), where);
}

// The search of a model that tt-export wrote, which another folder does not say.
void read_search(Config& config, const JsonSettings& settings) {
  read_own(config, settings, kSearch, "setting of search", [](const std::string& name) {
    const Field* const field = find_field(name);
    return !field || field->group == FieldGroup::search;
  });
}

// The settings that a folder of tt-export says, which another leaves to whoever calls it.
void read_called(Config& config, const JsonSettings& settings) {
  read_own(config, settings, kCalled, "such setting", [](const std::string& name) {
    return std::ranges::find(caller_settings(), name, &ForeignSetting::setting) !=
           caller_settings().end();
  });
}

// Special pieces by config.json, or of older files by their variables.
struct Special {
  std::string unk, bos, eos, start;
  bool source_bos, source_eos;
};

Special read_special(CTranslate2File& file, const JsonSettings& settings) {
  const auto text = [&](const char* key, const std::string& otherwise) {
    if (file.version >= 6 || !file.variables.has(key)) return settings.text(key, otherwise);
    std::string value;
    for (const float x : file.variables.take(key))
      value.push_back(static_cast<char>(static_cast<int>(x)));
    return value;
  };
  const auto yes = [&](const char* old, const char* key, bool otherwise) {
    return file.version >= 6 ? settings.yes(key, otherwise)
                             : scalar(file.variables, old, otherwise) != 0;
  };
  Special special;
  special.unk = text("unk_token", "<unk>");
  special.bos = text("bos_token", kBos);
  special.eos = text("eos_token", "</s>");
  const bool bos = file.version >= 6 || scalar(file.variables, "with_target_bos", 1) != 0;
  special.start = settings.text(kStart, bos ? special.bos : special.eos);
  special.source_bos = yes("with_source_bos", "add_source_bos", false);
  special.source_eos = yes("with_source_eos", "add_source_eos", false);
  file.variables.ignore({"user_decoder_start_tokens"});
  return special;
}

bool has_piece(const Vocabulary& vocabulary, const std::string& piece) {
  return std::ranges::find(vocabulary.pieces, piece) != vocabulary.pieces.end();
}

// Whether a source ends with </s>. Folders that a converter made of models of transformers say no
// as those of OpenNMT do, but there the tokenizer has written the piece.
bool ends_source(const Special& special, const Architecture& config, const Vocabulary& source,
                 const std::string& path) {
  const auto has = [&](const char* piece) { return has_piece(source, piece); };
  if (special.source_eos || config.start == StartSymbol::zero)
    return true;  // Marian's begin with zeros
  if (config.source_language != SourceLanguage::none || (config.source_bos && !special.source_bos))
    return true;                     // a tokenizer of transformers writes both
  if (has("<blank>")) return false;  // OpenNMT
  if (config.positions == PositionKind::relative) return true;  // T5's tokenizer
  if (special.start == special.bos && special.bos != special.eos && !has(kPad)) return false;
  throw SettingError(path, ": does not say whether the program that writes its input ends it with ",
                     in_quotes(special.eos), "; say it with ", Setting{"source_eos"},
                     " yes (models of transformers) or ", Setting{"source_eos"},
                     " no (of OpenNMT)");
}

// Lines, of which the CR at the end counts unless all have one.
std::vector<std::string> lines_of(std::string_view text) {
  const auto parts = split(text, '\n');
  std::vector<std::string> lines(parts.begin(), parts.end());
  if (lines.back().empty()) lines.pop_back();  // behind the last LF
  const auto ends = [](const std::string& line) { return line.ends_with('\r'); };
  if (std::ranges::all_of(lines, ends))
    for (std::string& line : lines) line.pop_back();
  return lines;
}

// The vocabulary of a side, with <unk> at its end where it lacks that, as the program adds it.
Vocabulary read_vocabulary(const ModelFiles& files, const std::string& side,
                           const std::string& unk) {
  Vocabulary vocabulary;
  for (const std::string& name : {std::string("shared_vocabulary"), side + "_vocabulary"})
    for (const char* extension : {".json", ".txt"}) {
      if (!files.has(name + extension)) continue;
      vocabulary.path = files.path(name + extension);
      const FileBytes bytes = files.read(name + extension);
      vocabulary.pieces = std::string_view(extension) == ".json"
                              ? read_json_vocabulary(bytes.text, vocabulary.path)
                              : lines_of(bytes.text);
      if (!has_piece(vocabulary, unk)) vocabulary.pieces.push_back(unk);
      return vocabulary;
    }
  throw Error(files.path(side + "_vocabulary.json"),
              ": is not there, nor is a shared_vocabulary (.json or .txt), one of which a "
              "folder of CTranslate2 has");
}

// Pieces such as "deu_Latn" choose one of several languages, and are no text: of the source before
// it, and of the target as the first of the translation, as M2M-100, NLLB-200 and mBART-50 have
// them. `called`: the folder says where they are.
void read_languages(Architecture& config, Vocabulary& vocabulary, const Special& special,
                    bool source, bool called) {
  if (source && chooses_target(vocabulary)) config.target_language = TargetLanguage::source;
  std::vector<std::string> languages = language_pieces(vocabulary);
  std::erase_if(languages, [](const std::string& piece) {
    return piece.starts_with(">>") || piece.starts_with("<2");
  });
  if (languages.size() < 2) return;
  const bool starts = language_of(special.start).has_value();
  if (special.start != special.eos && !starts && !called)
    throw Error(vocabulary.path, ": has pieces for ", languages.size(), " languages (",
                languages[0], ", ", languages[1], languages.size() > 2 ? ", ..." : "",
                "), but its decoder begins with ", in_quotes(special.start),
                ", not as those of M2M-100 and NLLB-200; it cannot be imported");
  vocabulary.silent.insert(vocabulary.silent.end(), languages.begin(), languages.end());
  if (source) config.source_language = starts ? SourceLanguage::behind : SourceLanguage::before;
  else if (!starts) config.target_language = TargetLanguage::first;
}

// The subword model of a side; where there is none, and the pieces are not of one, they are
// characters or words.
std::string read_pieces(const ModelFiles& files, Vocabulary& vocabulary, SubwordSide side,
                        const std::string& given, const JsonSettings& settings,
                        PortableModel& model) {
  const auto marked = [](const std::string& piece) {
    return piece.find(kSpacePiece) != std::string::npos;
  };
  const bool cut = std::ranges::any_of(vocabulary.pieces, marked);
  const auto said = text_in(settings.value(kPieces), name_of(side));
  if (!given.empty())
    return number_pieces(read_subword(given, &model.losses), vocabulary, side, given,
                         &model.losses);
  for (const std::string& name : subword_names(side))
    if (files.has(name)) {
      const FileBytes bytes = files.read(name);
      check_downloaded(bytes.text, files.path(name));
      return number_pieces(name == kTokenizer
                               ? tokenizer_model(bytes.text, files.path(name), &model.losses)
                               : std::string(bytes.text),
                           vocabulary, side, files.path(name), &model.losses);
    }
  if (is_of_bytes(vocabulary.pieces))
    return byte_subword(static_cast<int>(vocabulary.pieces.size()));
  if (cut && !said) refuse_without_subword(files.folder(), side);
  vocabulary.plain = !said ? plain_kind(vocabulary)
                     : *said == name_of(ModelProto::Plain::characters)
                         ? ModelProto::Plain::characters
                         : ModelProto::Plain::words;
  const bool words = vocabulary.plain == ModelProto::Plain::words;
  model.notes.push_back(vocabulary.path +
                        (words ? ": words between spaces are pieces" : ": characters are pieces"));
  return number_pieces("", vocabulary, side, vocabulary.path, &model.losses);
}

JsonSettings read_config(const ModelFiles& files) {
  const std::string path = files.path("config.json");
  if (!files.has("config.json")) return JsonSettings::none(path);
  const FileBytes bytes = files.read("config.json");
  const JsonSettings settings(bytes.text, path);
  const json all = json::parse(bytes.text);
  // Whoever calls the program gives the piece.
  if (all.contains(kStart) && all[kStart].is_null())
    settings.refuse(kStart, "one whose config.json names a piece");
  return settings;
}

}  // namespace

PortableModel read_ctranslate2(const ModelFiles& files, const ImportRequest& request) {
  const JsonSettings settings = read_config(files);
  CTranslate2File file = read_ctranslate2_file(files.read("model.bin"), files.path("model.bin"));
  ForeignTensors& tensors = file.variables;
  PortableModel model;
  Config& config = model.config = read_settings(file, settings);
  const Special special = read_special(file, settings);
  config.source_bos = special.source_bos;
  if (special.source_bos && special.bos != kBos) settings.refuse("add_source_bos", "false");
  read_search(config, settings);
  if (const std::string lost =
          lost_settings(folder_settings(), values_of(settings), settings.keys());
      !lost.empty())
    model.losses.push_back(settings.path() + ": settings that are not kept: " + lost);
  PositionTables positions;
  if (const std::string name = "/position_encodings/encodings"; tensors.has("encoder" + name)) {
    positions = take_positions(tensors, "encoder" + name, "decoder" + name, config.d_model);
    describe_positions(config, positions);
  } else if (config.positions != PositionKind::relative) {  // the program computes them
    config.position_layout = PositionLayout::tensor2tensor;
    config.first_position = 1;
  }
  take_tables(model, tensors,
              {{source_table(tensors)}, {kTarget}, {kOutput}, "decoder/projection/bias", true});
  put_positions(model, positions, tensors.path());
  read_layers(model, tensors, ctranslate2_place);
  tensors.check_all_taken();
  drop_zero_biases(model);

  for (const SubwordSide side : {SubwordSide::source, SubwordSide::target}) {
    const bool is_source = side == SubwordSide::source;
    Vocabulary vocabulary = read_vocabulary(files, name_of(side), special.unk);
    check_rows(vocabulary, is_source ? config.source_vocab : config.target_vocab);
    if (config.positions == PositionKind::relative) silence_sentinels(vocabulary);
    vocabulary.eos = special.eos, vocabulary.unk = special.unk;
    if (config.start == StartSymbol::bos) vocabulary.start = special.start;
    if (!is_source && config.start == StartSymbol::bos && !has_piece(vocabulary, special.start))
      settings.refuse(kStart, "a piece of " + vocabulary.path);
    for (const char* piece : {"<blank>", kPad})
      if (piece != vocabulary.start) vocabulary.silent.push_back(piece);
    read_languages(config, vocabulary, special, is_source, settings.has(kCalled));
    // BART's tokenizer writes both pieces around a source.
    if (is_source && config.embedding_norm && config.source_language == SourceLanguage::none &&
        !special.source_eos && special.start == special.eos)
      config.source_bos = true, vocabulary.silent.emplace_back(special.bos);
    read_called(config, settings);
    if (is_source)
      config.source_eos = request.source_eos.value_or(false) ||
                          (!request.source_eos && (config.source_eos || special.source_eos) &&
                           ends_source(special, config, vocabulary, request.path));
    model.subword(side) =
        read_pieces(files, vocabulary, side, request.subword(side), settings, model);
  }
  return model;
}

// ---- Writing ------------------------------------------------------------------------------------

namespace {

CTranslate2Writer describe(const PortableModel& model) {
  const Config& config = model.config;
  CTranslate2Writer file;
  const Shape source{config.source_vocab, config.d_model},
      target{config.target_vocab, config.d_model};
  const std::string source_name = model.name(Stack::encoder, Role::embeddings),
                    target_name = model.name(Stack::decoder, Role::embeddings),
                    output_name = model.name(Stack::decoder, Role::output);
  // Equal variables have their numbers under the first name.
  file.add(kTarget, target, model.at(target_name).values);
  if (source_name == target_name) file.alias(kSource, kTarget);
  else file.add(kSource, source, model.at(source_name).values);
  if (output_name == target_name) file.alias(kOutput, kTarget);
  else file.add(kOutput, target, model.at(output_name).values);
  if (config.output_bias)
    file.add("decoder/projection/bias", {config.target_vocab},
             model.at(Stack::decoder, Role::output, true).values);
  const int aligning = config.alignment_head == 1 ? config.alignment_layer : 0;
  const json others{{"decoder/alignment_layer", aligning - 1},  // -1: the last
                    {"decoder/alignment_heads", 1}};
  const nlohmann::ordered_json written = written_settings(variable_settings(), config, others);
  for (const bool is_decoder : {false, true}) {
    const std::string side = side_of(is_decoder) + "/";
    for (const auto& [key, value] : written.items())
      if (key.find('/') == key.npos) file.add(side + key, value.get<int>());
      else if (key.starts_with(side)) file.add(key, value.get<int>());
    if (config.positions != PositionKind::relative) {
      const StoredMatrix positions =
          position_table(model, is_decoder ? Stack::decoder : Stack::encoder, kPositions);
      file.add(side + "position_encodings/encodings", {positions.rows, positions.columns},
               positions.values);
    }
    write_attention(config, is_decoder, file);
  }
  if (config.scale_output)
    file.add("decoder/scale_outputs", {}, {1 / std::sqrt(static_cast<float>(config.d_model))});
  write_layers(model, ctranslate2_place,
               [&](const std::string& name, const Shape& shape, const std::vector<float>& values) {
                 file.add(name, shape, values);
               });
  return file;
}

void write_ctranslate2(PortableModel model, const std::string& folder) {
  const CTranslate2Writer variables = describe(model);
  variables.check(folder);
  const Vocabulary source = vocabulary_of(model.source, "the source's subword model"),
                   target = vocabulary_of(model.target, "the target's subword model");
  const auto as_json = [](const std::vector<std::string>& pieces) {
    return json(pieces).dump(1) + "\n";
  };
  const bool shared = source.pieces == target.pieces;
  check_absent(folder,
               shared ? std::vector<std::string>{"source_vocabulary.json", "target_vocabulary.json"}
                      : std::vector<std::string>{"shared_vocabulary.json"});
  AtomicFolder to(folder, model.path);
  if (shared) {
    to.add("shared_vocabulary.json", as_json(source.pieces));
  } else {
    to.add("source_vocabulary.json", as_json(source.pieces));
    to.add("target_vocabulary.json", as_json(target.pieces));
  }
  for (const auto& [side, bytes] :
       {std::pair("source", &model.source), {"target", &model.target}}) {
    const ModelProto proto = read_model_proto(*bytes, side);
    if (proto.plain == ModelProto::Plain::no) to.add(std::string(side) + ".spm", *bytes);
    else if (!proto.merges.empty()) to.add(std::string(side) + ".codes", std::string(proto.merges));
  }
  json search = json::object();
  const json all = json::parse(to_json(model.config));
  for (const Field& field : fields())
    if (field.group == FieldGroup::search) search[field.name] = all[field.name];
  json settings{{"add_source_bos", model.config.source_bos},
                {"add_source_eos",
                 model.config.source_eos && model.config.source_language == SourceLanguage::none},
                {"bos_token", model.config.source_bos ? kBos : target.start},
                {kStart, target.start},
                {"eos_token", target.eos},
                {"unk_token", target.unk},
                {"layer_norm_epsilon", model.config.norm_epsilon},
                {"multi_query_attention", false},
                {kSearch, search}};
  // A reader would take something else from the pieces of languages.
  const bool languages = chooses_target(source) || !language_pieces(source).empty();
  for (const ForeignSetting& row : caller_settings()) {
    const Field& field = *find_field(row.setting);
    if ((languages && row.setting.ends_with("_language")) ||
        get_field(model.config, field) != get_field(Config(), field))
      settings[kCalled][row.setting] = all[row.setting];
  }
  for (const auto& [side, vocabulary] :
       {std::pair(SubwordSide::source, &source), {SubwordSide::target, &target}})
    if (vocabulary->plain != ModelProto::Plain::no)
      settings[kPieces][name_of(side)] = name_of(vocabulary->plain);
  to.add("config.json", settings.dump(2) + "\n");
  variables.write(to.add("model.bin"));
  to.commit();
}

void keep_search(const SearchSettings& model, SearchSettings& kept) {
  kept.stop_when_full = true;
  if (model.length_factor == 0) kept.length_factor = 0, kept.extra_length = model.extra_length;
  kept.beam = 2, kept.alpha = 1;
  if (model.alignment_head == 1) kept.alignment_layer = model.alignment_layer;
}

}  // namespace

const ForeignFormat kCTranslate2{
    .name = "ctranslate2",
    .files = {"model.bin"},
    .read =
        [](const ImportRequest& request) {
          return read_ctranslate2(ModelFiles({request.path}), request);
        },
    .asks_source_eos = true,
    .kinds = {{"a folder of CTranslate2", variable_settings(), write_ctranslate2}},
    .keep_search = keep_search};

}  // namespace tt
