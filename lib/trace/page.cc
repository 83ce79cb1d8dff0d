#include "trace/page.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/error.h"
#include "base/output.h"

namespace tt {
namespace {
using nlohmann::ordered_json;

constexpr std::size_t kMost = 2'000'000;  // bytes of a page, as far as terms of products go

template <class T>
std::string packed(const std::vector<T>& numbers) {
  return to_base64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)});
}

// Of the terms of products, the numbers of x or what these are multiplied with.
bool is_term(const Trace& trace, const std::string& name) {
  return name.ends_with(".factors") ||
         (name.ends_with(".units") && trace.find(name.substr(0, name.rfind('.')) + ".factors"));
}

// The first `blocks` in whole numbers of 16 bits, and what these are multiplied with.
ordered_json shortened(const TraceMatrix& m, std::int64_t blocks) {
  const double most = std::max(std::abs(m.least), std::abs(m.largest));
  const double scale = m.name.ends_with(".units") || most == 0 ? 1 : most / 32767;
  std::vector<std::int16_t> numbers;
  for (const float x :
       std::span(m.values).first(static_cast<std::size_t>(blocks * m.rows * m.columns)))
    numbers.push_back(static_cast<std::int16_t>(std::lround(static_cast<double>(x) / scale)));
  return {{"scale", scale}, {"data", packed(numbers)}};
}

// A list of pieces is in `lists` once; its number there.
std::size_t number_of(const std::vector<std::string>& list,
                      std::vector<std::vector<std::string>>& lists) {
  const auto found = std::ranges::find(lists, list);
  if (found == lists.end()) lists.push_back(list);
  return static_cast<std::size_t>(std::ranges::find(lists, list) - lists.begin());
}

// With at most `terms` terms of each number of a product, but of those of feed-forward layers.
ordered_json json_of(const Trace& trace, std::int64_t terms) {
  std::vector<std::vector<std::string>> lists;
  ordered_json matrices = ordered_json::object(), beam = ordered_json::array(),
               best = ordered_json::array();
  for (const TraceMatrix& m : trace.matrices) {
    const bool term = is_term(trace, m.name), some = m.name.find(".ffn.out.") == m.name.npos;
    const std::int64_t blocks = term && some ? std::min(m.blocks, terms) : m.blocks;
    if (blocks == 0) continue;
    ordered_json& one = matrices[m.name] = {
        {"blocks", blocks},
        {"rows", m.rows},
        {"columns", m.columns},
        {"names",
         {number_of(row_pieces(trace, m), lists), number_of(column_pieces(trace, m), lists)}}};
    if (trace.summarised) one["summary"] = {m.least, m.mean, m.deviation, m.largest};
    else if (term) one.update(shortened(m, blocks));
    else one["data"] = packed(m.values);
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
                    {"log_probabilities", one.log_probabilities},
                    {"mean", one.mean}});
  ordered_json all = header_of(trace);
  all.update(
      {{"log_probabilities", trace.log_probabilities},
       {"summarised", trace.summarised},
       {"config", ordered_json::parse(to_json(trace.config))},
       {"beam", std::move(beam)},
       {"best", std::move(best)},
       {"update", trace.update ? ordered_json::parse(to_json(*trace.update)) : ordered_json()},
       {"lists", std::move(lists)},
       {"matrices", std::move(matrices)}});
  return all;
}

// JSON that can stand in a script element: without "<", nothing in it ends the element.
std::string in_script(const ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, ordered_json::error_handler_t::replace))
    if (c == '<') text += "\\u003c";
    else text += c;
  return text;
}

std::string page_with(ordered_json data) {
  data["code"] = ordered_json::parse(page_files::code);
  data["words"] = {{"en", page_files::english}, {"ja", page_files::japanese}};
  std::string page(page_files::html);
  const auto put = [&](std::string_view mark, std::string_view text) {
    page.replace(page.find(mark), mark.size(), text);
  };
  put("{{style}}", page_files::style);
  put("{{script}}", page_files::script);
  put("{{data}}", in_script(data));  // which may have marks of its own
  return page;
}

std::string file_of(std::size_t sentence) { return std::to_string(sentence + 1) + ".html"; }

// With as many terms as kMost has room for.
std::string page_with(std::span<const Trace> traces, std::size_t second, bool up) {
  const auto page = [&](std::int64_t terms) {
    ordered_json data{{"traces", ordered_json::array()}, {"second", second}, {"up", up}};
    for (const Trace& trace : traces) data["traces"].push_back(json_of(trace, terms));
    return page_with(std::move(data));
  };
  std::string made = page(0);
  for (std::int64_t terms = 1;; ++terms) {
    std::string next = page(terms);
    if (next == made || next.size() > kMost) return made;
    made = std::move(next);
  }
}

}  // namespace

std::string page_of(std::span<const Trace> traces, std::size_t second) {
  TT_CHECK(!traces.empty() && second < traces.size());
  return page_with(traces, second, false);
}

void write_pages(const std::string& folder, std::span<const Trace> traces) {
  AtomicFolder to(folder);
  ordered_json index = ordered_json::array();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    to.add(file_of(i), page_with(traces.subspan(i, 1), 0, true));
    index.push_back({{"file", file_of(i)},
                     {"text", traces[i].text},
                     {"translation", traces[i].translation},
                     {"model", traces[i].model}});
  }
  to.add(
      "index.html",
      page_with({{"traces", ordered_json::array()}, {"second", 0}, {"index", std::move(index)}}));
  to.commit();
}

}  // namespace tt
