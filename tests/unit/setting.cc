// Errors about settings.
#include "base/setting.h"

#include "base/child_process.h"
#include "tests/catch.h"

using namespace tt;

namespace {

std::string as_option(const std::string& name) { return "--" + name; }

}  // namespace

TEST_CASE("an error names settings plainly, or as a program spells them") {
  const SettingError error("lower ", Setting{"rate"}, " to ", 0.5, ", or ", Setting{"clip"});
  CHECK(std::string(error.what()) == "lower rate to 0.5, or clip");
  CHECK(error.spelt(as_option) == "lower --rate to 0.5, or --clip");
  CHECK(SettingError(Setting{"rate"}).spelt(as_option) == "--rate");
  CHECK(SettingError("rate").spelt(as_option) == "rate");
}

TEST_CASE("an error of a child process still names settings") {
  try {
    run_in_child([]() -> std::string {
      throw SettingError(Setting{"beam"}, " is 0; see ", Setting{"alpha"});
    });
    FAIL("nothing was thrown");
  } catch (const SettingError& error) {
    CHECK(error.spelt(as_option) == "--beam is 0; see --alpha");
    CHECK(std::string(error.what()) == "beam is 0; see alpha");
  }
}
