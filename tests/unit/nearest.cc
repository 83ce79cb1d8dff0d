// Suggestions for mistyped names: only near ones.
#include "base/nearest.h"

#include "tests/catch.h"

namespace tt {
namespace {

TEST_CASE("a near name is found, and others are not suggested") {
  const std::vector<std::string> names{"beam", "bean", "alpha", "extra-length", "ids", "d_k"};
  CHECK(nearest("bem", names) == "beam");
  CHECK(nearest("beam", names) == "beam");
  CHECK(nearest("bea", names) == "beam");                    // the first of equally near ones
  CHECK(nearest("baem", names) == "beam");                   // swapped
  CHECK(nearest("baom", names).empty());                     // two of four letters
  CHECK(nearest("tok", {"top", "tokenize"}) == "tokenize");  // cut short
  CHECK(nearest("tok", {"top", "tokens", "tokenize"}) == "top");
  CHECK(nearest("aplha", names) == "alpha");
  CHECK(nearest("extra-lenght", names) == "extra-length");
  CHECK(nearest("extra_lenght", names) == "extra-length");
  CHECK(nearest("extra_lenghts", names).empty());  // three
  CHECK(nearest("id", names).empty());             // one of two letters
  CHECK(nearest("idss", names) == "ids");
  CHECK(nearest("foo", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest("", {""}).empty());
}

}  // namespace
}  // namespace tt
