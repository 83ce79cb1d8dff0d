// How models of Marian are searched with: decoder.yml, or the options of the training.
//
// Source: addOptionsTranslation() in common/config_parser.cpp of Marian 1.12.
#pragma once

#include "exchange/foreign_setting.h"
#include "exchange/json_settings.h"
#include "exchange/marian_folder.h"
#include "exchange/portable.h"

namespace tt {

// All options of marian-decoder.
const ForeignTable& decoder_options();

// Takes the settings of search, and reports those that are not kept.
void take_search(const MarianFolder& folder, const JsonSettings& options, PortableModel& model);

}  // namespace tt
