// Fuzz target: any bytes read as a configuration give a one-line Error, or settings that are the
// same when written and read back.
//
//   make fuzz
#include "model/config.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  tt::Config config;
  try {
    tt::read_json(config, text, "fuzz.json");
    tt::Config again;
    tt::read_json(again, tt::to_json(config), "again.json");
    TT_CHECK(tt::to_json(again) == tt::to_json(config));
    TT_CHECK(tt::same_model(config, again).empty());
    tt::check_config(config, "fuzz.json");
  } catch (const tt::Error& error) {
    tt::check_message(error, "fuzz.json:");
  }
  return 0;
}
