// Text to text: pieces, search, text again, for some lines; with one model or the mean of several.
//
// Every line gets one translation, or as many as are wanted. A line without text is translated by a
// line without text. A line of more pieces than the limit is cut into parts of at most that many,
// and 128, which are translated like sentences and joined; it is counted as degraded.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decode/parts.h"
#include "decode/problem.h"
#include "decode/requirement.h"
#include "decode/search.h"
#include "decode/spelling.h"
#include "decode/verbatim.h"
#include "model/attended.h"
#include "model/model.h"
#include "text/languages.h"
#include "text/shortlist.h"
#include "text/subword.h"

namespace tt {

// A model that takes part, and the subword model of its source. Both must outlive what they are
// given to.
struct Member {
  const Model* model;
  const Subword* source;

  // Makes the pieces of a source what the model has learned to read: with </s>, or not, and with
  // its languages, but for the last of the pieces before it with which it begins.
  void end(std::vector<std::int32_t>& pieces, const LanguagePieces& languages) const;
};

// Appends a source, as the model ends it, and its translation behind the history that it has, which
// is that of sentence `number`.
void append_pair(Batch& batch, std::span<const std::int32_t> source,
                 const LanguagePieces& languages, std::span<const std::int32_t> target,
                 std::size_t number);

struct TranslateOptions {
  SearchOptions search;
  std::int64_t batch_tokens = 0;   // source tokens searched together; 0: see tt-translate(1)
  std::int64_t longest = 1024;     // pieces of a line, at least 1; longer ones are cut
  LanguageNames languages;         // of a model of many
  std::string source_prefix = {};  // text before each source
  // Lines may name others: in fields, or in columns of those of a side.
  bool by_line = false, from_column = false, to_column = false;
  std::vector<AttentionHead> heads;         // whose attention is found for requests that ask for it
  std::vector<LanguagePieces> pieces = {};  // by member, of requests that have none
  std::size_t language_pieces =
      0;  // how many pieces the languages of a request are, at most, on a side
  // The pieces that a line's translation can have, beside what is asked for; null: all. It is made
  // for the vocabularies of the first model. Log-probabilities are then over these.
  std::shared_ptr<const Shortlist> shortlist = nullptr;
};

// A sentence that is to be translated or scored.
struct Request {
  std::string text;
  std::uint64_t number = 0;  // that samples depend on
  std::string prefix = {};   // text that the translation begins with
  std::string target = {};   // the translation that is to be scored
  // On the translation; one in parts is not searched for them.
  std::vector<Requirement> requirements = {};
  bool attended = false;                           // the attention to it is needed
  std::span<const LanguagePieces> languages = {};  // by member; none: those of the options
};

struct Translation {
  std::string text;
  std::vector<std::int32_t>
      target;  // pieces, those of each part with </s>; empty where the line is, unless it is scored
  std::vector<float> token_scores;  // log-probabilities of the target's pieces; NaN for a </s> that
                                    // search did not reach
  double log_probability = 0;       // their sum
  std::vector<Replacement> replaced;  // from right to left
  std::vector<float> attention;  // [target pieces but </s>, source pieces], where search found it
  double score = 0;              // log-probability over the length penalty, summed over parts
};

// All that became of a line.
struct Translated {
  std::vector<std::int32_t> source;  // pieces of the first member, as those of the target
  std::vector<Translation> best;     // at least one: best first, or as they were drawn
  bool cut = false;
  std::vector<Problem> problems;  // why it could not be done as asked
  // Requirements that the best translation does not meet. Of those that are verbatim,
  // missing_kept() says more.
  std::vector<std::size_t> missing;
};

// Computes the batches of some lines: calls each(b, tapes) for every b in [0, batches), on any of
// `threads` threads.
struct BatchRunner {
  int threads = 1;
  std::function<void(std::size_t batches,
                     const std::function<void(std::size_t b, std::span<Tape* const> tapes)>& each)>
      run;
};

class Translator {
 public:
  // Requires that there is a member, and that all have the vocabulary `target`.
  Translator(std::vector<Member> members, const Subword& target, const TranslateOptions& options);

  // Translates lines, in batches of similar length, which `runner` computes with the tapes of a
  // thread, one for each member. The result for a line depends on its request only. Throws Error if
  // the model's probabilities are not finite.
  std::vector<Translated> translate(std::span<const Request> requests,
                                    const BatchRunner& runner) const;
  // Translates lines on the calling thread.
  std::vector<Translated> translate(std::span<const Request> requests,
                                    std::span<Tape* const> tapes) const;

  // The best translations alone. Requires that there is one member.
  std::vector<std::string> texts(std::span<const Request> requests, Tape& tape) const;

  // Scores translations that are given: reads source and target of each request once, and
  // says how likely the target is. A line is never cut: one that is too long has a problem, and a
  // score of minus infinity.
  std::vector<Translated> score(std::span<const Request> requests,
                                std::span<Tape* const> tapes) const;

  const TranslateOptions& options() const { return options_; }
  std::span<const LanguagePieces> languages(const Request& request) const {
    return request.languages.empty() ? options_.pieces : request.languages;
  }

 private:
  struct Part;
  std::vector<Part> split(std::span<const Request> requests,
                          std::vector<Translated>& results) const;
  void ask_for_prefix(const std::string& text, const std::vector<std::int32_t>& first, Part& part,
                      Translated& result) const;
  void ask_for_terms(const Request& request, Part& part) const;
  PieceList listed(const Part& part) const;
  void translate_batch(std::span<Part* const> parts, std::span<Tape* const> tapes) const;
  std::unique_ptr<State> start(std::span<Part* const> parts, std::span<Tape* const> tapes) const;
  void add(const Part& part, const Request& request, Translated& result) const;
  struct PlacedTerms {
    std::vector<std::size_t> missing;  // of the requirements
    std::vector<Problem> problems;
  };
  PlacedTerms place_terms(const Part& part, const Request& request, const Hypothesis& hypothesis,
                          std::string& text, std::vector<Replacement>& replaced) const;
  void complete(const Request& request, Translated& result) const;
  std::optional<Reason> read_scored(const Request& request, PartPieces& sources,
                                    Translation& translation) const;
  std::vector<double> token_scores(std::span<Batch> batches, std::span<Tape* const> tapes) const;

  std::vector<Member> members_;
  const Subword& target_;
  TranslateOptions options_;
  Spelling spelling_;
  bool joint_ = false;       // the first member has one vocabulary for both sides
  std::int64_t places_ = 0;  // what no side may be longer than, with its </s>; 0: any length
};

}  // namespace tt
