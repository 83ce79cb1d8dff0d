#include "tools/completion.h"

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/split.h"

namespace tt {
namespace {

// The options that --help shows.
std::vector<const Option*> shown(const Command& command) {
  std::vector<const Option*> all;
  for (const Group& group : command.groups)
    for (const Option& option : group.options)
      if (!option.operand() && !option.rules.hidden) all.push_back(&option);
  return all;
}

Words all_spellings(const Command& command) {
  Words words;
  for (const Option* option : shown(command))
    std::ranges::copy(option->spellings(), std::back_inserter(words));
  return words;
}

// The name of a program's function: "_tt_train".
std::string function_name(const Command& program) {
  std::string name = "_" + program.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

// The words of one level of the command line: options of the command, and those of the program.
void bash_words(std::ostream& out, const Command& command, const Command& program) {
  Words words = all_spellings(command), free;  // free: options whose values are not known
  if (&command != &program) std::ranges::copy(all_spellings(program), std::back_inserter(words));
  out << "      words='" << join(words, " ") << "' commands='" << join(names(command.commands), " ")
      << "'\n"
      << "      case $previous in\n";
  for (const Option* option : shown(command)) {
    const Value& value = option->value;
    const std::string pattern = join(option->spellings(), "|");
    if (value.choices.empty() && !value.name.empty()) free.push_back(pattern);
    if (value.choices.empty()) continue;
    out << "        " << pattern << ") values='" << join(value.choices, " ") << "' value=1"
        << (value.list ? " list=1" : "") << " ;;\n";
  }
  if (!free.empty()) out << "        " << join(free, "|") << ") value=1 ;;\n";
  out << "      esac ;;\n";
}

std::string bash(const Command& program) {
  std::ostringstream out;
  const std::string name = function_name(program);
  out << "# bash completion for " << program.name << ", made by '" << program.name
      << " --completion bash'\n"
      << name << "() {\n"
      << "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      << "  local word command= words= commands= values= value= list= before=\n"
      << "  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then "
         "previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n";
  if (!program.commands.empty())
    out << "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        << "    case $word in " << join(names(program.commands), "|")
        << ") command=$word; break ;; esac\n"
        << "  done\n";
  out << "  case $command in\n    '')\n";
  bash_words(out, program, program);
  for (const Command& command : program.commands) {
    out << "    " << command.name << ")\n";
    bash_words(out, command, program);
  }
  out << "  esac\n"
      << "  COMPREPLY=()  # nothing found: the names of files, by -o default\n"
      << "  if [[ $list && $current == *,* ]]; then before=${current%,*},; fi\n"
      << "  if [[ $value ]]; then words=$values; elif [[ $current != -* ]]; then words=$commands; "
         "fi\n"
      << "  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- "
         "\"${current#\"$before\"}\")\n"
      << "}\n"
      << "complete -o default -F " << name << " " << program.name << "\n";
  return out.str();
}

// Text inside '...[text]' of _arguments.
std::string zsh_text(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') quoted += '\\';
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted;
}

std::string zsh_action(const Value& value) {
  if (value.name.empty()) return "";
  if (value.choices.empty()) return ":value:_files";
  return value.list ? ":value:_values -s , value " + join(value.choices, " ")
                    : ":value:(" + join(value.choices, " ") + ")";
}

void zsh_options(std::ostream& out, const Command& command, const char* indent) {
  for (const Option* option : shown(command)) {
    const std::string action = zsh_action(option->value);
    for (const std::string& word : option->spellings())  // one spelling excludes the others
      out << indent << "'(" << join(option->spellings(), " ") << ")" << word
          << (action.empty()           ? ""
              : word.starts_with("--") ? "="
                                       : "+")
          << "[" << zsh_text(option->help) << "]" << action << "' \\\n";
  }
}

std::string zsh(const Command& program) {
  std::ostringstream out;
  out << "#compdef " << program.name << "\n# made by '" << program.name << " --completion zsh'\n";
  if (program.commands.empty()) {
    out << "_arguments -s -S \\\n";
    zsh_options(out, program, "  ");
    out << "  '*:file:_files'\n";
    return out.str();
  }
  out << "local context state state_descr line\ntypeset -A opt_args\n_arguments -C -s -S \\\n";
  zsh_options(out, program, "  ");
  out << "  '1:command:((";
  for (const Command& command : program.commands)
    out << command.name << "\\:\"" << zsh_text(command.summary) << "\" ";
  out << "))' \\\n  '*::argument:->arguments'\n[[ $state == arguments ]] || return\ncase $line[1] "
         "in\n";
  for (const Command& command : program.commands) {
    out << "  " << command.name << ")\n    _arguments -s -S \\\n";
    zsh_options(out, command, "      ");
    out << "      '*:file:_files' ;;\n";
  }
  out << "esac\n";
  return out.str();
}

std::string table(const Command& program) {
  std::string lines;
  const auto add = [&](const Command& command, const std::string& name) {
    for (const Option* option : shown(command))
      for (const std::string& word : option->spellings())
        lines += name + "\t" + word + "\t" + join(option->value.choices, " ") + "\n";
  };
  add(program, "");
  for (const Command& command : program.commands) add(command, command.name);
  return lines;
}

}  // namespace

std::string completion(const Command& program, const std::string& shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "table") return table(program);
  throw Error("--completion: unknown shell ", in_quotes(shell), "; use bash or zsh");
}

}  // namespace tt
