// Catalogues of messages of gettext (PO). A message is a text, and its plural one more.
//
// Of a template, or a catalogue of the language, messages without a translation are asked for. A
// new translation is marked as fuzzy, which translators' programs show as one to review.
#include <algorithm>

#include "base/error.h"
#include "base/split.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "document/charset.h"
#include "document/directives.h"
#include "document/format.h"
#include "document/plural_forms.h"
#include "document/po_entry.h"
#include "document/tags.h"

namespace tt::document {
namespace {

// The line of a header that begins so.
std::string field(std::string_view header, const std::string& name) {
  const std::size_t at = header.starts_with(name) ? 0 : header.find("\n" + name);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = header.find_first_not_of(' ', at + (at > 0) + name.size());
  if (begin == std::string_view::npos) return {};
  return std::string(header.substr(begin, header.find('\n', begin) - begin));
}

// Where the marker of a key stands, before a letter or digit; npos if it does not, or several do.
std::size_t marked(std::string_view text, const std::string& marker) {
  std::size_t found = std::string_view::npos;
  if (marker.empty()) return found;
  for (std::size_t at = 0; (at = text.find(marker, at)) != std::string_view::npos;) {
    const std::size_t next = at + marker.size();
    if (text.substr(next).starts_with(marker)) {  // which stands for itself
      at = next + marker.size();
      continue;
    }
    if (const std::size_t end = marker == "&" ? entity_end(text, at) : at; end > at) {
      at = end;
      continue;
    }
    const char* letter = text.data() + next;
    const char32_t c = next < text.size() ? next_code_point(letter, text.data() + text.size()) : 0;
    if (is_letter(c) || is_digit(c)) {
      if (found != std::string_view::npos) return std::string_view::npos;
      found = at;
    }
    at = next;
  }
  return found;
}

class Catalogue {
 public:
  Catalogue(Editor& editor, const Settings& settings)
      : editor_(editor), settings_(settings), accelerator_(settings.accelerator) {
    const std::size_t end = editor.document().find('\n');
    if (end != std::string_view::npos && end > 0 && editor.document()[end - 1] == '\r')
      line_end_ = "\r\n";
  }

  void entry(const PoEntry& entry) {
    ++entries_;
    if (entry.is_header()) return header(entry);
    const auto translated = [](const PoString& text) { return !text.value.empty(); };
    if (!settings_.all && std::ranges::any_of(entry.translations, translated)) return;
    auto one = translation(entry, *entry.id);
    std::optional<std::string> many;
    if (entry.plural) many = translation(entry, *entry.plural);
    if (!one && !many) return;
    if (entry.plural) {
      if (!one) one = charset_.decode(entry.id->value);
      if (!many) many = charset_.decode(entry.plural->value);
    }
    mark(entry);
    const std::string_view document = editor_.document();
    const bool wrap = !long_lines(
        document.substr(entry.id->begin, entry.translations.back().end - entry.id->begin));
    std::string written;
    if (entry.plural) {
      for (std::size_t form = 0; form < plurals_.forms(); ++form) {
        // A form of other numbers too, as of 21, must have the number where the plural has it.
        const bool singular = plurals_.forms() > 1 && form == plurals_.form(1) &&
                              (plurals_.only_one(form) || directives(entry, *one) > 0 ||
                               directives(entry, *many) == 0);
        written +=
            (form == 0 ? "" : line_end_) + po_string("msgstr[" + std::to_string(form) + "]",
                                                     singular ? *one : *many, wrap, line_end_);
      }
    } else {
      written = po_string("msgstr", *one, wrap, line_end_);
    }
    const auto bytes = charset_.encode(written);
    editor_.replace(entry.translations[0].keyword, entry.translations.back().end, *bytes);
  }

  std::size_t entries() const { return entries_; }

 private:
  void header(const PoEntry& entry) {
    const std::string& text = entry.translations[0].value;
    const std::string type = field(text, "Content-Type:");
    const std::size_t at = type.find("charset=");
    const std::string where = editor_.where(entry.begin);
    if (at != std::string::npos) {
      const std::string name = type.substr(at + 8, type.find_first_of("; \t", at) - at - 8);
      if (name != "CHARSET" && !name.empty()) charset_ = Charset(name, where);
    }
    const std::string plural = field(text, "Plural-Forms:");
    if (!plural.empty() && plural.find("INTEGER") == std::string::npos)
      plurals_ = PluralForms(plural, where);
    if (accelerator_.empty()) accelerator_ = field(text, "X-Accelerator-Marker:");
  }

