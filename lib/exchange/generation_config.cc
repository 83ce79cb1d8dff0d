#include "exchange/generation_config.h"

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "exchange/transformers.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr const char *kFactor = "tt_length_factor", *kExtra = "tt_extra_length",
                     *kFile = "generation_config.json", *kPenalty = "length_penalty";
constexpr int kExtraMost = 1 << 20;
constexpr int kLengthMost = 512;  // of the translations that models of the format are made for
constexpr double kAlphaMost = 100;

}  // namespace

const ForeignTable& generation_config() {
  static const ForeignTable table{
      kept("num_beams", "beam", "1"),
      kept("early_stopping", "stop_when_full", "false",
           {{"false", "false"}, {"true", "true"}, {"never", "false"}}),
      // Those that code reads.
      kept("length_penalty max_length max_new_tokens bad_words_ids pad_token_id bos_token_id "
           "eos_token_id forced_eos_token_id decoder_start_token_id"),
      // Those that change which translation is found.
      reported("min_length min_new_tokens", "0"),
      reported("max_time stop_strings"),
      reported("do_sample", "false"),
      reported("repetition_penalty encoder_repetition_penalty", "1"),
      reported("no_repeat_ngram_size encoder_no_repeat_ngram_size", "0"),
      reported("forced_bos_token_id forced_decoder_ids exponential_decay_length_penalty "
               "suppress_tokens begin_suppress_tokens sequence_bias"),
      reported("guidance_scale", "1"),
      reported("watermarking_config"),
      reported("token_healing", "false"),
      reported("num_return_sequences num_beam_groups", "1"),
      reported("diversity_penalty penalty_alpha", "0"),
      reported("dola_layers constraints force_words_ids"),
      // Of samples, which do_sample asks for.
      idle("temperature top_k top_p min_p top_h typical_p epsilon_cutoff eta_cutoff"),
      // Pieces that may not be written have no part of the probability here.
      idle("renormalize_logits remove_invalid_values"),
      // Of memory and speed.
      idle("use_cache use_mtp cache_implementation cache_config max_cache_len return_legacy_cache "
           "low_memory prefill_chunk_size compile_config disable_compile "
           "continuous_batching_config"),
      // Of a second model, which a caller gives.
      idle("is_assistant num_assistant_tokens num_assistant_tokens_schedule "
           "assistant_confidence_threshold assistant_early_exit assistant_lookbehind "
           "target_lookbehind assistant_ensemble_weight speculation_type prompt_lookup_num_tokens "
           "max_matching_ngram_size"),
      // Of what a caller is told.
      idle("output_attentions output_hidden_states output_scores output_logits "
           "return_dict_in_generate _from_model_config transformers_version"),
  };
  return table;
}

void read_transformers_search(Config& config, const JsonSettings& settings) {
  read_settings(generation_config(), values_of(settings), config);
  config.length_penalty = LengthPenalty::length;
  config.alpha = std::clamp(settings.number(kPenalty, 1, -1e9, 1e9), 0.0, kAlphaMost);
  // The piece that the decoder begins with counts in max_length.
  config.extra_length = settings.integer(
      "max_new_tokens", settings.integer("max_length", kLengthMost, 2, INT_MAX) - 1, 1, INT_MAX);
  config.extra_length =
      std::min(settings.integer(kExtra, config.extra_length, 0, INT_MAX), kExtraMost);
  config.length_factor = settings.number(kFactor, 0, 0, 1000);
}

void note_lost_search(PortableModel& model, const std::string& folder, const JsonSettings& settings,
                      const Vocabulary& target, std::string_view kept) {
  std::string lost = lost_settings(generation_config(), values_of(settings),
                                   JsonSettings::if_any(folder + "/" + kFile).keys(), kept);
  const auto add = [&](const char* key) {
    const std::string value = settings.value(key).dump();
    lost += (lost.empty() ? "" : ", ") + std::string(key) + (value.size() < 40 ? " " + value : "");
  };
  const auto number = [&](const std::string& piece) {
    return json(index_of(target.pieces, piece));
  };
  const auto asks = [&](const char* key, std::initializer_list<json> nothing) {
    return settings.has(key) && std::ranges::find(nothing, settings.value(key)) == nothing.end();
  };
  const json eos = number(target.eos), eos_alone = json::array({eos});
  if (asks(kPenalty, {}) && settings.value(kPenalty) != model.config.alpha) add(kPenalty);
  if (asks("eos_token_id", {eos, eos_alone})) add("eos_token_id");
  if (asks("forced_eos_token_id", {eos, eos_alone})) add("forced_eos_token_id");
  if (asks("bad_words_ids", {json::array(), json::array({json::array({number(kPad)})})}))
    add("bad_words_ids");
  if (!lost.empty())
    model.losses.push_back(folder + ": settings of search that are not kept: " + lost);
}

void note_no_length(PortableModel& model, const std::string& folder, const JsonSettings& settings) {
  if (!settings.has("max_length") && !settings.has("max_new_tokens"))
    model.losses.push_back(folder +
                           ": has no max_length, with which transformers stops after 20 tokens; "
                           "imported with " +
                           std::to_string(kLengthMost));
}

// By its number, or one of several, of which the others are reported.
void check_eos(const JsonSettings& settings, const Vocabulary& target) {
  const char* const key = "eos_token_id";
  const json value = settings.value(key), eos = index_of(target.pieces, target.eos);
  const bool among = value.is_array() && std::ranges::find(value, eos) != value.end();
  if (!value.is_null() && value != eos && !among)
    settings.refuse(key, "the number of " + in_quotes(target.eos) + ", " + eos.dump() + ",");
}

json transformers_search(const Config& config, int longest) {
  json search;
  write_settings(generation_config(), config, search);
  if (!config.stop_when_full) search.erase("early_stopping");  // which it is without
  search["max_length"] =
      std::min(longest, config.length_factor == 0 ? config.extra_length + 1 : kLengthMost);
  if (config.length_penalty != LengthPenalty::paper)
    search[kPenalty] = config.length_penalty == LengthPenalty::length ? config.alpha : 0;
  return search;
}

void write_length_factor(const SearchSettings& config, json& settings) {
  if (config.length_factor != 0)
    settings[kFactor] = config.length_factor, settings[kExtra] = config.extra_length;
}

}  // namespace tt
