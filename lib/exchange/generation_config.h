// How models of the Hugging Face transformers are searched with: generation_config.json, or, as it
// was before, those keys in config.json.
//
// Source: GenerationConfig in generation/configuration_utils.py of that project, up to version 5.
#pragma once

#include <string>
#include <string_view>

#include "exchange/foreign_setting.h"
#include "exchange/json_settings.h"
#include "exchange/portable.h"
#include "exchange/vocabulary.h"

namespace tt {

// All keys of GenerationConfig.
const ForeignTable& generation_config();

void read_transformers_search(Config& config, const JsonSettings& settings);
// Adds to the model's losses the settings of search that are not kept, but for one that is; those
// of generation_config.json that have no row are among them.
void note_lost_search(PortableModel& model, const std::string& folder, const JsonSettings& settings,
                      const Vocabulary& target, std::string_view kept = "");
// ... that nothing says how long a translation may become.
void note_no_length(PortableModel& model, const std::string& folder, const JsonSettings& settings);
// Throws Error if the piece that ends a sentence is another.
void check_eos(const JsonSettings& settings, const Vocabulary& target);
// For generation_config.json, of translations of at most `longest` tokens.
nlohmann::json transformers_search(const Config& config, int longest);
// Adds the keys of our own with a translation's length by that of its source, which the format has
// no place for.
void write_length_factor(const SearchSettings& config, nlohmann::json& settings);

}  // namespace tt
