#include "trace/page.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tt {
namespace {
using nlohmann::ordered_json;

// The upper 24 bits of each number, rounded, as base64: four characters a number, five digits.
std::string packed(const std::vector<float>& numbers) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(numbers.size() * 4);
  for (const float x : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t upper = (std::isfinite(x) ? bits + 0x80 : bits) >> 8;
    for (const int shift : {18, 12, 6, 0}) text += kDigits[upper >> shift & 63];
  }
  return text;
}

// A list of pieces is in `lists` once; its number there.
std::size_t number_of(const std::vector<std::string>& list,
                      std::vector<std::vector<std::string>>& lists) {
  const auto found = std::ranges::find(lists, list);
  if (found == lists.end()) lists.push_back(list);
  return static_cast<std::size_t>(std::ranges::find(lists, list) - lists.begin());
}

ordered_json json_of(const Trace& trace) {
  std::vector<std::vector<std::string>> lists;
  ordered_json matrices = ordered_json::object(), beam = ordered_json::array(),
               best = ordered_json::array();
  for (const TraceMatrix& m : trace.matrices) {
    ordered_json& one = matrices[m.name] = {
        {"blocks", m.blocks},
        {"rows", m.rows},
        {"columns", m.columns},
        {"names",
         {number_of(row_pieces(trace, m), lists), number_of(column_pieces(trace, m), lists)}},
        {"summary", {m.least, m.mean, m.deviation, m.largest}}};
    if (!trace.summarised) one["data"] = packed(m.values);
  }
  for (const TraceStep& step : trace.beam) {
    ordered_json candidates = ordered_json::array();
    for (const TraceCandidate& c : step.candidates)
      candidates.push_back({c.from, c.piece, static_cast<float>(c.log_probability),
                            static_cast<float>(c.sum), name_of(c.fate),
                            static_cast<float>(c.score)});
    beam.push_back({{"step", step.step},
                    {"group", step.group},
                    {"outcome", name_of(step.outcome)},
                    {"candidates", std::move(candidates)}});
  }
  for (const TraceBest& one : trace.best)
    best.push_back({{"pieces", one.pieces},
                    {"logits", one.logits},
                    {"log_probabilities", one.log_probabilities}});
  return {{"line", trace.line},
          {"model", trace.model},
          {"text", trace.text},
          {"translation", trace.translation},
          {"source", trace.source},
          {"input", trace.input},
          {"target", trace.target},
          {"log_probabilities", trace.log_probabilities},
          {"summarised", trace.summarised},
          {"config", ordered_json::parse(to_json(trace.config))},
          {"beam", std::move(beam)},
          {"best", std::move(best)},
          {"lists", std::move(lists)},
          {"matrices", std::move(matrices)}};
}

// JSON that can stand in a script element: without "<", nothing in it ends the element.
std::string in_script(const ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, ordered_json::error_handler_t::replace))
    if (c == '<') text += "\\u003c";
    else text += c;
  return text;
}

}  // namespace

std::string page_of(std::span<const Trace> traces, std::size_t second) {
  TT_CHECK(!traces.empty() && second < traces.size());
  ordered_json data{{"traces", ordered_json::array()}, {"second", second}};
  for (const Trace& trace : traces) data["traces"].push_back(json_of(trace));
  data["code"] = ordered_json::parse(page_files::code);
  data["words"] = {{"en", page_files::english}, {"ja", page_files::japanese}};
  std::string page;
  for (std::string_view rest = page_files::html; !rest.empty();) {
    const std::size_t at = std::min(rest.find("{{"), rest.size());
    page += rest.substr(0, at);
    rest.remove_prefix(at);
    const auto put = [&](std::string_view mark, std::string_view text) {
      if (!rest.starts_with(mark)) return;
      page += text;
      rest.remove_prefix(mark.size());
    };
    const std::size_t before = rest.size();
    put("{{style}}", page_files::style);
    put("{{script}}", page_files::script);
    put("{{data}}", in_script(data));
    TT_CHECK(rest.empty() || rest.size() < before);
  }
  return page;
}

}  // namespace tt
