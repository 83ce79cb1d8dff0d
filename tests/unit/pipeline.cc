// The walk of lines: what is taken out of a line comes back, whatever is asked for together.
#include "lines/pipeline.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/capitals.h"
#include "base/random.h"
#include "tests/catch.h"
#include "tests/unit/line_fixture.h"

namespace tt {
namespace {

const std::vector<std::function<void(LineOptions&)>> kAsked{
    [](LineOptions& o) { o.json = true; },
    [](LineOptions& o) { o.column = 2; },
    [](LineOptions& o) { o.markup = MarkupKind::html; },
    [](LineOptions& o) { o.accelerators = true; },
    [](LineOptions& o) { o.keep.marked = true; },
    [](LineOptions& o) { o.keep.urls = o.keep.emails = true; },
    [](LineOptions& o) { o.keep.numbers = true; },
    [](LineOptions& o) { o.keep.placeholders = true; },
    [](LineOptions& o) {
      static const Glossary glossary = [] {
        const Scratch scratch;
        return Glossary(scratch.file("terms", "dog\tHund\nbig dog\tgroßer Hund\n"), true);
      }();
      o.glossary = &glossary;
    },
    [](LineOptions& o) { o.sentences = "en"; },
    [](LineOptions& o) { o.pass_through = false; },
    [](LineOptions& o) { o.letter_case = true; },
};

// Those that may be asked for together, as programs allow it.
bool go_together(const LineOptions& o) {
  const bool markup = o.markup != MarkupKind::none;
  return !(o.json && o.column > 0) && !(markup && (o.accelerators || o.keep.marked));
}

LineOptions options_of(unsigned set) {
  LineOptions options;
  for (std::size_t i = 0; i < kAsked.size(); ++i)
    if (set >> i & 1) kAsked[i](options);
  return options;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// A text that mixes what the transforms read: one line of words, tags, entities, addresses,
// numbers, placeholders, terms, marks, sentences, capitals, titles and accelerators.
std::string text_from(std::uint64_t seed) {
  static const std::vector<std::string> words{"the",  "big",  "dog",   "sees", "a",    "cat",
                                              "here", "said", "house", "tree", "dogs", "runs"};
  static const std::vector<std::string> other{"<b>big dog</b>",
                                              "<i>one <b>dog</b></i>",
                                              "a<br>b",
                                              "<p>The dog runs.</p>",
                                              "<code>ls</code>",
                                              "cat<!-- no -->",
                                              "<!-- no -->",
                                              "<i translate=no>Blue <b translate=yes>dog</b> x</i>",
                                              "tom &amp; mary",
                                              "caf&eacute;",
                                              "10&nbsp;km",
                                              "http://example.com/a?b=1",
                                              "bob@example.com",
                                              "1,234.5",
                                              "-5",
                                              "10:30",
                                              "%s",
                                              "%1$d",
                                              "{name}",
                                              "${x}",
                                              "\\n",
                                              "<keep>New York</keep>",
                                              "{n, plural, other {# dogs}}",
                                              "The dog runs. A cat sleeps.",
                                              "It runs! Why?",
                                              "日本語",
                                              "12",
                                              "...",
                                              "\x01"};
  static const std::vector<std::string> keys{"&Open", "E_xit", "Sa&ve"};
  Random random(seed);
  const auto choose = [&](const auto& from) {
    return from[random.below(static_cast<std::uint32_t>(from.size()))];
  };
  const std::uint32_t kind = random.below(8);
  std::string text;
  for (std::uint32_t left = 1 + random.below(9); left > 0; --left) {
    std::string part = choose(words);
    if (kind == 0) part = in_capitals(part);
    if (kind == 1) part = in_capitals(part.substr(0, 1)) + part.substr(1);
    const std::string another = choose(other);
    if (random.below(3) == 0 && (kind > 0 || in_capitals(another) == another)) part = another;
    text += (text.empty() ? "" : " ") + part;
  }
  return kind > 1 && random.below(4) == 0 ? text + " " + choose(keys) : text;
}

// Of a line that spells an ampersand with markup each is spelled.
std::string text_for(const LineOptions& options, std::uint64_t seed) {
  const std::string text = text_from(seed);
  return options.markup == MarkupKind::none ? text : replaced(text, "tom &amp; mary", "tom");
}

std::string line_of(const std::string& text, const LineOptions& options) {
  if (options.column > 0) return "one\t" + text + "\tthree";
  if (!options.json) return text;
  return R"({"id": 7, "text": ")" + replaced(replaced(text, "\\", "\\\\"), "\x01", "\\u0001") +
         "\"}";
}

// Translates by a function of the text without the white space around it, as models do; what is
// verbatim stands where it stood if it changes nothing.
std::vector<Translated> translated(std::span<const Request> requests,
                                   const std::function<std::string(const std::string&)>& by) {
  std::vector<Translated> results;
  for (const Request& request : requests) {
    Translation& t = results.emplace_back().best.emplace_back();
    const auto words = words_of(request.text);
    const std::size_t begin = words.empty() ? 0 : words.front().begin;
    const std::string text =
        words.empty() ? "" : request.text.substr(begin, words.back().end - begin);
    t.text = by(text);
    if (t.text != text) continue;
    for (const Requirement& r : request.requirements)
      if (r.verbatim)
        t.replaced.push_back(
            {r.place.begin - begin, r.place.end - begin, r.place.end - r.place.begin});
    std::ranges::sort(t.replaced, std::greater<>(), &Replacement::begin);
  }
  return results;
}

// Each word comes from the one in its place.
std::vector<SoftAlignment> aligned(std::span<const Pipeline::Link> links) {
  std::vector<SoftAlignment> all;
  for (const auto& [source, translation] : links) {
    const std::size_t words = words_of(source->text).size();
    SoftAlignment& one = all.emplace_back(words_of(translation->text).size());
    for (std::size_t w = 0; w < one.size(); ++w) {
      one[w].resize(words);
      if (w < words) one[w][w] = 1;
    }
  }
  return all;
}

Line walk(const std::string& line, const LineOptions& options,
          const std::function<std::string(const std::string&)>& translate) {
  return std::move(
      Pipeline(options, made_up_models())
          .run(
              {&line, 1}, 1, {}, [&](auto r) { return translated(r, translate); }, aligned)[0]);
}

std::string the_same(const std::string& text) { return text; }

std::string in_brackets(const std::string& text) {
  std::string all;
  std::size_t at = 0;
  for (const TextRange& w : words_of(text)) {
    all += text.substr(at, w.begin - at) + "[" + text.substr(w.begin, w.end - w.begin) + "]";
    at = w.end;
  }
  return all + text.substr(at);
}

std::string without(std::string text, std::initializer_list<const char*> all) {
  for (const char* what : all) text = replaced(text, what, "");
  return text;
}

}  // namespace

TEST_CASE("a translator that changes nothing gives each line back") {
  const unsigned sets = 1u << kAsked.size();
  std::uint64_t seed = 0;
  for (unsigned set = 0; set < sets; ++set) {
    const LineOptions options = options_of(set);
    if (!go_together(options)) continue;
    for (int each = 0; each < 3; ++each) {
      const std::string text = text_for(options, seed++);
      INFO("options " << set << ", text " << seed - 1 << ": " << text);
      const Line line = walk(line_of(text, options), options, the_same);
      const std::string expected =
          options.keep.marked ? without(text, {"<keep>", "</keep>"}) : text;
      CHECK(line.found.result.best[0].text == expected);
      if (options.column > 0) CHECK(line.answer(expected) == "one\t" + expected + "\tthree");
    }
  }
}

TEST_CASE("a translator that brackets words gives each word of the text in brackets once") {
  const unsigned sets = 1u << kAsked.size();
  std::uint64_t seed = 1000000;
  for (unsigned set = 0; set < sets; ++set) {
    const LineOptions options = options_of(set);
    if (!go_together(options)) continue;
    const std::string text = text_for(options, seed++);
    INFO("options " << set << ", text " << seed - 1 << ": " << text);
    const Line line = walk(line_of(text, options), options, in_brackets);
    std::size_t words = 0;
    for (const LineSentence& s : line.text.sentences)
      if (!s.passes) words += words_of(s.request.text).size();
    const std::string& found = line.found.result.best[0].text;
    CHECK(std::ranges::count(found, '[') == static_cast<std::ptrdiff_t>(words));
    if (options.markup == MarkupKind::none && !options.accelerators && !options.letter_case)
      CHECK(without(found, {"[", "]"}) ==
            (options.keep.marked ? without(text, {"<keep>", "</keep>"}) : text));
  }
}

TEST_CASE("what encloses nothing, and the sign of a key, stay beside what is taken out") {
  const auto same = [](const std::string& text, const LineOptions& options) {
    CHECK(walk(text, options, the_same).found.result.best[0].text ==
          without(text, {"<keep>", "</keep>"}));
  };
  LineOptions markup, keys;
  markup.markup = MarkupKind::html;
  markup.keep.placeholders = true;
  same("a cat <!-- no -->\\n runs", markup);
  same("a cat\\n<!-- no --> runs", markup);
  same("<!-- no --> \\n the dog <!-- b --> \\n", markup);
  keys.accelerators = keys.keep.marked = true;
  same("dogs <keep>New York</keep> &Open", keys);
  same("dogs <keep>New</keep> <keep>&York O</keep>", keys);
}

TEST_CASE("the text of a line does not depend on the order of options") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<std::size_t> order;
    unsigned set = 0;
    for (std::size_t i = 0; i < kAsked.size(); ++i)
      if (random.below(2) == 1) order.push_back(i), set |= 1u << i;
    random.shuffle(std::span(order));
    LineOptions options;
    for (const std::size_t i : order) kAsked[i](options);
    if (!go_together(options)) continue;
    const std::string text = line_of(text_from(seed), options);
    const LineText one = read_line(text, options).text,
                   other = read_line(text, options_of(set)).text;
    CHECK(one.text == other.text);
    CHECK(one.problems.all() == other.problems.all());
    CHECK(one.sentences.size() == other.sentences.size());
    CHECK(one.requirements.size() == other.requirements.size());
    CHECK(one.untranslated.size() == other.untranslated.size());
  }
}

