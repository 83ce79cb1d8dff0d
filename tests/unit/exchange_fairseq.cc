// Checkpoints of fairseq: what torch.save() writes of a model and of the options of its run, as
// objects that are read and never made.
#include <nlohmann/json.hpp>

#include "exchange/exchange.h"
#include "exchange/format.h"
#include "exchange/pickle.h"
#include "exchange/transformers.h"
#include "exchange/vocabulary.h"
#include "tests/pickled.h"
#include "tests/unit/text_fixture.h"
#include "text/languages.h"

namespace tt {
namespace {

using namespace pickled;

using nlohmann::json;

json read(const std::string& program, PickleObjects objects = PickleObjects::inert) {
  const std::string all = "\x80\x02" + program + ".", name = "data.pkl";
  ByteReader reader(all, name);
  PickleMachine machine(reader, name, objects);
  return machine.as_json(machine.run());
}

}  // namespace

TEST_CASE("objects of a checkpoint are data, and nothing is run") {
  const std::string space = object("argparse", "Namespace",
                                   dictionary({{"arch", text("transformer")}, {"share", "\x88"}}));
  CHECK(read(space) == json{{"arch", "transformer"}, {"share", true}});
  const auto node = [](const std::string& value) {
    return object("omegaconf.nodes", "AnyNode", dictionary({{"_metadata", "N"}, {"_val", value}}));
  };
  const std::string config =
      object("omegaconf.dictconfig", "DictConfig",
             dictionary({{"_parent", "N"}, {"_content", dictionary({{"heads", node("K\x04")}})}}));
  CHECK(read(config) == json{{"heads", 4}});
  CHECK(read("cfairseq.data\nChoice\n" + text("sum") + "\x85R") == "sum");
  const std::string half = std::string("G\x3f\xe0") + std::string(6, '\0');
  CHECK(read("](" + half + "\x89Ne") == json{0.5, false, nullptr});
  // A call of the system is an object like others; nothing that it names is there.
  CHECK(read("cposix\nsystem\n" + text("touch it_ran") + "\x85R") == "touch it_ran");
  CHECK_THAT(error_of([&] { read(space, PickleObjects::refused); }),
             Contains("it names \"argparse.Namespace\"), and is not run"));
  // Values that point to themselves, or that are shared again and again, do not fill the memory.
  CHECK(read("]q\x01h\x01" + std::string("a")).is_array());
  std::string shared = "]";
  for (int i = 0; i < 60; ++i)
    shared += "q" + std::string(1, static_cast<char>(i)) + "0](" + "h" +
              std::string(1, static_cast<char>(i)) + "h" + std::string(1, static_cast<char>(i)) +
              "e";
  CHECK(read(shared).is_array());
  CHECK_THAT(error_of([&] { read("Z"); }), Contains("it has the instruction 90"));
}

TEST_CASE("a checkpoint of fairseq has its options, its dictionary and its languages") {
  const Scratch scratch;
  PortableModel model;
  Config& config = model.config;
  Vocabulary vocabulary = vocabulary_of(made_up_model("bpe").bytes(), "test");
  std::vector<std::string> pieces{"<s>", "<pad>", "</s>", "<unk>"};
  std::string dictionary_file;
  for (const std::string& piece : vocabulary.pieces)
    if (!piece.starts_with("<")) {
      pieces.push_back(piece);
      dictionary_file += piece + " 7\n";
    }
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = 8, config.d_ff = 12, config.heads = 2;
  config.norm = NormPlace::pre;
  config.attention_bias = true;
  config.source_vocab = config.target_vocab = static_cast<int>(pieces.size()) + 3;
  model.declare("test");
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(3, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = static_cast<float>(random.below(2000)) / 999.f - 1;
  }
  std::vector<std::pair<std::string, std::string>> tensors;
  std::vector<std::string> keys;
  std::vector<std::vector<float>> storages;
  const PutTensor put = [&](const std::string& name, const Shape& shape,
                            const std::vector<float>& values) {
    keys.push_back(std::to_string(keys.size()));
    storages.push_back(values);
    tensors.emplace_back(name, tensor(keys.back(), shape));
  };
  for (const char* name : {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
                           "decoder.output_projection.weight"})
    put(name, {config.source_vocab, config.d_model}, model.at("embeddings").values);
  write_layers(model, bart_place, put);
  put("encoder.embed_positions._float_tensor", {1}, {0});
  const std::string options = dictionary({{"encoder_attention_heads", "K\x02"},
                                          {"encoder_normalize_before", "\x88"},
                                          {"decoder_normalize_before", "\x88"},
                                          {"langs", text("en,de")},
                                          {"encoder_langtok", text("src")},
                                          {"decoder_langtok", "\x88"}});
  const bool grouped = GENERATE(false, true);
  const std::string arguments = object("argparse", "Namespace", options);
  const std::string all =
      dictionary({{"args", grouped ? "N" : arguments},
                  {"cfg", grouped ? dictionary({{"model", arguments}}) : "N"},
                  {"model", "ccollections\nOrderedDict\n)R" + dictionary(tensors).substr(1)},
                  {"extra_state", dictionary({{"best", object("builtins", "object", "}")}})}});
  scratch.file("checkpoint_best.pt", torch_file(all, keys, storages));
  scratch.file("dict.txt", dictionary_file);
  scratch.file("sentencepiece.bpe.model", made_up_model("bpe").bytes());
  const std::string path = scratch.path(GENERATE("", "checkpoint_best.pt"));
  CHECK(&recognise(path) == &kFairseq);
  const PortableModel found = import_model({path, {}, "", "", {}}, kFairseq);
  for (const auto& [name, matrix] : model.parameters) CHECK(found.at(name).all() == matrix.values);
  CHECK(found.config.source_language == SourceLanguage::before);
  CHECK(found.config.target_language == TargetLanguage::first);
  CHECK(found.config.first_position == 2);
  const Subword subword = Subword::parse(found.target, "target");
  CHECK(LanguageTable(subword).find("de") == static_cast<int>(pieces.size()) + 1);
  CHECK(subword.bos() == 2);
  // Rows that were filled up have no text; a longer dictionary is that of another model.
  scratch.file("dict.txt", dictionary_file + "one 1\ntwo 1\n");
  CHECK_THAT(error_of([&] {
               import_model({path, {}, "", "", {}}, kFairseq);
             }),
             Contains("they belong to other models"));
}

TEST_CASE("a fine-tuned mBART of fairseq begins with the target's language") {
  const Scratch scratch;
  PortableModel model;
  Config& config = model.config;
  std::vector<std::string> pieces{"<s>", "<pad>", "</s>", "<unk>"};
  std::string dictionary_file;
  for (const std::string& piece : vocabulary_of(made_up_model("bpe").bytes(), "test").pieces)
    if (!piece.starts_with("<")) {
      pieces.push_back(piece);
      dictionary_file += piece + " 7\n";
    }
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = 8, config.d_ff = 12, config.heads = 2;
  config.norm = NormPlace::pre;
  config.attention_bias = config.embedding_norm = true;
  config.positions = PositionKind::learned;
  config.max_length = 6;
  config.source_vocab = config.target_vocab = static_cast<int>(pieces.size()) + 3;
  model.declare("test");
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(3, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = static_cast<float>(random.below(2000)) / 999.f - 1;
  }
  Tensors tensors;
  const PutTensor put = [&](const std::string& name, const Shape& shape,
                            const std::vector<float>& values) {
    tensors.keys.push_back(std::to_string(tensors.keys.size()));
    tensors.storages.push_back(values);
    tensors.programs.emplace_back(name, tensor(tensors.keys.back(), shape));
  };
  for (const char* name : {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"})
    put(name, {config.source_vocab, config.d_model}, model.at("embeddings").values);
  for (const Stack stack : {Stack::encoder, Stack::decoder}) {
    std::vector<float> table(2 * 8, 9.f);
    const auto& own = model.at(stack, Role::positions).values;
    table.insert(table.end(), own.begin(), own.end());
    put(stack == Stack::encoder ? "encoder.embed_positions.weight"
                                : "decoder.embed_positions.weight",
        {config.max_length + 2, config.d_model}, table);
  }
  write_layers(model, bart_place, put);
  scratch.file("dict.txt", dictionary_file);
  scratch.file("sentencepiece.bpe.model", made_up_model("bpe").bytes());
  const auto imported = [&](const std::string& task, const std::string& target) {
    const std::string options = dictionary({{"encoder_attention_heads", "K\x02"},
                                            {"encoder_normalize_before", "\x88"},
                                            {"decoder_normalize_before", "\x88"},
                                            {"layernorm_embedding", "\x88"},
                                            {"langs", text("en_XX,ro_RO")},
                                            {"target_lang", text(target)},
                                            {"task", text(task)}});
    const std::string all = dictionary(
        {{"args", object("argparse", "Namespace", options)},
         {"model", "ccollections\nOrderedDict\n)R" + dictionary(tensors.programs).substr(1)}});
    const std::string path =
        scratch.file("model.pt", torch_file(all, tensors.keys, tensors.storages));
    return import_model({path, {}, "", "", {}}, recognise(path));
  };
  const PortableModel found = imported("translation_from_pretrained_bart", "ro_RO");
  for (const auto& [name, matrix] : model.parameters) CHECK(found.at(name).all() == matrix.values);
  CHECK(found.config.embedding_norm);
  CHECK(found.config.source_language == SourceLanguage::behind);
  CHECK(found.config.target_language == TargetLanguage::none);
  const Subword subword = Subword::parse(found.target, "target");
  CHECK(subword.bos() == LanguageTable(subword).find("ro_RO"));
  CHECK_THAT(error_of([&] { imported("translation_from_pretrained_bart", "ro"); }),
             Contains("\"target_lang\" \"ro\" cannot be imported; one of \"langs\" can"));
  CHECK_THAT(error_of([&] { imported("multilingual_denoising", "ro_RO"); }),
             Contains("trained to translate"));
}

TEST_CASE("files that are no models are refused by what they are") {
  const Scratch scratch;
  const auto refused = [&](const std::string& name, const std::string& bytes) {
    const std::string path = scratch.file(name, bytes);
    return error_of([&] { recognise(path); });
  };
  CHECK_THAT(refused("a.gz", "\x1f\x8b\x08"), Contains("is compressed; unpack it with gunzip"));
  CHECK_THAT(refused("a.tar", std::string(257, '\0') + "ustar"), Contains("is an archive"));
  CHECK_THAT(refused("a.bin", "GGUF..."), Contains("is a model of llama.cpp"));
  CHECK_THAT(refused("a.onnx", "x"), Contains("is an ONNX graph"));
  CHECK_THAT(refused("a", "\x08\x07\x12\x07pytorch"), Contains("is an ONNX graph"));
  CHECK_THAT(refused("a.h5", "\x89HDF"), Contains("is a model of Keras"));
  CHECK_THAT(refused("empty", ""), Contains("is empty"));
  CHECK_THAT(refused("a.pt", "version https://git-lfs.github.com/spec/v1\n"), Contains("Git LFS"));
  CHECK_THAT(refused("page", "<!DOCTYPE html>"), Contains("is a web page"));
  CHECK_THAT(refused("model.safetensors", "12345678"), Contains("give the folder"));
  CHECK_THAT(
      refused("b.pt", torch_file(dictionary({{"state_dict", "}"}, {"epoch", "K\x03"}}), {}, {})),
      Contains("no checkpoint of fairseq or OpenNMT-py: it has \"epoch\", \"state_dict\""));
  CHECK_THAT(error_of([&] { recognise(scratch.path("")); }), Contains("is an ONNX graph"));
  const Scratch firefox;
  firefox.file("model.ende.intgemm.alphas.bin.gz", "\x1f\x8b\x08");
  firefox.file("vocab.ende.spm.gz", "\x1f\x8b\x08");
  CHECK_THAT(error_of([&] { recognise(firefox.path("")); }),
             Contains("alphas.bin.gz: is compressed; unpack it with gunzip"));
}

}  // namespace tt
