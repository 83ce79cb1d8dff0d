// Encodings of documents that extend ASCII: UTF-8, those of one byte for a character, and EUC.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct UConverter;

namespace tt::document {

class Charset {
 public:
  // UTF-8, or an encoding by any name that ICU knows. Throws Error, beginning with `where`, if it
  // is not known, or if its bytes do not tell where ASCII characters are, and ending with `remedy`,
  // which says what to do then.
  Charset() = default;
  Charset(const std::string& name, const std::string& where, const std::string& remedy);

  bool utf8() const { return !converter_; }
  // UTF-8; what is damaged gives bytes that are not UTF-8.
  std::string decode(std::string_view bytes) const;
  // The bytes of UTF-8 text; nothing if there is a character that it has not.
  std::optional<std::string> encode(std::string_view text) const;

 private:
  std::shared_ptr<UConverter> converter_;
};

}  // namespace tt::document