TEST_CASE("a line asks for what its options say, and a bad one for nothing") {
  LineOptions json, column, pair;
  json.json = true;
  column.column = 2;
  pair.second = LineOptions::Second::prefix;
  const LineText good =
      read_line(R"({"id": 1, "text": "the \"dog\"", "prefix": "der"})", json).text;
  CHECK(good.answerable);
  CHECK(good.text == "the \"dog\"");
  CHECK(good.prefix == "der");
  const struct {
    const char* line;
    Problem problem;
  } bad[] = {{"", {Reason::not_an_object, {"at byte 1"}, 0, "not JSON"}},
             {"[1]", {Reason::not_an_object, {}, 0, "not a JSON object"}},
             {"null", {Reason::not_an_object, {}, 0, "not a JSON object"}},
             {"{\"text\": 7}", {Reason::no_text}},
             {"{}", {Reason::no_text}},
             {"{\"text\": \"x\", \"prefix\": []}", {Reason::prefix_no_string}}};
  for (const auto& [text, problem] : bad) {
    const LineText line = read_line(text, json).text;
    INFO(text);
    CHECK(!line.answerable);
    CHECK(line.problems.all() == std::vector{problem});
    CHECK(line.text.empty());
  }
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  CHECK(read_line("{\"deep\": " + deep + ", \"text\": \"x\"}", json).text.text == "x");
  CHECK(read_line("a\tb\tc", column).text.text == "b");
  CHECK(read_line("a\tb", column).text.text == "b");
  CHECK(read_line("a", column).text.problems.all() ==
        std::vector<Problem>{{Reason::too_few_columns, {}, 2}});
  CHECK(read_line("a\tb\tc", column).answer("x\ty") == "a\tx y\tc");
  CHECK(read_line("the dog\nder", pair).text.prefix == "der");
  CHECK(read_line("the \xff\n", pair).text.problems.all() ==
        std::vector<Problem>{{Reason::not_utf8}});
}

