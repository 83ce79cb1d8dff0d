#include "exchange/bart.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/tokenizer_json.h"
#include "exchange/tokenizer_pieces.h"
#include "exchange/transformers.h"
#include "text/languages.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr int kPositions = 1024;  // of a model whose sinusoids have no end

// ---- Reading ------------------------------------------------------------------------------------

// The settings of a kind, by its "model_type".
const ForeignTable& settings_of(const std::string& type) {
  static const auto of_bart = [](const ForeignTable& own, const char* activation,
                                 const char* scale) {
    return of_transformers(
        {own,
         fixed(
             "embeddings=shared source_bos target_bos source_language target_language=none|first")},
        activation, scale);
  };
  static const auto learned = [](const char* norm, const char* final_norm) {
    return of_bart({fixed(std::string("norm=") + norm + " final_norm=auto|" + final_norm +
                          " embedding_norm=true positions=learned "
                          "position_layout=concatenated|interleaved|tensor2tensor first_position"),
                    kept("max_position_embeddings", "max_length", "1024")},
                   "gelu", "false");
  };
  static const ForeignTable bart = learned("post", "no"), mbart = learned("pre", "yes"),
                            m2m = of_bart(
                                {fixed("norm=pre final_norm=auto|yes position_layout=tensor2tensor "
                                       "first_position=2 output_bias=false")},
                                "relu", "true");
  return type == "bart" ? bart : type == "mbart" ? mbart : m2m;
}

// Whether a tokenizer begins a source with <s>: unless its template says something else.
bool writes_bos(const std::string& folder) {
  const json processor = JsonSettings::if_any(folder + "/tokenizer.json").value("post_processor");
  const json::json_pointer first("/single/0/SpecialToken/id");
  if (!processor.is_object() || processor.value("type", json()) != "TemplateProcessing")
    return true;
  return processor.contains(first) && processor[first] == kBos;
}

// Finds the pieces of languages. The decoder of mBART begins with that of the target, those
// of its successors with </s>, behind which it stands.
void set_languages(Architecture& config, Vocabulary& vocabulary, const JsonSettings& settings,
                   const std::string& folder) {
  const std::vector<std::string> languages = language_pieces(vocabulary);
  const auto number = [&](const char* key, int otherwise) {
    return settings.integer(key, otherwise, 0, config.source_vocab - 1);
  };
  const auto piece = [&](int id) { return vocabulary.pieces[id]; };
  const int start = number("decoder_start_token_id", number("bos_token_id", 0));
  const int forced = settings.has("forced_bos_token_id") ? number("forced_bos_token_id", 0) : -1;
  vocabulary.start = piece(start);
  vocabulary.silent = {kBos, kPad, kMask};
  vocabulary.silent.insert(vocabulary.silent.end(), languages.begin(), languages.end());
  if (languages.empty()) {
    if (forced >= 0 && piece(forced) != kBos) settings.refuse("forced_bos_token_id", "that of <s>");
    config.source_bos = writes_bos(folder);
    config.target_bos = forced >= 0;
    return;
  }
  if (language_of(vocabulary.start)) {
    config.source_language = SourceLanguage::behind;
    return;
  }
  if (vocabulary.start != vocabulary.eos)
    settings.refuse("decoder_start_token_id",
                    "the number of " + in_quotes(vocabulary.eos) + ", or of a language,");
  const bool behind =
      JsonSettings::if_any(folder + "/tokenizer_config.json").yes("legacy_behaviour", false);
  config.source_language = behind ? SourceLanguage::behind : SourceLanguage::before;
  config.target_language = TargetLanguage::first;
}

// BARThez numbers pieces as its SentencePiece model does.
bool has_own_numbers(const std::string& folder, const JsonSettings& settings) {
  const JsonSettings about = JsonSettings::if_any(folder + "/tokenizer_config.json");
  return settings.text("model_type", "") == "bart" ||
         about.text("tokenizer_class", "").starts_with("Barthez");
}

}  // namespace

bool is_bart(const std::string& model_type) {
  return model_type == "bart" || model_type == "mbart" || model_type == "m2m_100";
}

