#include "trace/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "base/error.h"

namespace tt {
namespace {
using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::int64_t kMostValues = std::int64_t{1} << 28;  // of a matrix
constexpr std::array kFates{"lives", "ends", "dropped", "barred"};
constexpr std::array kOutcomes{"goes on", "done", "limit", "nothing lives"};

std::string dump(const ordered_json& of) {
  return of.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

template <class T>
std::string shortest(T number) {
  if (!std::isfinite(number)) return "null";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string list_of(const std::vector<float>& numbers) {
  std::string text = "[";
  for (const float x : numbers) {
    if (text.size() > 1) text += ',';
    text += shortest(x);
  }
  return text + "]";
}

ordered_json finite(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); }

ordered_json json_of(const TraceStep& step) {
  ordered_json candidates = ordered_json::array();
  for (const TraceCandidate& c : step.candidates) {
    ordered_json one{{"from", c.from}, {"piece", c.piece}};
    if (c.fate != CandidateFate::barred) {
      one["log_probability"] = finite(c.log_probability);
      one["sum"] = finite(c.sum);
    }
    one["fate"] = name_of(c.fate);
    if (c.fate == CandidateFate::ends) one["score"] = finite(c.score);
    candidates.push_back(std::move(one));
  }
  return {{"beam", step.step},
          {"group", step.group},
          {"candidates", std::move(candidates)},
          {"outcome", name_of(step.outcome)}};
}

}  // namespace

const char* name_of(CandidateFate fate) { return kFates[static_cast<std::size_t>(fate)]; }
const char* name_of(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

std::string json_number(float number) { return shortest(number); }

std::string to_json(const TraceUpdate& u) {
  ordered_json one{{"update", u.update},
                   {"tokens", u.tokens},
                   {"parameter", u.parameter},
                   {"row", u.row},
                   {"column", u.column}};
  for (const auto& [name, member] : kUpdateNumbers) one[name] = finite(u.*member);
  return dump(one);
}

void TraceMatrix::summarise() {
  double sum = 0, squares = 0, count = 0;
  least = INFINITY, largest = -INFINITY;
  for (const float value : values) {
    const auto x = static_cast<double>(value);
    if (!std::isfinite(x)) continue;
    sum += x, ++count;
    least = std::min(least, x), largest = std::max(largest, x);
  }
  mean = count > 0 ? sum / count : 0;
  for (const float value : values) {
    const double far = static_cast<double>(value) - mean;
    if (std::isfinite(far)) squares += far * far;
  }
  deviation = count > 0 ? std::sqrt(squares / count) : 0;
  if (count == 0) least = largest = 0;
}

const TraceMatrix* Trace::find(std::string_view name) const {
  const auto found = std::ranges::find(matrices, name, &TraceMatrix::name);
  return found == matrices.end() ? nullptr : &*found;
}

namespace {

// Keys are of the source, or of what the decoder reads if it attends to itself.
bool of_source(std::string_view name, bool keys) {
  return name.starts_with("encoder.") ||
         (keys && (name.find(".cross.") != name.npos || name.starts_with("attention.")));
}

}  // namespace

bool rows_of_source(std::string_view name) {
  return of_source(name,
                   name.ends_with(".k") || name.ends_with(".v") || name.find(".kv.") != name.npos);
}

std::vector<std::string> row_pieces(const Trace& trace, const TraceMatrix& of) {
  const std::string_view name = of.name;
  std::vector<std::string> pieces = rows_of_source(name) ? trace.source : trace.input;
  if (name.find(".backward.") != name.npos) std::ranges::reverse(pieces);
  const auto rows = static_cast<std::size_t>(of.rows);
  if (rows + 1 == pieces.size()) pieces.erase(pieces.begin());  // nothing was before the first
  if (rows != pieces.size()) pieces.clear();
  return pieces;
}

std::vector<std::string> column_pieces(const Trace& trace, const TraceMatrix& of) {
  if (!of.name.ends_with(".scores") && !of.name.ends_with(".weights")) return {};
  std::vector<std::string> pieces = of_source(of.name, true) ? trace.source : trace.input;
  if (static_cast<std::size_t>(of.columns) != pieces.size()) pieces.clear();
  return pieces;
}

ordered_json header_of(const Trace& trace) {
  return {{"line", trace.line},
          {"model", trace.model},
          {"text", trace.text},
          {"translation", trace.translation},
          {"source", trace.source},
          {"input", trace.input},
          {"target", trace.target},
          {"source_context", trace.source_context},
          {"target_context", trace.target_context}};
}

void write_trace(Output& out, const Trace& trace) {
  const std::size_t records =
      trace.beam.size() + trace.best.size() + trace.matrices.size() + (trace.update ? 1 : 0);
  ordered_json known{{"trace", kVersion}};
  known.update(header_of(trace));
  std::string header = dump(known);
  header.back() = ',';
  out.line(header + "\"log_probabilities\":" + list_of(trace.log_probabilities) +
           ",\"summarised\":" + (trace.summarised ? "true" : "false") + ",\"config\":" +
           to_json(trace.config) + ",\"records\":" + std::to_string(records) + "}");
  for (const TraceStep& step : trace.beam) out.line(dump(json_of(step)));
  for (std::size_t i = 0; i < trace.best.size(); ++i) {
    const TraceBest& best = trace.best[i];
    std::string line = dump({{"best", i + 1}, {"pieces", best.pieces}});
    line.back() = ',';
    out.line(line + "\"logits\":" + list_of(best.logits) + ",\"log_probabilities\":" +
             list_of(best.log_probabilities) + ",\"mean\":" + shortest(best.mean) + "}");
  }
  if (trace.update) out.line(to_json(*trace.update));
  for (const TraceMatrix& m : trace.matrices) {
    std::string line =
        dump({{"matrix", m.name}, {"blocks", m.blocks}, {"rows", m.rows}, {"columns", m.columns}});
    line.back() = ',';
    if (trace.summarised)
      line += "\"mean\":" + shortest(m.mean) + ",\"deviation\":" + shortest(m.deviation) +
              ",\"least\":" + shortest(m.least) + ",\"largest\":" + shortest(m.largest);
    else line += "\"values\":" + list_of(m.values);
    out.line(line + "}");
  }
}

namespace {

// Reads one line of a trace; whatever is not as it should be is an Error that says where.
class Record {
 public:
  Record(std::string_view line, const std::string& where) : where_(where) {
    try {
      json_ = json::parse(line);
    } catch (const json::exception&) {
      refuse("is not JSON, or cut off");
    }
    if (!json_.is_object()) refuse("is no JSON object");
  }

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw Error(where_, ": ", parts..., "; a trace is made by tt-translate --trace");
  }

  bool has(const char* key) const { return json_.contains(key); }

  const json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) refuse("has no \"", key, "\"");
    return *found;
  }

