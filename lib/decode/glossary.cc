#include "decode/glossary.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_reader.h"
#include "base/report.h"
#include "base/split.h"
#include "base/utf8.h"
#include "metrics/unicode.h"

namespace tt {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool any_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// Where a URL, an e-mail address or a number that begins at `at` ends; `at` where there is none.
std::size_t url_end(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  std::size_t host = at;
  for (const std::string_view scheme : {"http://", "https://", "ftp://", "www."})
    if (std::equal(scheme.begin(), scheme.end(), rest.begin(),
                   rest.begin() + static_cast<std::ptrdiff_t>(std::min(scheme.size(), rest.size())),
                   [](char a, char b) { return a == b || (is_letter(b) && a == (b | 0x20)); }))
      host = at + scheme.size();
  if (host == at) return at;
  std::size_t end = host;
  while (end < text.size() && !is_space(text[end]) && !any_of(text[end], "<>\"")) ++end;
  // A closing parenthesis belongs to it where it closes one of its own.
  const auto within = text.substr(host, end - host);
  const auto open = std::count(within.begin(), within.end(), '(');
  auto closed = std::count(within.begin(), within.end(), ')');
  for (; end > host && any_of(text[end - 1], ".,;:!?)]}'"); --end)
    if (text[end - 1] == ')' && closed-- <= open) break;
  return end > host ? end : at;
}

std::size_t email_end(std::string_view text, std::size_t at) {
  const auto name = [](char c) { return is_letter(c) || is_digit(c) || any_of(c, "._%+-"); };
  constexpr std::size_t kLongestName = 64;  // RFC 5321, section 4.5.3.1.1
  std::size_t end = at;
  while (end < std::min(text.size(), at + kLongestName) && (name(text[end]) || (end > at && text[end] == '\''))) ++end;
  if (end == at || end == text.size() || text[end] != '@') return at;
  const std::size_t host = ++end;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || any_of(text[end], ".-"))) ++end;
  while (end > host && any_of(text[end - 1], ".-")) --end;
  return text.substr(host, end - host).find('.') == std::string_view::npos ? at : end;
}

// Bytes of a digit that begins at `at`, which may be a full-width one; 0 where there is none.
std::size_t digit_at(std::string_view text, std::size_t at) {
  if (at < text.size() && is_digit(text[at])) return 1;
  const std::string_view three = at < text.size() ? text.substr(at, 3) : std::string_view();
  return three.size() == 3 && three.starts_with("\xEF\xBC") && three[2] >= '\x90' && three[2] <= '\x99' ? 3 : 0;
}

// With its sign, if that stands before it alone. What follows the first point of 1.2.3 does not begin another number.
std::size_t number_end(std::string_view text, std::size_t at) {
  if (at > 1 && any_of(text[at - 1], ".,:/-") && is_digit(text[at - 2])) return at;
  std::size_t end = at;
  if (any_of(text[at], "+-") && (at == 0 || is_space(text[at - 1]) || any_of(text[at - 1], "(["))) ++end;
  const std::size_t digits = end;
  while (const std::size_t bytes = digit_at(text, end)) {
    end += bytes;
    if (end < text.size() && any_of(text[end], ".,:/-") && digit_at(text, end + 1)) ++end;
  }
  return end > digits ? end : at;
}

bool is_wordlike(char32_t c) {
  if (c < 0x80) return is_digit(static_cast<char>(c)) || is_letter(static_cast<char>(c)) || c == '_';
  return !is_unspaced(c) && !metrics::is_space(c) && !metrics::is_punctuation(c) && !metrics::is_symbol(c);
}

bool word_before(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  std::size_t before = at - 1;
  while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0) == 0x80) --before;
  const char* left = text.data() + before;
  return is_wordlike(next_code_point(left, text.data() + at));
}

}  // namespace

bool word_goes_on(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const char* right = text.data() + at;
  return word_before(text, at) && is_wordlike(next_code_point(right, text.data() + text.size()));
}

Glossary::Glossary(const std::string& path) {
  LineReader in(path);
  std::string line;
  while (in.next(line)) {
    if (in.line_number() == 1 && line.starts_with("\ufeff")) line.erase(0, 3);
    const auto fields = split(line, '\t');
    const std::string source(fields[0]);
    std::vector<std::string> columns(fields.begin() + 1, fields.end());
    const bool damaged = first_invalid_utf8(line) != std::string::npos;
    std::erase_if(columns, [](const std::string& target) { return words_of(target).empty(); });
    if (damaged || source.empty() || columns.empty()) {
      if (line.empty()) continue;
      ++left_out_;
      warn(in.where() + ": " + (damaged ? "not UTF-8" : "no term TAB translation in " + in_quotes(line)) + "; left out");
      continue;
    }
    lengths_.insert(source.size());
    auto& targets = terms_[source];
    targets.insert(targets.end(), columns.begin(), columns.end());
  }
}

