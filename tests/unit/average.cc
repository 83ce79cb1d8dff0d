// The mean of checkpoints, its refusals, and the choice of the last and the best.
#include "model/average.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "model/checkpoint.h"
#include "tests/catch.h"

namespace tt {
namespace {

struct Folder {
  std::string path;
  Folder()
      : path((std::filesystem::temp_directory_path() / ("tt-average-" + std::to_string(::getpid())))
                 .string()) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return path + "/" + name; }
};

// A checkpoint with a long tensor whose element k is first + k * step, a scalar, and a subword
// model.
struct Sample {
  float first = 0, step = 1, scalar = 0;
  std::size_t size = 10000;
  std::string subword = "abc";
  Config config = {};
  Metadata more = {};
  Dtype scalar_type = Dtype::f32;

  void save(const std::string& path) const {
    std::vector<float> values(size);
    for (std::size_t k = 0; k < size; ++k) values[k] = first + static_cast<float>(k) * step;
    const std::vector<NamedTensor> tensors{
        {"long", Dtype::f32, {static_cast<std::int64_t>(size)}, values.data()},
        {"scalar", scalar_type, {}, &scalar},
        {"subword", Dtype::u8, {static_cast<std::int64_t>(subword.size())}, subword.data()}};
    Metadata metadata = more;
    metadata["kind"] = kModelKind;
    metadata["config"] = to_json(config);
    save_tensors(path, tensors, metadata);
  }
};

const float* values(const TensorFile& file, const char* name) {
  return static_cast<const float*>(file.find(name)->data);
}

std::string average_error(const std::vector<std::string>& paths, const std::string& to) {
  try {
    average(paths, to);
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

TEST_CASE("tensors are averaged element by element, and everything else is kept") {
  const Folder folder;
  Sample{.first = 1,
         .step = 1,
         .scalar = 3,
         .more = {{"update", "10"}, {"bleu", "9"}, {"loss", "1"}, {"note", "x"}}}
      .save(folder / "a.tt");
  Sample{.first = 2, .step = 2, .scalar = 4}.save(folder / "b.tt");
  Sample{.first = 9, .step = 3, .scalar = 8}.save(folder / "c.tt");
  average(std::vector<std::string>{folder / "a.tt", folder / "b.tt", folder / "c.tt"},
          folder / "mean.tt");
  const TensorFile mean = open_model(folder / "mean.tt");
  for (std::size_t k = 0; k < 10000; ++k)
    REQUIRE(values(mean, "long")[k] == 4.0f + static_cast<float>(2 * k));
  CHECK(values(mean, "scalar")[0] == 5.0f);
  CHECK(mean.text("subword") == "abc");
  CHECK(mean.tensors().size() == 3);
  CHECK(mean.value("averaged") == "a.tt b.tt c.tt");
  CHECK(mean.value("note") == "x");
  for (const char* key : {"update", "bleu", "loss"}) CHECK_FALSE(mean.metadata().contains(key));
}

TEST_CASE("sums are in double") {
  const Folder folder;
  Sample{.scalar = 1e8f}.save(folder / "a.tt");
  Sample{.scalar = 1}.save(folder / "b.tt");
  Sample{.scalar = -1e8f}.save(folder / "c.tt");
  average(
      std::vector<std::string>{folder / "a.tt", folder / "b.tt", folder / "b.tt", folder / "c.tt"},
      folder / "mean.tt");
  CHECK(values(TensorFile(folder / "mean.tt"), "scalar")[0] == 0.5f);
}

TEST_CASE("a mean may replace one of its inputs") {
  const Folder folder;
  Sample{.scalar = 2}.save(folder / "a.tt");
  Sample{.scalar = 4}.save(folder / "b.tt");
  average(std::vector<std::string>{folder / "a.tt", folder / "b.tt"}, folder / "a.tt");
  CHECK(values(TensorFile(folder / "a.tt"), "scalar")[0] == 3.0f);
}

TEST_CASE("checkpoints that do not match are refused with both names and the difference") {
  const Folder folder;
  const std::string a = folder / "a.tt", b = folder / "b.tt", out = folder / "mean.tt";
  Sample{}.save(a);
  const auto with = [&](const Sample& other) {
    other.save(b);
    return average_error({a, b}, out);
  };
  Config wider;
  wider.d_model = 1024;
  CHECK_THAT(with({.config = wider}),
             Contains(a + " and " + b + " do not match: d_model is 512 and 1024"));
  CHECK_THAT(with({.size = 9999}), Contains("tensor \"long\" is [10000] and [9999]"));
  CHECK_THAT(with({.subword = "abd"}), Contains("subword models differ"));
  CHECK_THAT(with({.subword = "abcd"}), Contains("subword models differ"));
  CHECK_THAT(with({.scalar_type = Dtype::i32}),
             Contains("tensor \"scalar\" is [] and [] of another type"));
  CHECK_THAT(with({.first = std::numeric_limits<float>::infinity()}),
             Contains("b.tt: tensor \"long\" has a value that is not finite"));
  CHECK_THAT(with({.scalar = std::nanf("")}),
             Contains("b.tt: tensor \"scalar\" has a value that is not finite"));
  Config longer;  // of training only
  longer.max_updates = 7;
  CHECK_FALSE(file_exists(out));
  CHECK(with({.config = longer}) == "(no error)");

  const float one = 1;
  const Metadata metadata{{"kind", kModelKind}, {"config", to_json(Config{})}};
  save_tensors(b,
               std::vector<NamedTensor>{{"scalar", Dtype::f32, {}, &one},
                                        {"subword", Dtype::u8, {3}, "abc"}},
               metadata);
  CHECK_THAT(average_error({a, b}, out), Contains("tensor \"long\" is in the first only"));
  CHECK_THAT(average_error({b, a}, out), Contains("tensor \"long\" is in the second only"));
  save_tensors(b, {}, {{"kind", kOptimizerKind}});
  CHECK_THAT(average_error({a, b}, out), Contains("b.tt: holds the state of a training"));
  CHECK_THAT(average_error({a, folder / "none.tt"}, out), Contains("none.tt: cannot be read"));
}

TEST_CASE("the last and the best checkpoints of a folder") {
  const Folder folder;
  const auto add = [&](std::int64_t update, Metadata more) {
    Sample{.size = 1, .more = std::move(more)}.save(folder / checkpoint_name(update));
  };
  const auto at = [&](std::vector<std::int64_t> updates) {
    std::vector<std::string> paths;
    for (auto update : updates) paths.push_back(folder / checkpoint_name(update));
    return paths;
  };
  CHECK(checkpoint_name(700) == "update-0000700.tt");
  add(100, {{"bleu", "20.5"}, {"loss", "2"}});
  add(200, {{"bleu", "30"}, {"loss", "3"}});
  add(300, {});
  add(400, {{"bleu", "9.5"}, {"loss", "1"}});
  add(20000000, {{"bleu", "20.5"}, {"loss", "2.5"}});
  for (const char* name : {"state.tt", "update-1.tt", "update-0000001.txt", "update-000000x.tt"})
    std::ofstream(folder / name) << "x";
  CHECK(last_checkpoints(folder.path, 2) == at({400, 20000000}));
  CHECK(last_checkpoints(folder.path, 5).size() == 5);
  CHECK_THROWS_WITH(last_checkpoints(folder.path, 6),
                    Contains("too few checkpoints (update-*.tt): 5, not 6"));
  CHECK(best_checkpoints(folder.path, 1) == at({200}));
  CHECK(best_checkpoints(folder.path, 2) == at({200, 20000000}));  // of equal BLEU the later
  CHECK(best_checkpoints(folder.path, 3) == at({100, 200, 20000000}));
  CHECK_THROWS_WITH(
      best_checkpoints(folder.path, 5),
      Contains("too few checkpoints (update-*.tt) with the validation of the last: 4, not 5"));
  const auto all = list_checkpoints(folder.path);
  REQUIRE(all.size() == 5);
  CHECK(all[0].update == 100);
  CHECK(all[0].bleu == 20.5);
  CHECK(all[0].loss == 2.0);
  CHECK_FALSE(all[2].bleu);
  CHECK_THROWS_WITH(list_checkpoints(folder / "none"), Contains("none: the folder cannot be read"));
  add(500, {{"bleu", "nan"}});
  CHECK_THROWS_WITH(best_checkpoints(folder.path, 1), Contains("its \"bleu\" is \"nan\""));
}

TEST_CASE("only checkpoints that were validated in the same way are compared") {
  std::vector<Checkpoint> all{{"", 1, 40.0, 1.0, "a set"},
                              {"", 2, {}, {}, ""},
                              {"", 3, 20.0, 1.0, "another"},
                              {"", 4, 30.0, 1.0, "another"},
                              {"", 5, {}, {}, ""}};
  keep_comparable(all);
  REQUIRE(all.size() == 2);
  CHECK((all[0].update == 3 && all[1].update == 4));
}

TEST_CASE("without BLEU the lowest loss is the best") {
  const Checkpoint low{"", 1, {}, 1.0}, high{"", 2, {}, 2.0}, none{"", 3, {}, {}},
      scored{"", 0, 0.5, 9.0};
  CHECK(better(low, high));
  CHECK_FALSE(better(high, low));
  CHECK(better(high, none));
  CHECK_FALSE(better(none, high));
  CHECK(better(scored, low));
  CHECK_FALSE(better(low, scored));
  // As long as BLEU is 0 it says nothing.
  const Checkpoint begun{"", 4, 0.0, 3.0}, going{"", 1, 0.0, 2.0};
  CHECK(better(going, begun));
  CHECK_FALSE(better(begun, going));
  CHECK(better(begun, low));
}

}  // namespace
}  // namespace tt
