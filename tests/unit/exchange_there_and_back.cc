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
                                     {{"encoder_layers", "2"}},
                                     {{"decoder_layers", "2"}},
                                     {{"activation", "gelu"}},
                                     {{"activation", "swish"}},
                                     {{"activation", "gelu_logistic"}},
                                     {{"activation", "gelu_erf"}},
                                     {{"norm", "pre"}},
                                     {{"norm", "post"}},
                                     {{"norm_type", "rms"}},
                                     {{"norm_epsilon", "0.001"}},
                                     {{"final_norm", "yes"}},
                                     {{"final_norm", "no"}},
                                     {{"embedding_norm", "true"}},
                                     {{"positions", "sinusoidal"}},
                                     {{"positions", "learned"}, {"max_length", "9"}},
                                     {{"positions", "none"}},
                                     {{"positions", "relative"}},
                                     {{"position_buckets", "8"}, {"positions", "relative"}},
                                     {{"position_distance", "99"}, {"positions", "relative"}},
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
                                     {{"decoder_self", "ssru"}, {"decoder_layers", "2"}},
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
                                     {{"type", "lstm"}},
                                     {{"type", "lstm"}, {"bidirectional", "true"}},
                                     {{"type", "lstm"}, {"input_feeding", "true"}},
                                     {{"type", "lstm"}, {"attention", "none"}},
                                     {{"type", "lstm"}, {"attention", "general"}},
                                     {{"type", "lstm"}, {"attention", "concat"}},
                                     {{"context", "2"}},
                                     {{"context", "2"}, {"context_sides", "source"}},
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
  int source_size = Subword::parse(source, "source").size(),
      target_size = Subword::parse(target, "target").size();
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
  config.d_model = 8;
  if (change.empty() || change[0].second != std::string("lstm")) config.d_ff = 16, config.heads = 2;
  config.source_vocab = pieces.source_size;
  config.target_vocab = pieces.target_size;
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
  for (const ParameterPart& part : model.parts)  // units take in without a bias, but for old ones
    if (part.role == Role::content && part.bias)
      model.put(part, std::vector<float>(static_cast<std::size_t>(part.columns)), false);
  model.source = pieces.source, model.target = pieces.target;
  model.path = "model";
  return model;
}

std::vector<std::string> split(std::string_view text, std::string_view by) {
  std::vector<std::string> parts;
  for (std::size_t end; (end = text.find(by)) != text.npos; text.remove_prefix(end + by.size()))
    parts.emplace_back(text.substr(0, end));
  parts.emplace_back(text);
  return parts;
}

// Why a format refuses a model; nothing if it does not.
std::vector<std::string> reasons(const PortableModel& model, const ForeignFormat& format,
                                 const std::string& folder) {
  try {
    export_model(model, format, folder);
    return {};
  } catch (const Error& error) {
    return split(std::string_view(error.what()).substr(std::string_view("model: ").size()),
                 "; and ");
  }
}

// Sets what a reason names to what it says is possible; nothing if it names no settings.
Settings repaired(const std::string& reason) {
  static std::set<std::string> texts;  // that settings point into
  const auto kept = [](const std::string& text) { return texts.insert(text).first->c_str(); };
  constexpr std::string_view kBegin = "a model with ", kHas = ", which has ";
  const std::size_t end = reason.find(" cannot be "), has = reason.find(kHas);
  if (!reason.starts_with(kBegin) || has == reason.npos) return {};
  const auto asked = split(reason.substr(kBegin.size(), end - kBegin.size()), ", "),
             possible = split(reason.substr(has + kHas.size()), "; ");
  Settings settings;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string name = split(asked[i], " ")[0];
    std::string value = possible.at(i);
    if (value.starts_with(name + " ")) value.erase(0, name.size() + 1);
    if (!find_field(name)) return {};
    if (name == "d_k") settings.insert(settings.end(), {{"d_k", "4"}, {"d_v", "4"}});
    else settings.emplace_back(kept(name), kept(split(split(value, ", ")[0], " and ")[0]));
  }
  return settings;
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
  int written = 0, repairs = 0;
  for (const Settings& base : kBases)
    for (const Settings& change : kChanges)
      for (const Pieces& pieces : all_pieces()) {
        // Languages meet the settings that say where they stand.
        if (!change.empty() && !of_pieces(change[0].first) && &pieces > &all_pieces()[1]) continue;
        const auto model = make(base, change, pieces);
        if (!model) continue;
        const Scratch scratch;
        const std::string folder = scratch.path("out");
        std::string settings = std::string(name) + ", " + pieces.name;
        for (const Settings* some : {&base, &change})
          for (const auto& [setting, value] : *some)
            settings += std::string(", ") + setting + " " + value;
        if (const auto why = reasons(*model, format, folder); !why.empty()) {
          Settings repair = change;
          for (const auto& one : repaired(why[0])) repair.push_back(one);
          if (repair.size() == change.size()) continue;
          const auto other = make(base, repair, pieces);
          if (!other) continue;
          ++repairs;
          for (const std::string& again : reasons(*other, format, scratch.path("other")))
            if (std::ranges::none_of(why, [&](const std::string& reason) {
                  return reason.substr(0, 20) == again.substr(0, 20) && repaired(again).empty();
                }))
              wrong.insert(settings + ": " + why[0] + "; but behind that: " + again);
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
        if (!found.empty()) wrong.insert(settings + ": " + found);
      }
  CAPTURE(name);
  for (const std::string& one : wrong) WARN(one);
  CHECK(wrong.empty());
  CHECK(written > 40);
  CHECK(repairs > 100);
}

TEST_CASE("models of every setting are sent there and back") {
  const std::set<std::string> sizes{"d_model", "d_ff", "heads", "source_vocab", "target_vocab"};
  std::set<std::pair<std::string, std::string>> changed;
  for (const auto* list : {&kBases, &kChanges})
    for (const Settings& settings : *list) changed.insert(settings.begin(), settings.end());
  for (const Field& field : fields()) {
    if (field.group != FieldGroup::model || sizes.contains(field.name)) continue;
    INFO(field.name);
    const auto has = [&](const std::string& value) {
      return changed.contains({field.name, value});
    };
    if (field.choices.empty())
      CHECK(std::ranges::any_of(changed, [&](auto& one) { return one.first == field.name; }));
    for (const std::string& value : field.choices) {
      INFO(value);
      CHECK((has(value) || value == get_field(Config(), field)));
    }
  }
}

}  // namespace tt
