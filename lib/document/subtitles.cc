// Subtitles: SRT and WebVTT. The lines of a cue that one speaker says are one text; its translation
// has as many lines as it, where it has the words. Numbers, times and settings stay as they are.
//
// Where cues are joined, a sentence that goes on in the next cue is one text, and its translation
// is parted among them in the shares of their texts.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/shortened.h"
#include "base/unicode.h"
#include "document/format.h"
#include "document/marked_text.h"
#include "document/plain_text.h"
#include "text/sentences.h"

namespace tt::document {
namespace {

constexpr std::string_view kSpaces = " \t\r\f\v";
constexpr double kPause = 1.5;  // seconds without a cue that end a sentence

struct Line {
  std::size_t begin = 0, end = 0;  // without white space around it
  bool empty() const { return begin == end; }
};

// The lines of a document, one by one.
class Lines {
 public:
  explicit Lines(std::string_view document) : document_(document) {
    if (document.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }
  bool next(Line& line) {
    if (at_ >= document_.size()) return false;
    const std::size_t end = std::min(document_.find('\n', at_), document_.size());
    line.begin = std::min(document_.find_first_not_of(kSpaces, at_), end);
    line.end = end;
    while (line.end > line.begin && kSpaces.find(document_[line.end - 1]) != kSpaces.npos)
      --line.end;
    at_ = end + 1;
    return true;
  }

 private:
  std::string_view document_;
  std::size_t at_ = 0;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// 00:00:01,000 --> 00:00:03.500, with what may follow; WebVTT may leave the hours out.
bool is_timing(std::string_view text) {
  const auto time = [&] {
    std::size_t size = 0, colons = 0;
    while (size < text.size() && std::string_view("0123456789:.,").find(text[size]) != text.npos)
      colons += text[size++] == ':';
    text.remove_prefix(size);
    return size >= 5 && colons > 0;
  };
  const auto skip = [&](std::string_view what) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (!text.starts_with(what)) return false;
    text.remove_prefix(what.size());
    return true;
  };
  return time() && skip("-->") && skip("") && time();
}

// The times of a cue in seconds, of a line that is_timing().
struct Times {
  double begin = 0, end = 0;
};

double seconds(std::string_view& text) {
  double whole = 0, part = 0, unit = 1;
  bool fraction = false;
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  for (; !text.empty() && std::string_view("0123456789:.,").find(text[0]) != text.npos;
       text.remove_prefix(1)) {
    const double digit = text[0] - '0';
    if (text[0] == ':') whole = 60 * (whole + part), part = 0;
    else if (text[0] == '.' || text[0] == ',') fraction = true;
    else if (fraction) whole += digit * (unit /= 10);
    else part = 10 * part + digit;
  }
  return whole + part;
}

Times times_of(std::string_view line) {
  Times times;
  times.begin = seconds(line);
  times.end = seconds(line);
  return times;
}

std::size_t characters(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

// Text without the tags and overrides in it.
std::string spoken(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char close = text[at] == '<' ? '>' : text.substr(at).starts_with("{\\") ? '}' : '\0';
    const std::size_t end = close ? text.find(close, at) : text.npos;
    if (end == text.npos) result += text[at];
    else at = end;
  }
  return result;
}

bool names_speaker(std::string_view text) {
  return text.starts_with("<v ") || text.starts_with("<v.");
}

// The bytes of a dash, with the spaces behind it, that a text begins with; none of a number's sign.
std::size_t dash(std::string_view text) {
  for (const std::string_view mark : {"-", "\xE2\x80\x93", "\xE2\x80\x94"}) {
    if (!text.starts_with(mark)) continue;
    const std::size_t end = std::min(text.find_first_not_of(' ', mark.size()), text.size());
    return end < text.size() && text[end] >= '0' && text[end] <= '9' && end == 1 ? 0 : end;
  }
  return 0;
}

// Whether a line begins what another speaker says.
bool is_turn(std::string_view line) {
  if (names_speaker(line)) return true;
  for (std::size_t end; line.starts_with("{\\") && (end = line.find('}')) != line.npos;)
    line.remove_prefix(end + 1);
  if (const std::size_t tag = line.starts_with('<') ? line.find('>') : line.npos; tag != line.npos)
    line = line.substr(tag + 1);
  return dash(line) > 0;
}

// The overrides of Advanced SubStation in a text, as {\i1}.
std::vector<std::string> overrides(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = 0, end; (at = text.find("{\\", at)) != text.npos; at = end) {
    if ((end = text.find('}', at)) == text.npos) break;
    found.emplace_back(text.substr(at, end + 1 - at));
  }
  return found;
}

// Parts a translation in shares of these numbers: at spaces outside of tags and, where it can be,
// of elements, behind a comma rather than elsewhere; between characters of scripts without spaces.
// Empty if it has too few words.
std::vector<std::string> parted(std::string_view text, const std::vector<std::size_t>& shares) {
  struct Place {
    std::size_t at, next;  // where a part ends, and the next begins
    double share;          // of the characters before it
    double cost;
  };
  std::vector<Place> places;
  const double all = static_cast<double>(std::max<std::size_t>(1, characters(spoken(text))));
  std::size_t depth = 0, seen = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<')
      if (const std::size_t end = text.find('>', at); end != text.npos) {
        if (at + 1 < end && text[at + 1] == '/') depth -= depth > 0;
        else if (text[end - 1] != '/') ++depth;
        at = end;
        continue;
      }
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    const bool space = text[at] == ' ', between = begins &&
                                                  is_unspaced(character_before(text, at)) &&
                                                  is_unspaced(character_at(text, at));
    if (at > 0 && (space || between)) {
      const std::string_view before = text.substr(0, at);
      const bool pause = before.ends_with(",") || before.ends_with(";") || before.ends_with(":") ||
                         before.ends_with("\u3001") || before.ends_with("\uFF0C");
      places.push_back({at, at + space, static_cast<double>(seen) / all,
                        (pause ? 0 : 0.2) + (depth > 0 ? 1 : 0)});
    }
    seen += begins;
  }
  double whole = 0, before = 0;
  for (const std::size_t share : shares) whole += static_cast<double>(share);
  std::vector<std::string> parts;
  std::size_t begin = 0, first = 0;
  for (std::size_t k = 0; k + 1 < shares.size(); ++k) {
    before += static_cast<double>(shares[k]);
    const std::size_t left = shares.size() - 2 - k;  // places that others need
    const auto cost = [&](const Place& place) {
      return place.cost + std::abs(place.share - before / whole);
    };
    if (first + left >= places.size()) return {};
    std::size_t best = first;
    for (std::size_t i = first; i + left < places.size(); ++i)
      if (cost(places[i]) < cost(places[best])) best = i;
    parts.emplace_back(text.substr(begin, places[best].at - begin));
    begin = places[best].next, first = best + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

// Breaks text at spaces into lines of about the same length, none of which begins with a dash.
std::string in_lines(std::string_view text, std::size_t lines, std::string_view line_end) {
  std::string result;
  std::size_t tag = 0;  // where the last tag ends
  const std::size_t most = (characters(text) + lines - 1) / lines;
  std::size_t line = 0, left = lines;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<' && at + 1 < text.size() &&
        (text[at + 1] == '/' || std::isalpha(static_cast<unsigned char>(text[at + 1]))))
      if (const std::size_t end = text.find('>', at); end != text.npos) tag = end;
    if (text[at] == ' ' && at >= tag && left > 1 && dash(text.substr(at + 1)) == 0) {
      // The next word belongs to this line if more than half of it fits.
      const std::size_t word = std::min(text.find(' ', at + 1), text.size()) - at;
      if (line + word / 2 >= most) {
        result += line_end;
        line = 0;
        --left;
        continue;
      }
    }
    result += text[at];
    line += (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
  }
  return result;
}

class Cues {
 public:
  Cues(Editor& editor, const Settings& settings, bool vtt)
      : editor_(editor), settings_(settings), vtt_(vtt) {
    if (!settings.join.empty()) sentences_.emplace(settings.join);
  }

