// Kept stretches in the text of a translation.
#include "decode/verbatim.h"

#include <utility>

#include "decode/missing_kept.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

// Puts two stretches of a source at an unknown piece, whose space goes, and at one that has none.
std::string beside(const std::string& source, const std::string& left, const std::string& right) {
  const auto wanted = [&](const std::string& text) {
    const std::size_t at = source.find(text);
    return Requirement{text, {text}, true, {at, at + text.size()}};
  };
  const Requirement first = wanted(left), second = wanted(right);
  const Subword& model = made_up_model("bpe");
  std::int32_t inside = model.eos() + 1;
  while (model.piece(inside).starts_with(kSpacePiece)) ++inside;
  const std::vector<std::int32_t> tokens{model.unk(), inside};
  std::string text = model.decode(tokens);
  std::vector<Replacement> replaced;
  put_verbatim(model, tokens, source, {{&first, 0, 1}, {&second, 1, 2}}, text, replaced);
  std::size_t size = 0;
  for (const Replacement& r : replaced) size += r.size;
  CHECK(size <= text.size());
  const std::size_t begin = text.find_first_not_of(' ');
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

TEST_CASE("kept stretches beside each other are apart where they were") {
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [left, right] : {Pair{"X", "\u22125"},
                                    {"X", "-5"},
                                    {"X", "(b)"},
                                    {"X", "\"b\""},
                                    {"!", "-5"},
                                    {"(a)", "(b)"},
                                    {"12", "345"},
                                    {"5", "-6"},
                                    {"<i>", "<b>"}}) {
    INFO(left << " " << right);
    CHECK(beside("a man " + left + " " + right + " there", left, right) == left + " " + right);
    CHECK(beside("a man " + right + " and " + left, left, right) == left + " " + right);
    CHECK(beside(left + " and " + right, left, right) == left + " " + right);
  }
  CHECK(beside("<b><i>dog", "<b>", "<i>") == "<b><i>");
  CHECK(beside("<b>X</b>", "<b>", "X") == "<b>X");
  CHECK(beside("X(b)", "X", "(b)") == "X(b)");
  // Their values come one after the other.
  CHECK(beside("%s has %d", "%d", "%s") == "%s %d");
  CHECK(beside("%2$s has %1$d", "%1$d", "%2$s") == "%1$d %2$s");
  CHECK(beside("猫 犬", "猫", "犬") == "猫犬");
}

TEST_CASE("a stretch sticks to a word where punctuation was beside it, or nothing") {
  for (const char32_t own : {U's', U'$', U'%', U'5'}) {
    CHECK(needs_space(U'.', own, U'u'));
    CHECK(needs_space(U' ', own, U'u'));
    CHECK_FALSE(needs_space(U'u', own, U'u'));
    CHECK_FALSE(needs_space(U'.', own, U'.'));
    CHECK_FALSE(needs_space(U'.', own, U'猫'));
  }
  CHECK_FALSE(needs_space(U'(', U'<', U'u'));
}

}  // namespace tt
