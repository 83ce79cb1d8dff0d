// tt-pe-plot: plots or prints positional encodings (section 3.5 of the paper), or learned ones.
#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "model/checkpoint.h"
#include "model/positions.h"
#include "plot/encoding.h"
#include "plot/shift.h"
#include "plot/show.h"
#include "tools/main.h"
#include "tools/picture.h"

namespace tt {
namespace {

const std::vector<std::string>& layouts() { return find_field("position_layout")->choices; }

struct Options {
  std::optional<std::int64_t> positions;  // 30, or all of a model
  std::optional<std::int64_t> shift;
  std::int64_t width = 512, first = 0;
  std::string layout = "interleaved", dimensions, model, side = "encoder";
  bool similarity = false, wavelength = false;
  plot::Destination to;

  std::int64_t rows() const { return positions.value_or(30); }
  PositionLayout order() const {
    return static_cast<PositionLayout>(std::ranges::find(layouts(), layout) - layouts().begin());
  }
};

constexpr std::int64_t kMostPositions = 100000, kMostDimensions = 65536,
                       kMostValues = std::int64_t{1} << 28, kMostSimilar = 16384,
                       kMostShifted = 2048;

std::string title_of(std::string what, const Options& options, std::int64_t width) {
  if (options.similarity) what = "similarity of " + what;
  if (options.shift)
    what = "from a position to that " + std::to_string(*options.shift) + " further: " + what;
  what[0] = static_cast<char>(what[0] - 'a' + 'A');
  return what + ", D = " + std::to_string(width);
}

plot::EncodingTable formula_table(const Options& options) {
  if (options.rows() * options.width > kMostValues)
    throw Error(options.rows(), " positions of ", options.width,
                " dimensions are too many for one picture; lower --positions or --dim");
  plot::EncodingTable table{title_of("positional encodings", options, options.width),
                            options.first,
                            options.rows(),
                            options.width,
                            {}};
  if (options.order() != PositionLayout::interleaved) table.title += ", sines before cosines";
  table.values.resize(static_cast<std::size_t>(table.rows * table.columns));
  sinusoidal_positions(table.values.data(), table.first, table.rows, table.columns,
                       options.order());
  return table;
}

// Learned positions: all of the model's, unless --positions asks for fewer.
plot::EncodingTable learned_table(const Options& options) {
  const TensorFile file(options.model);
  const std::string name = options.side + ".positions";
  const NamedTensor* tensor = file.find(name);
  if (!tensor) {
    const Architecture config = stored_config(file);
    throw Error(options.model, ": has no learned positions ('", name, "'); ",
                config.type == ModelType::lstm           ? "an LSTM has none"
                : config.positions == PositionKind::none ? "it was trained without any"
                : config.positions == PositionKind::relative
                    ? "it has a number for each distance of two pieces"
                : config.positions == PositionKind::learned
                    ? "the file is damaged"
                    : "it has those of the formula: give --layout " +
                          layouts()[static_cast<std::size_t>(config.position_layout)] +
                          " instead of -m");
  }
  if (tensor->type != Dtype::f32 || tensor->shape.size() != 2 || elements(tensor->shape) == 0)
    throw Error(options.model, ": '", name, "' has the shape ", to_string(tensor->shape),
                ", but positions are a float32 matrix");
  const std::int64_t n = tensor->shape[0], d = tensor->shape[1];
  if (options.first >= n)
    throw Error(options.model, ": has the positions 0 to ", n - 1, "; --first ", options.first,
                " is not one of them");
  const std::int64_t left = n - options.first,
                     rows = std::min(options.positions.value_or(left), left);
  const auto* begin = static_cast<const float*>(tensor->data) + options.first * d;
  return {title_of("learned positions of the " + options.side, options, d),
          options.first,
          rows,
          d,
          {begin, begin + rows * d}};
}

// The map from each encoding to the one that is --shift positions further, and its errors.
plot::Figure shift_figure(const plot::EncodingTable& table, const Options& options) {
  const std::int64_t by = *options.shift, d = table.columns;
  if (by >= table.rows)
    throw Error("--shift ", by, " needs more than ", by, " positions, not ", table.rows,
                "; raise --positions");
  if (std::max(table.rows, d) > kMostShifted)
    throw Error("the map of ", table.rows, " positions of ", d,
                " dimensions is too large; ask for at most ", kMostShifted, " of both");
  std::vector<float> exact;
  if (options.model.empty()) {
    if (d % 2 != 0)
      throw Error("--dim ", d,
                  " leaves a sine without its cosine, which has no such map; give an even number");
    exact.resize(static_cast<std::size_t>(d * d));
    rotate_positions(exact.data(), by, d, options.order());
  }
  return plot::shift_of(table, by, exact, plot::fitted_shift(table, by));
}

int work(const Options& options) {
  if (!options.model.empty()) check_not_read(options.to.output, {{options.model}});
  // Fails before computing anything if the result cannot be shown.
  plot::Viewer viewer(options.to);
  const auto show = [&](const plot::Figure& figure) {
    return viewer.show(figure) ? kDone : kDegraded;
  };
  if (options.wavelength) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < options.width; ++i)
      values.push_back(wavelength(i, options.width, options.order()));
    return show(plot::wavelengths_of("Wavelengths, D = " + std::to_string(options.width), values));
  }
  const plot::EncodingTable table =
      !options.model.empty() ? learned_table(options) : formula_table(options);
  if (options.similarity && table.rows > kMostSimilar)
    throw Error("the similarity of ", table.rows, " positions is too large; ask for at most ",
                kMostSimilar, " with --positions");
  std::vector<std::int64_t> chosen;
  if (!options.dimensions.empty())
    chosen = plot::parse_dimensions(options.dimensions, table.columns);
  if (options.shift) return show(shift_figure(table, options));
  // Narrow columns of sines and cosines in turn; a terminal shows means of several.
  const bool apart = options.model.empty() && options.order() == PositionLayout::interleaved &&
                     table.columns > 128 && !options.to.output.empty();
  if (!options.to.tsv && options.similarity) return show(plot::similarity_of(table));
  if (!options.to.tsv)
    return show(chosen.empty() ? plot::heatmap_of(table, apart) : plot::curves_of(table, chosen));
  Output out("-");
  if (options.similarity)
    plot::write_tsv(out, "position",
                    {table.first, table.first, table.rows, table.rows, plot::similarity(table)});
  else
    plot::write_tsv(out, "position", {table.first, 0, table.rows, table.columns, table.values},
                    chosen);
  out.close();
  return kDone;
}

