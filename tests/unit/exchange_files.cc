// The readers of other programs' files, one by one.
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "base/zip.h"
#include "exchange/ctranslate2_file.h"
#include "exchange/foreign.h"
#include "exchange/json_settings.h"
#include "exchange/marian_file.h"
#include "exchange/npy.h"
#include "exchange/pickle.h"
#include "exchange/safetensors.h"
#include "exchange/torch_file.h"
#include "exchange/vocabulary.h"
#include "tensor/bfloat16.h"
#include "tests/catch.h"
#include "tests/fuzz/memory_file.h"

namespace tt {
namespace {

template <class F>
std::string error_of(const F& f) {
  try {
    f();
    return "(no error)";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_CASE("numbers of 16 bits") {
  const std::pair<int, float> halves[] = {
      {0x3C00, 1},     {0xC000, -2},    {0x3555, 0.33325195f},  {0x0001, 5.9604645e-8f},
      {0x7BFF, 65504}, {0x8000, -0.0f}, {0x0400, 6.1035156e-5f}};
  for (const auto& [bits, value] : halves)
    CHECK(from_half(static_cast<std::uint16_t>(bits)) == value);
  CHECK(from_half(0xFC00) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(from_half(0x7C01)));
  CHECK(widen(0x3FC0) == 1.5f);
}

TEST_CASE("options of Marian") {
  const JsonSettings options = JsonSettings::of_yaml(
      "#comment\ntype: transformer # another\ndim-vocabs:\n  - 2000\n  - "
      "1800\ntransformer-tied-layers:\n  "
      "[]\nvocabs: [a.spm, \"b "
      "c.spm\"]\n"
      "transformer-preprocess: \"\"\nnormalize: 0.6\ntied-embeddings: true\nempty:\n'q''s': "
      "'it''s'\ndeep:\n  deeper: 1\nright-left: 0\n",
      "model.yml");
  CHECK(options.text("type", "") == "transformer");
  CHECK(options.list("dim-vocabs") == std::vector<std::string>{"2000", "1800"});
  CHECK(options.list("transformer-tied-layers").empty());
  CHECK(options.list("vocabs") == std::vector<std::string>{"a.spm", "b c.spm"});
  CHECK(options.text("transformer-preprocess", "dan").empty());
  CHECK(options.number("normalize", 1, 0, 1) == 0.6);
  CHECK(options.yes("tied-embeddings", false));
  CHECK(!options.yes("right-left", true));
  CHECK(options.integer("enc-depth", 6, 1, 9) == 6);
  CHECK(!options.has("empty"));
  CHECK(!options.has("deep"));
  CHECK(options.text("q's", "") == "it's");
  CHECK(error_of([&] { options.integer("type", 1, 0, 9); }) ==
        "model.yml: its option \"type: transformer\" cannot be imported");
  CHECK(error_of([&] { options.integer("normalize", 1, 0, 9); }) ==
        "model.yml: its option \"normalize: 0.6\" cannot be imported");
  CHECK(error_of([&] { options.text("dim-vocabs", ""); }) ==
        "model.yml: its option \"dim-vocabs: 2000 1800\" cannot be imported");
  CHECK_THAT(error_of([] { JsonSettings::of_yaml("type: s2s\nwhat\nis: this\n", "f"); }),
             Contains("f:3: is no YAML: \"illegal map value\""));
  CHECK_THAT(error_of([] { JsonSettings::of_yaml("type: s2s\n---\na: 1\n", "f"); }),
             Contains("f:3: is no YAML: \"there is a second document\""));
  CHECK_THAT(error_of([] { JsonSettings::of_yaml("what is this", "f"); }),
             Contains("f:1: is no YAML: \"there are no keys with values\""));
}

// A text that is written once and named a thousand times fills no memory, nor does depth the stack.
TEST_CASE("YAML that was made to fill the memory is refused") {
  std::string bomb = "a: &a " + std::string(1 << 16, 'x') + "\nb: [";
  for (int i = 0; i < 1 << 14; ++i) bomb += "*a, ";
  CHECK_THAT(error_of([&] { JsonSettings::of_yaml(bomb + "]\n", "f"); }),
             Contains("f: is damaged: it names a text too often"));
  for (const char* opener : {"[", "{", "- ", "? ", "a: "}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += opener;
    CHECK_THAT(error_of([&] { JsonSettings::of_yaml(deep, "f"); }), Contains("is no YAML"));
  }
}

TEST_CASE("a vocabulary in YAML has the pieces as Marian writes them") {
  const std::pair<const char*, const char*> cases[] = {{"plain", "plain"},
                                                       {"\"a\\\"b\"", "a\"b"},
                                                       {"'it''s'", "it's"},
                                                       {"\"\\u2581x\"", "\u2581x"},
                                                       {"\"\\x85\"", "\u0085"},
                                                       {"\"\\U0001F600\"", "\U0001F600"},
                                                       {"\"\\\\\"", "\\"},
                                                       {"\"\\L\"", "\u2028"},
                                                       {"\"\u2028\"", "\u2028"},
                                                       {"? x\n", "x"},
                                                       {"''", ""}};
  for (const auto& [yaml, text] : cases) {
    INFO(yaml);
    CHECK(read_yaml_vocabulary(std::string(yaml) + ": 0\n", "v") == std::vector<std::string>{text});
  }
  for (const char* yaml : {"\"open", "'open", "\"\\u12\"", "\"a\" b"})
    CHECK_THAT(error_of([&] { read_yaml_vocabulary(std::string(yaml) + ": 0\n", "v"); }),
               Contains("is no YAML"));
}

TEST_CASE("an array of numpy is what was written") {
  const std::vector<float> values = {1, -2.5f, 3e30f, 0, 7, 8};
  const std::string bytes = make_npy({2, 3}, values);
  CHECK(bytes.size() % 64 == 6 * sizeof(float));
  const auto read = [](const std::string& file) { return read_npy(file, file.size(), "a"); };
  CHECK(read(bytes).shape == Shape{2, 3});
  CHECK(read(bytes).numbers(bytes, "a") == values);
  const std::string text = make_npy_of_bytes("text");
  CHECK(read(text).bytes(text) == "text");
  CHECK_THAT(make_npy_of_bytes("text"), Contains("'shape': (4,), }"));
  CHECK_THAT(bytes, Contains("'shape': (2, 3), }"));
  std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }\n";
  std::string file = std::string("\x93NUMPY\x01\x00", 8);
  append_number(file, static_cast<std::uint16_t>(header.size()));
  file += header;
  append_number(file, 1.5);
  append_number(file, -2.0);
  CHECK(read(file).numbers(file, "a") == std::vector<float>{1.5f, -2});
  CHECK_THAT(error_of([&] { read(bytes.substr(0, bytes.size() - 1)); }),
             Contains("a: is truncated: [2, 3] needs more bytes"));
  CHECK_THAT(error_of([&] { read(bytes + "x"); }),
             Contains("a: is damaged: [2, 3] needs 24 bytes, but 25 are there"));
  CHECK_THAT(error_of([&] { read("PK"); }), Contains("a: is no array of numpy"));
  std::string columns = bytes;
  columns.replace(columns.find("False"), 5, "True ");
  CHECK_THAT(error_of([&] { read(columns); }), Contains("column by column"));
}

// Two matrices [2, 3], one in float32 and one of 8 bits, transposed, with its scale behind it;
// embeddings of 8 bits, which are not; and what is none of the model's.
TEST_CASE("a .bin of Marian") {
  struct Item {
    std::string name;
    std::uint64_t type;
    std::vector<std::int32_t> shape;
    std::string data;
  };
  const auto bytes_of = [](std::initializer_list<int> values, float scale) {
    std::string bytes;
    for (const int value : values) bytes.push_back(static_cast<char>(value));
    append_number(bytes, scale);
    return bytes;
  };
  std::string floats;
  for (const float x : {1.f, 2.f, 3.f, 4.f, 5.f, 6.f}) append_number(floats, x);
  std::vector<Item> items = {
      {"encoder_l1_ffn_W1", 0x404, {2, 3}, floats},
      {"decoder_l1_ffn_W1", 0x10001, {2, 3}, bytes_of({2, 8, 4, 10, 6, -12}, 2)},
      {"Wemb", 0x4101, {2, 3}, bytes_of({2, 4, 6, 8, 10, -12}, 2)},
      {"Wemb_QuantMultA", 0x404, {1}, floats.substr(0, 4)},
      {"special:model.yml", 0x101, {16}, std::string("type: s2s\n") + std::string(6, '\0')}};
  const auto write = [&] {
    std::string file;
    append_number(file, std::uint64_t{1});
    append_number(file, std::uint64_t{items.size()});
    for (const Item& item : items)
      for (const std::uint64_t number :
           {std::uint64_t{item.name.size() + 1}, item.type, std::uint64_t{item.shape.size()},
            std::uint64_t{item.data.size()}})
        append_number(file, number);
    for (const Item& item : items) file += item.name + '\0';
    for (const Item& item : items)
      for (const std::int32_t n : item.shape) append_number(file, n);
    append_number(file, std::uint64_t{5});
    file += "     ";
    for (const Item& item : items) file += item.data;
    return file;
  };
  const MemoryFile memory;
  const auto read = [&](const std::string& file) {
    memory.hold(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
    return read_marian_file(memory.path());
  };
  const std::string whole = write();
  MarianFile file = read(whole);
  CHECK(file.options == "type: s2s\n");
  CHECK(file.tensors.take("encoder_l1_ffn_W1", {2, 3}) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(file.tensors.take("decoder_l1_ffn_W1", {2, 3}) == std::vector<float>{1, 2, 3, 4, 5, -6});
  CHECK(file.tensors.take("Wemb", {2, 3}) == std::vector<float>{1, 2, 3, 4, 5, -6});
  CHECK_NOTHROW(file.tensors.check_all_taken());
  for (std::size_t length = 16; length < whole.size(); length += 7)
    CHECK_THAT(error_of([&] { read(whole.substr(0, length)); }), Contains("is truncated"));
  items[1].type = 0x11001;  // for AVX2
  CHECK_THAT(error_of([&] { read(write()); }),
             Contains("\"decoder_l1_ffn_W1\" has numbers of the type 69633, whose layout is that "
                      "of one processor"));
  items[1].type = 0x404;
  CHECK_THAT(error_of([&] { read(write()); }), Contains("has fewer numbers than [2, 3]"));
  CHECK_THAT(error_of([&] {
               file.tensors.take("Wemb", {3, 3});
             }),
             Contains("\"Wemb\" is [2, 3], but should be [3, 3]"));
}

TEST_CASE("a zip archive is what was written, and nothing of it can be changed unseen") {
  const MemoryFile file;
  AtomicFile to(file.path());
  ZipWriter writer(to);
  const std::string large(3000, 'x');
  writer.add("one.npy", large);
  writer.add("folder/two", "");
  writer.finish();
  to.commit();
  const ZipFile zip(file.path());
  CHECK(zip.members().size() == 2);
  CHECK(zip.read("one.npy") == large);
  CHECK(zip.read("folder/two").empty());
  CHECK_THAT(error_of([&] { zip.read("three"); }), Contains("has no member \"three\""));
  const std::string bytes = read_file(file.path());
  const MemoryFile spoilt;
  for (std::size_t i = 0; i < bytes.size(); i += i < 100 || i > 3000 ? 1 : 97) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x40);
    spoilt.hold(reinterpret_cast<const std::uint8_t*>(changed.data()), changed.size());
    INFO("byte " << i);
    bool same = true;
    const std::string error = error_of([&] {
      const ZipFile other(spoilt.path());
      same = other.read("one.npy") == large && other.read("folder/two").empty();
    });
    CHECK(same);
    CHECK((error == "(no error)" || error.starts_with(spoilt.path() + ": ")));
  }
  // Two names of the same data, and of data that begin within others.
  std::string names = bytes;
  const auto place = [&](std::size_t member) {  // of its local header, in the directory
    std::size_t at = 0;
    for (std::size_t i = 0; i <= member; ++i) at = bytes.find("PK\1\2", at) + 1;
    return at - 1 + 42;
  };
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(place(0)), 4,
              names.begin() + static_cast<std::ptrdiff_t>(place(1)));
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(place(0)) - 26, 12,
              names.begin() + static_cast<std::ptrdiff_t>(place(1)) - 26);
  spoilt.hold(reinterpret_cast<const std::uint8_t*>(names.data()), names.size());
  CHECK_THAT(error_of([&] { ZipFile other(spoilt.path()); }),
             Contains("overlaps with another member"));
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{40}, bytes.size() - 30, bytes.size() - 1}) {
    spoilt.hold(reinterpret_cast<const std::uint8_t*>(bytes.data()), length);
    CHECK_THAT(error_of([&] { ZipFile other(spoilt.path()); }), Contains("zip archive"));
  }
}