PortableModel read_bart(const ImportRequest& request, const JsonSettings& settings) {
  const std::string& folder = request.path;
  // One vocabulary has one subword model, whichever side it is given for.
  const std::string& one =
      request.source_subword.empty() ? request.target_subword : request.source_subword;
  const std::string found = subword_if_any(folder, SubwordSide::source, one);
  if ((found.empty() || found.ends_with(kTokenizer)) && file_exists(folder + "/merges.txt"))
    throw Error(folder,
                "/merges.txt: text is cut by byte-level BPE, which cannot be imported; models "
                "with a SentencePiece model can");
  ForeignTensors tensors = read_transformers_tensors(folder);
  PortableModel model;
  const std::string type = settings.text("model_type", "");
  Config& config = model.config = read_transformers_settings(settings_of(type), settings);
  if (type == "m2m_100")  // positions count on from the number of <pad>
    config.first_position = 1 + settings.integer("pad_token_id", kFirstPosition - 1, 0, 1023);
  const bool tied = config.embeddings != EmbeddingTies::none;
  const std::vector<std::string> inputs{"model.shared.weight", "model.encoder.embed_tokens.weight",
                                        "lm_head.weight"};
  take_tables(
      model, tensors,
      {inputs,
       tied ? inputs
            : std::vector<std::string>{"model.decoder.embed_tokens.weight", "model.shared.weight",
                                       "lm_head.weight"},
       tied ? inputs : std::vector<std::string>{"lm_head.weight"}, "final_logits_bias", true});
  take_learned_positions(model, tensors, "model.");
  read_layers(model, tensors, transformers_place);
  tensors.ignore({"model.shared.weight", "model.encoder.embed_tokens.weight",
                  "model.decoder.embed_tokens.weight", "lm_head.weight", "model.encoder.version",
                  "model.decoder.version", "model.encoder.embed_positions.weights",
                  "model.decoder.embed_positions.weights"});
  tensors.check_all_taken();
  drop_zero_biases(model);

  Vocabulary vocabulary = read_tokenizer_pieces(
      folder, config.source_vocab, find_subword(folder, SubwordSide::source, one),
      has_own_numbers(folder, settings) ? PieceNumbers::own : PieceNumbers::fairseq);
  set_languages(config, vocabulary, settings, folder);
  check_eos(settings, vocabulary);
  note_lost_search(model, folder, settings, vocabulary, "forced_bos_token_id");
  for (const SubwordSide side : {SubwordSide::source, SubwordSide::target})
    model.take_subword(
        side, vocabulary,
        find_subword(folder, side, request.subword(side).empty() ? one : request.subword(side)));
  return model;
}

// ---- Writing ------------------------------------------------------------------------------------

