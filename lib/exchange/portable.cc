#include "exchange/portable.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "exchange/vocabulary.h"
#include "model/checkpoint.h"
#include "model/model.h"
#include "model/positions.h"
#include "model/stored_subword.h"
#include "model/weight_form.h"

namespace tt {
namespace {

constexpr float kSameAngle = 1e-5f;  // tables that programs computed in float32 or float64
// Angles of far positions lose digits in float32: only the first ones tell tables apart.
constexpr std::int64_t kRowsCompared = 64;

bool all_zero(const StoredMatrix& m) {
  return std::ranges::all_of(m.values, [](float x) { return x == 0; });
}

bool is_attention_bias(const ParameterPart& part) {
  return part.bias && (part.sublayer == Sublayer::self || part.sublayer == Sublayer::cross) &&
         part.role != Role::content && part.role != Role::forget;
}

// Reads or writes through to[i] = from[order[i]] along one dimension of a matrix.
void permute(StoredMatrix& m, const std::vector<std::int64_t>& order, bool rows) {
  const std::vector<float> from = m.values;
  for (std::int64_t r = 0; r < m.rows; ++r)
    for (std::int64_t c = 0; c < m.columns; ++c)
      m.values[r * m.columns + c] =
          from[rows ? order[r] * m.columns + c : r * m.columns + order[c]];
}

StoredMatrix sinusoids(PositionLayout layout, int first, std::int64_t rows, std::int64_t d) {
  StoredMatrix table{rows, d, std::vector<float>(static_cast<std::size_t>(rows * d))};
  sinusoidal_positions(table.values.data(), first, rows, d, layout);
  return table;
}

bool same_table(const StoredMatrix& a, const StoredMatrix& b) {
  const auto n = static_cast<std::size_t>(std::min({a.rows, b.rows, kRowsCompared}) * a.columns);
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::abs(a.values[i] - b.values[i]) <= kSameAngle)) return false;
  return true;
}

}  // namespace

void StoredMatrix::read_rows(std::int64_t first, std::int64_t n, float* to) const {
  if (stretches.empty()) {
    std::copy_n(values.begin() + first * columns, n * columns, to);
    return;
  }
  std::vector<float> some;
  for (const StoredStretch& s : stretches) {
    const auto part = static_cast<std::size_t>(n * s.columns);
    const bool whole = s.columns == columns && !s.transposed;
    if (!whole) some.resize(part);
    const std::span<float> read(whole ? to : some.data(), part);
    if (!s.transposed || n == rows) {
      s.numbers.read(s.begin + static_cast<std::uint64_t>(s.transposed ? 0 : first * s.columns),
                     read);
    } else {
      for (std::int64_t c = 0; c < s.columns; ++c)
        s.numbers.read(s.begin + static_cast<std::uint64_t>(c * rows + first),
                       read.subspan(static_cast<std::size_t>(c * n), static_cast<std::size_t>(n)));
    }
    for (std::int64_t r = 0; r < n && !whole; ++r)
      for (std::int64_t c = 0; c < s.columns; ++c)
        to[r * columns + s.column + c] = some[s.transposed ? c * n + r : r * s.columns + c];
  }
}

std::vector<float> StoredMatrix::all() const {
  std::vector<float> read(static_cast<std::size_t>(rows * columns));
  read_rows(0, rows, read.data());
  return read;
}

void StoredMatrix::load() {
  if (stretches.empty()) return;
  values = all();
  stretches.clear();
}

void PortableModel::declare(const std::string& where) {
  check_config(config, where);
  const auto model = make_model(config);
  declare(model->params(), model->parts());
}

void PortableModel::declare(const Params& declared, const std::vector<ParameterPart>& published) {
  parameters.clear();
  parts = published;
  for (const NamedTensor& tensor : declared.tensors()) {
    const bool vector = tensor.shape.size() == 1;
    parameters.emplace(tensor.name,
                       StoredMatrix{vector ? 1 : tensor.shape[0], tensor.shape.back(), {}});
  }
}

std::uint64_t PortableModel::count() const {
  std::uint64_t sum = 0;
  for (const auto& [name, m] : parameters) sum += static_cast<std::uint64_t>(m.rows * m.columns);
  return sum;
}

void PortableModel::take_subword(SubwordSide side, const Vocabulary& vocabulary,
                                 const std::string& path) {
  subword(side) = number_pieces(path.empty() ? "" : read_subword(path, &losses), vocabulary, side,
                                path.empty() ? vocabulary.path : path, &losses);
}

StoredMatrix& PortableModel::at(const std::string& parameter) {
  const auto found = parameters.find(parameter);
  TT_CHECK(found != parameters.end());
  return found->second;
}

