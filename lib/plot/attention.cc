#include "plot/attention.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"

namespace tt::plot {
namespace {

using Json = nlohmann::json;

constexpr const char* kBegin = "<s>";

std::string name_of(const std::string& kind) { return kind == "cross" ? "encoder-decoder attention" : kind + " self-attention"; }

std::string title_of(const AttentionHead& head) {
  if (head.layer && head.head) return "layer " + std::to_string(head.layer) + ", head " + std::to_string(head.head);
  if (head.layer) return "layer " + std::to_string(head.layer) + ", mean of its heads";
  if (head.head) return "head " + std::to_string(head.head) + ", mean over the layers";
  return "mean of all heads";
}

AttentionHead parse_head(const Json& json, const AttentionRecord& record, const std::string& where) {
  AttentionHead head;
  head.kind = json.at("kind").get<std::string>();
  if (head.kind != "cross" && head.kind != "encoder" && head.kind != "decoder")
    throw Error(where, ": the kind of attention '", head.kind, "' is none of cross, encoder and decoder");
  head.layer = json.at("layer").get<int>();
  head.head = json.at("head").get<int>();
  if (head.layer < 1 || head.head < 1) throw Error(where, ": layers and heads are counted from 1");
  head.rows = static_cast<std::int64_t>(record.queries(head.kind).size());
  head.columns = static_cast<std::int64_t>(record.keys(head.kind).size());
  if (head.rows == 0 || head.columns == 0) throw Error(where, ": attention of a sentence without pieces");
  const Json& rows = json.at("weights");
  auto wrong_size = [&](std::size_t r, std::size_t c) {
    return Error(where, ": ", head.kind, " attention of layer ", head.layer, ", head ", head.head, " is ", r, " x ", c,
                 ", but the pieces are ", head.rows, " x ", head.columns);
  };
  if (!rows.is_array() || rows.size() != static_cast<std::size_t>(head.rows))
    throw wrong_size(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != static_cast<std::size_t>(head.columns)) throw wrong_size(rows.size(), row.size());
    for (const Json& weight : row) head.weights.push_back(weight.get<float>());
  }
  return head;
}

std::string one_field(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

std::vector<std::string> AttentionRecord::queries(const std::string& kind) const { return kind == "encoder" ? source : target; }

std::vector<std::string> AttentionRecord::keys(const std::string& kind) const {
  if (kind != "decoder") return source;
  std::vector<std::string> inputs = {kBegin};
  if (!target.empty()) inputs.insert(inputs.end(), target.begin(), target.end() - 1);
  return inputs;
}

AttentionRecord parse_attention(std::string_view text, const std::string& where) {
  try {
    const Json json = Json::parse(text);
    AttentionRecord record;
    record.line = json.at("line").get<std::int64_t>();
    record.source = json.at("source").get<std::vector<std::string>>();
    record.target = json.at("target").get<std::vector<std::string>>();
    for (const Json& head : json.at("attention")) record.heads.push_back(parse_head(head, record, where));
    return record;
  } catch (const Json::exception& error) {
    throw Error(where, ": no record of attention, as tt-translate --attention writes it: ", error.what());
  }
}

AttentionRecord read_attention(LineReader& in, std::int64_t line) {
  std::string_view text;
  std::int64_t records = 0;
  for (; in.next(text); ++records) {
    AttentionRecord record = parse_attention(text, in.where());
    if (line == 0 ? !record.heads.empty() : record.line == line) return record;
  }
  if (records == 0) throw Error(in.name(), ": is empty; write it with tt-translate --attention FILE");
  if (line == 0) throw Error(in.name(), ": none of its ", records, " sentences has any attention");
  throw Error(in.name(), ": has no sentence ", line, " among its ", records);
}

std::vector<AttentionHead> choose_heads(const AttentionRecord& record, const std::string& kind, int layer, int head, bool mean) {
  std::vector<AttentionHead> chosen;
  std::set<std::string> kinds;
  int layers = 0, heads = 0;
  for (const auto& one : record.heads) {
    kinds.insert(one.kind);
    if (one.kind != kind) continue;
    layers = std::max(layers, one.layer), heads = std::max(heads, one.head);
    if ((layer == 0 || one.layer == layer) && (head == 0 || one.head == head)) chosen.push_back(one);
  }
  if (record.heads.empty()) throw Error("sentence ", record.line, " has no attention: it is empty");
  if (layers == 0) {
    std::string found;
    for (const auto& one : kinds) found += (found.empty() ? "" : ", ") + one;
    throw Error("sentence ", record.line, " has no ", name_of(kind), "; found: ", found);
  }
  if (chosen.empty()) throw Error("there is no such head: the ", name_of(kind), " has ", layers, " layers of ", heads, " heads");
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& a, const auto& b) { return std::pair(a.layer, a.head) < std::pair(b.layer, b.head); });
  if (!mean) return chosen;
  AttentionHead whole = chosen[0];
  whole.layer = layer, whole.head = head;
  for (std::size_t i = 0; i < whole.weights.size(); ++i) {
    double sum = 0;
    for (const auto& one : chosen) sum += static_cast<double>(one.weights[i]);
    whole.weights[i] = static_cast<float>(sum / static_cast<double>(chosen.size()));
  }
  return {whole};
}

