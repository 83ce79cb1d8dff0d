// Text whose UTF-8 was taken for an encoding of one byte a character, and written as UTF-8 again:
// of Windows-1252 "GrÃ¼ÃŸe" for "Grüße", of Windows-1251 "РџСЂРёРІРµС‚" for "Привет"; and U+FFFD,
// which stands where a program could not read a character.
#pragma once

#include <string_view>

#include "clean/rule.h"

namespace tt::clean {

// Whether a text seems to be of that kind.
bool is_mojibake(std::string_view text);

class Mojibake : public Rule {
 public:
  bool drops(const Pair& pair) override {
    return (!pair.source.ascii && is_mojibake(pair.source.text)) ||
           (!pair.target.ascii && is_mojibake(pair.target.text));
  }
};

}  // namespace tt::clean
