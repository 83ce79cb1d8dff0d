// tt-attention-plot: plots the attention of a translation.
#include "base/file.h"
#include "plot/attention.h"
#include "plot/show.h"
#include "tools/main.h"
#include "tools/picture.h"

namespace tt {
namespace {

struct Options {
  std::string input = "-", kind = "cross";
  std::int64_t sentence = 0;
  int layer = 0, head = 0;
  bool mean = false;
  plot::Destination to;
};

int work(const Options& options) {
  std::unique_ptr<plot::Viewer> viewer;
  if (!options.to.tsv) viewer = std::make_unique<plot::Viewer>(options.to);
  check_not_read(options.to.output, {{options.input}});
  LineReader in(options.input);
  const plot::AttentionRecord record = plot::read_attention(in, options.sentence);
  const auto heads =
      plot::choose_heads(record, options.kind, options.layer, options.head, options.mean);
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
  Options o;
  std::vector<Option> rows{
      {"FILE", file(o.input), "output of tt-translate --attention; - for stdin"},
      {"--sentence", number(o.sentence, 1, 1e18).initially("the first"),
       "the sentence, by its line number in the text", kBrief},
      {"--kind", choice(o.kind, {"cross", "encoder", "decoder"}),
       "cross (target on source), encoder or decoder (self-attention)", kBrief},
      {"--layer", number(o.layer, 1, 10000), "only this layer"},
      {"--head", number(o.head, 1, 10000), "only this head"},
      {"--mean", toggle(o.mean), "draw the mean of the chosen heads instead of each", kBrief},
  };
  return run_tool(
      argc, argv,
      {.name = "tt-attention-plot",
       .summary = "Plots the attention of a translation.",
       .groups = {{"Attention", rows}, picture_group(o.to)},
       .work = [&] { return work(o); },
       .example = "tt-translate -m model.tt --attention - <text.de | tt-attention-plot"});
}
