// HTML: what stands between the tags of blocks is a text, with the inline tags in it. Scripts,
// styles, preformatted text, drawings, and elements with translate="no" or class="notranslate" stay
// as they are, but for elements in them with translate="yes".
//
// A tag whose partner is not in the same text parts texts as well, so that tags of a line are
// always nested. The texts of attributes come before the text that their tag is in.
#include <unicode/uloc.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "base/capitals.h"
#include "base/shortened.h"
#include "base/utf8.h"
#include "document/approval.h"
#include "document/charset.h"
#include "document/format.h"
#include "document/marked_text.h"
#include "markup/elements.h"
#include "markup/tags.h"

namespace tt::document {
namespace {

using Kind = Token::Kind;

// The text of forms, and what is shown beside it, is by itself.
bool is_inline(std::string_view name) {
  return !is_block(name) &&
         !has_name(" button input label math meter object picture progress slot svg ", name);
}

// Whether an attribute of a tag is text, as the standard says of the attribute translate.
bool is_text(std::string_view element, std::string_view tag, const std::string& name) {
  const auto is = [&](std::string_view key, std::string_view values) {
    return has_name(values, ascii_small(attribute(tag, key).value_or("")));
  };
  if (name == "content" && element == "meta")
    return is("name",
              " description keywords twitter:description twitter:image:alt twitter:title ") ||
           is("property", " og:description og:image:alt og:site_name og:title ");
  if (name == "value") return element == "input" && is("type", " button reset submit ");
  return has_name(
      " abbr alt aria-description aria-label aria-placeholder aria-roledescription "
      "aria-valuetext label placeholder title ",
      name);
}

class Walk {
 public:
  Walk(Editor& editor, Charset charset, const Settings& settings)
      : editor_(editor), approval_{Dialect::html, settings.reviewed}, charset_(std::move(charset)),
        attributes_(settings.attributes), to_(settings.to) {
    std::ranges::replace(to_, '_', '-');
  }

  // Reads [begin, end), which is behind all that was read. `document`: the editor's, but for bytes
  // that are spaces here.
  void operator()(std::string_view document, std::size_t begin, std::size_t end) {
    document_ = document;
    Tokens tokens(document_, Syntax::html, begin, end);
    for (Token token; tokens.next(token);) {
      const std::string_view bytes = token.in(document_);
      bool ends = false;
      if (!levels_.empty() && !token.name.empty() && token.name == levels_.back().name) {
        levels_.back().depth += token.kind == Kind::open;
        ends = token.kind == Kind::close && --levels_.back().depth == 0;
      }
      if (!levels_.empty() && levels_.back().stays) {
        const std::size_t from = levels_.back().begin;
        if (ends) {
          keep(token.name, from, token.end);
          levels_.pop_back();
          continue;
        }
        if (token.kind != Kind::open || !asks_for_translation(bytes)) continue;
        keep({}, from, token.begin);
        levels_.push_back({token.name, false, token.begin});
      } else if (token.kind == Kind::open &&
                 (is_untranslated(token.name) || forbids_translation(bytes))) {
        if (!is_inline(token.name)) finish_run();
        if (!forbids_translation(bytes)) pass_attributes({token});
        levels_.push_back({token.name, true, token.begin});
        continue;
      }
      const bool tag = token.is_tag();
      if (tag) approve(token);
      if (token.kind == Kind::cut)
        editor_.report_unread(token.begin,
                              "the document ends within a tag or comment, which begins here");
      if (token.kind != Kind::cut && (!tag || is_inline(token.name))) {
        if (tag) pair(token);
        run_.push_back({token, kNone, !tag && token.kind != Kind::text});
      } else {
        finish_run();
        if (tag) pass_attributes({token});
      }
      if (!ends) continue;
      finish_run();
      levels_.pop_back();
      levels_.back().begin = token.end;
    }
    if (!levels_.empty() && levels_.back().stays) {
      editor_.report_unread(levels_.back().begin, "nothing closes <" +
                                                      shortened(levels_.back().name) +
                                                      ">; the text behind it stays as it is");
      keep(levels_.back().name, levels_.back().begin, end);
    }
    levels_.clear();
    finish_run();
  }

