// CLI11 takes the words apart: commands, values attached and apart, clusters of short options,
// optional values, operands and the environment. Values are read as it finds them, so that the
// first mistake of a line is the one that is named.
//
// Of its versions 2.1 to 2.7 some take "--name=" for no value, "[a,b]" for two, "[[aa]]" for "[a]",
// "{}" for none, drop "++", and forget "--" behind a list of values and in commands. Words are
// protected from this by a NUL, which no word of a command line has. Exceptions of CLI11 name
// options in English alone: what contradicts and what is missing is found here, by the table.
#include "tools/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/nearest.h"
#include "base/shortened.h"

namespace tt {
namespace {

const std::string kEndOfOptions("--\x7f\0", 4);  // "--", as an option that nobody has

// The words with their protection, from the last to the first, as CLI11 takes them.
Words marked(const Words& words) {
  Words result;
  bool options = true;
  for (std::string word : words) {
    if (!options) word.insert(0, 1, '\0');
    else if (word == "--") word = kEndOfOptions, options = false;
    else if (word.find_last_of("=]}+") + 1 == word.size()) word += '\0';
    result.insert(result.begin(), word);
  }
  return result;
}

std::string unmarked(std::string word) {
  if (word == kEndOfOptions) return "--";
  std::erase(word, '\0');
  return word;
}

std::string question(const std::string& meant) {
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

// Whether a word is one for options: "-" is the standard input.
bool has_dash(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

[[noreturn]] void refuse_without_value(const Option& option) {
  throw UsageError(option.spelt() +
                   (option.value.least > 1 ? " needs values: " : " needs a value: ") +
                   option.value.name);
}

class Parser {
 public:
  Parser(const Command& program, const Words& words, const Command*& command)
      : program_(program), command_(command), words_(marked(words)) {
    command = &program;
    app_.set_help_flag();
    app_.allow_extras()->fallthrough()->require_subcommand(0, 1);
    add(app_, program);
    for (const Command& command : program.commands) {
      CLI::App& app = *app_.add_subcommand(command.name);
      app.preparse_callback([this, &app, &command](std::size_t) {
        refuse_extras();
        command_ = &command;
        add(app, command);
      });
    }
  }

  Ask parse() {
    try {
      app_.parse(Words(words_));
    } catch (Ask ask) {
      return ask;
    } catch (const CLI::ArgumentMismatch&) {  // no words are left for the last option
      refuse_extras();
      const std::string &last = words_.front(),
                        name = last.starts_with("--") ? last : std::string{'-', last.back()};
      each([&](const Option& option) {
        if (std::ranges::count(option.spellings(), name) > 0) refuse_without_value(option);
      });
    } catch (const CLI::RequiredError&) {  // since version 2.6 before the rest is read
      for (const auto& [option, found] : found_)
        if (found->count() > 0 && !found->get_callback_run()) found->run_callback();
    }
    refuse_extras();
    if (without_command())
      throw UsageError("a command is required: " + alternatives(names(program_.commands), false));
    if (const Words words = extra_words(); !words.empty())
      throw UsageError("unexpected argument " + in_quotes(words[0]) + question(option_for(words)));
    check_contradictions();
    check_missing();
    return Ask::work;
  }

 private:
  // Calls `visit` for all options and operands that may stand here.
  void each(const auto& visit) const {
    for (const Command* level : {command_, &program_}) {
      for (const Group& group : level->groups)
        for (const Option& option : group.options) visit(option);
      if (command_ == &program_) break;
    }
  }

  bool given(const std::string& name) const { return given_.contains(name); }
  bool without_command() const { return command_ == &program_ && !program_.commands.empty(); }

  void add(CLI::App& app, const Command& command) {
    for (const Group& group : command.groups)
      for (const Option& option : group.options) {
        const auto& [names, value, help, rules] = option;
        CLI::Option*& found = found_[&option];
        const std::string operand = "operand" + std::to_string(found_.size());
        found = app.add_option(option.operand() ? operand : names,
                               CLI::callback_t([&, this](const CLI::results_t&) {
                                 return take(option, *found, app), true;
                               }));
        found->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        if (option.operand()) {
          found->required(rules.required)->allow_extra_args(value.again == Again::adds);
          continue;
        }
        const auto most = static_cast<int>(std::min<std::size_t>(value.most, 1 << 20));
        found->trigger_on_parse()->default_str(value.name.empty() ? "" : "true");
        if (value.name.empty()) found->type_size(0);
        else found->expected(value.least > 0, most);
        if (rules.variable) found->envname(rules.variable);
      }
  }

  Words extra_words() const {
    Words words;
    for (const std::string& word : app_.remaining())
      if (word != kEndOfOptions) words.push_back(unmarked(word));
    return words;
  }

  // The option that words which no operand can be are for, most likely, with them: the first that
  // is required and not given. Empty if there is none.
  std::string option_for(const Words& words) const {
    std::string meant;
    bool operands = false;
    each([&](const Option& option) {
      const auto& [names, value, help, rules] = option;
      operands = operands || option.operand();
      if (meant.empty() && rules.required && !given(option.spelt()) &&
          words.size() >= value.least && words.size() <= value.most)
        for (meant = option.spelt(); const std::string& word : words)
          meant += " " + shortened(word);
    });
    return operands || std::ranges::any_of(words, has_dash) ? "" : meant;
  }

  // Refuses words that no option and no command has taken, and that no operand can be.
  void refuse_extras() const {
    for (const std::string& word : app_.remaining()) {
      if (word == kEndOfOptions) continue;
      if (has_dash(word)) refuse_unknown(word);
      if (!without_command()) continue;
      const std::string name = unmarked(word);
      throw UsageError("unknown command " + in_quotes(name) +
                       question(nearest(name, names(program_.commands))));
    }
  }

  [[noreturn]] void refuse_unknown(const std::string& word) const {
    Words names;
    each([&](const Option& option) {
      for (const std::string& known : option.spellings())
        if (known.starts_with("--") && !option.rules.hidden) names.push_back(known.substr(2));
    });
    const bool is_long = word.starts_with("--"), whole = std::ranges::count(words_, word) > 0;
    const std::size_t size = is_long ? word.find('=') : whole ? word.size() : 2;  // 2: of a cluster
    const std::string name = unmarked(word.substr(0, size)),
                      meant = is_long ? nearest(name.substr(2), names) : "";
    throw UsageError("unknown option " + shortened(name) +
                     question(meant.empty() ? "" : "--" + meant));
  }

  // Reads the words that CLI11 has found for an option, or for an operand.
  void take(const Option& option, const CLI::Option& found, const CLI::App& app) {
    const auto& [names, value, help, rules] = option;
    const std::string name = option.spelt();
    const Words& words = found.results();
    const bool is_switch = value.name.empty();
    const auto count = static_cast<std::size_t>(std::ranges::count(app.parse_order(), &found));
    refuse_extras();
    if (name == "-h") throw Ask::brief;
    if (name == "--help") {
      value.read(words[0]);
      throw Ask::help;
    }
    if (name == "--version") throw Ask::version;
    if (is_switch && !words[0].empty()) throw UsageError(name + " takes no value");
    if (words.size() < value.least) refuse_without_value(option);
    for (std::size_t i = option.operand() ? 0 : 1; i < words.size(); ++i)
      if (has_dash(words[i])) refuse_unknown(words[i]);  // such as -1
    if (value.begin) value.begin();
    for (const std::string& word : words)
      if (const std::string problem = value.read(unmarked(word)); !problem.empty())
        throw UsageError((count > 0 ? name : rules.variable) + ": " + problem);
    if (count > 0) given_.insert(name);  // not by the environment
    if (value.again == Again::refused && count > value.most)
      throw UsageError(name + " is given more than once");
  }

  void check_contradictions() const {
    each([&](const Option& option) {
      const std::string name = option.spelt();
      if (!given(name)) return;
      for (const std::string& other : option.rules.excludes)
        if (given(other)) throw UsageError(name + " excludes " + other + "; omit one of them");
      for (const std::string& other : option.rules.needs)
        if (!given(other)) throw UsageError(name + " needs " + other);
    });
  }

  void check_missing() const {
    each([&](const Option& option) {
      const auto& [names, value, help, rules] = option;
      if (!rules.required || found_.at(&option)->count() > 0 ||
          std::ranges::any_of(rules.unless, [&](const auto& other) { return given(other); }))
        return;
      if (option.operand()) throw UsageError(names + " is missing: " + help);
      throw UsageError(
          option.spelt() + " is required" +
          (rules.variable ? std::string(", or ") + rules.variable + " in the environment" : ""));
    });
  }

  const Command& program_;
  const Command*& command_;
  const Words words_;
  CLI::App app_;
  std::map<const Option*, CLI::Option*> found_;
  std::set<std::string> given_;
};

}  // namespace

Ask parse(const Command& program, const Words& words, const Command*& command) {
  return Parser(program, words, command).parse();
}

}  // namespace tt
