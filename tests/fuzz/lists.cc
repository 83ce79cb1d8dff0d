// Fuzz target: any bytes as lists of translations, in Moses' lines and in JSON, give one item for
// each line of input in the order of their numbers; answers to it are lists again, with the chosen
// texts. They are also the file of a feature, and weights, which are written as they were read.
//
//   make fuzz CXX=clang++
#include <cstdio>

#include "base/utf8.h"
#include "rerank/rank.h"
#include "tests/fuzz/memory_file.h"

namespace tt::rerank {
namespace {

const ListProblem kIgnore = [](const std::string&, std::size_t) {};

void check_answers(const CandidateList& list, const std::vector<Choice>& choices) {
  TT_CHECK(choices.empty() == list.candidates.empty());
  const std::string one = answer(list, choices, "score", 0);
  TT_CHECK(first_invalid_utf8(one) == one.npos);
  const std::string all = answer(list, choices, "score", list.candidates.size() + 1);
  if (list.format == ListFormat::json) {
    for (const std::string& text : {one, all}) TT_CHECK(text.find('\n') == text.npos);
    const CandidateList again = read_json(all, 1, kIgnore);
    TT_CHECK(again.candidates.size() == choices.size());
    for (std::size_t i = 0; i < choices.size(); ++i)
      TT_CHECK(again.candidates[i].text == list.candidates[choices[i].candidate].text);
    return;
  }
  TT_CHECK(one == (choices.empty() ? "" : list.candidates[choices[0].candidate].text));
  std::size_t begin = 0;
  for (const Choice& choice : choices) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string line = all.substr(begin, end - begin);
    TT_CHECK(moses_number(line) == list.number - 1);
    // Without features a text may end where they seem to begin.
    const Candidate again = read_moses(line, 1, kIgnore);
    TT_CHECK(list.candidates[choice.candidate].text.starts_with(again.text));
    begin = end + 1;
  }
}

void read(const std::string& path, ListFormat format) {
  ListSource source(
      {.lists = {path}, .features = {}, .source = {}, .references = {}, .format = format});
  std::size_t items = 0;
  for (std::string line; source.next(line);) {
    const ListItem item = source.item(line);
    TT_CHECK(item.hypotheses.number == ++items);
    TT_CHECK(source.line_number() == items);
    if (item.hypotheses.candidates.size() > 200) continue;
    check_answers(item.hypotheses,
                  rank_by_weights(item.hypotheses, {{"score", "a"}, {1, 2}}, kIgnore));
  }
}

void read_feature(const std::string& path) {
  ListSource source({.lists = {path}, .features = {{"a", path}}, .source = {}, .references = {}});
  for (std::string line; source.next(line);)
    for (const Candidate& candidate : source.item(line).hypotheses.candidates)
      TT_CHECK(candidate.features[0].name == "a");
}

void read_again(const std::string& path, const MemoryFile& memory) {
  const Weights weights = read_weights(path);
  const std::string text = write_weights(weights);
  memory.hold(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  TT_CHECK(read_weights(path).names == weights.names);
}

}  // namespace
}  // namespace tt::rerank

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  stderr = std::fopen("/dev/null", "w");  // warnings; what the fuzzer says goes elsewhere
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  memory.hold(bytes, size);
  for (const auto format : {tt::rerank::ListFormat::moses, tt::rerank::ListFormat::json}) {
    try {
      tt::rerank::read(memory.path(), format);
    } catch (const tt::Error& error) {
      tt::check_message(error, memory.path() + ":");
    }
  }
  try {
    tt::rerank::read_feature(memory.path());
  } catch (const tt::Error& error) {
    tt::check_message(error, memory.path() + ":");
  }
  try {
    tt::rerank::read_again(memory.path(), memory);
  } catch (const tt::Error& error) {
    tt::check_message(error, memory.path() + ":");
  }
  return 0;
}
