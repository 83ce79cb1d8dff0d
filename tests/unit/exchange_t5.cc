// Models of T5 as folders of transformers and of CTranslate2, there and back; and their subword
// models: of bytes, of tokenizer.json, and such as begin a translation with <unk>.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "decode/translator.h"
#include "exchange/exchange.h"
#include "exchange/format.h"
#include "exchange/t5.h"
#include "exchange/tokenizer_json.h"
#include "exchange/vocabulary.h"
#include "model/language_pieces.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

using nlohmann::json;

// A model of T5 with numbers in all its parameters.
PortableModel small_t5(const std::string& subword, bool tied, bool gate,
                       PositionKind positions = PositionKind::relative) {
  PortableModel model;
  Config& config = model.config;
  config.encoder_layers = 1, config.decoder_layers = 2;
  config.d_model = 8, config.d_ff = 12, config.heads = 2, config.d_k = config.d_v = 3;
  config.norm = NormPlace::pre;
  config.norm_type = NormType::rms;
  config.norm_epsilon = 1e-6;
  config.scores = Scores::dot;
  config.positions = positions;
  if (positions == PositionKind::relative)
    config.position_buckets = 8, config.position_distance = 20;
  config.ffn_bias = config.scale_embeddings = false;
  config.ffn_gate = gate;
  config.activation = gate ? Activation::gelu : Activation::relu;
  config.scale_output = tied;
  config.embeddings = tied ? EmbeddingTies::shared : EmbeddingTies::inputs;
  config.length_penalty = LengthPenalty::length;
  model.source = model.target = subword;
  config.source_vocab = config.target_vocab = Subword::parse(subword, "test").size();
  model.declare("test");
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(1, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = static_cast<float>(random.below(2000)) / 999.f - 1;
  }
  return model;
}

void check_same(const PortableModel& found, const PortableModel& expected) {
  REQUIRE(found.parameters.size() == expected.parameters.size());
  for (const auto& [name, matrix] : expected.parameters) {
    INFO(name);
    CHECK(found.at(name).all() == matrix.all());
  }
  CHECK(same_model(found.config, expected.config) == "");
  CHECK(found.source == expected.source);
  CHECK(found.target == expected.target);
}

PortableModel there_and_back(const PortableModel& model, const std::string& folder,
                             const char* name = "hugging-face") {
  const ForeignFormat& format = format_of(name);
  export_model(model, format, folder);
  return import_model({folder, {}, "", "", {}}, format);
}

}  // namespace

TEST_CASE("a model of T5 that is written for transformers is read back with the same bits") {
  const bool tied = GENERATE(true, false), gate = GENERATE(true, false);
  const Scratch scratch;
  const PortableModel model = small_t5(made_up_model("unigram").bytes(), tied, gate);
  const std::string folder = scratch.path("t5");
  check_same(there_and_back(model, folder), model);
  const json config = json::parse(read_file(folder + "/config.json"));
  CHECK(config["tie_word_embeddings"] == tied);
  CHECK(config["feed_forward_proj"] == (gate ? "gated-gelu" : "relu"));
  CHECK(config["dense_act_fn"] == (gate ? "gelu_new" : "relu"));
  CHECK(read_file(folder + "/spiece.model") == model.source);
}

TEST_CASE("a model of T5 that is written for CTranslate2 is read back with the same bits") {
  const bool tied = GENERATE(true, false), gate = GENERATE(true, false);
  const Scratch scratch;
  PortableModel model = small_t5(made_up_model("unigram").bytes(), tied, gate);
  SECTION("as it is") {}
  SECTION("with a scale of scores") { model.config.scores = Scores::scaled; }
  SECTION("with sinusoids") {
    model = small_t5(model.source, tied, gate, PositionKind::sinusoidal);
  }
  check_same(there_and_back(model, scratch.path("ct2"), "ctranslate2"), model);
}

