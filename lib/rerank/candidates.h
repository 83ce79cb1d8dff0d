// Candidates for the translation of a line, as lists of n best translations and of samples have
// them: a line of Moses' lists, or an element of a list in JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tt::rerank {

// A number that is known of a candidate; not a number where the list has something else.
struct Feature {
  std::string name;
  double value;
  bool reported = false;  // it has been said that it is no number
};

double to_number(std::string_view text);  // not a number unless all of it is a usable one
// Appends what is written as "NAME= value value", "NAME: value" or "NAME=value"; further values of
// a name belong to features NAME.1, NAME.2, ... False: it is something else.
bool read_features(std::string_view text, std::vector<Feature>& features);

struct Candidate {
  std::string text;  // UTF-8
  std::vector<Feature> features;
  std::vector<std::string> others;  // names of what an object has that is no number
  std::string_view written;         // in the list
  std::size_t line = 0;             // of the file
};

enum class ListFormat { moses, json };

// The candidates of one line of input, in the order of their list. They stay as they are written,
// in a text that outlives this, since a list may have a million; read_candidates() parses them.
struct CandidateList {
  ListFormat format = ListFormat::moses;
  std::uint64_t number = 1;  // of the line of input
  std::size_t line = 0;      // of the file with the list, where it begins; 0: there is none
  // Elements of JSON, or "line numbers text" of Moses' lists: the line of the file, the numbers of
  // the features of these names, and a line of a list.
  std::vector<std::string_view> written;
  std::span<const std::string> feature_names;
  std::string_view object;  // the object, or list, of a line in JSON, to which more can be added
  std::string list_key;     // of its member with the list
  std::string problem;      // why there are no candidates
};

// Told why something of a list is not as it should be, with the line of the file.
using ListProblem = std::function<void(const std::string& reason, std::size_t line)>;

// The number of the list, from 0, that a line belongs to: "7 ||| text ||| ...".
std::optional<std::uint64_t> moses_number(std::string_view line);

// The candidate of a line "number ||| text ||| features ||| score ||| ...", of which all behind the
// text may be missing; the last of its features is "score". A text may have "|||" where features
// and a score follow. Requires moses_number(line), valid UTF-8, and that the line outlives it.
Candidate read_moses(std::string_view line, std::size_t number, const ListProblem& problem);

// The list of a line of JSON, which outlives it: of an object that has the list as "n_best",
// "translations", "hypotheses" or "candidates", or the list alone. An element is a text, or an
// object that has it as "translation", "text", "translation_text" or "hypothesis"; its numbers are
// features.
CandidateList read_json(std::string_view line, std::size_t number, const ListProblem& problem);

// Parses the candidates one after the other; `take` gets the place of each in the list. What is no
// candidate is a problem, and left out.
void read_candidates(const CandidateList& list, const ListProblem& problem,
                     const std::function<void(std::size_t place, Candidate& candidate)>& take);
// The first that is one.
std::optional<Candidate> first_candidate(const CandidateList& list);

// A candidate that was chosen, with a score that replaces that of the list, and is also a feature
// `name` unless that is "score".
struct Choice {
  std::size_t candidate;  // its place in the list
  double score;
};

// The reply to a line of input: in JSON its object with "translation", the first choice's text, and
// its score as `name`, or with `n_best` > 0 with so many choices in place of the list; of Moses'
// lists that text, or so many lines. Without choices the object has an "error", and a line an empty
// text.
std::string answer(const CandidateList& list, std::span<const Choice> choices,
                   const std::string& name, std::size_t n_best);

}  // namespace tt::rerank
