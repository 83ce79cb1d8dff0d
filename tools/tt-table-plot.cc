// tt-table-plot: plots tables of experiments.
#include "base/file.h"
#include "plot/show.h"
#include "plot/table.h"
#include "tools/main.h"
#include "tools/picture.h"

namespace tt {
namespace {

struct Options {
  std::string input = "-";
  plot::TableView view;
  plot::Destination to;
};

int work(const Options& options) {
  plot::Viewer viewer(options.to);
  check_not_read(options.to.output, {{options.input}});
  LineReader in(options.input);
  const plot::Table table = plot::read_table(in);
  return viewer.show(plot::table_figure(table, options.view)) ? kDone : kDegraded;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Options o;
  const std::vector<Option> rows{
      {"FILE", file(o.input),
       "lines of tab-separated fields, the first with the column names; - for stdin"},
      {"--y-label", text(o.view.y_label), "the label of the vertical axis", kBrief},
      {"--log-x", toggle(o.view.log_x), "make the horizontal axis logarithmic"},
      {"--log-y", toggle(o.view.log_y), "make the vertical axis logarithmic"},
  };
  return run_tool(argc, argv,
                  {.name = "tt-table-plot",
                   .summary = "Plots a table: values against a variable.",
                   .groups = {{"Table", rows}, picture_group(o.to)},
                   .work = [&] { return work(o); },
                   .example = "tt-table-plot -o speed.svg --log-x speed.tsv"});
}
