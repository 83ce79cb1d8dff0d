#include "document/plural_forms.h"

#include <charconv>

#include "base/error.h"

namespace tt::document {
namespace {

constexpr unsigned long kNumbers = 201;  // languages look at the last two digits

// C's operators of two operands, with their rank; longer ones first.
struct Operator {
  std::string_view sign;
  int rank;
};
constexpr Operator kOperators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4},
                                   {">=", 4}, {"<", 4},  {">", 4},  {"+", 5},  {"-", 5},
                                   {"*", 6},  {"/", 6},  {"%", 6}};

class Expression {
 public:
  Expression(std::string_view text, unsigned long n) : text_(text), n_(n) {}

  // Sets `value`; false if the text is no expression.
  bool evaluate(unsigned long& value) {
    value = conditional();
    spaces();
    return good_ && (at_ == text_.size() || text_[at_] == ';');
  }

 private:
  unsigned long conditional() {
    if (++depth_ > 100) good_ = false;
    const unsigned long condition = good_ ? operation(1) : 0;
    if (!take("?")) return --depth_, condition;
    const unsigned long yes = conditional();
    if (!take(":")) good_ = false;
    const unsigned long no = conditional();
    --depth_;
    return condition ? yes : no;
  }

  unsigned long operation(int rank) {
    if (rank > 6) return operand();
    unsigned long left = operation(rank + 1);
    while (good_) {
      std::string_view sign;
      for (const Operator& known : kOperators)
        if (sign.empty() && known.rank == rank && next(known.sign)) sign = known.sign;
      if (sign.empty()) return left;
      at_ += sign.size();
      const unsigned long right = operation(rank + 1);
      left = apply(sign, left, right);
    }
    return 0;
  }

  unsigned long apply(std::string_view sign, unsigned long a, unsigned long b) {
    if (sign == "||") return a || b;
    if (sign == "&&") return a && b;
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<=") return a <= b;
    if (sign == ">=") return a >= b;
    if (sign == "<") return a < b;
    if (sign == ">") return a > b;
    if (sign == "+") return a + b;
    if (sign == "-") return a - b;
    if (sign == "*") return a * b;
    if (b == 0) good_ = false;
    return b == 0 ? 0 : sign == "/" ? a / b : a % b;
  }

  unsigned long operand() {
    if (next("!=") == false && take("!")) return !nested();
    if (take("(")) {
      const unsigned long value = conditional();
      if (!take(")")) good_ = false;
      return value;
    }
    if (take("n")) return n_;
    unsigned long value = 0;
    const auto [stop, problem] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (problem != std::errc()) good_ = false;
    at_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }
  unsigned long nested() {
    if (++depth_ > 100) good_ = false;
    const unsigned long value = good_ ? operand() : 0;
    --depth_;
    return value;
  }

  void spaces() {
    while (at_ < text_.size() && std::string_view(" \t\n\\").find(text_[at_]) != text_.npos) ++at_;
  }
  bool next(std::string_view sign) {
    spaces();
    return text_.substr(at_).starts_with(sign);
  }
  bool take(std::string_view sign) {
    if (!next(sign)) return false;
    at_ += sign.size();
    return true;
  }

  std::string_view text_;
  unsigned long n_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool good_ = true;
};

// The value that follows "key=".
std::string_view behind(std::string_view header, std::string_view key) {
  for (std::size_t at = 0; (at = header.find(key, at)) != std::string_view::npos;) {
    at = header.find_first_not_of(" \t", at + key.size());
    if (at == std::string_view::npos || header[at] != '=') continue;
    at = header.find_first_not_of(" \t", at + 1);
    return at == std::string_view::npos ? std::string_view() : header.substr(at);
  }
  return {};
}

}  // namespace

PluralForms::PluralForms(std::string_view header, const std::string& where) {
  const auto fail = [&] {
    throw Error(where, ": Plural-Forms is ", in_quotes(header),
                "; it must be as nplurals=2; plural=n != 1;");
  };
  const std::string_view count = behind(header, "nplurals"), plural = behind(header, "plural");
  if (std::from_chars(count.data(), count.data() + count.size(), forms_).ec != std::errc() ||
      forms_ == 0 || forms_ > 100 || plural.empty())
    fail();
  for (unsigned long n = 0; n < kNumbers; ++n) {
    unsigned long form = 0;
    if (!Expression(plural, n).evaluate(form) || form >= forms_) fail();
    of_.push_back(form);
  }
}

std::size_t PluralForms::form(unsigned long n) const {
  return n < of_.size() ? of_[n] : forms_ > 1 && n != 1;
}

bool PluralForms::only_one(std::size_t form) const {
  for (std::size_t n = 0; n < of_.size(); ++n)
    if (n != 1 && of_[n] == form) return false;
  return form == this->form(1);
}

}  // namespace tt::document
