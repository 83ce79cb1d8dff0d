// A text with tags in it, as the line that a translator gets, and its translation.
//
// In the line tags stand as they are shown, and & and < of the text as &amp; and &lt;, so that it
// is a piece of HTML. A translation must have the same tags, each as often, nested if they were.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/editor.h"
#include "markup/tags.h"

namespace tt::document {

using namespace markup;

class MarkedText {
 public:
  using Kind = Token::Kind;  // open, close or single
  struct Part {
    enum class Of { text, tag, opaque, group } of;
    Kind kind;
    std::string shown, bytes;  // of text: both the characters
  };

  MarkedText() = default;
  explicit MarkedText(std::vector<Part> parts) : parts_(std::move(parts)) {}

  void text(std::string_view characters);  // UTF-8, without entities
  // A tag that stands for bytes of the document.
  void tag(std::string_view shown, std::string_view bytes, Kind kind);
  void opaque(std::string_view bytes);  // shown as <ph id="1"/>: what a translator cannot read
  void group(std::string_view bytes, Kind kind);  // <g id="1"> and </g>
  // The text of a document, of that syntax; what is no known entity is opaque.
  void encoded(std::string_view text, Syntax syntax);

  const std::vector<Part>& parts() const { return parts_; }
  std::string line() const;  // as a translator gets it
  bool has_letter() const;   // outside of code, as <code>
  // The meaning of this text, as of Editor::mean(): its characters, and the names of its tags but
  // for those around it, which may be no part of a text that is read.
  std::string meaning() const;
  bool is_blank() const;  // tags and white space alone

  // The translation of this text, which begins at byte `at`, with the tags' bytes; nothing if it is
  // to stay as it is, as where the tags are not those of the text, which is reported.
  // `same`: as of Editor::translation().
  std::optional<MarkedText> translated(Editor& editor, std::size_t at, bool same = false) const;

  // The document's bytes of this text. `write` turns the text between tags into bytes.
  std::string bytes(const std::function<std::string(std::string_view text)>& write) const;

 private:
  std::vector<Part> parts_;
  std::size_t opaque_ = 0, groups_ = 0;
};

// Leaves out at the ends of [first, behind) what `is_blank`, elements with nothing in them, and
// those around all that is left which `may_go`. `partner`: of a tag, where the other tag stands.
template <class Partner, class IsBlank, class MayGo>
void strip(std::size_t& first, std::size_t& behind, const Partner& partner, const IsBlank& is_blank,
           const MayGo& may_go) {
  while (first < behind) {
    const std::size_t last = behind - 1;
    if (first < last && partner(first) == last && may_go(first)) ++first, --behind;
    else if (is_blank(first)) ++first;
    else if (partner(first) == first + 1) first += 2;
    else if (is_blank(last)) --behind;
    else if (last > 0 && partner(last) == last - 1) behind -= 2;
    else return;
  }
}

// A text as part of a line, in which & and < are entities.
std::string shown_text(std::string_view characters);

}  // namespace tt::document
