// Files of tensors: what is written can be read back, and damaged or foreign files give an Error.
#include "model/checkpoint.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/random.h"
#include "tests/catch.h"

namespace tt {
namespace {

using namespace std::string_literals;

// A folder that is removed after the test.
struct Folder {
  std::string path;
  Folder()
      : path((std::filesystem::temp_directory_path() /
              ("tt-checkpoint-" + std::to_string(::getpid())))
                 .string()) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return path + "/" + name; }
};

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string framed(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes + header + data;
}

std::string error_of(const std::string& path) {
  try {
    const TensorFile file(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

const float kWeights[6] = {1, 2, 3, 4, 5, 6.5f};
const std::int32_t kCount[1] = {-7};

std::vector<NamedTensor> some_tensors() {
  return {{"subword", Dtype::u8, {3}, "abc"},
          {"w", Dtype::f32, {2, 3}, kWeights},
          {"count", Dtype::i32, {}, kCount},
          {"empty", Dtype::f32, {0, 5}, nullptr}};
}

Metadata model_metadata() { return {{"kind", kModelKind}, {"config", to_json(Config{})}}; }

TEST_CASE("a file of tensors is read as it was written") {
  const Folder folder;
  Metadata metadata = model_metadata();
  metadata["note"] = "quotes \" and \n lines, ü";
  save_tensors(folder / "a.tt", some_tensors(), metadata);
  const TensorFile file(folder / "a.tt");
  metadata["format"] = "tt-1";
  metadata["checksum"] = file.value("checksum");
  CHECK(file.metadata() == metadata);
  REQUIRE(file.tensors().size() == 4);
  const NamedTensor *w = file.find("w"), *count = file.find("count"), *empty = file.find("empty");
  REQUIRE(w);
  CHECK(w->shape == Shape{2, 3});
  CHECK(std::memcmp(w->data, kWeights, sizeof kWeights) == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(w->data) % 64 == 0);
  REQUIRE(count);
  CHECK(count->shape.empty());
  CHECK(*static_cast<const std::int32_t*>(count->data) == -7);
  REQUIRE(empty);
  CHECK(empty->bytes() == 0);
  CHECK(file.text("subword") == "abc");
  CHECK(file.find("v") == nullptr);
  CHECK(to_json(stored_config(file)) == to_json(Config{}));
  CHECK_NOTHROW(check_kind(file, kModelKind));
  CHECK_THROWS_WITH(file.text("w"), Contains("no U8 tensor \"w\""));
  CHECK_THROWS_WITH(file.value("bleu"), Contains("no \"bleu\""));
}

TEST_CASE("tensors can be made one after another, and a failure keeps the old file") {
  const Folder folder;
  const auto tensors = some_tensors();
  save_tensors(folder / "a.tt", tensors, {});
  const std::string before = read_file(folder / "a.tt");
  save_tensors(folder / "b.tt", tensors, {}, [&](std::size_t i) { return tensors[i].data; });
  CHECK(read_file(folder / "b.tt") == before);
  CHECK_THROWS_AS(save_tensors(folder / "a.tt", tensors, {{"x", "y"}},
                               [](std::size_t) -> const void* { throw Error("no"); }),
                  Error);
  CHECK(read_file(folder / "a.tt") == before);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 2);
  CHECK_THROWS_WITH(save_tensors(folder / "none/a.tt", tensors, {}),
                    Contains("none/a.tt: cannot be written"));
}

TEST_CASE("errors name the wrong part of a header") {
  const Folder folder;
  const std::string path = folder / "a.tt";
  const auto header = [&](std::string text, const std::string& data = "12345678") {
    text.resize((text.size() + 7) / 8 * 8, ' ');
    write(path, framed(text, data));
    return error_of(path);
  };
  const std::string good = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  CHECK(header(R"({"a":)" + good + R"(,"b":{"dtype":"U8","shape":[2,2],"data_offsets":[4,8]}})") ==
        "(no error)");
  CHECK(header("{}", "") == "(no error)");
  CHECK_THAT(header(R"({"a":)" + good + "}"), Contains("has 72 bytes, but its tensors end at 68"));
  CHECK_THAT(header(R"({"a":)" + good + "}", "123"),
             Contains("is truncated: its tensors need 68 bytes, the file has 67"));
  CHECK_THAT(header(R"({"a":)" + good + R"(,"a":)" + good + "}"), Contains("two tensors \"a\""));
  CHECK_THAT(header(R"({"a":)" + good + R"(,"b":)" + good + "}"),
             Contains("\"b\" begins at 0, but the previous one ends at 4"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
             Contains("begins at 4, but the previous one ends at 0"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})"),
             Contains("size that does not match its shape"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})"),
             Contains("size that does not match its shape"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})"),
             Contains("invalid dimension"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,4]}})"),
             Contains("invalid dimension"));
  CHECK_THAT(
      header(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})"),
      Contains("larger than any file"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})"),
             Contains("invalid dimension"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})"),
             Contains("has no valid shape"));
  CHECK_THAT(header(R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}})"),
             Contains("of type \"BF16\"; only F32, I32 and U8"));
  CHECK_THAT(header(R"({"a":{"dtype":1,"shape":[4],"data_offsets":[0,8]}})"),
             Contains("dtype that is not a string"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}})"),
             Contains("no valid data_offsets"));
  CHECK_THAT(header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1}})"),
             Contains("not described by"));
  CHECK_THAT(header(R"({"a":3})"), Contains("not described by"));
  CHECK_THAT(header(R"({"__metadata__":{"a":1}})"), Contains("metadata \"a\" is not a string"));
  CHECK_THAT(header(R"({"__metadata__":[]})"), Contains("metadata are not a JSON object"));
  CHECK_THAT(header(R"({"a":)"
                    "}"),
             Contains("header is not JSON"));
  CHECK_THAT(header(R"({"a":)"), Contains("does not end with a brace and spaces"));
  // Other programs pad a header with spaces, and nothing else.
  CHECK(header("{}     ", "") == "(no error)");
  CHECK_THAT(header("{}" + std::string(6, '\0'), ""), Contains("has a NUL byte"));
  CHECK_THAT(header("{}\0 {}"s + std::string(2, ' '), ""), Contains("has a NUL byte"));
  CHECK_THAT(header("{}    \n\n", ""), Contains("does not end with a brace and spaces"));
  // 4 bytes of U8 keep an F32 aligned, 3 do not.
  const auto behind = [&](const std::string& n, const std::string& rest) {
    return header(R"({"a":{"dtype":"U8","shape":[)" + n + R"(],"data_offsets":[0,)" + n +
                      R"(]},"b":{"dtype":"F32","shape":[1],"data_offsets":[)" + n + "," + rest +
                      "]}}",
                  std::string(std::stoul(rest), 'x'));
  };
  CHECK(behind("4", "8") == "(no error)");
  CHECK_THAT(behind("3", "7"), Contains("is not aligned"));
}

