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
#include "document/format.h"
#include "document/line_breaks.h"
#include "document/plain_text.h"
#include "document/plural_forms.h"
#include "document/po_entry.h"
#include "text/accelerator.h"
#include "text/placeholders.h"

namespace tt::document {
namespace {

// A field of a header, and where it stands in the document.
struct Field {
  std::string value = {};  // empty: there is none
  std::size_t at = 0;
};

class Catalogue {
 public:
  Catalogue(Editor& editor, const Settings& settings)
      : editor_(editor), settings_(settings), accelerator_(settings.accelerator),
        line_end_(editor.line_end()) {
    editor.tell_doubtful();
  }

  void entry(const PoEntry& entry) {
    ++entries_;
    if (entry.is_header()) return header(entry);
    if (settings_.targets) {
      for (const PoString& target : entry.translations)
        if (const std::string text = charset_.decode(target.value); has_letter(text))
          editor_.translation(target.begin, text);
      return;
    }
    if (!settings_.all && is_complete(entry)) return;
    if (entry.plural) plurals(entry);  // reported when texts are taken out, too
    bool asked = false;
    const std::uint64_t doubtful = editor_.doubtful();
    const auto one = translation(entry, *entry.id, asked);
    std::optional<std::string> many;
    if (entry.plural) many = translation(entry, *entry.plural, asked);
    // A form that has no translation is left for another time, and so are all of its message.
    if (!asked || !one || (entry.plural && !many)) return;
    if (entry.plural && (!charset_.encode(*one) || !charset_.encode(*many)))
      return;  // damaged, as was reported
    const auto is = [&](const std::string& text, const PoString& message) {
      return charset_.encode(text) == message.value;
    };
    if (!settings_.reviewed && is(*one, *entry.id) && (!many || is(*many, *entry.plural)))
      return editor_.leave_out();
    mark(entry, !settings_.reviewed && (!settings_.least || editor_.doubtful() > doubtful));
    const std::size_t end = entry.translations.back().end;
    const bool wrap =
        !long_lines(editor_.document().substr(entry.id->begin, end - entry.id->begin));
    const auto string = [&](const std::string& keyword, const std::string& text) {
      editor_.mean(text);
      return *charset_.encode(po_string(keyword, text, wrap, line_end_, directives(entry, text)));
    };
    const std::string written =
        entry.plural ? forms(entry, *one, *many, string) : string("msgstr", *one);
    editor_.replace(entry.translations[0].keyword, end, written);
  }

  std::size_t entries() const { return entries_; }

 private:
  void header(const PoEntry& entry) {
    const Field type = field(entry, "Content-Type:");
    if (const std::size_t at = type.value.find("charset="); at != std::string::npos) {
      const std::string name =
          type.value.substr(at + 8, type.value.find_first_of("; \t", at) - at - 8);
      if (name == "CHARSET")
        editor_.report(type.at,
                       "the encoding is CHARSET, as of a template; make a catalogue of it by "
                       "msginit, which fills in the header");
      else if (!name.empty())
        charset_ = Charset(name, editor_.where(type.at), "convert it by: msgconv -t UTF-8");
      editor_.set_utf8(charset_.utf8());
    }
    plural_field_ = field(entry, "Plural-Forms:");
    plurals_.reset();
    if (!settings_.accelerator.empty()) return;
    const Field marker = field(entry, "X-Accelerator-Marker:");
    accelerator_ = is_accelerator(marker.value) ? marker.value : "";
    if (accelerator_ != marker.value)
      editor_.report(marker.at, "X-Accelerator-Marker is " + in_quotes(marker.value) +
                                    ", which is no single sign, as & or _; no keys are looked for");
  }

  Field field(const PoEntry& entry, const std::string& name) const {
    const std::string_view header = entry.translations[0].value;
    const std::size_t at = header.starts_with(name) ? 0 : header.find("\n" + name);
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + (at > 0) + name.size();
    const std::string_view value = trimmed(header.substr(begin, header.find('\n', begin) - begin));
    const std::size_t place = editor_.document().find(name, entry.translations[0].begin);
    return {std::string(value), place < entry.translations[0].end ? place : entry.begin};
  }