  void read() {
    Lines lines(editor_.document());
    std::vector<Line> block;
    bool first = true;
    for (Line line;;) {
      const bool more = lines.next(line);
      if (more && !line.empty()) {
        block.push_back(line);
        continue;
      }
      if (!block.empty()) {
        if (first && vtt_) header(block);
        else cue(block);
        first = false;
      }
      block.clear();
      if (!more) break;
    }
    translate();
  }
  std::size_t cues() const { return cues_; }

 private:
  std::string_view in(const Line& line) const {
    return editor_.document().substr(line.begin, line.end - line.begin);
  }

  // The first block of WebVTT, up to an empty line or the times of a cue: what is said of the file.
  void header(const std::vector<Line>& block) {
    const auto timing = [&](const Line& line) { return is_timing(in(line)); };
    const auto times = std::find_if(block.begin() + 1, block.end(), timing);
    for (auto line = block.begin() + 1; line < times - (times < block.end()); ++line)
      if (has_letter(in(*line)) && in(*line).find_first_of(":={}#") == std::string_view::npos &&
          !in(*line).starts_with("NOTE")) {
        report_unread(line->begin, "text in the header, before all cues; it stays as it is");
        break;
      }
    if (times != block.end()) cue({times, block.end()});
  }

  void cue(const std::vector<Line>& block) {
    std::size_t text = 0;
    while (text < std::min<std::size_t>(block.size(), 2) && !is_timing(in(block[text]))) ++text;
    if (text < std::min<std::size_t>(block.size(), 2)) {
      ++cues_;
      times_ = times_of(in(block[text++]));
    } else if (vtt_) {
      for (const std::string_view kind : {"NOTE", "STYLE", "REGION"})
        if (in(block[0]).starts_with(kind)) return;
      return report_unread(block[0].begin,
                           "no cue: a line of times as 00:01.000 --> 00:02.000 is "
                           "missing; it stays as it is");
    } else if (cues_ > 0 && !is_number(in(block[0]))) {
      text = 0;  // a cue with an empty line in its text
    } else if (block.size() > 1 || !is_number(in(block[0]))) {
      return report_unread(block[0].begin,
                           "no cue: a line of times as 00:00:01,000 --> 00:00:02,000 is missing; "
                           "it stays as it is");
    }
    // Of files whose empty lines are missing, the number of the next cue and its times.
    for (std::size_t end = text; end < block.size(); ++end) {
      if (!is_timing(in(block[end]))) continue;
      const bool numbered = end > text && is_number(in(block[end - 1]));
      said(block, text, end - numbered);
      ++cues_;
      times_ = times_of(in(block[end]));
      text = end + 1;
    }
    said(block, text, block.size());
  }

