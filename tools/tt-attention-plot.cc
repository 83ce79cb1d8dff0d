// tt-attention-plot: plots the attention of a translation.
#include "base/file.h"
#include "plot/attention.h"
#include "plot/show.h"
#include "tools/main.h"
#include "tools/picture.h"
#include "tools/values.h"

namespace tt {
namespace {

struct Options {
  std::string input = "-", kind = "cross";
  std::int64_t sentence = 0;
  int layer = 0, head = 0;
  bool mean = false, tsv = false;
  plot::Destination to;
};

int work(const Options& options) {
  std::unique_ptr<plot::Viewer> viewer;
  if (!options.tsv) viewer = std::make_unique<plot::Viewer>(options.to);
  check_not_read(options.to.output, {{options.input}});
  LineReader in(options.input);
  const plot::AttentionRecord record = plot::read_attention(in, options.sentence);
  const auto heads = plot::choose_heads(record, options.kind, options.layer, options.head, options.mean);
  if (viewer) return viewer->show(plot::attention_figure(record, heads)) ? kDone : kDegraded;
  Output out("-");
  plot::write_attention_tsv(out, record, heads);
  out.close();
  return kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(argc, argv, "tt-attention-plot", "Plots the attention of a translation.", [](CLI::App& app) {
    auto options = std::make_shared<Options>();
    Options& o = *options;
    app.add_option("file", o.input, "output of tt-translate --attention; - for stdin")->type_name("FILE");
    app.add_option("--sentence", o.sentence, "the sentence, by its line number in the text [default: the first]")
        ->transform(within(std::int64_t{1}, std::int64_t{1} << 60))
        ->default_str("")
        ->type_name("N");
    app.add_option("--kind", o.kind, "cross (target on source), encoder or decoder (self-attention)")
        ->check(one_of({"cross", "encoder", "decoder"}))
        ->type_name("NAME");
    app.add_option("--layer", o.layer, "only this layer")->transform(within(1, 10000))->default_str("")->type_name("N");
    app.add_option("--head", o.head, "only this head")->transform(within(1, 10000))->default_str("")->type_name("N");
    app.add_flag("--mean", o.mean, "draw the mean of the chosen heads instead of each");
    const auto picture = add_picture(app, o.to);
    app.add_flag("--tsv", o.tsv, "print the weights instead of drawing")->excludes(picture.output)->excludes(picture.terminal);
    return [options] { return work(*options); };
  });
}