// Forty thousand tensors took 11 s when the parser looked through all before each.
TEST_CASE("a header of many tensors is read and searched in linear time") {
  const Folder folder;
  std::string text = "{", numbers;
  constexpr int kMany = 200000;
  for (int i = 0; i < kMany; ++i) {
    text += (i > 0 ? ",\"" : "\"") + std::to_string(i) +
            R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" + std::to_string(i) + "," +
            std::to_string(i + 1) + "]}";
    numbers += (i > 0 ? ",{}" : "{}");
  }
  text += "}";
  write(folder / "a.tt", framed(text, std::string(kMany, 'x')));
  const TensorFile file(folder / "a.tt");
  CHECK(file.tensors().size() == kMany);
  for (const NamedTensor& tensor : file.tensors()) REQUIRE(file.find(tensor.name) == &tensor);
  CHECK(file.find("x") == nullptr);
  const TensorFile moved = TensorFile(folder / "a.tt");
  CHECK(moved.find("7") == &moved.tensors()[7]);
  write(
      folder / "b.tt",
      framed(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":[)" + numbers + "]}}", ""));
  CHECK_THAT(error_of(folder / "b.tt"), Contains("not described by"));
}

TEST_CASE("foreign files are distinguished from truncated ones") {
  const Folder folder;
  const std::string path = folder / "a.tt";
  const auto bytes = [&](const std::string& text) {
    write(path, text);
    return error_of(path);
  };
  CHECK_THAT(bytes("short"), Contains("not a safetensors file (it has only 5 bytes)"));
  CHECK_THAT(bytes("a text that is long enough"), Contains("not a safetensors file"));
  CHECK_THAT(bytes("{\"d_model\": {}}"), Contains("not a safetensors file"));
  CHECK_THAT(bytes(""), Contains("is empty"));
  CHECK_THAT(bytes(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)),
             Contains("header would have 18446744073709551615 bytes"));
  CHECK_THAT(error_of(folder / "none.tt"), Contains("none.tt: cannot be read"));
  CHECK_THAT(error_of(folder.path), Contains("is a folder"));
  save_tensors(path, some_tensors(), model_metadata());
  const std::string whole = read_file(path);
  for (std::size_t size = 10; size < whole.size(); ++size) {
    REQUIRE_THAT(bytes(whole.substr(0, size)),
                 Contains("is truncated") && Contains(std::to_string(size)));
  }
  CHECK_THAT(bytes(whole + "x"), Contains("is damaged") && Contains(std::to_string(whole.size())));
}

