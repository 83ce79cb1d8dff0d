#include "rerank/candidates.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/formatted.h"
#include "base/json_line.h"

namespace tt::rerank {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kBar = "|||";
constexpr const char* kNone = "has no candidates";
constexpr const char* kListKeys[] = {"n_best", "translations", "hypotheses", "candidates"};
constexpr const char* kTextKeys[] = {"translation", "text", "translation_text", "hypothesis"};

// The fields between "|||", each without a space at both ends. What separates them stands between
// spaces, or at an end of the line.
std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> all;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::string_view field = line.substr(begin, end - begin);
    if (field.starts_with(' ')) field.remove_prefix(1);
    if (field.ends_with(' ')) field.remove_suffix(1);
    all.push_back(field);
  };
  for (std::size_t at = 0; (at = line.find(kBar, at)) != line.npos;) {
    const std::size_t behind = at + kBar.size();
    if ((at == 0 || line[at - 1] == ' ') && (behind == line.size() || line[behind] == ' ')) {
      add(at);
      begin = behind;
    }
    at = behind;
  }
  add(line.size());
  return all;
}

// A line "number ||| text ||| features ||| score ||| others".
struct Parts {
  std::string_view text, features, score;
  std::vector<std::string_view> others;
  bool has_score = false;
};

// A text may have "|||" itself: it ends before the first features that are followed by a score.
Parts parts_of(std::string_view line) {
  const std::vector<std::string_view> all = fields(line);
  Parts parts;
  std::size_t at = 2;  // of the features
  for (std::size_t i = 2; i + 1 < all.size(); ++i) {
    std::vector<Feature> features;
    if (!read_features(all[i], features) || features.empty() || std::isnan(to_number(all[i + 1])))
      continue;
    at = i;
    break;
  }
  const char* const end = all[at - 1].data() + all[at - 1].size();
  parts.text = {all[1].data(), static_cast<std::size_t>(end - all[1].data())};
  if (all.size() == 3 && !std::isnan(to_number(all[2]))) {
    parts.score = all[2], parts.has_score = true;
  } else if (all.size() > at) {
    parts.features = all[at];
    if (all.size() > at + 1) parts.score = all[at + 1], parts.has_score = true;
    if (all.size() > at + 2) parts.others.assign(all.begin() + at + 2, all.end());
  }
  return parts;
}

// Features as they are written, without the one that would be written again.
std::string without_feature(std::string text, const std::string& name) {
  const std::string sign = " " + name + "= ";
  const std::size_t at = (" " + text).find(sign);
  if (at == std::string::npos) return text;
  const std::size_t value = at + sign.size() - 1,
                    end = std::min(text.find(' ', value), text.size());
  text.erase(at == 0 ? 0 : at - 1, end - (at == 0 ? 0 : at - 1));
  if (text.starts_with(' ')) text.erase(0, 1);
  return text;
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_array(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first != text.npos && text[first] == '[';
}

const JsonMember* find(const std::vector<JsonMember>& members, std::span<const char* const> keys) {
  for (const char* key : keys)
    for (const JsonMember& member : members)
      if (member.key == key) return &member;
  return nullptr;
}

// Why the element is no candidate; nothing if it is one. `repaired` becomes true where its text
// is.
std::string read_element(std::string_view element, Candidate& candidate, bool& repaired) {
  candidate.written = element;
  if (element[0] == '"') {
    const JsonMember text = json_members("{\"\":" + std::string(element) + "}")[0];
    candidate.text = *text.text;
    repaired = text.repaired;
    return "";
  }
  if (element[0] != '{') return "a translation that is neither a text nor an object; is left out";
  const std::vector<JsonMember> members = json_members(element);
  const JsonMember* text = find(members, kTextKeys);
  if (!text || !text->text) return "a translation without a text; is left out";
  candidate.text = *text->text;
  repaired = text->repaired;
  for (const JsonMember& member : members)
    if (const char first = member.value()[0]; first == '-' || (first >= '0' && first <= '9'))
      candidate.features.push_back({member.key, to_number(member.value())});
    else if (member.value() == "null")  // of a number that is not finite
      candidate.features.push_back({member.key, kNoNumber});
    else candidate.others.push_back(member.key);
  return "";
}

// Whether the one at this place of the list is a candidate.
bool read_candidate(const CandidateList& list, std::size_t place, const ListProblem& problem,
                    Candidate& candidate) {
  std::string_view written = list.written[place];
  if (list.format == ListFormat::json) {
    candidate = {};
    candidate.line = list.line;
    bool repaired = false;
    const std::string why = read_element(written, candidate, repaired);
    if (repaired) problem("has half of a surrogate pair, which is read as U+FFFD", list.line);
    if (!why.empty()) problem(why, list.line);
    return why.empty();
  }
  const auto word = [&] {
    const std::string_view found = written.substr(0, written.find(' '));
    written.remove_prefix(found.size() + 1);
    return found;
  };
  std::size_t line = 0;
  const std::string_view digits = word();
  std::from_chars(digits.data(), digits.data() + digits.size(), line);
  std::vector<Feature> features;
  for (const std::string& name : list.feature_names) {
    const double value = to_number(word());
    features.push_back({name, value, std::isnan(value)});
  }
  candidate = read_moses(written, line, problem);
  candidate.features.insert(candidate.features.begin(), features.begin(), features.end());
  return true;
}

const ListProblem kSaidBefore = [](const std::string&, std::size_t) {};

}  // namespace

double to_number(std::string_view text) {
  double value = 0;
  const char *begin = text.data(), *end = begin + text.size();
  if (text.starts_with('+')) ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  // Sums of products of larger ones might not be finite.
  const bool usable = error == std::errc() && stop == end && std::abs(value) <= 1e100;
  return usable ? value : kNoNumber;
}

