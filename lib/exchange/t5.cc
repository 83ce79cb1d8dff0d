#include "exchange/t5.h"

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/split.h"
#include "base/utf8.h"
#include "exchange/tokenizer_pieces.h"
#include "exchange/transformers.h"
#include "model/checkpoint.h"
#include "text/languages.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char *kShared = "shared.weight", *kOutput = "lm_head.weight";
constexpr const char *kAbout = "tokenizer_config.json", *kClass = "tokenizer_class",
                     *kBytesClass = "ByT5Tokenizer";
constexpr std::array<const char*, 3> kSpecials = {kPad, "</s>", "<unk>"};  // before the bytes
constexpr int kBytes = 256, kByteRows = static_cast<int>(kSpecials.size()) + kBytes;
constexpr std::string_view kGated = "gated-";
constexpr const char* kProjection = "feed_forward_proj";
constexpr const char *kTasks = "task_specific_params", *kTranslation = "translation_";

// ---- Names --------------------------------------------------------------------------------------

// A feed-forward network without a gate has "wi", with one "wi_0" and the gate "wi_1".
std::string matrix_name(const ParameterPart& part, bool gated) {
  switch (part.role) {
    case Role::query: return "q";
    case Role::key: return "k";
    case Role::value: return "v";
    case Role::hidden: return gated ? "wi_0" : "wi";
    case Role::gate: return "wi_1";
    case Role::out: return part.sublayer == Sublayer::ffn ? "wo" : "o";
    default: TT_CHECK(!"T5 has no such part"); return "";
  }
}

ForeignPlace place_of(const ParameterPart& part, bool gated) {
  const bool decoder = part.stack == Stack::decoder;
  std::string name = decoder ? "decoder." : "encoder.";
  // Of the first layer, which all others use.
  if (part.role == Role::distances)
    return {name + "block.0.layer.0.SelfAttention.relative_attention_bias.weight", true};
  if (part.layer == 0) return {name + "final_layer_norm.weight"};
  const bool self = part.sublayer == Sublayer::self, ffn = part.sublayer == Sublayer::ffn;
  name += "block." + std::to_string(part.layer - 1) + ".layer." +
          std::to_string(self             ? 0
                         : ffn && decoder ? 2
                                          : 1) +
          ".";
  if (part.role == Role::gain) return {name + "layer_norm.weight"};
  name += ffn ? "DenseReluDense." : self ? "SelfAttention." : "EncDecAttention.";
  return {name + matrix_name(part, gated) + ".weight", true};
}

ForeignNames names_of(const Architecture& config) {
  return [gated = config.ffn_gate](const ParameterPart& part) { return place_of(part, gated); };
}

// ---- Reading ------------------------------------------------------------------------------------

const ForeignTable& t5_settings() {
  static const ForeignTable table{
      kept("d_model", "d_model"),
      kept("d_kv", "d_k"),
      kept("d_kv", "d_v"),
      kept("d_ff", "d_ff"),
      kept("num_layers", "encoder_layers"),
      kept("num_decoder_layers", "decoder_layers", "@num_layers"),
      kept("num_heads", "heads"),
      kept("is_gated_act", "ffn_gate"),
      kept("dense_act_fn", "activation", nullptr, transformers_activations()),
      kept("layer_norm_epsilon", "norm_epsilon", "1e-06"),
      kept("relative_attention_num_buckets", "position_buckets", "32"),
      kept("relative_attention_max_distance", "position_distance", "128"),
      kept("vocab_size", "source_vocab"),
      kept("vocab_size", "target_vocab"),
      // The decoder is scaled where the embeddings multiply it, but not where another matrix does.
      kept("tie_word_embeddings", "scale_output"),
      fixed("norm=pre norm_type=rms final_norm=auto|yes ffn_bias=false attention_bias=false "
            "output_bias=false positions=relative scores=dot scale_embeddings=false "
            "embeddings=shared|inputs source_prefixes target_language=none|source"),
  };
  return table;
}

