#include "exchange/portable.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/checkpoint.h"
#include "model/model.h"
#include "model/positions.h"
#include "model/stored_subword.h"
#include "model/weight_form.h"
#include "text/subword.h"

namespace tt {
namespace {

constexpr float kSameAngle = 1e-5f;  // tables that programs computed in float32 or float64
// Angles of far positions lose digits in float32: only the first ones tell tables apart.
constexpr std::int64_t kRowsCompared = 64;

std::string side_name(bool decoder) { return decoder ? "decoder" : "encoder"; }

bool all_zero(const StoredMatrix& m) {
  return std::all_of(m.values.begin(), m.values.end(), [](float x) { return x == 0; });
}

bool is_attention_bias(const std::string& name) {
  return name.ends_with("_bias") && !name.ends_with(".gates_bias") &&
         (name.find(".self.") != std::string::npos || name.find(".cross.") != std::string::npos);
}

// Reads or writes through to[i] = from[order[i]] along one dimension of a matrix.
void permute(StoredMatrix& m, const std::vector<std::int64_t>& order, bool rows) {
  const std::vector<float> from = m.values;
  for (std::int64_t r = 0; r < m.rows; ++r)
    for (std::int64_t c = 0; c < m.columns; ++c)
      m.values[static_cast<std::size_t>(r * m.columns + c)] = from[static_cast<std::size_t>(
          rows ? order[static_cast<std::size_t>(r)] * m.columns + c : r * m.columns + order[static_cast<std::size_t>(c)])];
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

void PortableModel::declare(const std::string& where) {
  check_config(config, where);
  parameters.clear();
  for (const NamedTensor& tensor : make_model(config)->params().tensors()) {
    const bool vector = tensor.shape.size() == 1;
    parameters.emplace(tensor.name, StoredMatrix{vector ? 1 : tensor.shape[0], tensor.shape.back(), {}});
  }
}

StoredMatrix& PortableModel::at(const std::string& parameter) {
  const auto found = parameters.find(parameter);
  TT_CHECK(found != parameters.end());
  return found->second;
}

const StoredMatrix& PortableModel::at(const std::string& parameter) const {
  const auto found = parameters.find(parameter);
  TT_CHECK(found != parameters.end());
  return found->second;
}

void PortableModel::put(const Slot& slot, const std::vector<float>& values, bool transposed) {
  StoredMatrix& m = at(slot.parameter);
  TT_CHECK(slot.rows == m.rows && slot.column + slot.columns <= m.columns);
  TT_CHECK(static_cast<std::int64_t>(values.size()) == slot.rows * slot.columns);
  m.values.resize(static_cast<std::size_t>(m.rows * m.columns));
  for (std::int64_t r = 0; r < slot.rows; ++r)
    for (std::int64_t c = 0; c < slot.columns; ++c)
      m.values[static_cast<std::size_t>(r * m.columns + slot.column + c)] =
          values[static_cast<std::size_t>(transposed ? c * slot.rows + r : r * slot.columns + c)];
}

std::vector<float> PortableModel::get(const Slot& slot, bool transposed) const {
  const StoredMatrix& m = at(slot.parameter);
  std::vector<float> values(static_cast<std::size_t>(slot.rows * slot.columns));
  for (std::int64_t r = 0; r < slot.rows; ++r)
    for (std::int64_t c = 0; c < slot.columns; ++c)
      values[static_cast<std::size_t>(transposed ? c * slot.rows + r : r * slot.columns + c)] =
          m.values[static_cast<std::size_t>(r * m.columns + slot.column + c)];
  return values;
}

std::vector<LinearMap> linear_maps(const Config& config) {
  std::vector<LinearMap> maps;
  const std::int64_t d = config.d_model, f = config.d_ff;
  const std::int64_t hk = std::int64_t{config.heads} * config.key_size(), hv = std::int64_t{config.heads} * config.value_size();
  const auto add = [&](bool decoder, int layer, Block block, const char* part, const Slot& weight) {
    maps.push_back({decoder, layer, block, part, weight, {weight.parameter + "_bias", weight.column, 1, weight.columns}});
  };
  for (const bool decoder : {false, true})
    for (int i = 1; i <= (decoder ? config.decoder_layers : config.encoder_layers); ++i) {
      const std::string layer = side_name(decoder) + "." + std::to_string(i);
      const std::string qkv = layer + ".self.qkv";
      if (decoder && config.decoder_self == DecoderSelf::ssru) {
        add(decoder, i, Block::self, "content", {layer + ".self.gates", 0, d, d});
        add(decoder, i, Block::self, "forget", {layer + ".self.gates", d, d, d});
      } else {
        add(decoder, i, Block::self, "q", {qkv, 0, d, hk});
        add(decoder, i, Block::self, "k", {qkv, hk, d, hk});
        add(decoder, i, Block::self, "v", {qkv, 2 * hk, d, hv});
        add(decoder, i, Block::self, "out", {layer + ".self.out", 0, hv, d});
      }
      if (decoder) {
        const std::int64_t column = (i - 1) * (hk + hv);
        add(decoder, i, Block::cross, "q", {layer + ".cross.q", 0, d, hk});
        add(decoder, i, Block::cross, "k", {"decoder.cross.kv", column, d, hk});
        add(decoder, i, Block::cross, "v", {"decoder.cross.kv", column + hk, d, hv});
        add(decoder, i, Block::cross, "out", {layer + ".cross.out", 0, hv, d});
      }
      for (int j = 1; j <= config.ffn_layers; ++j)
        add(decoder, i, Block::ffn, std::to_string(j).c_str(),
            {layer + (j == 1 ? ".ffn.in" : ".ffn.hidden" + std::to_string(j)), 0, j == 1 ? d : f, f});
      add(decoder, i, Block::ffn, std::to_string(config.ffn_layers + 1).c_str(), {layer + ".ffn.out", 0, f, d});
    }
  return maps;
}

std::vector<NormMap> norm_maps(const Config& config) {
  std::vector<NormMap> maps;
  const auto add = [&](bool decoder, int layer, Block block, const std::string& name) {
    maps.push_back({decoder, layer, block, name + ".norm.gain", name + ".norm.bias"});
  };
  for (const bool decoder : {false, true}) {
    for (int i = 1; i <= (decoder ? config.decoder_layers : config.encoder_layers); ++i) {
      const std::string layer = side_name(decoder) + "." + std::to_string(i);
      add(decoder, i, Block::self, layer + ".self");
      if (decoder) add(decoder, i, Block::cross, layer + ".cross");
      add(decoder, i, Block::ffn, layer + ".ffn");
    }
    if (config.has_final_norm()) add(decoder, 0, Block::ffn, side_name(decoder));
  }
  return maps;
}

EmbeddingNames embedding_names(const Config& config) {
  if (config.embeddings == EmbeddingTies::shared) return {"embeddings", "embeddings", "embeddings"};
  const bool tied = config.embeddings == EmbeddingTies::target;
  return {"encoder.embeddings", "decoder.embeddings", tied ? "decoder.embeddings" : "output"};
}

void drop_zero_biases(PortableModel& model) {
  bool zero = true;
  for (const auto& [name, matrix] : model.parameters)
    if (is_attention_bias(name)) zero &= all_zero(matrix);
  if (zero) {
    model.config.attention_bias = false;
    std::erase_if(model.parameters, [](const auto& entry) { return is_attention_bias(entry.first); });
  }
  if (model.config.output_bias && all_zero(model.at("output_bias"))) {
    model.config.output_bias = false;
    model.parameters.erase("output_bias");
  }
}

void add_zero_biases(PortableModel& model) {
  PortableModel with;
  with.config = model.config;
  with.config.attention_bias = with.config.output_bias = true;
  with.declare("the model");
  for (auto& [name, matrix] : with.parameters)
    if (const auto found = model.parameters.find(name); found != model.parameters.end()) matrix = std::move(found->second);
    else matrix.values.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
  model.config = with.config;
  model.parameters = std::move(with.parameters);
}

void change_layout(PortableModel& model, PositionLayout to) {
  Config& config = model.config;
  if (config.positions != PositionKind::sinusoidal || config.position_layout == to) return;
  TT_CHECK(to != PositionLayout::tensor2tensor && config.position_layout != PositionLayout::tensor2tensor);
  const std::int64_t d = config.d_model, half = (d + 1) / 2;
  std::vector<std::int64_t> order;  // column i of the new layout is column order[i] of the old
  for (std::int64_t i = 0; i < d; ++i) {
    const bool concatenate = to == PositionLayout::concatenated;
    order.push_back(concatenate ? (i < half ? 2 * i : 2 * (i - half) + 1) : (i % 2 == 0 ? i / 2 : half + i / 2));
  }
  const EmbeddingNames embeddings = embedding_names(config);
  std::vector<std::string> columns{embeddings.source};
  if (embeddings.target != embeddings.source) columns.push_back(embeddings.target);
  if (embeddings.output != embeddings.target) columns.push_back(embeddings.output);
  std::vector<std::string> rows;
  for (const LinearMap& map : linear_maps(config)) {
    const bool last = map.part == "out" || (map.block == Block::ffn && map.weight.parameter.ends_with(".out"));
    const bool first = map.part == "q" || map.part == "k" || (map.block == Block::ffn && map.part == "1");
    if (last) {
      columns.push_back(map.weight.parameter);
      if (model.parameters.contains(map.bias.parameter)) columns.push_back(map.bias.parameter);
    } else if (first && std::find(rows.begin(), rows.end(), map.weight.parameter) == rows.end()) {
      rows.push_back(map.weight.parameter);
    }
  }
  for (const NormMap& map : norm_maps(config)) columns.insert(columns.end(), {map.gain, map.bias});
  for (const std::string& name : columns) permute(model.at(name), order, false);
  for (const std::string& name : rows) permute(model.at(name), order, true);
  config.position_layout = to;
}

StoredMatrix position_table(const PortableModel& model, bool decoder, std::int64_t rows) {
  const Config& config = model.config;
  if (config.positions == PositionKind::learned) return model.at(side_name(decoder) + ".positions");
  return sinusoids(config.position_layout, config.first_position, rows, config.d_model);
}

void describe_positions(Config& config, const PositionTables& tables) {
  // Other programs count from 1, or from 2 where 0 and 1 are padding.
  for (const int first : {0, 1, 2})
    for (const auto layout : {PositionLayout::interleaved, PositionLayout::concatenated, PositionLayout::tensor2tensor}) {
      const auto is_layout = [&](const StoredMatrix& table) {
        return same_table(table, sinusoids(layout, first, std::min(table.rows, kRowsCompared), table.columns));
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
    throw Error(path, ": is of type ", get_field(model.config, *find_field("type")), "; only a transformer can be exported");
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

void write_portable(const PortableModel& model, const std::string& path, const std::string& origin) {
  check_config(model.config, origin);
  const std::pair<const std::string*, int> sides[] = {{&model.source, model.config.source_vocab},
                                                      {&model.target, model.config.target_vocab}};
  for (const auto& [bytes, pieces] : sides) {
    const int found = Subword::parse(*bytes, origin + ", its subword model").size();
    if (found != pieces)
      throw Error(origin, ": its vocabulary has ", found, " pieces, its embeddings ", pieces,
                  " rows; they belong to other models");
  }
  std::vector<NamedTensor> tensors = make_model(model.config)->params().tensors();
  for (NamedTensor& tensor : tensors) {
    const StoredMatrix& m = model.at(tensor.name);
    TT_CHECK(static_cast<std::int64_t>(m.values.size()) == elements(tensor.shape));
    for (const float x : m.values)
      if (!std::isfinite(x))
        throw Error(origin, ": its values for ", in_quotes(tensor.name), " are not all finite; it is damaged");
    tensor.data = m.values.data();
  }
  const auto subwords = subword_tensors(model.source, model.target);
  tensors.insert(tensors.end(), subwords.begin(), subwords.end());
  save_tensors(path, tensors,
               {{"kind", kModelKind},
                {"config", to_json(model.config)},
                {"decisive_keys", decisive_keys(model.config)},
                {"imported", origin}});
}

}  // namespace tt
