#include "exchange/yaml.h"

#include <charconv>

#include "base/error.h"
#include "base/utf8.h"

namespace tt {
std::optional<std::string> yaml_scalar(std::string_view text) {
  if (text.size() < 2 || (text[0] != '"' && text[0] != '\'')) return std::string(text);
  const char quote = text[0];
  std::string value;
  std::size_t i = 1;
  for (; i < text.size(); ++i) {
    if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) break;
      value.push_back(text[++i]);
    } else if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) {
      const char escape = text[++i];
      const std::size_t digits = escape == 'x' ? 2 : escape == 'u' ? 4 : escape == 'U' ? 8 : 0;
      if (digits > 0) {
        std::uint32_t code = 0;
        const std::string_view hex = text.substr(i + 1, digits);
        const auto [end, status] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
        if (status != std::errc() || end != hex.data() + digits || code > 0x10FFFF)
          return std::nullopt;
        append_utf8(value, code);
        i += digits;
      } else {
        constexpr std::string_view names = "0abtnvfre", codes("\0\a\b\t\n\v\f\r\x1b", 9);
        const std::size_t at = names.find(escape);
        if (escape == 'N') value += "\u0085";
        else if (escape == '_') value += "\u00a0";
        else if (escape == 'L') value += "\u2028";
        else if (escape == 'P') value += "\u2029";
        else value.push_back(at == std::string_view::npos ? escape : codes[at]);
      }
    } else {
      value.push_back(text[i]);
    }
  }
  if (i + 1 != text.size()) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t'))
    text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

Options::Options(std::string_view yaml, const std::string& name) : name_(name) {
  std::vector<std::string>* list = nullptr;
  for (std::size_t line_number = 1; !yaml.empty(); ++line_number) {
    const std::size_t end = yaml.find('\n');
    const std::string_view whole = yaml.substr(0, end), line = trimmed(whole);
    yaml.remove_prefix(end == std::string_view::npos ? yaml.size() : end + 1);
    if (line.empty() || line[0] == '#' || line == "---" || line == "[]" || line == "{}") continue;
    const auto wrong = [&] {
      throw Error(name_, ":", line_number, ": ", in_quotes(line),
                  " is no option of the form `key: value`");
    };
    if (line.starts_with("- ") || line == "-") {
      const auto item = yaml_scalar(trimmed(line.substr(1)));
      if (!item || !list) wrong();
      list->push_back(*item);
      continue;
    }
    const std::size_t colon = line.find(':');
    if (whole[0] == ' ' || colon == std::string_view::npos) {
      if (list && whole[0] == ' ') continue;  // of something deeper, which no option of a model is
      wrong();
    }
    const auto key = yaml_scalar(line.substr(0, colon));
    if (!key) wrong();
    list = &values_[*key];
    list->clear();
    std::string_view rest = trimmed(line.substr(colon + 1));
    if (rest.empty()) continue;
    if (rest.front() == '[' && rest.back() == ']') {
      rest = rest.substr(1, rest.size() - 2);
      while (!trimmed(rest).empty()) {
        const std::size_t comma = rest.find(',');
        const auto item = yaml_scalar(trimmed(rest.substr(0, comma)));
        if (!item) wrong();
        list->push_back(*item);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
      }
      continue;
    }
    const auto value = yaml_scalar(rest);
    if (!value) wrong();
    list->push_back(*value);
  }
}

std::vector<std::string> Options::list(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string> Options::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values_) keys.push_back(key);
  return keys;
}

std::string Options::text(const std::string& key, const std::string& otherwise) const {
  const auto all = list(key);
  if (all.size() > 1)
    throw Error(name_, ": the option ", in_quotes(key), " has ", all.size(), " values, not one");
  return all.empty() ? (has(key) ? "" : otherwise) : all[0];
}

ForeignValues values_of(const Options& options) {
  return {options.name(),
          [&](const std::string& key) -> std::optional<std::string> {
            const auto all = options.list(key);
            if (all.empty()) return std::nullopt;
            return all.size() == 1 ? all[0] : "[" + all[0] + ", ...]";
          },
          [&](const std::string& key, const std::string&) {
            std::string values;
            for (const std::string& value : options.list(key))
              values += (values.empty() ? "" : " ") + value;
            throw Error(options.name(), ": its option ", in_quotes(key + ": " + values),
                        " cannot be imported");
          }};
}

double Options::number(const std::string& key, double otherwise) const {
  const std::string value = text(key, "");
  if (value.empty()) return otherwise;
  double result = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (status != std::errc() || end != value.data() + value.size())
    throw Error(name_, ": the option ", in_quotes(key), " is ", in_quotes(value),
                ", which is no number");
  return result;
}

std::int64_t Options::integer(const std::string& key, std::int64_t otherwise) const {
  const double value = number(key, static_cast<double>(otherwise));
  if (!(value >= -1e15 && value <= 1e15) ||
      value != static_cast<double>(static_cast<std::int64_t>(value)))
    throw Error(name_, ": the option ", in_quotes(key), " is ", in_quotes(text(key, "")),
                ", which is no whole number");
  return static_cast<std::int64_t>(value);
}

bool Options::yes(const std::string& key, bool otherwise) const {
  const std::string value = text(key, "");
  if (value.empty()) return otherwise;
  if (value == "true" || value == "True" || value == "1") return true;
  if (value == "false" || value == "False" || value == "0") return false;
  throw Error(name_, ": the option ", in_quotes(key), " is ", in_quotes(value),
              ", not true or false");
}

}  // namespace tt