// The values, with those that a file leaves to "feed_forward_proj", as "gated-gelu", which was
// trained with the approximation of tanh; and ties, which those of mT5 lack.
ForeignValues t5_values(const JsonSettings& settings) {
  const bool mt5 = settings.text("model_type", "") == "mt5";
  std::string activation = settings.text(kProjection, mt5 ? "gated-gelu" : "relu");
  const bool gated = activation.starts_with(kGated);
  if (gated) activation.erase(0, kGated.size());
  if (gated && activation == "gelu") activation = "gelu_new";
  const std::map<std::string, std::string> implied{{"is_gated_act", gated ? "true" : "false"},
                                                   {"dense_act_fn", activation},
                                                   {"tie_word_embeddings", mt5 ? "false" : "true"}};
  ForeignValues values = values_of(settings);
  values.text = [implied, said = values.text](const std::string& key) {
    const auto text = said(key);
    return text || !implied.contains(key) ? text : implied.at(key);
  };
  values.refuse = [&](const std::string& key, const std::string& possible) {
    settings.refuse(key == "dense_act_fn" && !settings.has(key) ? kProjection : key, possible);
  };
  return values;
}

Config read_settings(const JsonSettings& settings) {
  Config config;
  read_settings(t5_settings(), t5_values(settings), config);
  config.embeddings = config.scale_output ? EmbeddingTies::shared : EmbeddingTies::inputs;
  read_transformers_search(config, settings);
  return config;
}

// The tokenizer that config.json or tokenizer_config.json names.
std::string tokenizer_class(const std::string& folder, const JsonSettings& settings) {
  return JsonSettings::if_any(folder + "/" + kAbout).text(kClass, settings.text(kClass, ""));
}

}  // namespace

std::string byte_subword(int rows) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::vector<std::string> texts(kSpecials.begin(), kSpecials.end());
  for (int byte = 0; byte < kBytes; ++byte)
    texts.push_back(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">");
  for (int i = kByteRows; i < rows; ++i) texts.push_back("<extra " + std::to_string(i) + ">");
  texts.emplace_back("<none>");  // behind the vocabulary: SentencePiece wants a piece of text
  std::vector<ModelPiece> pieces;
  for (int i = 0; i <= rows; ++i)
    pieces.push_back({texts[i], 0,
                      i == rows ? PieceType::unused
                      : i == 2  ? PieceType::unknown
                      : i < static_cast<int>(kSpecials.size()) || i >= kByteRows
                          ? PieceType::control
                          : PieceType::byte});
  return with_pieces(empty_model(ModelProto::Kind::unigram, {"", false, false, false}, true),
                     pieces, {kSpecials[2], kSpecials[0], kSpecials[1]}, rows);
}

void silence_sentinels(Vocabulary& vocabulary) {
  std::set<std::string> there;
  for (std::string& text : vocabulary.pieces)
    if (text.starts_with("<extra_id_")) {
      if (there.insert(text).second) vocabulary.silent.push_back(text);
      else text.clear();
    }
}

bool is_of_bytes(const std::vector<std::string>& pieces) {
  if (pieces.size() < kByteRows || !std::equal(kSpecials.begin(), kSpecials.end(), pieces.begin()))
    return false;
  for (int byte = 0; byte < kBytes; ++byte) {
    std::string text;
    append_utf8(text, static_cast<char32_t>(byte));
    if (pieces[kSpecials.size() + static_cast<std::size_t>(byte)] != text) return false;
  }
  return true;
}

