// The places of the files of a model of Marian: the model, the settings of its search, vocabularies
// and subword models; and these settings.
//
// Source: addOptionsTranslation() in common/config_parser.cpp of Marian 1.12.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exchange/foreign_setting.h"
#include "exchange/json_settings.h"
#include "exchange/portable.h"
#include "text/subword.h"

namespace tt {

struct MarianFolder {
  std::string model, shortlist, decoder_path;
  std::vector<std::string> vocabularies;  // of a folder without decoder.yml
  std::optional<JsonSettings> decoder;    // decoder.yml
};

// The files of a model, or of a folder. Throws Error if they are not there, or of several models.
MarianFolder find_marian(const std::string& path);

// The paths of the vocabularies: those of the request, of the folder, of decoder.yml, or of the
// training; there, or beside the model. Throws Error if one is not there.
std::vector<std::string> vocabulary_paths(const MarianFolder& folder, const ImportRequest& request,
                                          const JsonSettings& options);

// The subword model of a side: `given`, or the one beside the model; empty: none.
std::string subword_path(const std::string& model, SubwordSide side, const std::string& given);

// All options of marian-decoder.
const ForeignTable& decoder_options();
// Takes the settings of search from decoder.yml, or else from those of the training, and reports
// those that are not kept.
void take_search(const MarianFolder& folder, const JsonSettings& options, PortableModel& model);

}  // namespace tt