bool read_features(std::string_view text, std::vector<Feature>& features) {
  std::string name;
  std::size_t values = 0;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) continue;
    if (const std::size_t sign = word.find_last_of("=:"); sign != word.npos) {
      if (sign == 0) return false;
      name = word.substr(0, sign), values = 0;
      word.remove_prefix(sign + 1);
      if (word.empty()) continue;
    }
    if (name.empty()) return false;
    features.push_back({values == 0 ? name : name + "." + std::to_string(values), to_number(word)});
    ++values;
  }
  return true;
}

std::optional<std::uint64_t> moses_number(std::string_view line) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  const std::string_view rest = line.substr(static_cast<std::size_t>(stop - line.data()));
  if (error != std::errc() || !(rest == " |||" || rest.starts_with(" ||| "))) return std::nullopt;
  return number;
}

Candidate read_moses(std::string_view line, std::size_t number, const ListProblem& problem) {
  Candidate candidate;
  candidate.written = line;
  candidate.line = number;
  const Parts parts = parts_of(candidate.written);
  candidate.text = parts.text;
  if (!read_features(parts.features, candidate.features)) {
    candidate.features.clear();
    problem("the third field has no features \"NAME= value\"; a text ends at \" ||| \"", number);
  }
  if (parts.has_score) candidate.features.push_back({"score", to_number(parts.score)});
  return candidate;
}

CandidateList read_json(std::string_view text, std::size_t number, const ListProblem& problem) {
  CandidateList list;
  list.format = ListFormat::json;
  list.line = number;
  list.object = text;
  try {
    if (is_array(text)) {
      list.list_key = kListKeys[0];
      list.written = json_elements(text);
    } else {
      const std::vector<JsonMember> members = json_members(text);
      const JsonMember* member = find(members, kListKeys);
      if (!member) throw Error("has no list of translations, as \"n_best\"");
      list.list_key = member->key;
      if (member->value()[0] != '[') throw Error(in_quotes(member->key), " is no list");
      list.written =
          json_elements(text.substr(member->at + member->value_at, member->value().size()));
    }
  } catch (const Error& error) {
    list.problem = error.what();
    if (list.problem.starts_with("not ")) list.object = {};  // it is no object
    problem(list.problem, number);
  }
  return list;
}

void read_candidates(const CandidateList& list, const ListProblem& problem,
                     const std::function<void(std::size_t place, Candidate& candidate)>& take) {
  bool any = false;
  Candidate candidate;
  for (std::size_t place = 0; place < list.written.size(); ++place)
    if (read_candidate(list, place, problem, candidate)) take(place, candidate), any = true;
  if (!any && list.problem.empty()) problem(kNone, list.line);
}

std::optional<Candidate> first_candidate(const CandidateList& list) {
  Candidate candidate;
  for (std::size_t place = 0; place < list.written.size(); ++place)
    if (read_candidate(list, place, kSaidBefore, candidate)) return candidate;
  return std::nullopt;
}

namespace {

Candidate chosen(const CandidateList& list, const Choice& choice) {
  Candidate candidate;
  read_candidate(list, choice.candidate, kSaidBefore, candidate);
  return candidate;
}

// A line for each choice as Moses writes it, without LF at the end. Without choices there is one of
// an empty text, so that no line of input lacks a list.
std::string write_moses(const CandidateList& list, std::span<const Choice> choices,
                        const std::string& name) {
  const std::string number = std::to_string(list.number - 1) + " ||| ";
  std::string text;
  for (const Choice& choice : choices) {
    const Candidate candidate = chosen(list, choice);
    const Parts parts = parts_of(candidate.written);
    std::string features = without_feature(std::string(parts.features), name);
    if (name != "score")
      features += (features.empty() ? "" : " ") + name + "= " + six_digits(choice.score);
    text += (text.empty() ? "" : "\n") + number + candidate.text + " ||| " + features + " ||| " +
            six_digits(choice.score);
    for (const std::string_view other : parts.others) text.append(" ||| ").append(other);
  }
  return choices.empty() ? number + " |||  ||| 0" : text;
}

// The object of the list with "translation", the first choice's text, and its score as `name`; with
// `n_best` the choices take the place of the list. Without choices it has an "error".
std::string write_json(const CandidateList& list, std::span<const Choice> choices,
                       const std::string& name, bool n_best) {
  std::string more = "{";
  if (choices.empty()) {
    more += "\"error\":" + quoted(list.problem.empty() ? kNone : list.problem);
  } else {
    const Choice& best = choices[0];
    more += "\"translation\":" + quoted(chosen(list, best).text) + "," + quoted(name) + ":" +
            six_digits(best.score);
    if (n_best) {
      more += "," + quoted(list.list_key) + ":[";
      for (const Choice& choice : choices) {
        const Candidate candidate = chosen(list, choice);
        const std::string written(candidate.written),
            score = "{" + quoted(name) + ":" + six_digits(choice.score) + "}";
        if (&choice != &best) more += ",";
        more += json_with(written[0] == '{' ? written : "{\"translation\":" + written + "}", score);
      }
      more += "]";
    }
  }
  more += "}";
  std::string object(list.object);
  if (is_array(object)) object = "{\"" + list.list_key + "\":" + object + "}";
  return object.empty() ? more : json_with(object, more);
}

}  // namespace

std::string answer(const CandidateList& list, std::span<const Choice> choices,
                   const std::string& name, std::size_t n_best) {
  if (n_best > 0) choices = choices.first(std::min(n_best, choices.size()));
  if (list.format == ListFormat::json) return write_json(list, choices, name, n_best > 0);
  if (n_best > 0) return write_moses(list, choices, name);
  return choices.empty() ? "" : chosen(list, choices[0]).text;
}

}  // namespace tt::rerank
