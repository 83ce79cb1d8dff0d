// When a run without a report says how long it will take.
#include "tests/catch.h"
#include "train/status.h"

namespace tt {
namespace {

TEST_CASE("an outlook comes once, with the first part of an update that is late") {
  Config config;
  config.report_every = 100;
  Outlook outlook(config, 4, 2, 50000, 0);
  const std::string message = outlook.part();
  CHECK(message.find("50,000 take about") != std::string::npos);
  CHECK(message.find("the first report comes after 100") != std::string::npos);
  CHECK(outlook.part().empty());
  CHECK(outlook.update(1).empty());
}

TEST_CASE("an outlook that is not late, or comes with a report, says nothing") {
  Config config;
  config.report_every = 5;
  Outlook early(config, 4, 2, 50000, 1000), reported(config, 4, 2, 50000, 0);
  CHECK(early.part().empty());
  CHECK(early.update(1).empty());
  CHECK(reported.update(5).empty());
  CHECK(reported.update(6).empty());
}

TEST_CASE("an outlook without a limit has no total") {
  Config config;
  const std::string message = Outlook(config, 4, 2, 0, 0).update(1);
  CHECK(message.starts_with("an update takes about 0.0 seconds; the first report"));
}

}  // namespace
}  // namespace tt
