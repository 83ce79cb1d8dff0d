// Records of attention: what is read, refused, chosen and drawn.
#include <cmath>

#include "base/error.h"
#include "plot/attention.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

const std::string kHead =
    R"({"line": 7, "source": ["a", "</s>"], "target": ["x", "y", "</s>"], "attention": )";
const std::string kCross =
    R"({"kind": "cross", "layer": 1, "head": 2, "weights": [[1, 0], [0.5, 0.5], [0.25, 0.75]]})";
const std::string kOther =
    R"({"kind": "cross", "layer": 1, "head": 1, "weights": [[0, 1], [0, 1], [0.75, 0.25]]})";
const std::string kDecoder =
    R"({"kind": "decoder", "layer": 1, "head": 1, "weights": [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]})";

AttentionRecord sample() {
  return parse_attention(kHead + "[" + kCross + "," + kOther + "," + kDecoder + "]}", "f:1");
}

TEST_CASE("a record has the pieces of both sides and the weights of each head") {
  const auto record = sample();
  CHECK(record.line == 7);
  REQUIRE(record.heads.size() == 3);
  CHECK(record.heads[0].rows == 3);
  CHECK(record.heads[0].columns == 2);
  CHECK(record.heads[0].weights == std::vector<float>{1, 0, 0.5f, 0.5f, 0.25f, 0.75f});
}

TEST_CASE("queries and keys of the decoder are its outputs and its inputs") {
  using List = std::vector<std::string>;
  const auto record = sample();
  CHECK(record.queries("cross") == List{"x", "y", "</s>"});
  CHECK(record.keys("cross") == List{"a", "</s>"});
  CHECK(record.queries("encoder") == List{"a", "</s>"});
  CHECK(record.queries("decoder") == List{"x", "y", "</s>"});
  CHECK(record.keys("decoder") == List{"<s>", "x", "y"});
}

TEST_CASE("damaged records are refused with file and line") {
  for (
      const std::string& text : {
          std::string("not json"),
          std::string("{}"),
          std::string("[]"),
          kHead + "[" + kCross,  // cut off
          // a row too few
          kHead + R"([{"kind": "cross", "layer": 1, "head": 1, "weights": [[1, 0], [1, 0]]}]})",
          // a column too few
          kHead + R"([{"kind": "cross", "layer": 1, "head": 1, "weights": [[1], [1], [1]]}]})",
          // no number
          kHead +
              R"([{"kind": "cross", "layer": 1, "head": 1, "weights": [[1, "x"], [1, 0], [1, 0]]}]})",
          kHead +
              R"([{"kind": "cross", "layer": 0, "head": 1, "weights": [[1, 0], [1, 0], [1, 0]]}]})",
          kHead +
              R"([{"kind": "self", "layer": 1, "head": 1, "weights": [[1, 0], [1, 0], [1, 0]]}]})",
          kHead + R"([{"kind": "cross", "layer": 1, "head": 1, "weights": 3}]})",
          std::string(
              R"({"line": 1, "source": [], "target": [], "attention": [{"kind": "cross", "layer": 1, "head": 1, "weights": []}]})"),
      }) {
    INFO(text);
    CHECK_THROWS_WITH(parse_attention(text, "f.jsonl:3"), Contains("f.jsonl:3: "));
  }
}

TEST_CASE("a sentence without pieces has no attention, but the next one has") {
  const auto empty =
      parse_attention(R"({"line": 1, "source": [], "target": [], "attention": []})", "f:1");
  CHECK(empty.heads.empty());
  CHECK_THROWS_WITH(choose_heads(empty, "cross", 0, 0, false),
                    Contains("sentence 1 has no attention"));
}

TEST_CASE("heads are chosen by kind, layer and head, in order") {
  const auto record = sample();
  const auto both = choose_heads(record, "cross", 0, 0, false);
  REQUIRE(both.size() == 2);
  CHECK(both[0].head == 1);
  CHECK(both[1].head == 2);
  CHECK(choose_heads(record, "cross", 1, 2, false).size() == 1);
  CHECK_THROWS_WITH(choose_heads(record, "encoder", 0, 0, false),
                    Contains("found: cross, decoder"));
  CHECK_THROWS_WITH(choose_heads(record, "cross", 2, 0, false), Contains("1 layer of 2 heads"));
}

TEST_CASE("the mean of heads is computed weight by weight") {
  const auto mean = choose_heads(sample(), "cross", 0, 0, true);
  REQUIRE(mean.size() == 1);
  CHECK(mean[0].weights == std::vector<float>{0.5f, 0.5f, 0.25f, 0.75f, 0.5f, 0.5f});
}

TEST_CASE("a grid names the pieces at its edges, and all its panels have one scale") {
  const auto record = sample();
  const auto figure = attention_figure(record, choose_heads(record, "cross", 0, 0, false));
  REQUIRE(figure.panels.size() == 2);
  CHECK(figure.columns == 2);
  const auto &left = std::get<Heatmap>(figure.panels[0]),
             &right = std::get<Heatmap>(figure.panels[1]);
  CHECK(left.y.names == record.target);
  CHECK(left.x.names == record.source);
  CHECK(left.y.shown);
  CHECK_FALSE(right.y.shown);
  CHECK(right.x.shown);
  CHECK_FALSE(left.bar);
  CHECK(right.bar);
  CHECK(figure.y_label == "query (target)");
  CHECK(figure.x_label == "key (source)");
  CHECK(left.x.label.empty());
  CHECK(left.high == right.high);
  CHECK(left.high == 1);
}

TEST_CASE("a null weight is not a number, and does not affect the colours") {
  const auto record = parse_attention(
      kHead +
          R"([{"kind": "cross", "layer": 1, "head": 1, "weights": [[null, 0.25], [0.5, 0], [0, 0]]}]})",
      "f:1");
  CHECK(std::isnan(record.heads[0].weights[0]));
  const auto figure = attention_figure(record, record.heads);
  const auto& map = std::get<Heatmap>(figure.panels.at(0));
  CHECK(map.high == 0.5);
  CHECK(map.color(map.values[0]) == kGrey);
}

TEST_CASE("a picture of one head has its labels at its own axes") {
  const auto record = sample();
  const auto figure = attention_figure(record, choose_heads(record, "decoder", 0, 0, false));
  CHECK(figure.x_label.empty());
  CHECK(figure.y_label.empty());
  const auto& map = std::get<Heatmap>(figure.panels.at(0));
  CHECK(map.y.label == "query (target)");
  CHECK(map.x.label == "key (target so far)");
}

}  // namespace
}  // namespace tt::plot
