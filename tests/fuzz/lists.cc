// Fuzz target: any bytes as lists of translations, in Moses' lines and in JSON, give one item for
// each line of input in the order of their numbers; answers to it are lists again, with the chosen
// texts. They are also the file of a feature, and weights, which are written as they were read.
//
//   make fuzz CXX=clang++
#include <cstdio>
#include <map>

#include "base/utf8.h"
#include "rerank/rank.h"
#include "tests/fuzz/memory_file.h"

namespace tt::rerank {
namespace {

const ListProblem kIgnore = [](const std::string&, std::size_t) {};

void check_answers(const CandidateList& list, const std::vector<Choice>& choices) {
  const auto texts_of = [](const CandidateList& of) {
    std::map<std::size_t, std::string> texts;
    read_candidates(of, kIgnore,
                    [&](std::size_t place, const Candidate& c) { texts[place] = c.text; });
    return texts;
  };
  const std::map<std::size_t, std::string> texts = texts_of(list);
  TT_CHECK(choices.empty() == texts.empty());
  const auto text = [&](std::size_t i) { return texts.at(choices[i].candidate); };
  const std::string one = answer(list, choices, "score", 0);
  TT_CHECK(first_invalid_utf8(one) == one.npos);
  const std::string all = answer(list, choices, "score", texts.size() + 1);
  if (list.format == ListFormat::json) {
    for (const std::string& json : {one, all}) TT_CHECK(json.find('\n') == json.npos);
    const std::map<std::size_t, std::string> again = texts_of(read_json(all, 1, kIgnore));
    TT_CHECK(again.size() == choices.size());
    for (std::size_t i = 0; i < choices.size(); ++i) TT_CHECK(again.at(i) == text(i));
    return;
  }
  TT_CHECK(one == (choices.empty() ? "" : text(0)));
  std::size_t begin = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string line = all.substr(begin, end - begin);
    TT_CHECK(moses_number(line) == list.number - 1);
    // Without features a text may end where they seem to begin.
    const Candidate again = read_moses(line, 1, kIgnore);
    TT_CHECK(text(i).starts_with(again.text));
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
    if (item.hypotheses.written.size() > 200) continue;
    check_answers(item.hypotheses,
                  rank_by_weights(item.hypotheses, {{"score", "a"}, {1, 2}}, kIgnore));
  }
}

void read_feature(const std::string& path) {
  ListSource source({.lists = {path}, .features = {{"a", path}}, .source = {}, .references = {}});
  for (std::string line; source.next(line);)
    read_candidates(source.item(line).hypotheses, kIgnore, [](std::size_t, const Candidate& one) {
      TT_CHECK(one.features[0].name == "a");
    });
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
