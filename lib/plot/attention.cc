#include "plot/attention.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/report.h"
#include "base/split.h"
#include "plot/json_line.h"
#include "text/attention_format.h"

namespace tt::plot {
namespace {

using Json = nlohmann::json;
using namespace attention_format;

constexpr const char* kBegin = "<s>";

std::string name_of(const std::string& kind) {
  return kind == kCross ? "encoder-decoder attention" : kind + " self-attention";
}

std::string title_of(const HeadWeights& head) {
  if (head.layer && head.head)
    return "layer " + std::to_string(head.layer) + ", head " + std::to_string(head.head);
  if (head.layer) return "layer " + std::to_string(head.layer) + ", mean of its heads";
  if (head.head) return "head " + std::to_string(head.head) + ", mean over the layers";
  return "mean of all heads";
}

// Reads the fields of one record.
class Parser {
 public:
  Parser(std::string_view line, const std::string& where)
      : where_(where), json_(parse_object(line, where, kRemedy)) {}

  AttentionRecord record() const {
    AttentionRecord made;
    made.line = whole(json_, kLine, std::numeric_limits<std::int64_t>::max());
    made.source = texts(kSource);
    made.target = texts(kTarget);
    for (const Json& one : list(json_, kAttention)) made.heads.push_back(head(one, made));
    return made;
  }

 private:
  static constexpr const char* kRemedy = "write the file again";
  static constexpr double kSlack = 1e-3;  // for rounded weights

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw Error(where_, ": ", parts..., "; ", kRemedy);
  }

  const Json& field(const Json& object, const char* name) const {
    if (!object.is_object()) refuse("found ", kind_of(object), " instead of a head's attention");
    const auto found = object.find(name);
    if (found == object.end()) refuse("\"", name, "\" is missing");
    return *found;
  }

  const Json& list(const Json& object, const char* name) const {
    const Json& value = field(object, name);
    if (!value.is_array()) refuse("\"", name, "\" is ", kind_of(value), " instead of a list");
    return value;
  }

  // A positive whole number.
  std::int64_t whole(const Json& object, const char* name, std::int64_t most) const {
    const Json& value = field(object, name);
    if (!value.is_number_integer() || value < 1 || value > most)
      refuse("\"", name, "\" is ", kind_of(value), " instead of a positive whole number");
    return value.get<std::int64_t>();
  }

  std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> made;
    for (const Json& value : list(json_, name)) {
      if (!value.is_string())
        refuse("\"", name, "\" contains ", kind_of(value), " instead of the text of a piece");
      made.push_back(value.get<std::string>());
    }
    return made;
  }

  HeadWeights head(const Json& json, const AttentionRecord& record) const {
    HeadWeights made;
    const Json& kind = field(json, kKind);
    if (kind != kCross && kind != kEncoder && kind != kDecoder)
      refuse("the kind of attention is ", kind_of(kind), " instead of cross, encoder or decoder");
    made.kind = kind.get<std::string>();
    made.layer = static_cast<int>(whole(json, kLayer, std::numeric_limits<int>::max()));
    made.head = static_cast<int>(whole(json, kHead, std::numeric_limits<int>::max()));
    made.rows = static_cast<std::int64_t>(record.queries(made.kind).size());
    made.columns = static_cast<std::int64_t>(record.keys(made.kind).size());
    if (made.rows == 0 || made.columns == 0) refuse("attention of a sentence without pieces");
    const std::string name = made.kind + " attention of layer " + std::to_string(made.layer) +
                             ", head " + std::to_string(made.head);
    const Json& rows = list(json, kWeightRows);
    if (rows.size() != static_cast<std::size_t>(made.rows))
      refuse(name, " has ", rows.size(), " rows for ", made.rows, " pieces");
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Json& row = rows[r];
      if (!row.is_array())
        refuse("row ", r + 1, " of ", name, " is ", kind_of(row), " instead of a list of weights");
      if (row.size() != static_cast<std::size_t>(made.columns))
        refuse("row ", r + 1, " of ", name, " has ", row.size(), " weights for ", made.columns,
               " pieces");
      for (const Json& weight : row) made.weights.push_back(number(weight, r, name));
    }
    return made;
  }

  // JSON has no NaN: the weights of a model whose training diverged are null.
  float number(const Json& weight, std::size_t row, const std::string& name) const {
    if (weight.is_null()) return std::numeric_limits<float>::quiet_NaN();
    if (!weight.is_number() || weight < -kSlack || weight > 1 + kSlack)
      refuse("a weight in row ", row + 1, " of ", name, " is ", kind_of(weight),
             " instead of a number from 0 to 1");
    return weight.get<float>();
  }

  const std::string& where_;
  Json json_;
};