  // Asks for what is said in lines [first, behind) of a block.
  void said(const std::vector<Line>& block, std::size_t first, std::size_t behind) {
    for (std::size_t end = first; first < behind; first = end) {
      for (end = first + 1; end < behind && !is_turn(in(block[end]));) ++end;
      std::string text;
      for (std::size_t i = first; i < end; ++i)
        text += (i > first ? " " : "") + std::string(in(block[i]));
      ask(single_spaces(text), block[first].begin, block[end - 1].end, end - first);
    }
  }

  // The words of one speaker in a cue, and the marks around them.
  struct Said {
    std::size_t begin, end, lines;
    Times times;
    std::string before = {}, text = {}, behind = {};
  };

  void ask(const std::string& text, std::size_t begin, std::size_t end, std::size_t lines) {
    Said next{begin, end, lines, times_};
    if (const std::string open = part(text, next); !open.empty())
      return report_unread(
          begin, "nothing closes " + shortened(open) + " of this cue, which stays as it is");
    const bool number = next.text.find_first_of("0123456789") != next.text.npos;
    if (!has_letter(next.text) && !number) return translate();
    if (!waiting_.empty() && !goes_on(waiting_.back(), next)) translate();
    waiting_.push_back(std::move(next));
    if (!sentences_) translate();
  }

