// tt-bpe: trains subword models, and converts lines of text to lines of pieces and back.
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "model/stored_subword.h"
#include "text/invisible.h"
#include "text/lines.h"
#include "text/train_subword.h"
#include "tools/main.h"
#include "tools/values.h"

namespace tt {
namespace {

struct Flags {
  SubwordOptions train;
  std::vector<std::string> inputs, symbols;
  std::string output, model, side = "source", input = "-";
  LineOptions lines;
  float dropout = 0, alpha = 0;
};

int train(Flags& flags) {
  for (const std::string& list : flags.symbols)
    for (const std::string& symbol : split(list)) flags.train.user_symbols.push_back(symbol);
  const auto inputs = flags.inputs.empty() ? std::vector<std::string>{"-"} : flags.inputs;
  check_stdin_once(inputs);
  check_not_read(flags.output, inputs);
  AtomicFile out(flags.output);  // first, so that a wrong path is found before training
  out.write(train_subword(inputs, flags.train).bytes());
  out.commit();
  return kDone;
}

Subword load(const Flags& flags) {
  return load_subword(flags.model, flags.side == "source" ? SubwordSide::source : SubwordSide::target);
}

template <class Convert>
int each_line(const Flags& flags, const Convert& convert) {
  check_stdin_once({flags.input, flags.model});
  check_not_read("-", {{flags.input, flags.model}});
  const Subword model = load(flags);
  LineReader in(flags.input);
  Output out("-");
  const std::uint64_t degraded = convert(model, in, out);
  out.close();
  say(cost_line(in.line_number(), "lines", wall_seconds()));
  return degraded == 0 ? kDone : kDegraded;
}

int encode(const Flags& flags, bool dropout, bool alpha) {
  LineOptions options = flags.lines;
  options.sample = alpha || (dropout && flags.dropout > 0);
  options.strength = alpha ? flags.alpha : flags.dropout;
  return each_line(flags, [&](const auto& model, auto& in, auto& out) {
    const auto kind = model.kind();
    if (dropout && kind != Subword::Kind::bpe) throw Error(flags.model, ": --dropout is for BPE models; use --alpha");
    if (alpha && kind != Subword::Kind::unigram) throw Error(flags.model, ": --alpha is for unigram models; use --dropout");
    return encode_lines(in, out, model, options);
  });
}

int decode(const Flags& flags) {
  return each_line(flags, [&](const auto& model, auto& in, auto& out) { return decode_lines(in, out, model, flags.lines); });
}

int vocab(const Flags& flags) {
  const Subword model = load(flags);
  Output out("-");
  for (int id = 0; id < model.size(); ++id) {
    char score[32];
    std::snprintf(score, sizeof score, "%g", static_cast<double>(model.score(id)) + 0.0);  // no -0
    out.line(std::to_string(id) + "\t" + escape_invisible(model.piece(id)) + "\t" + score);
  }
  out.close();
  return kDone;
}

void add_subword_model(CLI::App& app, Flags& flags) {
  app.add_option("-m,--model", flags.model, "the subword model, made by tt-bpe train, or the model that it is part of")
      ->required()
      ->type_name("FILE");
  app.add_option("--side", flags.side, "whose, where a model has two")->check(one_of({"source", "target"}))->type_name("NAME");
}

void add_lines(CLI::App& app, Flags& flags) {
  app.add_option("FILE", flags.input, "lines to read; -: stdin")->type_name("");
  app.add_flag("--ids", flags.lines.ids, "use the numbers of pieces instead of their text");
  add_threads(app, flags.lines.threads);
}

void add_training(CLI::App& app, Flags& flags) {
  SubwordOptions& train = flags.train;
  app.add_option("FILE", flags.inputs, "text to train on, plain or gzip; none: stdin")->type_name("");
  app.add_option("-o,--output", flags.output, "the model file to write; -: stdout")->required()->type_name("FILE");
  app.add_option("--type", train.type, "how pieces are found: bpe or unigram")
      ->check(one_of({"bpe", "unigram"}))
      ->type_name("NAME");
  app.add_option("--vocab-size", train.vocab_size, "total number of pieces")->transform(within(1, 1 << 24))->type_name("N");
  app.add_option("--coverage", train.coverage, "fraction of the characters that pieces must cover, 0.98 to 1")
      ->transform(within(0.98, 1.0))
      ->type_name("X");
  app.add_flag("--byte-fallback", train.byte_fallback, "spell other characters as bytes instead of <unk>");
  app.add_option("--user-symbols", flags.symbols, "pieces that are never split or merged, separated by commas")
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.add_option("--normalisation", train.normalisation, "nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf (cf: case folding) or identity")
      ->check(one_of(normalisations()))
      ->type_name("NAME");
  app.add_option("--lines", train.lines, "train on N random lines; 0: all")->transform(within(0L, 1L << 32))->type_name("N");
  app.add_option("--longest-line", train.longest_line, "bytes; skip longer lines")->transform(within(1, 1 << 30))->type_name("N");
  add_seed(app, train.seed);
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(argc, argv, "tt-bpe", "Trains subword models; converts text to pieces and back.", [](CLI::App& app) {
    auto flags = std::make_shared<Flags>();
    app.require_subcommand(1);
    app.fallthrough();
    CLI::App* const train_app = app.add_subcommand("train", "train a subword model on text");
    CLI::App* const encode_app = app.add_subcommand("encode", "convert lines of text to lines of pieces");
    CLI::App* const decode_app = app.add_subcommand("decode", "convert lines of pieces to lines of text");
    CLI::App* const vocab_app = app.add_subcommand("vocab", "print number, piece and score of every piece");
    add_training(*train_app, *flags);
    for (auto* lines_app : {encode_app, decode_app, vocab_app}) add_subword_model(*lines_app, *flags);
    for (auto* lines_app : {encode_app, decode_app}) add_lines(*lines_app, *flags);
    auto* dropout = encode_app->add_option("--dropout", flags->dropout, "BPE-dropout: probability of skipping a merge")
                        ->transform(within(0.0, 1.0))
                        ->type_name("P");
    auto* alpha =
        encode_app->add_option("--alpha", flags->alpha, "sample a unigram segmentation x with probability proportional to P(x)^A")
            ->transform(within(0.0, 1000.0))
            ->type_name("A");
    add_seed(*encode_app, flags->lines.seed);
    return [=] {
      if (train_app->parsed()) return train(*flags);
      if (encode_app->parsed()) return encode(*flags, dropout->count() > 0, alpha->count() > 0);
      return decode_app->parsed() ? decode(*flags) : vocab(*flags);
    };
  });
}
