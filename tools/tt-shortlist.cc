// tt-shortlist: makes lists of the target pieces that a line's translation may have, and shows what
// they have and what they cover.
#include <algorithm>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/formatted.h"
#include "base/report.h"
#include "model/stored_subword.h"
#include "text/invisible.h"
#include "text/lexicon.h"
#include "text/shortlist.h"
#include "tools/main.h"

namespace tt {
namespace {

struct Flags {
  std::string model, list, output;
  std::vector<std::string> corpus;
  CorpusOptions read;
  LexiconOptions lexicon;
  int first = 400;
};

struct Vocabularies {
  explicit Vocabularies(const std::string& model)
      : source(load_subword(model, SubwordSide::source)),
        target(load_subword(model, SubwordSide::target)) {}
  Subword source, target;

  bool joint() const { return source.bytes() == target.bytes(); }
};

// Pairs of lines as pieces; what could not be read of them is said, and sets `degraded`.
ParallelCorpus read_corpus(const Flags& flags, const Vocabularies& pieces, bool& degraded) {
  if (flags.corpus.size() > 2) throw UsageError("give at most two files of text: SOURCE TARGET");
  check_stdin_once(flags.corpus);
  const std::string source = flags.corpus.empty() ? "-" : flags.corpus[0];
  const std::string target = flags.corpus.size() < 2 ? "" : flags.corpus[1];
  ParallelCorpus corpus = read_parallel(source, target, pieces.source, pieces.target, flags.read);
  for (const std::string& remark : corpus.pairs().remarks) warn(remark);
  degraded = !corpus.pairs().remarks.empty();
  return corpus;
}

int train(const Flags& flags) {
  std::vector<std::string> read = flags.corpus;
  read.push_back(flags.model);
  check_not_read(flags.output, read);
  AtomicFile out(flags.output);  // first, so that a wrong path is found before the work
  const Vocabularies pieces(flags.model);
  bool degraded = false;
  const ParallelCorpus corpus = read_corpus(flags, pieces, degraded);
  out.write(shortlist_bytes(likely_translations(corpus, pieces.source.size(), flags.lexicon),
                            std::min(flags.first, pieces.target.size()), flags.lexicon.best));
  out.commit();
  return degraded ? kDegraded : kDone;
}

// A list, and the vocabularies that it is for.
struct Opened {
  explicit Opened(const Flags& flags) : pieces(flags.model), list(flags.list) {
    list.check_pieces(pieces.source.size(), pieces.target.size());
  }
  Vocabularies pieces;
  Shortlist list;
};

int show(const Flags& flags) {
  const Opened opened(flags);
  const auto& [pieces, list] = opened;
  Output out("-");
  for (int s = 0; s < list.source_pieces(); ++s) {
    std::string line = escape_invisible(pieces.source.piece(s)) + "\t";
    for (const std::uint32_t t : list.of(s))
      line += (line.ends_with('\t') ? "" : " ") +
              escape_invisible(pieces.target.piece(static_cast<int>(t)));
    out.line(line);
  }
  out.close();
  return kDone;
}

int cover(const Flags& flags) {
  const Opened opened(flags);
  const auto& [pieces, list] = opened;
  bool degraded = false;
  const ParallelCorpus corpus = read_corpus(flags, pieces, degraded);
  double listed = 0, covered = 0, whole = 0;
  std::vector<std::int32_t> source, target;
  for (std::int64_t i = 0; i < corpus.size(); ++i) {
    source.clear(), target.clear();
    corpus.append_source(source, i), corpus.append_target(target, i);
    const auto mine = list.pieces_for(source, pieces.target.size(), pieces.joint());
    std::size_t found = 0;
    for (const std::int32_t t : target) found += std::ranges::binary_search(mine, t);
    listed += static_cast<double>(mine.size()), covered += static_cast<double>(found);
    whole += found == target.size();
  }
  const auto lines = static_cast<double>(corpus.size());
  Output out("-");
  out.line(formatted(
      "pieces a line = %.1f of %d  target pieces listed = %.2f %%  lines with all = %.2f %%",
      listed / lines, pieces.target.size(),
      100 * covered / static_cast<double>(corpus.target_tokens()), 100 * whole / lines));
  out.close();
  return degraded ? kDegraded : kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  Option model = model_option(flags.model);
  model.help = "the model whose pieces are meant, or a subword model";
  const Option text{"FILE", file(flags.corpus),
                    "lines of source TAB target, or two files whose lines correspond; -: stdin"},
      list{"LIST", file(flags.list), "a shortlist, also Marian's or Firefox's", kRequired},
      longest{"--max-length", number(flags.read.max_length, 1, 1 << 20),
              "skip pairs with a side of more pieces"},
      threads = threads_option(flags.read.threads);
  return run_tool(
      argc, argv,
      {.name = "tt-shortlist",
       .summary = "Makes lists of the pieces that a line's translation may have.",
       .example = "tt-shortlist train -m model.tt -o lex.s2t.bin train.en train.de",
       .commands = {
           command(
               "train", "make lists of pieces that are likely translations",
               {text,
                model,
                {"-o,--output", file(flags.output), "the shortlist to write; -: stdout", kRequired},
                {"--best", number(flags.lexicon.best, 1, 1 << 24),
                 "translations of each source piece", kBrief},
                {"--first", number(flags.first, 0, 1 << 24),
                 "pieces from the beginning of the target vocabulary that every line has", kBrief},
                {"--iterations", number(flags.lexicon.iterations, 1, 1000),
                 "of expectation maximisation"},
                longest,
                threads},
               [&] { return train(flags); },
               "tt-shortlist train -m model.tt -o lex.s2t.bin train.en train.de"),
           command(
               "show", "print the list of each source piece", {list, model},
               [&] { return show(flags); }, "tt-shortlist show -m model.tt lex.s2t.bin"),
           command(
               "cover", "tell how many pieces of a text's translations are in the lists",
               {list, text, model, longest, threads}, [&] { return cover(flags); },
               "tt-shortlist cover -m model.tt lex.s2t.bin test.en test.de"),
       }});
}
