#include "text/round_trip.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/formatted.h"
#include "base/report.h"
#include "base/split.h"
#include "base/utf8.h"
#include "text/invisible.h"

namespace tt {
namespace {

// Without spaces at the ends, and with one for several.
std::string spaced(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

// The code points of a text that another has less often.
std::set<char32_t> missing(std::string_view text, std::string_view other) {
  std::map<char32_t, std::ptrdiff_t> counts;
  const auto count = [&](std::string_view from, int sign) {
    for (const char *at = from.data(), *const end = at + from.size(); at < end;)
      counts[next_code_point(at, end)] += sign;
  };
  count(text, 1);
  count(other, -1);
  std::set<char32_t> less;
  for (const auto& [c, n] : counts)
    if (n > 0) less.insert(c);
  return less;
}

RoundTrip::Characters most_frequent(const std::map<char32_t, std::size_t>& counts) {
  RoundTrip::Characters all;
  for (const auto& [c, n] : counts) {
    std::string text;
    append_utf8(text, c);
    all.emplace_back(escape_invisible(text), n);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return all;
}

std::string list_of(const RoundTrip::Characters& characters) {
  constexpr std::size_t kMost = 5;
  return join(std::span(characters).first(std::min(kMost, characters.size())), ", ",
              [](const auto& c) { return c.first + " (" + count_of(c.second, "line") + ")"; }) +
         (characters.size() > kMost ? ", and " + with_commas(characters.size() - kMost) + " others"
                                    : "");
}

}  // namespace

RoundTrip try_round_trip(const Subword& subword, const std::vector<std::string>& lines) {
  RoundTrip trip;
  std::map<char32_t, std::size_t> without_piece, normalised;
  std::vector<std::int32_t> ids;
  std::string store;
  for (const std::string& line : lines) {
    const std::string text = spaced(as_read(line, store));
    subword.encode(text, ids);
    ++trip.lines;
    const std::string back = subword.decode(ids);
    if (back == text) continue;
    const bool unknown = std::find(ids.begin(), ids.end(), subword.unk()) != ids.end();
    ++(unknown ? trip.unknown : trip.changed);
    for (const char32_t c : missing(text, back)) ++(unknown ? without_piece : normalised)[c];
  }
  trip.without_piece = most_frequent(without_piece);
  trip.normalised = most_frequent(normalised);
  return trip;
}

std::string text_of(const RoundTrip& trip, const std::string& normalisation) {
  const auto share = [&](std::size_t lines, const char* reason) {
    return formatted("%.1f %% of ",
                     100 * static_cast<double>(lines) / static_cast<double>(trip.lines)) +
           with_commas(trip.lines) + " lines do not come back from their pieces as they were, " +
           reason;
  };
  std::string text;
  if (trip.changed > 0)
    text = share(trip.changed, "since normalisation changes ") + list_of(trip.normalised) +
           "; if such lines are to be written, choose the normalisation " +
           (normalisation == "nmt_nfc" ? "identity" : "nmt_nfc or identity");
  if (trip.unknown > 0)
    text += (text.empty() ? "" : "; ") + share(trip.unknown, "since there is no piece for ") +
            list_of(trip.without_piece) + "; choose a coverage of 1, or byte fallback";
  return text.empty() ? "all of " + with_commas(trip.lines) +
                            " lines come back from their pieces as they were"
                      : text;
}

}  // namespace tt
