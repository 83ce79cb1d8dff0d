#include "lines/reply.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/formatted.h"
#include "base/json_line.h"
#include "base/split.h"
#include "clean/pair.h"

namespace tt {
namespace {

// With float, whose six digits the library prints as they are; of double, one number in a thousand
// has 17.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                  std::int64_t, std::uint64_t, float>;

// A number that JSON can hold: null stands for one that is not finite.
Json number(double x) { return std::isfinite(x) ? Json::parse(six_digits(x)) : Json(); }

std::string alignment_text(const SoftAlignment& soft, AlignmentKind kind) {
  return kind == AlignmentKind::hard ? hard_alignment(soft) : soft_alignment(soft);
}

// Of the probabilities p of pieces the means of log p, p and -p log p, and of log p the least and
// the deviation.
class Certainty {
 public:
  void add(float score) {
    if (std::isnan(score)) return;
    const auto x = static_cast<double>(score);
    ++count_, sum_ += x, squares_ += x * x, sure_ += std::exp(x), entropy_ -= x * std::exp(x);
    least_ = std::min(least_, x);
  }
  void write(Json& object) const {
    const double some = std::max(1.0, count_), mean = sum_ / some;
    object["mean"] = number(mean);
    object["probability"] = number(count_ > 0 ? sure_ / some : 1);
    object["entropy"] = number(entropy_ / some);
    object["least"] = number(least_);
    object["deviation"] = number(std::sqrt(std::max(0.0, squares_ / some - mean * mean)));
  }

