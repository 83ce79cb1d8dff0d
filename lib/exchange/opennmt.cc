// Transformers of OpenNMT-py, a checkpoint (.pt), and of its successor eole, a folder with
// config.json, vocab.json and model.00.safetensors. Without SentencePiece models words are pieces.
//
// Source: onmt/encoders/transformer.py, onmt/decoders/transformer.py, onmt/modules and
// onmt/models/model_saver.py of OpenNMT-py; the same folders of eole. Matrices are [outputs,
// inputs]. Their layers normalise before each sub-layer, with a last norm; sources do not end with
// </s>.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/foreign.h"
#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/safetensors.h"
#include "exchange/torch_file.h"
#include "exchange/vocabulary.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char* kWeights = "model.00.safetensors";

// The names of tensors that the two programs have.
struct Program {
  std::string encoder_layers, decoder_layers;  // before the number of a layer
  std::string source, target, output;          // tables
  bool eole;
};

// Keys of both programs; a search is that of their default values.
ForeignTable settings_of(bool eole) {
  ForeignTable table{
      only("encoder_type decoder_type", {"transformer"}),
      only("architecture", {"transformer", "custom"}),
      only("model_task", {"seq2seq"}),
      only("encoder_layer_style", {"standard"}),
      only("self_attn_type", {"scaled-dot", "scaled-dot-flash"}),
      only("max_relative_positions relative_positions_buckets num_experts sliding_window "
           "position_shift",
           {"0"}),
      only("multiquery parallel_residual shared_layer_norm ffn_layernorm embedding_layer_norm "
           "normalize copy_attn",
           {"false"}),
      only("generator_function", {"softmax"}),
      only("model_dtype", {"fp32", "fp16", "bf16"}),
      kept("heads", "heads", "8"),
      kept("num_kv heads_kv", "heads", "0", {{"0", {}}}),
      kept("layer_norm", "norm_type", "standard", {{"standard", "layer"}, {"rms", "rms"}}),
      kept("norm_eps", "norm_epsilon", eole ? "1e-05" : "1e-06"),
      kept(eole ? "mlp_activation_fn" : "pos_ffn_activation_fn", "activation", "relu",
           {{"relu", "relu"}, {"gelu", "gelu_erf"}, {"fast_gelu", "gelu"}, {"gelu-tanh", "gelu"}}),
      fixed("norm=pre attention_bias=true source_eos=false beam=5 length_penalty=length alpha=1 "
            "length_factor=0 extra_length=250"),
  };
  if (!eole)  // without positions embeddings are not scaled either
    table = {table,
             kept("position_encoding", "positions", "false",
                  {{"true", "sinusoidal"}, {"false", "none"}}),
             kept("position_encoding", "scale_embeddings", "false")};
  return table;
}

// A model as its files have it.
struct Files {
  std::string folder;
  Program program;
  ForeignTensors tensors;
  JsonSettings settings;
  json vocabularies;
};

// Settings of a model, and of its parts, which must agree.
JsonSettings joined(const json& model, const std::string& where) {
  json all = json::object();
  const auto add = [&](const json& part) {
    if (!part.is_object()) return;
    for (const auto& [key, value] : part.items()) {
      if (!value.is_primitive()) continue;
      const bool name = key == "encoder_type" || key == "decoder_type";
      if (!name && all.contains(key) && all[key] != value)
        throw Error(where, ": its encoder and decoder have another ", in_quotes(key),
                    ", which cannot be imported");
      all[key] = value;
    }
  };
  add(model);
  for (const char* part : {"embeddings", "encoder", "decoder"})
    if (model.is_object()) add(model.value(part, json()));
  return JsonSettings::of_object(all, where);
}

Files open_eole(const std::string& folder) {
  const JsonSettings config(folder + "/config.json"), vocab(folder + "/vocab.json");
  json lists = json::object();
  for (const std::string& key : vocab.keys()) lists[key] = vocab.value(key);
  // g++ 12 destroys members twice if one that is made in the list of a return throws.
  JsonSettings settings = joined(config.value("model"), folder + "/config.json: its \"model\"");
  ForeignTensors tensors = read_safetensors(folder + "/" + kWeights);
  return {folder,
          {"encoder.transformer_layers.", "decoder.transformer_layers.",
           "src_emb.embeddings.weight", "tgt_emb.embeddings.weight", "generator.", true},
          std::move(tensors),
          std::move(settings),
          std::move(lists)};
}