  std::string text(const char* key) const {
    if (!at(key).is_string()) refuse("\"", key, "\" is no text");
    return at(key).get<std::string>();
  }

  std::int64_t whole(const char* key, std::int64_t least, std::int64_t most) const {
    const json& value = at(key);
    if (!value.is_number_integer() || value < least || value > most)
      refuse("\"", key, "\" is ", in_quotes(value.dump()), " instead of a whole number from ",
             least, " to ", most);
    return value.get<std::int64_t>();
  }

  double number(const char* key) const { return number_of(at(key), key, false); }

  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> all;
    for (const json& one : list(key)) {
      if (!one.is_string()) refuse("\"", key, "\" has a value that is no text");
      all.push_back(one.get<std::string>());
    }
    return all;
  }

  // `masked`: some may be null, for minus infinity.
  std::vector<float> numbers(const char* key, std::size_t count, bool masked = false) const {
    std::vector<float> all;
    for (const json& one : list(key))
      all.push_back(static_cast<float>(number_of(one, key, masked)));
    if (all.size() != count)
      refuse("\"", key, "\" has ", all.size(), " numbers instead of ", count);
    return all;
  }

  const json& list(const char* key) const {
    if (!at(key).is_array()) refuse("\"", key, "\" is no list");
    return at(key);
  }

  bool flag(const char* key) const {
    if (!at(key).is_boolean()) refuse("\"", key, "\" is neither true nor false");
    return at(key).get<bool>();
  }

  Record inside(const json& part) const { return {part, where_}; }

 private:
  Record(const json& part, const std::string& where) : where_(where), json_(part) {
    if (!json_.is_object()) refuse("has a value that is no JSON object");
  }

  double number_of(const json& value, const char* key, bool masked) const {
    if (masked && value.is_null()) return -INFINITY;
    if (!value.is_number()) refuse("\"", key, "\" has a value that is no number");
    const double number = value.get<double>();
    if (std::abs(number) > static_cast<double>(std::numeric_limits<float>::max()))
      refuse("\"", key, "\" has a number that is too large");
    return number;
  }

  const std::string& where_;
  json json_;
};

