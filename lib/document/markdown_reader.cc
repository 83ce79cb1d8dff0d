#include "document/markdown_reader.h"

#include <md4c.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/error.h"
#include "document/markdown_copy.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
using Kind = MarkedText::Kind;

// A text, a break or a mark among the contents of a block.
struct Event {
  enum class Of { text, enter, leave } of;
  int type;                        // MD_TEXTTYPE or MD_SPANTYPE
  std::size_t begin = 0, end = 0;  // in the copy; the parser tells them of texts that are no breaks
  bool is(MD_TEXTTYPE text) const { return of == Of::text && type == text; }
  bool breaks() const { return is(MD_TEXT_SOFTBR) || is(MD_TEXT_BR); }
  bool has_place() const { return of == Of::text && !breaks() && type != MD_TEXT_NULLCHAR; }
};
using Of = Event::Of;

struct Block {
  MD_BLOCKTYPE type;
  int quotations;  // around it
  char fence;
  std::vector<Event> events = {};
  std::size_t begin = kNone, end = 0;  // of its events that have places; kNone: none has
  bool is_text() const { return type != MD_BLOCK_HTML && type != MD_BLOCK_CODE; }
};

// The blocks of a copy that have contents.
class Parse {
 public:
  static std::vector<Block> blocks(const std::string& text) {
    Parse parse{text};
    constexpr unsigned kDialect =
        MD_FLAG_PERMISSIVEAUTOLINKS | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
    const MD_PARSER parser{
        0, kDialect, block<1>, block<-1>, mark<Of::enter>, mark<Of::leave>, contents, {}, {}};
    if (text.size() > std::numeric_limits<MD_SIZE>::max() ||
        md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &parse) != 0)
      throw Error("a document of Markdown is too large for the memory, or has 4 GiB");
    return std::move(parse.blocks_);
  }

 private:
  explicit Parse(const std::string& text) : document_(text) {}

  template <int depth>
  static int block(MD_BLOCKTYPE type, void* detail, void* parse) {
    auto& self = *static_cast<Parse*>(parse);
    if (!self.block_.events.empty()) self.blocks_.push_back(std::move(self.block_));
    self.quotations_ += type == MD_BLOCK_QUOTE ? depth : 0;
    const bool code = type == MD_BLOCK_CODE && depth == 1;
    self.block_ = {type, self.quotations_,
                   code ? static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->fence_char : '\0'};
    self.joins_ = false;
    return 0;
  }
  template <Of of>
  static int mark(MD_SPANTYPE span, void*, void* parse) {
    static_cast<Parse*>(parse)->block_.events.push_back({of, span});
    return 0;
  }
  static int contents(MD_TEXTTYPE type, const char* bytes, MD_SIZE size, void* parse) {
    auto& self = *static_cast<Parse*>(parse);
    std::vector<Event>& events = self.block_.events;
    Event event{Of::text, type};
    const bool joins = std::exchange(self.joins_, false);
    if (event.has_place()) {
      // Ends of lines in code and HTML are no places of the document.
      const char *const first = self.document_.data(), *const last = first + self.document_.size();
      self.joins_ = std::less<>()(bytes, first) || std::less<>()(last, bytes);
      if (self.joins_) return 0;
      event.begin = static_cast<std::size_t>(bytes - first);
      event.end = event.begin + size;
    }
    if (joins && type == MD_TEXT_HTML && !events.empty()) events.back().end = event.end;
    else events.push_back(event);
    if (event.has_place()) {
      self.block_.begin = std::min(self.block_.begin, event.begin);
      self.block_.end = event.end;
    }
    return 0;
  }

  const std::string& document_;
  std::vector<Block> blocks_;
  Block block_{};
  int quotations_ = 0;
  bool joins_ = false;  // the next HTML goes on with the last
};

// Finds the places of marks and breaks: they fill what stands between texts.
class Places {
 public:
  Places(std::string_view text, Block& block)
      : text_(text), events_(block.events), limit_(std::min(block.begin, text.size())) {}

  // Looks for the block behind `at`, which it moves behind the block. False if it is not there.
  bool find(std::size_t& at) {
    const bool known = events_.front().has_place();
    for (std::size_t begin = known ? limit_ : at; begin <= limit_; ++begin) {
      if (!known)
        begin = std::min(text_.find_first_of(std::string_view("*_~[!`<\0", 8), begin), limit_);
      if (!fill(begin)) continue;
      at = events_.back().end;
      return true;
    }
    return false;
  }

