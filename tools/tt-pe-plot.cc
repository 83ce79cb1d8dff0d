// tt-pe-plot: plots or prints positional encodings (section 3.5 of the paper), or learned ones.
#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "model/checkpoint.h"
#include "model/positions.h"
#include "plot/encoding.h"
#include "plot/show.h"
#include "tools/main.h"
#include "tools/picture.h"
#include "tools/values.h"

namespace tt {
namespace {

const std::vector<std::string> kLayouts = {"interleaved", "concatenated", "tensor2tensor"};  // as PositionLayout

struct Options {
  std::int64_t positions = 30, width = 512, first = 0;
  std::string layout = "interleaved", dimensions, model, side = "encoder";
  bool similarity = false, wavelength = false, tsv = false;
  plot::Destination to;

  PositionLayout order() const {
    return static_cast<PositionLayout>(std::find(kLayouts.begin(), kLayouts.end(), layout) - kLayouts.begin());
  }
};

constexpr std::int64_t kMostPositions = 100000, kMostDimensions = 65536, kMostValues = std::int64_t{1} << 28,
                       kMostSimilar = 16384;

std::string title_of(std::string what, const Options& options, std::int64_t width) {
  if (options.similarity) what = "similarity of " + what;
  what[0] = static_cast<char>(what[0] - 'a' + 'A');
  return what + ", D = " + std::to_string(width);
}

plot::EncodingTable formula_table(const Options& options) {
  if (options.positions * options.width > kMostValues)
    throw Error(options.positions, " positions of ", options.width,
                " dimensions are too many for one picture; lower --positions or --dim");
  plot::EncodingTable table{
      title_of("positional encodings", options, options.width), options.first, options.positions, options.width, {}};
  if (options.order() != PositionLayout::interleaved) table.title += ", sines before cosines";
  table.values.resize(static_cast<std::size_t>(table.rows * table.columns));
  sinusoidal_positions(table.values.data(), table.first, table.rows, table.columns, options.order());
  return table;
}

// Learned positions: all of the model's, unless --positions asks for fewer.
plot::EncodingTable learned_table(const Options& options, bool all) {
  const TensorFile file(options.model);
  const std::string name = options.side + ".positions";
  const NamedTensor* tensor = file.find(name);
  if (!tensor) {
    const Config config = stored_config(file);
    throw Error(options.model, ": has no learned positions ('", name, "'); ",
                config.type == ModelType::lstm           ? "an LSTM has none"
                : config.positions == PositionKind::none ? "it was trained without any"
                : config.positions == PositionKind::learned
                    ? "the file is damaged"
                    : "it has those of the formula: give --layout " + kLayouts[static_cast<std::size_t>(config.position_layout)] +
                          " instead of -m");
  }
  if (tensor->type != Dtype::f32 || tensor->shape.size() != 2 || elements(tensor->shape) == 0)
    throw Error(options.model, ": '", name, "' has the shape ", to_string(tensor->shape), ", but positions are a float32 matrix");
  const std::int64_t n = tensor->shape[0], d = tensor->shape[1];
  if (options.first >= n)
    throw Error(options.model, ": has the positions 0 to ", n - 1, "; --first ", options.first, " is not one of them");
  const std::int64_t rows = all ? n - options.first : std::min(options.positions, n - options.first);
  const auto* begin = static_cast<const float*>(tensor->data) + options.first * d;
  return {title_of("learned positions of the " + options.side, options, d), options.first, rows, d, {begin, begin + rows * d}};
}

int work(const Options& options, bool all) {
  if (!options.model.empty()) check_not_read(options.to.output, {{options.model}});
  // Fails before computing anything if the result cannot be shown.
  std::unique_ptr<plot::Viewer> viewer;
  if (!options.tsv) viewer = std::make_unique<plot::Viewer>(options.to);
  const auto show = [&](const plot::Figure& figure) { return viewer->show(figure) ? kDone : kDegraded; };
  Output out("-");
  if (options.wavelength) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < options.width; ++i) values.push_back(wavelength(i, options.width, options.order()));
    if (viewer) return show(plot::wavelengths_of("Wavelengths, D = " + std::to_string(options.width), values));
    plot::write_wavelengths(out, values);
    out.close();
    return kDone;
  }
  const plot::EncodingTable table = !options.model.empty() ? learned_table(options, all) : formula_table(options);
  if (options.similarity && table.rows > kMostSimilar)
    throw Error("the similarity of ", table.rows, " positions is too large; ask for at most ", kMostSimilar, " with --positions");
  std::vector<std::int64_t> chosen;
  if (!options.dimensions.empty()) chosen = plot::parse_dimensions(options.dimensions, table.columns);
  if (viewer && options.similarity) return show(plot::similarity_of(table));
  if (viewer) return show(chosen.empty() ? plot::heatmap_of(table) : plot::curves_of(table, chosen));
  if (options.similarity)
    plot::write_tsv(out, "position", table.first, table.first, table.rows, table.rows, plot::similarity(table));
  else plot::write_tsv(out, "position", table.first, 0, table.rows, table.columns, table.values, chosen);
  out.close();
  return kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(argc, argv, "tt-pe-plot", "Plots positional encodings.", [](CLI::App& app) {
    auto options = std::make_shared<Options>();
    Options& o = *options;
    auto* positions =
        app.add_option("-n,--positions", o.positions, "number of positions")->transform(within(std::int64_t{1}, kMostPositions));
    auto* width =
        app.add_option("-d,--dim", o.width, "dimensions of an encoding (D)")->transform(within(std::int64_t{1}, kMostDimensions));
    positions->type_name("N"), width->type_name("D");
    auto* first = app.add_option("--first", o.first, "the first position")
                      ->transform(within(std::int64_t{0}, std::int64_t{1} << 40))
                      ->type_name("N");
    auto* layout =
        app.add_option("--layout", o.layout, "interleaved: sine, cosine, ...; concatenated, tensor2tensor: all sines first");
    layout->check(one_of(kLayouts))->type_name("NAME");
    auto* model = app.add_option("-m,--model", o.model, "draw the learned positions of this model")->type_name("FILE");
    auto* side = app.add_option("--side", o.side, "with --model: encoder or decoder")->check(one_of({"encoder", "decoder"}));
    side->needs(model)->type_name("NAME");
    auto* similarity = app.add_flag("--similarity", o.similarity, "draw the dot products of every two positions instead");
    auto* dimensions =
        app.add_option("--dimensions", o.dimensions, "draw these dimensions as curves: 4,5,6 or 0-7")->type_name("LIST");
    dimensions->check(CLI::Validator(
        [](std::string& text) {
          try {
            return plot::parse_dimensions(text, kMostDimensions), std::string();
          } catch (const Error&) {
            return "must be dimensions as 4,5,6 or 0-7, not " + in_quotes(text);
          }
        },
        ""));
    auto* wave = app.add_flag("--wavelength", o.wavelength, "draw the wavelength of each dimension instead");
    const auto picture = add_picture(app, o.to);
    app.add_flag("--tsv", o.tsv, "print the numbers instead of drawing")->excludes(picture.output)->excludes(picture.terminal);
    similarity->excludes(dimensions)->excludes(wave);
    wave->excludes(dimensions)->excludes(model)->excludes(positions)->excludes(first);
    model->excludes(width)->excludes(layout);
    return [options, positions] { return work(*options, positions->count() == 0); };
  });
}
