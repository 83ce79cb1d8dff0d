#include "plot/fonts.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <map>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/split.h"
#include "base/utf8.h"

namespace tt::plot {
namespace {

constexpr std::size_t kExamples = 3;  // characters shown per script

// Characters without an agreed appearance: unassigned and private use ones.
bool is_free(char32_t c) {
  const auto kind = u_charType(static_cast<UChar32>(c));
  return kind == U_PRIVATE_USE_CHAR || kind == U_UNASSIGNED;
}

UScriptCode script_of(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &status);
  return U_SUCCESS(status) ? script : USCRIPT_UNKNOWN;
}

std::string name_of(char32_t c) {
  if (is_free(c)) return "unassigned characters";
  const UScriptCode script = script_of(c);
  if (script == USCRIPT_COMMON || script == USCRIPT_INHERITED) return "symbols";
  std::string name = uscript_getName(script);
  for (char& byte : name)
    if (byte == '_') byte = ' ';
  return name;
}

// Empty if there is none.
std::string package_of(char32_t c) {
  if (is_free(c)) return "";
  if (u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EMOJI_PRESENTATION))
    return "fonts-noto-color-emoji";
  if ((c >= 0x3000 && c <= 0x303F) || (c >= 0xFF00 && c <= 0xFFEF))
    return "fonts-noto-cjk";  // shared punctuation and forms
  const UScriptCode script = script_of(c);
  if (c < 0x250 || (script == USCRIPT_COMMON && c < 0x2C00)) return "fonts-dejavu-core";
  switch (script) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO: return "fonts-noto-cjk";
    case USCRIPT_LATIN:
    case USCRIPT_GREEK:
    case USCRIPT_CYRILLIC: return "fonts-dejavu-core";
    default: return "fonts-noto-core";
  }
}

// The character itself, or its number if it would be invisible.
std::string shown(char32_t c) {
  const auto code = static_cast<UChar32>(c);
  if (is_free(c) || !u_isgraph(code)) return formatted("U+%04X", static_cast<unsigned>(c));
  std::string text;
  append_utf8(text, c);
  return text;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string made;
  for (std::size_t i = 0; i < parts.size(); ++i)
    made += (i == 0 ? "" : i + 1 < parts.size() ? ", " : " and ") + parts[i];
  return made;
}

}  // namespace

std::string missing_fonts(const std::set<char32_t>& characters) {
  TT_CHECK(!characters.empty());
  std::map<std::string, std::vector<std::string>> examples;  // by script
  std::set<std::string> packages;
  for (const char32_t c : characters) {
    examples[name_of(c)].push_back(shown(c));
    packages.insert(package_of(c));
  }
  packages.erase("");
  std::vector<std::string> scripts;
  for (auto& [script, some] : examples) {
    if (some.size() > kExamples) some.resize(kExamples), some.push_back("...");
    scripts.push_back(script + " (" + join(some, " ") + ")");
  }
  std::string text = "no installed font has " + joined(scripts) + ": drawn as boxes";
  if (!packages.empty())
    text += "; Debian has fonts for it in " + joined({packages.begin(), packages.end()});
  return text;
}

}  // namespace tt::plot
