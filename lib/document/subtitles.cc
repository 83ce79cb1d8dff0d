// Subtitles: SRT and WebVTT. The lines of a cue that one speaker says are one text; its translation
// has as many lines as it, where it has the words. Numbers, times and settings stay as they are.
//
// Where cues are joined, a sentence that goes on in the next cue is one text, and its translation
// is parted among them in the shares of their texts.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/shortened.h"
#include "base/split.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "document/format.h"
#include "document/marked_text.h"
#include "document/plain_text.h"
#include "text/sentences.h"

namespace tt::document {
namespace {

constexpr std::string_view kSpaces = " \t\r\f\v";
constexpr double kPause = 1.5;  // seconds without a cue that end a sentence

// The lines of a document, without the white space around them.
std::vector<std::string_view> lines_of(std::string_view document) {
  if (document.starts_with("\xEF\xBB\xBF")) document.remove_prefix(3);
  std::vector<std::string_view> lines = split(document, '\n');
  for (std::string_view& line : lines) {
    line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
    line = line.substr(0, line.find_last_not_of(kSpaces) + 1);
  }
  return lines;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// The seconds of a time that a text begins with, which is moved behind it; nothing: it is none.
std::optional<double> take_time(std::string_view& text) {
  const std::string_view time = text.substr(0, text.find_first_not_of("0123456789:.,"));
  text.remove_prefix(time.size());
  if (time.size() < 5 || time.find(':') == time.npos) return {};
  double whole = 0, part = 0, unit = 1;
  bool fraction = false;
  for (const char c : time.substr(std::min(time.find_first_not_of(":.,"), time.size()))) {
    const double digit = c - '0';
    if (c == ':') whole = 60 * (whole + part), part = 0;
    else if (c == '.' || c == ',') fraction = true;
    else if (fraction) whole += digit * (unit /= 10);
    else part = 10 * part + digit;
  }
  return whole + part;
}

struct Times {
  double begin = 0, end = 0;  // in seconds
};

// Of 00:00:01,000 --> 00:00:03.500, with what may follow; WebVTT may leave the hours out.
std::optional<Times> times_of(std::string_view line) {
  const auto skip = [&](std::string_view what) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool found = line.starts_with(what);
    if (found) line.remove_prefix(what.size());
    return found;
  };
  const auto begin = take_time(line);
  const auto end = begin && skip("-->") && skip("") ? take_time(line) : std::nullopt;
  return end ? std::optional(Times{*begin, *end}) : std::nullopt;
}

// Whether a line of the text would begin a cue, however the text is parted into lines.
bool has_times(std::string_view text) {
  while (!times_of(text)) {
    const std::size_t space = text.find(' ');
    if (space == text.npos) return false;
    text.remove_prefix(space + 1);
  }
  return true;
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
  struct Break {
    std::size_t at, next;  // where a part ends, and the next begins
    double share;          // of the characters before it
    double cost;
  };
  std::vector<Break> breaks;
  const double all = static_cast<double>(std::max<std::size_t>(1, count_characters(spoken(text))));
  std::size_t depth = 0, seen = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<')
      if (const std::size_t end = text.find('>', at); end != text.npos) {
        if (at + 1 < end && text[at + 1] == '/') depth -= depth > 0;
        else if (text[end - 1] != '/') ++depth;
        at = end;
        continue;
      }
    const bool begins = begins_character(text[at]);
    const bool space = text[at] == ' ', between = begins &&
                                                  is_unspaced(character_before(text, at)) &&
                                                  is_unspaced(character_at(text, at));
    if (at > 0 && (space || between)) {
      const std::string_view before = text.substr(0, at);
      const bool pause = before.ends_with(",") || before.ends_with(";") || before.ends_with(":") ||
                         before.ends_with("\u3001") || before.ends_with("\uFF0C");
      breaks.push_back({at, at + space, static_cast<double>(seen) / all,
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
    const std::size_t left = shares.size() - 2 - k;  // that others need
    const auto cost = [&](const Break& at) {
      return at.cost + std::abs(at.share - before / whole);
    };
    if (first + left >= breaks.size()) return {};
    std::size_t best = first;
    for (std::size_t i = first; i + left < breaks.size(); ++i)
      if (cost(breaks[i]) < cost(breaks[best])) best = i;
    parts.emplace_back(text.substr(begin, breaks[best].at - begin));
    begin = breaks[best].next, first = best + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

// Breaks text at spaces into lines of about the same length, none of which begins with a dash.
std::string in_lines(std::string_view text, std::size_t lines, std::string_view line_end) {
  std::string result;
  std::size_t tag = 0;  // where the last tag ends
  const std::size_t most = (count_characters(text) + lines - 1) / lines;
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
    line += begins_character(text[at]);
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
    std::vector<std::string_view> lines = lines_of(editor_.document()), block;
    lines.emplace_back();  // the last block ends, too
    bool first = vtt_;
    for (const std::string_view line : lines) {
      if (!line.empty()) {
        block.push_back(line);
      } else if (!block.empty()) {
        if (std::exchange(first, false)) header(block);
        else cue(block);
        block.clear();
      }
    }
    translate();
  }
  std::size_t cues() const { return cues_; }

 private:
  using Block = std::vector<std::string_view>;  // of lines

  std::size_t begin_of(std::string_view line) const {
    return static_cast<std::size_t>(line.data() - editor_.document().data());
  }

  // The first block of WebVTT, up to an empty line or the times of a cue: what is said of the file.
  void header(const Block& block) {
    const auto times = std::find_if(block.begin() + 1, block.end(), times_of);
    for (auto line = block.begin() + 1; line < times - (times < block.end()); ++line)
      if (has_letter(*line) && line->find_first_of(":={}#") == line->npos &&
          !line->starts_with("NOTE")) {
        report_unread(begin_of(*line), "text in the header, before all cues; it stays as it is");
        break;
      }
    if (times != block.end()) cue({times, block.end()});
  }

  void cue(const Block& block) {
    std::optional<Times> times;
    std::size_t text = 0;
    while (!times && text < std::min<std::size_t>(block.size(), 2)) times = times_of(block[text++]);
    if (times) {
      begin(*times);
    } else if (!vtt_ && cues_ > 0 && !is_number(block[0])) {
      text = 0;  // a cue with an empty line in its text
    } else if (vtt_ || block.size() > 1 || !is_number(block[0])) {
      for (const std::string_view kind : {"NOTE", "STYLE", "REGION"})
        if (vtt_ && block[0].starts_with(kind)) return;
      return report_unread(begin_of(block[0]), std::string("no cue: a line of times as ") +
                                                   (vtt_ ? "00:01.000 --> 00:02.000"
                                                         : "00:00:01,000 --> 00:00:02,000") +
                                                   " is missing; it stays as it is");
    }
    // Of files whose empty lines are missing, the number of the next cue and its times.
    for (std::size_t end = text; end < block.size(); ++end) {
      if (!(times = times_of(block[end]))) continue;
      const bool numbered = end > text && is_number(block[end - 1]);
      said(block, text, end - numbered);
      begin(*times);
      text = end + 1;
    }
    said(block, text, block.size());
  }

  void begin(const Times& times) {
    ++cues_;
    times_ = times;
  }

  // Asks for what is said in lines [first, behind) of a block.
  void said(const Block& block, std::size_t first, std::size_t behind) {
    for (std::size_t end = first; first < behind; first = end) {
      for (end = first + 1; end < behind && !is_turn(block[end]);) ++end;
      const std::string text = join(std::span(block).subspan(first, end - first), " ");
      ask(single_spaces(text), begin_of(block[first]),
          begin_of(block[end - 1]) + block[end - 1].size(), end - first);
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
    std::string_view rest(text);
    const auto skip = [&](const char* signs) {
      const std::size_t end = rest.find_first_of(signs, 1);
      if (end == rest.npos || rest[end] == signs[0]) return false;
      rest.remove_prefix(end + 1);
      return true;
    };
    const auto skip_marks = [&] {
      while (true) {
        const std::size_t spaces = std::min(rest.find_first_not_of(' '), rest.size());
        if (!rest.substr(spaces).starts_with("{\\")) return true;
        rest.remove_prefix(spaces);
        if (!skip("{}")) return false;
      }
    };
    const auto skip_marks_behind = [&] {
      while (true) {
        const std::size_t open = rest.rfind("{\\"), last = rest.find_last_not_of(' ');
        if (open == rest.npos || rest.find('}', open) != last) return;
        rest = rest.substr(0, open);
      }
    };
    const bool speaker = skip_marks() && vtt_ && names_speaker(text);
    bool closed = !rest.starts_with("{\\") && (!speaker || skip("<>"));
    if (closed && speaker) {
      skip_marks_behind();
      if (rest.ends_with("</v>")) rest.remove_suffix(4);
    }
    if (closed) rest.remove_prefix(dash(rest));
    closed = closed && skip_marks();
    const auto at = static_cast<std::size_t>(rest.data() - text.data());
    if (!closed) return text.substr(at, text.find(' ', at) - at);
    skip_marks_behind();
    said.before = text.substr(0, at);
    said.text = rest;
    said.behind = text.substr(at + rest.size());
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
      shares.push_back(count_characters(spoken(cue.text)));
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
      if (has_times(*translated)) wrong = "has the times of a cue";
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
    for (const std::string_view line : split(lines, '\n'))
      longest = std::max(longest, count_characters(spoken(line)));
    if (settings_.line_length > 0 && longest > settings_.line_length)
      editor_.remark("has a line of " + std::to_string(longest) + " characters");
    const double speed = static_cast<double>(count_characters(spoken(translated))) /
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
