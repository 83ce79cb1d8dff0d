#include "tools/complaint.h"

#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace tt {
namespace {

using Words = std::vector<std::string>;

std::string question(const std::string& meant, const std::string& dashes = "") {
  return meant.empty() ? "" : "; did you mean " + dashes + meant + "?";
}

// The program, and the command given, if any: their options are the valid ones.
std::vector<const CLI::App*> levels(const CLI::App& app) {
  std::vector<const CLI::App*> all{&app};
  for (const CLI::App* command : app.get_subcommands()) all.push_back(command);
  return all;
}

Words commands(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  return names;
}

std::string unexpected(const CLI::App& app, const std::string& word) {
  if (word.size() > 1 && word[0] == '-') {
    const std::string option = word.substr(0, word.find('='));
    Words names;
    for (const CLI::App* level : levels(app))
      for (const CLI::Option* known : level->get_options())
        for (const std::string& name : known->get_lnames()) names.push_back(name);
    const std::size_t dashes = option.find_first_not_of('-');
    return "unknown option " + in_quotes(option).substr(1, in_quotes(option).size() - 2) +
           question(dashes == 2 ? nearest(option.substr(2), names) : "", "--");
  }
  if (const Words names = commands(app); !names.empty() && app.get_subcommands().empty())
    return "unknown command " + in_quotes(word) + question(nearest(word, names));
  return "unexpected argument " + in_quotes(word);
}

std::string missing(const CLI::App& app) {
  for (const CLI::App* level : levels(app))
    for (const CLI::Option* option : level->get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      if (option->nonpositional()) return option->get_name() + " is required";
      const std::string kind = option->get_type_name();
      return (kind.empty() ? option->get_name() : kind) + " is missing: " + option->get_description();
    }
  std::string names;
  const Words all = commands(app);
  for (std::size_t i = 0; i < all.size(); ++i) names += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
  return "a command is required: " + names;
}

// CLI11's message begins with the name of the option.
std::string wrong_count(const CLI::App& app, const std::string& text) {
  const std::string name = text.substr(0, text.find_first_of(": "));
  if (text.ends_with("disallowed flag override")) return (name.size() > 1 ? "--" : "-") + name + " takes no value";
  for (const CLI::App* level : levels(app))
    for (const CLI::Option* option : level->get_options()) {
      if (option->get_name() != name || option->get_items_expected_max() == 0) continue;
      if (static_cast<int>(option->count()) > option->get_items_expected_max()) return name + " is given more than once";
      const std::string kind = option->get_type_name();
      return name + " needs " + (option->get_items_expected_min() > 1 ? "values" : "a value") + ": " +
             kind.substr(0, kind.find(':'));
    }
  return text;
}

}  // namespace

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  // CLI11 reports missing options first, but an unknown word is more often the cause.
  for (const std::string& word : app.remaining(true))
    if (word != "--") return unexpected(app, word);
  if (error.get_name() == "RequiredError") return missing(app);
  if (error.get_name() == "ArgumentMismatch") return wrong_count(app, error.what());
  return error.what();
}

}  // namespace tt
