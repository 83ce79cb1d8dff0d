#include "document/markdown_blocks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>

#include "base/error.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
using Type = Event::Type;

// Gives each event of a block its place: what stands between texts is what encloses them.
class Places {
 public:
  Places(std::string_view text, std::vector<Event>& events) : text_(text), events_(events) {}

  // `at`: the end of what stands before, from where the begin of the block is looked for. Moves it
  // behind the block. False if an event is not where it must be.
  bool find(std::size_t& at) {
    const auto first = std::ranges::find_if(events_, &Event::has_place);
    const std::size_t limit = first == events_.end() ? text_.size() : first->begin;
    for (std::size_t begin = events_[0].has_place() ? limit : at; begin <= limit; ++begin) {
      if (!events_[0].has_place()) begin = std::min(text_.find_first_of("*_~[!`<", begin), limit);
      if (!place(begin)) continue;
      at = events_.back().end;
      return true;
    }
    return false;
  }

 private:
  bool place(std::size_t at) {
    links_.clear();
    bool code = false;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      Event& event = events_[i];
      if (event.has_place()) {
        // A backslash before it is no text, and in code a space beside the marks.
        if (code) at = std::max(at, std::min(text_.find_first_not_of(" \t\n>", at), event.begin));
        else at += at + 1 == event.begin && text_[at] == '\\';
        if (at != event.begin) return false;
        at = event.end;
        continue;
      }
      const std::size_t end = end_of(event, at, i + 1 < events_.size() ? &events_[i + 1] : nullptr);
      if (end == kNone) return false;
      if (event.span == MD_SPAN_CODE) code = event.type == Type::enter;
      event.begin = at;
      event.end = at = end;
    }
    return true;
  }

  std::size_t end_of(const Event& event, std::size_t at, const Event* next) {
    const auto run = [&](std::string_view characters, std::size_t least, std::size_t most) {
      const std::string_view rest = text_.substr(at);
      if (rest.empty() || characters.find(rest[0]) == kNone) return kNone;
      std::size_t size = 1;
      while (size < most && size < rest.size() && rest[size] == rest[0]) ++size;
      return size < least ? kNone : at + size;
    };
    if (event.type == Type::nul) return run(std::string_view("\0", 1), 1, 1);
    if (event.type == Type::soft_break || event.type == Type::hard_break) {
      at = std::min(text_.find_first_not_of(" \t\\", at), text_.size());
      if (at == text_.size() || text_[at] != '\n') return kNone;
      return std::min(text_.find_first_not_of(" \t>", at + 1), text_.size());
    }
    switch (event.span) {
      case MD_SPAN_EM: return run("*_", 1, 1);
      case MD_SPAN_STRONG: return run("*_", 2, 2);
      case MD_SPAN_DEL: return run("~", 1, 2);
      case MD_SPAN_CODE:
        if (event.type == Type::leave)
          at = std::min(text_.find_first_not_of(" \t\n>", at), text_.size());
        return run("`", 1, kNone);
      default: break;
    }
    if (event.type == Type::enter) {
      // An address has brackets around it, or none; where none are, its text begins here.
      const std::string_view open = event.span == MD_SPAN_IMG ? "![" : text_.substr(at, 1);
      const bool bare = event.span == MD_SPAN_A && next && next->has_place() && next->begin == at;
      if (!text_.substr(at).starts_with(open) ||
          (!bare && open != "![" && open != "[" && open != "<"))
        return kNone;
      links_.push_back(bare ? ' ' : open.back());
      return at + (bare ? 0 : open.size());
    }
    if (links_.empty()) return kNone;
    const char open = links_.back();
    links_.pop_back();
    return open == ' ' ? at : open == '<' ? run(">", 1, 1) : link_end(at);
  }

  // Where a link or an image ends whose text ends at `at`: ](address "title"), ][name] or ].
  std::size_t link_end(std::size_t at) const {
    if (at >= text_.size() || text_[at] != ']') return kNone;
    const std::string_view rest = text_.substr(++at);
    if (rest.starts_with('(')) {
      const std::size_t end = target_end(at + 1);
      if (end != kNone) return end;
    }
    if (!rest.starts_with('[')) return at;
    const std::size_t close = find_unescaped("]", at + 1, "[");
    return close == kNone ? at : close + 1;
  }

  std::size_t target_end(std::size_t at) const {
    const auto skip = [&] { at = std::min(text_.find_first_not_of(" \t\n>", at), text_.size()); };
    const auto is = [&](char c) { return at < text_.size() && text_[at] == c; };
    skip();
    if (is('<')) {
      at = find_unescaped(">", at + 1, "<\n");
      if (at == kNone) return kNone;
      ++at;
    } else {
      for (std::size_t depth = 0; at < text_.size(); ++at) {
        const char c = text_[at];
        if (c == '\\') ++at;
        else if (c == ' ' || c == '\t' || c == '\n' || (c == ')' && depth == 0)) break;
        else if (c == '(' && ++depth > 32) return kNone;
        else if (c == ')') --depth;
      }
    }
    skip();
    if (is('"') || is('\'') || is('(')) {
      at = find_unescaped(is('(') ? ")" : text_.substr(at, 1), at + 1, "");
      if (at == kNone) return kNone;
      ++at;
      skip();
    }
    return is(')') ? at + 1 : kNone;
  }

  // Where one of `characters` stands without a backslash, before one of `others`.
  std::size_t find_unescaped(std::string_view characters, std::size_t at,
                             std::string_view others) const {
    for (; at < text_.size(); ++at) {
      if (text_[at] == '\\') ++at;
      else if (characters.find(text_[at]) != kNone) return at;
      else if (others.find(text_[at]) != kNone) break;
    }
    return kNone;
  }

  std::string_view text_;
  std::vector<Event>& events_;
  std::vector<char> links_;  // how those that are open begin
};

