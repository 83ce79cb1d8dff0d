// Training logs: repeated updates, broken lines, and the panels made of them.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "plot/training_log.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

struct File {
  explicit File(const std::string& text) {
    close(mkstemp(name));
    Output out(name);
    out.write(text);
    out.close();
  }
  ~File() { std::remove(name); }
  char name[32] = "/tmp/tt-log-XXXXXX";
};

const std::string kStart = "{\"event\":\"start\",\"parameters\":1}\n";
std::string train(int update, double loss, double wall = 3600) {
  return "{\"event\":\"train\",\"update\":" + std::to_string(update) +
         ",\"loss\":" + std::to_string(loss) + ",\"tokens\":" + std::to_string(1000 * update) +
         ",\"wall\":" + std::to_string(wall) + ",\"perplexity\":null}\n";
}
std::string valid(int update, double bleu) {
  return "{\"event\":\"valid\",\"update\":" + std::to_string(update) +
         ",\"bleu\":" + std::to_string(bleu) + ",\"best\":true}\n";
}

const Curves& panel(const Figure& figure, std::size_t i) {
  return std::get<Curves>(figure.panels.at(i));
}

TEST_CASE("the later record of an update counts") {
  const File file(kStart + train(1, 5) + train(2, 4) + train(3, 9) + kStart + train(2, 3) +
                  train(3, 2));
  const auto log = read_training_log(file.name);
  REQUIRE(log.train.size() == 3);
  CHECK(log.train.at(1).at("loss") == 5);
  CHECK(log.train.at(2).at("loss") == 3);
  CHECK(log.train.at(3).at("loss") == 2);
  CHECK(log.lines == 6 + 1);
}

TEST_CASE("updates that a run went back behind are not drawn, until they come again") {
  const std::string back = "{\"event\":\"rollback\",\"update\":4,\"to\":2,\"rate_factor\":0.5}\n";
  const auto log = read_training_log(
      File(train(1, 5) + train(2, 4) + valid(2, 9) + train(3, 9) + valid(3, 1) + back).name);
  CHECK(log.train.size() == 2);
  CHECK(log.valid.size() == 1);
  CHECK(log.train.at(2).at("loss") == 4);
  CHECK(read_training_log(File(train(1, 5) + train(3, 9) + back + train(3, 2)).name)
            .train.at(3)
            .at("loss") == 2);
  const File unknown("{\"event\":\"rollback\",\"update\":4}\n" + train(5, 1));
  CHECK_THROWS_WITH(read_training_log(unknown.name), Contains(":1: \"to\""));
}

TEST_CASE("a run has ended if its last event says so, and not when it was resumed") {
  CHECK(read_training_log(File(kStart + train(1, 5) + "{\"event\":\"end\"}\n").name).ended);
  CHECK_FALSE(read_training_log(File(kStart + "{\"event\":\"end\"}\n" + kStart).name).ended);
  CHECK_FALSE(read_training_log(File("").name).ended);
}

TEST_CASE(
    "an incomplete last line is ignored, a damaged line before it is an error with its place") {
  const File last(kStart + train(1, 5) + R"({"event":"train","upda)");
  CHECK(read_training_log(last.name).train.size() == 1);
  const File middle(kStart + "{\"event\":\"tr\n" + train(2, 4));
  CHECK_THROWS_WITH(read_training_log(middle.name), Contains(std::string(middle.name) + ":2: "));
  for (const char* line :
       {"5\n", "{}\n", "[]\n", "{\"event\":3}\n", "{\"event\":\"train\",\"loss\":1}\n", "\n"}) {
    const File file(line + train(2, 4));
    INFO(line);
    CHECK_THROWS_WITH(read_training_log(file.name), Contains(":1: "));
  }
}

