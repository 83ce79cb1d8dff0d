#include "tools/lists.h"

#include <algorithm>

#include "base/error.h"
#include "base/map_lines.h"
#include "tools/main.h"

namespace tt {
namespace {

constexpr std::size_t kBlock = 16;  // lists that a thread takes together

Value features(std::vector<rerank::FeatureFile>& to) {
  Value value{.name = "NAME=FILE", .read = [&to](const std::string& text) {
                const std::size_t sign = text.find('=');
                const std::string name = text.substr(0, sign);
                if (sign == text.npos || name.empty() || sign + 1 == text.size() ||
                    name.find_first_of(" :|") != name.npos)
                  return "must be a name, = and a file, not " + in_quotes(text);
                if (std::ranges::find(to, name, &rerank::FeatureFile::name) != to.end())
                  return "names " + in_quotes(name) + " twice; give one file for it";
                to.push_back({name, text.substr(sign + 1)});
                return std::string();
              }};
  value.again = Again::adds;
  return value;
}

}  // namespace

void ListFlags::check(const Words& others) {
  if (files.lists.empty()) files.lists = {"-"};
  files.format = json ? rerank::ListFormat::json : rerank::ListFormat::moses;
  Words all = files.lists;
  for (const rerank::FeatureFile& feature : files.features) all.push_back(feature.path);
  all.insert(all.end(), {files.source, files.references});
  all.insert(all.end(), others.begin(), others.end());
  check_stdin_once(all);
  check_not_read(output, all);
}

std::vector<Option> list_options(ListFlags& flags) {
  return {
      {"FILE", file(flags.files.lists), "lists, file after file; -: stdin"},
      {"--json", toggle(flags.json),
       "a line is JSON: an object with a list of translations, or the list alone", kBrief},
      {"--first-line", number(flags.files.first_line, 1, 1LL << 40),
       "number of the first line of the source, whose list has the number before",
       excludes("--json")},
  };
}

Option source_option(ListFlags& flags, const std::string& help) {
  return {"--source", file(flags.files.source), help, kBrief};
}

Option feature_option(ListFlags& flags) {
  return {"--feature", features(flags.files.features),
          "a feature from a file, with a number for each line of the lists",
          excludes("--json") + kBrief};
}

std::vector<Option> answer_options(ListFlags& flags) {
  return {
      {"-o,--output", file(flags.output), "where to write; -: stdout", kBrief},
      {"--n-best", number(flags.n_best, 1, 1 << 24),
       "write the lists in their new order, N translations of each", kBrief},
      threads_option(flags.threads),
      cost_option(flags.cost),
  };
}

int answer_lists(const ListFlags& flags, const std::string& name,
                 const std::function<std::vector<rerank::Choice>(const rerank::ListItem& item,
                                                                 rerank::ListSource& in)>& rank) {
  rerank::ListSource in(flags.files);
  Output out(flags.output);
  Progress bar("choosing", "lines");
  map_lines(in, out, flags.threads, kBlock, bar,
            [&](std::vector<std::string>&& lines, std::size_t, Team& team) {
              team.run(lines.size(), [&](std::size_t i, int) {
                const rerank::ListItem item = in.item(lines[i]);
                lines[i] = answer(item.hypotheses, rank(item, in), name,
                                  static_cast<std::size_t>(flags.n_best));
              });
              return std::move(lines);
            });
  out.close();
  bar.wipe();
  if (reports_cost(flags.cost)) say(cost_line(in.line_number(), "lines", wall_seconds()));
  return in.degraded() ? kDegraded : kDone;
}

}  // namespace tt