Figure attention_figure(const AttentionRecord& record, const std::vector<AttentionHead>& heads) {
  TT_CHECK(!heads.empty());
  const std::string& kind = heads[0].kind;
  Figure figure;
  std::size_t in_a_layer = 0;
  for (const auto& head : heads)
    in_a_layer = std::max<std::size_t>(
        in_a_layer, std::count_if(heads.begin(), heads.end(), [&](const auto& one) { return one.layer == head.layer; }));
  const bool single = heads.size() == 1;
  float most = 1e-3f;  // all panels have one scale, up to the largest weight that is drawn
  for (const auto& head : heads) most = std::max(most, *std::max_element(head.weights.begin(), head.weights.end()));
  // Layers of one head each stand side by side, as heads do.
  figure.columns = in_a_layer > 1 ? in_a_layer : std::min<std::size_t>(heads.size(), 8);
  figure.title = "Sentence " + std::to_string(record.line) + ": " + name_of(kind) + (single ? ", " + title_of(heads[0]) : "");
  const std::string queries = kind == "encoder" ? "query (source)" : "query (target)";
  const std::string keys = kind == "decoder" ? "key (target so far)" : "key (source)";
  if (!single) figure.y_label = queries, figure.x_label = keys;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto& head = heads[i];
    Heatmap map;
    map.rows = head.rows, map.columns = head.columns;
    map.values = head.weights;
    map.high = most;
    map.square = true;
    map.bar = i + 1 == heads.size();
    map.unit = "weight";
    map.y.names = record.queries(kind);
    map.x.names = record.keys(kind);
    if (single) {
      map.y.label = queries, map.x.label = keys;
    } else {
      // All panels have the same axes, written at the left and the lower edge of the grid.
      map.title = title_of(head);
      map.text_size = 7;
      map.y.shown = i % figure.columns == 0;
      map.x.shown = i + figure.columns >= heads.size();
    }
    figure.panels.emplace_back(std::move(map));
  }
  return figure;
}

void write_attention_tsv(Output& out, const AttentionRecord& record, const std::vector<AttentionHead>& heads) {
  out.line("layer\thead\trow\tquery\tcolumn\tkey\tweight");
  for (const auto& head : heads) {
    const auto queries = record.queries(head.kind), keys = record.keys(head.kind);
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::size_t j = 0; j < keys.size(); ++j) {
        char weight[32];
        const auto end = std::to_chars(weight, weight + sizeof weight, head.weights[i * keys.size() + j]).ptr;
        out.line(std::to_string(head.layer) + '\t' + std::to_string(head.head) + '\t' + std::to_string(i + 1) + '\t' +
                 one_field(queries[i]) + '\t' + std::to_string(j + 1) + '\t' + one_field(keys[j]) + '\t' +
                 std::string(weight, end));
      }
  }
}

}  // namespace tt::plot
