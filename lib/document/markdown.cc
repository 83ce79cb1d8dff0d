// Markdown, as md4c reads it: headings, paragraphs, items, and cells of tables are texts. Emphasis
// and links enclose text; code, images, addresses and templates are no text. Blocks of HTML are
// read as HTML.
#include <algorithm>
#include <cctype>

#include "document/format.h"
#include "document/markdown_blocks.h"
#include "document/markdown_copy.h"
#include "document/marked_text.h"
#include "markup/tags.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
using Kind = MarkedText::Kind;
using Type = Event::Type;

// A text of a document: the contents of a block, or what stands there between hard line breaks.
struct Text {
  MarkedText marked = {};
  std::size_t begin = kNone, end = 0;  // in the document
  bool heading = false, cell = false;
};

class Reader {
 public:
  explicit Reader(std::string_view document) : document_(document), copy_(document) {
    blocks_ = parse_markdown(copy_.text());
    for (const Block& block : blocks_) hide_templates(block);
    if (!hidden_.empty()) blocks_ = parse_markdown(copy_.text());
  }

  // Calls `texts` with those of each block, `html` and `code` with such blocks, and `lost` with the
  // place of one that cannot be read.
  template <class Texts, class Html, class Code, class Lost>
  void read(const Texts& texts, const Html& html, const Code& code, const Lost& lost) {
    std::size_t at = 0;  // behind the block before
    for (Block& block : blocks_) {
      if (block.type == MD_BLOCK_HTML || block.type == MD_BLOCK_CODE) {
        const std::size_t begin = copy_.source(block.events.front().begin);
        at = block.events.back().end;
        if (block.type == MD_BLOCK_HTML) html(begin, copy_.source_end(at), block.quotes);
        else code(begin, copy_.source_end(at), block.fence);
      } else if (at = block.events.back().end; block.placed) {
        texts(texts_of(block));
      } else {
        lost(copy_.source(at));
      }
    }
  }

 private:
  struct Range {
    std::size_t begin, end;
  };

  // Templates, {{ x }} and {% x %}, and marks of notes, [^1], but in code.
  void hide_templates(const Block& block) {
    if (block.type == MD_BLOCK_HTML || block.type == MD_BLOCK_CODE) return;
    std::size_t begin = kNone, end = 0;
    for (const Event& event : block.events)
      if (event.has_place()) begin = std::min(begin, event.begin), end = event.end;
    if (begin == kNone) return;
    begin -= begin > 0 && copy_.text()[begin - 1] == '\\' ? 1 : 0;
    std::string text = copy_.text().substr(begin, end - begin);
    for (const Event& event : block.events)
      if (event.has_place() && event.span == MD_SPAN_CODE)
        text.replace(event.begin - begin, event.end - event.begin, event.end - event.begin, ' ');
    Finder find(text);
    for (std::size_t at = 0; (at = text.find_first_of("\\{[", at)) != kNone;) {
      if (text[at] == '\\') {
        at += 2;
        continue;
      }
      const std::string_view open = std::string_view(text).substr(at, 2);
      std::size_t close = kNone;
      if (open == "{{") close = find("}}", at + 2);
      else if (open == "{%") close = find("%}", at + 2);
      else if (open == "[^") close = text.find_first_of(" \t\n[]", at + 2);
      const bool note = open == "[^";
      if (close == kNone || (note && (text[close] != ']' || close == at + 2))) {
        ++at;
        continue;
      }
      close += note ? 1 : 2;
      hidden_.push_back({begin + at, begin + close});
      copy_.hide(begin + at, begin + close);
      at = close;
    }
  }

  static bool is_space(char c) { return c == ' ' || c == '\t'; }
  std::string_view bytes(std::size_t begin, std::size_t end) const {
    return document_.substr(begin, end - begin);
  }

