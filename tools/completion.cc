#include "tools/completion.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/error.h"

namespace tt {
namespace {

using Words = std::vector<std::string>;

std::string join(const Words& words, const char* between = " ") {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// The name of a program's function: "_tt_train".
std::string function_name(const CLI::App& app) {
  std::string name = "_" + app.get_name();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// The options shown by --help, without positional ones.
std::vector<const CLI::Option*> flags(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::App*> commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

// All spellings of an option: "-o", "--output".
Words spellings(const CLI::Option& option) {
  Words words;
  for (const auto& name : option.get_snames()) words.push_back("-" + name);
  for (const auto& name : option.get_lnames()) words.push_back("--" + name);
  return words;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// The fixed set of values of an option, parsed from its text in --help: "NAME:{a,b}", "a|b" or "BOOLEAN". Empty: any.
Words values(const CLI::Option& option) {
  const std::string kind = option.get_type_name();
  if (kind == "BOOLEAN") return {"true", "false"};
  const std::size_t open = kind.find('{'), close = kind.find('}');
  const bool braces = open != std::string::npos && close != std::string::npos;
  if (!braces && kind.find('|') == std::string::npos) return {};
  std::istringstream list(braces ? kind.substr(open + 1, close - open - 1) : kind);
  Words words;
  for (std::string word; std::getline(list, word, braces ? ',' : '|');) words.push_back(word);
  return words;
}

Words all_spellings(const CLI::App& app) {
  Words words;
  for (const auto* option : flags(app))
    for (const auto& word : spellings(*option)) words.push_back(word);
  return words;
}

// The words of one level of the command line: options of `app`, and, for a subcommand, of the program.
void bash_words(std::ostream& out, const CLI::App& app, const Words& inherited) {
  Words words = all_spellings(app);
  for (const auto& word : inherited)
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  Words names;
  for (const auto* command : commands(app)) names.push_back(command->get_name());
  out << "      words='" << join(words) << "' commands='" << join(names) << "'\n";
  out << "      case $previous in\n";
  Words free;  // options without a fixed set of values
  for (const auto* option : flags(app)) {
    if (!takes_value(*option)) continue;
    const std::string pattern = join(spellings(*option), "|");
    const Words list = values(*option);
    if (list.empty()) free.push_back(pattern);
    else out << "        " << pattern << ") values='" << join(list) << "' value=1 ;;\n";
  }
  if (!free.empty()) out << "        " << join(free, "|") << ") value=1 ;;\n";
  out << "      esac ;;\n";
}

std::string bash(const CLI::App& app) {
  std::ostringstream out;
  const std::string name = function_name(app);
  out << "# bash completion for " << app.get_name() << ", made by '" << app.get_name() << " --completion bash'\n"
      << name << "() {\n"
      << "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} word command= words= commands= values= "
         "value=\n"
      << "  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n";
  if (!commands(app).empty()) {
    Words names;
    for (const auto* command : commands(app)) names.push_back(command->get_name());
    out << "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        << "    case $word in " << join(names, "|") << ") command=$word; break ;; esac\n"
        << "  done\n";
  }
  out << "  case $command in\n    '')\n";
  bash_words(out, app, {});
  for (const auto* command : commands(app)) {
    out << "    " << command->get_name() << ")\n";
    bash_words(out, *command, all_spellings(app));
  }
  out << "  esac\n"
      << "  COMPREPLY=()  # nothing found: the names of files, by -o default\n"
      << "  if [[ $value ]]; then words=$values; elif [[ $current != -* ]]; then words=$commands; fi\n"
      << "  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      << "}\n"
      << "complete -o default -F " << name << " " << app.get_name() << "\n";
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

void zsh_options(std::ostream& out, const CLI::App& app, const char* indent) {
  for (const auto* option : flags(app)) {
    const Words words = spellings(*option);
    std::string value;
    if (takes_value(*option)) {
      const Words list = values(*option);
      value = list.empty() ? ":value:_files" : ":value:(" + join(list) + ")";
    }
    for (const auto& word : words)  // one spelling excludes the others
      out << indent << "'(" << join(words) << ")" << word
          << (value.empty()            ? ""
              : word.starts_with("--") ? "="
                                       : "+")
          << "[" << zsh_text(option->get_description()) << "]" << value << "' \\\n";
  }
}

std::string zsh(const CLI::App& app) {
  std::ostringstream out;
  out << "#compdef " << app.get_name() << "\n# made by '" << app.get_name() << " --completion zsh'\n";
  if (commands(app).empty()) {
    out << "_arguments -s -S \\\n";
    zsh_options(out, app, "  ");
    out << "  '*:file:_files'\n";
    return out.str();
  }
  out << "local context state state_descr line\ntypeset -A opt_args\n_arguments -C -s -S \\\n";
  zsh_options(out, app, "  ");
  out << "  '1:command:((";
  for (const auto* command : commands(app))
    out << command->get_name() << "\\:\"" << zsh_text(command->get_description()) << "\" ";
  out << "))' \\\n  '*::argument:->arguments'\n[[ $state == arguments ]] || return\ncase $line[1] in\n";
  for (const auto* command : commands(app)) {
    out << "  " << command->get_name() << ")\n    _arguments -s -S \\\n";
    zsh_options(out, *command, "      ");
    out << "      '*:file:_files' ;;\n";
  }
  out << "esac\n";
  return out.str();
}

}  // namespace

std::string completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash(app);
  if (shell == "zsh") return zsh(app);
  throw Error("--completion: unknown shell \"", shell, "\"; use bash or zsh");
}

}  // namespace tt
