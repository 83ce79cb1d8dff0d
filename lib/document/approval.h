// Words of documents that say who made, reviewed or approved a translation, and how good it is. Of
// a translation that a machine puts there they would be false.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tt::document {

enum class Dialect { html, tmx, xliff1, xliff2 };

// Whose translation stands in a document now.
struct Approval {
  Dialect dialect = Dialect::html;
  bool reviewed = false;              // a person vouches for it
  std::string_view its = "its";       // the prefix of ITS in the document
  std::optional<bool> doubtful = {};  // of a machine's, whether less is expected of it than wanted

  // The tag of an element that has, or encloses, the translation, or stands beside it.
  std::string tag(std::string_view element, std::string_view bytes) const;
  // Whether an element beside the translation tells of the former one in its contents, as
  // <prop type="x-ConfirmationLevel">.
  bool clears(std::string_view element, std::string_view tag) const;
};

}  // namespace tt::document
