#include "document/editor.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/formatted.h"
#include "base/json_line.h"
#include "base/number.h"
#include "base/report.h"
#include "base/unicode.h"
#include "base/utf8.h"

namespace tt::document {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f\v", kSingle = " \t\n\r\f";
constexpr std::string_view kEscaped = "\n\t\r\\", kEscapes = "ntr\\";
constexpr double kUnknown = -std::numeric_limits<double>::infinity();  // less than any score

// Leaves of an object its translation; the score that it is expected to have, or kUnknown. Throws
// Error that says what the line is instead.
double take_expected(std::string& line) {
  std::optional<std::string> translation;
  double expected = kUnknown;
  for (JsonMember& member : json_members(line)) {
    if (member.key == "translation") translation = std::move(member.text);
    else if (member.key == "expected")
      expected = number_in<double>(member.value()).value_or(kUnknown);
  }
  if (!translation) throw Error("an object without a \"translation\"");
  line = *translation;
  return expected;
}

}  // namespace

std::string as_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const std::size_t which = kEscaped.find(c);
    if (which != std::string_view::npos) line += {'\\', kEscapes[which]};
    else line += c;
  }
  return line;
}

std::string from_line(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t which = line[i] == '\\' && i + 1 < line.size() ? kEscapes.find(line[i + 1])
                                                                     : std::string_view::npos;
    text += which != std::string_view::npos ? kEscaped[which] : line[i];
    i += which != std::string_view::npos;
  }
  return text;
}

std::string single_spaces(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool space = kSingle.find(text[i]) != std::string_view::npos;
    if (!space) result += text[i];
    else if (i == 0 || kSingle.find(text[i - 1]) == std::string_view::npos) result += ' ';
  }
  return result;
}

bool has_letter(std::string_view text) {
  bool damaged = false;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;)
    if (is_letter(next_code_point(at, end, &damaged)) || damaged) return true;
  return false;
}

std::string wrong_characters(std::string_view text, std::string_view translated) {
  for (const char *at = translated.data(), *const end = at + translated.size(); at < end;) {
    const char* const begin = at;
    const char32_t c = next_code_point(at, end);
    const bool control = c < 0x20 ? c != U'\t' && c != U'\n' && c != U'\r' : c >= 0x7F && c < 0xA0;
    const bool none = (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c < 0xFDF0);
    if ((!control && !none) || text.find(std::string_view(begin, at)) != text.npos) continue;
    return formatted("has U+%04X, which is no character of text", static_cast<unsigned>(c));
  }
  return {};
}

Editor::Editor(std::string_view document, std::string name, Exchange exchange, Write write,
               Misread misread, std::uint64_t before)
    : document_(document),
      line_end_(document.substr(0, document.find('\n') + 1).ends_with("\r\n") ? "\r\n" : "\n"),
      name_(std::move(name)), exchange_(std::move(exchange)), write_(std::move(write)),
      texts_(before), misread_(std::move(misread)) {}

std::optional<std::string> Editor::translation(std::size_t at, std::string_view text, bool same,
                                               const std::optional<std::string>& meaning) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find_last_not_of(kSpaces) + 1;
  const std::string_view core = text.substr(begin, end - begin);
  if (first_invalid_utf8(core) != std::string_view::npos) {
    report_unread(
        at, utf8_ ? "text that is not UTF-8; it stays as it is; convert the document by: iconv -f "
                    "ENCODING -t UTF-8"
                  : "text with bytes that are no characters of its encoding; it stays as it is");
    return {};
  }
  if (core.find('\0') != std::string_view::npos) {
    report_unread(at, "text with a NUL; it stays as it is");
    return {};
  }
  asked_ = at;
  ++texts_;
  stay(at, meaning ? *meaning : text);
  const std::string line = as_line(core);
  std::optional<std::string> back = exchange_(line);
  if (!back) return {};
  double expected = 0;
  try {
    if (least_) expected = take_expected(*back);
  } catch (const Error& error) {
    return refuse(std::string("is ") + error.what());
  }
  if (*back == line && !same) {
    leave_out();
    return {};
  }
  if (back->find_first_not_of(kSpaces) == std::string::npos) return refuse("is empty");
  if (first_invalid_utf8(*back) != std::string::npos) return refuse("is not UTF-8");
  if (const std::string wrong = wrong_characters(text, *back); !wrong.empty()) return refuse(wrong);
  if (const auto misread = misread_.find(texts_); misread != misread_.end() && misread->second > 1)
    return refuse("cannot be written so that it is read as it is");
  if (least_ && expected < *least_) {
    ++doubtful_;
    if (!tells_doubtful_)
      remark(expected > kUnknown ? formatted("may be bad: its expected score is %.1f", expected)
                                 : "may be bad: it has no expected score");
  }
  return std::string(text.substr(0, begin)) + from_line(*back) + std::string(text.substr(end));
}