  // Reports the tags of text that have no partner in the document, and one that says no language.
  void report() {
    if (!to_.empty() && !says_language_)
      editor_.report(0, "no tag says a language, as <html lang> does; " + to_ + " is said nowhere");
    for (const auto& [name, tokens] : open_)
      for (const Token& token : tokens)
        if (alone_++ == 0 || token.begin < first_alone_.begin) first_alone_ = token;
    if (alone_ == 0) return;
    const std::string tag = shortened(single_spaces(first_alone_.in(document_)));
    editor_.report(
        first_alone_.begin,
        (first_alone_.kind == Kind::open ? "nothing closes " : "nothing opens ") + tag +
            (alone_ > 1 ? ", and so for " + std::to_string(alone_ - 1) + " tags more" : ""));
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Item : Token {
    std::size_t partner = kNone;
    bool opaque = false;
    std::string now = {};  // its tag with translations of attributes, if it has any
  };

  // A tag as it is beside a translation: without a word on who approved what was there, and of its
  // language, if it was of that of the document.
  std::string tag(const Token& token, std::string_view bytes) {
    std::string tag = approval_.tag(token.name, bytes);
    if (to_.empty() || token.kind == Kind::close) return tag;
    const bool root = token.name == "html";
    if (root && !attribute(tag, "lang") && !attribute(tag, "xml:lang"))
      tag = with_attribute(tag, document_.starts_with("<?xml") ? "xml:lang" : "lang", from_);
    bool same = false;
    for (const char* name : {"lang", "xml:lang"}) {
      const auto language = attribute(tag, name);
      if (!language) continue;
      const std::string first = ascii_small(language->substr(0, language->find('-')));
      if (from_.empty()) from_ = first;
      if (!root && first != from_) continue;
      tag = with_attribute(tag, name, to_);
      same = true;
    }
    const bool right = uloc_isRightToLeft(to_.c_str()), says = attribute(tag, "dir").has_value();
    if (same ? right || says : says && token.name == "body")
      tag = with_attribute(tag, "dir", right ? "rtl" : "ltr");
    says_language_ |= same;
    return tag;
  }

  std::string encoded(std::string_view text) const { return encode(text, !charset_.utf8()); }

  // The texts of a tag's attributes, by their names; none of those with code of a template in them.
  std::vector<std::pair<std::string, MarkedText>> texts_of(std::string_view element,
                                                           std::string_view tag) const {
    std::vector<std::pair<std::string, MarkedText>> found;
    if (!attributes_ || tag.starts_with("</")) return found;
    without_attributes(tag, [&](std::string_view name, std::string_view value) {
      if (!is_text(element, tag, ascii_small(name)) || value.find("<?") != value.npos ||
          value.find("<%") != value.npos)
        return false;
      MarkedText text;
      text.encoded(single_spaces(charset_.decode(value)), Syntax::html);
      if (text.has_letter()) found.emplace_back(name, text);
      return false;
    });
    return found;
  }

  void ask_attributes(Item& item) {
    if (item.opaque || !item.is_tag()) return;
    for (const auto& [name, text] : texts_of(item.name, item.in(document_))) {
      const auto translated = text.translated(editor_, item.begin);
      if (!translated) continue;
      editor_.stay(item.begin, translated->meaning());
      std::string quoted;
      for (const char c : translated->bytes([&](auto part) { return encoded(part); }))
        quoted += c == '"' ? "&quot;" : std::string(1, c);
      if (item.now.empty()) item.now = tag(item, item.in(editor_.document()));
      item.now = with_attribute(item.now, name, quoted);
    }
  }

  // Puts translations of attributes into a tag that is in no text.
  void pass_attributes(Item item) {
    const std::uint64_t before = editor_.texts();
    ask_attributes(item);
    if (item.now.empty()) return;
    editor_.mean_those_behind(before);
    editor_.replace(item.begin, item.end, item.now);
  }

  // Keeps bytes as they are: a part of a text, where they are an inline element, or its beginning
  // or end, which has no name.
  void keep(const std::string& element, std::size_t begin, std::size_t end) {
    Token token;
    token.begin = begin, token.end = end, token.kind = Kind::single, token.name = element;
    if (is_inline(element)) run_.push_back({token, kNone, true});
    else finish_run();
    if (element.empty()) finish_run();
  }

  void pair(const Token& token) {
    std::vector<Token>& open = open_[token.name];
    if (token.kind == Kind::open) open.push_back(token);
    if (token.kind != Kind::close) return;
    if (!open.empty()) {
      open.pop_back();
    } else if (alone_++ == 0 || token.begin < first_alone_.begin) {
      first_alone_ = token;
    }
  }

  // Prepares a tag for when something behind it is translated.
  void approve(const Token& token) {
    if (token.kind == Kind::single) return;
    const auto known = approved_.find(token.name);
    if (token.kind == Kind::close) {
      if (known == approved_.end() || known->second.empty()) return;
      if (known->second.back()) ended_.push_back(*known->second.back());
      known->second.pop_back();
      return;
    }
    const std::string_view bytes = token.in(editor_.document());
    std::string now = tag(token, bytes);
    std::optional<std::size_t> at;
    if (now != bytes) {
      editor_.prepare(token.begin, token.end, std::move(now));
      at = token.begin;
    }
    if (at || known != approved_.end()) approved_[token.name].push_back(at);
  }

  // Asks for the texts of what stands between two blocks.
  void finish_run() {
    std::vector<std::size_t> open;
    std::map<std::string_view, std::size_t> count;  // of those that are open, by name
    for (std::size_t i = 0; i < run_.size(); ++i) {
      if (run_[i].opaque) continue;
      const std::string_view name = run_[i].name;
      if (run_[i].kind == Kind::open) {
        open.push_back(i);
        ++count[name];
      }
      if (run_[i].kind != Kind::close || count[name] == 0) continue;
      for (bool found = false; !found; open.pop_back()) {
        const std::size_t last = open.back();
        --count[run_[last].name];
        if ((found = run_[last].name == name)) run_[i].partner = last, run_[last].partner = i;
      }
    }
    // Pairs are nested, so that what parts one of them parts those around it, and no others.
    std::vector<std::size_t> alone(run_.size() + 1);  // how many before
    for (std::size_t i = 0; i < run_.size(); ++i)
      alone[i + 1] = alone[i] + (!run_[i].opaque && run_[i].partner == kNone &&
                                 (run_[i].kind == Kind::open || run_[i].kind == Kind::close));
    std::size_t first = 0;
    for (std::size_t i = 0; i <= run_.size(); ++i) {
      if (i < run_.size() && alone[i + 1] == alone[i]) {
        const std::size_t partner = run_[i].partner;
        if (partner == kNone || alone[i] == alone[partner]) continue;
      }
      ask(first, i);
      if (i < run_.size()) pass_attributes(run_[i]);
      first = i + 1;
    }
    run_.clear();
    for (const std::size_t at : ended_) editor_.keep(at, at + 1);
    ended_.clear();
  }

  // The text between two bytes, with its tags.
  MarkedText marked(std::size_t first, std::size_t behind, std::size_t begin, std::size_t end) {
    MarkedText text;
    for (std::size_t i = first; i < behind; ++i) {
      const Item& item = run_[i];
      if (item.kind == Kind::text && !item.opaque) {
        const std::size_t from = std::max(item.begin, begin), to = std::min(item.end, end);
        text.encoded(single_spaces(charset_.decode(document_.substr(from, to - from))),
                     Syntax::html);
      } else if (item.opaque) {
        text.opaque(item.in(editor_.document()));
      } else {
        text.tag(single_spaces(charset_.decode(item.in(document_))), written(item), item.kind);
      }
    }
    return text;
  }

  // A translation may have its tags in another order, and some of them around it.
  void ask(std::size_t first, std::size_t behind) {
    if (first == behind) return;
    const std::span<Item> run = std::span(run_).subspan(first, behind - first);
    const std::uint64_t before = editor_.texts();
    for (Item& item : run) ask_attributes(item);
    strip(
        first, behind, [&](std::size_t i) { return run_[i].partner; },
        [&](std::size_t i) {
          return run_[i].opaque || run_[i].kind == Kind::single ||
                 (run_[i].kind == Kind::text &&
                  run_[i].in(document_).find_first_not_of(" \t\n\r\f") == std::string_view::npos);
        },
        [&](std::size_t i) { return !is_code(run_[i].name); });
    std::size_t begin = run.back().end, end = begin;
    if (first < behind) {
      begin = run_[first].begin, end = run_[behind - 1].end;
      if (run_[first].kind == Kind::text)
        begin = std::min(document_.find_first_not_of(" \t\n\r\f", begin), run_[first].end);
      if (run_[behind - 1].kind == Kind::text)
        end = document_.find_last_not_of(" \t\n\r\f", end - 1) + 1;
    }
    const MarkedText text = marked(first, behind, begin, end);
    const auto translated = text.has_letter() ? text.translated(editor_, begin) : std::nullopt;
    const bool changed =
        std::ranges::any_of(run, [](const Item& item) { return !item.now.empty(); });
    if (!translated && !changed) return;
    editor_.mean_those_behind(before);
    editor_.forget();
    std::string now;
    const auto add = [&](std::string_view bytes, bool tag) {
      now += bytes;
      if (!tag) return;
      for (const auto& [name, value] : texts_of("", bytes)) editor_.mean(value.meaning());
    };
    const auto add_items = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        add(written(run_[i]), run_[i].is_tag() && !run_[i].opaque);
    };
    const auto run_begin = static_cast<std::size_t>(run.data() - run_.data());
    if (changed) add_items(run_begin, first);
    if (translated) {
      if (changed) now += editor_.document().substr(run_[first].begin, begin - run_[first].begin);
      for (const MarkedText::Part& part : translated->parts())
        add(part.of == MarkedText::Part::Of::text ? encoded(part.shown) : part.bytes,
            part.of == MarkedText::Part::Of::tag);
      if (changed) now += editor_.document().substr(end, run_[behind - 1].end - end);
    } else {
      add_items(first, behind);
    }
    if (changed) add_items(behind, run_begin + run.size());
    editor_.mean((translated ? *translated : text).meaning());
    if (changed) begin = run.front().begin, end = run.back().end;
    editor_.replace(begin, end, now);
  }

