// Models of OpenNMT-py and eole, in the files that they write: the same tensors under the names of
// either, as layers and norms are declared there.
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "exchange/exchange.h"
#include "exchange/format.h"
#include "model/checkpoint.h"
#include "tests/pickled.h"
#include "tests/unit/text_fixture.h"
#include "text/subword.h"

namespace tt {
namespace {

using namespace pickled;
using nlohmann::json;

constexpr int kWidth = 8, kHidden = 12;
const std::vector<std::string> kPieces{"<unk>", "<blank>", "<s>", "</s>", "ein", "haus", "￭."};

// Each tensor has its own numbers.
std::vector<float> numbers(std::int64_t size, std::size_t seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < size; ++i)
    values.push_back(static_cast<float>((7 * static_cast<std::size_t>(i) + 13 * seed) % 41) / 20 -
                     1);
  return values;
}

using Put = std::function<void(const std::string& name, const Shape& shape)>;

// The tensors of a layer and of both stacks, by the names of either program.
void put_all(const Put& put, bool eole, const std::string& prefix) {
  const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in) {
    put(name + ".weight", {out, in}), put(name + ".bias", {out});
  };
  const auto norm = [&](const std::string& name) {
    put(name + ".weight", {kWidth}), put(name + ".bias", {kWidth});
  };
  for (const std::string side : {"encoder", "decoder"}) {
    const bool decoder = side == "decoder";
    const std::string layer =
        prefix + side + (decoder || eole ? ".transformer_layers.0." : ".transformer.0.");
    for (const std::string attention : {"self_attn.", "context_attn."}) {
      if (!decoder && attention == "context_attn.") continue;
      for (const char* name : {"linear_query", "linear_keys", "linear_values", "final_linear"})
        linear(layer + attention + name, kWidth, kWidth);
    }
    linear(layer + (eole ? "mlp.gate_up_proj" : "feed_forward.w_1"), kHidden, kWidth);
    linear(layer + (eole ? "mlp.down_proj" : "feed_forward.w_2"), kWidth, kHidden);
    norm(layer + (eole ? "input_layernorm" : decoder ? "layer_norm_1" : "layer_norm"));
    if (decoder) norm(layer + (eole ? "precontext_layernorm" : "layer_norm_2"));
    norm(layer + (eole ? "post_attention_layernorm" : "feed_forward.layer_norm"));
    norm(prefix + side + ".layer_norm");
  }
}

std::string texts(const std::vector<std::string>& pieces) {
  std::vector<std::string> all;
  for (const std::string& piece : pieces) all.push_back(text(piece));
  return list(all);
}

const std::vector<std::pair<std::string, std::string>> kOptions{
    {"encoder_type", text("transformer")},
    {"decoder_type", text("transformer")},
    {"heads", "K\x02"},
    {"position_encoding", "\x88"},
    {"max_relative_positions", "K" + std::string(1, '\0')},
    {"self_attn_type", text("scaled-dot")},
    {"pos_ffn_activation_fn", text("gelu")}};

// A checkpoint, with these values in place of those of its options.
std::string checkpoint(std::vector<std::pair<std::string, std::string>> options,
                       const std::string& vocabulary) {
  Tensors model, generator;
  std::size_t seed = 0;
  const auto to = [&](Tensors& all) {
    return [&](const std::string& name, const Shape& shape) {
      model.keys.push_back(std::to_string(seed));
      model.storages.push_back(numbers(elements(shape), seed));
      all.programs.emplace_back(name, tensor(model.keys.back(), shape));
      ++seed;
    };
  };
  put_all(to(model), false, "");
  const Shape table{static_cast<std::int64_t>(kPieces.size()), kWidth};
  to(model)("encoder.embeddings.make_embedding.emb_luts.0.weight", table);
  to(model)("encoder.embeddings.make_embedding.pe.pe", {5000, 1, kWidth});
  to(model)("decoder.embeddings.make_embedding.emb_luts.0.weight", table);
  to(generator)("0.weight", table), to(generator)("0.bias", {table[0]});
  for (const auto& option : kOptions)
    if (std::none_of(options.begin(), options.end(),
                     [&](const auto& other) { return other.first == option.first; }))
      options.push_back(option);
  const std::string all =
      dictionary({{"model", "ccollections\nOrderedDict\n)R" + dictionary(model.programs).substr(1)},
                  {"generator", dictionary(generator.programs)},
                  {"vocab", vocabulary},
                  {"opt", object("argparse", "Namespace", dictionary(options))},
                  {"optim", dictionary({{"training_step", "K\x07"}})}});
  return torch_file(all, model.keys, model.storages);
}

