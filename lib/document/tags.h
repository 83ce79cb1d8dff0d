// The tags of HTML and XML as stretches of a document's bytes, and its character entities.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tt::document {

enum class Syntax { html, xml };

struct Token {
  // single: <br/>, and elements of HTML that have no contents; other: comments, <!DOCTYPE>,
  // <?xml?>; cut: what the end of the document cuts off.
  enum class Kind { text, open, close, single, comment, other, cdata, cut };
  Kind kind = Kind::text;
  std::size_t begin = 0, end = 0;
  std::string name = {};  // of a tag; of HTML in small letters

  std::string_view in(std::string_view document) const {
    return document.substr(begin, end - begin);
  }
};

// Reads [begin, end) of a document token by token. < that begins no tag is text.
class Tokens {
 public:
  Tokens(std::string_view document, Syntax syntax, std::size_t begin, std::size_t end)
      : document_(document.substr(0, end)), syntax_(syntax), at_(begin) {}

  bool next(Token& token);
  // Of an element that `open` begins: where its end tag begins, or the end of the document if it
  // has none, and goes on behind. With `raw` only its own end tag counts, as in <script>.
  std::size_t skip(const Token& open, bool raw);
  std::size_t at() const { return at_; }  // behind the token that was read last

 private:
  bool tag(Token& token) const;
  std::string_view document_;
  Syntax syntax_;
  std::size_t at_;
};

// The value of an attribute of a tag, as it is written, whatever the case of its name; nothing if
// it has none.
std::optional<std::string_view> attribute(std::string_view tag, std::string_view name);
// The tag with an attribute of that value instead, or besides.
std::string with_attribute(std::string_view tag, std::string_view name, std::string_view value);

std::string without_attribute(std::string_view tag, std::string_view name);

// Text with its entities, each replaced by its character. What names none is given to `unknown`
// with its bytes, everything else to `known`.
template <class Known, class Unknown>
void decode(std::string_view text, Syntax syntax, const Known& known, const Unknown& unknown);
// The character of an entity at `at`, which is moved behind it; nothing if there is none.
std::optional<std::string> entity(std::string_view text, Syntax syntax, std::size_t& at);
// The character of what is no entity for want of a semicolon, but is one in HTML all the same, as
// &copy and &#169, also within a word; nothing if there is none.
std::optional<std::string> unfinished_entity(std::string_view text, std::size_t& at);
// The end of what looks like an entity, &name; or `at` if nothing does.
std::size_t entity_end(std::string_view text, std::size_t at);

// Text with & < > and the no-break space as entities, and of ASCII alone if asked for.
std::string encode(std::string_view text, Syntax syntax, bool ascii);

template <class Known, class Unknown>
void decode(std::string_view text, Syntax syntax, const Known& known, const Unknown& unknown) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('&', at), text.size());
    if (next > at) known(text.substr(at, next - at));
    at = next;
    if (at == text.size()) break;
    const std::size_t end = entity_end(text, at), begin = at;
    auto character = entity(text, syntax, at);
    if (!character && end == at && syntax == Syntax::html) character = unfinished_entity(text, at);
    if (character) {
      known(std::string_view(*character));
    } else if (end > at) {
      unknown(text.substr(begin, end - begin));
      at = end;
    } else {
      known(text.substr(at++, 1));
    }
  }
}

}  // namespace tt::document
