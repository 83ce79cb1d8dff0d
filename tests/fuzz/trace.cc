// Fuzz target: any text read as traces gives a one-line Error, or traces that are written and read
// again as they are, and made a page.
//
//   make fuzz CXX=clang++
#include "trace/trace.h"

#include <cstdio>

#include "tests/fuzz/memory_file.h"
#include "trace/page.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  stderr = std::fopen("/dev/null", "w");  // warnings; what the fuzzer says goes elsewhere
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile file;
  file.hold(bytes, size);
  try {
    tt::LineReader in(file.path());
    std::vector<tt::Trace> traces;
    for (tt::Trace trace; read_trace(in, trace); trace = {}) traces.push_back(trace);
    if (traces.empty()) return 0;
    for (const tt::Trace& trace : traces) {
      for (const tt::TraceMatrix& m : trace.matrices) {
        const auto rows = row_pieces(trace, m), columns = column_pieces(trace, m);
        TT_CHECK(rows.empty() || static_cast<std::int64_t>(rows.size()) == m.rows);
        TT_CHECK(columns.empty() || static_cast<std::int64_t>(columns.size()) == m.columns);
      }
      tt::Output out("/dev/null");
      write_trace(out, trace);
    }
    TT_CHECK(!page_of(traces, traces.size() - 1).empty());
  } catch (const tt::Error& error) {
    tt::check_message(error, file.path() + ":");
  }
  return 0;
}
