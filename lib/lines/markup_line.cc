#include "lines/markup_line.h"

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "base/utf8.h"
#include "markup/elements.h"

namespace tt {
namespace {

using Kind = markup::Token::Kind;

// inside: of what is untouched.
enum class TagRole { untranslated, open, close, alone, untouched, inside };

// A token, and its role.
struct Tag {
  markup::Token token;
  bool untouched = false;  // its name or attributes say that its text is not translated
  TagRole role = TagRole::alone;
  std::size_t partner = 0;  // of open and close, and of what is untouched: the token that ends it
};

// Elements of XLIFF that hold codes of the source format.
constexpr std::array<std::string_view, 6> kCodeOfXml{"bpt", "code", "ept", "it", "ph", "ut"};
constexpr std::size_t kDeepest = 256;   // elements inside of each other
constexpr std::size_t kMostNamed = 80;  // bytes of a tag that does not end, in a message
constexpr std::size_t kMostShown = 64;  // bytes of what is untouched, that the model reads

}  // namespace

class MarkupLine::Builder {
 public:
  Builder(MarkupLine& out, std::string_view line, MarkupKind kind)
      : out_(out), line_(line), html_(kind == MarkupKind::html) {
    read_tags();
    find_partners();
    find_untranslated();
    extend_untranslated();
    write();
  }

 private:
  // The first of each kind is named: a line may have as many as it has characters.
  void problem(Reason reason, std::string_view where) {
    for (const Problem& known : out_.problems_)
      if (known.reason == reason) return;  // a line is reported once for each
    out_.problems_.push_back({reason, {std::string(where)}});
  }
  void problem(Reason reason, const Tag& tag) { problem(reason, tag.token.in(line_)); }

  void read_tags() {
    out_.references_ = html_ ? markup::Syntax::html : markup::Syntax::unknown;
    markup::Tokens tokens(line_, html_ ? markup::Syntax::html : markup::Syntax::xml, 0,
                          line_.size(), markup::Tokens::Of::line);
    for (markup::Token token; tokens.next(token);) {
      if (token.kind == Kind::text) continue;
      Tag tag{token};
      if (token.broken) problem(Reason::tag_without_end, tag);
      tag.untouched = token.is_tag() &&
                      (markup::forbids_translation(token.in(line_)) ||
                       (html_ ? markup::is_code(token.name) || markup::is_untranslated(token.name)
                              : std::ranges::count(kCodeOfXml, token.name) > 0));
      tags_.push_back(std::move(tag));
    }
    // All that is behind a raw element without an end belongs to it.
    if (tags_.empty() || !html_) return;
    if (markup::Token& last = tags_.back().token;
        last.kind == Kind::open && markup::is_raw(last.name)) {
      problem(Reason::tag_not_closed, tags_.back());
      last.kind = Kind::single;
      last.end = line_.size();
    }
  }

  void find_partners() {
    std::vector<std::size_t> open;
    std::map<std::string_view, std::size_t> count;  // of those that are open, by name
    const auto leave = [&](bool reported) {
      const Tag& tag = tags_[open.back()];
      if (reported && !(html_ && markup::may_stay_open(tag.token.name)))
        problem(Reason::tag_not_closed, tag);
      --count[tag.token.name];
      open.pop_back();
    };
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      Tag& tag = tags_[i];
      if (tag.token.kind == Kind::open) {
        open.push_back(i);
        ++count[tag.token.name];
      } else if (tag.token.kind == Kind::close) {
        if (count[tag.token.name] == 0) {
          problem(Reason::tag_not_opened, tag);
          continue;
        }
        while (tags_[open.back()].token.name != tag.token.name) leave(true);
        Tag& first = tags_[open.back()];
        first.role = TagRole::open;
        tag.role = TagRole::close;
        first.partner = i;
        tag.partner = open.back();
        leave(false);
      }
    }
    while (!open.empty()) leave(true);
    bound_depth();
    find_untouched(0, tags_.size());
  }

