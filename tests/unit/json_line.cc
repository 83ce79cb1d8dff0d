// JSON objects that pass through.
#include "base/json_line.h"

#include "base/error.h"
#include "tests/catch.h"

namespace tt {
namespace {

std::string refusal(std::string_view line) {
  try {
    json_members(line);
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

TEST_CASE("members of a JSON object are kept as they are written") {
  const auto members =
      json_members(R"( {"a" : 1e400, "b\n":"x\"y}",  "c":[{"a":[1,2,"]"]}, -0.0] ,"":{},"d" : nul)"
                   R"(l , "e":-123456789012345678901234567890 , "a":""} )");
  REQUIRE(members.size() == 7);
  const auto written = [&](int i) { return members[static_cast<std::size_t>(i)].written; };
  CHECK(written(0) == R"("a" : 1e400)");
  CHECK(members[1].key == "b\n");
  CHECK(members[1].text == "x\"y}");
  CHECK(written(1) == R"("b\n":"x\"y}")");
  CHECK(written(2) == R"("c":[{"a":[1,2,"]"]}, -0.0])");
  CHECK(written(3) == R"("":{})");
  CHECK(!members[3].text);
  CHECK(written(4) == R"("d" : null)");
  CHECK(written(5) == R"("e":-123456789012345678901234567890)");
  CHECK(members[6].text == "");
  CHECK(json_members("{}").empty());
  CHECK(json_members("\xef\xbb\xbf{\"a\":1}").at(0).written == "\"a\":1");
}

TEST_CASE("half of a surrogate pair in JSON is U+FFFD, a pair one character") {
  const auto texts = json_members(
      R"({"a":"\ud83d\ude00", "b":"\ud83d", "c":"\ude00\ud83d\u0041", "d":"\\ud83d"})");
  CHECK(texts.at(0).text == "\U0001f600");
  CHECK(texts.at(1).text == "\ufffd");
  CHECK(texts.at(1).written == R"("b":"\ud83d")");
  CHECK(texts.at(2).text == "\ufffd\ufffdA");
  CHECK(texts.at(3).text == "\\ud83d");
  for (std::size_t i = 0; i < 4; ++i) CHECK(texts.at(i).repaired == (i == 1 || i == 2));
}

TEST_CASE("what is no JSON object is said to be none") {
  for (const char* bad : {"",
                          "{",
                          "{\"a\":01}",
                          "{\"a\":1.}",
                          "{\"a\":1e}",
                          "{\"a\":-}",
                          "{\"a\":+1}",
                          "{\"a\":1 2}",
                          "{\"a\":.5}",
                          "{\"a\" 1}",
                          "{a:1}",
                          "{\"a\":1}}",
                          "{\"a\":1,}",
                          "{\"a\":\"\\x\"}",
                          "{\"a\":\"\\ud8\"}",
                          "{\"a\":tru3}",
                          "{\"a\":1e400x}",
                          "{\"a\":\"b}",
                          "{\"a\":0x10}",
                          "{\"a\":--1}",
                          "{\"a\":1.-1}",
                          "{\"a\":\"\t\"}"}) {
    INFO(bad);
    CHECK(refusal(bad).starts_with("not JSON: at byte "));
  }
  CHECK(refusal(std::string_view("{\"a\":1}\0{}", 10)) == "not JSON: at byte 8");
  for (const char* bad : {"[]", "1", "1e400", "null", "\"{}\""})
    CHECK(refusal(bad) == "not a JSON object");
}

TEST_CASE("elements of a JSON array are kept as they are written") {
  const auto elements = json_elements(R"( [ "a]" , {"b" : [1, 2]},-1e400 ,[], null ] )");
  CHECK(elements ==
        std::vector<std::string_view>{R"("a]")", R"({"b" : [1, 2]})", "-1e400", "[]", "null"});
  CHECK(json_elements("[]").empty());
  CHECK(json_elements(R"(["\ud800"])").at(0) == R"("\ud800")");
  const auto refused = [](std::string_view array) {
    try {
      json_elements(array);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("(no error)");
  };
  CHECK(refused("{}") == "not a JSON array");
  CHECK(refused("[1,") == "not JSON: at byte 4");
  CHECK(refused("[1] 2") == "not JSON: at byte 5");
}

TEST_CASE("members of another object take the place of those with their keys") {
  CHECK(json_with(R"({"a":1e400 , "b": 2} )", R"({"c":3})") == R"({"a":1e400 , "b": 2,"c":3} )");
  CHECK(json_with(R"({"a": 1, "b": 2, "a": 3})", R"({"a":4})") == R"({"b": 2,"a":4})");
  CHECK(json_with("{}", R"({"a":1})") == R"({"a":1})");
  CHECK(json_with(R"({"a": 1})", R"({"a":2})") == R"({"a":2})");
  CHECK(json_with(R"({"a": 1})", "{}") == R"({"a": 1})");
  CHECK(json_with(R"({"a": "}"} )", R"({"b":"{"})") == R"({"a": "}","b":"{"} )");
}

}  // namespace
}  // namespace tt
