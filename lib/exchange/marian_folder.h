// The places of the files of a model of Marian: the model, the settings of its search, vocabularies
// and subword models.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
MarianFolder find_marian(const std::string& given);

// The paths of the vocabularies: those of the request, of the folder, of decoder.yml, or of the
// training; there, or beside the model. Throws Error if one is not there.
std::vector<std::string> vocabulary_paths(const MarianFolder& folder, const ImportRequest& request,
                                          const JsonSettings& options);

// The subword model of a side: `given`, or the one beside the model; empty: none.
std::string subword_path(const std::string& model, SubwordSide side, const std::string& given);

}  // namespace tt