 private:
  double sum_ = 0, squares_ = 0, sure_ = 0, entropy_ = 0, least_ = 0, count_ = 0;
};

// Of each word, as words_of() the sentences are, how certain its pieces are, their number, and how
// rare the rarest is: the logarithm of its number, since frequent ones come first.
Json describe_words(const Line& line, std::size_t b, const Subword& target, bool scored) {
  Json all = Json::array();
  for (const LineSentence& sentence : line.text.sentences) {
    const Translation& t = sentence.best(b);
    const std::vector<TextRange> words = words_of(t.text);
    struct Pieces {
      Certainty certainty;
      int count = 0, last = 0;
    };
    std::vector<Pieces> pieces(words.size());
    if (!t.token_scores.empty()) {
      const auto behind = words_behind(places_of_pieces(t, target, scored), words);
      const std::size_t before = t.target.size() - 1 - behind.size();  // of its language
      for (std::size_t i = 0; i < behind.size(); ++i)
        for (std::size_t w = behind[i].begin; w < behind[i].end; ++w) {
          pieces[w].certainty.add(t.token_scores[before + i]);
          pieces[w].last = std::max(pieces[w].last, t.target[before + i]);
          ++pieces[w].count;
        }
    }
    for (std::size_t w = 0; w < words.size(); ++w) {
      Json& word = all.emplace_back();
      word["word"] = words[w].in(t.text);
      pieces[w].certainty.write(word);
      word["pieces"] = pieces[w].count;
      word["rarity"] = number(std::log(1.0 + pieces[w].last));
    }
  }
  return all;
}

// Of the lengths also how much, as a logarithm, the translation is shorter or longer than the
// model's are for such a source; its own; and the problems of the line.
void add_features(const Translation& t, const Line& line, double length, Json& object) {
  Certainty certainty;
  for (const float score : t.token_scores) certainty.add(score);
  clean::Side source, target;
  clean::read_side(line.text.text, source), clean::read_side(t.text, target);
  const auto counted = [](const clean::Side& side) { return static_cast<double>(side.length + 1); };
  const double longer = std::log(counted(target) / (counted(source) * length));
  certainty.write(object);
  object["shorter"] = number(std::max(0.0, -longer));
  object["longer"] = number(std::max(0.0, longer));
  object["length"] =
      number(std::log(static_cast<double>(std::max<std::size_t>(1, t.target.size()))));
  object["problems"] = line.text.problems.all().size();
}

Json describe(std::size_t b, const Line& line, const Subword& target,
              const OutputOptions& options) {
  const Translation& t = line.found.result.best[b];
  const auto& alignments = line.found.alignments;
  const SoftAlignment* const alignment = b < alignments.size() ? &alignments[b] : nullptr;
  Json object;
  if (!options.scoring) object["translation"] = t.text;
  object["score"] = number(t.score);
  object["log_probability"] = number(t.log_probability);
  object["tokens"] = t.target.size();
  if (options.confidence) object["confidence"] = number(confidence(t));
  if (options.features) {
    object["model"] = options.model;
    add_features(t, line, options.length, object);
    object["words"] = describe_words(line, b, target, options.scoring);
  }
  if (alignment && options.alignment.kind == AlignmentKind::hard)
    object["alignment"] = hard_alignment(*alignment);
  if (alignment && options.alignment.kind == AlignmentKind::soft) {
    object["alignment"] = Json::array();
    for (const auto& row : *alignment) {
      Json& numbers = object["alignment"].emplace_back(Json::array());
      for (const float x : row) numbers.push_back(std::round(x * 1e4f) / 1e4f);
    }
  }
  if (options.token_scores) {
    object["pieces"] = object["token_scores"] = Json::array();
    for (const std::int32_t piece : t.target) object["pieces"].push_back(target.piece(piece));
    for (const float score : t.token_scores)
      object["token_scores"].push_back(number(static_cast<double>(score)));
  }
  return object;
}

std::string dump(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_reply(const Line& line, const Subword& target, const OutputOptions& options) {
  Json found;
  if (options.with_text) found["text"] = line.raw;
  if (line.text.answerable) {
    found.update(describe(0, line, target, options));
    if (line.text.remembered) found["memory"] = true;
    if (options.list) {
      found["n_best"] = Json::array();
      for (std::size_t b = 0; b < line.found.result.best.size(); ++b)
        found["n_best"].push_back(describe(b, line, target, options));
    }
  }
  const std::string why = join(line.text.problems, "; ", text_of);
  if (!why.empty()) found[line.text.answerable ? "warning" : "error"] = why;
  return line.answer(dump(found));
}

}  // namespace

double confidence(const Translation& t) {
  const auto known = std::count_if(t.token_scores.begin(), t.token_scores.end(),
                                   [](float score) { return !std::isnan(score); });
  return std::exp(t.log_probability / static_cast<double>(std::max<std::ptrdiff_t>(1, known)));
}

std::string reply(const Line& line, const Subword& target, const OutputOptions& options) {
  if (options.format == OutputFormat::json) return json_reply(line, target, options);
  if (!line.text.answerable) return line.raw;
  const AlignmentKind kind = options.alignment.kind;
  const auto& best = line.found.result.best;
  const auto& alignments = line.found.alignments;
  std::string text;
  if (options.format == OutputFormat::moses) {
    for (std::size_t i = 0; i < line.found.written; ++i) {
      const Translation& t = best[i];
      text += (text.empty() ? "" : "\n") + std::to_string(line.text.number - 1) + " ||| " + t.text +
              " ||| LogProb= " + six_digits(t.log_probability) +
              " Length= " + std::to_string(t.target.size()) + " ||| " + six_digits(t.score);
      if (kind != AlignmentKind::none) text += " ||| " + alignment_text(alignments[i], kind);
      if (options.confidence) text += " ||| " + six_digits(confidence(t));
    }
    return text;
  }
  std::vector<std::string> columns;  // behind the translation
  if (kind != AlignmentKind::none) columns.push_back(alignment_text(alignments[0], kind));
  if (options.confidence) columns.push_back(six_digits(confidence(best[0])));
  text = options.scoring ? six_digits(best[0].score) : best[0].text;
  if (!columns.empty()) std::ranges::replace(text, '\t', ' ');
  text = line.answer(text);
  for (const std::string& column : columns) text += "\t" + column;
  return text;
}

}  // namespace tt