std::string no_dimensions(const std::string& list) {
  try {
    return plot::parse_dimensions(list, kMostDimensions), std::string();
  } catch (const Error&) {
    return "must be dimensions as 4,5,6 or 0-7, not " + in_quotes(list);
  }
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Options o;
  const std::vector<Option> rows{
      {"-n,--positions", number(o.positions, 1, kMostPositions).initially("30"),
       "number of positions", kBrief},
      {"-d,--dim", number(o.width, 1, kMostDimensions).as("D"), "dimensions of an encoding (D)",
       kBrief},
      {"--first", number(o.first, 0, std::int64_t{1} << 40), "the first position"},
      {"--layout", choice(o.layout, layouts()),
       "interleaved: sine, cosine, ...; concatenated, tensor2tensor: all sines first"},
      {"-m,--model", file(o.model), "draw the learned positions of this model",
       excludes("--dim", "--layout") + kBrief},
      {"--side", choice(o.side, {"encoder", "decoder"}), "whose positions", needs("--model")},
      {"--similarity", toggle(o.similarity), "draw the dot products of every two positions instead",
       excludes("--dimensions", "--wavelength")},
      {"--shift", number(o.shift, 1, kMostShifted),
       "draw the linear map to the position so many further, and its error",
       excludes("--dimensions", "--similarity", "--wavelength")},
      {"--dimensions", text(o.dimensions, no_dimensions).as("LIST"),
       "draw these dimensions as curves: 4,5,6 or 0-7", kBrief},
      {"--wavelength", toggle(o.wavelength), "draw the wavelength of each dimension instead",
       excludes("--dimensions", "--model", "--positions", "--first")},
  };
  return run_tool(argc, argv,
                  {.name = "tt-pe-plot",
                   .summary = "Plots positional encodings.",
                   .groups = {{"Encodings", rows}, picture_group(o.to)},
                   .work = [&] { return work(o); },
                   .example = "tt-pe-plot -n 100 -d 512 -o encoding.png"});
}
