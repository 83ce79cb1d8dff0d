#include "tools/help.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "base/capitals.h"
#include "base/split.h"

namespace tt {
namespace {

constexpr std::size_t kColumn = 27, kWidth = 80;

// The words of `text`, filled in lines that begin in a column, of which the first has reached `at`.
std::string filled(const std::string& text, std::size_t at, std::size_t column) {
  std::istringstream words(text);
  std::string lines;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && at + 1 + word.size() >= kWidth) {
      lines += "\n" + std::string(column, ' ');
      at = column;
    } else if (!first) {
      lines += ' ', ++at;
    }
    lines += word;
    at += word.size();
  }
  return lines + "\n";
}

// An entry in the left column and its meaning in the right one, or below the entry if that is too
// long.
std::string row(const std::string& entry, const std::string& meaning) {
  const std::string left = "  " + entry;
  if (left.size() + 2 <= kColumn)
    return left + std::string(kColumn - left.size(), ' ') + filled(meaning, kColumn, kColumn);
  return left + "\n" + std::string(kColumn, ' ') + filled(meaning, kColumn, kColumn);
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; }

bool mentions(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

// "-o, --output=FILE", "FILE...".
std::string entry(const Option& option) {
  const Value& value = option.value;
  const bool several = value.again == Again::adds || value.most == kAnyNumber;
  if (option.operand()) return option.names + (several ? "..." : "");
  std::string text = join(option.spellings(), ", ");
  if (!text.starts_with("-") || text.starts_with("--")) text = "    " + text;
  if (value.name.empty()) return text;
  if (value.least == 0) return text + "[=" + value.name + "]";
  return text + (value.least > 1 || value.most > 1 ? " " : "=") + value.name +
         (value.most == kAnyNumber ? "..." : "");
}

// The help of an option with what its table says besides: "(1 to 9, default: 4)". A help text may
// name all choices by itself, or the default.
std::string meaning(const Option& option) {
  const Value& value = option.value;
  std::string text = option.help;
  const bool all =
      std::ranges::all_of(value.choices, [&](const auto& word) { return mentions(text, word); });
  if (!all && value.least > 0)
    text += (text.find_first_of(":;") == std::string::npos ? ": "
             : value.list                                  ? "; a list of "
                                                           : "; one of ") +
            join(value.choices, ", ");
  Words notes;
  if (option.rules.required && option.rules.unless.empty() && !option.operand())
    notes.push_back("required");
  if (option.rules.variable)
    notes.push_back(std::string("or ") + option.rules.variable + " in the environment");
  if (!value.range.empty()) notes.push_back(value.range);
  if (!value.initial.empty() && value.initial != "-" && !mentions(text, "default"))
    notes.push_back("default: " + value.initial);
  return notes.empty() ? text : text + " (" + join(notes, ", ") + ")";
}

std::string sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::string usage(const Command& program, const Command& command) {
  const std::string name = full_name(program, command);
  std::string options, operands;
  for (const Group& group : command.groups)
    for (const Option& option : group.options) {
      if (option.operand())
        operands += option.rules.required ? " " + entry(option) : " [" + entry(option) + "]";
      else if (option.rules.required && option.rules.unless.empty())
        options += " " + option.spellings().front() + " " + option.value.name;
    }
  return filled("Usage: " + name + " [OPTION]..." + options +
                    (command.commands.empty() ? "" : " COMMAND") + operands,
                0, 7) +
         filled(&program == &command ? command.summary : sentence(command.summary), 0, 0);
}

bool is_common(const Option& option) {
  return option.rules.brief || option.rules.required || option.operand();
}

std::string section_of(const Group& group) {
  return ascii_small(group.title.substr(0, group.title.find(' ')));
}

std::string commands(const Command& command) {
  std::string text = command.commands.empty() ? "" : "\nCommands:\n";
  for (const Command& each : command.commands) text += row(each.name, each.summary);
  return text;
}

std::string rows(Group group) {
  std::erase_if(group.options, [](const Option& option) { return option.rules.hidden; });
  std::stable_partition(group.options.begin(), group.options.end(), is_common);
  std::string text = group.title.empty() ? "\n" : "\n" + group.title + ":\n";
  for (const Option& option : group.options) text += row(entry(option), meaning(option));
  return group.options.empty() ? "" : text;
}

// The names of a group's options, and how their meaning is asked for.
std::string names_alone(const Group& group, const std::string& name) {
  std::string all;
  for (const Option& option : group.options) all += " " + join(option.spellings(), ", ");
  return "\n" + group.title + " ('" + name + " --help=" + section_of(group) +
         "' says what these do):\n  " + filled(all, 2, 2);
}

std::string example(const Command& command) {
  return command.example.empty() ? "" : "\nExample:\n  " + command.example + "\n";
}

// The pages that say more.
std::string more(const Command& program, const Command& command, const std::string& all) {
  const std::string name = full_name(program, command);
  const std::string here = command.commands.empty()
                               ? all.empty() ? "" : "'" + name + " --help' " + all + "; "
                               : "'" + name + " COMMAND --help' describes a command; ";
  const std::string page = program.name.starts_with("tt-") ? program.name : "tt";
  return "\n" + filled(here + "'man " + page + "' explains everything.", 0, 0);
}

}  // namespace

std::string full_name(const Command& program, const Command& command) {
  return program.name + (&program == &command ? "" : " " + command.name);
}

std::string help(const Command& program, const Command& command, const std::string& section) {
  constexpr std::size_t kMany = 30;
  std::string named, text;
  for (const Group& group : command.groups) {
    if (section_of(group) == section) named += rows(group);
    text += group.options.size() > kMany && section != "all"
                ? names_alone(group, full_name(program, command))
                : rows(group);
  }
  if (!named.empty()) return named.substr(1);
  return usage(program, command) + commands(command) + text + example(command) +
         more(program, command, "");
}

std::string brief_help(const Command& program, const Command& command) {
  Group most_used;
  for (const Group& group : command.groups)
    std::ranges::copy_if(group.options, std::back_inserter(most_used.options), is_common);
  return usage(program, command) + commands(command) + rows(most_used) + example(command) +
         more(program, command, "lists all options");
}

}  // namespace tt