  // Parts what is said in a cue. Marks, as {\an8} and {\i1}, the speaker, or a dash in place of one
  // stand before the text; marks behind it end what those before it began. Returns the beginning of
  // a mark that nothing closes; empty: there is none.
  std::string part(const std::string& text, Said& said) const {
    std::size_t prefix = 0, suffix = 0;
    const auto rest = [&] {
      return std::string_view(text).substr(prefix, text.size() - prefix - suffix);
    };
    const auto skip = [&](const char* signs) {
      const std::size_t end = text.find_first_of(signs, prefix + 1);
      if (end == text.npos || text[end] == signs[0]) return false;
      prefix = end + 1;
      return true;
    };
    const auto skip_marks = [&] {
      while (true) {
        const std::size_t spaces = std::min(rest().find_first_not_of(' '), rest().size());
        if (!rest().substr(spaces).starts_with("{\\")) return true;
        prefix += spaces;
        if (!skip("{}")) return false;
      }
    };
    const auto skip_marks_behind = [&] {
      while (true) {
        const std::size_t open = rest().rfind("{\\"), last = rest().find_last_not_of(' ');
        if (open == text.npos || rest().find('}', open) != last) return;
        suffix = text.size() - prefix - open;
      }
    };
    const bool speaker = skip_marks() && vtt_ && names_speaker(text);
    bool closed = !rest().starts_with("{\\") && (!speaker || skip("<>"));
    if (closed && speaker) {
      skip_marks_behind();
      if (rest().ends_with("</v>")) suffix += 4;
    }
    if (closed) prefix += dash(rest());
    if (!closed || !skip_marks()) return text.substr(prefix, text.find(' ', prefix) - prefix);
    skip_marks_behind();
    said.before = text.substr(0, prefix);
    said.text = rest();
    said.behind = text.substr(text.size() - suffix);
    return {};
  }

  std::string meaning(const std::string& text) const {
    return vtt_ ? marked(text).meaning() : has_letter(text) ? text : "";
  }

  // Reports a part behind what is waiting.
  void report_unread(std::size_t at, const std::string& problem) {
    translate();
    editor_.report_unread(at, problem);
  }

  // Whether a sentence goes on in the next cue: without a pause, another speaker, or an end.
  bool goes_on(const Said& one, const Said& next) const {
    if (!sentences_ || !next.before.empty() || next.times.begin - one.times.end > kPause ||
        next.times.begin < one.times.begin || waiting_.size() >= kMostJoined)
      return false;
    const std::string before = single_spaces(spoken(one.text)),
                      both = before + ' ' + single_spaces(spoken(next.text));
    const auto ends = sentences_->split(both);
    return std::ranges::none_of(ends, [&](const TextRange& r) { return r.end == before.size(); });
  }

  // Asks for the translation of what is waiting, and puts it into its cues.
  void translate() {
    std::vector<Said> cues;
    cues.swap(waiting_);
    if (cues.empty()) return;
    std::string text;
    std::vector<std::size_t> shares;
    for (const Said& cue : cues) {
      text += (text.empty() ? "" : " ") + cue.text;
      shares.push_back(characters(spoken(cue.text)));
    }
    if (!has_letter(text)) return;
    // An empty line in a text would end the cue.
    std::optional<std::string> translated;
    std::string wrong, misread;
    if (vtt_) {
      const auto target = marked(text).translated(editor_, cues[0].begin);
      if (target)
        translated = target->bytes(
            [](std::string_view between) { return encode(single_spaces(between), false); });
      if (target && meaning(*translated) != target->meaning()) misread = target->meaning();
    } else if ((translated = plain_translation(editor_, cues[0].begin, text))) {
      translated = single_spaces(*translated);
      wrong = wrong_marks(overrides(text), overrides(*translated));
    }
    std::vector<std::string> parts(cues.size());
    if (translated && wrong.empty() && (parts = parted(*translated, shares)).empty())
      wrong = "has fewer words than its text has cues";
    if (!wrong.empty()) editor_.refuse(wrong);
    for (std::size_t k = 0; k < cues.size(); ++k)
      if (!translated || !wrong.empty()) editor_.stay(cues[k].begin, meaning(cues[k].text));
      else put(cues[k], parts[k], misread);
  }

