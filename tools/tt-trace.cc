// tt-trace: makes a page of what a sentence was to a model, or prints its numbers.
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "tools/main.h"
#include "trace/page.h"

namespace tt {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string output, tsv;
  std::int64_t line = 0;
};

std::string field(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string four(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, 4).ptr};
}

// Names, sizes and a few numbers of all matrices.
void list(Output& out, const std::vector<Trace>& traces) {
  out.line("line\tmatrix\theads\trows\tcolumns\tleast\tmean\tdeviation\tlargest");
  for (const Trace& trace : traces)
    for (const TraceMatrix& m : trace.matrices)
      out.line(std::to_string(trace.line) + '\t' + field(m.name) + '\t' + std::to_string(m.blocks) +
               '\t' + std::to_string(m.rows) + '\t' + std::to_string(m.columns) + '\t' +
               four(m.least) + '\t' + four(m.mean) + '\t' + four(m.deviation) + '\t' +
               four(m.largest));
}

// The numbers of one matrix; of masked scores "-inf".
void print(Output& out, const Trace& trace, const TraceMatrix& m) {
  const auto rows = row_pieces(trace, m), columns = column_pieces(trace, m);
  const auto piece = [](const std::vector<std::string>& of, std::int64_t i) {
    return of.empty() ? "" : field(of[static_cast<std::size_t>(i)]);
  };
  std::size_t at = 0;
  for (std::int64_t b = 1; b <= m.blocks; ++b)
    for (std::int64_t r = 0; r < m.rows; ++r)
      for (std::int64_t c = 0; c < m.columns; ++c) {
        const float x = m.values[at++];
        out.line(std::to_string(trace.line) + '\t' + field(m.name) + '\t' + std::to_string(b) +
                 '\t' + std::to_string(r + 1) + '\t' + piece(rows, r) + '\t' +
                 std::to_string(c + 1) + '\t' + piece(columns, c) + '\t' +
                 (std::isfinite(x) ? json_number(x) : "-inf"));
      }
}

int tsv(Output& out, const std::vector<Trace>& traces, const std::string& pattern) {
  std::size_t found = 0, summarised = 0;
  out.line("line\tmatrix\thead\trow\tpiece\tcolumn\tkey\tvalue");
  for (const Trace& trace : traces)
    for (const TraceMatrix& m : trace.matrices) {
      if (fnmatch(pattern.c_str(), m.name.c_str(), 0) != 0) continue;
      ++found;
      if (trace.summarised) ++summarised;
      else print(out, trace, m);
    }
  if (found == 0)
    throw Error("there is no matrix ", in_quotes(pattern), "; without options tt-trace lists them");
  if (summarised > 0)
    warn(std::to_string(summarised) + " of " + std::to_string(found) +
         " matrices are summaries, without their numbers");
  return summarised > 0 ? kDegraded : kDone;
}

int work(const Options& options) {
  std::vector<std::string> inputs = options.inputs;
  if (inputs.empty()) inputs.push_back("-");
  check_stdin_once(inputs);
  if (!options.output.empty()) check_not_read(options.output, inputs);
  std::vector<Trace> traces;
  std::size_t second = 0;  // the first of the second file
  for (const std::string& path : inputs) {
    LineReader in(path);
    const std::size_t before = traces.size();
    std::size_t read = 0;
    for (Trace trace; read_trace(in, trace); ++read)
      if (options.line == 0 || static_cast<std::int64_t>(trace.line) == options.line)
        traces.push_back(std::move(trace));
    if (read == 0) throw Error(in.name(), ": is empty; tt-translate --trace writes traces");
    if (traces.size() == before) throw Error(in.name(), ": has no trace of line ", options.line);
    if (second == 0) second = before;
  }
  if (options.output.ends_with('/') || is_folder(options.output)) {
    std::string folder = options.output;
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    write_pages(folder, traces);
    return kDone;
  }
  if (!options.output.empty()) {
    AtomicFile page(options.output, AtomicFile::Content::text);
    page.write(page_of(traces, second));
    page.commit();
    return kDone;
  }
  Output out("-");
  int status = kDone;
  if (options.tsv.empty()) list(out, traces);
  else status = tsv(out, traces, options.tsv);
  out.close();
  return status;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Options o;
  const std::vector<Option> rows{
      {"FILE", file(o.inputs),
       "traces of tt-translate --trace; two files side by side; - for stdin"},
      {"-o,--output", file(o.output),
       "write a page of HTML, or, in a folder, one for each sentence; -: to stdout", kBrief},
      {"--tsv", text(o.tsv).as("MATRIX"),
       "print the numbers of a matrix, or of all that a pattern of the shell fits",
       excludes("--output") + kBrief},
      {"--line", number(o.line, 1, 1e18).initially("all"), "only the sentence of this line"},
  };
  return run_tool(
      argc, argv,
      {.name = "tt-trace",
       .summary = "Shows all that a model computed for a sentence, as a page or as numbers.",
       .groups = {{"Trace", rows}},
       .work = [&] { return work(o); },
       .example = "echo Hello | tt-translate -m model.tt --trace - | tt-trace -o page.html"});
}