  // The strings of a message's plural forms. Those that it has stay, unless all are asked for.
  template <class String>
  std::string forms(const PoEntry& entry, const std::string& one, const std::string& many,
                    const String& string) {
    const PluralForms& plurals = this->plurals(entry);
    std::string written;
    for (std::size_t form = 0; form < plurals.forms(); ++form) {
      if (form > 0) written += line_end_;
      if (!settings_.all && form < entry.translations.size() &&
          !entry.translations[form].value.empty()) {
        const PoString& kept = entry.translations[form];
        editor_.mean(charset_.decode(kept.value));
        written += editor_.document().substr(kept.keyword, kept.end - kept.keyword);
        continue;
      }
      // A form of other numbers too, as of 21, must have the number where the plural has it.
      const bool singular = plurals.forms() > 1 && form == plurals.form(1) &&
                            (plurals.only_one(form) || !directives(entry, one).empty() ||
                             directives(entry, many).empty());
      written += string("msgstr[" + std::to_string(form) + "]", singular ? one : many);
    }
    return written;
  }

  // Which form goes with a number, as the header says, which a message without plurals needs not.
  const PluralForms& plurals(const PoEntry& entry) {
    if (plurals_) return *plurals_;
    if (!knows_plurals()) {
      editor_.report(entry.plural->keyword,
                     "the header does not say the Plural-Forms of the language; two forms are "
                     "guessed, the first for 1; msginit knows those of many languages");
      return plurals_.emplace();
    }
    return plurals_.emplace(plural_field_.value, editor_.where(plural_field_.at));
  }
  // Not of a template, which has nplurals=INTEGER.
  bool knows_plurals() const {
    return !plural_field_.value.empty() && plural_field_.value.find("INTEGER") == std::string::npos;
  }

  // Whether a message has its translation, of plurals in each form.
  bool is_complete(const PoEntry& entry) {
    const auto empty = [](const PoString& text) { return text.value.empty(); };
    return std::ranges::none_of(entry.translations, empty) &&
           (!entry.plural || !knows_plurals() ||
            entry.translations.size() >= plurals(entry).forms());
  }

  // Nothing if there is none, or it was refused. What has no letter is its own, not asked for.
  std::optional<std::string> translation(const PoEntry& entry, const PoString& message,
                                         bool& asked) {
    const std::string source = charset_.decode(message.value);
    std::string text = source;
    std::optional<Accelerator> key;
    if (first_invalid_utf8(text) == std::string::npos) key = take_accelerator(text, accelerator_);
    if (!has_letter(text)) return source;
    asked = true;
    if (!key && has_several_accelerators(text, accelerator_))
      editor_.report(message.begin, "several letters have the mark of a key, " + accelerator_ +
                                        ", which is translated as text");
    auto translated = plain_translation(editor_, message.begin, text, true);
    if (!translated) return {};
    if (*translated == text) return source;
    std::string wrong = wrong_in_formats(entry, text, *translated);
    if (std::ranges::count(text, '\n') != std::ranges::count(*translated, '\n'))
      wrong = "has another number of \\n";
    if (!charset_.encode(*translated))
      wrong = "has characters that the document's encoding lacks (msgconv -t UTF-8 changes that)";
    if (!wrong.empty()) return editor_.refuse(wrong);
    if (key) put_key(entry, message, *key, *translated);
    else check_keys(message, text, *translated);
    return translated;
  }

  // The error in the directives of a translation, by the flags of its entry.
  static std::string wrong_in_formats(const PoEntry& entry, const std::string& text,
                                      const std::string& translated) {
    for (const std::string& format : entry.flags)
      if (std::string wrong = wrong_placeholders(text, translated, format); !wrong.empty())
        return wrong;
    return {};
  }

