// A model that a format can have comes back from it to the same bits, and any other is refused.
#include <set>

#include "exchange/exchange.h"
#include "exchange/vocabulary.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

using Settings = std::vector<std::pair<const char*, const char*>>;

// Models that formats are nearest to, each as their models are.
const std::vector<Settings> kBases{
    {},
    {{"start", "zero"}, {"position_layout", "tensor2tensor"}, {"norm_epsilon", "1e-06"}},
    {{"start", "zero"}, {"position_layout", "concatenated"}},
    {{"norm", "pre"}, {"position_layout", "tensor2tensor"}, {"first_position", "2"}},
    {{"norm", "pre"}, {"embedding_norm", "true"}, {"positions", "learned"}, {"max_length", "9"}},
    {{"embedding_norm", "true"}, {"positions", "learned"}, {"max_length", "9"}},
    {{"norm", "pre"},
     {"norm_type", "rms"},
     {"ffn_bias", "false"},
     {"positions", "relative"},
     {"scores", "dot"},
     {"scale_embeddings", "false"},
     {"scale_output", "true"}}};

// Settings that are changed, one at a time.
const std::vector<Settings> kChanges{{},
                                     {{"activation", "gelu"}},
                                     {{"activation", "swish"}},
                                     {{"activation", "gelu_logistic"}},
                                     {{"activation", "gelu_erf"}},
                                     {{"norm", "pre"}},
                                     {{"norm", "post"}},
                                     {{"norm_type", "rms"}},
                                     {{"final_norm", "yes"}},
                                     {{"final_norm", "no"}},
                                     {{"embedding_norm", "true"}},
                                     {{"positions", "sinusoidal"}},
                                     {{"positions", "learned"}, {"max_length", "9"}},
                                     {{"positions", "none"}},
                                     {{"positions", "relative"}},
                                     {{"position_layout", "interleaved"}},
                                     {{"position_layout", "concatenated"}},
                                     {{"position_layout", "tensor2tensor"}},
                                     {{"first_position", "1"}},
                                     {{"scores", "dot"}},
                                     {{"scores", "additive"}},
                                     {{"window", "3"}},
                                     {{"scale_embeddings", "false"}},
                                     {{"scale_output", "true"}},
                                     {{"decoder_self", "ssru"}},
                                     {{"start", "zero"}},
                                     {{"start", "bos"}},
                                     {{"attention_bias", "true"}},
                                     {{"output_bias", "true"}},
                                     {{"attention_bias", "true"}, {"output_bias", "true"}},
                                     {{"embeddings", "target"}},
                                     {{"embeddings", "none"}},
                                     {{"embeddings", "inputs"}, {"scale_output", "false"}},
                                     {{"ffn_layers", "2"}},
                                     {{"ffn_gate", "true"}},
                                     {{"ffn_bias", "false"}},
                                     {{"d_k", "6"}, {"d_v", "6"}},
                                     {{"d_k", "6"}, {"d_v", "5"}},
                                     {{"source_eos", "false"}},
                                     {{"source_bos", "true"}},
                                     {{"target_bos", "true"}},
                                     {{"source_bos", "true"}, {"target_bos", "true"}},
                                     {{"source_language", "before"}},
                                     {{"source_language", "behind"}},
                                     {{"target_language", "source"}},
                                     {{"target_language", "first"}},
                                     {{"source_language", "before"}, {"target_language", "first"}},
                                     {{"source_language", "behind"}, {"target_language", "first"}},
                                     {{"source_language", "before"}, {"target_language", "source"}},
                                     {{"source_prefixes", "en-de=translate English to German:"}}};

// Subword models of source and target.
struct Pieces {
  const char* name;
  std::string source, target;
};

std::string with_more(const char* kind, const std::vector<std::string>& more, const char* start) {
  const std::string bytes = made_up_model(kind).bytes();
  Vocabulary vocabulary = vocabulary_of(bytes, "test");
  // The number that positions of M2M-100 count on from.
  if (more.size() > 2)
    std::swap(vocabulary.pieces[1], vocabulary.pieces[vocabulary.pieces.size() - 1]);
  if (more.size() > 2)
    vocabulary.pieces.push_back(vocabulary.pieces[1]), vocabulary.pieces[1] = kPad;
  vocabulary.pieces.insert(vocabulary.pieces.end(), more.begin(), more.end());
  if (more.size() > 2) vocabulary.silent = {kPad};
  if (start) vocabulary.start = start;
  return number_pieces(bytes, vocabulary, SubwordSide::source, "test");
}