  // Finds elements that are untouched, with all that is inside. An element in one that asks for
  // translation is a text by itself, and the rest around it stays untranslated.
  void find_untouched(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (tags_[i].role != TagRole::open || !tags_[i].untouched) continue;
      tags_[i].role = TagRole::untouched;
      std::size_t rest = i;
      const std::size_t last = tags_[i].partner;
      while (++i <= last) {
        if (tags_[i].role == TagRole::open &&
            markup::asks_for_translation(tags_[i].token.in(line_))) {
          const std::size_t inside = i, behind = tags_[i].partner;
          tags_[rest].role = TagRole::untranslated;
          tags_[rest].token.end = tags_[inside].token.end;
          find_untouched(inside + 1, behind);
          i = rest = behind;
          tags_[inside].role = TagRole::inside;
          tags_[rest].role = TagRole::untranslated;
        } else {
          tags_[i].role = TagRole::inside;
        }
      }
      if (tags_[rest].role == TagRole::untranslated) tags_[rest].token.end = tags_[last].token.end;
      i = last;
    }
  }

  // Deeper elements stand alone, so that a line needs no more of the stack than others.
  void bound_depth() {
    std::size_t depth = 0;
    for (Tag& tag : tags_) {
      depth -= tag.role == TagRole::close;
      if (tag.role == TagRole::open && depth == kDeepest) {
        problem(Reason::tags_too_deep, tag);
        tags_[tag.partner].role = tag.role = TagRole::alone;
      }
      depth += tag.role == TagRole::open;
    }
  }

  bool is_block(const Tag& tag) const { return html_ && markup::is_block(tag.token.name); }

  // Whether what is untouched has a < that begins no tag, and might begin one elsewhere.
  bool is_broken(std::size_t i) const {
    for (std::size_t k = i; tags_[i].role == TagRole::untouched && k < tags_[i].partner; ++k) {
      const std::size_t at = tags_[k].token.end;
      if (line_.substr(at, tags_[k + 1].token.begin - at).find('<') != line_.npos) return true;
    }
    return false;
  }

  // Block tags, and elements that have one inside; an untouched block as a whole.
  void find_untranslated() {
    std::vector<std::size_t> blocks(tags_.size() + 1);  // before each token
    for (std::size_t i = 0; i < tags_.size(); ++i)
      blocks[i + 1] =
          blocks[i] + (tags_[i].role == TagRole::untranslated ||
                       (tags_[i].role != TagRole::inside && (is_block(tags_[i]) || is_broken(i))));
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      Tag& tag = tags_[i];
      if (tag.role == TagRole::inside) continue;
      const bool encloses = tag.role == TagRole::open && blocks[tag.partner] > blocks[i + 1];
      if (!encloses && blocks[i + 1] == blocks[i]) continue;
      if (tag.role == TagRole::untouched) tag.token.end = tags_[tag.partner].token.end;
      if (encloses) tags_[tag.partner].role = TagRole::untranslated;
      tag.role = TagRole::untranslated;
    }
  }

  // Markup without text between two untranslated stretches, or the ends of the line, belongs to
  // them.
  void extend_untranslated() {
    bool text = false;
    std::size_t begin = 0, at = 0;  // of the segment: its first token; what was read
    const auto end_segment = [&](std::size_t behind) {
      for (std::size_t i = begin; i < behind && !text; ++i)
        if (tags_[i].role != TagRole::inside) {
          if (tags_[i].role == TagRole::untouched)
            tags_[i].token.end = tags_[tags_[i].partner].token.end;
          tags_[i].role = TagRole::untranslated;
        }
      text = false;
      begin = behind + 1;
    };
    for (std::size_t i = 0; i <= tags_.size(); ++i) {
      const bool last = i == tags_.size();
      if (!last && tags_[i].role == TagRole::inside) continue;
      const TextRange r = last ? TextRange{line_.size(), line_.size()}
                               : TextRange{tags_[i].token.begin, tags_[i].token.end};
      text = text || !words_of(line_.substr(at, r.begin - at)).empty();
      at = r.end;
      if (!last && tags_[i].role == TagRole::untouched) {
        at = tags_[tags_[i].partner].token.end;
        text = true;
      }
      if (last || tags_[i].role == TagRole::untranslated) end_segment(i);
    }
  }

  void write() {
    std::vector<std::size_t> open;
    std::size_t at = 0;
    const auto blank = [&](std::size_t i) { return i >= line_.size() || is_space(line_[i]); };
    const auto add = [&](Node node) {
      node.segment = out_.untranslated_.size();
      (open.empty() ? out_.outermost_ : out_.nodes_[open.back()].inside)
          .push_back(out_.nodes_.size());
      out_.nodes_.push_back(std::move(node));
    };
    for (const Tag& tag : tags_) {
      const TextRange r{tag.token.begin, tag.token.end};
      if (tag.role == TagRole::inside || r.begin < at) continue;
      text(line_.substr(at, r.begin - at), add);
      at = r.end;
      const std::string bytes(r.in(line_));
      const std::size_t here = out_.text_.size();
      if (tag.role == TagRole::untranslated) {
        out_.text_ += bytes;
        out_.untranslated_.push_back({here, out_.text_.size()});
      } else if (tag.role == TagRole::open) {
        add({bytes, "", {here, here}, true});
        open.push_back(out_.nodes_.size() - 1);
        out_.nodes_.back().space_before = blank(r.begin - 1);
      } else if (tag.role == TagRole::close) {
        out_.nodes_[open.back()].close = bytes;
        out_.nodes_[open.back()].range.end = here;
        out_.nodes_[open.back()].space_behind = blank(r.end);
        open.pop_back();
      } else if (tag.role == TagRole::untouched) {
        const markup::Token& last = tags_[tag.partner].token;
        show(line_.substr(at, last.begin - at));
        add({std::string(line_.substr(r.begin, last.end - r.begin)),
             "",
             {here, out_.text_.size()},
             true,
             true});
        at = last.end;
        out_.nodes_.back().space_before = blank(r.begin - 1);
        out_.nodes_.back().space_behind = blank(last.end);
      } else if (parts_words(tag)) {
        out_.text_ += ' ';
        add({bytes, "", {here, here}, false, false, true});
      } else {
        add({bytes, "", {here, here}});
        out_.nodes_.back().space_before = blank(r.begin - 1);
        out_.nodes_.back().space_behind = blank(r.end);
      }
    }
    text(line_.substr(at), add);
  }

  // Whether a tag is one that a reader sees between two words, in the place of a space.
  bool parts_words(const Tag& tag) const {
    return html_ && (tag.token.name == "img" || tag.token.name == "input") &&
           word_goes_on(character_before(line_, tag.token.begin),
                        character_at(line_, tag.token.end));
  }

  // The text of what is untouched, for the model, without line breaks and tags.
  void show(std::string_view inside) {
    if (inside.size() > kMostShown) return;
    std::string shown;
    std::size_t at = 0;
    for (const markup::Token& tag : markup::tags_in(inside)) {
      shown += inside.substr(at, tag.begin - at);
      at = tag.end;
    }
    shown += inside.substr(at);
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    const auto words = words_of(shown);
    if (!words.empty())
      out_.text_ += shown.substr(words.front().begin, words.back().end - words.front().begin);
  }

  static bool is_word(char32_t c) { return is_letter(c) || is_digit(c) || is_mark(c); }

  // Text outside of tags: its entities become characters. Spaces that are none to a model, and
  // entities whose character is not known, are nodes.
  template <class Add>
  void text(std::string_view text, Add&& add) {
    const auto plain = [&](std::string_view stretch) {
      for (std::size_t less = 0; (less = stretch.find('<', less)) != stretch.npos; ++less) {
        const std::string_view rest = stretch.substr(less + 1);
        if (is_letter(character_at(rest.substr(rest.starts_with('/'), 8), 0)) ||
            rest.starts_with("!--") || rest.starts_with("![") || rest.starts_with('?') ||
            rest.starts_with('%'))
          problem(
              Reason::tag_without_end,
              stretch.substr(less, 1 + std::min(rest.substr(0, kMostNamed).find(' '), kMostNamed)));
      }
      out_.raw_ampersand_ |= stretch.find('&') != stretch.npos;
      out_.raw_less_ |= stretch.find('<') != stretch.npos;
      out_.raw_greater_ |= stretch.find('>') != stretch.npos;
      out_.text_ += stretch;
    };
    std::size_t done = 0;
    for (std::size_t at = 0; (at = text.find('&', at)) != text.npos;) {
      const std::size_t begin = at, closed = markup::entity_end(text, at);
      auto characters = markup::entity(text, out_.references_, at);
      const char* next = characters ? characters->data() : nullptr;
      const char32_t c = next ? next_code_point(next, next + characters->size()) : U'\0';
      const bool single = next && next == characters->data() + characters->size();
      if (c < 0x20 || (c >= 0x7F && c < 0xA0)) characters.reset();
      if (!characters && closed == begin) {
        at = begin + 1;
        continue;
      }
      if (!characters) at = closed;
      plain(text.substr(done, begin - done));
      done = at;
      const std::string entity(text.substr(begin, at - begin));
      const std::size_t here = out_.text_.size();
      // Inside of a word it is a letter that nobody knows, and the word is translated without it.
      if (!characters &&
          (is_word(character_before(out_.text_, here)) || is_word(character_at(text, at)))) {
        add({entity, "", {here, here}});
      } else if (!characters) {
        out_.text_ += entity.substr(1, entity.size() - 2);
        add({entity, "", {here, out_.text_.size()}, true, true});
      } else if (single && is_space(c)) {
        out_.text_ += ' ';
        add({entity, "", {here, here}, false, false, true});
      } else {
        out_.text_ += *characters;
        if (single) out_.spelt_.emplace(c, entity);
      }
    }
    plain(text.substr(done));
  }

  MarkupLine& out_;
  std::string_view line_;
  bool html_;
  std::vector<Tag> tags_;
};

MarkupLine::MarkupLine(std::string_view line, MarkupKind kind) { Builder(*this, line, kind); }

std::vector<TextRange> MarkupLine::untouched() const {
  std::vector<TextRange> ranges;
  for (const Node& node : nodes_)
    if (node.untouched) ranges.push_back(node.range);
  return ranges;
}

}  // namespace tt