  // The texts of a block whose events have places.
  std::vector<Text> texts_of(const Block& block) {
    const std::vector<Event>& events = block.events;
    const bool terms = are_terms(block);
    std::vector<Text> texts(1);
    std::vector<std::size_t> open;  // where the contents of those that are open begin
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      const std::size_t begin = copy_.source(event.begin);
      const bool breaks =
          event.type == Type::hard_break || (terms && event.type == Type::soft_break);
      if (breaks && open.empty()) {
        texts.emplace_back();
        continue;
      }
      Text& to = texts.back();
      // A backslash before the first character is no part of the line, but of the text.
      if (to.begin == kNone)
        to.begin = begin - (event.begin > 0 && copy_.text()[event.begin - 1] == '\\' ? 1 : 0);
      if (event.type == Type::enter && is_opaque(events, i)) {
        for (std::size_t depth = 1; depth > 0; depth += events[i].type == Type::enter)
          depth -= events[++i].type == Type::leave;
        to.marked.opaque(bytes(begin, copy_.source_end(events[i].end)));
      } else {
        add(event, begin, event.end > event.begin ? copy_.source_end(event.end) : begin, open,
            to.marked);
      }
      to.end = copy_.source_end(events[i].end);
    }
    for (Text& text : texts) {
      while (text.begin < text.end && is_space(document_[text.begin])) ++text.begin;
      while (text.begin < text.end && is_space(document_[text.end - 1])) --text.end;
      text.heading = block.type == MD_BLOCK_H;
      text.cell = copy_.is_cell(text.begin);
    }
    return texts;
  }

  // Images, code, addresses, and links without text.
  bool is_opaque(const std::vector<Event>& events, std::size_t i) const {
    const Event& enter = events[i];
    if (enter.span != MD_SPAN_A) return enter.span == MD_SPAN_IMG || enter.span == MD_SPAN_CODE;
    return enter.begin == enter.end || copy_.text()[enter.begin] == '<' ||
           events[i + 1].type == Type::leave;
  }

  void add(const Event& event, std::size_t begin, std::size_t end, std::vector<std::size_t>& open,
           MarkedText& to) {
    const std::string_view bytes = this->bytes(begin, end);
    switch (event.type) {
      case Type::text: return add_text(event, to);
      case Type::nul: return to.text(bytes);
      case Type::soft_break: return to.text(" ");
      case Type::hard_break: return to.opaque(bytes);
      case Type::html: return add_tag(bytes, to);
      case Type::entity: {
        std::size_t at = 0;
        const auto characters = entity(bytes, Syntax::unknown, at);
        // White space would be a break, or nothing, once it was a character.
        const bool breaks =
            !characters || single_spaces(*characters) != *characters || *characters == " ";
        return breaks ? to.opaque(bytes) : to.text(*characters);
      }
      case Type::enter: open.push_back(end); return to.group(bytes, Kind::open);
      case Type::leave: break;
    }
    std::string close(bytes);
    if (close == "]" || close == "][]")  // its text was its name, too
      close = "][" + unbroken(this->bytes(open.back(), begin)) + "]";
    open.pop_back();
    to.group(close, Kind::close);
  }

  // The text of an event, in which templates and marks of notes are none.
  void add_text(const Event& event, MarkedText& to) {
    for (std::size_t at = event.begin; at < event.end;) {
      while (next_ < hidden_.size() && hidden_[next_].end <= at) ++next_;
      const Range hidden = next_ < hidden_.size() ? hidden_[next_] : Range{kNone, kNone};
      const bool inside = hidden.begin <= at;
      const std::size_t end = std::min(inside ? hidden.end : hidden.begin, event.end);
      const std::string_view piece = bytes(copy_.source(at), copy_.source_end(end));
      if (inside) to.opaque(piece);
      for (std::size_t i = 0; i < piece.size() && !inside; ++i)
        if (!is_space(piece[i]) || i == 0 || !is_space(piece[i - 1]))
          to.text(is_space(piece[i]) ? " " : piece.substr(i, 1));
      at = end;
    }
  }

  void add_tag(std::string_view bytes, MarkedText& to) {
    const std::string shown = single_spaces(unbroken(bytes));
    Token token;
    Tokens(shown, Syntax::html, 0, shown.size()).next(token);
    if (token.kind == Token::Kind::open) to.tag(shown, bytes, Kind::open);
    else if (token.kind == Token::Kind::close) to.tag(shown, bytes, Kind::close);
    else if (token.kind == Token::Kind::single) to.tag(shown, bytes, Kind::single);
    else to.opaque(bytes);
  }

  // Bytes of several lines as one, without the marks of quotations.
  static std::string unbroken(std::string_view bytes) {
    std::string line;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t feed = std::min(bytes.find('\n', at), bytes.size());
      line += bytes.substr(at, feed - at);
      at = std::min(bytes.find_first_not_of(" \t>", feed + 1), bytes.size());
      if (feed < bytes.size()) line += ' ';
    }
    return line;
  }

  // Whether each line of a block is a term: a definition follows, and it is no item.
  bool are_terms(const Block& block) const {
    const std::size_t begin = copy_.source(block.events.front().begin);
    const std::size_t end = copy_.source_end(block.events.back().end);
    const std::size_t next = document_.find_first_not_of(" \t\r\n>", end);
    if (!copy_.is_definition(next)) return false;
    const std::size_t line = document_.substr(0, begin).rfind('\n') + 1;
    return bytes(line, begin).find_first_not_of(" \t>") == kNone;
  }

  std::string_view document_;
  MarkdownCopy copy_;
  std::vector<Block> blocks_;
  std::vector<Range> hidden_;
  std::size_t next_ = 0;  // of those that are hidden, the first that is not behind what was read
};

