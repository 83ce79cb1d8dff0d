#include "tools/help.h"

#include <vector>

namespace tt {
namespace {

using Options = std::vector<const CLI::Option*>;

// An entry in the left column and its meaning in the right one, or on the next line if the entry is too long.
void row(std::string& text, const std::string& entry, const std::string& meaning) {
  constexpr std::size_t kColumn = 30;
  const std::string left = "  " + entry;
  text += left;
  if (left.size() >= kColumn) text += "\n" + std::string(kColumn, ' ');
  else text += std::string(kColumn - left.size(), ' ');
  text += meaning + "\n";
}

bool repeats(const CLI::Option& option) { return option.get_expected_max() >= CLI::detail::expected_max_vector_size; }

std::string names(const std::set<CLI::Option*>& options) {
  std::string text;
  for (const CLI::Option* option : options) text += " " + option->get_name();
  return text;
}

// "-o,--output FILE=- REQUIRED": spellings, kind of value, default, and what goes with it.
std::string entry(const CLI::Option& option) {
  std::string text = option.get_name(option.get_positional(), !option.get_positional());
  if (option.get_type_size() != 0) {
    if (!option.get_type_name().empty()) text += " " + option.get_type_name();
    if (!option.get_default_str().empty() && option.get_default_str() != "[]") text += "=" + option.get_default_str();
    if (repeats(option)) text += " ...";
    if (option.get_required()) text += " REQUIRED";
  }
  if (!option.get_needs().empty()) text += " Needs:" + names(option.get_needs());
  if (!option.get_excludes().empty()) text += " Excludes:" + names(option.get_excludes());
  return text;
}

void group(std::string& text, const std::string& title, const Options& options) {
  if (options.empty()) return;
  text += "\n" + title + ":\n";
  for (const CLI::Option* option : options) row(text, entry(*option), option->get_description());
}

std::string usage(const CLI::App& app, const std::string& name, const Options& operands, bool commands) {
  std::string text = "Usage: " + name + " [OPTIONS]";
  for (const CLI::Option* operand : operands) {
    const std::string word = operand->get_name(true, false) + (repeats(*operand) ? "..." : "");
    text += operand->get_required() ? " " + word : " [" + word + "]";
  }
  if (commands) text += app.get_require_subcommand_min() == 0 ? " [SUBCOMMAND]" : " SUBCOMMAND";
  return text + "\n";
}

}  // namespace

std::string help(const CLI::App& app, const std::string& name) {
  const Options operands =
      app.get_options([](const CLI::Option* option) { return option->get_positional() && !option->get_group().empty(); });
  const auto commands = app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
  std::string text = app.get_description() + "\n" + usage(app, name, operands, !commands.empty());
  group(text, "Positionals", operands);
  for (const std::string& title : app.get_groups()) {
    if (title.empty()) continue;  // hidden options
    // Earlier versions call the first group Options, later ones OPTIONS.
    group(text, title == "OPTIONS" ? "Options" : title,
          app.get_options([&](const CLI::Option* option) { return option->nonpositional() && option->get_group() == title; }));
  }
  if (!commands.empty()) text += "\nSubcommands:\n";
  for (const CLI::App* command : commands) row(text, command->get_name(), command->get_description());
  return text;
}

}  // namespace tt
