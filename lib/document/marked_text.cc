#include "document/marked_text.h"

#include <algorithm>
#include <map>

#include "base/capitals.h"
#include "base/shortened.h"
#include "markup/elements.h"

namespace tt::document {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f";
using Of = MarkedText::Part::Of;

// The name of a shown tag.
std::string_view name_of(std::string_view shown) {
  const std::size_t begin = shown.starts_with("</") ? 2 : 1;
  return shown.substr(begin, std::min(shown.find_first_of(" />", begin), shown.size()) - begin);
}

bool looks_like_tag(std::string_view text) {
  if (text.size() < 2 || text.find('>') == std::string_view::npos) return false;
  const char c = text[text[1] == '/' && text.size() > 2 ? 2 : 1];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '!' || c == '?';
}

// The tags of a line from left to right, and which of them are open.
class Nesting {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // Takes a tag, which has a number, and returns the number of the one that it closes.
  std::size_t take(std::size_t number, MarkedText::Kind kind, std::string_view shown) {
    if (kind == MarkedText::Kind::open) open_.push_back({number, name_of(shown)});
    if (kind != MarkedText::Kind::close) return kNone;
    if (open_.empty() || open_.back().second != name_of(shown)) {
      broken_ = true;
      return kNone;
    }
    const std::size_t closed = open_.back().first;
    open_.pop_back();
    return closed;
  }
  std::size_t innermost() const { return open_.empty() ? kNone : open_.back().first; }
  bool nested() const { return !broken_ && open_.empty(); }

 private:
  std::vector<std::pair<std::size_t, std::string_view>> open_;
  bool broken_ = false;
};

}  // namespace

std::string shown_text(std::string_view characters) {
  std::string line;
  for (const char c : characters) {
    if (c == '&') line += "&amp;";
    else if (c == '<') line += "&lt;";
    else line += c;
  }
  return line;
}

void MarkedText::text(std::string_view characters) {
  if (!parts_.empty() && parts_.back().of == Of::text) parts_.back().shown += characters;
  else parts_.push_back({Of::text, Kind::single, std::string(characters), {}});
}

void MarkedText::tag(std::string_view shown, std::string_view bytes, Kind kind) {
  parts_.push_back({Of::tag, kind, std::string(shown), std::string(bytes)});
}

void MarkedText::opaque(std::string_view bytes) {
  tag("<ph id=\"" + std::to_string(++opaque_) + "\"/>", bytes, Kind::single);
  parts_.back().of = Of::opaque;
}

void MarkedText::group(std::string_view bytes, Kind kind) {
  tag(kind == Kind::open ? "<g id=\"" + std::to_string(++groups_) + "\">" : "</g>", bytes, kind);
  parts_.back().of = Of::group;
}

std::string MarkedText::line() const {
  std::string line;
  for (const Part& part : parts_) line += part.of == Of::text ? shown_text(part.shown) : part.shown;
  return line;
}

void MarkedText::encoded(std::string_view bytes, Syntax syntax) {
  decode(
      bytes, syntax, [&](std::string_view known) { text(known); },
      [&](std::string_view unknown) { opaque(unknown); });
}

bool MarkedText::has_letter() const {
  std::map<std::string, std::size_t> ends;  // of code: where its name closes last
  const auto code_of = [&](std::size_t i) {
    const std::string name =
        parts_[i].of == Of::tag ? ascii_small(name_of(parts_[i].shown)) : std::string();
    return is_code(name) ? name : std::string();
  };
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].kind == Kind::close) ends[code_of(i)] = i;
  std::size_t code = 0;  // elements around
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::string name = code_of(i);
    if (parts_[i].of == Of::text && code == 0 && document::has_letter(parts_[i].shown)) return true;
    if (name.empty()) continue;
    code += parts_[i].kind == Kind::open && ends.contains(name) && ends[name] > i;
    code -= parts_[i].kind == Kind::close && code > 0;
  }
  return false;
}