TEST_CASE("what a translation lacks is among the problems of its line") {
  LineOptions options;
  options.keep.numbers = options.keep.placeholders = true;
  const auto problems = [&](const std::string& line, const std::string& translation) {
    std::vector<Reason> all;
    for (const Problem& p : walk(line, options, [&](auto) { return translation; }).text.problems)
      all.push_back(p.reason);
    return all;
  };
  CHECK(problems("see 42 %s", "sieh 42 %s").empty());
  CHECK(problems("see 42", "sieh") == std::vector{Reason::not_kept});
  CHECK(problems("see it", "sieh %s") == std::vector{Reason::placeholders_added});
  CHECK(problems("see <b>it", "sieh es").front() == Reason::tags_lost);
}

TEST_CASE("each reason for a problem has words of its own") {
  std::set<std::string> all;
  int reasons = 0;
  for (; reasons <= static_cast<int>(Reason::trace_summarised); ++reasons)
    all.insert(text_of({static_cast<Reason>(reasons), {}, 2, "name"}));
  CHECK(static_cast<int>(all.size()) == reasons);
  CHECK(text_of({Reason::unread_characters, {"\x01", "\x01", "a"}, 3}) ==
        "3 characters that the model does not read: U+0001 (2 times), a");
  CHECK(text_of({Reason::in_parts, {}, 1}) == "longer than 1 piece; translated in parts");
  CHECK(reason_of({Reason::in_parts, {}, 1}) == "longer than # pieces; translated in parts");
  CHECK(text_of({Reason::two_targets, {"de", "fr"}}).ends_with(": \"de\" and \"fr\""));
  Problems problems;
  for (const char* name : {"\"from\"", "\"to\"", "\"from\""})
    problems.add({Reason::language_no_string, {}, 0, name});
  CHECK(problems.all().size() == 2);
  CHECK(problems.has({Reason::not_utf8, Reason::language_no_string}));
  CHECK_FALSE(problems.has({Reason::not_utf8}));
}

}  // namespace tt