Trace read_header(const Record& record, const std::string& where, std::int64_t& records) {
  if (!record.has("trace")) record.refuse("is no trace");
  const json& version = record.at("trace");
  if (version != kVersion)
    throw Error(where, ": is a trace of version ", in_quotes(version.dump()),
                ", and this program reads version ", kVersion,
                "; make it again, or use the program that it was made for");
  Trace trace;
  trace.line = static_cast<std::uint64_t>(record.whole("line", 0, INT64_MAX));
  trace.model = record.text("model");
  trace.text = record.text("text");
  trace.translation = record.text("translation");
  trace.source = record.texts("source");
  trace.input = record.texts("input");
  trace.target = record.texts("target");
  if (trace.input.size() != trace.target.size())
    record.refuse("\"input\" has ", trace.input.size(), " pieces, and \"target\" ",
                  trace.target.size());
  trace.source_context = record.whole("source_context", 0, std::ssize(trace.source));
  trace.target_context = record.whole("target_context", 0, std::ssize(trace.target));
  trace.log_probabilities = record.numbers("log_probabilities", trace.target.size());
  trace.summarised = record.flag("summarised");
  const std::string config = record.at("config").dump();
  const std::set<std::string> decisive;
  read_json(trace.config, config, where, &decisive);
  records = record.whole("records", 0, 10'000'000);
  return trace;
}

// The number of a name among those that there are.
std::size_t choice(const Record& record, const char* key, std::span<const char* const> names) {
  const std::string name = record.text(key);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) record.refuse("\"", key, "\" is ", in_quotes(name));
  return static_cast<std::size_t>(found - names.begin());
}

TraceStep step(const Record& record, const std::vector<TraceStep>& before) {
  TraceStep step{static_cast<int>(record.whole("beam", 1, 1 << 24)),
                 static_cast<int>(record.whole("group", 1, 10'000)),
                 {},
                 static_cast<Outcome>(choice(record, "outcome", kOutcomes))};
  std::int64_t lived = 1;
  for (const TraceStep& other : before)
    if (other.group == step.group)
      lived = std::ranges::count(other.candidates, CandidateFate::lives, &TraceCandidate::fate);
  for (const json& part : record.list("candidates")) {
    const Record one = record.inside(part);
    TraceCandidate c;
    c.from = static_cast<int>(one.whole("from", 0, lived - 1));
    c.piece = one.text("piece");
    c.fate = static_cast<CandidateFate>(choice(one, "fate", kFates));
    if (c.fate != CandidateFate::barred)
      c.log_probability = one.number("log_probability"), c.sum = one.number("sum");
    if (c.fate == CandidateFate::ends) c.score = one.number("score");
    step.candidates.push_back(std::move(c));
  }
  return step;
}

TraceUpdate update(const Record& record) {
  TraceUpdate u;
  u.update = record.whole("update", 1, INT64_MAX), u.tokens = record.whole("tokens", 1, INT64_MAX);
  u.parameter = record.text("parameter");
  u.row = record.whole("row", 1, 1 << 24), u.column = record.whole("column", 1, 1 << 24);
  for (const auto& [name, member] : kUpdateNumbers) u.*member = record.number(name);
  return u;
}

TraceMatrix matrix(const Record& record, bool summarised) {
  TraceMatrix m;
  m.name = record.text("matrix");
  m.blocks = record.whole("blocks", 1, 10'000);
  m.rows = record.whole("rows", 0, 1 << 24);
  m.columns = record.whole("columns", 0, 1 << 24);
  if (m.rows * m.columns > kMostValues || m.size() > kMostValues)
    record.refuse("its matrix is too large");
  if (!summarised) {
    m.values = record.numbers("values", static_cast<std::size_t>(m.size()), true);
    m.summarise();
    return m;
  }
  m.mean = record.number("mean"), m.deviation = record.number("deviation");
  m.least = record.number("least"), m.largest = record.number("largest");
  return m;
}

}  // namespace

bool read_trace(LineReader& in, Trace& trace) {
  std::string_view line;
  if (!in.next(line)) return false;
  std::string where = in.where();
  std::int64_t records = 0;
  trace = read_header(Record(line, where), where, records);
  for (std::int64_t i = 0; i < records; ++i) {
    if (!in.next(line))
      throw Error(in.name(), ": is cut off: of the trace of line ", trace.line, " it has ", i,
                  " of ", records, " records; make it again");
    where = in.where();
    const Record record(line, where);
    if (record.has("matrix")) {
      trace.matrices.push_back(matrix(record, trace.summarised));
    } else if (record.has("beam")) {
      trace.beam.push_back(step(record, trace.beam));
    } else if (record.has("best")) {
      TraceBest best{record.texts("pieces"), {}, {}};
      best.logits = record.numbers("logits", best.pieces.size());
      best.log_probabilities = record.numbers("log_probabilities", best.pieces.size());
      best.mean = record.number("mean");
      trace.best.push_back(std::move(best));
    } else if (record.has("update")) {
      trace.update = update(record);
    } else {
      record.refuse(
          "is none of a trace's records: a matrix, a step of the beam, or the best pieces");
    }
  }
  return true;
}

}  // namespace tt