  std::optional<std::string> translation(const PoEntry& entry, const PoString& message) {
    std::string text = charset_.decode(message.value);
    const std::string source = text;
    const std::size_t mark = marked(text, accelerator_);
    std::string key;
    if (mark != std::string::npos) {
      text.erase(mark, accelerator_.size());
      const char* end = text.data() + mark;
      next_code_point(end, text.data() + text.size());
      key = text.substr(mark, static_cast<std::size_t>(end - text.data()) - mark);
    }
    if (!has_letter(text)) return {};
    auto translated = editor_.translation(message.begin, text);
    if (!translated) return {};
    for (const std::string& format : entry.flags)
      if (const std::string wrong = wrong_directives(text, *translated, format); !wrong.empty()) {
        editor_.refuse(wrong);
        return {};
      }
    if (std::ranges::count(text, '\n') != std::ranges::count(*translated, '\n')) {
      editor_.refuse("has another number of \\n");
      return {};
    }
    if (!charset_.encode(*translated)) {
      editor_.refuse("has characters that the document's encoding lacks");
      return {};
    }
    if (mark == std::string::npos || marked(*translated, accelerator_) != std::string::npos)
      return translated;
    if (!put_key(*translated, key))
      editor_.report(message.begin, "the translation has no letter or digit that " + accelerator_ +
                                        " could mark; it is without the key of a menu");
    return translated;
  }

  // The marker goes before the letter that had it: where a word begins with it, or else anywhere;
  // or else before the first letter, or digit. Letters of directives and tags are none. False where
  // there is none.
  bool put_key(std::string& text, const std::string& key) const {
    std::string other = key;
    for (char& c : other)
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) c = static_cast<char>(c ^ 0x20);
    for (const auto& suits :
         {+[](char before, bool same, char32_t) { return same && before == ' '; },
          +[](char, bool same, char32_t) { return same; },
          +[](char, bool, char32_t c) { return is_letter(c); },
          +[](char, bool, char32_t c) { return is_digit(c); }}) {
      char before = ' ';
      for (const char *next = text.data(), *const end = next + text.size(); next < end;) {
        const char* const begin = next;
        const char32_t c = next_code_point(next, end);
        const std::string_view character(begin, static_cast<std::size_t>(next - begin));
        if (std::string_view("%\\<&{$(/").find(before) == std::string_view::npos &&
            suits(before, character == key || character == other, c)) {
          text.insert(static_cast<std::size_t>(begin - text.data()), accelerator_);
          return true;
        }
        before = *begin;
      }
    }
    return false;
  }

  // Flags and comments of an entry that gets a translation.
  void mark(const PoEntry& entry) {
    struct Edit {
      std::size_t begin, end;
      std::string with;
    };
    std::vector<Edit> edits;
    for (const PoEntry::Line& line : entry.previous) edits.push_back({line.begin, line.end, {}});
    if (!settings_.reviewed && !entry.fuzzy()) {
      if (!entry.flag_lines.empty()) {
        const std::size_t at = editor_.document().find(',', entry.flag_lines[0].begin);
        edits.push_back({at, at, ", fuzzy"});
      } else {
        std::size_t at = entry.context ? entry.context->keyword : entry.id->keyword;
        at = editor_.document().rfind('\n', at) + 1;
        if (!entry.previous.empty()) at = std::min(at, entry.previous[0].begin);
        edits.push_back({at, at, "#, fuzzy" + line_end_});
      }
    } else if (settings_.reviewed && entry.fuzzy()) {
      for (const PoEntry::Line& line : entry.flag_lines) {
        std::string flags;
        bool fuzzy = false;
        for (const std::string& flag :
             po_flags(editor_.document().substr(line.begin, line.end - line.begin))) {
          if (flag != "fuzzy") flags += ", " + flag;
          fuzzy = fuzzy || flag == "fuzzy";
        }
        if (fuzzy)
          edits.push_back({line.begin, line.end, flags.empty() ? "" : "#" + flags + line_end_});
      }
    }
    std::ranges::sort(edits, {}, [](const Edit& edit) { return std::pair(edit.begin, edit.end); });
    for (const Edit& edit : edits) editor_.replace(edit.begin, edit.end, edit.with);
  }

  std::size_t directives(const PoEntry& entry, const std::string& text) const {
    for (const std::string& format : entry.flags)
      if (const auto count = count_directives(text, format); count > 0) return count;
    return 0;
  }

  // Whether lines are longer than those that gettext makes: it was told not to.
  static bool long_lines(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
      const std::size_t space = line.find(' ', line.find('"'));
      if (line.size() > 100 && space != std::string_view::npos && space < 60) return true;
    }
    return false;
  }

  Editor& editor_;
  const Settings& settings_;
  std::string accelerator_, line_end_ = "\n";
  Charset charset_;
  PluralForms plurals_;
  std::size_t entries_ = 0;
};

}  // namespace

void pass_po(Editor& editor, const Settings& settings) {
  Catalogue catalogue(editor, settings);
  each_po_entry(
      editor.document(), [&](const PoEntry& entry) { catalogue.entry(entry); },
      [&](std::size_t at, const std::string& problem) { editor.report(at, problem); });
  if (catalogue.entries() > 0) return;
  if (!editor.problems().empty()) throw Error(editor.problems()[0]);
  throw Error(editor.where(0), ": no message; this is no PO file, or it is empty");
}

}  // namespace tt::document
