#include "lines/entities.h"

#include <charconv>
#include <string>

namespace tt {
namespace {

// The names of U+00A0 to U+00FF, in order (HTML 4, section 24.2).
constexpr std::string_view kLatin =
    " nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn "
    "sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave "
    "Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml "
    "ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN "
    "szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave "
    "iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute "
    "ucirc uuml yacute thorn yuml ";

struct Name {
  std::string_view name;
  char32_t character;
};
constexpr Name kOthers[] = {
    {"amp", U'&'},         {"lt", U'<'},          {"gt", U'>'},          {"quot", U'"'},
    {"apos", U'\''},       {"ensp", U'\u2002'},   {"emsp", U'\u2003'},   {"thinsp", U'\u2009'},
    {"zwnj", U'\u200C'},   {"zwj", U'\u200D'},    {"lrm", U'\u200E'},    {"rlm", U'\u200F'},
    {"ndash", U'\u2013'},  {"mdash", U'\u2014'},  {"lsquo", U'\u2018'},  {"rsquo", U'\u2019'},
    {"sbquo", U'\u201A'},  {"ldquo", U'\u201C'},  {"rdquo", U'\u201D'},  {"bdquo", U'\u201E'},
    {"dagger", U'\u2020'}, {"Dagger", U'\u2021'}, {"bull", U'\u2022'},   {"hellip", U'\u2026'},
    {"permil", U'\u2030'}, {"prime", U'\u2032'},  {"Prime", U'\u2033'},  {"lsaquo", U'\u2039'},
    {"rsaquo", U'\u203A'}, {"euro", U'\u20AC'},   {"trade", U'\u2122'},  {"larr", U'\u2190'},
    {"uarr", U'\u2191'},   {"rarr", U'\u2192'},   {"darr", U'\u2193'},   {"minus", U'\u2212'},
    {"ne", U'\u2260'},     {"le", U'\u2264'},     {"ge", U'\u2265'},     {"OElig", U'\u0152'},
    {"oelig", U'\u0153'},  {"Scaron", U'\u0160'}, {"scaron", U'\u0161'}, {"Yuml", U'\u0178'},
};

}  // namespace

std::optional<char32_t> entity_character(std::string_view entity) {
  if (entity.size() < 4 || entity.front() != '&' || entity.back() != ';') return std::nullopt;
  const std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.front() == '#') {
    const bool hex = name[1] == 'x' || name[1] == 'X';
    const char *const begin = name.data() + (hex ? 2 : 1), *const end = name.data() + name.size();
    unsigned value = 0;
    const auto [behind, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
    const bool text = value >= 0x20 && (value < 0x7F || value >= 0xA0) && value <= 0x10FFFF &&
                      (value < 0xD800 || value > 0xDFFF);
    return error == std::errc() && behind == end && begin < end && text
               ? std::optional(static_cast<char32_t>(value))
               : std::nullopt;
  }
  for (const Name& other : kOthers)
    if (other.name == name) return other.character;
  const std::string whole = " " + std::string(name) + " ";
  const std::size_t at = kLatin.find(whole);
  if (at == kLatin.npos) return std::nullopt;
  char32_t character = 0xA0;
  for (std::size_t i = 0; i < at; ++i) character += kLatin[i] == ' ';
  return character;
}

}  // namespace tt
