// From files to segments: which lines and fields are references; and scores over them. Standard
// input is tested by tests/cli/tt-bleu-references.sh.
#include "base/error.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/groups.h"
#include "metrics/scoring.h"
#include "metrics/segments.h"
#include "metrics/systems.h"
#include "metrics/ter.h"
#include "tests/catch.h"
#include "tests/unit/text_fixture.h"

namespace tt::metrics {

namespace {

using Texts = std::vector<std::string>;

// The references of each segment.
std::vector<Texts> references_of(const SegmentFiles& files) {
  SegmentReader reader(files);
  std::vector<Texts> all;
  for (SegmentBlock block; reader.next(block);) {
    for (const auto& references : block.references)
      all.emplace_back(references.begin(), references.end());
  }
  return all;
}

double score(const Metric& metric, std::string_view hypothesis,
             const std::vector<std::string_view>& references) {
  std::vector<std::int32_t> row(metric.width());
  metric.segment(hypothesis, references, row);
  return metric.score({row.begin(), row.end()});
}

}  // namespace

TEST_CASE("an empty line is a reference, unless empty references are skipped", "[metrics]") {
  const Scratch scratch;
  SegmentFiles files;
  files.references = {scratch.file("a", "one\n\n \ntwo\n"), scratch.file("b", "1\n2\n\t\n\n")};
  files.systems = {scratch.file("h", "x\nx\nx\nx\n")};
  CHECK(references_of(files) == std::vector<Texts>{{"one", "1"}, {"", "2"}, {"", ""}, {"two", ""}});
  files.skip_empty_references = true;
  CHECK(references_of(files) == std::vector<Texts>{{"one", "1"}, {"2"}, {""}, {"two"}});

  // As sacreBLEU 2.6.0.
  Metrics metrics;
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{}));
  files.references = {scratch.file("c", "the cat sat on the mat\n\n"),
                      scratch.file("d", "\nthe dog lay on the rug\n")};
  files.systems = {scratch.file("i", "the cat sat on the mat\n\n")};
  ThreadPool pool(1);
  for (const bool skip : {false, true}) {
    files.skip_empty_references = skip;
    SegmentReader reader(files);
    const Scoring scoring = score_segments(reader, metrics, pool);
    CHECK(scoring.references == (skip ? 1 : 2));
    CHECK(metrics[0]->score(scoring.totals[0][0]) == Approx(skip ? 36.78794411714425 : 100));
  }
  CHECK(score(Chrf({}), "", {"the cat", ""}) == 0);
  CHECK(score(Ter({}), "the cat sat", {"the cat sat", ""}) == Approx(0));
  CHECK(score(Ter({}), "a b c", {"x y", ""}) == Approx(300));  // 3 edits for a mean of 1 word
}

TEST_CASE("references in the fields of a line", "[metrics]") {
  const Scratch scratch;
  SegmentFiles files;
  files.references = {scratch.file("r", "a b \tc\n\td\ne\t\nf\tg\th \t\n")};
  files.systems = {scratch.file("h", "x\nx\nx\nx\n")};
  files.references_per_line = 2;
  CHECK(references_of(files) ==
        std::vector<Texts>{{"a b ", "c"}, {"", "d"}, {"e", ""}, {"f", "g\th"}});
  files.skip_empty_references = true;
  CHECK(references_of(files) == std::vector<Texts>{{"a b ", "c"}, {"d"}, {"e"}, {"f", "g\th"}});
  SegmentReader reader(files);
  SegmentBlock block;
  while (reader.next(block)) continue;
  CHECK(reader.references() == 0);
  REQUIRE(reader.notes().size() == 1);
  CHECK_THAT(reader.notes()[0], Contains("r:4: more than 2 tab-separated references"));

  files.references_per_line = 3;  // fewer fields are fewer references only if that is said
  CHECK(references_of(files) == std::vector<Texts>{{"a b ", "c"}, {"d"}, {"e"}, {"f", "g", "h"}});
  files.skip_empty_references = false;
  CHECK_THROWS_WITH(references_of(files), Contains("r:1: 2 tab-separated references instead of 3"));
}

TEST_CASE("tabs in every line are noted", "[metrics]") {
  const Scratch scratch;
  SegmentFiles files;
  files.references = {scratch.file("r", "a\tb\nc\td\t\n")};
  files.systems = {scratch.file("h", "x\ty\tz\nx\ty\tz\n")};
  const auto notes = [&] {
    SegmentReader reader(files);
    SegmentBlock block;
    while (reader.next(block)) continue;
    return reader.notes();
  };
  const auto both = notes();
  REQUIRE(both.size() == 2);
  CHECK_THAT(both[0], Contains("h: 2 tabs in each line") && Contains("on standard input alone"));
  CHECK_THAT(both[1], Contains("r: 1 tab in each line") && Contains("num_refs to 2"));
  scratch.file("r", "a\tb\nc\t\n");  // the second reference is empty
  CHECK_THAT(notes()[1], Contains("r: 1 tab in each line") && Contains("num_refs to 2"));
  scratch.file("r", "a\tb\nc d\n");
  scratch.file("h", "x\n\ty\tz\n");
  CHECK(notes().empty());
}