 private:
  bool fill(std::size_t at) {
    open_.clear();
    for (Event& event : events_) {
      if (!event.has_place()) {
        event.begin = at;
        event.end = end_of(event, at);
        if (event.end == kNone) return false;
      } else if (event.type == MD_TEXT_CODE) {
        if (skip(at) < event.begin) return false;
      } else if (at != event.begin && (at + 1 != event.begin || text_[at] != '\\')) {
        return false;
      }
      at = event.end;
    }
    return open_.empty();
  }

  // Where white space and the marks of quotations end.
  std::size_t skip(std::size_t at) const {
    return std::min(text_.find_first_not_of(" \t\n>", at), text_.size());
  }
  bool is(std::size_t at, char c) const { return at < text_.size() && text_[at] == c; }

  // Where a mark or a break that begins at `at` ends; npos if none begins there.
  std::size_t end_of(const Event& event, std::size_t at) {
    const auto run = [&](std::string_view signs, std::size_t least, std::size_t most) {
      if (at >= text_.size() || signs.find(text_[at]) == kNone) return kNone;
      const std::size_t size = std::min(text_.find_first_not_of(text_[at], at), text_.size()) - at;
      return size < least ? kNone : at + std::min(size, most);
    };
    if (event.is(MD_TEXT_NULLCHAR)) return run(std::string_view("\0", 1), 1, 1);
    if (event.breaks()) {
      at = text_.find_first_not_of(" \t\\", at);
      return is(at, '\n') ? skip(at) : kNone;
    }
    const bool enters = event.of == Of::enter;
    // Of an address without brackets md4c ends marks that it has not begun: http://a.b/c*d*.
    if (!enters && (open_.empty() || open_.back().first != event.type)) return kNone;
    if (enters) open_.emplace_back(event.type, at < text_.size() ? text_[at] : ' ');
    const char sign = open_.back().second;
    if (!enters) open_.pop_back();
    switch (event.type) {
      case MD_SPAN_EM: return run("*_", 1, 1);
      case MD_SPAN_STRONG: return run("*_", 2, 2);
      case MD_SPAN_DEL: return run("~", 1, 2);
      case MD_SPAN_CODE: at = enters ? at : skip(at); return run("`", 1, kNone);
    }
    // The text of an address without brackets begins and ends with it.
    if (sign != '!' && sign != '[' && sign != '<') return at;
    if (enters) return at + (sign == '!' ? 2 : 1);
    return sign == '<' ? run(">", 1, 1) : link_end(at);
  }

  // Where a link or an image ends whose text ends at `at`: ](address "title"), ][name] or ].
  std::size_t link_end(std::size_t at) const {
    if (!is(at++, ']')) return kNone;
    if (is(at, '('))
      if (const std::size_t end = target_end(at + 1); end != kNone) return end;
    const std::size_t close = is(at, '[') ? unescaped(']', at + 1, "[") : kNone;
    return close == kNone ? at : close + 1;
  }

  std::size_t target_end(std::size_t at) const {
    at = skip(at);
    if (is(at, '<')) {
      at = unescaped('>', at + 1, "<\n");
      if (at++ == kNone) return kNone;
    } else {
      for (std::size_t depth = 0; at < text_.size() && !is_space(text_[at]); ++at) {
        if (text_[at] == ')' && depth-- == 0) break;
        if (text_[at] == '(' && ++depth > 32) return kNone;
        at += text_[at] == '\\';
      }
    }
    at = skip(at);
    if (is(at, '"') || is(at, '\'') || is(at, '(')) {
      at = unescaped(is(at, '(') ? ')' : text_[at], at + 1, "");
      if (at == kNone) return kNone;
      at = skip(at + 1);
    }
    return is(at, ')') ? at + 1 : kNone;
  }

  // Where a character stands without a backslash, before one of `others`.
  std::size_t unescaped(char c, std::size_t at, std::string_view others) const {
    for (; at < text_.size() && others.find(text_[at]) == kNone; ++at) {
      if (text_[at] == c) return at;
      at += text_[at] == '\\';
    }
    return kNone;
  }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

  std::string_view text_;
  std::vector<Event>& events_;
  std::size_t limit_;                       // before which the first of them begins
  std::vector<std::pair<int, char>> open_;  // types of marks, and the signs that they begin with
};

