// Character entities of HTML and XML, as &amp; and &#233;.
#pragma once

#include <optional>
#include <string_view>

namespace tt {

// The character that an entity, with its & and ;, stands for: those of XML, of Latin-1 and of
// typography by name, and all by number. Nothing for other names, and for numbers that no text has.
std::optional<char32_t> entity_character(std::string_view entity);

}  // namespace tt
