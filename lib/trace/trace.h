// A trace: all that one sentence was to a model. tt-translate writes it, tt-trace reads it; the
// names of both are here.
//
// A file of traces is lines of JSON. Each sentence is a header, which says how many lines follow,
// and these:
//   {"trace": 1, "line": 7, "model": "model.tt", "text": ..., "translation": ...,
//    "source": [piece, ...], "input": [piece, ...], "target": [piece, ...],
//    "source_context": 0, "target_context": 0, "log_probabilities": [...], "summarised": false,
//    "config": {...}, "records": n}
//   {"beam": 1, "group": 1, "candidates": [{"from": 0, "piece": ..., "log_probability": ...,
//    "sum": ..., "fate": "lives", "score": ...}, ...], "outcome": "goes on"}
//   {"best": 1, "pieces": [...], "logits": [...], "log_probabilities": [...], "mean": ...}
//   {"update": 100, "parameter": ..., "row": 1, "column": 1, "rate": ..., "gradient": ..., ...}
//   {"matrix": "encoder.1.self.scores", "blocks": heads, "rows": n, "columns": n, "values": [...]}
// A number that is not finite is null; so is a score that the mask hides. Matrices stand in the
// order in which they were computed; those of a sentence that is too long have "mean", "deviation",
// "least" and "largest" in place of their values. tt-train --trace writes one, with its update.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_reader.h"
#include "base/output.h"
#include "decode/search_observer.h"
#include "model/config.h"

namespace tt {

// Sentences of more pieces, on either side, have summaries of their matrices.
inline constexpr std::size_t kLongestTraced = 300;

// [blocks rows, columns]: heads are blocks, one under the other, of scores and weights.
struct TraceMatrix {
  std::string name;
  std::int64_t blocks = 1, rows = 0, columns = 0;
  std::vector<float> values;  // none where it is summarised
  double mean = 0, deviation = 0, least = 0, largest = 0;

  std::int64_t size() const { return blocks * rows * columns; }
  void summarise();  // sets the numbers above from those of `values` that are finite
};

// The fate of a continuation that search looked at.
enum class CandidateFate { lives, ends, dropped, barred };

struct TraceCandidate {
  int from = 0;  // the hypothesis that it continues: which of those of the step before that live
  std::string piece;
  double log_probability = 0, sum = 0;  // of the piece, and of all up to it
  CandidateFate fate = CandidateFate::dropped;
  double score = 0;  // of one that ends
};

struct TraceStep {
  int step = 1, group = 1;
  std::vector<TraceCandidate> candidates;
  Outcome outcome = Outcome::goes_on;
};

// The likeliest pieces at a position of the target, and the mean log-probability of all pieces.
struct TraceBest {
  std::vector<std::string> pieces;
  std::vector<float> logits, log_probabilities;
  double mean = 0;
};

// The step of one weight of a matrix in an update of training, whose gradient is the matrix
// "gradient": Adam's moments and the weight before and behind it. The gradient is the mean over the
// `tokens` of the update, before it is multiplied by `scale`, which clips it.
struct TraceUpdate {
  std::int64_t update = 1, tokens = 0, row = 1, column = 1;
  std::string parameter;
  double rate = 0, scale = 1, norm = 0, gradient = 0, first_before = 0, first = 0,
         square_before = 0, square = 0, before = 0, after = 0;
};
// Of its numbers, their names in the file.
inline constexpr std::pair<const char*, double TraceUpdate::*> kUpdateNumbers[] = {
    {"rate", &TraceUpdate::rate},
    {"scale", &TraceUpdate::scale},
    {"norm", &TraceUpdate::norm},
    {"gradient", &TraceUpdate::gradient},
    {"first_before", &TraceUpdate::first_before},
    {"first", &TraceUpdate::first},
    {"square_before", &TraceUpdate::square_before},
    {"square", &TraceUpdate::square},
    {"before", &TraceUpdate::before},
    {"after", &TraceUpdate::after}};

struct Trace {
  std::uint64_t line = 1;
  std::string model, text, translation;
  std::vector<std::string> source, input, target;       // pieces; input: what the decoder reads
  std::int64_t source_context = 0, target_context = 0;  // the first of these, of lines before
  std::vector<float> log_probabilities;                 // of the target's
  bool summarised = false;
  Config config;
  std::vector<TraceStep> beam;  // none where the translation was given
  std::vector<TraceBest> best;  // one for each piece of the target
  std::vector<TraceMatrix> matrices;
  std::optional<TraceUpdate> update;

  const TraceMatrix* find(std::string_view name) const;
};

// Whether the rows of a matrix are for pieces of the source.
bool rows_of_source(std::string_view name);
// The pieces that are the rows of a matrix, or its columns; none where they are only numbered.
std::vector<std::string> row_pieces(const Trace& trace, const TraceMatrix& of);
std::vector<std::string> column_pieces(const Trace& trace, const TraceMatrix& of);

void write_trace(Output& out, const Trace& trace);

// Sets `trace` to the next of a file; false at its end. Throws Error, with file and line, where it
// is no trace, of another version, damaged or cut off.
bool read_trace(LineReader& in, Trace& trace);

// A line, its translation and the pieces of both.
nlohmann::ordered_json header_of(const Trace& trace);
// The text of a number as JSON has it: as few digits as give it back; null where it is not finite.
std::string json_number(float number);
std::string to_json(const TraceUpdate& update);
// Their names in the file.
const char* name_of(CandidateFate fate);
const char* name_of(Outcome outcome);

}  // namespace tt
