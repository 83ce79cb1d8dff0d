// Settings of a model and of training as the options of a program: a preset, then a file, then
// options.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/config.h"
#include "tools/options.h"

namespace tt {

// As given, in order of precedence.
struct Settings {
  std::string preset = "base", file, from;  // from: a model whose kind it is
  std::optional<Config> before;             // of a run that goes on, in place of a preset
  std::vector<std::pair<const Field*, std::string>> flags;

  // Throws Error if a file cannot be read, or if settings are out of range or contradict each
  // other.
  Config config() const;
  bool given(std::string_view name) const;  // by an option

 private:
  // The config, changed as the file's JSON and the flags say, and the fields that the file names.
  std::pair<Config, std::vector<const Field*>> over(Config config, const std::string& json) const;
};

// One option for every field of the configuration.
std::vector<Group> setting_groups(Settings& settings);

// --memory, a number of bytes: 500M, 4G.
Option memory_option(std::optional<std::size_t>& bytes);

}  // namespace tt