TEST_CASE("a member of an archive is checked once, however often it is read") {
  const MemoryFile file;
  AtomicFile to(file.path());
  ZipWriter writer(to);
  writer.add("one", std::string(3000, 'x'));
  writer.finish();
  to.commit();
  std::string bytes = read_file(file.path());
  const MemoryFile written;
  const auto hold = [&] {
    written.hold(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  };
  hold();
  const ZipFile zip(written.path()), unread(written.path());
  REQUIRE(zip.stored("one"));
  bytes[bytes.find("xx")] = 'y';
  hold();
  CHECK(zip.stored("one"));
  CHECK(!unread.stored("one"));
}

TEST_CASE("a pickle that does anything but name tensors is refused") {
  const auto refused = [](const std::string& program) {
    return error_of([&] {
      const std::string name = "data.pkl";
      ByteReader reader(program, name);
      PickleMachine(reader, name, PickleObjects::refused).run();
    });
  };
  CHECK(refused("\x80\x02}.") == "(no error)");
  CHECK(refused("\x80\x02"
                "ccollections\nOrderedDict\n)R.") == "(no error)");
  CHECK_THAT(refused("\x80\x02"
                     "cposix\nsystem\nX\x02" +
                     std::string(3, '\0') + "ls\x85R."),
             Contains("it names \"posix.system\"), and is not run"));
  CHECK_THAT(refused("\x80\x02"
                     "cbuiltins\neval\n."),
             Contains("builtins.eval"));
  CHECK_THAT(refused("\x80\x04\x8c\x02os\x8c\x06system\x93."), Contains("os.system"));
  CHECK_THAT(refused("i"), Contains("instruction 105"));
  CHECK_THAT(refused("."), Contains("from an empty stack"));
  CHECK_THAT(refused("}"), Contains("truncated"));
  CHECK_THAT(refused("h\x07."), Contains("was not stored"));
  std::string deep = ")";
  for (int i = 0; i < 200000; ++i) deep += '\x85';
  CHECK(refused(deep + ".") == "(no error)");  // and no overflow of the stack
}

// The dictionary of a file that torch.save() wrote before version 1.6: w, [2, 2] in float32, h, 2
// numbers of 16 bits behind another one, and d in float64.
TEST_CASE("a file of torch.save() from before it wrote archives") {
  using namespace std::string_literals;
  const std::string proto = "\x80\x02", magic = proto + "\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.";
  const auto text = [](const std::string& value) {
    std::string bytes = "X";
    append_number(bytes, static_cast<std::uint32_t>(value.size()));
    return bytes + value;
  };
  const auto tensor = [&](const char* type, const char* key,
                          const std::string& offset_shape_strides) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\n" + type + "\n" +
           text(key) + text("cpu") + "K\x04NtQ" + offset_shape_strides + "\x89" +
           "ccollections\nOrderedDict\n)RtR";
  };
  const auto file_of = [&](const std::string& version, bool little, const std::string& h) {
    std::string file =
        magic + proto + "M" + version + "." + proto + "}(" + text("protocol_version") + "M" +
        version + text("little_endian") + (little ? "\x88" : "\x89") + "u." + proto +
        "ccollections\nOrderedDict\n)R(" + text("w") +
        tensor("FloatStorage", "94", "K\0K\2K\2\x86K\2K\1\x86"s) + text("h") +
        tensor(h.c_str(), "93", "K\1K\2\x85K\1\x85") + text("d") +
        tensor("DoubleStorage", "95", "K\0K\1\x85K\1\x85"s) + "u}" + text("_metadata") + "Nsb." +
        proto + "](" + text("93") + text("94") + text("95") + "e.";
    append_number(file, std::uint64_t{3});
    for (const int half : {0, 0x3C00, 0xC000})
      append_number(file, static_cast<std::uint16_t>(half));
    append_number(file, std::uint64_t{4});
    for (const float x : {1.f, 2.f, 3.f, -4.f}) append_number(file, x);
    append_number(file, std::uint64_t{1});
    append_number(file, 0.5);
    return file;
  };
  const MemoryFile memory;
  const auto read = [&](const std::string& file) {
    memory.hold(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
    return read_torch(memory.path());
  };
  const std::string whole = file_of("\xe9\x03", true, "HalfStorage");
  ForeignTensors tensors = read(whole);
  CHECK(tensors.take("w", {2, 2}) == std::vector<float>{1, 2, 3, -4});
  CHECK(tensors.take("h", {2}) == std::vector<float>{1, -2});
  CHECK(tensors.take("d", {1}) == std::vector<float>{0.5f});
  CHECK_NOTHROW(tensors.check_all_taken());
  for (std::size_t length = 1; length < whole.size(); ++length)
    CHECK_THAT(error_of([&] { read(whole.substr(0, length)); }), Contains("is truncated"));
  std::string longer = whole;
  longer.replace(longer.find("K\1K\2\x85K\1\x85"), 8, "K\2K\2\x85K\1\x85");
  CHECK_THAT(error_of([&] { read(longer); }),
             Contains("its tensor \"h\" is larger than its storage"));
  CHECK_THAT(error_of([&] { read(file_of("\xe9\x03", false, "HalfStorage")); }),
             Contains("of another byte order"));
  CHECK_THAT(error_of([&] { read(file_of("\xea\x03", true, "HalfStorage")); }),
             Contains("of an unknown version"));
  CHECK_THAT(error_of([&] { read(file_of("\xe9\x03", true, "QuarterStorage")); }),
             Contains("its storage \"93\" is of an unknown type"));
  CHECK_THAT(error_of([&] { read(proto + "K\1."); }),
             Contains("is a pickle, but not one of torch.save()"));
  CHECK_THAT(error_of([&] { read(magic + proto + "cposix\nsystem\n" + text("ls") + "\x85R."); }),
             Contains("it names \"posix.system\"), and is not run"));
  CHECK_THAT(error_of([&] { read("ustar"); }), Contains("is no file of torch.save()"));
}

// A matrix [2, 2] of 16 bits as each version has it: the first without a specification and with the
// names of OpenNMT-tf, up to the third with the size of a number and how many there are, the first
// two without aliases.
TEST_CASE("a model.bin of CTranslate2 of every version") {
  const auto text = [](std::string& bytes, const std::string& value) {
    append_number(bytes, static_cast<std::uint16_t>(value.size() + 1));
    bytes += value + '\0';
  };
  const auto file_of = [&](std::uint32_t version, std::uint32_t revision,
                           const std::string& specification, bool scale) {
    std::string bytes;
    append_number(bytes, version);
    if (version > 1) text(bytes, specification), append_number(bytes, revision);
    append_number(bytes, std::uint32_t{scale ? 2u : 1u});
    const std::string name = revision == 1
                                 ? "transformer/decoder/layer_0/multi_head/conv1d_1/kernel:0"
                                 : "decoder/layer_0/attention/linear_1/weight";
    text(bytes, name);
    append_number(bytes, std::uint8_t{2});
    append_number(bytes, std::uint32_t{2});
    append_number(bytes, std::uint32_t{2});
    append_number(bytes, std::uint8_t{2});  // bytes of a number, or the type int16
    append_number(bytes, std::uint32_t{version < 4 ? 4u : 8u});
    for (const int x : {1000, -500, 250, 2000}) append_number(bytes, static_cast<std::int16_t>(x));
    if (scale) {
      text(bytes, name + "_scale");
      append_number(bytes, std::uint8_t{0});
      append_number(bytes, static_cast<std::uint8_t>(version < 4 ? 4 : 0));
      append_number(bytes, std::uint32_t{version < 4 ? 1u : 4u});
      append_number(bytes, 500.f);
    }
    if (version > 2) append_number(bytes, std::uint32_t{0});
    return bytes;
  };
  const MemoryFile memory;
  const auto read = [&](const std::string& bytes) {
    memory.hold(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return read_ctranslate2_file(map_file(memory.path()), memory.path());
  };
  const char* const name = "decoder/layer_0/attention/linear_1/weight";
  for (const std::uint32_t version : {1u, 2u, 3u, 4u, 5u, 6u}) {
    CAPTURE(version);
    const bool first = version == 1;
    const std::string bytes = file_of(version, first ? 1 : 2, "TransformerBig", false);
    CTranslate2File file = read(bytes);
    CHECK(file.version == static_cast<int>(version));
    CHECK(file.heads == (first ? 8 : 16));
    CHECK(file.variables.take(name, {2, 2}) == std::vector<float>{1, -0.5f, 0.25f, 2});
    CHECK(read(file_of(version, first ? 1 : 7, "TransformerSpec", true))
              .variables.take(name, {2, 2}) == std::vector<float>{2, -1, 0.5f, 4});
    for (std::size_t length = 1; length < bytes.size(); ++length)
      CHECK_THAT(error_of([&] { read(bytes.substr(0, length)); }), Contains("is truncated"));
    CHECK_THAT(error_of([&] { read(bytes + "x"); }), Contains("1 bytes follow its end"));
  }
  CHECK_THAT(error_of([&] { read(file_of(7, 1, "TransformerSpec", false)); }),
             Contains("(it begins with 7)"));
  CHECK_THAT(error_of([&] { read(file_of(6, 8, "TransformerSpec", false)); }),
             Contains("is of revision 8; 1 to 7"));
  CHECK_THAT(error_of([&] { read(file_of(6, 1, "WhisperSpec", false)); }),
             Contains("is a \"WhisperSpec\""));
}

// Names cost nothing, and what they stand for is read when it is asked for; but no file becomes a
// model that it cannot hold.
TEST_CASE("a tensor of many names is read as often as a model can have it") {
  int reads = 0;
  ForeignTensors tensors("f", 4000);
  tensors.add("0", {{1000}, [&] { return ++reads, std::vector<float>(1000); }});
  for (int i = 1; i < 1500; ++i) tensors.alias(std::to_string(i), "0");
  CHECK(reads == 0);
  std::string error;
  for (int i = 0; i < 1500 && error.empty(); ++i)
    if (const std::string found = error_of([&] { tensors.take(std::to_string(i), {1000}); });
        found != "(no error)")
      error = found;
  CHECK(error == "f: is damaged: its 4000 bytes would become a model of more than 1304576");
  CHECK(reads == 326);
}

TEST_CASE("what a download gives in place of a file") {
  const std::pair<const char*, const char*> cases[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"},
      {"\n<!DOCTYPE html>", "is a web page"},
      {"<html>", "is a web page"}};
  const MemoryFile memory;
  for (const auto& [bytes, error] : cases) {
    memory.hold(reinterpret_cast<const std::uint8_t*>(bytes), std::strlen(bytes));
    CHECK_THAT(error_of([&] { read_torch(memory.path()); }), Contains(error));
    CHECK_THAT(error_of([&] { read_safetensors(memory.path()); }), Contains(error));
    CHECK_THAT(error_of([&] { read_ctranslate2_file(map_file(memory.path()), memory.path()); }),
               Contains(error));
    CHECK_THAT(error_of([&] { read_marian_file(memory.path()); }), Contains(error));
    CHECK_THAT(error_of([&] { read_subword(memory.path()); }), Contains(error));
  }
}

}  // namespace
}  // namespace tt
