#include "rerank/expected_lines.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/formatted.h"
#include "base/json_line.h"
#include "base/utf8.h"
#include "metrics/ter.h"
#include "rerank/candidates.h"
#include "text/invisible.h"
#include "text/words.h"

namespace tt::rerank {
namespace {

constexpr double kNormal = 1.96;  // deviations to either side, between which are 95 %
constexpr const char* kModel = "model";

using Numbers = std::vector<Feature>;

std::vector<double> values_of(const Numbers& numbers, const std::vector<std::string>& names) {
  std::vector<double> values;
  for (const std::string& name : names) values.push_back(feature_of(numbers, name));
  return values;
}

void add_number(const JsonMember& member, Numbers& numbers) {
  if (const double x = to_number(member.value()); !std::isnan(x))
    numbers.push_back({member.key, x});
}

// A line that has been read: an object with a translation, or why it is none.
struct Translated {
  std::string object, problem, translation, source, array;
  Numbers numbers;
  std::vector<std::string_view> written;  // elements of the array "words"
  std::vector<TextRange> places;          // of these in the translation

  // `words`: it must have them.
  Translated(const std::string& line, bool words) : object(repair_utf8(line)) {
    bool translated = false, found = false;
    try {
      for (const JsonMember& member : json_members(object)) {
        if (member.key == "translation" && member.text)
          translation = *member.text, translated = true;
        if (member.key == "text" && member.text) source = *member.text;
        if (member.key == "words" && words) array = member.value(), found = true;
        add_number(member, numbers);
      }
      if (!translated) problem = "has no \"translation\"";
      if (!problem.empty() || !words) return;
      if (!found) throw Error("has no \"words\", as of tt-translate --features");
      written = json_elements(array);
      places = words_of(translation);
      if (places.size() != written.size())
        throw Error("its words are not those of the translation");
      for (const std::string_view word : written) {
        own_.emplace_back();
        for (const JsonMember& member : json_members(word)) add_number(member, own_.back());
      }
    } catch (const Error& error) {
      problem = error.what();
      if (!translated) object = "{}";
    }
  }

  // The numbers of a word. At either end a word is its own neighbour.
  Numbers of_word(std::size_t word) const {
    Numbers all = own_[word];
    const auto add = [&](const Numbers& numbers, const std::string& prefix) {
      for (const Feature& feature : numbers)
        all.push_back({(feature.name == kModel ? "" : prefix) + feature.name, feature.value});
    };
    add(own_[word > 0 ? word - 1 : word], "before.");
    add(own_[word + 1 < own_.size() ? word + 1 : word], "after.");
    add(numbers, "line.");
    return all;
  }

  // Throws Error if it is of another model than the expectation that is in a file.
  void check(const ExpectedScore& expectation, const std::string& from,
             const std::string& where) const {
    if (problem.empty() && expectation.model > 0 &&
        feature_of(numbers, kModel) != expectation.model)
      throw Error(where, ": is no translation of the model that ", from,
                  " was fitted to; fit one for it");
  }

 private:
  std::vector<Numbers> own_;  // by word
};

// Examples of which a score is known.
class Examples {
 public:
  Examples(std::vector<std::string> names, const std::string& score, Reasons& problems)
      : names_(std::move(names)), score_(score), problems_(problems) {}

  // The numbers of one, which may be the first and say the names of features, and its score.
  void add(const Numbers& numbers, double score, std::size_t line) {
    if (names_.empty())
      for (const Feature& feature : numbers)
        if (feature.name != score_ && !feature.name.ends_with("." + score_) &&
            is_weight_name(feature.name))
          names_.push_back(feature.name);
    Example example{values_of(numbers, names_), score};
    if (std::isnan(score)) problems_.add("has no score; left out", line);
    else if (std::ranges::any_of(example.features, [](double x) { return std::isnan(x); }))
      problems_.add("lacks a feature; left out", line);
    else examples_.push_back(std::move(example));
  }
  const std::vector<Example>& all() const { return examples_; }
  FittedScore fit() const { return fit_expected_score(names_, examples_); }

