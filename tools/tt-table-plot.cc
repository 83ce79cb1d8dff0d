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
  return run_tool(argc, argv, "tt-table-plot", "Plots a table: values against a variable.", [](CLI::App& app) {
    auto options = std::make_shared<Options>();
    Options& o = *options;
    app.add_option("file", o.input, "lines of tab-separated fields, the first with the column names; - for stdin")
        ->type_name("FILE");
    app.add_option("--title", o.view.title, "the title of the picture")->type_name("TEXT");
    app.add_option("--y-label", o.view.y_label, "the label of the vertical axis")->type_name("TEXT");
    app.add_flag("--log-x", o.view.log_x, "make the horizontal axis logarithmic");
    app.add_flag("--log-y", o.view.log_y, "make the vertical axis logarithmic");
    add_picture(app, o.to);
    return [options] { return work(*options); };
  });
}