std::vector<Wanted> Glossary::find(std::string_view text, const std::vector<TextRange>& taken) const {
  std::vector<Wanted> found;
  if (terms_.empty()) return found;
  for (std::size_t at = 0; at < text.size();) {
    const auto inside = std::find_if(taken.begin(), taken.end(), [&](const TextRange& r) { return r.begin <= at && at < r.end; });
    if (inside != taken.end()) {
      at = inside->end;
      continue;
    }
    std::size_t next = at + 1;
    if (!word_goes_on(text, at)) {
      std::size_t limit = text.size();
      for (const TextRange& r : taken)
        if (r.begin > at) limit = std::min(limit, r.begin);
      for (const std::size_t length : lengths_) {
        if (at + length > limit || word_goes_on(text, at + length)) continue;
        const auto term = terms_.find(text.substr(at, length));
        if (term == terms_.end()) continue;
        found.push_back({term->first, term->second, false});
        next = at + length;
        break;
      }
    }
    at = next;
  }
  return found;
}

std::vector<TextRange> find_kept(std::string& text, const Keep& keep) {
  constexpr std::string_view kOpen = "<keep>", kClose = "</keep>";
  std::vector<TextRange> kept;
  for (std::size_t at = 0; keep.tags && (at = text.find(kOpen, at)) != std::string::npos;) {
    const std::size_t close = text.find(kClose, at + kOpen.size());
    if (close == std::string::npos) break;  // a tag without its other half is text
    text.erase(close, kClose.size());
    text.erase(at, kOpen.size());
    const std::size_t end = close - kOpen.size();
    if (!words_of(std::string_view(text).substr(at, end - at)).empty()) kept.push_back({at, end});
    at = end;
  }
  const std::vector<TextRange> tagged = kept;
  for (std::size_t at = 0; at < text.size();) {
    const auto inside =
        std::find_if(tagged.begin(), tagged.end(), [&](const TextRange& r) { return r.begin <= at && at < r.end; });
    std::size_t end = at;
    if (inside != tagged.end()) {
      at = inside->end;
      continue;
    }
    if (!word_goes_on(text, at)) {
      if (keep.urls) end = url_end(text, at);
      if (keep.emails && end == at) end = email_end(text, at);
      if (keep.numbers && end == at) end = number_end(text, at);
      if (end > at && word_goes_on(text, end)) end = at;
      for (const TextRange& r : tagged)
        if (r.begin >= at && r.begin < end) end = at;
    }
    if (end > at) kept.push_back({at, end});
    at = std::max(end, at + 1);
  }
  std::sort(kept.begin(), kept.end(), [](const TextRange& a, const TextRange& b) { return a.begin < b.begin; });
  return kept;
}

std::vector<std::size_t> not_apart(const std::vector<Wanted>& wanted, std::string translation, Keep keep) {
  keep.tags = false;
  struct Found {
    std::string text;
    char sign;  // that stands before it, but for a sign of its own; or 0
  };
  std::vector<Found> found;
  for (const TextRange& r : find_kept(translation, keep)) {
    const std::size_t sign = r.begin - std::min<std::size_t>(r.begin, 1);
    const bool has_sign = sign < r.begin && any_of(translation[sign], "+-") && !word_before(translation, sign);
    found.push_back({translation.substr(r.begin, r.end - r.begin), has_sign ? translation[sign] : '\0'});
  }
  std::vector<std::size_t> missed;
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    if (!wanted[w].verbatim) continue;
    std::string text = wanted[w].alternatives[0];
    if (const auto alone = find_kept(text, keep); alone.size() != 1 || alone[0].end - alone[0].begin != text.size()) continue;
    // A number has its sign even behind text without spaces, where it might be a dash in a source.
    auto at = std::find_if(found.begin(), found.end(), [&](const Found& f) {
      return f.sign ? f.sign == text[0] && std::string_view(text).substr(1) == f.text : f.text == text;
    });
    // A URL has no end where text without spaces follows.
    if (at == found.end())
      at = std::find_if(found.begin(), found.end(), [&](const Found& f) {
        const char* rest = f.text.data() + text.size();
        return f.text.starts_with(text) &&
               (f.text.size() == text.size() || is_unspaced(next_code_point(rest, f.text.data() + f.text.size())));
      });
    if (at == found.end()) missed.push_back(w);
    else found.erase(at);
  }
  return missed;
}

}  // namespace tt