// The blocks of a copy that have contents.
class Parse {
 public:
  explicit Parse(const std::string& text) : text_(text) {
    if (text.size() > std::numeric_limits<MD_SIZE>::max())
      throw Error("a document of Markdown is at most 4 GiB long");
    const MD_PARSER parser{0,
                           MD_FLAG_PERMISSIVEAUTOLINKS | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS,
                           [](MD_BLOCKTYPE type, void* detail, void* self) {
                             return static_cast<Parse*>(self)->block(type, detail, true);
                           },
                           [](MD_BLOCKTYPE type, void* detail, void* self) {
                             return static_cast<Parse*>(self)->block(type, detail, false);
                           },
                           [](MD_SPANTYPE type, void*, void* self) {
                             static_cast<Parse*>(self)->add({.type = Type::enter, .span = type});
                             return 0;
                           },
                           [](MD_SPANTYPE type, void*, void* self) {
                             static_cast<Parse*>(self)->add({.type = Type::leave, .span = type});
                             return 0;
                           },
                           [](MD_TEXTTYPE type, const MD_CHAR* bytes, MD_SIZE size, void* self) {
                             static_cast<Parse*>(self)->text(type, bytes, size);
                             return 0;
                           },
                           nullptr,
                           nullptr};
    if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this) != 0)
      throw Error("there is not enough memory to read Markdown");
  }

  std::vector<Block> blocks;

 private:
  int block(MD_BLOCKTYPE type, void* detail, bool enters) {
    if (!block_.events.empty()) {
      if (block_.type == MD_BLOCK_HTML || block_.type == MD_BLOCK_CODE)
        at_ = block_.events.back().end;
      else block_.placed = Places(text_, block_.events).find(at_);
      blocks.push_back(std::move(block_));
    }
    if (type == MD_BLOCK_QUOTE) quotes_ += enters ? 1 : -1;
    block_ = {.type = enters ? type : MD_BLOCK_P, .quotes = quotes_};
    if (enters && type == MD_BLOCK_CODE)
      block_.fence = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->fence_char;
    return 0;
  }

  void add(const Event& event) { block_.events.push_back(event); }

  void text(MD_TEXTTYPE type, const char* bytes, std::size_t size) {
    std::vector<Event>& events = block_.events;
    const bool inside = std::less_equal<>()(text_.data(), bytes) &&
                        std::less_equal<>()(bytes, text_.data() + text_.size());
    const auto begin = inside ? static_cast<std::size_t>(bytes - text_.data()) : 0;
    Event event{Type::text, begin, begin + size};
    if (type == MD_TEXT_SOFTBR) event.type = Type::soft_break;
    else if (type == MD_TEXT_BR) event.type = Type::hard_break;
    else if (type == MD_TEXT_NULLCHAR) event.type = Type::nul;
    else if (type == MD_TEXT_ENTITY) event.type = Type::entity;
    else if (type == MD_TEXT_HTML) event.type = Type::html;
    // Of code and HTML ends of lines are given, too.
    if (!inside && event.has_place()) {
      joins_ = type == MD_TEXT_HTML;
    } else if (joins_ && type == MD_TEXT_HTML && !events.empty()) {
      events.back().end = event.end;
      joins_ = false;
    } else {
      add(event);
      joins_ = false;
    }
  }

  const std::string& text_;
  Block block_;
  std::size_t quotes_ = 0, at_ = 0;  // behind the block before
  bool joins_ = false;               // the next HTML goes on with the last
};

}  // namespace

std::vector<Block> parse_markdown(const std::string& text) { return Parse(text).blocks; }

}  // namespace tt::document
