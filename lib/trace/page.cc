#include "trace/page.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "base/output.h"

namespace tt {
namespace {
using nlohmann::ordered_json;

constexpr std::size_t kMost = 2'000'000;  // bytes of a page, as far as terms and folded rows go
constexpr std::int64_t kUnfolded = 40;    // rows of a matrix that all stay
constexpr std::int64_t kFewest = 8;       // of those that stay of a matrix with more

using Ranges = std::vector<std::array<std::int64_t, 2>>;  // from a row to before another

// Of the terms of products, the numbers of x or what these are multiplied with.
bool is_term(const Trace& trace, const std::string& name) {
  return name.ends_with(".factors") ||
         (name.ends_with(".units") && trace.find(name.substr(0, name.rfind('.')) + ".factors"));
}

// Rows of the first `blocks` in whole numbers, and what these are multiplied with: of terms in 16
// bits, of others the cube roots in 24, so that small numbers keep four digits beside large ones.
// The least whole number is minus infinity.
ordered_json packed(const TraceMatrix& m, std::int64_t blocks, const Ranges& kept, bool term) {
  const int bits = term ? 16 : 24, lowest = -(1 << (bits - 1));
  const double most = std::max(std::abs(m.least), std::abs(m.largest));
  const bool number = (term && m.name.ends_with(".units")) || most == 0;
  const double scale = number ? 1 : most / std::pow(-1 - lowest, term ? 1 : 3);
  std::string bytes;
  for (std::int64_t block = 0; block < blocks; ++block)
    for (const auto& [from, to] : kept)
      for (std::int64_t k = (block * m.rows + from) * m.columns;
           k < (block * m.rows + to) * m.columns; ++k) {
        const double x = static_cast<double>(m.values[static_cast<std::size_t>(k)]) / scale;
        const auto whole =
            std::isfinite(x) ? static_cast<int>(std::lround(term ? x : std::cbrt(x))) : lowest;
        bytes.append(reinterpret_cast<const char*>(&whole), static_cast<std::size_t>(bits / 8));
      }
  return {{"scale", scale}, {"bits", bits}, {"data", to_base64(bytes)}};
}

// A piece of the source and one of the target: where attention is clearest. The page begins there.
std::array<std::int64_t, 2> clearest(const Trace& trace) {
  const auto says = [](const std::string& piece) {
    return piece != "\u2581" && !piece.starts_with('<') &&
           std::ranges::any_of(piece, [](unsigned char c) { return c >= 0x80 || std::isalnum(c); });
  };
  std::array<std::int64_t, 2> best{};
  double most = 0;
  for (const TraceMatrix& m : trace.matrices)
    if ((m.name.ends_with(".cross.weights") || m.name == "attention.weights") &&
        m.rows == std::ssize(trace.target) && m.columns == std::ssize(trace.source))
      for (std::int64_t i = trace.target_context; i < m.rows; ++i)
        for (std::int64_t j = 0; j < m.columns; ++j) {
          double mean = 0;
          for (std::int64_t b = 0; b < m.blocks; ++b)
            mean += static_cast<double>(
                        m.values[static_cast<std::size_t>((b * m.rows + i) * m.columns + j)]) /
                    static_cast<double>(m.blocks);
          if (mean > most && says(trace.target[static_cast<std::size_t>(i)]) &&
              says(trace.source[static_cast<std::size_t>(j)]))
            most = mean, best = {j, i};
        }
  return best;
}

// Of the rows of a matrix, which are for pieces, at most `most` stay: a quarter of these first, a
// quarter last, and the others around one of the pieces. Nothing may have been before the first.
Ranges kept_of(const Trace& trace, const TraceMatrix& m, std::int64_t most,
               const std::array<std::int64_t, 2>& middle) {
  const bool source = rows_of_source(m.name);
  const std::int64_t n = std::ssize(source ? trace.source : trace.input), before = n - m.rows;
  if (m.rows <= kUnfolded || most >= n || before < 0 || before > 1) return {{0, m.rows}};
  const std::int64_t end = most / 4, rest = most - 2 * end;
  const std::int64_t from = std::clamp(middle[source ? 0 : 1] - rest / 2, end, n - end - rest);
  return {{0, end - before}, {from - before, from + rest - before}, {m.rows - end, m.rows}};
}

// As few digits as give the number back.
ordered_json brief(double x) { return ordered_json::parse(json_number(static_cast<float>(x))); }
ordered_json brief(const std::vector<float>& numbers) {
  ordered_json all = ordered_json::array();
  for (const float x : numbers) all.push_back(brief(static_cast<double>(x)));
  return all;
}

// A list of pieces is in `lists` once; its number there.
std::size_t number_of(const std::vector<std::string>& list,
                      std::vector<std::vector<std::string>>& lists) {
  const auto found = std::ranges::find(lists, list);
  if (found == lists.end()) lists.push_back(list);
  return static_cast<std::size_t>(std::ranges::find(lists, list) - lists.begin());
}

// With at most `terms` terms of each number of a product, but of those of feed-forward layers, and
// `rows` rows of a matrix with many.
ordered_json json_of(const Trace& trace, std::int64_t terms, std::int64_t rows) {
  const std::array<std::int64_t, 2> middle =
      trace.summarised ? std::array<std::int64_t, 2>{} : clearest(trace);
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
    if (trace.summarised) {
      one["summary"] = {m.least, m.mean, m.deviation, m.largest};
      continue;
    }
    const Ranges kept = kept_of(trace, m, rows, middle);
    if (kept.size() > 1) one["kept"] = kept;
    const TraceMatrix* const scores =
        m.name.ends_with(".weights") ? trace.find(m.name.substr(0, m.name.size() - 7) + "scores")
                                     : nullptr;
    if (scores && scores->rows == m.rows && scores->size() == m.size())
      one["scores"] = scores->name;
    else one.update(packed(m, blocks, kept, term));
  }
  for (const TraceStep& step : trace.beam) {
    ordered_json candidates = ordered_json::array();
    for (const TraceCandidate& c : step.candidates)
      candidates.push_back({c.from, c.piece, brief(c.log_probability), brief(c.sum),
                            name_of(c.fate), brief(c.score)});
    beam.push_back({{"step", step.step},
                    {"group", step.group},
                    {"outcome", name_of(step.outcome)},
                    {"candidates", std::move(candidates)}});
  }
  for (const TraceBest& one : trace.best)
    best.push_back({{"pieces", one.pieces},
                    {"logits", brief(one.logits)},
                    {"log_probabilities", brief(one.log_probabilities)},
                    {"mean", one.mean}});
  ordered_json all = header_of(trace);
  all.update(
      {{"log_probabilities", brief(trace.log_probabilities)},
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

// With as many rows of long sentences as kMost has room for, and then as many terms.
std::string page_with(std::span<const Trace> traces, std::size_t second, bool up) {
  const auto page = [&](std::int64_t terms, std::int64_t rows) {
    ordered_json data{{"traces", ordered_json::array()}, {"second", second}, {"up", up}};
    for (const Trace& trace : traces) data["traces"].push_back(json_of(trace, terms, rows));
    return page_with(std::move(data));
  };
  std::int64_t rows = kUnfolded;
  for (const Trace& trace : traces)
    rows = std::max({rows, std::ssize(trace.source), std::ssize(trace.input)});
  std::string made = page(0, rows);
  if (made.size() > kMost && rows > kUnfolded) {
    std::int64_t many = std::exchange(rows, kFewest);
    while (rows + 1 < many) {
      const std::int64_t middle = (rows + many) / 2;
      (page(1, middle).size() <= kMost ? rows : many) = middle;
    }
    made = page(0, rows);
  }
  for (std::int64_t terms = 1;; ++terms) {
    std::string next = page(terms, rows);
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