// Bytes of several lines as one, without the marks of quotations.
std::string unbroken(std::string_view bytes) {
  std::string line;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t feed = std::min(bytes.find('\n', at), bytes.size());
    line += std::string(bytes.substr(at, feed - at)) + (feed < bytes.size() ? " " : "");
    at = std::min(bytes.find_first_not_of(" \t>", feed + 1), bytes.size());
  }
  return line;
}

class Reader {
 public:
  explicit Reader(std::string_view document)
      : document_(document), copy_(document), blocks_(Parse::blocks(copy_.text)) {
    for (const Block& block : blocks_) hide(block);
    if (!hidden_.empty()) blocks_ = Parse::blocks(copy_.text);
  }

  std::vector<MarkdownPiece> pieces() {
    std::size_t at = 0;
    for (Block& block : blocks_) {
      if (!block.is_text()) {
        at = std::max(at, block.end);
        pieces_.push_back({.type = block.type == MD_BLOCK_HTML ? MarkdownPiece::Type::html
                                                               : MarkdownPiece::Type::code,
                           .begin = copy_.source(std::min(block.begin, at)),
                           .end = copy_.source_end(at),
                           .quotations = block.quotations,
                           .fence = block.fence});
      } else if (Places(copy_.text, block).find(at)) {
        read(block);
      } else {
        at = std::max(at, block.end);
        pieces_.push_back({.type = MarkdownPiece::Type::unclear,
                           .begin = copy_.source(std::min(block.begin, at))});
      }
    }
    return std::move(pieces_);
  }

 private:
  // Hides templates, {{ x }} and {% x %}, and marks of notes, [^1], but in code.
  void hide(const Block& block) {
    if (!block.is_text() || block.begin == kNone) return;
    const std::size_t begin =
        block.begin - (block.begin > 0 && copy_.text[block.begin - 1] == '\\' ? 1 : 0);
    std::string text = copy_.text.substr(begin, block.end - begin);
    for (const Event& event : block.events)
      if (event.has_place() && event.type == MD_TEXT_CODE)
        text.replace(event.begin - begin, event.end - event.begin, event.end - event.begin, ' ');
    Finder find(text);
    for (std::size_t at = 0; (at = text.find_first_of("\\{[", at)) != kNone;) {
      const std::string_view open = std::string_view(text).substr(at, 2);
      std::size_t last = kNone;  // before the end
      if (open == "{{" || open == "{%") last = find(open == "{{" ? "}}" : "%}", at + 2);
      else if (open == "[^") last = text.find_first_of(" \t\n[]", at + 2);
      if (open == "[^" && last != kNone && (text[last] != ']' || last-- == at + 2)) last = kNone;
      if (last == kNone) {
        at += open[0] == '\\' ? 2 : 1;
        continue;
      }
      hidden_.push_back({begin + at, begin + last + 2});
      std::fill_n(copy_.text.begin() + static_cast<std::ptrdiff_t>(begin + at), last + 2 - at, 'x');
      at = last + 2;
    }
  }

  std::string_view bytes(std::size_t begin, std::size_t end) const {
    const std::size_t first = copy_.source(begin);
    return end == begin ? "" : document_.substr(first, copy_.source_end(end) - first);
  }

