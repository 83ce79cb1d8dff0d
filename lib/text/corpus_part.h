// A part of a corpus: its files, and what is said of them.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "text/languages.h"

namespace tt {

struct CorpusPart {
  std::string source, target;  // files; without a target one of lines "source TAB target"
  double weight = 1;           // how often its pairs come in an epoch
  LanguageNames languages = {};
  LanguagePieces pieces = {};  // that choose them, which its sentences have around them
  std::string links = "";  // a file with the links of each pair, as read_links() has them; or empty

  std::array<std::string*, 3> paths() { return {&source, &target, &links}; }
  std::array<const std::string*, 3> paths() const { return {&source, &target, &links}; }
};

// All that is said of a part, but for the pieces, which follow from it: states of runs and notes of
// stores have this, and parts are compared by it. From an earlier version it may be shorter.
void to_json(nlohmann::json& to, const CorpusPart& part);
void from_json(const nlohmann::json& from, CorpusPart& part);

// As a command line has it: "en de SOURCE TARGET 2 LINKS".
std::string as_text(const CorpusPart& part);

}  // namespace tt