TEST_CASE("a model of bytes is written for CTranslate2, and one that it converted is read") {
  const int extra = GENERATE(0, 125);
  const Scratch scratch;
  const PortableModel model = small_t5(byte_subword(3 + 256 + extra), true, true);
  const std::string folder = scratch.path("ct2");
  check_same(there_and_back(model, folder, "ctranslate2"), model);
  // The converter has characters for bytes, and no SentencePiece model.
  json pieces = json::parse(read_file(folder + "/shared_vocabulary.json"));
  for (int byte = 0; byte < 256; ++byte) {
    std::string text;
    append_utf8(text, static_cast<char32_t>(byte));
    pieces[static_cast<std::size_t>(3 + byte)] = text;
  }
  scratch.file("ct2/shared_vocabulary.json", pieces.dump());
  for (const char* side : {"source", "target"})
    std::filesystem::remove(folder + "/" + side + ".spm");
  check_same(import_model({folder, {}, "", "", {}}, format_of("ctranslate2")), model);
}

TEST_CASE("languages of MADLAD-400 come back from CTranslate2") {
  const Scratch scratch;
  Vocabulary vocabulary = vocabulary_of(made_up_model("unigram").bytes(), "test");
  vocabulary.pieces.insert(vocabulary.pieces.end(), {"<2de>", "<2fr>"});
  vocabulary.start = vocabulary.unk;
  PortableModel model = small_t5(
      number_pieces(made_up_model("unigram").bytes(), vocabulary, SubwordSide::source, "test"),
      false, true);
  model.config.target_language = TargetLanguage::source;
  const std::string folder = scratch.path("ct2");
  check_same(there_and_back(model, folder, "ctranslate2"), model);
  // A folder of the converter does not say how it is called.
  json config = json::parse(read_file(folder + "/config.json"));
  config.erase("tt_called_with"), config["add_source_eos"] = false;
  scratch.file("ct2/config.json", config.dump());
  check_same(import_model({folder, {}, "", "", {}}, format_of("ctranslate2")), model);
}

TEST_CASE("models of CTranslate2 whose layers differ are refused") {
  const Scratch scratch;
  const std::string folder = scratch.path("ct2"), path = folder + "/model.bin";
  const PortableModel model = small_t5(made_up_model("unigram").bytes(), true, true);
  export_model(model, format_of("ctranslate2"), folder);
  std::string bytes = read_file(path);
  const auto change = [&](const std::string& name, int behind, std::string_view to) {
    const std::size_t at = bytes.find(name + '\0');
    REQUIRE(at != bytes.npos);
    bytes.replace(at + name.size() + 1 + static_cast<std::size_t>(behind), to.size(), to);
  };
  std::string expected;
  SECTION("in the distance of their last bucket") {
    // Behind its name a number has a rank, a type and a size.
    change("decoder/layer_1/self_attention/relative_attention_max_distance", 6, "\x15");
    expected = "layers have different relative_attention_max_distance (20 and 21)";
  }
  SECTION("in the scale of scores") {
    change("decoder/layer_0/attention/queries_scale", 6, std::string(4, '\0'));
    expected = "layers have different queries_scale (0 and 1)";
  }
  SECTION("in biases, as those of UMT5") {
    change("decoder/layer_1/self_attention/relative_attention_bias", 2,
           "encoder/layer_0/self_attention/relative_attention_bias");
    expected = "different biases of distances";
  }
  SECTION("in which of them have a number") {
    change("decoder/layer_1/self_attention/relative_attention_max_distance", -9, "distancE");
    expected = "only 2 of 3 layers have relative_attention_max_distance";
  }
  scratch.file("ct2/model.bin", bytes);
  const std::string message = error_of([&] {
    import_model({folder, {}, "", "", {}}, format_of("ctranslate2"));
  });
  CHECK(message.find(expected) != message.npos);
  CAPTURE(message);
}