  // An item's bytes beside a translation.
  std::string written(const Item& item) {
    const std::string_view bytes = item.in(editor_.document());
    if (!item.now.empty()) return item.now;
    return item.is_tag() && !item.opaque ? tag(item, bytes) : std::string(bytes);
  }

  Editor& editor_;
  std::string_view document_;
  Approval approval_;
  Charset charset_;
  bool attributes_;
  std::string to_, from_;  // the languages of the translations and, as soon as a tag says it, texts
  bool says_language_ = false;
  // Of names of elements of which one tells of approval: those that are open, and which do.
  std::map<std::string, std::vector<std::optional<std::size_t>>> approved_;
  // Elements that stay as they are, in these the ones that are translated, and so on. An element
  // that is translated begins and ends a text.
  struct Level {
    std::string name;
    bool stays;
    std::size_t begin;      // where that begins
    std::size_t depth = 1;  // of open elements of the name
  };
  std::vector<Level> levels_;
  std::vector<std::size_t> ended_;  // such elements, in the run or just behind it
  std::vector<Item> run_;
  std::map<std::string, std::vector<Token>> open_;  // of text, in all of the document, by name
  std::size_t alone_ = 0;                           // tags without a partner
  Token first_alone_;
};

// The encoding that the attribute `content` of <meta http-equiv=content-type> names.
std::string_view charset_in(std::string_view content) {
  const std::string small = ascii_small(content);
  for (std::size_t at = 0; (at = small.find("charset", at)) != std::string::npos;) {
    at = std::min(small.find_first_not_of(" \t\n\r\f", at + 7), small.size());
    if (at == small.size() || small[at] != '=') continue;
    at = std::min(small.find_first_not_of(" \t\n\r\f\"'", at + 1), small.size());
    return content.substr(at, small.find_first_of("\"' \t\n\r\f;", at) - at);
  }
  return {};
}

// The encoding that a document declares in its first 4096 bytes: in <meta>, or else in <?xml?>.
std::string declared(std::string_view document) {
  std::string_view name;
  Tokens tokens(document, Syntax::html, 0, std::min<std::size_t>(document.size(), 4096));
  for (Token token; tokens.next(token);) {
    const std::string_view tag = token.in(document);
    const auto value = [&](std::string_view key) { return attribute(tag, key).value_or(""); };
    if (token.begin == 0 && token.kind == Kind::other && tag.starts_with("<?xml"))
      name = value("encoding");
    if (token.name != "meta" || token.kind != Kind::single) continue;
    std::string_view found = value("charset");
    if (found.empty() && ascii_small(value("http-equiv")) == "content-type")
      found = charset_in(value("content"));
    const std::size_t begin = found.find_first_not_of(" \t\n\r\f");
    if (begin == std::string_view::npos) continue;
    return std::string(found.substr(begin, found.find_last_not_of(" \t\n\r\f") + 1 - begin));
  }
  return std::string(name);
}

// The encoding of a document that declares none: UTF-8, or what it seems to be, which is reported.
// That is Windows-1252 where more characters beyond ASCII are damaged ones of UTF-8 than are whole.
std::string guessed(Editor& editor) {
  const std::string_view document = editor.document();
  const std::size_t first = first_invalid_utf8(document);
  if (first == std::string_view::npos) return "utf-8";
  std::size_t whole = 0, damaged = 0;
  for (const char *at = document.data(), *const end = at + document.size(); at < end;) {
    const char* const begin = at;
    bool invalid = false;
    next_code_point(at, end, &invalid);
    (invalid ? damaged : whole) += invalid || at > begin + 1;
  }
  const std::string name = damaged > whole ? "windows-1252" : "utf-8";
  editor.report(first,
                "no UTF-8, and the document declares no encoding; it is read as " + name +
                    "; declare it by <meta charset>, or convert it by: iconv -f ENCODING -t UTF-8");
  return name;
}

// The encoding of a document: its mark of UTF-8, or the one that it declares, or else the one that
// browsers take.
Charset charset_of(Editor& editor) {
  const std::string_view document = editor.document();
  std::string name = document.starts_with("\xEF\xBB\xBF") ? "utf-8" : declared(document);
  if (name.empty()) name = guessed(editor);
  for (const char* latin : {"iso-8859-1", "us-ascii"})
    if (ascii_small(name) == latin) name = "windows-1252";
  const Charset charset(name, editor.where(0),
                        "convert it with iconv to UTF-8, and let its head declare that");
  editor.set_utf8(charset.utf8());
  return charset;
}

}  // namespace

void pass_html(Editor& editor, const Settings& settings) {
  editor.set_single_spaces();
  Walk walk(editor, charset_of(editor), settings);
  walk(editor.document(), 0, editor.document().size());
  walk.report();
}

ReadHtml html_reader(Editor& editor, bool reviewed) {
  return [walk = std::make_shared<Walk>(editor, Charset(), Settings{.reviewed = reviewed})](
             std::string_view document, std::size_t begin, std::size_t end) {
    (*walk)(document, begin, end);
  };
}

}  // namespace tt::document
