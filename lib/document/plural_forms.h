// The Plural-Forms of a PO file: which form of a message goes with a number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tt::document {

class PluralForms {
 public:
  // Two forms, the first for one.
  PluralForms() = default;
  // "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : ...;", in C's expressions of n. Throws Error,
  // beginning with `where`, if it is malformed.
  PluralForms(std::string_view header, const std::string& where);

  std::size_t forms() const { return forms_; }
  std::size_t form(unsigned long n) const;
  // Whether a form is for 1 and no other number up to 200.
  bool only_one(std::size_t form) const;

 private:
  std::size_t forms_ = 2;
  std::vector<std::size_t> of_;  // forms of 0, 1, ...; empty: the default
};

}  // namespace tt::document
