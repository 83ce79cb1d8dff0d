// Transformers of fairseq: a checkpoint, or a folder with model.safetensors (its tensors),
// config.json (the arguments of its model as JSON), and dict.LANGUAGE.txt for both languages, or
// dict.txt. Without SentencePiece models words are pieces.
//
// Source: fairseq/models/transformer, fairseq/modules/sinusoidal_positional_embedding.py,
// fairseq/data/dictionary.py. Matrices are [outputs, inputs].
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/foreign.h"
#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/safetensors.h"
#include "exchange/torch_file.h"
#include "exchange/transformers.h"
#include "exchange/vocabulary.h"

namespace tt {
namespace {

// Arguments of a run; the search is that of their default values.
const ForeignTable& run_arguments() {
  static const ForeignTable table{
      only("adaptive_input no_cross_attention cross_self_attention character_embeddings",
           {"false"}),
      kept("encoder_attention_heads", "heads"),
      kept("decoder_attention_heads", "heads", "@encoder_attention_heads"),
      kept("encoder_normalize_before decoder_normalize_before", "norm", "false",
           {{"false", "post"}, {"true", "pre"}}),
      kept("prepend_bos", "source_bos", "false"),
      kept("prepend_bos", "target_bos", "false"),
      kept("activation_fn", "activation", "relu",
           {{"relu", "relu"}, {"gelu", "gelu_erf"}, {"gelu_accurate", "gelu"}, {"swish", "swish"}}),
      kept("no_scale_embedding", "scale_embeddings", "false",
           {{"false", "true"}, {"true", "false"}}),
      fixed("attention_bias=true position_layout=tensor2tensor first_position=2 beam=5 "
            "length_penalty=length alpha=1 stop_when_full=true length_factor=0 extra_length=200"),
  };
  return table;
}

Config read_settings(const JsonSettings& arguments, const ForeignTensors& tensors) {
  Config config;
  read_settings(run_arguments(), values_of(arguments), config);
  config.encoder_layers = tensors.layers("encoder.layers.", ".fc1.weight", "fairseq");
  config.decoder_layers = tensors.layers("decoder.layers.", ".fc1.weight", "fairseq");
  config.source_vocab = tensors.extent("encoder.embed_tokens.weight", 0);
  config.d_model = tensors.extent("encoder.embed_tokens.weight", 1);
  config.target_vocab = tensors.extent("decoder.embed_tokens.weight", 0);
  config.d_ff = tensors.extent("encoder.layers.0.fc1.weight", 0);
  if (config.d_model % config.heads != 0) arguments.refuse("encoder_attention_heads");
  // Whether both sides have a tensor; `key` says so.
  const auto both = [&](const std::string& name, const char* key) {
    const bool has = tensors.has("encoder." + name);
    if (has != tensors.has("decoder." + name)) arguments.refuse(key);
    return has;
  };
  const bool last = both("layer_norm.weight", "no_decoder_final_norm");
  if (last != (config.norm == NormPlace::pre))
    config.final_norm = last ? FinalNorm::yes : FinalNorm::no;
  config.embedding_norm = both("layernorm_embedding.weight", "layernorm_embedding");
  if (both("embed_positions.weight", "decoder_learned_pos")) {
    config.positions = PositionKind::learned;
    config.max_length = tensors.extent("encoder.embed_positions.weight", 0) - kFirstPosition;
    if (config.max_length < 1) arguments.refuse("max_source_positions");
  }
  return config;
}

// Lines of `piece count`, behind the special pieces.
std::vector<std::string> read_dictionary(const std::string& path) {
  std::vector<std::string> pieces(std::begin(kFairseqSpecials), std::end(kFairseqSpecials));
  LineReader lines(file_of_model(path));
  std::string line;
  while (lines.next(line)) pieces.push_back(line.substr(0, line.rfind(' ')));
  return pieces;
}

// A model as its files have it: a checkpoint of fairseq, or its tensors and arguments apart.
struct Files {
  std::string folder;
  ForeignTensors tensors;
  JsonSettings arguments;
};

constexpr const char* kCheckpoints[] = {"checkpoint_best.pt", "model.pt", "checkpoint.pt",
                                        "checkpoint_last.pt"};

// The arguments of a run: those of argparse, or groups of which those of the model and of its task
// are here.
JsonSettings arguments_of(const nlohmann::json& data, const std::string& path) {
  const auto part = [&](const nlohmann::json& all, const char* key) {
    return all.is_object() && all.contains(key) && all[key].is_object() ? all[key]
                                                                        : nlohmann::json::object();
  };
  nlohmann::json arguments = part(data, "args");
  const nlohmann::json groups = part(data, "cfg");
  for (const char* group : {"task", "model"}) arguments.update(part(groups, group));
  if (const nlohmann::json task = part(groups, "task"); task.contains("_name"))
    arguments["task"] = task["_name"];
  if (arguments.empty())
    throw Error(path, ": has no \"args\" and no \"cfg\", which a checkpoint of fairseq has");
  return JsonSettings::of_object(arguments, path + ": its options");
}

Files open_files(const std::string& path) {
  std::string file = is_folder(path) ? "" : path;
  for (const char* name : kCheckpoints)
    if (file.empty() && file_exists(path + "/" + name)) file = path + "/" + name;
  if (file.empty() || file_exists(path + "/model.safetensors")) {
    // g++ 12 destroys members twice if one that is made in the list of a return throws.
    JsonSettings settings(path + "/config.json");
    ForeignTensors saved = read_safetensors(path + "/model.safetensors");
    return {path, std::move(saved), std::move(settings)};
  }
  TorchCheckpoint checkpoint = read_torch_checkpoint(file, {"model"});
  ForeignTensors tensors(file, 0);
  tensors.take_over(std::move(checkpoint.tensors), "model.");
  JsonSettings settings = arguments_of(checkpoint.data, file);
  const std::size_t slash = file.rfind('/');
  return {slash == file.npos ? "." : file.substr(0, slash), std::move(tensors),
          std::move(settings)};
}

// Languages that a task adds to a dictionary: "__de__", or in the style of mBART "[de_DE]" and a
// <mask>, whose brackets no other program has. The decoder of a fine-tuned mBART begins with that
// of the target.
struct Task {
  std::vector<std::string> languages;
  bool mbart = false;
  std::string start;
};
constexpr const char* kFromBart = "translation_from_pretrained_bart";

Task read_task(Architecture& config, const JsonSettings& arguments) {
  Task task;
  const std::string name = arguments.text("task", "");
  const bool from_bart = name == kFromBart;
  if (name.ends_with("denoising"))
    arguments.refuse("task", "a model that was trained to translate, by a task such as " +
                                 in_quotes(kFromBart) + ",");
  std::string all = arguments.value("langs").is_string() ? arguments.text("langs", "") : "";
  if (arguments.value("langs").is_array())
    for (const auto& language : arguments.value("langs"))
      if (language.is_string()) all += (all.empty() ? "" : ",") + language.get<std::string>();
  if (all.empty() ||
      (!from_bart && !arguments.has("decoder_langtok") && !arguments.has("encoder_langtok")))
    return task;
  task.mbart = from_bart || arguments.text("lang_tok_style", "multilingual") == "mbart";
  while (!all.empty()) {
    const std::string language = all.substr(0, all.find(','));
    all.erase(0, language.size() + 1);
    task.languages.push_back(task.mbart ? language : "__" + language + "__");
  }
  if (from_bart) {
    config.source_language = SourceLanguage::behind;
    task.start = arguments.text("target_lang", "");
    if (std::ranges::find(task.languages, task.start) == task.languages.end())
      arguments.refuse("target_lang", "one of \"langs\"");
    return task;
  }
  const std::string reads = arguments.text("encoder_langtok", "");
  if (reads == "src") config.source_language = SourceLanguage::before;
  else if (reads == "tgt") config.target_language = TargetLanguage::source;
  else if (!reads.empty()) arguments.refuse("encoder_langtok", "\"src\" or \"tgt\"");
  if (arguments.yes("decoder_langtok", false)) {
    if (reads == "tgt") arguments.refuse("encoder_langtok", "\"src\" with \"decoder_langtok\"");
    config.target_language = TargetLanguage::first;
  }
  return task;
}

// The dictionary of a side, with the languages that its task adds.
Vocabulary read_side(const Files& files, const ImportRequest& request, const Task& task,
                     bool source, int rows) {
  const std::string language = files.arguments.text(source ? "source_lang" : "target_lang", "");
  Vocabulary vocabulary;
  const std::string own = files.folder + "/dict." + language + ".txt";
  vocabulary.path = !request.vocabularies.empty()
                        ? (source ? request.vocabularies.front() : request.vocabularies.back())
                    : !language.empty() && file_exists(own) ? own
                                                            : files.folder + "/dict.txt";
  vocabulary.pieces = read_dictionary(vocabulary.path);
  vocabulary.pieces.insert(vocabulary.pieces.end(), task.languages.begin(), task.languages.end());
  if (task.mbart) vocabulary.pieces.emplace_back(kMask);
  // Rows of a model of many languages may be filled up.
  if (!task.languages.empty() && static_cast<int>(vocabulary.pieces.size()) < rows)
    vocabulary.pieces.resize(static_cast<std::size_t>(rows));
  vocabulary.start = task.start.empty() ? vocabulary.eos : task.start;
  vocabulary.silent = {kBos, kPad, kMask};
  vocabulary.silent.insert(vocabulary.silent.end(), task.languages.begin(), task.languages.end());
  check_rows(vocabulary, rows);
  return vocabulary;
}

PortableModel read_fairseq(const ImportRequest& request) {
  Files files = open_files(request.path);
  ForeignTensors& tensors = files.tensors;
  PortableModel model;
  Config& config = model.config = read_settings(files.arguments, tensors);
  const Task task = read_task(config, files.arguments);
  take_tables(model, tensors,
              {{"encoder.embed_tokens.weight"},
               {"decoder.embed_tokens.weight"},
               {"decoder.output_projection.weight", "decoder.embed_tokens.weight"}});
  take_learned_positions(model, tensors, "");
  read_layers(model, tensors, bart_place);
  tensors.ignore({"encoder.version", "decoder.version", "encoder.embed_positions._float_tensor",
                  "decoder.embed_positions._float_tensor"});
  tensors.check_all_taken();
  drop_zero_biases(model);

  for (const SubwordSide side : {SubwordSide::source, SubwordSide::target}) {
    const bool is_source = side == SubwordSide::source;
    const Vocabulary vocabulary = read_side(files, request, task, is_source,
                                            is_source ? config.source_vocab : config.target_vocab);
    const std::string subword = subword_if_any(files.folder, side, request.subword(side));
    model.take_subword(side, vocabulary, subword);
    model.files.push_back(vocabulary.path);
    if (subword.empty())
      model.notes.push_back(vocabulary.path + ": words between spaces are pieces");
  }
  return model;
}

}  // namespace

const ForeignFormat kFairseq{.name = "fairseq",
                             .files = {},
                             .read = read_fairseq,
                             .takes_files = true,
                             .takes_vocabularies = true};

}  // namespace tt