const StoredMatrix& PortableModel::at(const std::string& parameter) const {
  return const_cast<PortableModel*>(this)->at(parameter);
}

const std::string& PortableModel::name(Stack stack, Role role, bool bias) const {
  const auto found = std::ranges::find_if(parts, [&](const ParameterPart& part) {
    return part.stack == stack && part.role == role && part.layer == 0 && part.bias == bias;
  });
  TT_CHECK(found != parts.end());
  return found->parameter;
}

void PortableModel::put(const ParameterPart& part, std::span<const float> values, bool transposed) {
  StoredMatrix& m = at(part.parameter);
  TT_CHECK(part.rows == m.rows && part.column + part.columns <= m.columns);
  TT_CHECK(static_cast<std::int64_t>(values.size()) == part.rows * part.columns);
  m.values.resize(static_cast<std::size_t>(m.rows * m.columns));
  for (std::int64_t r = 0; r < part.rows; ++r)
    for (std::int64_t c = 0; c < part.columns; ++c)
      m.values[r * m.columns + part.column + c] =
          values[transposed ? c * part.rows + r : r * part.columns + c];
}

void PortableModel::put_later(const ParameterPart& part, const StoredNumbers& numbers,
                              std::uint64_t begin, bool transposed) {
  StoredMatrix& m = at(part.parameter);
  TT_CHECK(part.rows == m.rows && part.column + part.columns <= m.columns && m.values.empty());
  m.stretches.push_back({part.column, part.columns, numbers, begin, transposed});
}

void PortableModel::put_later(Stack stack, Role role, const StoredNumbers& numbers) {
  StoredMatrix& m = at(stack, role);
  TT_CHECK(numbers.size == static_cast<std::uint64_t>(m.rows * m.columns));
  m.values.clear();
  m.stretches = {{0, m.columns, numbers, 0, false}};
}

std::vector<float> PortableModel::get(const ParameterPart& part, bool transposed) const {
  const StoredMatrix& m = at(part.parameter);
  std::vector<float> values(static_cast<std::size_t>(part.rows * part.columns));
  for (std::int64_t r = 0; r < part.rows; ++r)
    for (std::int64_t c = 0; c < part.columns; ++c)
      values[transposed ? c * part.rows + r : r * part.columns + c] =
          m.values[r * m.columns + part.column + c];
  return values;
}

namespace {

// The places of all parts of layers, and of the norms and distances of stacks, that a program has.
std::vector<std::pair<const ParameterPart*, ForeignPlace>> places_of(const PortableModel& model,
                                                                     const ForeignNames& names) {
  std::vector<std::pair<const ParameterPart*, ForeignPlace>> places;
  for (const ParameterPart& part : model.parts) {
    if (part.layer == 0 && part.role != Role::gain && part.role != Role::shift &&
        part.role != Role::distances)
      continue;
    ForeignPlace place = names(part);
    TT_CHECK(place.count == 1 || place.transposed || part.rows == 1);
    if (!place.name.empty()) places.emplace_back(&part, std::move(place));
  }
  return places;
}

Shape shape_of(const ParameterPart& part, const ForeignPlace& place) {
  const std::int64_t columns = place.count * part.columns;
  return part.rows == 1     ? Shape{columns}
         : place.transposed ? Shape{columns, part.rows}
                            : Shape{part.rows, columns};
}

}  // namespace

void read_layers(PortableModel& model, ForeignTensors& tensors, const ForeignNames& names) {
  auto places = places_of(model, names);
  std::erase_if(places, [&](const auto& p) {
    const bool lacks = p.second.may_lack && !tensors.has(p.second.name);
    if (lacks) {
      StoredMatrix& m = model.at(p.first->parameter);
      m.values.resize(static_cast<std::size_t>(m.rows * m.columns));
    }
    return lacks;
  });
  for (const auto& [part, place] : places) tensors.check(place.name, shape_of(*part, place));
  std::string last;
  StoredNumbers numbers;
  for (const auto& [part, place] : places) {
    if (place.name != last) numbers = tensors.later(place.name, shape_of(*part, place));
    last = place.name;
    const auto size = static_cast<std::size_t>(part->rows * part->columns),
               begin = static_cast<std::size_t>(place.number) * size;
    if (part->rows > 1) {
      model.put_later(*part, numbers, begin, place.transposed);
      continue;
    }
    std::vector<float> values(size);
    numbers.read(begin, values);
    model.put(*part, values, place.transposed);
  }
}