namespace {

// The pieces that begin a translation, and that none has.
void set_special(const Architecture& config, Vocabulary& vocabulary, const JsonSettings& settings) {
  const int pad = settings.integer("pad_token_id", 0, 0, config.source_vocab - 1),
            start = settings.integer("decoder_start_token_id", pad, 0, config.source_vocab - 1);
  const auto piece = [&](int id) { return vocabulary.pieces[id]; };
  if (piece(start).empty()) settings.refuse("decoder_start_token_id", "the number of a piece");
  vocabulary.start = piece(start);
  vocabulary.silent = {piece(pad)};
  silence_sentinels(vocabulary);
}

// One subword model for both sides.
void read_pieces(PortableModel& model, const ImportRequest& request, const JsonSettings& settings,
                 Vocabulary& vocabulary) {
  Config& config = model.config;
  const std::string& folder = request.path;
  if (tokenizer_class(folder, settings) == kBytesClass) {
    if (config.source_vocab < kByteRows)
      settings.refuse("vocab_size", std::to_string(kByteRows) + " or more");
    model.source = model.target = byte_subword(config.source_vocab);
    vocabulary = vocabulary_of(model.source, folder + "/" + kAbout);
    return;
  }
  const std::string& given =
      request.source_subword.empty() ? request.target_subword : request.source_subword;
  const std::string path = find_subword(folder, SubwordSide::source, given);
  vocabulary = read_tokenizer_pieces(folder, config.source_vocab, path, PieceNumbers::own);
  set_special(config, vocabulary, settings);
  model.take_subword(SubwordSide::source, vocabulary, path);
  model.target = model.source;
}

// Reads what stands before a source, such as "translate English to German: ", of the tasks
// "translation_en_to_de".
void read_tasks(PortableModel& model, const JsonSettings& settings) {
  const json tasks = settings.value(kTasks);
  std::vector<SourcePrefix> prefixes;
  std::string pairs;
  std::set<std::string> search;  // keys with which transformers would search for a task
  if (tasks.is_object())
    for (const auto& [name, task] : tasks.items()) {
      const std::size_t begin = std::string_view(kTranslation).size(),
                        between = name.find("_to_", begin);
      const auto text = text_in(task, "prefix");
      if (!name.starts_with(kTranslation) || between == name.npos || !text) continue;
      for (const auto& [key, value] : task.items())
        if (key != "prefix") search.insert(key);
      SourcePrefix prefix{name.substr(begin, between - begin), name.substr(between + 4), *text};
      while (prefix.text.ends_with(' ')) prefix.text.pop_back();
      if (!are_source_prefixes(join_source_prefixes({prefix}))) {
        model.losses.push_back(settings.path() + ": " + in_quotes(name) + " of its " +
                               in_quotes(kTasks) + " is not kept");
        continue;
      }
      pairs += (pairs.empty() ? "" : ", ") + prefix.from + "-" + prefix.to;
      prefixes.push_back(std::move(prefix));
    }
  if (!search.empty())
    model.losses.push_back(settings.path() + ": settings of search of its " + in_quotes(kTasks) +
                           " are not kept: " + join(search, ", ", in_quotes));
  if (prefixes.empty()) return;
  model.config.source_prefixes = join_source_prefixes(prefixes);
  model.notes.push_back(settings.path() +
                        ": what stands before a source is chosen by languages: " + pairs);
}

}  // namespace

bool is_t5(const std::string& model_type) { return model_type == "t5" || model_type == "mt5"; }

PortableModel read_t5(const ImportRequest& request, const JsonSettings& settings) {
  ForeignTensors tensors = read_transformers_tensors(request.path);
  PortableModel model;
  Config& config = model.config = read_settings(settings);
  const bool tied = config.embeddings == EmbeddingTies::shared;
  const Shape table{config.source_vocab, config.d_model};
  const std::string shared =
      tensors.first_of({kShared, "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"});
  tensors.check(shared, table);
  if (!tied) tensors.check(kOutput, table);
  model.declare(tensors.path());
  model.put_later(Stack::encoder, Role::embeddings, tensors.later(shared, table));
  if (!tied) model.put_later(Stack::decoder, Role::output, tensors.later(kOutput, table));
  read_layers(model, tensors, names_of(config));
  // Tied matrices, and one that files of the first version have and no program reads.
  tensors.ignore({kShared, "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", kOutput,
                  "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"});
  tensors.check_all_taken();

  Vocabulary vocabulary;
  read_pieces(model, request, settings, vocabulary);
  read_target_language(config, settings, vocabulary);
  check_eos(settings, vocabulary);
  note_lost_search(model, request.path, settings, vocabulary);
  note_no_length(model, request.path, settings);
  read_tasks(model, settings);
  return model;
}