std::string lists() {
  return dictionary(
      {{"src", texts(kPieces)}, {"tgt", texts(kPieces)}, {"decoder_start_token", text("<s>")}});
}

// A field of torchtext, whose vocabulary is an object.
std::string torchtext_fields() {
  const std::string vocab =
      object("torchtext.vocab", "Vocab", dictionary({{"itos", texts(kPieces)}, {"stoi", "}"}}));
  const std::string field = object("torchtext.data.field", "Field", dictionary({{"vocab", vocab}}));
  const auto side = [&](const char* name) {
    return object("onmt.inputters.text_dataset", "TextMultiField",
                  dictionary({{"fields", list({list({text(name), field})})}}));
  };
  return dictionary({{"src", side("src")}, {"tgt", side("tgt")}});
}

}  // namespace

TEST_CASE("a checkpoint of OpenNMT-py becomes a model") {
  const Scratch scratch;
  const bool old = GENERATE(false, true);
  const std::string path =
      scratch.file("m_step_7.pt", checkpoint({}, old ? torchtext_fields() : lists()));
  CHECK(&recognise(path) == &kOpenNmt);
  const PortableModel found = import_model({path, {}, "", "", {}}, kOpenNmt);
  const Config& config = found.config;
  CHECK(config.norm == NormPlace::pre);
  CHECK(config.norm_epsilon == 1e-6);
  CHECK(config.activation == Activation::gelu_erf);
  CHECK(config.embeddings == EmbeddingTies::none);
  CHECK(!config.source_eos);
  CHECK(config.heads == 2);
  // The matrix of queries, keys and values: their columns are rows of the files' matrices.
  const std::vector<float> qkv = found.at("encoder.1.self.qkv").all(), keys = numbers(64, 2);
  for (std::size_t r = 0; r < kWidth; ++r)
    for (std::size_t c = 0; c < kWidth; ++c)
      CHECK(qkv[r * 3 * kWidth + kWidth + c] == keys[c * kWidth + r]);
  CHECK(found.at("decoder.norm.gain").values != found.at("encoder.norm.gain").values);
  const Subword subword = Subword::parse(found.source, "source");
  std::vector<std::int32_t> ids;
  subword.encode("ein haus ￭. turm", ids);
  CHECK(ids == std::vector<std::int32_t>{4, 5, 6, 0});
  CHECK(Subword::parse(found.target, "target").bos() == 2);
}