TEST_CASE("references may be missing, and threads change nothing", "[metrics]") {
  const Scratch scratch;
  std::string hypotheses, first, second;
  for (int i = 0; i < 3000; ++i) {
    hypotheses += "line number " + std::to_string(i) + " of the text\n";
    first += i % 7 == 0 ? " \n" : "line number " + std::to_string(i * 2) + " of a text\n";
    second += i % 7 == 0 || i % 2 ? "the line " + std::to_string(i) + "\n" : "\n";
  }
  SegmentFiles files;
  files.references = {scratch.file("ref1", first), scratch.file("ref2", second)};
  files.systems = {scratch.file("hyp", hypotheses)};
  files.skip_empty_references = true;
  Metrics metrics;
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{}));
  metrics.push_back(std::make_unique<Ter>(TerOptions{}));
  const auto score_with = [&](int threads) {
    ThreadPool pool(threads);
    SegmentReader reader(files);
    return score_segments(reader, metrics, pool, true);
  };
  const Scoring a = score_with(1), b = score_with(4);
  CHECK(a.segments == 3000);
  CHECK(a.references == 0);
  CHECK(a.rows == b.rows);
  CHECK(a.totals == b.totals);
  // Segment 7 has the second reference only.
  std::vector<std::int32_t> expected(metrics[0]->width());
  const std::string_view reference = "the line 7";
  metrics[0]->segment("line number 7 of the text", {&reference, 1}, expected);
  CHECK(std::equal(expected.begin(), expected.end(),
                   a.rows[0][0].begin() + 7 * static_cast<std::ptrdiff_t>(expected.size())));

  scratch.file("ref2", "one line\n");
  CHECK_THROWS_WITH(score_with(1), Contains("3,000 lines") && Contains("1 line;"));
  files.prefix = true;
  CHECK(score_with(1).segments == 1);
  SegmentReader reader(files);
  SegmentBlock block;
  while (reader.next(block)) continue;
  CHECK(reader.cut());
  scratch.file("ref2", "");
  CHECK_THROWS_WITH(score_with(1), Contains("no lines"));
}

TEST_CASE("each segment is in the group that a file names", "[metrics]") {
  const Scratch scratch;
  SegmentFiles files;
  files.references = {scratch.file("r", "a b\nc d\ne f\n")};
  files.systems = {scratch.file("h", "a b\nx y\ne g\n"), scratch.file("i", "a\nc d\ne f\n")};
  files.groups = scratch.file("g", "news\n web\r\nnews\n");
  Metrics metrics;
  metrics.push_back(std::make_unique<Ter>(TerOptions{}));
  ThreadPool pool(1);
  const auto group = [&] {
    SegmentReader reader(files);
    Groups groups(true);
    score_segments(reader, metrics, pool, false,
                   [&](const ScoringBlock& block) { groups.add(block, metrics); });
    return groups;
  };
  Groups groups = group();
  CHECK(groups.names() == Texts{"news", "web"});
  const auto& scorings = groups.scorings();
  REQUIRE(scorings.size() == 2);
  CHECK(scorings[0].segments == 2);
  CHECK(scorings[1].segments == 1);
  CHECK(metrics[0]->score(scorings[0].totals[0][0]) == Approx(25));
  CHECK(metrics[0]->score(scorings[0].totals[0][1]) == Approx(25));
  CHECK(metrics[0]->score(scorings[1].totals[0][0]) == Approx(100));
  CHECK(metrics[0]->score(scorings[1].totals[0][1]) == 0);
  CHECK(scorings[0].rows[0][0] == std::vector<std::int32_t>{0, 2, 0, 1, 2, 0});

  scratch.file("g", "news\n \nnews\n");
  CHECK_THROWS_WITH(group(), Contains("g:2: an empty line"));
  scratch.file("g", "news\nweb\n");
  CHECK_THROWS_WITH(group(), Contains("2 lines"));
}

TEST_CASE("lines that are not scored are not repaired, and others have a limit", "[metrics]") {
  const Scratch scratch;
  SegmentFiles files;
  files.references = {scratch.file("r", "a\nb\n\xFF\n")};
  files.systems = {scratch.file("h", "a\n\xFF\n")};
  files.prefix = true;
  SegmentReader reader(files);
  SegmentBlock block;
  while (reader.next(block)) continue;
  REQUIRE(reader.degraded().size() == 1);
  CHECK_THAT(reader.degraded()[0], Contains("h:2:"));

  files.longest_line = 3;
  scratch.file("r", "abc\nabcd\n");
  scratch.file("h", "a\nb\n");
  CHECK_THROWS_WITH(references_of(files), Contains("r:2: 4 bytes in one line, and at most 3"));
}

TEST_CASE("systems have names, and the first is given once", "[metrics]") {
  const Scratch scratch;
  const std::string a = scratch.file("a", ""), b = scratch.file("b", ""),
                    odd = scratch.file("x=y", "");
  const auto named = [](Texts systems, bool paired) {
    SegmentFiles files;
    files.systems = systems;
    name_systems(files, paired);
    for (std::size_t s = 0; s < systems.size() && s < files.names.size(); ++s)
      files.names[s] += ">" + files.systems[s];
    return files.names;
  };
  CHECK(named({a, "base=" + b, odd, "y=" + odd}, false) ==
        Texts{a + ">" + a, "base>" + b, odd + ">" + odd, "y>" + odd});
  CHECK(named({a, a, b}, true) == Texts{a + ">" + a, b + ">" + b});
  CHECK(named({"base=" + a, a, b}, true) == Texts{"base>" + a, b + ">" + b});
  CHECK(named({"base=" + a, "again=" + a}, true) == Texts{"base>" + a, "again>" + a});
  CHECK_THROWS_WITH(named({a, a}, false), Contains("names two systems"));
  CHECK_THROWS_WITH(named({b, a, a}, true), Contains("names two systems"));
  CHECK(named({}, true).empty());
}

}  // namespace tt::metrics
