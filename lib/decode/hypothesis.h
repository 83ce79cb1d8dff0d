// A translation that search is building, or has found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "decode/length_penalty.h"

namespace tt {

// The attention to the source in the step that found a token, and those of the tokens before.
struct AttentionPath {
  std::vector<float> weights;  // of the source's pieces
  std::shared_ptr<const AttentionPath> before;
};

struct Hypothesis {
  std::vector<std::int32_t> tokens;      // without <s> and </s>
  std::vector<float> log_probabilities;  // of the tokens, and of </s> where it has ended
  double log_probability = 0;            // their sum
  // The parts of this sum: of tokens that came before search had a choice, as a prefix, and the
  // part of tokens that meet constraints.
  double forced = 0, imposed = 0;
  double score = 0;
  std::int64_t history = 0;  // how many of the first tokens are of sentences before this one
  std::size_t met = 0;       // conditions of its constraints
  bool late = false;         // it met some of them where it would have ended without
  std::shared_ptr<const AttentionPath> attention = nullptr;  // of the last token, where asked for

  // Appends what was found with a log-probability; </s> is not kept.
  void append(std::int32_t piece, float found, std::int32_t eos);

  // The score with so many tokens, </s> among them, of a translation of a source of so many:
  //   (log_probability - given - imposed) / lp(length) + imposed / lp(source)
  // Tokens that were imposed do not gain by the length of the others; those of the history count
  // nowhere.
  double score_at(std::int64_t length, const Penalty& penalty, std::int64_t source) const;

  // Leaves the tokens behind the history alone, and the log-probability that they have together.
  void forget_history();

  // Sets the score of a hypothesis that goes no further.
  void finish(const Penalty& penalty, std::int64_t source);
};

}  // namespace tt