const std::vector<Pieces>& all_pieces() {
  static const std::vector<Pieces> pieces = [] {
    const std::string bpe = made_up_model("bpe").bytes(),
                      unigram = made_up_model("unigram").bytes();
    const std::vector<std::string> codes{"__en__", "__de__", "__ja__"};
    const std::string nllb = with_more("bpe", codes, "</s>"),
                      own = with_more("bpe", codes, nullptr),
                      german = with_more("bpe", codes, "__de__"),
                      tags = with_more("bpe", {">>deu<<", ">>eng<<"}, nullptr),
                      numbered = with_more("unigram", {"<2de>", "<2en>"}, nullptr);
    return std::vector<Pieces>{{"one", bpe, bpe},
                               {"two", unigram, bpe},
                               {"languages", own, own},
                               {"nllb", nllb, nllb},
                               {"german", german, german},
                               {"tags", tags, tags},
                               {"tags of two", tags, unigram},
                               {"numbered", numbered, numbered}};
  }();
  return pieces;
}

std::optional<PortableModel> make(const Settings& base, const Settings& change,
                                  const Pieces& pieces) {
  PortableModel model;
  Config& config = model.config;
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = 8, config.d_ff = 16, config.heads = 2;
  config.source_vocab = Subword::parse(pieces.source, "source").size();
  config.target_vocab = Subword::parse(pieces.target, "target").size();
  if (pieces.source != pieces.target) config.embeddings = EmbeddingTies::target;
  for (const Settings* settings : {&base, &change})
    for (const auto& [name, value] : *settings) set_field(config, *find_field(name), value, name);
  try {
    model.declare("test");
  } catch (const Error&) {
    return std::nullopt;  // settings that contradict each other
  }
  std::uint64_t stream = 0;
  for (auto& [name, matrix] : model.parameters) {
    Random random(1, ++stream);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (float& x : matrix.values) x = static_cast<float>(random.below(2000)) / 999.f - 1;
  }
  model.source = pieces.source, model.target = pieces.target;
  model.path = "model";
  return model;
}

bool of_pieces(std::string_view setting) {
  return setting.starts_with("source_") || setting.starts_with("target_") || setting == "start";
}

// The settings with one name for each that is the same.
Config plain(Config config) {
  config.final_norm = config.has_final_norm() ? FinalNorm::yes : FinalNorm::no;
  config.d_k = config.key_size(), config.d_v = config.value_size();
  const Config usual;
  if (config.positions != PositionKind::sinusoidal)
    config.position_layout = usual.position_layout, config.first_position = usual.first_position;
  if (config.positions != PositionKind::learned) config.max_length = usual.max_length;
  return config;
}

// The first difference behind the way there and back; empty if nothing is.
std::string difference(const PortableModel& model, const PortableModel& back, bool replaced) {
  Config there = plain(model.config);
  if (replaced) there.norm_epsilon = back.config.norm_epsilon;
  if (const std::string other = same_model(there, plain(back.config)); !other.empty()) return other;
  if (back.parameters.size() != model.parameters.size()) return "another number of parameters";
  for (const auto& [name, matrix] : model.parameters)
    if (!back.parameters.contains(name) || back.at(name).all() != matrix.values) return name;
  if (back.source != model.source) return "source subword";
  if (back.target != model.target) return "target subword";
  return "";
}

}  // namespace

TEST_CASE("a model comes back from a format to the same bits, or is refused") {
  const char* const name = GENERATE("marian", "hugging-face", "ctranslate2");
  const ForeignFormat& format = format_of(name);
  std::set<std::string> wrong;
  int written = 0;
  for (const Settings& base : kBases)
    for (const Settings& change : kChanges)
      for (const Pieces& pieces : all_pieces()) {
        // Languages meet the settings that say where they stand.
        if (!change.empty() && !of_pieces(change[0].first) && &pieces > &all_pieces()[1]) continue;
        const auto model = make(base, change, pieces);
        if (!model) continue;
        const Scratch scratch;
        const std::string folder = scratch.path("out");
        try {
          export_model(*model, format, folder);
        } catch (const Error&) {
          continue;
        }
        ++written;
        std::string found;
        try {
          const PortableModel back = import_model({folder, {}, "", "", {}}, format);
          found = difference(*model, back, !replaced_settings(model->config, format).empty());
        } catch (const Error& error) {
          found = std::string(error.what()).substr(folder.size());
        }
        if (found.empty()) continue;
        std::string settings = std::string(name) + ", " + pieces.name;
        for (const Settings* some : {&base, &change})
          for (const auto& [setting, value] : *some)
            settings += std::string(", ") + setting + " " + value;
        wrong.insert(settings + ": " + found);
      }
  CAPTURE(name);
  for (const std::string& one : wrong) WARN(one);
  CHECK(wrong.empty());
  CHECK(written > 40);
}

}  // namespace tt