TEST_CASE("a folder of eole becomes the model that the checkpoint is") {
  const Scratch scratch;
  std::vector<std::vector<float>> values;
  std::vector<NamedTensor> tensors;
  const Put put = [&](const std::string& name, const Shape& shape) {
    values.push_back(numbers(elements(shape), tensors.size()));
    tensors.push_back({name, Dtype::f32, shape, nullptr});
  };
  put_all(put, true, "");
  const Shape table{static_cast<std::int64_t>(kPieces.size()), kWidth};
  put("src_emb.embeddings.weight", table), put("src_emb.pe.pe", {5000, 1, kWidth});
  const bool own = GENERATE(false, true);
  if (own) put("tgt_emb.embeddings.weight", table);
  put("generator.bias", {table[0]});
  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].data = values[i].data();
  save_tensors(scratch.path("model.00.safetensors"), tensors, {});
  json config{{"model",
               {{"architecture", "transformer"},
                {"heads", 2},
                {"mlp_activation_fn", "gelu"},
                {"norm_eps", 1e-6},
                {"embeddings", {{"position_encoding_type", "SinusoidalInterleaved"}}},
                {"encoder", {{"encoder_type", "transformer"}, {"heads", 2}}},
                {"decoder", {{"decoder_type", "transformer"}}}}}};
  scratch.file("config.json", config.dump());
  scratch.file("vocab.json", json{{"src", kPieces}, {"tgt", kPieces}}.dump());
  CHECK(&recognise(scratch.path("")) == &kOpenNmt);
  const PortableModel found = import_model({scratch.path(""), {}, "", "", {}}, kOpenNmt);
  const PortableModel other =
      import_model({scratch.file("m.pt", checkpoint({}, lists())), {}, "", "", {}}, kOpenNmt);
  for (const char* name : {"encoder.1.self.qkv", "encoder.1.ffn.in", "decoder.1.cross.q",
                           "decoder.cross.kv", "decoder.1.ffn.out", "encoder.norm.gain"})
    CHECK(found.at(name).all() == other.at(name).all());
  CHECK(found.config.embeddings == (own ? EmbeddingTies::target : EmbeddingTies::shared));
  const auto refused = [&](const char* part, const char* key, const json& value) {
    json wrong = config;
    (part ? wrong["model"][part] : wrong["model"])[key] = value;
    scratch.file("config.json", wrong.dump());
    return error_of([&] { import_model({scratch.path(""), {}, "", "", {}}, kOpenNmt); });
  };
  CHECK_THAT(refused("encoder", "heads", 4),
             Contains("encoder and decoder have another \"heads\""));
  CHECK_THAT(refused(nullptr, "mlp_activation_fn", "gated-silu"), Contains("gated-silu"));
  CHECK_THAT(refused("embeddings", "position_encoding_type", "Rotary"), Contains("Rotary"));
  CHECK_THAT(refused("encoder", "encoder_layer_style", "postnorm"), Contains("postnorm"));
}

TEST_CASE("a checkpoint of OpenNMT-py that computes something else is refused by its option") {
  const Scratch scratch;
  const auto refused = [&](const std::string& key, const std::string& value) {
    const std::string path = scratch.file("m.pt", checkpoint({{key, value}}, lists()));
    return error_of([&] { import_model({path, {}, "", "", {}}, kOpenNmt); });
  };
  CHECK_THAT(refused("encoder_type", text("brnn")), Contains("\"encoder_type\" \"brnn\""));
  CHECK_THAT(refused("max_relative_positions", "K\x14"),
             Contains("\"max_relative_positions\" 20 cannot be imported; 0 can"));
  CHECK_THAT(refused("self_attn_type", text("average")), Contains("average"));
  CHECK_THAT(refused("pos_ffn_activation_fn", text("silu")), Contains("silu"));
  CHECK_THAT(refused("copy_attn", "\x88"), Contains("copy_attn"));
  CHECK_THAT(refused("num_kv", "K\x01"), Contains("num_kv"));
  CHECK_THAT(error_of([&] {
               import_model({scratch.file("n.pt", checkpoint({}, "}")), {}, "", "", {}}, kOpenNmt);
             }),
             Contains("has no vocabulary \"src\""));
  // Pieces of SentencePiece need its model.
  const std::string spaced =
      dictionary({{"src", texts({"<unk>", "<blank>", "<s>", "</s>", "▁ein", "haus", "."})},
                  {"tgt", texts(kPieces)}});
  CHECK_THAT(
      error_of([&] {
        import_model({scratch.file("o.pt", checkpoint({}, spaced)), {}, "", "", {}}, kOpenNmt);
      }),
      Contains("has no SentencePiece model"));
}

}  // namespace tt