void write_layers(const PortableModel& model, const ForeignNames& names, const PutTensor& put) {
  for (const auto& [part, place] : places_of(model, names))
    put(place.name, shape_of(*part, place), model.get(*part, place.transposed));
}

void take_tables(PortableModel& model, ForeignTensors& tensors, const TableNames& names) {
  Config& config = model.config;
  struct Table {
    std::string name;
    StoredNumbers numbers;
    bool operator==(const Table& other) const {
      return name == other.name || numbers == other.numbers;
    }
  };
  const auto find = [&](const std::vector<std::string>& some, std::int64_t rows) {
    const std::string name = tensors.first_of(some);
    return Table{name, tensors.later(name, {rows, config.d_model})};
  };
  const Table source = find(names.source, config.source_vocab),
              target = find(names.target, config.target_vocab),
              output = find(names.output, config.target_vocab);
  const bool tied = output == target;
  const bool inputs = (tied || names.ties_inputs) && source == target;
  config.embeddings = tied ? (inputs ? EmbeddingTies::shared : EmbeddingTies::target)
                           : (inputs ? EmbeddingTies::inputs : EmbeddingTies::none);
  config.output_bias = tensors.has(names.bias);
  model.declare(tensors.path());
  model.put_later(Stack::encoder, Role::embeddings, source.numbers);
  model.put_later(Stack::decoder, Role::embeddings, target.numbers);
  model.put_later(Stack::decoder, Role::output, output.numbers);
  if (config.output_bias)
    model.at(Stack::decoder, Role::output, true).values =
        tensors.take(names.bias, {config.target_vocab});
}

void drop_zero_biases(PortableModel& model) {
  const auto is_output_bias = [](const ParameterPart& part) {
    return part.bias && part.role == Role::output;
  };
  const auto drop = [&](const auto& is, bool& setting) {
    for (const ParameterPart& part : model.parts)
      if (is(part) && !all_zero(model.at(part.parameter))) return;
    setting = false;
    for (const ParameterPart& part : model.parts)
      if (is(part)) model.parameters.erase(part.parameter);
    std::erase_if(model.parts, is);
  };
  drop(is_attention_bias, model.config.attention_bias);
  drop(is_output_bias, model.config.output_bias);
}

void add_zero_biases(PortableModel& model) {
  PortableModel with;
  with.config = model.config;
  with.config.attention_bias = with.config.output_bias = true;
  with.declare("the model");
  for (auto& [name, matrix] : with.parameters)
    if (const auto found = model.parameters.find(name); found != model.parameters.end())
      matrix = std::move(found->second);
    else matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
  model.config = with.config;
  model.parts = std::move(with.parts);
  model.parameters = std::move(with.parameters);
}

void change_layout(PortableModel& model, PositionLayout to) {
  Config& config = model.config;
  if (config.positions != PositionKind::sinusoidal || config.position_layout == to) return;
  TT_CHECK(to != PositionLayout::tensor2tensor &&
           config.position_layout != PositionLayout::tensor2tensor);
  const std::int64_t d = config.d_model, half = (d + 1) / 2;
  std::vector<std::int64_t> order;  // column i of the new layout is column order[i] of the old
  for (std::int64_t i = 0; i < d; ++i) {
    const bool concatenate = to == PositionLayout::concatenated;
    order.push_back(concatenate ? (i < half ? 2 * i : 2 * (i - half) + 1)
                                : (i % 2 == 0 ? i / 2 : half + i / 2));
  }
  for (auto& [name, matrix] : model.parameters) matrix.load();
  std::set<std::string> columns, rows;
  for (const ParameterPart& part : model.parts) switch (part.role) {
      case Role::embeddings:
      case Role::output:
        if (!part.bias) columns.insert(part.parameter);
        break;
      case Role::out:
      case Role::gain:
      case Role::shift: columns.insert(part.parameter); break;
      case Role::query:
      case Role::key:
      case Role::value:
        if (!part.bias) rows.insert(part.parameter);
        break;
      case Role::hidden:
      case Role::gate:
        if (!part.bias && part.index == 1) rows.insert(part.parameter);
        break;
      case Role::positions:
      case Role::distances:
      case Role::score: break;
      case Role::content:
      case Role::forget: TT_CHECK(!"recurrent units keep the order of their columns");
    }
  for (const std::string& name : columns) permute(model.at(name), order, false);
  for (const std::string& name : rows) permute(model.at(name), order, true);
  config.position_layout = to;
}

StoredMatrix position_table(const PortableModel& model, Stack stack, std::int64_t rows) {
  const Config& config = model.config;
  if (config.positions == PositionKind::learned) return model.at(stack, Role::positions);
  return sinusoids(config.position_layout, config.first_position, rows, config.d_model);
}