TEST_CASE("NULs that a power loss has left cost no other line") {
  const std::string nuls(5000, '\0');
  const auto read = [](const std::string& text) { return read_training_log(File(text).name); };
  const auto end = read(kStart + train(1, 5) + train(2, 4) + nuls);
  CHECK(end.train.size() == 2);
  REQUIRE(end.lost.size() == 1);
  CHECK_THAT(end.lost[0], Contains(":4: NULs, as a power loss leaves them"));
  CHECK(read(train(1, 5) + nuls + "\n" + train(2, 4)).train.size() == 2);
  CHECK(read(train(1, 5) + nuls + train(2, 4) + train(3, 3)).train.size() == 3);
  CHECK(read(train(1, 5) + "{\"event\":\"tra" + nuls + "\n" + train(2, 4)).train.size() == 2);
  CHECK(read(train(1, 5)).lost.empty());
}

TEST_CASE("panels are made of what was recorded, on common axes") {
  const File file(kStart + train(100, 5) + train(200, 4) + valid(150, 12));
  auto log = read_training_log(file.name);
  const auto figure = log_figure({log}, parse_panels("loss,bleu,rate,perplexity"), {"update"});
  REQUIRE(figure.panels.size() == 2);  // no rate, and the perplexity is null
  CHECK(panel(figure, 0).curves.size() == 1);
  CHECK(panel(figure, 0).curves[0].name == "training");
  CHECK(panel(figure, 0).curves[0].points.size() == 2);
  CHECK(panel(figure, 1).curves[0].name == "validation");
  CHECK(panel(figure, 1).curves[0].points[0].x == 150);
  for (const auto& shown : {panel(figure, 0), panel(figure, 1)}) {
    CHECK(shown.x->low == 0);
    CHECK(shown.x->high == 200);
  }
  CHECK(log_figure({log}, parse_panels("rate"), {"update"}).panels.empty());
  CHECK(panel(log_figure({log}, parse_panels("bleu"), {"update"}), 0).x->high ==
        200);  // where the run ends
}

TEST_CASE("a validation takes missing values from the training record before it") {
  const File file(kStart + train(100, 5, 7200) + valid(150, 12) + train(200, 4, 10800));
  const auto log = read_training_log(file.name);
  CHECK(panel(log_figure({log}, parse_panels("bleu"), {"tokens"}), 0).curves[0].points[0].x ==
        100000);
  CHECK(panel(log_figure({log}, parse_panels("bleu"), {"wall"}), 0).curves[0].points[0].x ==
        2);  // hours
}

TEST_CASE("several runs have names and colours of their own") {
  TrainingLog a = read_training_log(File(train(1, 5) + valid(1, 2)).name), b = a;
  a.name = "a", b.name = "b";
  const auto figure = log_figure({a, b}, parse_panels("loss,bleu"), {"update"});
  const auto entries = legend(figure);
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].name == "a, training");
  CHECK(entries[1].name == "b, training");
  CHECK(entries[2].name == "a, validation");
  // A run has a colour, and validation is dashed.
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(entries[i].color == i % 2);
    CHECK(entries[i].dashed == (i >= 2));
  }
}

TEST_CASE("long names of runs are shortened, but differ in the legend") {
  const std::string begin(60, 'x');
  TrainingLog a = read_training_log(File(train(1, 5)).name), b = a;
  const auto names = [&](const std::string& one, const std::string& other) {
    a.name = one, b.name = other;
    std::vector<std::string> made;
    for (const auto& entry : legend(log_figure({a, b}, parse_panels("loss"), {"update"})))
      made.push_back(entry.name);
    return made;
  };
  const auto ends = names(begin + "-seed-1", begin + "-seed-2");
  REQUIRE(ends.size() == 2);
  CHECK(ends[0] == std::string(19, 'x') + ".." + std::string(12, 'x') + "-seed-1, training");
  CHECK(ends[1] == std::string(19, 'x') + ".." + std::string(12, 'x') + "-seed-2, training");
  const auto middles = names(begin + "1" + begin, begin + "2" + begin);
  REQUIRE(middles.size() == 2);
  CHECK(middles[0] == begin + "1" + begin + ", training");
}

TEST_CASE("logs that are not drawn are named, with the reason") {
  TrainingLog good = read_training_log(File(train(1, 5)).name),
              none = read_training_log(File(kStart).name);
  TrainingLog text = read_training_log(File("text").name);
  good.name = "good", none.name = "none";
  const auto view = LogView{"update"};
  const auto reasons = undrawn(log_figure({none, good, text}, parse_panels("loss"), view),
                               {none, good, text}, "loss", view);
  REQUIRE(reasons.size() == 2);
  CHECK(reasons[0] == "none: nothing to draw: no numbers of loss over update");
  CHECK_THAT(reasons[1], Contains(":1: not JSON"));
}