Files open_checkpoint(const std::string& path) {
  TorchCheckpoint checkpoint = read_torch_checkpoint(path, {"model", "generator"});
  const json& data = checkpoint.data;
  if (!data.is_object() || !data.contains("opt") || !data["opt"].is_object())
    throw Error(path, ": has no \"opt\", which a checkpoint of OpenNMT-py has");
  ForeignTensors tensors(path, 0);
  std::string prefix = "model.";
  const std::string apart = path.substr(0, path.rfind('.')) + ".safetensors";
  if (!data.contains("model") && file_exists(apart)) {
    tensors.take_over(read_safetensors(apart));
    prefix.clear();
  } else {
    tensors.take_over(std::move(checkpoint.tensors));
  }
  JsonSettings settings = joined(data["opt"], path + ": its options");
  json vocabularies = data.contains("vocab") ? data["vocab"] : json();
  const std::string table = ".embeddings.make_embedding.emb_luts.0.weight",
                    output = tensors.has("generator.0.weight") ? "generator.0." : "generator.";
  const std::size_t slash = path.rfind('/');
  return {slash == path.npos ? "." : path.substr(0, slash),
          {prefix + "encoder.transformer.", prefix + "decoder.transformer_layers.",
           prefix + "encoder" + table, prefix + "decoder" + table, output, false},
          std::move(tensors),
          std::move(settings),
          std::move(vocabularies)};
}

Config read_settings(const Files& files) {
  const auto& [folder, program, tensors, settings, vocabularies] = files;
  Config config;
  read_settings(settings_of(program.eole), values_of(settings), config);
  if (config.positions != PositionKind::none)
    read_settings(
        {kept("position_encoding_type", "position_layout", "SinusoidalInterleaved",
              {{"SinusoidalInterleaved", "interleaved"}, {"SinusoidalConcat", "tensor2tensor"}})},
        values_of(settings), config);
  config.encoder_layers = tensors.layers(program.encoder_layers, ".self_attn.linear_query.weight",
                                         "OpenNMT-py or eole");
  config.decoder_layers = tensors.layers(program.decoder_layers, ".self_attn.linear_query.weight",
                                         "OpenNMT-py or eole");
  config.source_vocab = tensors.extent(program.source, 0);
  config.d_model = tensors.extent(program.source, 1);
  config.target_vocab =
      tensors.has(program.target) ? tensors.extent(program.target, 0) : config.source_vocab;
  config.d_ff =
      tensors.extent(program.encoder_layers +
                         (program.eole ? "0.mlp.gate_up_proj.weight" : "0.feed_forward.w_1.weight"),
                     0);
  if (config.d_model % config.heads != 0) settings.refuse("heads");
  return config;
}

ForeignPlace place_of(const ParameterPart& part, const Program& program, bool old_norms) {
  const bool decoder = part.stack == Stack::decoder;
  const std::string& layers = decoder ? program.decoder_layers : program.encoder_layers;
  std::string name = layers + std::to_string(part.layer - 1) + ".";
  if (part.role == Role::gain || part.role == Role::shift) {
    const bool self = part.sublayer == Sublayer::self, ffn = part.sublayer == Sublayer::ffn;
    if (part.layer == 0) name = layers.substr(0, layers.find("transformer")) + "layer_norm";
    else if (program.eole)
      name += self ? "input_layernorm" : ffn ? "post_attention_layernorm" : "precontext_layernorm";
    else if (ffn) name += "feed_forward.layer_norm";
    else name += !decoder ? "layer_norm" : self ? "layer_norm_1" : "layer_norm_2";
    const bool gain = part.role == Role::gain;
    return {name + (old_norms ? (gain ? ".a_2" : ".b_2") : (gain ? ".weight" : ".bias"))};
  }
  if (part.sublayer == Sublayer::ffn) {
    const bool first = part.index == 1;
    name += program.eole ? (first ? "mlp.gate_up_proj" : "mlp.down_proj")
                         : (first ? "feed_forward.w_1" : "feed_forward.w_2");
  } else {
    name += part.sublayer == Sublayer::self ? "self_attn." : "context_attn.";
    name += part.role == Role::query   ? "linear_query"
            : part.role == Role::key   ? "linear_keys"
            : part.role == Role::value ? "linear_values"
                                       : "final_linear";
  }
  return {name + (part.bias ? ".bias" : ".weight"), !part.bias, part.bias};
}

