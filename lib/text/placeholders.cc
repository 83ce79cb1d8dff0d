#include "text/placeholders.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <span>

#include "base/split.h"

namespace tt {
namespace {

constexpr std::size_t kLongest = 4096;  // bytes, so that a line takes time in proportion to its own

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool begins_name(char c) { return is_ascii_letter(c) || c == '_'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool one_of(char c, std::string_view set) { return c != '\0' && set.find(c) != set.npos; }

// Reads a text from left to right; at its end the character is NUL.
struct Reader {
  std::string_view text;
  std::size_t at = 0;

  char now() const { return at < text.size() ? text[at] : '\0'; }
  char sign() const { return text[at - 1]; }  // where it stands behind one
  char before_sign() const { return at > 1 ? text[at - 2] : '\0'; }
  std::string_view rest() const { return text.substr(at); }
  std::string_view since(std::size_t begin) const { return text.substr(begin, at - begin); }
  bool take(char c) {
    const bool is = now() == c && at < text.size();
    at += is;
    return is;
  }
  template <class F>
  std::size_t skip(F&& is_it) {
    const std::size_t begin = at;
    while (at < text.size() && is_it(text[at])) ++at;
    return at - begin;
  }
  bool take_name() { return begins_name(now()) && skip(in_name) > 0; }
  // With one of the signs behind it, where there are some; from 1, as it is before a colon from 0.
  bool take_number(std::size_t& number, std::string_view signs = {}) {
    Reader n = *this;
    std::size_t found = 0;
    if (n.skip(is_digit) == 0 || (!signs.empty() && !one_of(n.now(), signs)) ||
        std::from_chars(text.data() + at, text.data() + n.at, found).ec != std::errc())
      return false;
    number = found + (signs.empty() || n.now() == ':');
    at = n.at + !signs.empty();
    return true;
  }
  // Behind the next `close`, with something, and nothing of `never`, before it; false where there
  // is none.
  bool skip_behind(char close, std::string_view never) {
    const std::size_t end = text.find(close, at);
    if (end == text.npos || end == at ||
        text.substr(at, end - at).find_first_of(never) != text.npos)
      return false;
    at = end + 1;
    return true;
  }
  // Behind the brace that closes the one before; false where there is none. `deepest`: 1 without
  // others inside.
  bool skip_braces(int& deepest, bool quotes = false) {
    for (int depth = deepest = 1; depth > 0; ++at) {
      if (at >= text.size()) return false;
      // Between apostrophes of which one is before a brace is text, as in ICU's messages.
      if (quotes && text[at] == '\'' && at + 1 < text.size() && one_of(text[at + 1], "{}"))
        if (const std::size_t close = text.find('\'', at + 2); close != text.npos) at = close;
      depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
      deepest = std::max(deepest, depth);
    }
    return true;
  }
};

// An argument, which has a name, or a number, from 1; or it is the next one.
struct Argument {
  std::string_view name = {};
  std::size_t number = 0;
  std::string type = {};
};
using Arguments = std::vector<Argument>;

enum class Is { text, placeholder, broken };
Is or_text(bool placeholder) { return placeholder ? Is::placeholder : Is::text; }
Is or_broken(bool placeholder) { return placeholder ? Is::placeholder : Is::broken; }

// How numbers of arguments go with placeholders that say none: not in one text; without a change of
// which is the next one; or with the one behind as the next one.
enum class Order { exclusive, beside, current };

struct Dialect;
// Reads on behind a sign.
using Read = Is (*)(Reader&, const Dialect&, Arguments&);

// The columns behind `read` are of conversions; other readers say how they use them.
struct Dialect {
  std::string_view formats;  // as gettext calls it, without "-format"
  std::string_view signs;    // that begin placeholders, or text that looks like one
  Read read;
  std::string_view names = {};    // opening brackets of the name of an argument
  std::string_view numbers = {};  // signs behind the number of an argument
  std::string_view flags = {};
  std::string_view star = {};     // of widths that are arguments, with the signs behind a number
  std::string_view ignored = {};  // lengths that make no other type
  std::string_view lengths = {};
  std::string_view types = {};    // in groups, each of which is named by its first
  std::string_view without = {};  // types that take no argument
  Order order = Order::exclusive;
};

bool take_type(Reader& r, const Dialect& d, Argument& argument) {
  if (r.rest().starts_with("<PRI") && d.lengths.find('j') != d.lengths.npos) {
    const std::size_t begin = r.at;  // a name of <inttypes.h>
    if (!r.skip_behind('>', " \t")) return false;
    argument.type = r.since(begin);
    if (char& type = argument.type[4]; one_of(type, "oxX")) type = 'u';
    return true;
  }
  r.skip([&](char c) { return one_of(c, d.ignored); });
  std::vector<std::string_view> lengths = split(d.lengths, ' ');
  lengths.push_back("");
  for (const std::string_view length : lengths) {
    Reader n = r;
    if (!n.rest().starts_with(length)) continue;
    n.at += length.size();
    const char type = n.now();
    const std::size_t at = type == ' ' || type == '\0' ? d.types.npos : d.types.find(type);
    if (at == d.types.npos && !(length.empty() && one_of(type, d.without))) continue;
    ++n.at;
    if (at != d.types.npos) {
      const char group = d.types[d.types.rfind(' ', at) + 1];
      // A date of Java has one letter more.
      if (group == 't' && !one_of(n.now(), "HIklMSLNpzZsQBbhAaCYyjmdeRTrDFc")) continue;
      n.at += group == 't';
      argument.type = length == "L" || length == "q"  ? "ll"
                      : length == "Z"                 ? "z"
                      : length == "l" && group == 'e' ? ""  // %lf is %f
                                                      : length;
      argument.type += group;
    }
    r = n;
    return true;
  }
  return false;
}

// %[argument][flags][width][.precision][length]type
Is conversion(Reader& r, const Dialect& d, Arguments& found) {
  if (r.take('%')) return Is::placeholder;
  Argument argument;
  const auto width = [&] {
    if (d.star.empty() || !r.take('*')) return void(r.skip(is_digit));
    found.push_back({{}, 0, "d"});
    if (d.star.size() > 1) r.take_number(found.back().number, d.star.substr(1));
  };
  const char open = r.now();
  if (one_of(open, d.names) && !r.rest().starts_with("<PRI")) {
    const std::size_t begin = ++r.at;
    const char close = open == '(' ? ')' : open == '{' ? '}' : '>';
    if (!r.skip_behind(close, d.formats.empty() ? "({< \t" : "")) return Is::broken;
    argument.name = r.text.substr(begin, r.at - 1 - begin);
    if (open == '{') {
      found.push_back({argument.name, 0, "s"});
      return Is::placeholder;
    }
  } else if (!d.numbers.empty()) {
    r.take_number(argument.number, d.numbers);
  }
  r.skip([&](char c) { return one_of(c, d.flags); });
  width();
  if (r.take('.')) width();
  if (!take_type(r, d, argument)) return Is::broken;
  if (!argument.type.empty()) found.push_back(argument);
  return Is::placeholder;
}

// %1%, %|1$+5|, of which the type may be missing, and conversions
Is boost(Reader& r, const Dialect& d, Arguments& found) {
  if (Argument argument{{}, 0, "s"}; r.take_number(argument.number, "%")) {
    found.push_back(argument);
    return Is::placeholder;
  }
  if (!r.take('|')) return conversion(r, d, found);
  Dialect between = d;
  between.types = "s|S c diouxX eEfgG p n";
  return or_broken(conversion(r, between, found) == Is::placeholder &&
                   (r.sign() == '|' || r.take('|')));
}

// %1, %12 and with a flag %L1; %n, where it is a type. `numbers` says how many digits there may be.
Is digits(Reader& r, const Dialect& d, Arguments& found) {
  Reader n = r;
  if (d.formats.empty() && is_digit(r.before_sign())) return Is::text;
  Argument argument;
  if (one_of('L', d.flags) && n.take('L')) argument.type = "L";
  const std::size_t begin = n.at;
  if (n.skip([&](char c) { return is_digit(c) && n.at < begin + d.numbers.size(); }) == 0 &&
      !(one_of('n', d.types) && n.take('n')))
    return Is::text;
  argument.name = n.since(begin);
  found.push_back(argument);
  r = n;
  return Is::placeholder;
}

// {name}, {0}, {} and what formats these behind one of the flags. Types say whether that is to be
// the same; a first brace is text where it stands twice, and `signs` has the other.
Is field(Reader& r, const Dialect& d, Arguments& found) {
  if (one_of('{', d.flags) && r.take(r.sign())) return Is::text;
  if (r.sign() == '}') return Is::broken;
  Reader n = r;
  Argument argument;
  if (one_of('a', d.names) && n.take_name()) argument.name = n.since(r.at);
  else if (one_of('0', d.names)) n.take_number(argument.number);
  const std::size_t begin = n.at;
  int deepest;
  if ((begin == r.at && !one_of('}', d.names)) || !(n.now() == '}' || one_of(n.now(), d.flags)) ||
      !n.skip_braces(deepest))
    return d.flags.empty() ? Is::text : Is::broken;
  if (!d.types.empty()) argument.type = n.since(begin);
  found.push_back(argument);
  r = n;
  return Is::placeholder;
}

// {0}, {0,number,#.##} of Java's MessageFormat. Between apostrophes is text, and two are one.
Is message(Reader& r, const Dialect& d, Arguments& found) {
  if (r.sign() == '\'') {
    if (!r.take('\'')) r.at = std::min(r.text.find('\'', r.at), r.text.size() - 1) + 1;
    return Is::text;
  }
  const std::size_t begin = r.at;
  int deepest;
  if (r.sign() == '}' || !r.skip_braces(deepest)) return Is::broken;
  Reader inside{r.text.substr(0, r.at - 1), begin};
  Argument argument;
  if (!inside.take_number(argument.number)) return Is::broken;
  bool choice = false;
  if (inside.take(',')) {
    const std::size_t begin_kind = inside.at;
    inside.take_name();
    const std::string_view kind = inside.since(begin_kind);
    choice = kind == "choice";
    argument.type = kind == "date" || kind == "time" ? "date" : "number";
    if (argument.type == "number" && !choice && kind != "number") return Is::broken;
  }
  if (inside.at < inside.text.size() && inside.now() != ',') return Is::broken;
  found.push_back(argument);
  while (choice && inside.skip([](char c) { return c != '{'; }), inside.take('{'))
    if (message(inside, d, found) == Is::broken) return Is::broken;
  return Is::placeholder;
}

// $name, ${name}
Is shell(Reader& r, const Dialect&, Arguments& found) {
  const bool brace = r.take('{');
  const std::size_t begin = r.at;
  if (!r.take_name()) return Is::broken;
  found.push_back({r.since(begin)});
  return or_broken(!brace || r.take('}'));
}

// The readers of any text, which must not take what people write for placeholders.

// Not as in "a 100%ige Sache".
Is any_conversion(Reader& r, const Dialect& d, Arguments& found) {
  const char before = r.before_sign();
  const Is is = conversion(r, d, found);
  return is_digit(before) && r.sign() != '%' && in_name(r.now()) ? Is::text : is;
}

// %PATH%, %name%, %PRODUCTNAME and %#@files@
Is percent_name(Reader& r, const Dialect& d, Arguments&) {
  const Reader begin = r;
  const bool behind_digit = is_digit(r.before_sign());
  const auto capitals = [](char c) { return is_capital(c) || c == '_'; };
  if (r.take('#')) return or_text(r.take('@') && r.take_name() && r.take('@'));
  const std::size_t all = r.skip(capitals);
  if (all > 1 && r.take('%')) return Is::placeholder;
  // As %name%, not as in %dx%d, nor as %ld and a sign of its own.
  Reader name = begin, type = begin;
  Arguments none;
  if (!behind_digit && is_ascii_letter(name.now()) && name.skip(in_name) > 1 && name.take('%') &&
      name.now() != '%' && !in_name(name.now()) &&
      (conversion(type, d, none) != Is::placeholder || type.at + 1 < name.at)) {
    r = name;
    return Is::placeholder;
  }
  // As %PRODUCTNAME, not as in "30%IGE".
  return or_text(all > 2 && !behind_digit && (r.skip(is_digit), !in_name(r.now())));
}

// Between single braces without others inside are a name, a number or nothing, and their format;
// behind a space Fluent's { $name }, { -term }, { "text" } and { FUNCTION(...) }.
Is any_braces(Reader& r, const Dialect&, Arguments& found) {
  const std::size_t begin = r.at;
  int deepest;
  if (!r.skip_braces(deepest, true)) return Is::text;
  if (deepest > 1) return Is::placeholder;
  Reader inside{r.text.substr(0, r.at - 1), begin};
  if (inside.take(' ')) {
    if (inside.take('$') || inside.take('-')) return or_text(is_ascii_letter(inside.now()));
    return or_text(inside.now() == '"' || (inside.skip(is_capital) > 0 && inside.now() == '('));
  }
  Reader n = inside;
  Argument argument;
  n.take_number(argument.number);
  if (n.at == n.text.size() || (one_of(n.now(), ":!") && n.at + 1 < n.text.size())) {
    argument.type = n.rest();
    found.push_back(argument);
    return Is::placeholder;
  }
  if (!one_of(inside.now(), "!:@$#&=.") && !in_name(inside.now())) return Is::text;
  inside.skip([](char c) { return !one_of(c, " \t,:"); });
  return or_text(inside.at == inside.text.size() || one_of(inside.now(), ",:"));
}

// ${x}, #{x}, $[x], $(x), $name, $name$, $t(key)
Is any_variable(Reader& r, const Dialect& d, Arguments& found) {
  const char sign = r.sign();
  if (r.take('{')) {
    Arguments none;
    return any_braces(r, d, none);
  }
  if (sign == '#') return Is::text;
  if (r.take('[')) return or_text(r.skip(in_name) > 0 && r.take(']'));
  if (r.take('(')) return or_text(r.skip_behind(')', "( \t"));
  if (!r.take_name()) return Is::text;
  const Reader name = r;
  if (r.take('$')) {  // that of $name$, or of the next variable, as in $a$b and $a${b}
    Reader next = r;
    if (begins_name(r.now()) || any_variable(next, d, found) == Is::placeholder) r = name;
  } else if (!r.take('(') || !r.skip_behind(')', "( \t")) {
    r = name;
  }
  return Is::placeholder;
}

Is escape(Reader& r, const Dialect&, Arguments&) {
  const char kind = r.now();
  if (!one_of(kind, "abefnrtv0123456789\\\"'ux")) return Is::text;
  ++r.at;
  const std::size_t begin = r.at, most = kind == 'u' ? 4 : 2;
  if (kind == 'u' || kind == 'x')
    return or_text(r.skip([&](char c) { return is_hex(c) && r.at < begin + most; }) == most);
  if (is_digit(kind)) r.skip([&](char c) { return is_digit(c) && r.at < begin + most; });
  return Is::placeholder;
}

Is quoted_brace(Reader& r, const Dialect&, Arguments&) {
  return or_text((r.take('{') || r.take('}')) && r.take('\''));
}

using enum Order;
// The dialects that gettext has flags for.
constexpr Dialect kFormats[] = {
    // clang-format off
    // formats                     signs  read        names numbers flags  star  ignored lengths
    {"c objc",                     "%",   conversion, "",   "$",  "-+ #0'I",   "*$", "",    "hh h ll l L q j z Z t",
     "di ouxX eEfFgGaA c C s S p n @", "m"},
    {"python",                     "%",   conversion, "(",  "",   "-+ #0",     "*",  "hlL", "", "diuoxX eEfFgG c sra"},
    {"ruby",                       "%",   conversion, "<{", "$",  "-+ #0",     "*$", "",    "", "diuoxXbB eEfgGaA c s p"},
    {"php",                        "%",   conversion, "",   "$",  "-+ 0",      "",   "l",   "", "duboxX eEfFgG c s", "", beside},
    {"perl",                       "%",   conversion, "",   "$",  "-+ #0",    "*$", "",    "hh h ll l L q V v",
     "di D uboxX UO eEfFgG c s _ p n", "", beside},
    {"awk",                        "%",   conversion, "",   "$",  "-+ #0",     "*$", "",    "", "di ouxX eEfgG c s"},
    {"lua",                        "%",   conversion, "",   "",   "-+ #0",     "",   "",    "", "diouxX eEfgGaA c s q"},
    {"tcl",                        "%",   conversion, "",   "$",  "-+ #0",     "*",  "l",   "h", "di ouxX eEfgG c s"},
    {"object-pascal pascal",       "%",   conversion, "",   ":",  "-",         "*",  "",    "", "duxDUX efgnmEFGNM sS pP", "", beside},
    {"javascript",                 "%",   conversion, "",   "$",  "-+ 0I",     "",   "",    "", "dbuoxX f c s j", ""},
    {"elisp librep",               "%",   conversion, "",   "$",  "-+ #0^",    "*",  "",    "", "dixXo eEfgG c s S", "", current},
    {"gcc-internal",               "%",   conversion, "",   "$",  "q+#",       "*$", "",    "ll l w",
     "di oux c s p H J K D F T E A C L O P Q V", "<>'m"},
    {"gfc-internal",               "%",   conversion, "",   "$",  "",          "",   "",    "l", "di u c s C L", "", current},
    {"java-printf",                "%",   conversion, "",   "$",  "-+ #0,(",   "",   "",    "", "doxX eEfgGaA cC bBhHsS tT", "n", beside},
    {"boost",                      "%",   boost,      "",   "$",  "-+ #0'_=",  "*$", "hlL", "", "diouxX eEfgG cC sS p n", "t"},
    {"qt qt-plural",               "%",   digits,     "",   "12", "L",         "",   "",    "", "n"},
    {"kde kde-kuit",               "%",   digits,     "",   "123456789"},
    {"ycp",                        "%",   digits,     "",   "1"},
    {"python-brace c++ rust",      "{",   field,      "a0}", "",  "{.[!:",     "",   "",    "", ":"},
    {"csharp",                     "{}",  field,      "0",  "",   "{,:"},
    {"perl-brace",                 "{",   field,      "a"},
    {"java",                       "{}'", message},
    {"sh",                         "$",   shell},
    // clang-format on
};
// Those of any text: printf and its kin; Boost; Qt; Windows, LibreOffice and Apple; Python, C#,
// Fluent, ICU and Mustache; shells, Ruby, i18next and LibreOffice; C; ICU.
constexpr Dialect kAny[] = {
    // clang-format off
    {"",                           "%",   any_conversion, "({<", "$:", "-+#0'", "*$", "",   "hh h ll l L q j z t",
     "di ouxX eEfFgGaA c C sr S p n @ t", "m", beside},
    {"",                           "%",   boost,      "",   "$",  "-+#0'_=",   "*$", "hlL"},
    {"",                           "%",   digits,     "",   "12", "L"},
    {"",                           "%",   percent_name, "",  "",  "",          "",   "",    "hh h ll l L q j z t", "diouxXeEfFgGaAcCsSrpnm@"},
    {"",                           "{",   any_braces, "", "", "", "", "", "", "", "", beside},
    {"",                           "$#",  any_variable},
    {"",                           "\\",  escape},
    {"",                           "'",   quoted_brace},
    // clang-format on
};

using Dialects = std::span<const Dialect>;

Dialects dialects_of(std::string_view format) {
  if (format.empty()) return kAny;
  if (!format.ends_with("-format")) return {};
  const std::string_view name = format.substr(0, format.size() - 7);
  for (const Dialect& d : kFormats)
    if (std::ranges::count(split(d.formats, ' '), name) > 0) return {&d, 1};
  return {};
}

struct Placeholder {
  TextRange place;
  Arguments arguments = {};
  Is is = Is::text;
};

// The longest that any of the rows has at a sign. Text that a row takes for its own, as {{, is
// passed over.
Placeholder read_at(std::string_view text, std::size_t at, Dialects dialects) {
  Placeholder longest{{at, at}};
  for (const Dialect& d : dialects) {
    if (!one_of(text[at], d.signs)) continue;
    Placeholder one{{at, at}};
    Reader r{text.substr(0, at + kLongest), at + 1};
    one.is = d.read(r, d, one.arguments);
    if (d.formats.empty() && one.is != Is::placeholder) continue;
    one.place.end = r.at;
    if (one.place.end > longest.place.end) longest = std::move(one);
  }
  return longest;
}

// The placeholders of a text, up to the first that is broken.
std::vector<Placeholder> read_all(std::string_view text, Dialects dialects) {
  std::vector<Placeholder> all;
  std::string signs;
  for (const Dialect& d : dialects) signs += d.signs;
  for (std::size_t at = text.find_first_of(signs); at < text.size();) {
    Placeholder one = read_at(text, at, dialects);
    at = text.find_first_of(signs, std::max(one.place.end, at + 1));
    if (one.is == Is::broken) at = text.npos;
    if (one.is != Is::text) all.push_back(std::move(one));
  }
  return all;
}

// The arguments of a text, with their types, and how these are written.
struct Meaning {
  std::map<std::string, std::string_view> arguments = {};
  std::string_view broken = {};  // the first placeholder that is wrong by itself
};

Meaning meaning_of(std::string_view text, Dialects dialects) {
  Meaning meaning;
  std::map<char, std::size_t> last;  // the last number, of the placeholders with a sign
  bool next = false, said = false;
  for (const Placeholder& one : read_all(text, dialects)) {
    const std::string_view rest = text.substr(one.place.begin);
    const std::string_view written = rest.substr(0, one.place.end - one.place.begin);
    for (const Argument& a : one.arguments) {
      (a.name.empty() && a.number == 0 ? next : said) = true;
      std::size_t& number = last[rest[0]];
      const std::size_t own = a.number > 0 ? a.number : number + 1;
      if (a.name.empty() && (a.number == 0 || dialects[0].order == current)) number = own;
      const std::string name = a.name.empty() ? std::to_string(own) : '(' + std::string(a.name);
      meaning.arguments.emplace(rest[0] + name + ' ' + a.type, written);
    }
    if (one.is == Is::broken) meaning.broken = rest.substr(0, rest.find_first_of(" \t\n"));
    if (next && said && dialects[0].order == exclusive) meaning.broken = written;
    if (one.arguments.empty() && dialects[0].formats.empty() && written != "%%" &&
        !one_of(rest[0], "\\'") && !has_message(written))
      meaning.arguments.emplace(written, written);
  }
  return meaning;
}

}  // namespace

std::size_t placeholder_end(std::string_view text, std::size_t at) {
  return at < text.size() && one_of(text[at], "%{$#\\'") ? read_at(text, at, kAny).place.end : at;
}

bool is_line_break(std::string_view p) { return p == "\\n" || p == "\\r"; }

bool is_positional(std::string_view p) {
  if (p.empty()) return false;
  const Placeholder one = read_at(p, 0, kAny);
  return one.place.end == p.size() && !one.arguments.empty() && one.arguments.back().name.empty() &&
         one.arguments.back().number == 0;
}

bool has_message(std::string_view p) {
  return p.starts_with('{') && !p.starts_with("{{") && p.find('{', 1) != p.npos;
}

std::string_view unfinished_placeholder(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = placeholder_end(text, at);
    const std::string_view rest = text.substr(at);
    for (const std::string_view open : {"%(", "%{", "${", "#{", "{{", "$("})
      if (end == at && rest.starts_with(open) && rest.size() > open.size() &&
          (in_name(rest[open.size()]) || open == "{{"))
        return rest.substr(0, rest.find_first_of(" \t"));
    at = std::max(end, at + 1);
  }
  return {};
}

std::vector<TextRange> placeholders_in(std::string_view text, std::string_view format) {
  std::vector<TextRange> found;
  for (const Placeholder& one : read_all(text, dialects_of(format)))
    if (!one.arguments.empty()) found.push_back(one.place);
  return found;
}

std::string wrong_placeholders(std::string_view source, std::string_view translation,
                               std::string_view format) {
  const auto dialects = dialects_of(format);
  const Meaning wanted = meaning_of(source, dialects), found = meaning_of(translation, dialects);
  if (!wanted.broken.empty()) return {};
  if (!found.broken.empty())
    return "has " + std::string(found.broken) + ", which is wrong in " + std::string(format);
  for (const auto& [argument, written] : found.arguments)
    if (!wanted.arguments.contains(argument))
      return "has " + std::string(written) + " where the text has it not";
  for (const auto& [argument, written] : wanted.arguments)
    if (!found.arguments.contains(argument)) return "lacks " + std::string(written);
  return {};
}

}  // namespace tt
