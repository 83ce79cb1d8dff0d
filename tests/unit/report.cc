// Numbers as people read them.
#include "base/report.h"

#include "tests/catch.h"

using namespace tt;

TEST_CASE("Large numbers have commas, behind a sign, too") {
  CHECK(with_commas(0) == "0");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1234567) == "1,234,567");
  CHECK(with_commas(-123) == "-123");
  CHECK(with_commas(-1234567) == "-1,234,567");
  CHECK(count_of(1, "text") == "1 text");
  CHECK(count_of(1234, "text") == "1,234 texts");
}