// Writes translations into a document.
class Writer {
 public:
  explicit Writer(Editor& editor) : editor_(editor), document_(editor.document()) {
    if (const std::size_t feed = document_.find('\n'); feed != kNone && feed > 0)
      line_end_ = document_[feed - 1] == '\r' ? "\r\n" : "\n";
    has_names_ = document_.find("]:") != kNone;
  }

  void translate(const Text& text) {
    if (!text.marked.has_letter()) return;
    const auto translated = text.marked.translated(editor_, text.begin);
    if (!translated) return;
    const MarkedText target = tidied(text.marked, *translated);
    for (const bool careful : {false, true}) {
      const std::string bytes = wrapped(written(target, careful), text);
      if (!means(text, bytes, target, careful)) continue;
      editor_.replace(text.begin, text.end, bytes);
      return;
    }
    editor_.refuse("cannot be written so that it is read as it is");
  }

 private:
  using Part = MarkedText::Part;
  static bool is_link(const Part& open) { return open.bytes == "["; }

  // A translation with single spaces, in which no emphasis is empty or has spaces at its ends, and
  // no link is empty: it gets the words of its text.
  MarkedText tidied(const MarkedText& source, const MarkedText& translated) {
    std::vector<Part> parts;
    std::vector<std::size_t> open;
    const auto insert = [&](std::size_t at, std::string_view characters) {
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at),
                   {Part::Of::text, Kind::single, single_spaces(characters), {}});
    };
    for (const Part& part : translated.parts()) {
      if (part.of == Part::Of::text) {
        insert(parts.size(), part.shown);
        continue;
      }
      parts.push_back(part);
      if (part.of != Part::Of::group) continue;
      if (part.kind == Kind::open) open.push_back(parts.size() - 1);
      if (part.kind == Kind::open || open.empty()) continue;
      const std::size_t first = open.back();
      open.pop_back();
      const bool empty = std::all_of(parts.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                                     parts.end() - 1, is_blank);
      if (is_link(parts[first]) && empty) {
        editor_.remark("has nothing in " + parts[first].shown + ", a link; it keeps its words");
        insert(parts.size() - 1, words(source, parts[first]));
      } else if (!is_link(parts[first]) && empty) {
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(first));
        parts.pop_back();
      } else if (!is_link(parts[first])) {
        std::string &begin = parts[first + 1].shown, &end = parts[parts.size() - 2].shown;
        const bool behind = end.ends_with(' '), before = begin.starts_with(' ');
        if (behind) end.pop_back();
        if (before) begin.erase(0, 1);
        if (behind) insert(parts.size(), " ");
        if (before) insert(first, " ");
      }
    }
    MarkedText result;
    std::string before = " ";  // single spaces, also where texts meet
    for (Part& part : parts) {
      if (part.of == Part::Of::text && before.ends_with(' ') && part.shown.starts_with(' '))
        part.shown.erase(0, 1);
      if (part.of == Part::Of::text && part.shown.empty()) continue;
      before = part.of == Part::Of::text ? part.shown : "";
      result.add(part);
    }
    return result;
  }

  static bool is_blank(const Part& part) {
    return part.of == Part::Of::text && part.shown.find_first_not_of(' ') == kNone;
  }

  // The words of a link in its text.
  static std::string words(const MarkedText& source, const Part& link) {
    std::string words;
    auto part = std::ranges::find(source.parts(), link.shown, &Part::shown);
    for (std::size_t depth = 0; part != source.parts().end(); ++part) {
      if (part->of == Part::Of::text) words += part->shown;
      if (part->of != Part::Of::group) continue;
      depth += part->kind == Kind::open;
      if (part->kind == Kind::close && --depth == 0) break;
    }
    return words;
  }

  struct Written {
    std::string bytes;
    std::vector<std::size_t> spaces;  // in texts
  };

  // `careful`: no character of a text can mean anything.
  static Written written(const MarkedText& target, bool careful) {
    Written result;
    const std::vector<Part>& parts = target.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      const std::size_t begin = result.bytes.size();
      if (part.of != Part::Of::text) {
        result.bytes += part.bytes;
        if (careful && part.of == Part::Of::group && part.bytes.find_first_not_of('_') == kNone)
          std::fill(result.bytes.begin() + static_cast<std::ptrdiff_t>(begin), result.bytes.end(),
                    '*');
        continue;
      }
      result.bytes += careful ? escaped(part.shown, i == 0) : part.shown;
      for (std::size_t at = begin; (at = result.bytes.find(' ', at)) != kNone; ++at)
        result.spaces.push_back(at);
    }
    return result;
  }

  // Text in which no character means anything. `begins`: nothing stands before it.
  static std::string escaped(std::string_view text, bool begins) {
    std::string result;
    const std::size_t number = begins ? text.find_first_not_of("0123456789") : kNone;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      const bool sign = std::ispunct(static_cast<unsigned char>(c)) != 0;
      if (sign && ((begins && (i == 0 || i == number)) || (c == '!' && i + 1 == text.size()) ||
                   (c == '.' && text.substr(0, i).ends_with("www")) ||
                   std::string_view("\\`*_[]<>&~|#{:@$").find(c) != kNone))
        result += '\\';
      result += c;
    }
    return result;
  }

  // A translation in lines as long as the longest of its text, or of 72 bytes; one line stays one.
  // A line begins with a letter, so that no block begins there.
  std::string wrapped(const Written& written, const Text& text) const {
    const std::string_view source = document_.substr(text.begin, text.end - text.begin);
    std::size_t width = 72, feed = source.find('\n');
    if (feed == kNone) return written.bytes;
    const std::size_t behind = std::min(source.find_first_not_of(" \t>", feed + 1), source.size());
    const std::string prefix = line_end_ + std::string(source.substr(feed + 1, behind - feed - 1));
    for (std::size_t at = 0; at < source.size(); at = feed + 1) {
      feed = std::min(source.find('\n', at), source.size());
      width = std::max(width, feed - at);
    }
    std::string result;
    std::size_t line = 0, copied = 0;  // where the line begins
    for (std::size_t i = 0; i < written.spaces.size(); ++i) {
      const std::size_t space = written.spaces[i];
      const std::size_t next =
          i + 1 < written.spaces.size() ? written.spaces[i + 1] : written.bytes.size();
      const auto c = static_cast<unsigned char>(written.bytes.c_str()[space + 1]);
      if (space < line || next - line <= width || (c < 0x80 && !std::isalpha(c))) continue;
      result += written.bytes.substr(copied, space - copied) + prefix;
      line = copied = space + 1;
    }
    return result + written.bytes.substr(copied);
  }

  // Whether bytes in the place of a text are read as a translation of it, and nothing else.
  bool means(const Text& text, const std::string& bytes, const MarkedText& target,
             bool careful) const {
    const auto has_bracket = [](const Part& part) {
      return part.of == Part::Of::text && part.shown.find('[') != kNone;
    };
    // A name in brackets may be that of a link.
    if (!careful &&
        (!target.has_letter() || (has_names_ && std::ranges::any_of(target.parts(), has_bracket))))
      return false;
    if (!target.has_letter()) return true;
    const std::size_t line = document_.substr(0, text.begin).rfind('\n') + 1;
    std::string_view before = document_.substr(line, text.begin - line), behind;
    before.remove_prefix(std::min(before.find_first_not_of(" \t"), before.size()));
    // Several spaces before the text of an item would begin code here.
    const std::size_t mark = before.find_last_not_of(" \t") + 1;
    if (text.heading)
      behind = document_.substr(text.end, document_.find('\n', text.end) - text.end);
    std::vector<std::string> lines;
    std::string alone = text.cell ? "| " + bytes + " |\n|-|\n"
                                  : std::string(before.substr(0, mark)) +
                                        (mark < before.size() ? " " : "") + bytes +
                                        std::string(behind) + "\n";
    // The names of its links and images.
    for (const Part& part : target.parts())
      for (std::size_t at = 0, begin = 0; at < part.bytes.size(); ++at) {
        if (part.bytes[at] == '\\') ++at;
        else if (part.bytes[at] == '[') begin = at;
        else if (part.bytes[at] == ']' && part.bytes.substr(begin, 1) == "[" &&
                 part.bytes[begin + 1] != '^' && part.bytes[0] != '<')
          alone += "\n" + part.bytes.substr(begin, at + 1 - begin) + ": x\n";
      }
    const auto other = [&](auto...) { lines.emplace_back(); };
    Reader(alone).read(
        [&](const std::vector<Text>& texts) {
          for (const Text& found : texts)
            if (found.marked.has_letter()) lines.push_back(found.marked.line());
        },
        other, other, other);
    return lines.size() == 1 &&
           single_spaces(" " + lines[0] + " ") == single_spaces(" " + target.line() + " ");
  }

  Editor& editor_;
  std::string_view document_;
  std::string line_end_ = "\n";
  bool has_names_ = false;  // [name]: address
};