std::string one_field(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

std::vector<std::string> AttentionRecord::queries(const std::string& kind) const {
  return kind == kEncoder ? source : target;
}

std::vector<std::string> AttentionRecord::keys(const std::string& kind) const {
  if (kind != kDecoder) return source;
  std::vector<std::string> inputs = {kBegin};
  if (!target.empty()) inputs.insert(inputs.end(), target.begin(), target.end() - 1);
  return inputs;
}

AttentionRecord parse_attention(std::string_view text, const std::string& where) {
  AttentionRecord record = Parser(text, where).record();
  record.where = where;
  return record;
}

AttentionRecord read_attention(LineReader& in, std::int64_t line) {
  std::string_view text;
  std::int64_t records = 0;
  for (; in.next(text); ++records) {
    AttentionRecord record = parse_attention(text, in.where());
    if (line == 0 ? !record.heads.empty() : record.line == line) return record;
  }
  if (records == 0)
    throw Error(in.name(), ": is empty; it must have the attention of a translation");
  if (line == 0) throw Error(in.name(), ": none of its ", records, " sentences has any attention");
  throw Error(in.name(), ": has no sentence ", line, "; it has ", records);
}

std::vector<HeadWeights> choose_heads(const AttentionRecord& record, const std::string& kind,
                                      int layer, int head, bool mean) {
  std::vector<HeadWeights> chosen;
  std::set<std::string> kinds;
  int layers = 0, heads = 0;
  for (const auto& one : record.heads) {
    kinds.insert(one.kind);
    if (one.kind != kind) continue;
    layers = std::max(layers, one.layer), heads = std::max(heads, one.head);
    if ((layer == 0 || one.layer == layer) && (head == 0 || one.head == head))
      chosen.push_back(one);
  }
  if (record.heads.empty())
    throw Error(record.where, ": sentence ", record.line,
                " has no attention: it is empty, or longer than the model has positions for");
  if (layers == 0)
    throw Error(record.where, ": sentence ", record.line, " has no ", name_of(kind),
                "; found: ", join(kinds, ", "),
                kind == kCross ? ""
                               : "; ask for self-attention in translation, if the model has any: "
                                 "an LSTM and an SSRU have none");
  if (chosen.empty())
    throw Error(record.where, ": no such head: the ", name_of(kind), " has ",
                count_of(layers, "layer"), " of ", count_of(heads, "head"));
  std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) {
    return std::pair(a.layer, a.head) < std::pair(b.layer, b.head);
  });
  if (!mean) return chosen;
  HeadWeights whole = chosen[0];
  whole.layer = layer, whole.head = head;
  for (std::size_t i = 0; i < whole.weights.size(); ++i) {
    double sum = 0;
    for (const auto& one : chosen) sum += static_cast<double>(one.weights[i]);
    whole.weights[i] = static_cast<float>(sum / static_cast<double>(chosen.size()));
  }
  return {whole};
}

Figure attention_figure(const AttentionRecord& record, const std::vector<HeadWeights>& heads) {
  TT_CHECK(!heads.empty());
  const std::string& kind = heads[0].kind;
  Figure figure;
  std::size_t in_a_layer = 0;
  for (const auto& head : heads)
    in_a_layer = std::max<std::size_t>(
        in_a_layer, std::count_if(heads.begin(), heads.end(),
                                  [&](const auto& one) { return one.layer == head.layer; }));
  const bool single = heads.size() == 1;
  float most = 1e-3f;  // all panels share one scale, up to the largest weight drawn
  for (const auto& head : heads)
    for (const float weight : head.weights)
      most = std::max(most, std::isnan(weight) ? 0.0f : weight);
  // Layers with a single head are placed side by side, like heads.
  figure.columns = in_a_layer > 1 ? in_a_layer : std::min<std::size_t>(heads.size(), 8);
  figure.title = "Sentence " + std::to_string(record.line) + ": " + name_of(kind) +
                 (single ? ", " + title_of(heads[0]) : "");
  const std::string queries = kind == kEncoder ? "query (source)" : "query (target)";
  const std::string keys = kind == kDecoder ? "key (target so far)" : "key (source)";
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
      // All panels have the same axes, labelled at the left and bottom edges of the grid.
      map.title = title_of(head);
      map.text_size = 7;
      map.y.shown = i % figure.columns == 0;
      map.x.shown = i + figure.columns >= heads.size();
    }
    figure.panels.emplace_back(std::move(map));
  }
  return figure;
}

void write_attention_tsv(Output& out, const AttentionRecord& record,
                         const std::vector<HeadWeights>& heads) {
  out.line("layer\thead\trow\tquery\tcolumn\tkey\tweight");
  for (const auto& head : heads) {
    const auto queries = record.queries(head.kind), keys = record.keys(head.kind);
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::size_t j = 0; j < keys.size(); ++j) {
        char weight[32];
        const auto end =
            std::to_chars(weight, weight + sizeof weight, head.weights[i * keys.size() + j]).ptr;
        out.line(std::to_string(head.layer) + '\t' + std::to_string(head.head) + '\t' +
                 std::to_string(i + 1) + '\t' + one_field(queries[i]) + '\t' +
                 std::to_string(j + 1) + '\t' + one_field(keys[j]) + '\t' +
                 std::string(weight, end));
      }
  }
}

}  // namespace tt::plot
