// tt-table-plot: pictures of tables of experiments.
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
  LineReader in(options.input);
  const plot::Table table = plot::read_table(in);
  return viewer.show(plot::table_figure(table, options.view)) ? kDone : kDegraded;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(argc, argv, "tt-table-plot", "Draw a table: values against a variable.", [](CLI::App& app) {
    auto options = std::make_shared<Options>();
    Options& o = *options;
    app.add_option("file", o.input, "lines of fields between tabs, of which the first names the columns; - for stdin")
        ->type_name("FILE");
    app.add_option("--title", o.view.title, "what stands over the picture")->type_name("TEXT");
    app.add_option("--y-label", o.view.y_label, "what the values are")->type_name("TEXT");
    app.add_flag("--log-x", o.view.log_x, "make the axis to the right logarithmic");
    app.add_flag("--log-y", o.view.log_y, "make the axis upwards logarithmic");
    add_picture(app, o.to);
    return [options] { return work(*options); };
  });
}