// Reports code that nothing closes, since all behind it is in it.
void check_fence(Editor& editor, std::size_t begin, std::size_t end, char sign) {
  const std::string_view document = editor.document();
  if (sign == 0 || document.find_first_not_of(" \t\r\n>", end) != kNone) return;
  const std::size_t feed = document.find_last_of(sign, begin - 1);
  if (feed == kNone) return;
  const std::size_t first = document.find_last_not_of(sign, feed) + 1;
  editor.report_unread(first, "nothing closes the " +
                                  std::string(document.substr(first, feed + 1 - first)) +
                                  " of this line; the text behind it stays as it is");
}

}  // namespace

void pass_markdown(Editor& editor, const Settings& settings) {
  editor.check_line_ends();
  Writer writer(editor);
  std::string unquoted;  // the document without the marks of quotations before HTML
  Reader(editor.document())
      .read(
          [&](const std::vector<Text>& texts) {
            for (const Text& text : texts) writer.translate(text);
          },
          [&](std::size_t begin, std::size_t end, std::size_t quotes) {
            if (quotes > 0 && unquoted.empty()) unquoted = editor.document();
            for (std::size_t at = begin;
                 quotes > 0 && (at = unquoted.find('\n', at) + 1) < end && at > 0;)
              for (std::size_t left = quotes;
                   left > 0 && at < end && (unquoted[at] == '>' || unquoted[at] == ' '); ++at)
                if (unquoted[at] == '>') unquoted[at] = ' ', --left;
            pass_html(editor, quotes > 0 ? std::string_view(unquoted) : editor.document(), begin,
                      end, settings.reviewed);
          },
          [&](std::size_t begin, std::size_t end, char fence) {
            check_fence(editor, begin, end, fence);
          },
          [&](std::size_t at) {
            editor.report_unread(at,
                                 "a paragraph whose marks cannot be told apart; it stays as it is");
          });
}

}  // namespace tt::document