std::string MarkedText::meaning() const {
  if (!has_letter()) return {};
  std::string meaning;
  std::size_t end = 0;  // of what is not around it
  for (const Part& part : parts_) {
    if (part.of == Of::text) {
      std::string_view text(part.shown);
      if (meaning.empty())
        text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
      meaning += shown_text(text);
      if (text.find_last_not_of(kSpaces) != text.npos) end = meaning.find_last_not_of(kSpaces) + 1;
    } else if (!meaning.empty()) {
      meaning += (part.kind == Kind::close ? "</" : "<") + std::string(name_of(part.shown)) + ">";
    }
  }
  meaning.resize(end);
  return meaning;
}

bool MarkedText::is_blank() const {
  return std::ranges::all_of(parts_, [](const Part& part) {
    return part.of != Of::text || part.shown.find_first_not_of(" \t\r\n") == std::string::npos;
  });
}

std::optional<MarkedText> MarkedText::translated(Editor& editor, std::size_t at, bool same) const {
  std::vector<const Part*> tags;
  Nesting source, target;
  std::vector<std::size_t> closed_by(parts_.size(), Nesting::kNone);
  for (const Part& part : parts_) {
    if (part.of == Of::text) continue;
    const std::size_t closes = source.take(tags.size(), part.kind, part.shown);
    if (closes != Nesting::kNone) closed_by[closes] = tags.size();
    tags.push_back(&part);
  }
  const std::string line = this->line();
  const auto back = editor.translation(at, line, same, meaning());
  if (!back) return {};
  MarkedText result;
  std::vector<bool> used(tags.size());
  const std::string_view rest(*back);
  for (std::size_t i = 0; i < rest.size();) {
    if (rest[i] == '&') {
      // Of what is no entity the ampersand is text.
      const bool closed = entity_end(rest, i) > i;
      const auto character = closed ? entity(rest, Syntax::unknown, i) : std::nullopt;
      result.text(character ? std::string_view(*character) : rest.substr(i++, 1));
      continue;
    }
    if (rest[i] != '<') {
      const std::size_t end = std::min(rest.find_first_of("<&", i), rest.size());
      result.text(rest.substr(i, end - i));
      i = end;
      continue;
    }
    const auto stands = [&](std::size_t tag) {
      return tag < tags.size() && !used[tag] && rest.substr(i).starts_with(tags[tag]->shown);
    };
    // Tags that close may look alike and stand for other bytes: of ** and ](address).
    std::size_t which =
        target.innermost() == Nesting::kNone ? Nesting::kNone : closed_by[target.innermost()];
    if (!stands(which))
      for (which = 0; which < tags.size() && !stands(which);) ++which;
    if (which < tags.size()) {
      used[which] = true;
      target.take(which, tags[which]->kind, tags[which]->shown);
      result.parts_.push_back(*tags[which]);
      i += tags[which]->shown.size();
    } else if (looks_like_tag(rest.substr(i))) {
      return editor.refuse("has " + shortened(rest.substr(i, rest.find('>', i) + 1 - i)) +
                           " where the text has none, or fewer");
    } else {
      result.text(rest.substr(i++, 1));
    }
  }
  std::string wrong;
  for (const Part& part : result.parts_)
    if (part.of == Of::text && wrong.empty()) wrong = wrong_characters(line, part.shown);
  for (std::size_t i = 0; i < tags.size() && wrong.empty(); ++i)
    if (!used[i]) wrong = "lacks " + shortened(tags[i]->shown);
  if (wrong.empty() && source.nested() && !target.nested()) wrong = "has tags that are not nested";
  if (wrong.empty()) return result;
  return editor.refuse(wrong);
}

std::string MarkedText::bytes(
    const std::function<std::string(std::string_view text)>& write) const {
  std::string bytes;
  for (const Part& part : parts_) bytes += part.of == Of::text ? write(part.shown) : part.bytes;
  return bytes;
}

}  // namespace tt::document
