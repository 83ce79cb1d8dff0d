// Fuzz target: any bytes, plain or compressed, give lines, possibly followed by an Error; plain
// text gives exactly its lines, and what begins as no text does, none.
//
//   make fuzz CXX=clang++
#include <algorithm>
#include <cstdio>

#include "base/compression.h"
#include "base/line_reader.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  stderr = std::fopen("/dev/null", "w");  // warnings; what the fuzzer says goes elsewhere
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  memory.hold(bytes, size);
  std::string text;
  std::size_t lines = 0;
  const std::string_view whole(reinterpret_cast<const char*>(bytes), size);
  const bool plain = std::ranges::none_of(tt::compressions(), [&](const tt::Compression& kind) {
    return std::ranges::any_of(kind.magics, [&](const auto& m) { return whole.starts_with(m); });
  });
  try {
    tt::LineReader in(memory.path());
    for (std::string_view line; in.next(line);) {
      TT_CHECK(line.find('\n') == std::string_view::npos);
      TT_CHECK(in.line_number() == ++lines);
      TT_CHECK(in.part() >= 0 && in.part() <= 1);
      text.append(line) += '\n';
      in.ready();  // the line lives no longer
    }
    TT_CHECK(!in.next(text));
    if (!plain) return 0;
    if (size > 0 && whole.back() != '\n') {
      TT_CHECK(text.ends_with('\n'));
      text.pop_back();
    }
    TT_CHECK(text == whole);
  } catch (const tt::Error& error) {
    TT_CHECK(!plain || lines == 0);
    tt::check_message(error, memory.path() + ": ");
  }
  return 0;
}
