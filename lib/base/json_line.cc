#include "base/json_line.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tt {
namespace {

using nlohmann::json;

// The end of the number of JSON's grammar that begins at i; i where there is none.
std::size_t number_end(std::string_view s, std::size_t i) {
  const auto digits = [&](std::size_t j) {
    while (j < s.size() && std::isdigit(static_cast<unsigned char>(s[j]))) ++j;
    return j;
  };
  const auto at = [&](std::size_t j) { return j < s.size() ? s[j] : '\0'; };
  const std::size_t first = i + (at(i) == '-');
  std::size_t end = at(first) == '0' ? first + 1 : digits(first);
  if (end == first) return i;
  if (at(end) == '.') {
    const std::size_t begin = end + 1;
    end = digits(begin);
    if (end == begin) return i;
  }
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t begin = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-');
    end = digits(begin);
    if (end == begin) return i;
  }
  return end;
}

// The four hexadecimal digits behind \u at i; -1 where there are none.
int code_unit(std::string_view s, std::size_t i) {
  if (i + 6 > s.size() || s[i] != '\\' || s[i + 1] != 'u') return -1;
  int unit = 0;
  for (const char c : s.substr(i + 2, 4)) {
    if (!std::isxdigit(static_cast<unsigned char>(c))) return -1;
    unit = unit * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return unit;
}

bool high_surrogate(int unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool low_surrogate(int unit) { return unit >= 0xdc00 && unit < 0xe000; }

// A line of the same length and structure with nothing in it that the library could not hold: a
// number is 0 and spaces, half of a surrogate pair U+FFFD. What is no number ends this: the library
// refuses it.
std::string holdable(std::string_view line) {
  std::string s(line);
  bool quoted = false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '"') {
      quoted = !quoted;
    } else if (quoted && s[i] == '\\') {
      const int unit = code_unit(s, i);
      const bool pair = high_surrogate(unit) && low_surrogate(code_unit(s, i + 6));
      if (!pair && (high_surrogate(unit) || low_surrogate(unit))) s.replace(i, 6, "\\ufffd");
      i += pair ? 11 : 1;
    } else if (!quoted && (s[i] == '-' || std::isdigit(static_cast<unsigned char>(s[i])))) {
      const std::size_t end = number_end(s, i);
      if (end == i) return s;
      s.replace(i, end - i, "0" + std::string(end - i - 1, ' '));
      i = end - 1;
    }
  }
  return s;
}

// The end of the value, or key, that begins at i of an object that was found to be valid.
std::size_t value_end(std::string_view s, std::size_t i) {
  bool quoted = false;
  for (int depth = 0;; ++i) {
    const char c = s[i];
    if (quoted) {
      i += c == '\\';
      quoted = c != '"';
      if (!quoted && depth == 0) return i + 1;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']' || c == ',') {
      if (depth == 0) return i;
      if (c != ',' && --depth == 0) return i + 1;
    }
  }
}

// Throws Error unless the text, as it is held, is JSON of this type.
void check_type(const std::string& s, json::value_t wanted, const char* name) {
  json::value_t type;
  // The library takes it for the end.
  if (const std::size_t nul = s.find('\0'); nul != std::string::npos)
    throw Error("not JSON: at byte " + std::to_string(nul + 1));
  try {
    // Members are checked, and not kept.
    type = json::parse(s, [](int depth, json::parse_event_t, const json&) {
             return depth == 0;
           }).type();
  } catch (const json::parse_error& error) {
    throw Error("not JSON: at byte " + std::to_string(error.byte));
  }
  if (type != wanted) throw Error("not a JSON ", name);
}

std::size_t skip(std::string_view s, std::size_t i, char one) {
  return s.find_first_not_of(std::string{' ', '\t', '\r', '\n', one}, i);
}

// Of the value that ends before `end`: without the white space behind it.
std::string_view written(std::string_view line, std::size_t begin, std::size_t end) {
  return line.substr(begin, line.find_last_not_of(" \t\r\n", end - 1) + 1 - begin);
}

}  // namespace

std::vector<JsonMember> json_members(std::string_view line) {
  const std::string s = holdable(line);
  check_type(s, json::value_t::object, "object");
  std::vector<JsonMember> members;
  for (std::size_t i = skip(s, s.find('{') + 1, ' '); s[i] == '"';) {
    const std::size_t key = value_end(s, i), value = skip(s, key, ':'), end = value_end(s, value);
    JsonMember& member = members.emplace_back();
    member.key = json::parse(s.substr(i, key - i)).get<std::string>();
    if (s[value] == '"') member.text = json::parse(s.substr(value, end - value)).get<std::string>();
    member.repaired = member.text && s.compare(value, end - value, line, value, end - value) != 0;
    member.written = written(line, i, end);
    member.at = i;
    member.value_at = value - i;
    i = skip(s, end, ',');
  }
  return members;
}

std::vector<std::string_view> json_elements(std::string_view array) {
  const std::string s = holdable(array);
  check_type(s, json::value_t::array, "array");
  std::vector<std::string_view> elements;
  for (std::size_t i = skip(s, s.find('[') + 1, ' '); s[i] != ']';) {
    const std::size_t end = value_end(s, i);
    elements.push_back(written(array, i, end));
    i = skip(s, end, ',');
  }
  return elements;
}

std::string json_with(const std::string& object, const std::string& more) {
  const std::vector<JsonMember> members = json_members(object), added = json_members(more);
  const auto replaced = [&](const JsonMember& member) {
    return std::ranges::find(added, member.key, &JsonMember::key) != added.end();
  };
  const std::size_t close = object.rfind('}');
  if (added.empty()) return object;
  if (!members.empty() && std::ranges::none_of(members, replaced))
    return object.substr(0, close) + "," + more.substr(1) + object.substr(close + 1);
  std::string result = object.substr(0, object.find('{') + 1);
  for (const JsonMember& member : members)
    if (!replaced(member)) result += member.written + ",";
  return result + more.substr(1) + object.substr(close + 1);
}

}  // namespace tt