PositionTables take_positions(ForeignTensors& tensors, const std::string& encoder,
                              const std::string& decoder, std::int64_t d) {
  const auto take = [&](const std::string& name) {
    const Shape& shape = tensors.shape(name);
    if (shape.size() != 2 || shape[1] != d || shape[0] < 1)
      throw Error(tensors.path(), ": the tensor ", in_quotes(name), " is ", to_string(shape),
                  ", not of width ", d);
    return StoredMatrix{shape[0], shape[1], tensors.take(name)};
  };
  // g++ 12 destroys members twice if one that is made in the list of a return throws.
  StoredMatrix first = take(encoder);
  return {std::move(first), take(decoder)};
}

void put_positions(PortableModel& model, const PositionTables& tables, const std::string& where) {
  if (model.config.positions != PositionKind::learned) return;
  if (tables.encoder.rows != tables.decoder.rows)
    throw Error(
        where,
        ": encoder and decoder have different numbers of positions, which cannot be imported");
  model.at(Stack::encoder, Role::positions) = tables.encoder;
  model.at(Stack::decoder, Role::positions) = tables.decoder;
}

void describe_positions(Architecture& config, const PositionTables& tables) {
  // Other programs count from 1, or from 2 where 0 and 1 are padding.
  for (const int first : {0, 1, 2})
    for (const auto layout : {PositionLayout::interleaved, PositionLayout::concatenated,
                              PositionLayout::tensor2tensor}) {
      const auto is_layout = [&](const StoredMatrix& table) {
        return same_table(
            table, sinusoids(layout, first, std::min(table.rows, kRowsCompared), table.columns));
      };
      if (!is_layout(tables.encoder) || !is_layout(tables.decoder)) continue;
      config.positions = PositionKind::sinusoidal;
      config.position_layout = layout;
      config.first_position = first;
      return;
    }
  config.positions = PositionKind::learned;
  config.max_length = static_cast<int>(tables.encoder.rows);
}

PortableModel read_portable(const std::string& path) {
  const TensorFile file = open_model(path);
  PortableModel model;
  model.path = path;
  model.config = stored_config(file);
  if (model.config.type != ModelType::transformer)
    throw Error(path, ": is of type ", get_field(model.config, "type"),
                "; only a transformer can be exported");
  model.declare(path + ": config");
  require_float32(file, ", which no other format has; give the model that it was made of");
  check_tensors(file, make_model(model.config)->params().tensors());
  for (auto& [name, matrix] : model.parameters) {
    const auto* from = static_cast<const float*>(file.find(name)->data);
    matrix.values.assign(from, from + matrix.rows * matrix.columns);
  }
  model.source = stored_subword_bytes(file, SubwordSide::source);
  model.target = stored_subword_bytes(file, SubwordSide::target);
  return model;
}

void write_portable(const PortableModel& model, const std::string& path, const std::string& origin,
                    WeightForm form) {
  check_config(model.config, origin);
  write_parameters(model, make_model(model.config)->params(),
                   {{"kind", kModelKind},
                    {"config", to_json(model.config)},
                    {"decisive_keys", decisive_keys(model.config)},
                    {"imported", origin}},
                   path, origin, form);
}

void write_parameters(const PortableModel& model, const Params& declared, const Metadata& metadata,
                      const std::string& path, const std::string& origin, WeightForm form) {
  const std::pair<const std::string*, int> sides[] = {{&model.source, model.config.source_vocab},
                                                      {&model.target, model.config.target_vocab}};
  for (const auto& [bytes, pieces] : sides) {
    const int found = Subword::parse(*bytes, origin + ", its subword model").size();
    if (found != pieces)
      throw Error(origin, ": its vocabulary has ", found, " pieces, its embeddings ", pieces,
                  " rows; they belong to other models");
  }
  const auto tensors = declared.tensors();
  for (const NamedTensor& tensor : tensors) {
    const StoredMatrix& m = model.at(tensor.name);
    if (m.stretches.empty())
      TT_CHECK(static_cast<std::int64_t>(m.values.size()) == elements(tensor.shape));
    for (const float x : m.values)
      if (!std::isfinite(x))
        throw Error(origin, ": its values for ", in_quotes(tensor.name),
                    " are not all finite; it is damaged");
  }
  save_model(path, declared, form, subword_tensors(model.source, model.target), metadata,
             [&](int index, std::int64_t first, std::int64_t n, float* to) {
               model.at(tensors[index].name).read_rows(first, n, to);
             });
}

}  // namespace tt