TEST_CASE("what stands before a source of T5 is kept by its languages, there and back") {
  const Scratch scratch;
  const std::string folder = scratch.path("t5");
  PortableModel model = small_t5(made_up_model("unigram").bytes(), true, false);
  model.config.source_prefixes = "en-de=the old mill;en-fr=the mill = old";
  check_same(there_and_back(model, scratch.path("ct2"), "ctranslate2"), model);
  check_same(there_and_back(model, folder), model);
  json config = json::parse(read_file(folder + "/config.json"));
  json& tasks = config["task_specific_params"];
  CHECK(tasks["translation_en_to_de"]["prefix"] == "the old mill ");
  tasks["summarization"] = {{"prefix", "summarize: "}};
  tasks["translation_en_to_ro"] = {{"prefix", "one; another "}};
  tasks["translation_en_to_cs"] = {{"num_beams", 4}};
  tasks["translation_to_de"] = {{"prefix", "to German: "}};
  scratch.file("t5/config.json", config.dump());
  const PortableModel back = kHuggingFace.read({folder, {}, "", "", {}});
  CHECK(back.config.source_prefixes == model.config.source_prefixes);
  CHECK(std::ranges::count_if(back.losses, [](const std::string& loss) {
          return loss.find("translation_en_to_ro") != loss.npos;
        }) == 1);
}

TEST_CASE("the activation of T5 is that of dense_act_fn, where config.json has it") {
  const Scratch scratch;
  const std::string folder = scratch.path("t5");
  PortableModel model = small_t5(made_up_model("unigram").bytes(), true, true);
  for (const Activation kind : {Activation::relu, Activation::gelu, Activation::swish,
                                Activation::gelu_logistic, Activation::gelu_erf}) {
    for (const bool gate : {true, false}) {
      model = small_t5(model.source, true, gate);
      model.config.activation = kind;
      std::filesystem::remove_all(folder);
      CHECK(there_and_back(model, folder).config.activation == kind);
      json config = json::parse(read_file(folder + "/config.json"));
      config.erase("dense_act_fn"), config.erase("is_gated_act");
      scratch.file("t5/config.json", config.dump());
      const PortableModel back = kHuggingFace.read({folder, {}, "", "", {}});
      CHECK(back.config.ffn_gate == gate);
      // "gated-gelu" has one meaning alone.
      if (!gate || kind != Activation::gelu_erf) CHECK(back.config.activation == kind);
    }
  }
}

TEST_CASE("what T5 cannot express is refused") {
  const Scratch scratch;
  PortableModel model = small_t5(made_up_model("unigram").bytes(), true, false);
  model.path = "model.tt";
  std::string expected = "cannot be one of T5";
  SECTION("queries and values of other widths") {
    model.config.d_v = 2;
    expected = "d_k 3 and d_v 2 cannot be one of T5, which has one width for both";
  }
  SECTION("a scale without shared embeddings") { model.config.embeddings = EmbeddingTies::inputs; }
  SECTION("two subword models") { model.target = made_up_model("bpe").bytes(); }
  SECTION("a scale of scores") {
    model.config.scores = Scores::scaled;
    expected = "a model with scores scaled cannot be one of T5, which has dot";
  }
  SECTION("a window") { model.config.window = 3; }
  const std::string message = error_of([&] { there_and_back(model, scratch.path("t5")); });
  CHECK(message.find(expected) != message.npos);
  CHECK(!std::filesystem::exists(scratch.path("t5")));
}

TEST_CASE("the decoder of MADLAD-400 begins with <unk>, and a piece chooses the language") {
  const Scratch scratch;
  Vocabulary vocabulary = vocabulary_of(made_up_model("unigram").bytes(), "test");
  vocabulary.pieces.insert(vocabulary.pieces.end(), {"<2de>", "<2fr>"});
  vocabulary.start = vocabulary.unk;
  PortableModel model = small_t5(
      number_pieces(made_up_model("unigram").bytes(), vocabulary, SubwordSide::source, "test"),
      false, true);
  CHECK(Subword::parse(model.source, "test").bos() == 0);
  model.config.target_language = TargetLanguage::source;
  const PortableModel back = there_and_back(model, scratch.path("t5"));
  CHECK(back.config.target_language == TargetLanguage::source);
  const json config = json::parse(read_file(scratch.path("t5/config.json")));
  CHECK(config["decoder_start_token_id"] == 0);
  CHECK(config["pad_token_id"] == 0);
  CHECK(Subword::parse(back.source, "test").bos() == 0);
}