TEST_CASE("a file of another kind is identified") {
  const Folder folder;
  const std::string path = folder / "a.tt";
  const auto error = [&] {
    try {
      stored_config(open_model(path));
    } catch (const Error& error) {
      return std::string(error.what()).substr(path.size());
    }
    return std::string("(no error)");
  };
  save_tensors(path, {}, {{"kind", kOptimizerKind}});
  CHECK_THAT(error(), Equals(": holds the state of a training run, not a model; give a checkpoint "
                             "next to it, such as update-0001000.tt"));
  CHECK_THROWS_WITH(check_kind(TensorFile(path), "other"), Contains("not a model"));
  CHECK_NOTHROW(check_kind(TensorFile(path), kOptimizerKind));
  save_tensors(path, {}, {{"kind", kModelKind}});
  CHECK_THROWS_WITH(check_kind(TensorFile(path), kOptimizerKind),
                    Contains("is of kind \"model\", not \"optimizer\""));
  CHECK_THAT(error(), Contains("has no \"config\""));
  save_tensors(path, {}, {{"kind", kModelKind}, {"config", "{\"heads\": 7}"}});
  CHECK_THAT(error(), Contains(": config: d_model 512 is not divisible by heads 7"));
  save_tensors(path, {}, {{"kind", kModelKind}, {"config", "{\"head\": 7}"}});
  CHECK_THAT(error(), Contains("unknown key \"head\"; did you mean \"heads\"?"));
  // Written by a version that knows more: what decides the model must be known, what does not is
  // left out.
  save_tensors(path, {},
               {{"kind", kModelKind},
                {"config", "{\"heads\": 8, \"gates\": 3}"},
                {"decisive_keys", "heads gates"}});
  CHECK_THAT(error(), Contains("unknown key \"gates\""));
  save_tensors(path, {},
               {{"kind", kModelKind},
                {"config", "{\"heads\": 16, \"luck\": 3}"},
                {"decisive_keys", "heads"}});
  CHECK(stored_config(TensorFile(path)).heads == 16);
  write(path, framed(R"({"__metadata__":{"format":"pt"}})", ""));
  CHECK_THAT(error(), Contains("is a safetensors file, but not one of tt"));
  write(path, framed(R"({"__metadata__":{"format":"tt-2"}})", ""));
  CHECK_THAT(error(), Contains("is of format \"tt-2\"; this program reads \"tt-1\""));
}

TEST_CASE("parameters that do not match the configuration are named with both shapes") {
  const Folder folder;
  save_tensors(folder / "a.tt", some_tensors(), model_metadata());
  const TensorFile file(folder / "a.tt");
  std::vector<NamedTensor> expected{{"count", Dtype::i32, {}, nullptr},
                                    {"empty", Dtype::f32, {0, 5}, nullptr}};
  CHECK_THROWS_WITH(
      check_tensors(file, expected),
      Contains("has a tensor \"w\" F32 [2, 3] that does not belong to its configuration"));
  expected.push_back({"w", Dtype::f32, {2, 3}, nullptr});
  CHECK_NOTHROW(check_tensors(file, expected));
  expected.back().shape = {3, 2};
  CHECK_THROWS_WITH(check_tensors(file, expected),
                    Contains("tensor \"w\" F32 [2, 3] should be F32 [3, 2]"));
  expected.back() = {"v", Dtype::f32, {4}, nullptr};
  CHECK_THROWS_WITH(check_tensors(file, expected), Contains("lacks the tensor \"v\" F32 [4]"));
}

TEST_CASE("every bit of a file that is not as it was written is noticed") {
  const Folder folder;
  const std::string path = folder / "a.tt";
  save_tensors(path, some_tensors(), {{"kind", kModelKind}});
  CHECK_NOTHROW(TensorFile(path).verify());
  const std::string whole = read_file(path);
  const std::size_t key = whole.find("checksum");  // what is not called so is no checksum
  REQUIRE(key != std::string::npos);
  int missed = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    if (bit / 8 >= key && bit / 8 < key + 8) continue;
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    write(path, bytes);
    try {
      TensorFile(path).verify();
      ++missed;
    } catch (const Error&) {
    }
  }
  CHECK(missed == 0);
  // A file of an earlier version has none.
  write(path, framed(R"({"__metadata__":{"format":"tt-1"}})", ""));
  CHECK_NOTHROW(TensorFile(path).verify());
}

TEST_CASE("a file with random damage is read or refused, never more") {
  const Folder folder;
  const std::string path = folder / "a.tt";
  save_tensors(path, some_tensors(), {{"kind", kModelKind}});
  const std::string whole = read_file(path);
  int refused = 0, read = 0;
  for (std::uint64_t round = 0; round < 2000; ++round) {
    Random random(17, round);
    std::string bytes = whole;
    for (std::uint32_t n = 1 + random.below(4); n > 0; --n)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
          static_cast<char>(random.bits());
    if (random.below(4) == 0)
      bytes.resize(random.below(static_cast<std::uint32_t>(2 * bytes.size())));
    write(path, bytes);
    try {
      const TensorFile file(path);
      std::size_t sum = 0;  // what is said to be there can be read
      for (const NamedTensor& tensor : file.tensors())
        for (std::size_t i = 0; i < tensor.bytes(); ++i)
          sum += static_cast<const unsigned char*>(tensor.data)[i];
      REQUIRE(sum <= 255 * bytes.size());
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 500);
  CHECK(read > 20);
}

}  // namespace
}  // namespace tt