std::size_t Editor::hash(std::string_view meaning) const {
  if (!has_letter(meaning)) return 0;
  meaning.remove_prefix(meaning.find_first_not_of(kSpaces));
  meaning = meaning.substr(0, meaning.find_last_not_of(kSpaces) + 1);
  return std::hash<std::string_view>()(single_spaces_ ? single_spaces(meaning) : meaning) | 1;
}

void Editor::mean(std::string_view meaning) { meant_.push_back(hash(meaning)); }

void Editor::mean_those_behind(std::uint64_t number) {
  auto first = readings_.end();
  while (first != readings_.begin() && !(first - 1)->put && (first - 1)->number > number) --first;
  for (auto text = first; text != readings_.end(); ++text) meant_.push_back(text->meaning);
  readings_.erase(first, readings_.end());
}

void Editor::stay(std::size_t at, std::string_view meaning) {
  if (!readings_.empty() && readings_.back().number == texts_ && readings_.back().begin == at)
    readings_.pop_back();
  readings_.push_back({at, at + 1, texts_, hash(meaning)});
}

std::vector<Reading> Editor::readings() const {
  std::vector<Reading> readings = readings_;
  for (Reading& reading : readings) {
    if (reading.put) continue;
    const auto next =
        std::ranges::upper_bound(ends_, reading.begin, {}, &decltype(ends_)::value_type::first);
    if (next == ends_.begin()) continue;
    reading.begin += std::prev(next)->second - std::prev(next)->first;
    reading.end = reading.begin + 1;
  }
  return readings;
}

std::nullopt_t Editor::refuse(const std::string& reason) {
  remark(reason + "; the text stays as it is");
  return std::nullopt;
}

void Editor::remark(const std::string& problem) {
  report(asked_, "translation " + std::to_string(texts_) + " " + problem);
}

void Editor::report(std::size_t at, const std::string& problem) {
  problems_.push_back(message(where(at) + ": " + problem));
}

void Editor::report_unread(std::size_t at, const std::string& problem) {
  report(at, problem);
  unread_ = std::min(unread_.value_or(at), at);
}

void LineEnds::count(std::string_view document, std::size_t at) {
  feeds += document[at] == '\n';
  if (document[at] == '\r' && at + 1 < document.size() && document[at + 1] != '\n' &&
      document[at + 1] != '\r' && alone++ == 0)
    first_alone = at;
}

void Editor::check_line_ends() {
  LineEnds ends;
  for (std::size_t at = 0; at < document_.size(); ++at) ends.count(document_, at);
  check_line_ends(ends);
}

void Editor::check_line_ends(const LineEnds& ends) {
  if (ends.alone == 0) return;
  if (ends.alone > ends.feeds)
    throw Error(where(ends.first_alone),
                ": its lines end with CR alone, as on old Macs; convert it by: tr '\\r' '\\n'");
  report(ends.first_alone, count_of(ends.alone, "carriage return") +
                               " without a line feed, the first of them here, where no line ends; "
                               "if one should, put a line feed in its place");
}

void Editor::replace(std::size_t begin, std::size_t end, std::string_view with) {
  keep(begin, end);
  while (!prepared_.empty() && prepared_.begin()->first < begin) {
    const auto first = prepared_.extract(prepared_.begin());
    put(first.key(), first.mapped().end, first.mapped().with);
  }
  put(begin, end, with);
  if (meant_.empty()) return;
  if (!readings_.empty() && !readings_.back().put && readings_.back().number == texts_)
    readings_.pop_back();
  for (const std::size_t meaning : meant_)
    readings_.push_back({written_ - with.size(), written_, texts_, meaning, true});
  meant_.clear();
}

void Editor::prepare(std::size_t begin, std::size_t end, std::string with) {
  keep(begin, end);
  if (begin >= copied_) prepared_.emplace(begin, Prepared{end, std::move(with)});
}

void Editor::keep(std::size_t begin, std::size_t end) {
  if (begin < end) prepared_.erase(prepared_.lower_bound(begin), prepared_.lower_bound(end));
}

void Editor::carry_out() {
  for (const auto& [begin, prepared] : prepared_) put(begin, prepared.end, prepared.with);
  prepared_.clear();
}

void Editor::put(std::size_t begin, std::size_t end, std::string_view with) {
  TT_CHECK(begin >= copied_);
  if (write_) {
    write_(document_.substr(copied_, begin - copied_));
    write_(with);
  }
  written_ += begin - copied_ + with.size();
  copied_ = end;
  ends_.emplace_back(end, written_);
}

void Editor::finish() { put(document_.size(), document_.size(), {}); }

std::string Editor::where(std::size_t at) {
  if (at < counted_) counted_ = 0, line_ = 1;
  line_ += static_cast<std::size_t>(
      std::count(document_.begin() + static_cast<std::ptrdiff_t>(counted_),
                 document_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  counted_ = at;
  return name_ + ":" + std::to_string(line_);
}

}  // namespace tt::document
