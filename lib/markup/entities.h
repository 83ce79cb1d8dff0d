// Character references of HTML and XML: &amp;, &#233; and &#xE9;.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tt::markup {

// html: as the HTML standard reads a page. xml: as XML is defined. unknown: text that may be either
// or neither, of which a tag must be well-formed.
enum class Syntax { html, xml, unknown };

// The characters of a reference at `at`, which is moved behind it; nothing if there is none, or
// one of no character, as &#0;. XML has five names; HTML has 2,125, of which 106 need no semicolon,
// also within a word. Where the syntax is unknown they do without only where the name ends.
std::optional<std::string> entity(std::string_view text, Syntax syntax, std::size_t& at);
// The end of what looks like a reference, &name; with its semicolon, or `at` if nothing does.
std::size_t entity_end(std::string_view text, std::size_t at);

// Text with & < > and the no-break space as entities, and of ASCII alone if asked for.
std::string encode(std::string_view text, bool ascii);

// Text with its references, each replaced by its characters. One that has none is given to
// `unknown` with its bytes, everything else to `known`.
template <class Known, class Unknown>
void decode(std::string_view text, Syntax syntax, const Known& known, const Unknown& unknown) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('&', at), text.size());
    if (next > at) known(text.substr(at, next - at));
    at = next;
    if (at == text.size()) break;
    const std::size_t end = entity_end(text, at);
    if (const auto characters = entity(text, syntax, at)) {
      known(std::string_view(*characters));
    } else if (end > at) {
      unknown(text.substr(at, end - at));
      at = end;
    } else {
      known(text.substr(at++, 1));
    }
  }
}

}  // namespace tt::markup
