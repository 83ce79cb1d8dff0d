// Numbers that differ. A number is digits of any script, with . , ' or a space before groups of
// three or without; 2,500.75 and 2.500,75 have the same ones. Digits of placeholders are none.
//
// The other side may have it otherwise: in words, with a word for its zeros (2.3 million, 230万),
// in the afternoon (3 p.m., 15:00) and without its century (the 1960s, die 60er); a number in a
// name, as COVID-19, or an address need not be there. Up to twelve, one on one side alone is
// forgiven.
#pragma once

#include "clean/rule.h"
#include "clean/spelled_number.h"

namespace tt::clean {

class Numbers : public Rule {
 public:
  // The share of the numbers that must be on both sides, and the languages of these, or none.
  Numbers(double share, const std::vector<std::string>& languages)
      : share_(share), spelled_(languages) {}

  bool drops(const Pair& pair) override;

 private:
  struct Number {
    std::uint64_t value;
    const char *begin, *end;  // where it stands
    bool operator<(const Number& other) const { return value < other.value; }
    bool operator==(const Number& other) const { return value == other.value; }
  };
  static void find(const Side& side, std::vector<Number>& numbers);
  static void join(std::vector<Number>& numbers, const char* end);
  std::size_t take_alike(const Pair& pair);

  const double share_;
  std::vector<Number> source_, target_;
  SpelledNumbers spelled_;
};

}  // namespace tt::clean
