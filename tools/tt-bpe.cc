// tt-bpe: trains subword models, and converts lines of text to lines of pieces and back.
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/formatted.h"
#include "base/report.h"
#include "model/stored_subword.h"
#include "text/invisible.h"
#include "text/lines.h"
#include "text/train_subword.h"
#include "tools/main.h"

namespace tt {
namespace {

struct Flags {
  SubwordOptions train;
  std::vector<std::string> inputs;
  std::string output, model, side = "source", input = "-";
  EncodingOptions lines;
  std::optional<float> dropout, alpha;
  bool cost = false;
};

int train(Flags& flags) {
  const auto inputs = flags.inputs.empty() ? std::vector<std::string>{"-"} : flags.inputs;
  check_stdin_once(inputs);
  check_not_read(flags.output, inputs);
  AtomicFile out(flags.output);  // first, so that a wrong path is found before training
  bool degraded = false;
  out.write(train_subword(inputs, flags.train, &degraded).bytes());
  out.commit();
  return degraded ? kDegraded : kDone;
}

Subword load(const Flags& flags) {
  return load_subword(flags.model,
                      flags.side == "source" ? SubwordSide::source : SubwordSide::target);
}

int each_line(const Flags& flags, const auto& convert) {
  check_stdin_once({flags.input, flags.model});
  check_not_read("-", {{flags.input, flags.model}});
  const Subword model = load(flags);
  LineReader in(flags.input);
  Output out("-");
  const std::uint64_t degraded = convert(model, in, out);
  out.close();
  if (reports_cost(flags.cost)) say(cost_line(in.line_number(), "lines", wall_seconds()));
  return degraded == 0 ? kDone : kDegraded;
}

int encode(const Flags& flags) {
  const auto dropout = flags.dropout, alpha = flags.alpha;
  EncodingOptions options = flags.lines;
  options.sample = alpha || dropout.value_or(0) > 0;
  options.strength = alpha ? *alpha : dropout.value_or(0);
  return each_line(flags, [&](const auto& model, auto& in, auto& out) {
    const auto kind = model.kind();
    if (dropout && kind != Subword::Kind::bpe)
      throw Error(flags.model, ": --dropout is for BPE models; use --alpha");
    if (alpha && kind != Subword::Kind::unigram)
      throw Error(flags.model, ": --alpha is for unigram models; use --dropout");
    return encode_lines(in, out, model, options);
  });
}

int decode(const Flags& flags) {
  return each_line(flags, [&](const auto& model, auto& in, auto& out) {
    return decode_lines(in, out, model, flags.lines);
  });
}

int vocab(const Flags& flags) {
  const Subword model = load(flags);
  Output out("-");
  for (int id = 0; id < model.size(); ++id) {
    out.line(std::to_string(id) + "\t" + escape_invisible(model.piece(id)) +
             formatted("\t%g", static_cast<double>(model.score(id)) + 0.0));  // no -0
  }
  out.close();
  return kDone;
}

// May be given again; each adds its pieces.
Value symbols(Words& to) {
  return {.name = "LIST",
          .read =
              [&to](const std::string& list) {
                if (list.empty()) return std::string("the list is empty");
                for (const std::string& symbol : split(list)) to.push_back(symbol);
                return std::string();
              },
          .again = Again::adds};
}

std::vector<Option> training_options(Flags& flags) {
  SubwordOptions& train = flags.train;
  return {
      {"FILE", file(flags.inputs), "text to train on, also compressed; none: stdin"},
      {"-o,--output", file(flags.output), "the model file to write; -: stdout", kRequired},
      {"--type", choice(train.type, {"bpe", "unigram"}), "how pieces are found", kBrief},
      {"--vocab-size", number(train.vocab_size, 1, 1 << 24), "total number of pieces", kBrief},
      {"--coverage", number(train.coverage, 0.98, 1),
       "fraction of the characters that pieces must cover"},
      {"--byte-fallback", toggle(train.byte_fallback),
       "spell other characters as bytes instead of <unk>"},
      {"--user-symbols", symbols(train.user_symbols),
       "pieces that are never split or merged, separated by commas"},
      {"--languages", symbols(train.languages),
       "of a model of many: pieces that choose a language, by its code, as de,en"},
      {"--separator", toggle(train.separator),
       "of a model with context: a piece <sep>, which stands between sentences"},
      {"--normalisation", choice(train.normalisation, normalisations()),
       "how text is normalised; cf: case folding"},
      {"--lines", number(train.lines, 0, 1L << 32), "train on N random lines; 0: all"},
      {"--longest-line", number(train.longest_line, 1, 1 << 30), "bytes; skip longer lines"},
      seed_option(train.seed),
  };
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  Option model = model_option(flags.model);
  model.help = "the subword model, made by tt-bpe train, or the model that it is part of";
  const Option side{"--side", choice(flags.side, {"source", "target"}),
                    "whose, where a model has two"},
      input{"FILE", file(flags.input), "lines to read; -: stdin"},
      ids{"--ids", toggle(flags.lines.ids), "use the numbers of pieces instead of their text",
          kBrief},
      threads = threads_option(flags.lines.threads), cost = cost_option(flags.cost);
  const std::vector<Option> encoding{
      input,
      model,
      side,
      ids,
      {"--dropout", number(flags.dropout, 0, 1).as("P"),
       "BPE-dropout: probability of skipping a merge"},
      {"--alpha", number(flags.alpha, 0, 1000).as("A"),
       "sample a unigram segmentation x with probability proportional to P(x)^A"},
      seed_option(flags.lines.seed),
      threads,
      cost};
  return run_tool(argc, argv,
                  {.name = "tt-bpe",
                   .summary = "Trains subword models; converts text to pieces and back.",
                   .example = "tt-bpe train -o bpe.model --vocab-size 8000 corpus.de corpus.en",
                   .commands = {
                       command(
                           "train", "train a subword model on text", training_options(flags),
                           [&] { return train(flags); },
                           "tt-bpe train -o bpe.model --vocab-size 8000 corpus.de corpus.en"),
                       command(
                           "encode", "convert lines of text to lines of pieces", encoding,
                           [&] { return encode(flags); }, "tt-bpe encode -m bpe.model <text"),
                       command(
                           "decode", "convert lines of pieces to lines of text",
                           {input, model, side, ids, threads, cost}, [&] { return decode(flags); },
                           "tt-bpe decode -m bpe.model <pieces"),
                       command(
                           "vocab", "print number, piece and score of every piece", {model, side},
                           [&] { return vocab(flags); }, "tt-bpe vocab -m bpe.model"),
                   }});
}
