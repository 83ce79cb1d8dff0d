// Fuzz target: any bytes as lines of pairs are judged by all rules, without an Error but for what
// is no line of a pair; what is kept is UTF-8, and is kept again.
//
//   make fuzz CXX=clang++
#include <cstdio>

#include "base/utf8.h"
#include "clean/cleaner.h"
#include "clean/language.h"
#include "tests/fuzz/memory_file.h"
#include "text/pair_reader.h"

namespace {

tt::clean::Cleaner all_rules() {
  std::vector<std::optional<double>> thresholds;
  for (const auto& kind : tt::clean::rule_kinds()) {
    const bool can = kind.name != "language" || tt::clean::Language::is_available();
    thresholds.push_back(kind.initial ? kind.initial
                         : can        ? std::optional(kind.least)
                                      : std::nullopt);
  }
  return {thresholds, {.languages = {"en", "ja"}, .held_out = {}, .memory = 1 << 20}};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  stderr = std::fopen("/dev/null", "w");  // warnings; what the fuzzer says goes elsewhere
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  memory.hold(bytes, size);
  try {
    tt::PairReader in(memory.path(), "");
    tt::clean::Cleaner cleaner = all_rules(), again = all_rules();
    for (std::string_view source, target; in.next(source, target);) {
      if (!cleaner.verdict(source, target).empty()) continue;
      TT_CHECK(tt::first_invalid_utf8(source) == std::string_view::npos);
      TT_CHECK(tt::first_invalid_utf8(target) == std::string_view::npos);
      TT_CHECK(again.verdict(source, target).empty());
      TT_CHECK(again.verdict(source, target) == "duplicates");
    }
  } catch (const tt::Error& error) {
    tt::check_message(error, memory.path() + ":");
  }
  return 0;
}