// ---- Writing ------------------------------------------------------------------------------------

namespace {

json settings_of(const Config& config) {
  json settings{{"model_type", "t5"},
                {"architectures", {"T5ForConditionalGeneration"}},
                {"is_encoder_decoder", true},
                {"torch_dtype", "float32"}};
  Config said = config;
  said.d_k = said.d_v = config.key_size();
  write_settings(t5_settings(), said, settings);
  const std::string activation = settings["dense_act_fn"];
  settings[kProjection] = !config.ffn_gate           ? activation
                          : activation == "gelu_new" ? "gated-gelu"
                                                     : std::string(kGated) + activation;
  return settings;
}

bool is_of_bytes(const PortableModel& model) {
  return model.config.source_vocab >= kByteRows &&
         model.source == byte_subword(model.config.source_vocab);
}

std::vector<std::string> obstacles(const PortableModel& model) {
  const Config& config = model.config;
  std::vector<std::string> found;
  const auto refuse = [&](const std::string& what, const char* because) {
    found.push_back("a model " + what + " cannot be one of T5, which " + because);
  };
  const bool shared = config.embeddings == EmbeddingTies::shared;
  if ((shared || config.embeddings == EmbeddingTies::inputs) && config.scale_output != shared)
    refuse("with scale_output " + get_field(config, "scale_output") + " and embeddings " +
               get_field(config, "embeddings"),
           "scales what it multiplies by shared embeddings, and nothing else");
  if (model.source != model.target)
    refuse("with two subword models", "has one for source and target");
  if (!is_of_bytes(model) && !is_whole_subword(model.source))
    found.emplace_back(
        "its subword model has pieces without numbers, or none of SentencePiece; such a model "
        "cannot be one of T5");
  return found;
}

void write_t5(PortableModel model, const std::string& folder) {
  const Config& config = model.config;
  const bool bytes = is_of_bytes(model);
  const Vocabulary vocabulary = vocabulary_of(model.source, model.path + ": its subword model");
  const auto start = index_of(vocabulary.pieces, vocabulary.start),
             eos = index_of(vocabulary.pieces, vocabulary.eos);
  // Of a vocabulary without padding the piece that the decoder begins with pads as well.
  const auto found = index_of(vocabulary.pieces, kPad);
  const auto pad = found < config.source_vocab ? found : start;
  AtomicFolder to(folder, model.path);
  json about{{kClass, bytes ? kBytesClass : "T5Tokenizer"},
             {"eos_token", vocabulary.eos},
             {"unk_token", vocabulary.unk},
             {"pad_token", vocabulary.pieces[pad]},
             {"extra_ids", bytes ? config.source_vocab - kByteRows : 0}};
  if (!bytes) about["legacy"] = false, to.add("spiece.model", model.source);
  to.add(kAbout, about.dump(2) + "\n");
  const json numbers{
      {"decoder_start_token_id", start}, {"eos_token_id", eos}, {"pad_token_id", pad}};
  json settings = settings_of(config);
  for (const SourcePrefix& p : parse_source_prefixes(config.source_prefixes))
    settings[kTasks][kTranslation + p.from + "_to_" + p.to] = {{"prefix", p.text + " "}};
  write_target_language(config, vocabulary, settings);

  TransformersTensors tensors;
  const Shape table{config.source_vocab, config.d_model};
  tensors.add(kShared, table, model.at(Stack::encoder, Role::embeddings).all());
  if (config.embeddings == EmbeddingTies::inputs)
    tensors.add(kOutput, table, model.at(Stack::decoder, Role::output).all());
  write_layers(model, names_of(config), tensors.put());
  finish_transformers(to, config, settings, json::object(), numbers, INT_MAX, tensors);
}

}  // namespace

ForeignKind t5_kind() { return {"one of T5", t5_settings(), write_t5, obstacles}; }

}  // namespace tt
