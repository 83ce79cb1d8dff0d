// tt-document: the texts of a document as lines, and their translations back in the document.
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "document/document.h"
#include "text/sentences.h"
#include "tools/main.h"

namespace tt {
namespace {

struct Flags {
  std::string path, lines = "-", output = "-", format, columns, delimiter = ",";
  document::Settings settings;
};

// Says what was wrong; exit status.
int outcome(const document::Outcome& done, const std::string& path) {
  for (const std::string& problem : done.problems) warn(problem);
  if (done.left_out > 0)
    warn((path == "-" ? "(stdin)" : path) +
         ": left out what is the same as its text, as names are: " +
         count_of(done.left_out, "translation") + "; --reviewed takes it");
  if (done.problems.empty() && done.left_out == 0) return kDone;
  return done.texts == 0 && done.unread ? kFailed : kDegraded;
}

int work(Flags& flags, bool merges) {
  if (flags.delimiter == "tab") flags.delimiter = "\t";
  flags.settings.delimiter = flags.delimiter[0];
  if (!flags.columns.empty()) flags.settings.columns = split(flags.columns);
  const document::Format& format = document::find_format(flags.format, flags.path);
  if (format.name == "csv" && flags.columns.empty())
    throw UsageError("of a table, give --columns: names in its first row, or numbers");
  if (format.name == "tmx" && flags.settings.to.empty())
    throw UsageError("of a TMX, give --to: the language of the translations");
  if (!merges) {
    check_not_read("-", {{flags.path}});
    return outcome(document::extract(flags.path, format, flags.settings), flags.path);
  }
  check_stdin_once({flags.path, flags.lines});
  check_not_read(flags.output, {{flags.path, flags.lines}});
  return outcome(document::merge(flags.path, flags.lines, flags.output, format, flags.settings),
                 flags.path);
}

std::string no_delimiter(const std::string& value) {
  return value == "tab" || (value.size() == 1 && value != "\"" && value != "\n")
             ? ""
             : "must be one character of ASCII, or tab, not " + in_quotes(value);
}

std::string no_marker(const std::string& value) {
  return document::is_accelerator(value)
             ? ""
             : "must be one sign of ASCII, as & or _, and not % $ { } < > \\ or \", not " +
                   in_quotes(value);
}

std::string no_language(const std::string& value) {
  for (const char c : value)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_')
      return "must be a language, as de or pt-BR, not " + in_quotes(value);
  return value.empty() ? "must be a language, as de or pt-BR" : "";
}

Words names() {
  Words names;
  for (const document::Format& format : document::formats()) names.push_back(format.name);
  return names;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  document::Settings& settings = flags.settings;
  const std::vector<Option> rows{
      {"FILE", file(flags.path), "the document; -: stdin", kRequired},
      {"--format", choice(flags.format, names()), "format of the document; default: by its suffix",
       kBrief},
      {"--all", toggle(settings.all), "of PO, XLIFF and TMX: also texts that have a translation"}};
  const std::vector<Option> particular{
      {"--attributes", toggle(settings.attributes),
       "of HTML and EPUB: also texts of attributes, as alt, title and placeholder"},
      {"--columns", text(flags.columns).as("NAMES"),
       "of CSV: the columns of text, by names or numbers, with commas between them"},
      {"--header", toggle(settings.header), "of CSV: the first row is no text"},
      {"--delimiter", text(flags.delimiter, no_delimiter).as("C").initially(","),
       "of CSV: the character between fields, or tab"},
      {"--from", text(settings.from, no_language).as("LANGUAGE"),
       "of TMX: the language of the texts; default: as the document says"},
      {"--to", text(settings.to, no_language).as("LANGUAGE"),
       "of TMX, XLIFF, HTML and EPUB: the language of the translations"},
      {"--join", text(settings.join, unknown_language).as("LANGUAGE"),
       "of subtitles: a sentence that goes on in the next cue is one text; LANGUAGE: its own"},
      {"--line-length", number(settings.line_length, 1, 1000),
       "of subtitles: report translations with longer lines, in characters, as 42"},
      {"--reading-speed", number(settings.reading_speed, 1, 1000),
       "of subtitles: report translations that are faster, in characters a second, as 17"},
      {"--accelerator", text(settings.accelerator, no_marker).as("C"),
       "of PO: the character before the key of a menu, as & or _; default: as the document says"}};
  std::vector<Option> merged = rows;
  merged.insert(merged.begin() + 1, {"LINES", file(flags.lines), "their translations; -: stdin"});
  merged.push_back(
      {"-o,--output", file(flags.output), "the document with its translations; -: stdout", kBrief});
  merged.push_back({"--least", number(settings.least, -1e9, 1e9).as("SCORE"),
                    "LINES are what tt-quality apply writes: translations that are expected to "
                    "score less are the only ones that need review; reported where the format "
                    "cannot say so"});
  merged.push_back({"--reviewed", toggle(settings.reviewed),
                    "translations need no review: not fuzzy in PO, nor so in XLIFF; also those "
                    "that are the same as their texts"});
  return run_tool(
      argc, argv,
      {.name = "tt-document",
       .summary = "Takes the texts out of a document as lines, and puts their translations back.",
       .example = "tt-document extract page.html | tt-translate -m model.tt --markup html |\n"
                  "  tt-document merge page.html -o page.de.html",
       .commands = {{"extract",
                     "write each text as a line",
                     {{"Options", rows}, {"Formats", particular}},
                     [&] { return work(flags, false); }},
                    {"merge",
                     "write the document with the lines in place of its texts",
                     {{"Options", merged}, {"Formats", particular}},
                     [&] { return work(flags, true); }}}});
}
