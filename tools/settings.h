// Settings of a model and of training as the options of a program: a preset, then a file, then options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/config.h"

namespace tt {

// As given, in order of precedence.
struct Settings {
  std::string preset = "base", file, from;  // from: a model whose kind it is
  std::vector<std::pair<const Field*, std::string>> flags;

  // Throws Error if a file cannot be read, or if settings are out of range or contradict each other.
  Config config() const;

  // Throws Error, with the reason, if an option sets the field.
  void refuse(const std::string& field, const std::string& reason) const;

 private:
  // The config, changed as the file's JSON and the flags say, and the fields that the file names.
  std::pair<Config, std::vector<const Field*>> over(Config config, const std::string& json) const;
};

// Declares one option for every field of the configuration.
void add_settings(CLI::App& app, Settings& settings);

// Declares --memory, a number of bytes: 500M, 4G.
void add_memory(CLI::App& app, std::size_t& bytes);

}  // namespace tt