  // Marks the key in a translation, unless that has one mark already.
  void put_key(const PoEntry& entry, const PoString& message, const Accelerator& key,
               std::string& translated) {
    if (std::string without = translated; take_accelerator(without, accelerator_)) return;
    const std::string none = "; it is without the key of a menu";
    if (has_several_accelerators(translated, accelerator_))
      return editor_.report(message.begin, "the translation has several marks of a key" + none);
    const std::string marked = mark_accelerator(
        translated, key, {}, without_keys(translated, directives(entry, translated)));
    if (!wrong_in_formats(entry, translated, marked).empty())
      editor_.report(message.begin, "no place for " + accelerator_ + " in the translation" + none);
    else if (!charset_.encode(marked))
      editor_.report(message.begin, "the encoding lacks the letter of the key" + none);
    else translated = marked;
  }

  // Reports that a mark of a key is lost, where it is another than the document's.
  void check_keys(const PoString& message, const std::string& text, const std::string& translated) {
    for (const char* sign : {"&", "_", "~"}) {
      std::string without = text, other = translated;
      const auto key = take_accelerator(without, sign);
      if (!key || !is_letter(key->key) || take_accelerator(other, sign) ||
          has_several_accelerators(other, sign))
        continue;
      // A sign inside of a word may be of a name, as file_name; one in brackets is not.
      const char32_t before = character_before(text, key->at);
      if ((is_letter(before) || is_digit(before)) && without.size() + 1 == text.size()) continue;
      editor_.report(message.begin, "the translation lacks the mark of a key, " +
                                        std::string(sign) + ", which the document does not name");
    }
  }

  // Flags and comments of an entry that gets a translation, which is `fuzzy` or not.
  void mark(const PoEntry& entry, bool fuzzy) {
    const std::string_view document = editor_.document();
    const bool adds = fuzzy && std::ranges::count(entry.flags, "fuzzy") == 0;
    std::string added = adds && entry.flag_lines.empty() ? "#, fuzzy" + line_end_ : "";
    const std::size_t keyword = (entry.context ? *entry.context : *entry.id).keyword,
                      message = document.rfind('\n', keyword) + 1;
    for (const PoEntry::Line& line : entry.previous)
      editor_.prepare(line.begin, line.end, line.begin < message ? std::exchange(added, "") : "");
    if (!added.empty()) editor_.prepare(message, message, added);
    for (const PoEntry::Line& line : entry.flag_lines) {
      std::vector<std::string> flags = po_flags(document.substr(line.begin, line.end - line.begin));
      if (!fuzzy && std::erase(flags, "fuzzy") > 0)
        editor_.prepare(line.begin, line.end,
                        flags.empty() ? "" : "#, " + join(flags, ", ") + line_end_);
      const std::size_t comma = document.find(',', line.begin);
      if (adds && line.begin == entry.flag_lines[0].begin) editor_.prepare(comma, comma, ", fuzzy");
    }
  }

  // The places of a text's directives, by the first flag of its entry that has any.
  static std::vector<TextRange> directives(const PoEntry& entry, const std::string& text) {
    for (const std::string& format : entry.flags)
      if (auto found = placeholders_in(text, format); !found.empty()) return found;
    return {};
  }

  // Whether lines are longer than those that gettext makes: it was told not to.
  static bool long_lines(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
      const std::size_t space = line.find(' ', line.find('"'));
      if (columns(line) > 100 && space != std::string_view::npos && space < 60) return true;
    }
    return false;
  }

  Editor& editor_;
  const Settings& settings_;
  std::string accelerator_, line_end_;
  Charset charset_;
  Field plural_field_;
  std::optional<PluralForms> plurals_;
  std::size_t entries_ = 0;
};

}  // namespace

void pass_po(Editor& editor, const Settings& settings) {
  editor.check_line_ends();
  Catalogue catalogue(editor, settings);
  each_po_entry(
      editor.document(), [&](const PoEntry& entry) { catalogue.entry(entry); },
      [&](std::size_t at, const std::string& problem) { editor.report_unread(at, problem); });
  if (catalogue.entries() > 0) return;
  if (!editor.problems().empty()) throw Error(editor.problems()[0]);
  throw Error(editor.where(0), ": no message; this is no PO file, or it is empty");
}

}  // namespace tt::document