 private:
  std::vector<std::string> names_;
  const std::string& score_;
  Reasons& problems_;
  std::vector<Example> examples_;
};

// Visits the lines that have a translation, and words if that is asked for, with what stands behind
// an LF.
void each_translation(
    LineSource& in, bool words, Reasons& problems,
    const std::function<void(const Translated&, const std::string& reference)>& visit) {
  for (std::string line; in.next(line);) {
    const std::size_t end = std::min(line.find('\n'), line.size());
    const Translated found(line.substr(0, end), words);
    if (found.problem.empty())
      visit(found, repair_utf8(line.substr(std::min(end + 1, line.size()))));
    else problems.add(found.problem + "; left out", in.line_number());
  }
}

double score_of(const metrics::Metric& metric, const std::string& text,
                const std::string& reference) {
  std::vector<std::int32_t> row(metric.width());
  const std::string_view references[] = {reference};
  metric.segment(text, references, row);
  return metric.score({row.begin(), row.end()});
}

}  // namespace

void ExpectedOfLines::complete(double sum, const ExpectedScore& expectation) {
  if (lines == 0) return;
  mean = sum / static_cast<double>(lines);
  margin = kNormal * expectation.error_of_mean(lines);
  line_margin = kNormal * expectation.error;
}

FittedScore fit_lines(LineSource& in, std::vector<std::string> names, const metrics::Metric* metric,
                      const std::string& score, Reasons& problems) {
  Examples examples(std::move(names), score, problems);
  each_translation(in, false, problems, [&](const Translated& found, const std::string& reference) {
    examples.add(
        found.numbers,
        metric ? score_of(*metric, found.translation, reference) : feature_of(found.numbers, score),
        in.line_number());
  });
  return examples.fit();
}

FittedWords fit_words(LineSource& in, std::vector<std::string> names, const std::string& score,
                      Reasons& problems) {
  Examples examples(std::move(names), score, problems);
  each_translation(in, true, problems, [&](const Translated& found, const std::string& reference) {
    const std::vector<bool> kept = metrics::kept_words(found.translation, reference);
    for (std::size_t w = 0; w < kept.size(); ++w) {
      const Numbers numbers = found.of_word(w);
      const double own = score.empty() ? kept[w] : feature_of(numbers, score);
      examples.add(numbers, std::isnan(own) ? own : 100.0 * (own > 0), in.line_number());
    }
  });
  FittedWords words{examples.fit(), {}, {}};
  std::vector<double> scores;
  for (const Example& example : examples.all()) {
    scores.push_back(example.score);
    words.kept += example.score / 100 / static_cast<double>(examples.all().size());
  }
  words.doubt = best_doubt(words.fitted.expected, scores);
  words.by_single = best_doubt(words.fitted.expected_by_single, scores);
  words.fitted.expectation.doubtful = words.doubt.below;
  return words;
}

ExpectedOfLines expect_lines(LineSource& in, const ExpectedScore& expectation, Output& out,
                             const Rest& rest, const std::string& from, Reasons& problems) {
  ExpectedOfLines found;
  double sum = 0;
  for (std::string line; in.next(line);) {
    const std::size_t number = in.line_number();
    Translated read(line, false);
    read.check(expectation, from, in.where(number));
    const double expected = expectation.of(values_of(read.numbers, expectation.weights.names));
    if (read.problem.empty() && std::isnan(expected))
      read.problem = "lacks a feature; nothing is expected of it";
    const bool known = read.problem.empty();
    if (known) sum += expected, ++found.lines;
    else problems.add(read.problem, number);
    std::string more =
        known ? "{\"expected\":" + six_digits(expected) : "{\"error\":\"no expected score\"";
    if (rest.to && !(known && expected >= rest.least)) {
      ++found.below;
      rest.to->line(std::to_string(number) + '\t' + (known ? metrics::fixed(expected, 1) : "-") +
                    '\t' + escape_invisible(read.source) + '\t' +
                    escape_invisible(read.translation));
      more += ",\"translation\":\"\"";
    }
    out.line(json_with(read.object, more + "}"));
  }
  found.complete(sum, expectation);
  return found;
}

ExpectedOfLines tag_words(LineSource& in, const ExpectedScore& expectation, Output& out, bool mark,
                          const std::string& from, Reasons& problems) {
  ExpectedOfLines found;
  double sum = 0;
  for (std::string line; in.next(line);) {
    const std::size_t number = in.line_number();
    const Translated read(line, true);
    read.check(expectation, from, in.where(number));
    if (!read.problem.empty()) problems.add(read.problem, number);
    std::string words, tags, marked;
    std::size_t done = 0;
    for (std::size_t w = 0; read.problem.empty() && w < read.places.size(); ++w) {
      const double kept = expectation.of(values_of(read.of_word(w), expectation.weights.names));
      if (std::isnan(kept))
        problems.add("a word lacks a feature; nothing is expected of it", number);
      else sum += kept, ++found.lines;
      const bool doubtful = kept < expectation.doubtful;
      found.below += doubtful;
      const auto [begin, end] = read.places[w];
      const std::string word = escape_invisible(read.translation.substr(begin, end - begin));
      marked += escape_invisible(read.translation.substr(done, begin - done)) +
                (doubtful ? "[[" + word + "]]" : word);
      done = end;
      tags += (w > 0 ? " " : "") + std::string(doubtful ? "BAD" : "OK");
      words += (w > 0 ? "," : "") +
               json_with(std::string(read.written[w]),
                         std::isnan(kept) ? "{}" : "{\"kept\":" + six_digits(kept) + "}");
    }
    if (mark) out.line(marked + escape_invisible(read.translation.substr(done)));
    else if (!read.problem.empty()) out.line(json_with(read.object, "{\"error\":\"no tags\"}"));
    else out.line(json_with(read.object, "{\"words\":[" + words + "],\"tags\":\"" + tags + "\"}"));
  }
  found.complete(sum, expectation);
  return found;
}

}  // namespace tt::rerank
