// Lines to pieces and back: one line out for every line in, the same for any number of threads.
#include <algorithm>
#include <set>
#include <sstream>

#include "tests/unit/text_fixture.h"
#include "text/lines.h"

namespace tt {
namespace {

std::string many_words() {
  std::string line;
  for (int i = 0; i < 100000; ++i) line += "ka ";
  return line;
}

// Text with difficult lines; the last one has no LF.
std::string odd_text() {
  std::string text = as_text({"", " ", "ka ro", "cr\r", "\r", "u\u2028v\u0085w",
                              std::string("nul\0x", 5), "bad \xFF", "\xED\xA0\x80", "\uFEFFbom",
                              many_words(), std::string(100000, 'k'), "<s> </s> <unk>", "▁▁"});
  for (const auto& line : made_up_lines(2000, 5)) text += line + "\n";
  return text + "last \xC3";
}

using Mapping = std::uint64_t (*)(LineReader&, Output&, const Subword&, const EncodingOptions&);

// Maps a text and checks that exactly the lines with these numbers are warned of, in this order.
std::string mapped(Mapping mapping, const std::string& text, const Subword& model,
                   const EncodingOptions& options, const std::vector<int>& degraded = {}) {
  const Scratch scratch;
  const auto path = scratch.file("in", text);
  LineReader in(path);
  Output out(scratch.path("out"));
  CapturedErrors errors(scratch.path("errors"));
  const auto count = mapping(in, out, model, options);
  std::istringstream warnings(errors.stop());
  CHECK(count == degraded.size());
  std::string warning;
  for (const int line : degraded) {
    std::getline(warnings, warning);
    CHECK_THAT(warning, Contains(path + ":" + std::to_string(line) + ": "));
  }
  CHECK_FALSE(std::getline(warnings, warning));
  out.close();
  return read_file(scratch.path("out"));
}

TEST_CASE("encoding writes one line per line, for any number of threads") {
  const std::string text = odd_text();
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const char* type : {"bpe", "unigram"})
    for (const bool ids : {false, true})
      for (const bool sample : {false, true}) {
        EncodingOptions options;
        options.ids = ids;
        options.sample = sample;
        options.strength = 0.2f;
        // Numbers do not tell unknown characters apart; normalisation drops U+2581.
        const std::vector<int> degraded =
            ids ? std::vector{4, 6, 7, 8, 9, 10, 13, 14, 2015} : std::vector{8, 9, 14, 2015};
        const auto one = mapped(encode_lines, text, made_up_model(type), options, degraded);
        CHECK(std::count(one.begin(), one.end(), '\n') == lines);
        for (options.threads = 2; options.threads <= 5; options.threads += 3)
          CHECK(mapped(encode_lines, text, made_up_model(type), options, degraded) == one);
      }
}

TEST_CASE("a sampled segmentation depends on the seed and the line number, not on other lines") {
  EncodingOptions options;
  options.sample = true;
  options.strength = 0.3f;
  const Subword& model = made_up_model("bpe");
  const std::string line = as_text({"karomi karomi tenka daße"});
  const auto first = mapped(encode_lines, line + line, model, options);
  CHECK(mapped(encode_lines, line + "ka\n", model, options).substr(0, first.find('\n')) ==
        first.substr(0, first.find('\n')));
  std::string many;
  for (int i = 0; i < 50; ++i) many += line;
  const auto a = mapped(encode_lines, many, model, options);
  std::istringstream drawn(a);
  std::set<std::string> different;
  for (std::string cut; std::getline(drawn, cut);) different.insert(cut);
  CHECK(different.size() > 5);
  options.seed = 2;
  CHECK(mapped(encode_lines, many, model, options) != a);
  options.seed = 1;
  options.strength = 0;
  CHECK(mapped(encode_lines, many, model, options) != a);
}

TEST_CASE("decoding brings the text back") {
  const auto text = as_text(made_up_lines(1500, 5));
  for (const bool ids : {false, true})
    for (const int threads : {1, 3}) {
      EncodingOptions options;
      options.ids = ids;
      options.threads = threads;
      const Subword& model = made_up_model("unigram");
      CHECK(mapped(decode_lines, mapped(encode_lines, text, model, options), model, options) ==
            text);
    }
}

TEST_CASE("decoding writes one line per line, whatever it reads") {
  const std::string text = odd_text();
  EncodingOptions options;
  const auto result = mapped(decode_lines, text, made_up_model("bpe"), options, {8, 9, 13, 2015});
  CHECK(std::count(result.begin(), result.end(), '\n') ==
        std::count(text.begin(), text.end(), '\n') + 1);
}

TEST_CASE("words that are not piece numbers are read as <unk> and counted by line") {
  EncodingOptions options;
  options.ids = true;
  const Subword& model = made_up_model("bpe");
  const std::string unknown = model.decode(std::vector<std::int32_t>{0}) + "\n";
  CHECK(mapped(decode_lines, "0\n120\n-1\n4294967296\n5x\nx\n\n1\n", model, options,
               {1, 2, 3, 4, 5, 6}) ==
        unknown + unknown + unknown + unknown + unknown + unknown + "\n\n");
}

}  // namespace
}  // namespace tt
