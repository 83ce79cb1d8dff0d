// Accelerators of menus and buttons.
#include "lines/accelerator.h"

#include "tests/catch.h"

namespace tt {
namespace {

std::string without(std::string text) {
  const auto found = take_accelerator(text);
  return found ? text + "|" + found->sign + std::to_string(found->at) : text;
}

}  // namespace

TEST_CASE("a text has one accelerator, or none") {
  CHECK(without("&File") == "File|&0");
  CHECK(without("Save &As...") == "Save As...|&5");
  CHECK(without("E_xit") == "Exit|_1");
  CHECK(without("_Öffnen") == "Öffnen|_0");
  CHECK(without("ファイル(&F)") == "ファイル|&12");
  CHECK(without("ファイル(_F)...") == "ファイル...|_15");
  CHECK(without("Search && &Replace %(my_name)s &amp;") ==
        "Search && Replace %(my_name)s &amp;|&10");
  for (const char* none :
       {"AT&T", "R & D", "R&D", "Find &amp; go", "my_long_name", "&Yes or &No", "a__b", "&", "_",
        "see http://x.org/a_b?c&d", "{a_b} of %(c_d)s", "& (x)", "<a_b c=\"_d\">"})
    CHECK(without(none) == none);
}

TEST_CASE("several accelerators are told from names in programs") {
  for (const char* several : {"&Yes or &No", "_Yes (E_xit)", "&a &b &c", "(&F) _Datei"})
    CHECK(has_several_accelerators(several));
  CHECK(without("http://x.org/a_b _Go") == "http://x.org/a_b Go|_17");
  for (const char* none : {"my_long_name", "&File", "AT&T", "a && b &amp; &c", "%(a_b)s", ""})
    CHECK(!has_several_accelerators(none));
}

TEST_CASE("the sign stands before the key's letter, in its word if it can") {
  const auto put = [](const char* source, const std::string& translation, SoftAlignment links) {
    std::string text = source;
    const auto found = take_accelerator(text);
    REQUIRE(found);
    return with_accelerator(translation, words_of(translation), *found, words_of(text), links);
  };
  const SoftAlignment same{{1, 0}, {0, 1}};
  CHECK(put("&File", "Datei", {{1}}) == "&Datei");
  CHECK(put("&Date", "Datum", {{1}}) == "&Datum");
  CHECK(put("Save &As", "Speichern unter", same) == "Speichern &unter");
  CHECK(put("&Save As", "Alles sichern", {{0, 1}, {1, 0}}) == "Alles &sichern");
  CHECK(put("E_xit", "Text beenden", {{1}, {1}}) == "Te_xt beenden");
  CHECK(put("&Open", "»Öffnen oder«", {{1}, {0}}) == "»Öffnen &oder«");
  CHECK(put("&Open %(old)s", "%(old)s öffnen", {{0, 1}, {1, 0}}) == "%(old)s &öffnen");
  CHECK(put("&File", "ファイル", {{1}, {1}, {1}, {1}}) == "ファイル(&F)");
  CHECK(put("&open...", "開く...", {{1}, {1}}) == "開く(&O)...");
  CHECK(put("ファイル(&F)", "File", {{1, 0, 0, 0}}) == "&File");
  CHECK(put("&File", "", {}) == "(&F)");
  CHECK(put("_Go http://x.org/a", "http://x.org/a Los", {{0, 1}, {1, 0}}) == "http://x.org/a _Los");
  CHECK(put("_Go", "go@x.org http://x.org/go", {{1}, {1}}) == "go@x.org http://x.org/go(_G)");
  CHECK(put("<b>_Bold</b>", "<b>fett</b>", {{1}}) == "<b>_fett</b>");
  CHECK(put("_Able", "<a href=\"a b\">Los</a>", {{1}, {0}}) == "<a href=\"a b\">_Los</a>");
  CHECK(put("_Able", "&auml;", {{1}}) == "&auml;(_A)");
  CHECK(put("_Able", "{x}.", {{1}}) == "{x}(_A).");
}

}  // namespace tt
