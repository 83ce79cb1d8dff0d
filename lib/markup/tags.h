// The tags of HTML and XML as stretches of a text's bytes.
//
// HTML is read as the tokenizer of its standard does (section 13.2.5), but for these: code of PHP,
// ERB and JSP, <?= x ?> and <%= x %>, is one token, and so inside of a tag; <x/> is single whatever
// its name; and "<!--" in a script has no meaning. Reading takes time in proportion to the text,
// whatever it is.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "markup/entities.h"

namespace tt::markup {

struct Token {
  // single: <br/>, and elements of HTML that have no contents; other: <!DOCTYPE>, <?xml?> and code;
  // cut: a tag or comment that the end of the text cuts off.
  enum class Kind { text, open, close, single, comment, other, cdata, cut, entity };
  Kind kind = Kind::text;
  std::size_t begin = 0, end = 0;
  std::string name = {};  // of a tag; of HTML in small letters
  bool broken = false;    // the tag has < where an attribute might be: perhaps it is text

  std::string_view in(std::string_view document) const {
    return document.substr(begin, end - begin);
  }
  bool is_tag() const { return kind == Kind::open || kind == Kind::close || kind == Kind::single; }
};

// Finds marks in a text, and remembers where each was found last, or that it is nowhere behind.
class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text) {}
  std::size_t operator()(std::string_view mark, std::size_t from);  // npos: nowhere
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> known_;  // from where, and there
};

// Reads [begin, end) of a text token by token. < that begins no tag is text. What the end cuts off
// is a token of a document, and text of a line, which may be a part of a document.
class Tokens {
 public:
  enum class Of { document, line };
  Tokens(std::string_view text, Syntax syntax, std::size_t begin, std::size_t end,
         Of of = Of::document)
      : text_(text.substr(0, end)), find_(text_), syntax_(syntax), of_(of), at_(begin) {}

  bool next(Token& token);
  // Of an element that `open` begins: where its end tag begins, or the end of the text if it has
  // none, and goes on behind.
  std::size_t skip(const Token& open);
  std::size_t at() const { return at_; }  // behind the token that was read last

 private:
  bool read(Token& token);
  bool until(std::string_view close, std::size_t from, Token::Kind kind, Token& token);
  bool comment(Token& token);
  bool tag(Token& token);
  std::size_t name_end(std::size_t begin);
  bool cut(Token& token) const;

  std::string_view text_;
  Finder find_;
  Syntax syntax_;
  Of of_;
  std::size_t at_;
  Token ahead_;      // read behind a text
  std::string raw_;  // the element whose contents come next
  std::size_t name_begin_ = 0, name_end_ = 0;
  std::unordered_set<std::size_t> dead_;  // before attributes of tags that do not end
};

// All that is no text, of a line of unknown syntax; and of its text what looks like an entity.
std::vector<Token> tags_in(std::string_view text);
std::vector<Token> tags_and_entities_in(std::string_view text);

// The value of an attribute of a tag, as it is written, whatever the case of its name; nothing if
// it has none.
std::optional<std::string_view> attribute(std::string_view tag, std::string_view name);
// The text of that value in XML; empty if there is none.
std::string attribute_text(std::string_view tag, std::string_view name);
// The tag with an attribute of that value instead, or besides.
std::string with_attribute(std::string_view tag, std::string_view name, std::string_view value);
std::string without_attribute(std::string_view tag, std::string_view name);
// The tag without the attributes for which `goes` is true, of their names and values as written.
std::string without_attributes(
    std::string_view tag,
    const std::function<bool(std::string_view name, std::string_view value)>& goes);
// Whether the attributes of a tag say that its element is not translated: translate="no", also as
// its:translate, class="notranslate", and mtype="protected" of XLIFF; or that it is, within one
// that is not.
bool forbids_translation(std::string_view tag);
bool asks_for_translation(std::string_view tag);

// Whether each tag that closes an element closes the one that was opened last, but for elements
// that are never closed, as <br>.
bool well_nested(const std::vector<std::string>& tags);

// How many elements of a text have nothing in them but white space.
std::size_t empty_elements(std::string_view text);

}  // namespace tt::markup
