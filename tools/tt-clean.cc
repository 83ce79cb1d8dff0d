// tt-clean: drops pairs of lines that a model should not learn from.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/utf8.h"
#include "base/writable.h"
#include "clean/dry_run.h"
#include "text/invisible.h"
#include "tools/main.h"

namespace tt {
namespace {

struct Flags {
  std::vector<std::string> inputs, outputs, only;
  std::vector<std::optional<double>> thresholds;
  std::vector<bool> given;  // which thresholds are
  clean::RuleContext context;
  std::string dropped;
  int memory = 1024;
  bool dry_run = false, cost = false;
};

// A file of lines that appears when it is complete. The standard output has the lines before
// damage, too.
class LinesFile {
 public:
  explicit LinesFile(const std::string& path) : file_(path, AtomicFile::Content::text) {}
  ~LinesFile() {
    try {
      flush();
    } catch (const Error&) {  // the damage is reported
    }
  }

  void write(std::string_view text, char end) {
    buffer_.append(text) += end;
    if (buffer_.size() >= kBlock) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t kBlock = 1 << 16;
  void flush() {
    file_.write(std::exchange(buffer_, {}));  // a failed write is not retried
  }

  AtomicFile file_;
  std::string buffer_;
};

// The first pair that is not UTF-8 is named; the others are counted.
void report_not_utf8(const PairReader& in, std::string_view source, std::string_view target) {
  const bool left = first_invalid_utf8(source) != std::string_view::npos;
  warn((left ? in.source_where() : in.target_where()) + ": not UTF-8: byte " +
       std::to_string(first_invalid_utf8(left ? source : target) + 1) +
       " of the line; such pairs are dropped; if the file has another encoding, convert it with "
       "iconv");
}

void filter(PairReader& in, clean::Cleaner& cleaner, const Flags& flags) {
  std::vector<std::unique_ptr<LinesFile>> out;
  for (const std::string& path : flags.outputs) out.push_back(std::make_unique<LinesFile>(path));
  std::unique_ptr<Output> dropped;
  if (!flags.dropped.empty()) dropped = std::make_unique<Output>(flags.dropped);
  Progress progress("cleaning", "pairs");
  for (std::string_view source, target; in.next(source, target);) {
    const std::string_view rule = cleaner.verdict(source, target);
    if (rule.empty()) {
      out.front()->write(source, out.size() == 1 ? '\t' : '\n');
      out.back()->write(target, '\n');
    } else {
      if (rule == "utf-8" && cleaner.not_utf8().pairs == 1) report_not_utf8(in, source, target);
      if (dropped)  // fields of one of two files may have TABs
        dropped->line(std::to_string(in.line_number()) + '\t' + std::string(rule) + '\t' +
                      escape_invisible(source) + '\t' + escape_invisible(target));
    }
    if (cleaner.pairs() % 4096 == 0) progress.update(cleaner.pairs(), in.part());
  }
  if (dropped) dropped->close();
  for (const auto& file : out) file->commit();
}

// The threshold of a rule, as an option.
std::string needed(const clean::RuleKind& kind) {
  return kind.needs.empty() ? "" : kind.needs == "languages" ? "--languages" : "--held-out";
}

// With --only, others are off, and these are on.
void choose_only(Flags& flags) {
  for (std::size_t i = 0; i < flags.thresholds.size(); ++i) {
    const clean::RuleKind& kind = clean::rule_kinds()[i];
    std::optional<double>& threshold = flags.thresholds[i];
    const bool held_out = kind.needs == "held_out" && !flags.context.held_out.empty();
    if (std::ranges::find(flags.only, kind.name) == flags.only.end()) {
      if (threshold && (flags.given[i] || held_out))
        throw UsageError("--only does not name the rule " + kind.name + "; name it, or omit " +
                         (flags.given[i] ? "--" + kind.name : needed(kind)));
      threshold.reset();
    } else {
      if (flags.given[i] && !threshold)
        throw UsageError("--only names the rule " + kind.name + ", and --" + kind.name +
                         " turns it off; omit one of them");
      const clean::RuleContext& context = flags.context;
      if (!threshold) threshold = kind.least;
      if (!kind.needs.empty() &&
          (kind.needs == "languages" ? context.languages : context.held_out).empty())
        throw UsageError("the rule " + kind.name + " needs " + needed(kind));
    }
  }
}

int work(Flags& flags) {
  if (flags.inputs.empty()) flags.inputs = {"-"};
  if (flags.inputs.size() > 2) throw UsageError("at most two files are cleaned: SOURCE TARGET");
  if (flags.outputs.empty()) flags.outputs = {"-"};
  if (!flags.dry_run && flags.outputs.size() != flags.inputs.size())
    throw UsageError(flags.inputs.size() == 2 ? "two files are cleaned; give --output twice"
                                              : "one file is cleaned; give --output once");
  flags.context.memory = static_cast<std::size_t>(flags.memory) << 20;
  std::vector<std::string> read = flags.inputs;
  read.insert(read.end(), flags.context.held_out.begin(), flags.context.held_out.end());
  check_stdin_once(read);
  if (!flags.dry_run) {
    std::vector<std::string> written = flags.outputs;
    written.push_back(flags.dropped);
    for (const std::string& path : written) check_not_read(path, read);
    check_written_once(written);
  }
  if (!flags.only.empty()) choose_only(flags);
  clean::Cleaner cleaner(flags.thresholds, flags.context);
  PairReader in(flags.inputs[0], flags.inputs.size() == 2 ? flags.inputs[1] : "");
  if (flags.dry_run) {
    Output out("-");
    clean::dry_run(in, cleaner, out);
    out.close();
  } else {
    filter(in, cleaner, flags);
    if (cleaner.dropped() > 0) warn("dropped " + cleaner.summary());
  }
  bool missed = false;
  for (const clean::Asked& asked : cleaner.rules())
    if (const std::string what = asked.rule->missed(); !what.empty()) {
      warn(asked.kind->name + ": " + what + "; give more --memory");
      missed = true;
    }
  if (reports_cost(flags.cost)) say(cost_line(cleaner.pairs(), "pairs", wall_seconds()));
  return missed ? kDegraded : kDone;
}

// A threshold, or "off".
Value threshold(const clean::RuleKind& kind, std::optional<double>& to) {
  if (kind.choices.empty()) {
    Value value = number(to, kind.least, kind.most).as(kind.threshold);
    value.choices = {"off"};
    value.read = [&to, read = value.read](const std::string& text) {
      if (text == "off") return to.reset(), std::string();
      const std::string problem = read(text);
      return problem.empty() ? problem : "must be \"off\" or " + problem.substr(8);
    };
    return value;
  }
  Words choices = kind.choices;
  choices.push_back("off");
  return {.name = "NAME",
          .read =
              [&to, choices](const std::string& text) {
                const auto at = std::ranges::find(choices, text) - choices.begin();
                if (text == "off") return to.reset(), std::string();
                if (at < std::ssize(choices)) return to = at, std::string();
                return "must be " + alternatives(choices) + ", not " + in_quotes(text);
              },
          .initial = to ? choices[static_cast<std::size_t>(*to)] : "off",
          .choices = choices};
}

Value languages(Words& to) {
  return {.name = "SOURCE,TARGET", .read = [&to](const std::string& text) {
            to = split(text);
            return to.size() == 2 ? "" : "must be two codes, as en,de, not " + in_quotes(text);
          }};
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  std::vector<Option> rules;
  Words names;
  for (const clean::RuleKind& kind : clean::rule_kinds()) {
    flags.thresholds.push_back(kind.initial);
    names.push_back(kind.name);
  }
  flags.given.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const clean::RuleKind& kind = clean::rule_kinds()[i];
    Value value = threshold(kind, flags.thresholds[i]);
    value.read = [&flags, i, read = value.read](const std::string& text) {
      flags.given[i] = true;
      return read(text);
    };
    rules.push_back({"--" + kind.name, std::move(value), kind.help,
                     kind.needs.empty() ? OptionRules() : needs(needed(kind))});
  }
  const std::vector<Option> rows{
      {"FILE", file(flags.inputs),
       "lines of source TAB target, or two files whose lines correspond; -: stdin"},
      {"-o,--output", file(flags.outputs),
       "the lines that are kept; of two files, one for each; -: stdout", kBrief},
      {"--dropped", file(flags.dropped),
       "where dropped pairs go: lines of number, rule, source and target, with TABs between",
       kBrief},
      {"--dry-run", toggle(flags.dry_run),
       "write only what each rule would drop by itself, with three examples",
       excludes("--output", "--dropped") + kBrief},
      {"--languages", languages(flags.context.languages),
       "their codes, as en,de, for the rules on scripts and languages", kBrief},
      {"--held-out", file(flags.context.held_out),
       "a text of which no line shall be on a side of a pair, as a test set", kBrief},
      {"--only", list(flags.only, names), "ask only these rules"},
      {"--memory", number(flags.memory, 1, 1 << 24).as("MIB"),
       "MiB that pairs may take which are remembered to find them again"},
      cost_option(flags.cost),
  };
  return run_tool(argc, argv,
                  {.name = "tt-clean",
                   .summary = "Drops pairs of lines that a model should not learn from.",
                   .groups = {{"Options", rows}, {"Rules", std::move(rules)}},
                   .work = [&] { return work(flags); },
                   .example = "tt-clean -o clean.en -o clean.de --languages en,de raw.en raw.de"});
}