TEST_CASE("unknown panels are refused with a list of panels") {
  CHECK_THROWS_WITH(parse_panels("loss,blue"), Contains("'blue'") && Contains("bleu"));
  CHECK_THROWS_AS(parse_panels(""), Error);
}

TEST_CASE("null leaves a gap, and panels without values over an axis are not drawn") {
  const File file(train(1, 5) + "{\"event\":\"train\",\"update\":2,\"loss\":null}\n" + train(3, 4));
  const auto log = read_training_log(file.name);
  const auto figure = log_figure({log}, parse_panels("loss"), {});
  CHECK(stretches(panel(figure, 0).curves[0], ranges(panel(figure, 0))).size() == 2);
  CHECK(log_figure({log}, parse_panels("loss"), {"flops"}).panels.empty());
  const auto other =
      read_training_log(File("{\"event\":\"train\",\"update\":2,\"loss\":null}\n").name);
  CHECK(panel(log_figure({log, other}, parse_panels("loss"), {}), 0).curves.size() == 1);
}

TEST_CASE("a logarithmic axis begins with the first record that it can show") {
  const File file(train(0, 9) + train(10, 5) + train(1000, 4));
  LogView view;
  view.log_x = view.log_y = true;
  const auto figure = log_figure({read_training_log(file.name)}, parse_panels("loss"), view);
  CHECK(panel(figure, 0).log_y);
  const Ranges shown = ranges(panel(figure, 0));
  CHECK(shown.x.low == Approx(10));
  CHECK(shown.x.high == Approx(1000));
  CHECK(shown.x.logarithmic);
  CHECK(stretches(panel(figure, 0).curves[0], shown).at(0).size() == 2);
}

TEST_CASE("the error in the last line is kept, in case there is nothing else") {
  const File file("\x89PNG");
  CHECK_THAT(read_training_log(file.name).broken, Contains(":1: not JSON from byte 1 on"));
  CHECK(read_training_log(File(train(1, 5)).name).broken.empty());
}

std::vector<std::string> names(const std::vector<std::string>& arguments) {
  std::vector<std::string> made;
  for (const auto& source : log_sources(arguments)) made.push_back(source.name);
  return made;
}

TEST_CASE("runs are named after the parts of their paths that differ") {
  using List = std::vector<std::string>;
  CHECK(names({"runs/a/log", "runs/b/log"}) == List{"a", "b"});
  CHECK(names({"runs/a/1/log", "runs/b/2/log"}) == List{"a/1", "b/2"});
  CHECK(names({"runs/a/log", "runs/log"}) == List{"a/log", "log"});
  CHECK(names({"runs/a/log", "runs/b/log.jsonl"}) == List{"a/log", "b/log.jsonl"});
  CHECK(names({"/x/y/run.jsonl"}) == List{"run.jsonl"});
  CHECK(names({"a", "b/c"}) == List{"a", "b/c"});
}

TEST_CASE("NAME=LOG names a run, unless that is a file's path") {
  const auto sources = log_sources({"big=runs/1/log", "runs/lr=0.1/log", "=log", "x=a=b"});
  REQUIRE(sources.size() == 4);
  CHECK(sources[0].name == "big");
  CHECK(sources[0].path == "runs/1/log");
  CHECK(sources[1].path == "runs/lr=0.1/log");
  CHECK(sources[2].path == "=log");
  CHECK(sources[3].name == "x");
  CHECK(sources[3].path == "a=b");
  char name[] = "/tmp/tt-log=XXXXXX";
  close(mkstemp(name));
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path("/tmp");
  CHECK(log_sources({name + 5}).at(0).path == name + 5);
  std::filesystem::current_path(here);
  std::remove(name);
  CHECK(log_sources({name + 5}).at(0).name == "tt-log");
  CHECK_THROWS_WITH(log_sources({"a=x", "a=y"}), Contains("two runs are named 'a'"));
}

}  // namespace
}  // namespace tt::plot