namespace {

enum class Tokenizer { none, plain, nllb, m2m };

// The tokenizer that puts the pieces of languages where the model has them.
Tokenizer tokenizer_of(const Config& config, const Vocabulary& vocabulary,
                       const std::vector<std::string>& languages) {
  const bool before = config.source_language == SourceLanguage::before,
             none = config.source_language == SourceLanguage::none,
             first = config.target_language == TargetLanguage::first,
             starts = language_of(vocabulary.start).has_value();
  if (none && !first && languages.empty()) return Tokenizer::plain;
  const bool known = first ? !none && vocabulary.start == vocabulary.eos
                           : config.source_language == SourceLanguage::behind && starts;
  if (!known || config.source_bos || config.target_bos) return Tokenizer::none;
  const auto all = m2m_languages();
  const auto at = static_cast<std::size_t>(index_of(vocabulary.pieces, all[0]));
  const bool theirs = before && !config.embedding_norm && languages == all &&
                      vocabulary.pieces.size() - at >= all.size() &&
                      std::equal(all.begin(), all.end(),
                                 vocabulary.pieces.begin() + static_cast<std::ptrdiff_t>(at));
  return theirs ? Tokenizer::m2m : Tokenizer::nllb;
}

void write_tokenizer(AtomicFolder& to, const PortableModel& model, const Vocabulary& vocabulary,
                     const std::string& pad) {
  const Config& config = model.config;
  const std::vector<std::string> languages = language_pieces(vocabulary);
  const Tokenizer kind = tokenizer_of(config, vocabulary, languages);
  json about{{"eos_token", vocabulary.eos}, {"unk_token", vocabulary.unk}, {"pad_token", pad}};
  if (kind == Tokenizer::m2m) {
    about.update({{"tokenizer_class", "M2M100Tokenizer"}, {"language_codes", "m2m100"}});
    to.add("vocab.json",
           numbered({vocabulary.pieces.begin(),
                     vocabulary.pieces.begin() + index_of(vocabulary.pieces, languages[0])}));
    to.add("sentencepiece.bpe.model", model.source);
  } else {
    const bool behind = config.source_language == SourceLanguage::behind;
    about["tokenizer_class"] =
        kind == Tokenizer::nllb ? "NllbTokenizer" : "PreTrainedTokenizerFast";
    std::vector<std::string> first, last{vocabulary.eos};
    if (kind == Tokenizer::nllb) {
      (behind ? last : first).push_back(languages[0]);
      about.update({{"additional_special_tokens", languages},
                    {"src_lang", languages[0]},
                    {"legacy_behaviour", behind}});
    }
    if (config.source_bos) first.emplace_back(kBos);
    to.add("tokenizer.json", make_tokenizer_json(model.source, vocabulary, first, last));
    to.add("source.spm", model.source);
  }
  if (kind != Tokenizer::m2m || model.target != model.source) to.add("target.spm", model.target);
  for (const auto& [key, piece] : {std::pair("bos_token", kBos), {"mask_token", kMask}})
    if (index_of(vocabulary.pieces, piece) < config.source_vocab) about[key] = piece;
  about["model_max_length"] =
      config.positions == PositionKind::learned ? config.max_length : kPositions;
  to.add("tokenizer_config.json", about.dump(2) + "\n");
}

// Two vocabularies, or pieces of languages, of padding or of <s> that stand otherwise.
std::vector<std::string> obstacles(const PortableModel& model, bool sinusoids) {
  const Config& config = model.config;
  std::vector<std::string> found;
  const Vocabulary vocabulary =
      vocabulary_of(model.source, model.path + ": the source's subword model");
  const auto number = [&](const std::string& piece) { return index_of(vocabulary.pieces, piece); };
  if (vocabulary.pieces != vocabulary_of(model.target, model.path).pieces)
    found.emplace_back(
        "has two vocabularies, but the tokenizer of such a model in transformers one");
  if (sinusoids && number(kPad) != config.first_position - 1)
    found.push_back("its positions begin with " + std::to_string(config.first_position) +
                    ", as behind a piece " + in_quotes(kPad) + " of the number " +
                    std::to_string(config.first_position - 1) + ", which its vocabulary lacks");
  if ((config.source_bos || config.target_bos) && number(kBos) == config.source_vocab)
    found.push_back("begins sentences with " + in_quotes(kBos) + ", which its vocabulary lacks");
  const auto languages = language_pieces(vocabulary);
  if (tokenizer_of(config, vocabulary, languages) == Tokenizer::none)
    found.push_back("no tokenizer of transformers has languages as this model does: " +
                    std::to_string(languages.size()) + " pieces for them, source_language " +
                    get_field(config, "source_language") + ", target_language " +
                    get_field(config, "target_language") + ", a decoder that begins with " +
                    in_quotes(vocabulary.start));
  return found;
}

// Writes a folder of the one that the model is: BART, mBART, or with sinusoids M2M-100. Its
// tokenizer is that of NLLB-200, which has any languages, of M2M-100 for the languages of that, or
// one without languages.
void write_bart(PortableModel model, const std::string& folder) {
  add_zero_biases(model);
  const Config& config = model.config;
  const bool m2m = !config.embedding_norm, post = config.norm == NormPlace::post,
             learned = config.positions == PositionKind::learned;
  const Vocabulary vocabulary =
      vocabulary_of(model.source, model.path + ": the source's subword model");
  const auto number = [&](const std::string& piece) { return index_of(vocabulary.pieces, piece); };
  const bool padded = number(kPad) < config.source_vocab;
  check_absent(folder, {"pytorch_model.bin", "model.safetensors.index.json", "added_tokens.json"});
  const std::string pad = padded ? kPad : vocabulary.eos;
  const int positions = learned ? config.max_length : kPositions;
  AtomicFolder to(folder, model.path);
  write_tokenizer(to, model, vocabulary, pad);
  json ids{{"pad_token_id", number(pad)},
           {"eos_token_id", number(vocabulary.eos)},
           {"decoder_start_token_id", number(vocabulary.start)},
           {"bos_token_id", nullptr},
           {"forced_bos_token_id", nullptr}};
  if (number(kBos) < config.source_vocab) ids["bos_token_id"] = number(kBos);
  if (config.target_bos) ids["forced_bos_token_id"] = number(kBos);
  const char* const type = m2m ? "m2m_100" : post ? "bart" : "mbart";
  json settings = transformers_settings(settings_of(type), config, type,
                                        m2m    ? "M2M100ForConditionalGeneration"
                                        : post ? "BartForConditionalGeneration"
                                               : "MBartForConditionalGeneration");
  settings["max_position_embeddings"] = positions;
  if (config.target_language == TargetLanguage::first)
    settings["tokenizer_class"] = "NllbTokenizer";  // by which CTranslate2's converter tells mBARTs

  TransformersTensors tensors;
  const std::int64_t d = config.d_model;
  tensors.add("model.shared.weight", {config.source_vocab, d},
              model.at(Stack::encoder, Role::embeddings).values);
  if (!m2m)
    tensors.add("final_logits_bias", {1, config.target_vocab},
                model.at(Stack::decoder, Role::output, true).values);
  if (learned)
    for (const Stack stack : {Stack::encoder, Stack::decoder}) {
      std::vector<float> table(static_cast<std::size_t>(kFirstPosition * d));
      const auto& own = model.at(stack, Role::positions).values;
      table.insert(table.end(), own.begin(), own.end());
      tensors.add(positions_name(stack), {config.max_length + kFirstPosition, d}, std::move(table));
    }
  write_layers(model, transformers_place, tensors.put());
  finish_transformers(to, config, settings, json::object(), ids, positions, tensors);
}

}  // namespace

std::vector<ForeignKind> bart_kinds() {
  const auto learned = [](const PortableModel& model) { return obstacles(model, false); };
  return {{"one of M2M-100 or NLLB-200", settings_of("m2m_100"), write_bart,
           [](const PortableModel& model) { return obstacles(model, true); }},
          {"one of mBART", settings_of("mbart"), write_bart, learned},
          {"one of BART", settings_of("bart"), write_bart, learned}};
}

}  // namespace tt