// The list of pieces of a side, as OpenNMT-py has had it: a list; fields of torchtext by their
// sides, or in the order of source and target.
std::vector<std::string> pieces_of(const json& all, bool source, const std::string& where) {
  const char* const side = source ? "src" : "tgt";
  json list = all.is_object() && all.contains(side) ? all[side] : json();
  const auto field = [](const json& pair) {
    const json::json_pointer itos("/1/vocab/itos"), older("/1/itos");
    return pair.contains(itos) ? pair[itos] : pair.contains(older) ? pair[older] : json();
  };
  if (list.is_object() && list.contains("fields") && list["fields"].is_array() &&
      !list["fields"].empty())
    list = field(list["fields"][0]);
  else if (all.is_array() && all.size() >= 2) list = field(all[source ? 0 : 1]);
  if (!list.is_array() || list.empty())
    throw Error(where, ": has no vocabulary ", in_quotes(side), " that can be read");
  std::vector<std::string> pieces;
  for (const json& piece : list) {
    if (!piece.is_string())
      throw Error(where, ": a piece of its vocabulary ", in_quotes(side), " is no text");
    pieces.push_back(piece.get<std::string>());
  }
  return pieces;
}

Vocabulary read_side(const Files& files, bool source, int rows) {
  const json& all = files.vocabularies;
  Vocabulary vocabulary;
  vocabulary.path = files.tensors.path() + ": its vocabulary";
  vocabulary.pieces = pieces_of(all, source, vocabulary.path);
  const json special = all.is_object() ? all.value("specials", json()) : json();
  vocabulary.eos = text_in(special, "eos_token").value_or("</s>");
  vocabulary.unk = text_in(special, "unk_token").value_or("<unk>");
  const char* const start = "decoder_start_token";
  vocabulary.start = text_in(all, start).value_or(files.settings.text(start, kBos));
  for (const std::string& piece :
       {text_in(special, "pad_token").value_or("<blank>"), std::string(kBos)})
    if (piece != vocabulary.start) vocabulary.silent.push_back(piece);
  check_rows(vocabulary, rows);
  return vocabulary;
}

PortableModel read_opennmt(const ImportRequest& request) {
  Files files = is_folder(request.path) ? open_eole(request.path) : open_checkpoint(request.path);
  ForeignTensors& tensors = files.tensors;
  const Program& program = files.program;
  PortableModel model;
  Config& config = model.config = read_settings(files);
  // eole leaves out tables that are another one.
  take_tables(model, tensors,
              {{program.source},
               {program.target, program.source},
               {program.output + "weight", program.target, program.source},
               program.output + "bias"});
  const bool old_norms = tensors.has(program.encoder_layers + "0.layer_norm.a_2");
  read_layers(model, tensors,
              [&](const ParameterPart& part) { return place_of(part, program, old_norms); });
  for (const std::string& name : tensors.names())
    if (name.ends_with(".pe.pe")) tensors.ignore({name});
  tensors.check_all_taken();
  drop_zero_biases(model);

  for (const SubwordSide side : {SubwordSide::source, SubwordSide::target}) {
    const bool is_source = side == SubwordSide::source;
    const Vocabulary vocabulary =
        read_side(files, is_source, is_source ? config.source_vocab : config.target_vocab);
    const std::string subword = subword_if_any(files.folder, side, request.subword(side));
    const bool cut = std::ranges::any_of(
        vocabulary.pieces, [](const std::string& p) { return p.find(kSpacePiece) != p.npos; });
    if (cut && subword.empty()) refuse_without_subword(files.folder, side);
    model.take_subword(side, vocabulary, subword);
    if (subword.empty())
      model.notes.push_back(vocabulary.path +
                            ": words between spaces are pieces, as OpenNMT's tokenizer "
                            "writes them, which is not imported");
  }
  return model;
}

bool is_eole(const std::string& folder) { return file_exists(folder + "/" + kWeights); }

}  // namespace

const ForeignFormat kOpenNmt{
    .name = "opennmt", .files = {}, .read = read_opennmt, .takes_files = true, .has = is_eole};

}  // namespace tt