  // Adds the texts of a block whose events have places.
  void read(const Block& block) {
    const std::vector<Event>& events = block.events;
    const bool terms = are_terms(events);
    const std::size_t first = pieces_.size();
    pieces_.emplace_back();
    std::vector<std::size_t> open;  // where the contents of those that are open begin
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      if (event.breaks() && open.empty() && (terms || event.is(MD_TEXT_BR))) {
        pieces_.emplace_back();
        continue;
      }
      MarkdownPiece& to = pieces_.back();
      // A backslash before the first character is no part of the line, but of the text.
      const bool escaped = event.begin > 0 && copy_.text[event.begin - 1] == '\\';
      if (to.begin == kNone) to.begin = copy_.source(event.begin) - (escaped ? 1 : 0);
      if (event.of == Of::enter && is_opaque(events, i)) {
        for (std::size_t depth = 1; depth > 0; depth += events[i].of == Of::enter)
          depth -= events[++i].of == Of::leave;
        to.text.opaque(bytes(event.begin, events[i].end));
      } else {
        add(event, open, to);
      }
      if (events[i].end > event.begin) to.end = copy_.source_end(events[i].end);
    }
    for (std::size_t i = first; i < pieces_.size(); ++i) {
      MarkdownPiece& piece = pieces_[i];
      while (piece.begin < piece.end && is_space(document_[piece.begin])) ++piece.begin;
      while (piece.begin < piece.end && is_space(document_[piece.end - 1])) --piece.end;
    }
  }

  // Whether each line of a block is a term: a definition follows, and it is no item.
  bool are_terms(const std::vector<Event>& events) const {
    const std::size_t begin = copy_.source(events.front().begin),
                      end = copy_.source_end(events.back().end);
    const std::size_t line = document_.substr(0, begin).rfind('\n') + 1;
    return copy_.definitions.contains(document_.find_first_not_of(" \t\r\n>", end)) &&
           document_.substr(line, begin - line).find_first_not_of(" \t>") == kNone;
  }

  // Images, code, addresses, and links without text.
  bool is_opaque(const std::vector<Event>& events, std::size_t i) const {
    const Event& enter = events[i];
    if (enter.type != MD_SPAN_A) return enter.type == MD_SPAN_IMG || enter.type == MD_SPAN_CODE;
    return copy_.text[enter.begin] != '[' || events[i + 1].of == Of::leave;
  }

  // The mark that closes what encloses the text from `begin` on. A text that is the name of its
  // link as well is the name alone then.
  std::string closing(std::size_t begin, const Event& leave) const {
    std::string close(bytes(leave.begin, leave.end));
    return close == "]" || close == "][]" ? "][" + unbroken(bytes(begin, leave.begin)) + "]"
                                          : close;
  }

  void add(const Event& event, std::vector<std::size_t>& open, MarkdownPiece& to) {
    const std::string_view bytes = this->bytes(event.begin, event.end);
    if (event.of == Of::enter) {
      open.push_back(event.end);
      to.text.group(bytes, Kind::open);
    } else if (event.of == Of::leave) {
      to.text.group(closing(open.back(), event), Kind::close);
      open.pop_back();
    } else if (event.is(MD_TEXT_HTML)) {
      add_tag(bytes, to.text);
    } else if (event.is(MD_TEXT_ENTITY)) {
      // White space would be a break, or nothing, once it was a character.
      std::size_t at = 0;
      const auto characters = entity(bytes, Syntax::unknown, at);
      if (characters && characters->find_first_of(" \t\n\r\f") == kNone) to.text.text(*characters);
      else to.text.opaque(bytes);
    } else if (event.is(MD_TEXT_BR)) {
      to.text.opaque(bytes);
    } else {
      add_text(event, to.text);
    }
  }

  // Text or a break with single spaces, in which templates and marks of notes are hidden.
  void add_text(const Event& event, MarkedText& to) {
    if (event.breaks()) return to.text(" ");
    for (std::size_t at = event.begin, end; at < event.end; at = end) {
      while (next_ < hidden_.size() && hidden_[next_].second <= at) ++next_;
      const auto [first, behind] =
          next_ < hidden_.size() ? hidden_[next_] : std::pair(kNone, kNone);
      end = std::min(first <= at ? behind : first, event.end);
      const std::string_view piece = bytes(at, end);
      if (first <= at) to.opaque(piece);
      for (std::size_t i = 0; i < piece.size() && first > at; ++i)
        if (!is_space(piece[i]) || i == 0 || !is_space(piece[i - 1]))
          to.text(is_space(piece[i]) ? " " : piece.substr(i, 1));
    }
  }

  static void add_tag(std::string_view bytes, MarkedText& to) {
    const std::string shown = single_spaces(unbroken(bytes));
    Token token;
    Tokens(shown, Syntax::html, 0, shown.size()).next(token);
    if (token.is_tag()) to.tag(shown, bytes, token.kind);
    else to.opaque(bytes);
  }

  static bool is_space(char c) { return c == ' ' || c == '\t'; }

  std::string_view document_;
  MarkdownCopy copy_;
  std::vector<Block> blocks_;
  std::vector<std::pair<std::size_t, std::size_t>> hidden_;  // of the copy
  std::size_t next_ = 0;  // the first of them that is not behind what was read
  std::vector<MarkdownPiece> pieces_;
};

}  // namespace

std::vector<MarkdownPiece> read_markdown(std::string_view document) {
  return Reader(document).pieces();
}

}  // namespace tt::document
