// Checks of option values, with our own messages, so that they do not depend on the version of CLI11:
// --beam: must be an integer from 1 to 1024, not "0".
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace tt {

// For CLI::Option::transform(): accepts only plain decimal numbers from `least` to `most`: no nan, no inf, no hexadecimal, and no
// octal for a leading zero.
template <class T>
CLI::Validator within(T least, T most) {
  const auto digits = [](T number) {
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
  };
  const std::string range = digits(least) + " to " + digits(most);
  const std::string reproach = std::string("must be ") + (std::is_integral_v<T> ? "an integer" : "a number") + " from " + range;
  const auto read = [=](std::string& text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
      return reproach + ", not " + in_quotes(text);
    text = digits(value);  // for CLI11, which reads numbers in its own way
    return std::string();
  };
  return CLI::Validator(read, range);
}

// Accepts one of these words. --help shows them as {a,b}, which tools/completion.cc parses.
inline CLI::Validator one_of(const std::vector<std::string>& words) {
  std::string shown, reproach = "must be ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    shown += (i == 0 ? "" : ",") + words[i];
    reproach += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + in_quotes(words[i]);
  }
  return CLI::Validator(
      [=](std::string& text) {
        for (const std::string& word : words)
          if (text == word) return std::string();
        return reproach + ", not " + in_quotes(text);
      },
      "{" + shown + "}");
}

// Throws CLI::ValidationError if more than one of what is read is the standard input.
inline void check_stdin_once(const std::vector<std::string>& read) {
  if (std::count(read.begin(), read.end(), "-") > 1)
    throw CLI::ValidationError("the standard input can be read only once; name a file for all but one of what is read");
}

// The parts of a list with commas between them; none of an empty one.
inline std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0, end = 0; !list.empty() && end != std::string::npos; begin = end + 1) {
    end = list.find(',', begin);
    parts.push_back(list.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return parts;
}

// Accepts a list of words, or of other things, each of which `good` knows; `reproach` says what they must be.
template <class Good>
CLI::Validator list_of(const std::string& reproach, const Good& good) {
  return CLI::Validator(
      [=](std::string& text) {
        if (text.empty()) return reproach + ", not \"\"";
        for (const std::string& part : split(text))
          if (!good(part)) return reproach + ", not " + in_quotes(part);
        return std::string();
      },
      "");
}

}  // namespace tt
