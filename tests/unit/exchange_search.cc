// Each key of a search that other programs know is kept, reported, or asks for nothing here.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "exchange/exchange.h"
#include "exchange/foreign_setting.h"
#include "exchange/format.h"
#include "exchange/generation_config.h"
#include "exchange/marian_folder.h"
#include "tests/catch.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

using nlohmann::json;

// The keys of GenerationConfig in transformers 5.24.0, by `print(*GenerationConfig().__dict__)`,
// and those that earlier versions had, by their fates.
const std::map<Following, std::vector<std::string>> kFollowing{
    {Following::kept,
     {"max_length", "max_new_tokens", "early_stopping", "num_beams", "length_penalty",
      "bad_words_ids", "forced_eos_token_id", "pad_token_id", "bos_token_id", "eos_token_id",
      "decoder_start_token_id"}},
    {Following::reported,
     {"min_length",
      "min_new_tokens",
      "max_time",
      "stop_strings",
      "do_sample",
      "repetition_penalty",
      "encoder_repetition_penalty",
      "no_repeat_ngram_size",
      "encoder_no_repeat_ngram_size",
      "forced_bos_token_id",
      "forced_decoder_ids",
      "exponential_decay_length_penalty",
      "suppress_tokens",
      "begin_suppress_tokens",
      "sequence_bias",
      "token_healing",
      "guidance_scale",
      "watermarking_config",
      "num_return_sequences",
      "penalty_alpha",
      "dola_layers",
      "diversity_penalty",
      "num_beam_groups",
      "constraints",
      "force_words_ids"}},
    {Following::idle,
     {"use_mtp",
      "use_cache",
      "cache_implementation",
      "cache_config",
      "return_legacy_cache",
      "max_cache_len",
      "temperature",
      "top_k",
      "top_p",
      "min_p",
      "top_h",
      "typical_p",
      "epsilon_cutoff",
      "eta_cutoff",
      "renormalize_logits",
      "remove_invalid_values",
      "output_attentions",
      "output_hidden_states",
      "output_scores",
      "output_logits",
      "return_dict_in_generate",
      "is_assistant",
      "num_assistant_tokens",
      "num_assistant_tokens_schedule",
      "assistant_confidence_threshold",
      "prompt_lookup_num_tokens",
      "max_matching_ngram_size",
      "assistant_early_exit",
      "assistant_lookbehind",
      "target_lookbehind",
      "assistant_ensemble_weight",
      "speculation_type",
      "compile_config",
      "disable_compile",
      "continuous_batching_config",
      "low_memory",
      "prefill_chunk_size",
      "_from_model_config",
      "transformers_version"}}};

// The values of a search that asks for nothing, as versions before 5 wrote them, by
// `print(GenerationConfig())` and `_get_default_generation_params()`.
constexpr const char* kDefaults = R"({
  "max_length": 20, "min_length": 0, "min_new_tokens": null, "do_sample": false, "use_cache": true,
  "early_stopping": false, "num_beams": 1, "temperature": 1.0, "top_k": 50, "top_p": 1.0,
  "typical_p": 1.0, "repetition_penalty": 1.0, "length_penalty": 1.0, "no_repeat_ngram_size": 0,
  "encoder_no_repeat_ngram_size": 0, "bad_words_ids": null, "num_return_sequences": 1,
  "output_scores": false, "return_dict_in_generate": false, "forced_bos_token_id": null,
  "forced_eos_token_id": null, "remove_invalid_values": false, "suppress_tokens": null,
  "exponential_decay_length_penalty": null, "begin_suppress_tokens": null, "epsilon_cutoff": 0.0,
  "eta_cutoff": 0.0, "encoder_repetition_penalty": 1.0, "num_assistant_tokens": 20,
  "num_assistant_tokens_schedule": "constant", "assistant_confidence_threshold": 0.4,
  "assistant_lookbehind": 10, "target_lookbehind": 10, "num_beam_groups": 1,
  "diversity_penalty": 0.0, "guidance_scale": null, "watermarking_config": null,
  "token_healing": false, "force_words_ids": [], "sequence_bias": {}, "penalty_alpha": 0})";

std::string lost(const json& said) {
  const JsonSettings settings(said.dump(), "g");
  return lost_settings(generation_config(), values_of(settings), settings.keys());
}

}  // namespace

TEST_CASE("every key of GenerationConfig is kept, reported, or asks for nothing") {
  std::size_t rows = 0;
  for (const auto& [following, keys] : kFollowing)
    for (const std::string& key : keys) {
      INFO(key);
      const auto is = [&](const ForeignSetting& row) { return row.key == key; };
      const auto row = std::ranges::find_if(generation_config(), is);
      REQUIRE(row != generation_config().end());
      CHECK(row->following == following);
      CHECK(std::ranges::count_if(generation_config(), is) == 1);
      const json asked{{key, 7}};
      CHECK(lost(asked) == (following == Following::reported ? key + " 7" : ""));
      ++rows;
    }
  CHECK(rows == generation_config().size());
  CHECK(lost(json::parse(kDefaults)) == "");
  CHECK(lost({{"stop_strings", {"\n", "END"}}, {"new_of_tomorrow", 3}}) ==
        "stop_strings, new_of_tomorrow 3");
  CHECK(lost({{"stop_strings", std::string(100, 'x')}}).size() < 90);
}

