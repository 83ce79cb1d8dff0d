// Fuzz target: any bytes as what users write themselves, trees, tables, glossaries, lines to
// translate, or as the state of a run, end in an Error on one line, or in what can be written and
// read again. The first byte says which the others are.
//
//   make fuzz CXX=clang++
#include <algorithm>
#include <cstdio>

#include "base/utf8.h"
#include "exchange/vocabulary.h"
#include "lines/glossary.h"
#include "lines/transforms.h"
#include "plot/table.h"
#include "tests/fuzz/memory_file.h"
#include "text/languages.h"
#include "text/subword.h"
#include "text/tree.h"
#include "train/run.h"

namespace {

void check_tree(const tt::Tree& tree) {
  bool repaired = false;
  const tt::Tree again =
      tt::read_linear(tt::linear(tree), tt::split_words(tt::words(tree)), repaired);
  TT_CHECK(!repaired && again.constituents == tree.constituents &&
           again.leaves.size() == tree.leaves.size());
}

void read_trees(const tt::MemoryFile& memory) {
  static const tt::MemoryFile copy;
  tt::TreeReader in(memory.path());
  while (const auto tree = in.next()) {
    check_tree(*tree);
    const std::string text = tt::brackets(*tree);
    copy.hold(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    tt::TreeReader back(copy.path());
    const auto again = back.next();
    TT_CHECK(again && again->constituents == tree->constituents && tt::brackets(*again) == text);
  }
}

// The ranges are in the text, one behind the other.
void check_ranges(const std::vector<tt::TextRange>& ranges, const std::string& text) {
  std::size_t end = 0;
  for (const tt::TextRange& range : ranges) {
    TT_CHECK(end <= range.begin && range.begin < range.end && range.end <= text.size());
    end = range.end;
  }
}

// The name of a language is one of a vocabulary, or an Error says why not.
void check_language(const std::string& name) {
  static const tt::LanguageTable table = [] {
    tt::Vocabulary vocabulary;
    vocabulary.pieces = {"</s>", "<unk>", "eng_Latn", "zho_Hans", "zho_Hant", "__de__", ">>fra<<"};
    const tt::SubwordSide side = tt::SubwordSide::target;
    return tt::LanguageTable(tt::Subword::parse(tt::number_pieces("", vocabulary, side, ""), ""));
  }();
  tt::is_known_language(name);
  const std::string_view leading = tt::leading_language(name);
  TT_CHECK(leading.empty() || tt::language_of(leading));
  try {
    TT_CHECK(tt::language_of(tt::language_piece(name)));
  } catch (const tt::Error& error) {
    tt::check_message(error, "");
  }
  const std::int32_t found = table.find(name);
  TT_CHECK(std::ranges::any_of(table.all(), [&](const auto& l) { return l.piece == found; }));
}

tt::LineText read_as(const std::string& text, tt::MakeTransform* make,
                     const tt::LineOptions& options) {
  tt::LineText line;
  line.text = tt::repair_utf8(text);
  const std::string whole = line.text;
  if (const auto undo = make(options, {})(line); undo.answer) TT_CHECK(!undo.answer("{}").empty());
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  stderr = std::fopen("/dev/null", "w");  // warnings; what the fuzzer says goes elsewhere
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  memory.hold(bytes + 1, size - 1);
  const std::size_t lf = std::min(text.find('\n'), text.size());
  try {
    switch (bytes[0]) {
      case 't': read_trees(memory); break;
      case 'l': {  // words, then what stands for a tree over them
        bool repaired = false;
        const auto words = tt::split_words(text.substr(0, lf));
        if (!words.empty()) check_tree(tt::read_linear(text.substr(lf), words, repaired));
        break;
      }
      case 'b': {
        tt::LineReader in(memory.path());
        tt::plot::table_figure(tt::plot::read_table(in), {});
        break;
      }
      case 'g':
      case 'G': {  // its first line is the text, too
        const tt::Glossary glossary(memory.path(), bytes[0] == 'G');
        for (const tt::Requirement& term : glossary.find(text.substr(0, lf), {}))
          TT_CHECK(!term.alternatives.empty());
        break;
      }
      case 'k': {
        const auto kept = tt::find_kept(text, {true, true, true, true});
        check_ranges(kept, text);
        break;
      }
      case 'j': {
        tt::LineOptions options;
        options.json = true;
        const tt::LineText line = read_as(text.substr(0, lf), tt::json_transform, options);
        TT_CHECK(line.answerable || !line.problems.empty());
        break;
      }
      case 'c': {
        const std::string table = text.substr(0, lf);
        tt::LineOptions options;
        options.column = 2, options.from_column = 1, options.to_column = 3;
        const tt::LineText line = read_as(table, tt::column_transform, options);
        TT_CHECK(line.answerable || !line.problems.empty());
        for (const std::string* name : {&line.languages.from, &line.languages.to})
          TT_CHECK(table.find(*name) != std::string::npos);
        break;
      }
      case 'n': check_language(text); break;
      case 'u': tt::read_state(text, "fuzz"); break;
      default: break;
    }
  } catch (const tt::Error& error) {
    tt::check_message(error, "");
  }
  return 0;
}
