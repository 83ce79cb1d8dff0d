#include "tools/lines.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/split.h"
#include "base/writable.h"
#include "text/sentences.h"

namespace tt {
namespace {

// "2" or "2.1".
std::optional<AttentionHead> read_head(const std::string& text) {
  const auto parts = split(text, '.');
  const int layer = number_in<int>(parts[0]).value_or(0),
            head = number_in<int>(parts.back()).value_or(0);
  if (parts.size() > 2 || layer < 1 || head < 1) return std::nullopt;
  return AttentionHead{layer, parts.size() == 2 ? head : 0};
}

// The value of --keep; "tags" is the former name of "marked", which scripts may have.
Value kept(std::string& to) {
  Value value = list(to, {"marked", "urls", "emails", "numbers", "placeholders", "accelerators"});
  value.read = [read = value.read](const std::string& text) {
    std::string renamed;
    for (const std::string& word : split(text)) renamed += (word == "tags" ? "marked" : word) + ",";
    return read(renamed.substr(0, text.empty() ? 0 : renamed.size() - 1));
  };
  return value;
}

std::string no_heads(const std::string& list) {
  for (const std::string& head : list.empty() ? Words{""} : split(list))
    if (!read_head(head))
      return "must be a list of LAYER or LAYER.HEAD, as 2,3.1, not " + in_quotes(head);
  return "";
}

}  // namespace

Group line_group(LineFlags& flags) {
  return {
      "Lines",
      {
          {"FILE", file(flags.inputs), "the text to translate, file after file; -: stdin"},
          {"-o,--output", file(flags.output), "where translations are written; -: stdout", kBrief},
          {"--column", number(flags.line.column, 1, 1 << 20),
           "translate column N of lines whose columns have TABs between them",
           excludes("--n-best")},
          {"--from-column", number(flags.line.from_column, 1, 1 << 20),
           "column N has the language of the source, as --from has it for lines without one",
           needs("--column")},
          {"--to-column", number(flags.line.to_column, 1, 1 << 20),
           "column N has the language of the translation, as --to", needs("--column")},
          {"--document-column", number(flags.line.document_column, 1, 1 << 20),
           "column N names the document that a line is in, of which --context is",
           needs("--column")},
          {"--first-line", number(flags.first_line, 1, 1LL << 40),
           "number of the first line of a part of a text, which samples and lists depend on"},
          {"--format",
           choice(flags.format, {"text", "moses", "json"}).initially("text; moses with --n-best"),
           "output format"},
          {"--json", toggle(flags.line.json),
           "read a JSON object per line, translate its \"text\", and write it with its "
           "translation; "
           "see tt-json(7)",
           excludes("--column", "--format")},
          {"--score", file(flags.score),
           "print log-probabilities of the translations in a file; translate nothing",
           excludes("--beam", "--n-best", "--sample", "--min-length", "--no-repeat", "--forbid",
                    "--groups")},
          {"--prefix", file(flags.prefix), "a file with the beginning of each translation",
           excludes("--score", "--json")},
          {"--memory", file(flags.memory),
           "a file of lines SOURCE TAB TRANSLATION: lines that are there have this translation",
           excludes("--score", "--from-column", "--to-column")},
          {"--glossary", file(flags.glossary),
           "a file of lines TERM TAB TRANSLATION, to be used in translations; see tt-terms(7)",
           excludes("--score") + kBrief},
          {"--ignore-case", toggle(flags.ignore_case),
           "find terms of the glossary in capitals and in small letters", needs("--glossary")},
          {"--keep", kept(flags.keep),
           "text that is copied unchanged, see tt-terms(7); marked: text between <keep> and "
           "</keep>",
           excludes("--score") + kBrief},
          {"--markup", choice(flags.markup, {"html", "xml"}).as("KIND"),
           "lines are HTML or XML: translate the text between its tags; see tt-markup(7)",
           excludes("--score") + kBrief},
          {"--sentences", text(flags.line.sentences, unknown_language).as("LANG"),
           "translate each sentence of a line by itself; LANG: the source's code, as de; see "
           "tt-sentences(7)",
           excludes("--score") + kBrief},
          {"--context", number(flags.line.context, 0, 100),
           "read N sentences before each, of its document, which an empty line ends; see "
           "tt-context(7)"},
          {"--case", toggle(flags.line.letter_case),
           "read sentences in capitals and titles in small letters; give translations their case",
           excludes("--score")},
          {"--pass-through", choice(flags.pass_through, {"on", "off"}),
           "leave lines and sentences without a letter as they are", excludes("--score")},
          {"--allow", list(flags.allowed, flaw_names()).as("FLAWS"),
           "report no loops, copies, other script, length or numbers of translations",
           variable("TT_ALLOW")},
          {"--retry", toggle(flags.line.retry),
           "translate what has such a flaw once more, with a wider beam and no repetition",
           excludes("--score", "--sample")},
          {"--alignment", choice(flags.alignment, {"hard", "soft"}).as("KIND"),
           "write which words come from which: links, or weights; see tt-alignment(7)"},
          {"--alignment-heads", text(flags.heads, no_heads).as("LIST"),
           "attention heads to align with: a list of LAYER or LAYER.HEAD"},
          {"--token-scores", toggle(flags.reply.token_scores),
           "in JSON: the pieces of translations, and their log-probabilities"},
          {"--features", toggle(flags.reply.features),
           "in JSON: numbers from which tt-quality tells the quality of translations"},
          {"--confidence", toggle(flags.reply.confidence),
           "write after each translation the model's confidence in it, 0 to 1"},
      }};
}

void LineFlags::check(const SearchFlags& search, std::vector<std::string> read) {
  search.check();
  const bool to_json = line.json || format == "json";
  if (reply.features && !to_json) throw UsageError("--features needs --json or --format json");
  if (reply.token_scores && !to_json)
    throw UsageError("--token-scores needs --json or --format json");
  if (inputs.empty()) inputs = {"-"};
  for (const std::string& path : files(search)) read.push_back(path);
  check_stdin_once(read);
  const auto keeps = [kinds = split(keep)](const char* kind) {
    return std::ranges::count(kinds, kind) > 0;
  };
  if (!markup.empty() && (keeps("marked") || keeps("tags")))
    throw UsageError("--keep marked cannot be combined with --markup; mark by translate=\"no\"");
  if (!markup.empty() && keeps("accelerators"))
    throw UsageError(
        "--keep accelerators cannot be combined with --markup, where & begins an entity");
  const bool aligned =
      !alignment.empty() || !markup.empty() || line.letter_case || keeps("accelerators");
  if (!heads.empty() && !aligned)
    throw UsageError(
        "--alignment-heads needs --alignment, or what aligns: --markup, --case or --keep "
        "accelerators");
  const int column = line.column;
  if (column > 0 &&
      (column == line.from_column || column == line.to_column || column == line.document_column))
    throw UsageError("--column has the text; languages and documents have columns of their own");
  if (column > 0 && (to_json || format == "moses"))
    throw UsageError("--column writes columns; it cannot be combined with --format " + format);
}

void LineFlags::apply(const SearchFlags& search, Lookup& opened, FilterOptions& options) const {
  LineOptions& input = options.input = line;
  OutputOptions& output = options.output = reply;
  if (!memory.empty()) input.memory = &opened.memory.emplace(memory);
  if (!glossary.empty()) {
    opened.glossary = Glossary(glossary, ignore_case);
    input.glossary = &opened.glossary;
  }
  Keep& kept = input.keep;
  for (const std::string& kind : split(keep))
    (kind == "marked"         ? kept.marked
     : kind == "urls"         ? kept.urls
     : kind == "emails"       ? kept.emails
     : kind == "numbers"      ? kept.numbers
     : kind == "placeholders" ? kept.placeholders
                              : input.accelerators) = true;
  AlignmentOptions& links = output.alignment;
  if (!alignment.empty())
    links.kind = alignment == "hard" ? AlignmentKind::hard : AlignmentKind::soft;
  for (const std::string& head : split(heads)) links.heads.push_back(*read_head(head));
  input.pass_through = pass_through == "on";
  for (const std::string& name : flaw_names())
    if (std::ranges::find(allowed, name) == allowed.end()) input.flaws.push_back(name);
  input.whole = !score.empty();
  if (markup.empty()) links.of = "case";
  if (!markup.empty()) input.markup = markup == "html" ? MarkupKind::html : MarkupKind::xml;
  TranslateOptions& translate = options.translate;
  translate.from_column = line.from_column > 0, translate.to_column = line.to_column > 0;
  translate.by_line = line.json || translate.from_column || translate.to_column;
  options.first_line = first_line;
  if (!score.empty()) input.second = LineOptions::Second::target;
  if (!prefix.empty()) input.second = LineOptions::Second::prefix;
  output.list = search.best > 0;
  output.scoring = !score.empty();
  output.with_text = !line.json;
  if (line.json || format == "json") output.format = OutputFormat::json;
  else if (format == "moses" || (format.empty() && output.list))
    output.format = OutputFormat::moses;
  // Without a penalty that was asked for, a given translation's score is its log-probability.
  if (output.scoring && search.penalty.empty()) translate.search.penalty.kind = LengthPenalty::none;
}

std::vector<std::string> LineFlags::files(const SearchFlags& search) const {
  std::vector<std::string> all = inputs;
  all.insert(all.end(), {score, prefix, glossary, memory, search.forbidden});
  return all;
}

void LineFlags::check_written(const Words& others, const SearchFlags& search,
                              std::vector<std::string> read) const {
  for (const std::string& path : files(search)) read.push_back(path);
  Words written{output};
  // Another - takes the place of the translation.
  if (output == "-" && std::ranges::find(others, "-") != others.end()) written.clear();
  written.insert(written.end(), others.begin(), others.end());
  for (const std::string& path : written) check_not_read(path, read);
  check_written_once(written);
}

OpenLines::OpenLines(const LineFlags& flags) : files_(std::make_unique<LineFiles>(flags.inputs)) {
  const std::string& second = flags.score.empty() ? flags.prefix : flags.score;
  if (second.empty()) return;
  second_ = std::make_unique<LineReader>(second);
  pairs_ = std::make_unique<LinePairs>(*files_, *second_);
}

}  // namespace tt