TEST_CASE("every option of marian-decoder is kept, reported, or asks for nothing") {
  // As `marian-decoder --help` of 1.12 lists those with an effect on the translation.
  const std::set<std::string> kept{
      "models", "vocabs", "beam-size", "normalize", "max-length-factor", "allow-unk"},
      reported{"word-penalty",       "output-sampling", "shortlist",       "output-approx-knn",
               "skip-cost",          "allow-special",   "force-decode",    "no-spm-encode",
               "no-spm-decode",      "max-length",      "max-length-crop", "tsv",
               "encryption-key-path"};
  std::set<std::string> keys;
  for (const ForeignSetting& row : decoder_options()) {
    INFO(row.key);
    CHECK(keys.insert(row.key).second);
    CHECK((row.following == Following::kept) == kept.contains(row.key));
    CHECK((row.following == Following::reported) == reported.contains(row.key));
  }
  CHECK(keys.size() == 65);
  const JsonSettings quoted = JsonSettings::of_yaml("word-penalty: '\"x'\n", "decoder.yml");
  CHECK(lost_settings(decoder_options(), values_of(quoted), quoted.keys()) == "word-penalty \"x");
}

namespace {

PortableModel small_model() {
  PortableModel model;
  Config& config = model.config;
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = 8, config.d_ff = 16, config.heads = 2;
  config.source_vocab = config.target_vocab = made_up_model("bpe").size();
  config.position_layout = PositionLayout::concatenated;
  model.declare("test");
  for (auto& [name, matrix] : model.parameters)
    matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns), 0.5f);
  model.source = model.target = made_up_model("bpe").bytes();
  return model;
}

void write(const std::string& path, const json& settings) {
  AtomicFile file(path);
  file.write(settings.dump());
  file.commit();
}

}  // namespace

TEST_CASE("every key of CTranslate2's config.json is kept, reported, or asks for nothing") {
  // As version 4.8.5 and its converters write them.
  const std::set<std::string> kept{"unk_token",         "bos_token",      "eos_token",
                                   "add_source_bos",    "add_source_eos", "decoder_start_token",
                                   "layer_norm_epsilon"};
  const json idle{
      {"quantization_type", 7}, {"quantization_bits", 7}, {"quantization_group_size", 7}};
  const json asked{
      {"multi_query_attention", true}, {"suppress_ids", {3}}, {"suppress_ids_begin", {3}},
      {"alignment_heads", {{0, 1}}},   {"lang_ids", {3}},     {"new_of_tomorrow", 7}};
  const Scratch scratch;
  PortableModel model = small_model();
  model.config.position_layout = PositionLayout::tensor2tensor;
  const std::string folder = scratch.path("c"), path = folder + "/config.json";
  export_model(model, kCTranslate2, folder);
  json settings = json::parse(read_file(path));
  for (const std::string& key : kept) CHECK(settings.contains(key));
  settings.update(idle);
  write(path, settings);
  CHECK(kCTranslate2.read({folder, {}, "", "", {}}).losses.empty());
  settings.update(asked);
  write(path, settings);
  CHECK(kCTranslate2.read({folder, {}, "", "", {}}).losses ==
        std::vector<std::string>{
            path + ": settings that are not kept: multi_query_attention true, suppress_ids, "
                   "suppress_ids_begin, alignment_heads, lang_ids, new_of_tomorrow 7"});
}

TEST_CASE("a search that cannot be followed is reported, and no reason to refuse a model") {
  const Scratch scratch;
  const PortableModel model = small_model();
  const std::string folder = scratch.path("hf"), path = folder + "/generation_config.json";
  export_model(model, kHuggingFace, folder);
  json search = json::parse(read_file(path));
  const json eos = search["eos_token_id"];
  search.update({{"length_penalty", -0.5},
                 {"eos_token_id", {3, eos}},
                 {"forced_eos_token_id", eos},
                 {"early_stopping", "never"},
                 {"do_sample", true},
                 {"stop_strings", {"."}},
                 {"num_beams", 7}});
  write(path, search);
  const PortableModel found = kHuggingFace.read({folder, {}, "", "", {}});
  CHECK(found.losses == std::vector<std::string>{
                            folder +
                            ": settings of search that are not kept: stop_strings, do_sample true, "
                            "length_penalty -0.5, eos_token_id [3," +
                            eos.dump() + "]"});
  CHECK(found.config.beam == 7);
  CHECK(found.config.alpha == 0);
  CHECK(!found.config.stop_when_full);
}

}  // namespace tt
