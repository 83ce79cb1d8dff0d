#include "tools/options.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/number.h"
#include "base/split.h"

namespace tt {
namespace {

template <class T>
std::string digits(T value) {
  char text[64];
  if constexpr (!std::is_integral_v<T>)
    if (value >= 1)  // 1000000
      return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr};
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T>
struct Plain {
  using type = T;
  static std::string initial(const T& value) { return digits(value); }
};
template <class T>
struct Plain<std::optional<T>> {
  using type = T;
  static std::string initial(const std::optional<T>& value) { return value ? digits(*value) : ""; }
};

template <class T>
Value number_from(T& to, typename Plain<T>::type least, typename Plain<T>::type most) {
  using Number = typename Plain<T>::type;
  constexpr bool kWhole = std::is_integral_v<Number>;
  const std::string range = digits(least) + " to " + digits(most);
  const auto read = [&to, least, most, range](const std::string& text) {
    const auto value = number_in<Number>(text);
    if (!value || !(*value >= least && *value <= most))
      return (kWhole ? "must be an integer from " : "must be a number from ") + range + ", not " +
             in_quotes(text);
    to = *value;
    return std::string();
  };
  Value value{kWhole ? "N" : "X", read};
  const std::string before = Plain<T>::initial(to);
  const auto shown = number_in<Number>(before);
  if (shown && *shown >= least && *shown <= most) value.initial = before;
  if (most <= 1024) value.range = range;  // larger ones only keep numbers from overflowing
  return value;
}

std::string empty_problem(const std::string& text) {
  return text.empty() ? "the text is empty" : "";
}

// Puts values into a list, of which the first replaces what stood there before.
std::function<void(const std::string&)> append(Words& to) {
  return [&to, first = true](const std::string& text) mutable {
    if (first) to.clear();
    first = false;
    to.push_back(text);
  };
}

std::string unknown_part(const std::string& list, const Words& choices, bool open) {
  if (list.empty() && open) return "the list is empty";
  for (const std::string& part : list.empty() ? Words{""} : split(list))
    if (std::ranges::find(choices, part) == choices.end() && !open)
      return "must be a list of " + alternatives(choices) + ", not " + in_quotes(part);
  return "";
}

Value path(const char* name, const std::function<void(const std::string&)>& put,
           const std::string& refused) {
  return {.name = name,
          .read =
              [put, refused](const std::string& text) {
                if (text.empty()) return std::string("the name is empty");
                if (text == refused) return std::string("must be a folder, not stdout");
                put(text);
                return std::string();
              },
          .again = Again::refused};
}

}  // namespace

Value Value::as(const std::string& other) const {
  Value value = *this;
  value.name = other;
  return value;
}

Value Value::initially(const std::string& other) const {
  Value value = *this;
  value.initial = other;
  return value;
}

Value Value::words(std::size_t fewest, std::size_t greatest) const {
  Value value = *this;
  value.least = fewest, value.most = greatest, value.again = Again::refused;
  return value;
}

OptionRules variable(const char* name) { return {.variable = name}; }

OptionRules operator+(OptionRules a, const OptionRules& b) {
  a.required |= b.required, a.brief |= b.brief, a.hidden |= b.hidden;
  if (b.variable) a.variable = b.variable;
  for (const auto names : {&OptionRules::unless, &OptionRules::excludes, &OptionRules::needs})
    (a.*names).insert((a.*names).end(), (b.*names).begin(), (b.*names).end());
  return a;
}

Value toggle(bool& to) {
  return {"", [&to](const std::string&) {
            to = true;
            return std::string();
          }};
}

template <class T>
Value number(T& to, double least, double most) {
  using Number = typename Plain<T>::type;
  return number_from(to, static_cast<Number>(least), static_cast<Number>(most));
}

template <class T>
Value number(T& to) {
  return number_from(to, typename Plain<T>::type{0},
                     std::numeric_limits<typename Plain<T>::type>::max());
}

template Value number(int&, double, double);
template Value number(std::int64_t&, double, double);
template Value number(std::uint64_t&, double, double);
template Value number(float&, double, double);
template Value number(double&, double, double);
template Value number(std::optional<int>&, double, double);
template Value number(std::optional<std::int64_t>&, double, double);
template Value number(std::optional<float>&, double, double);
template Value number(std::optional<double>&, double, double);
template Value number(std::uint64_t&);

Value choice(std::string& to, const Words& choices) {
  Value value = text(to, [choices](const std::string& word) {
    const bool known = std::ranges::find(choices, word) != choices.end();
    return known ? "" : "must be " + alternatives(choices) + ", not " + in_quotes(word);
  });
  return value.name = "NAME", value.choices = choices, value;
}

Value list(std::string& to, const Words& choices, bool open) {
  Value value = text(
      to, [=](const std::string& all) { return unknown_part(all, choices, open); }, choices);
  return value.name = "LIST", value.list = true, value;
}

Value list(Words& to, const Words& choices) {
  const auto read = [choices, put = append(to)](const std::string& all) {
    const std::string problem = unknown_part(all, choices, false);
    if (!problem.empty()) return problem;
    for (const std::string& part : split(all)) put(part);
    return problem;
  };
  return {.name = "LIST",
          .read = read,
          .initial = join(to, ","),
          .choices = choices,
          .list = true,
          .again = Again::adds};
}

Value text(std::string& to, const std::function<std::string(const std::string&)>& problem,
           const Words& known) {
  const auto read = [&to, find = problem ? problem : empty_problem](const std::string& text) {
    std::string found = find(text);
    if (found.empty()) to = text;
    return found;
  };
  return {.name = "TEXT", .read = read, .initial = to, .choices = known};
}

Value file(std::string& to) {
  Value value = path(
      "FILE", [&to](const std::string& text) { to = text; }, "");
  return value.initial = to, value;
}

Value file(Words& to) {
  Value value = path("FILE", append(to), "");
  return value.again = Again::adds, value;
}

Value files(std::vector<Words>& to, std::size_t fewest, std::size_t greatest) {
  Value value = path(
      "FILE", [&to](const std::string& text) { to.back().push_back(text); }, "");
  value.begin = [&to, first = true]() mutable {
    if (first) to.clear();
    first = false;
    to.emplace_back();
  };
  return value.least = fewest, value.most = greatest, value.again = Again::adds, value;
}

Value folder(std::string& to) {
  return path(
      "FOLDER", [&to](const std::string& text) { to = text; }, "-");
}

Words Option::spellings() const { return split(names); }
std::string Option::spelt() const { return spellings().back(); }

Command command(const char* name, const char* summary, std::vector<Option> options,
                std::function<int()> work, const char* example) {
  return {name, summary, {{"Options", std::move(options)}}, std::move(work), example};
}

Words names(const std::vector<Command>& commands) {
  Words words;
  for (const Command& command : commands) words.push_back(command.name);
  return words;
}

Words split(const std::string& list) {
  if (list.empty()) return {};
  const auto parts = split(list, ',');
  return {parts.begin(), parts.end()};
}

std::string alternatives(const Words& words, bool quoted) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0                  ? ""
             : i + 1 == words.size() ? " or "
                                     : ", ") +
            (quoted ? in_quotes(words[i]) : words[i]);
  return text;
}

void check_stdin_once(const Words& read) {
  if (std::ranges::count(read, "-") > 1)
    throw UsageError("the standard input can be read only once; name files for all inputs but one");
}

}  // namespace tt
