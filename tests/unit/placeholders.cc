// Placeholders of software.
#include "text/placeholders.h"

#include <string>
#include <vector>

#include "tests/unit/line_fixture.h"
#include "text/kept.h"

namespace tt {
namespace {

using Strings = std::vector<std::string>;

Strings placeholders(std::string text) {
  Strings all;
  for (const TextRange& r : find_kept(text, {.placeholders = true}))
    all.push_back(text.substr(r.begin, r.end - r.begin));
  return all;
}

}  // namespace

TEST_CASE("placeholders are those of the formats of software, also inside of words") {
  const struct {
    const char* text;
    Strings found;
  } cases[] = {
      {"%s has %d of %5.2f, %-8s, %+d, %05ld, %llu, %zu, %c, %p, %x",
       {"%s", "%d", "%5.2f", "%-8s", "%+d", "%05ld", "%llu", "%zu", "%c", "%p", "%x"}},
      {"%1$s of %2$-5d, %*d, %.*f, %@, %2$@", {"%1$s", "%2$-5d", "%*d", "%.*f", "%@", "%2$@"}},
      {"100%% sure, 5% of %d%%", {"%%", "%d", "%%"}},
      {"a 100%ige Sache, 5 % off, 50% discount, 20%.", {}},
      {"%(count)s of %(total)05.1f, %(name)r %r", {"%(count)s", "%(total)05.1f", "%(name)r", "%r"}},
      {"%{name}, %<n>d and %<n>.2f", {"%{name}", "%<n>d", "%<n>.2f"}},
      {"%1 of %2, %L1, %n file(s)", {"%1", "%2", "%L1", "%n"}},
      {"%1% and %10%, %PATH%, %APP_DATA%x", {"%1%", "%10%", "%PATH%", "%APP_DATA%"}},
      {"{} {0} {name} {0:.2f} {a.b[0]} {x!r} {:>10} {0,-10:N2} {0, number}",
       {"{}", "{0}", "{name}", "{0:.2f}", "{a.b[0]}", "{x!r}", "{:>10}", "{0,-10:N2}",
        "{0, number}"}},
      {"{see below} {and more} { x", {}},
      {"{{ user name }}{{{raw}}} {{#if}}", {"{{ user name }}", "{{{raw}}}", "{{#if}}"}},
      {"{n, plural, one {# file} other {# files}}.", {"{n, plural, one {# file} other {# files}}"}},
      {"${x} #{x} $(x) $name $name_2. $t(key) $5 US$ #1 ${a.b}",
       {"${x}", "#{x}", "$(x)", "$name", "$name_2", "$t(key)", "${a.b}"}},
      {"one\\ntwo\\t\\\"q\\\" \\\\ \\u00e9 \\x1b[0m \\033 \\o \\",
       {"\\n", "\\t", "\\\"", "\\\"", "\\\\", "\\u00e9", "\\x1b", "\\033"}},
      {"file%d.txt %dx%d un%sed {n}th 第%d回", {"%d", "%d", "%d", "%s", "{n}", "%d"}},
      {"%<PRIu64> %-5<PRIx32>, %2$*1$d, %|1$+5|, %0:s %1:-8.2f, %tY-%1$tm-%2$td %tR, %lu %td",
       {"%<PRIu64>", "%-5<PRIx32>", "%2$*1$d", "%|1$+5|", "%0:s", "%1:-8.2f", "%tY", "%1$tm",
        "%2$td", "%tR", "%lu", "%td"}},
      {"%#@files@ %ld 5 %|x y| 5%:s", {"%#@files@", "%ld"}},
      {"{ $name } { -brand-name } { \"\" } { NUMBER($n, x: 2) } { name } { - } {$n}",
       {"{ $name }", "{ -brand-name }", "{ \"\" }", "{ NUMBER($n, x: 2) }", "{$n}"}},
      {"'{'0'}' and '{0}' it''s {n, select, a {'{'} other {it's '}'}} {0, date, h 'at' m}",
       {"'{'", "'}'", "{0}", "{n, select, a {'{'} other {it's '}'}}", "{0, date, h 'at' m}"}},
      {"%PRODUCTNAME, %MOD1+S, $[officename], %SXW_NAME.",
       {"%PRODUCTNAME", "%MOD1", "$[officename]", "%SXW_NAME"}},
      {"30%IGE, %ABCd, %AB, $[a b], $[", {"%A", "%A"}},
      {"The file $name$ is in $folder$. $a$$b$, $_x$; $file$\\n $dir$を",
       {"$name$", "$folder$", "$a$", "$b$", "$_x$", "$file$", "\\n", "$dir$"}},
      {"$HOME$PATH $a$b$ $a${b} $a$(b) $a$[b] $a$(b c)",
       {"$HOME", "$PATH", "$a", "$b$", "$a", "${b}", "$a", "$(b)", "$a", "$[b]", "$a$"}},
      {"costs 5$ or $6, US$ 7$, $$, $ a$, $8$, #name#, $a $b", {"$a", "$b"}},
      {"%count% of %user_name%, %ARG1%; %Name%.", {"%count%", "%user_name%", "%ARG1%", "%Name%"}},
      {"%dx%d%, %ld%%, %lu%, %s%, %d_%s, 5%foo% %in%dx",
       {"%d", "%d", "%ld", "%%", "%lu", "%s", "%d", "%s", "%i", "%d"}},
      {"no % at the end %", {}},
      {"%", {}},
      {"\\u00", {}},
      {"%%s", {"%%"}},
  };
  for (const auto& c : cases) {
    INFO(c.text);
    CHECK(placeholders(c.text) == c.found);
  }
  std::string in_url = "http://x.org/%s %s";
  CHECK(find_kept(in_url, {.urls = true, .placeholders = true}).size() == 2);
  const std::string endless = "{" + std::string(10000, 'x') + "}";
  CHECK(placeholders(endless).empty());
}

TEST_CASE("some placeholders part lines, some have an order, some have text inside") {
  CHECK(is_line_break("\\n"));
  CHECK_FALSE(is_line_break("\\t"));
  for (const char* positional : {"%s", "%-5.2f", "%d", "{}", "{:>4}", "%*d"})
    CHECK(is_positional(positional));
  for (const char* other : {"%1$s", "%%", "%(n)s", "%{n}", "{0}", "{name}", "%1", "\\n", "${x}"})
    CHECK_FALSE(is_positional(other));
  CHECK(has_message("{n, plural, one {# file} other {# files}}"));
  CHECK_FALSE(has_message("{{ name }}"));
  CHECK_FALSE(has_message("{name}"));
}

TEST_CASE("in any text a conversion is an argument and a type") {
  const auto same = [](const char* a, const char* b) {
    return wrong_placeholders(a, b, "").empty();
  };
  for (const auto& [a, b] : {std::pair{"%-08.2lf", "%f"},
                             {"%2$'d %1$s", "%s %i"},
                             {"%0:s", "%s"},
                             {"%*.*lli", "%*.*lld"},
                             {"%2$*1$d", "%*d"},
                             {"%(count)5d", "%(count)i"},
                             {"%@ %@", "%2$@ %1$@"},
                             {"%tY", "%1$tm"},
                             {"%x", "%X"},
                             {"%Lf", "%llf"},
                             {"%% %m", "%m"},
                             {"{0} {:.2f}", "{:.2f} {0}"},
                             {"%1% %n", "%n %1%"}})
    CHECK(same(a, b));
  for (const auto& [a, b] : {std::pair{"%s", "%d"},
                             {"%ld", "%d"},
                             {"%(a)s", "%(b)s"},
                             {"%s", ""},
                             {"%d %s", "%s %d"},
                             {"%*d", "%d"},
                             {"%1", "%2"},
                             {"{0:.2f}", "{0}"},
                             {"%99999999999999999999$d", "%d"},
                             {"${x}", "${y}"},
                             {"%<PRIu64>", "%u"}})
    CHECK_FALSE(same(a, b));
}

TEST_CASE("a line that has broken placeholders says so") {
  const auto problems = [](const char* text) {
    LineOptions options;
    options.keep.placeholders = true;
    return texts_of(read_line(text, options).text.problems.all());
  };
  CHECK(problems("%(count)s of {n}, 5 %, ${x} {see below").empty());
  CHECK(problems("file%d.txt %dx%d 5%d").empty());
  for (const char* text : {"%(count of", "a ${name", "the {{ user", "%{x and"})
    CHECK(problems(text).size() == 1);
  CHECK(problems("un%sed") ==
        Strings{"a placeholder inside of a word, whose parts are translated by themselves: "
                "\"%s\""});
  CHECK(problems("{n, plural, other {# files}}").size() == 1);
}

}  // namespace tt
