// Fuzz target: any bytes as a document of each format give lines that put back give the same bytes,
// and with other lines a document that can be read. The first byte says which format it is.
//
//   make fuzz CXX=clang++
#include "tests/document.h"

#include "base/error.h"
#include "tests/fuzz/memory_file.h"

namespace {

using namespace tt::document;

void check(const std::string& format, std::string_view document, const Settings& settings) {
  const Extracted first = extracted(format, document, settings);
  for (const std::string& line : first.lines)
    TT_CHECK(!line.empty() && line.find_first_of("\n\t\r") == std::string::npos);
  Settings unreviewed = settings;  // reviewed ones that are their texts are taken
  unreviewed.reviewed = false;
  merged(format, document, first.lines, settings);
  const Merged same = merged(format, document, first.lines, unreviewed);
  TT_CHECK(same.text == document && same.problems == first.problems);
  std::vector<std::string> lines = first.lines;
  for (std::string& line : lines) line += " x & y";
  const Merged changed = merged(format, document, lines, settings);
  // The fields of a table stay fields, whatever is in them.
  if (format == "csv") TT_CHECK(extracted(format, changed.text, settings).lines == lines);
  else extracted(format, changed.text, settings);
  lines.assign(first.lines.size(), "*<b>\\n%d&lt;|--> \xc3\xa9");
  extracted(format, merged(format, document, lines, settings).text, settings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view document(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  Settings settings{.columns = {"1", "3"}, .from = "en", .to = "de"};
  settings.all = bytes[0] >= 'A' && bytes[0] <= 'Z';
  settings.reviewed = settings.all;
  settings.accelerator = settings.all ? "_" : "";
  try {
    for (const Format& format : formats())
      if (format.name[0] == (bytes[0] | 0x20)) check(format.name, document, settings);
  } catch (const tt::Error& error) {
    tt::check_message(error, "doc:");
  }
  return 0;
}