  // `misread`: what should be read of bytes that are read as something else.
  void put(const Said& cue, const std::string& translated, const std::string& misread) {
    const std::string lines = in_lines(translated, cue.lines, editor_.line_end());
    std::size_t longest = 0;
    for (std::size_t at = 0, end; at <= lines.size(); at = end + 1) {
      end = std::min(lines.find('\n', at), lines.size());
      longest = std::max(longest, characters(spoken(lines.substr(at, end - at))));
    }
    if (settings_.line_length > 0 && longest > settings_.line_length)
      editor_.remark("has a line of " + std::to_string(longest) + " characters");
    const double speed = static_cast<double>(characters(spoken(translated))) /
                         std::max(0.001, cue.times.end - cue.times.begin);
    if (settings_.reading_speed > 0 && speed > settings_.reading_speed)
      editor_.remark("is to be read at " + std::to_string(std::lround(speed)) +
                     " characters a second");
    Said said{};
    part(translated, said);
    editor_.mean(misread.empty() ? meaning(said.text) : misread);
    editor_.replace(cue.begin, cue.end, cue.before + lines + cue.behind);
  }

  static MarkedText marked(std::string_view text) {
    using Kind = Token::Kind;
    MarkedText result;
    Tokens tokens(text, Syntax::html, 0, text.size());
    for (Token token; tokens.next(token);) {
      const std::string_view bytes = token.in(text);
      if (token.kind == Kind::text || token.kind == Kind::cut) times(bytes, result);
      else if (token.is_tag()) result.tag(shown(token, bytes), bytes, token.kind);
      else result.opaque(bytes);
    }
    return result;
  }

  // A tag that opens with classes, as <c.yellow>, as HTML has it: <c class="yellow">.
  static std::string shown(const Token& token, std::string_view bytes) {
    const std::size_t dot = token.name.find('.');
    std::string tag = single_spaces(bytes);
    if (dot == token.name.npos || token.kind != Token::Kind::open) return tag;
    std::string classes = token.name.substr(dot + 1);
    std::ranges::replace(classes, '.', ' ');
    return tag.replace(1 + dot, token.name.size() - dot, " class=\"" + classes + "\"");
  }

  // Text with <00:00:01.000>, when a word is shown.
  static void times(std::string_view text, MarkedText& to) {
    std::size_t done = 0;
    for (std::size_t at = 0; (at = text.find('<', at)) != text.npos; ++at) {
      const std::size_t end = text.find_first_not_of("0123456789:.", at + 1);
      if (end == text.npos || text[end] != '>' || end < at + 6) continue;
      to.encoded(text.substr(done, at - done), Syntax::html);
      to.opaque(text.substr(at, end + 1 - at));
      done = end + 1;
    }
    if (done < text.size()) to.encoded(text.substr(done), Syntax::html);
  }

  static constexpr std::size_t kMostJoined = 8;  // cues
  Editor& editor_;
  const Settings& settings_;
  std::optional<SentenceSplitter> sentences_;
  bool vtt_;
  std::size_t cues_ = 0;
  Times times_;
  std::vector<Said> waiting_;
};

void pass(Editor& editor, const Settings& settings, bool vtt) {
  editor.set_single_spaces();
  editor.check_line_ends();
  Cues cues(editor, settings, vtt);
  cues.read();
  if (cues.cues() == 0)
    throw Error(editor.where(0), ": no cue with a line of times; this is no ",
                vtt ? "WebVTT" : "SRT", ", or it is empty");
}

}  // namespace

void pass_srt(Editor& editor, const Settings& settings) { pass(editor, settings, false); }

void pass_vtt(Editor& editor, const Settings& settings) {
  std::string_view head = editor.document().substr(0, 9);
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  if (!head.starts_with("WEBVTT"))
    throw Error(editor.where(0), ": the first line is not WEBVTT; this is no WebVTT");
  pass(editor, settings, true);
}

}  // namespace tt::document
