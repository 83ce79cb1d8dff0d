// The interface of all metrics: the score of a text is a function of sums of whole numbers, one row
// of them per segment.
//
// Rows add up, so a corpus, a resample of it and a single sentence are scored by the same function,
// memory is needed for rows and not for text, and sums are exact in any order, for any number of
// threads. Definitions follow sacreBLEU 2.6.0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tt {
class ThreadPool;
}

namespace tt::metrics {

struct SegmentBlock;

using Row = std::span<std::int32_t>;
using Totals = std::vector<std::int64_t>;

class Metric {
 public:
  virtual ~Metric() = default;

  // "BLEU", "chrF2++", "TER".
  virtual std::string name() const = 0;
  // The numbers in a row.
  virtual std::size_t width() const = 0;
  // Sets `row` for one segment. Safe to call from several threads. Requires at least one reference,
  // row.size() == width(), and !reads_sources().
  virtual void segment(std::string_view hypothesis, std::span<const std::string_view> references,
                       Row row) const = 0;
  // Sets the rows of a block of segments, for each system [segments, width()], with the threads of
  // `pool`: segment by segment, if the metric does nothing else.
  virtual void count(const SegmentBlock& block, ThreadPool& pool,
                     std::vector<std::vector<std::int32_t>>& rows) const;
  // The score of a sum of rows: in percent, if decimals() is 1.
  virtual double score(const Totals& totals) const = 0;
  virtual bool lower_is_better() const { return false; }
  // True if it counts words that spaces separate, and so says little of text without them.
  virtual bool needs_spaces() const { return false; }
  // The texts that it reads beside the translations.
  virtual bool reads_references() const { return true; }
  virtual bool reads_sources() const { return false; }
  // The decimals with which its scores are usually written.
  virtual int decimals() const { return 1; }

  // The metric's settings as listed in a signature: {"case", "mixed"}, {"tok", "13a"}, ...
  using Fields = std::vector<std::pair<std::string, std::string>>;
  virtual Fields fields() const = 0;
  // The text after the score in the one-line output; may be empty.
  virtual std::string verbose(const Totals&) const { return ""; }
  // The parts of a score, for JSON: {"bp", 0.98}, {"precisions", {...}}.
  using Details = std::vector<std::pair<std::string, std::variant<double, std::vector<double>>>>;
  virtual Details details(const Totals& totals) const = 0;
  // False if the scores must not be compared with those published under this name.
  virtual bool comparable() const { return true; }
  // That of the program by whose definition it scores.
  virtual std::string version() const { return "2.6.0"; }
};

// The settings of a run as listed in a signature.
struct RunFields {
  int references = 1;      // per segment; 0: their number varies
  int bootstrap = 0;       // resamples; 0: none
  int randomization = 0;   // trials; 0: none
  std::uint64_t seed = 0;  // of bootstrap or randomization
};

// How a score was computed, in the order and wording of sacreBLEU's signature: nrefs, bs, ar, seed,
// the metric's own fields, version. A short signature uses sacreBLEU's abbreviations for these
// words.
Metric::Fields signature_fields(const Metric& metric, const RunFields& run);
std::string signature(const Metric& metric, const RunFields& run, bool abbreviate = false);

// The sum of all rows. Requires rows.size() to be a multiple of width.
Totals sum_rows(std::span<const std::int32_t> rows, std::size_t width);

// `value` with `decimals` digits after the decimal point.
std::string fixed(double value, int decimals);

}  // namespace tt::metrics