TEST_CASE("a model of bytes is written for transformers and read back") {
  const int extra = GENERATE(0, 125);
  const Scratch scratch;
  const std::string folder = scratch.path("t5");
  const PortableModel model = small_t5(byte_subword(3 + 256 + extra), true, true);
  check_same(there_and_back(model, folder), model);
  CHECK(!std::filesystem::exists(folder + "/spiece.model"));
  const json about = json::parse(read_file(folder + "/tokenizer_config.json"));
  CHECK(about["tokenizer_class"] == "ByT5Tokenizer");
  CHECK(about["extra_ids"] == extra);
}

TEST_CASE("the pieces of ByT5 are bytes") {
  const int extra = GENERATE(0, 125);
  const Subword subword = Subword::parse(byte_subword(3 + 256 + extra), "test");
  CHECK(subword.size() == 3 + 256 + extra);
  CHECK(subword.bos() == 0);
  CHECK(subword.eos() == 1);
  CHECK(subword.unk() == 2);
  CHECK(subword.silent().size() == static_cast<std::size_t>(1 + extra));
  for (const std::string text : {"a", " Grüße,  Welt ", "\u2581日本\t<unk><extra 300>", "</s>"}) {
    std::vector<std::int32_t> ids;
    subword.encode(text, ids);
    REQUIRE(ids.size() == text.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      CHECK(ids[i] == 3 + static_cast<unsigned char>(text[i]));
    CHECK(subword.decode(ids) == text);
  }
}

TEST_CASE("a sentence may begin with <unk>, as those of MADLAD-400 do") {
  const std::string bytes = made_up_model("unigram").bytes();
  Vocabulary vocabulary = vocabulary_of(bytes, "test");
  vocabulary.start = vocabulary.unk;
  const std::string other = number_pieces(bytes, vocabulary, SubwordSide::source, "test");
  CHECK(Subword::parse(bytes, "test").bos() == 1);
  CHECK(Subword::parse(other, "test").bos() == 0);
  CHECK(vocabulary_of(other, "test").start == vocabulary.unk);
  CHECK(number_pieces(other, vocabulary, SubwordSide::source, "test") == other);
}

TEST_CASE("a piece that chooses the language stands before a source as text has it") {
  const std::string bytes = made_up_model("unigram").bytes();
  ModelProto proto = read_model_proto(bytes, "test");
  for (const char* language : {"<2de>", "<2fr>"})
    proto.pieces.push_back({language, 0, PieceType::user_defined});
  const Subword subword = Subword::parse(
      with_pieces(bytes, proto.pieces, {}, static_cast<int>(proto.pieces.size())), "test");
  Config config;
  config.encoder_layers = config.decoder_layers = 1;
  config.source_vocab = config.target_vocab = subword.size();
  config.target_language = TargetLanguage::source;
  const auto model = make_model(config);
  const LanguageReader reader(config, subword, subword, "test");
  const LanguagePieces around = reader.pieces("", "de");
  CHECK(reader.most() == around.before.size());
  std::vector<std::int32_t> expected;
  subword.encode("<2de> karo", expected);
  REQUIRE(expected.size() > 2);
  CHECK(subword.piece(expected[0]) == kSpacePiece);
  CHECK(subword.piece(expected[1]) == "<2de>");
  expected.push_back(subword.eos());
  for (const char* line : {"karo", "<2de> karo"}) {
    std::vector<std::int32_t> pieces;
    subword.encode(line, pieces);
    Member{model.get(), &subword}.end(pieces, around);
    CHECK(pieces == expected);
  }
}

TEST_CASE("tokenizer.json of a unigram model becomes a SentencePiece model") {
  const Scratch scratch;
  const Subword& subword = made_up_model("unigram");
  json pieces = json::array();
  for (int i = 0; i < subword.size(); ++i) pieces.push_back({subword.piece(i), subword.score(i)});
  const json spaces{{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", "\u2581"}};
  json tokenizer{
      {"normalizer", {{"type", "Sequence"}, {"normalizers", {spaces}}}},
      {"pre_tokenizer", {{"type", "Metaspace"}, {"prepend_scheme", "always"}}},
      {"added_tokens",
       {{{"content", "<s>"}, {"special", true}}, {{"content", "</s>"}, {"special", true}}}},
      {"model", {{"type", "Unigram"}, {"unk_id", subword.unk()}, {"vocab", pieces}}}};
  const auto read = [&] { return read_subword(scratch.file("tokenizer.json", tokenizer.dump())); };
  const Subword back = Subword::parse(read(), "test");
  REQUIRE(back.size() == subword.size());
  for (const std::string& line : made_up_lines(100, 5)) {
    std::vector<std::int32_t> expected, found;
    subword.encode(line, expected);
    back.encode("  " + line + "  Q", found);
    REQUIRE(found.size() > expected.size());
    CHECK(std::equal(expected.begin(), expected.end(), found.begin()));
    CHECK(found.back() == subword.unk());
  }
  std::vector<std::int32_t> ids;
  tokenizer["pre_tokenizer"]["prepend_scheme"] = "never";
  Subword::parse(read(), "test").encode("ka", ids);
  CHECK(subword.piece(ids[0]).find(kSpacePiece) == std::string::npos);
  const auto refused = [&](const char* key, const json& value) {
    const json before = std::exchange(tokenizer[key], value);
    const std::string message = error_of(read);
    tokenizer[key] = before;
    return message.find(key) != message.npos ? "" : message + "(none)";
  };
  CHECK(refused("normalizer", {{"type", "Lowercase"}}) == "");
  CHECK(refused("normalizer", {{"type", "Precompiled"}}) == "");
  CHECK(refused("normalizer", "NFKC") == "");
  CHECK(refused("normalizer", {{"type", "Sequence"}, {"normalizers", {spaces, 7}}}) == "");
  CHECK(refused("pre_tokenizer", {{"type", "ByteLevel"}}) == "");
  CHECK(refused("model", {{"type", "BPE"}, {"vocab", json::object()}}) == "");
  CHECK(refused("model", {{"unk_id", 500}, {"vocab", pieces}}) == "");
  CHECK(refused("model", {{"unk_id", 0}, {"vocab", {{"a", "b"}}}}) == "");
  tokenizer["normalizer"] = {{"type", "Precompiled"}, {"precompiled_charsmap", "AAAA"}};
  CHECK(error_of(read) != "");
}

TEST_CASE("a SentencePiece model comes back from the tokenizer.json that is written of it") {
  const Scratch scratch;
  const std::string bytes = made_up_model("unigram").bytes();
  const Vocabulary vocabulary = vocabulary_of(bytes, "test");
  const std::string path =
      scratch.file("tokenizer.json", make_tokenizer_json(bytes, vocabulary, {}, {vocabulary.eos}));
  const Subword expected = Subword::parse(bytes, "test");
  const Subword back = Subword::parse(
      number_pieces(read_subword(path), vocabulary, SubwordSide::source, path), path);
  for (const std::string& line : made_up_lines(100, 5)) {
    std::vector<std::int32_t> one, other;
    expected.encode(" " + line + "  \uFB01 x", one);  // a ligature that is normalised
    back.encode(" " + line + "  \uFB01 x", other);
    CHECK(one == other);
  }
}

}  // namespace tt
