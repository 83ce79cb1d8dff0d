// The parts of office documents (OOXML, OpenDocument) and of books (EPUB): a paragraph is a text.
//
// A word processor cuts a paragraph into runs of one format. The format that most of its characters
// have is not shown; others are groups, <g id="1">...</g>, and so are links and what else stands
// around runs; a break, a picture or a note is <ph id="1"/>. What a paragraph has in it, as a note
// has, is asked for before.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/split.h"
#include "base/utf8.h"
#include "document/format.h"
#include "document/marked_text.h"
#include "markup/tags.h"

namespace tt::document {
namespace {

using Kind = Token::Kind;

// Names of elements, without the prefixes of their namespaces.
struct Dialect {
  std::set<std::string_view> paragraphs;
  // Text stands in <t> of such elements, or, where there are none, in the paragraph itself.
  std::set<std::string_view> runs;
  std::set<std::string_view> around;   // text, where it stands in the paragraph
  std::set<std::string_view> dropped;  // of a paragraph that is translated: what fits its source,
                                       // or, where it is around text, its tags
  std::set<std::string_view> skipped;  // with all that is in them
};

const Dialect kOpenXml{{"p", "si", "is", "text"},
                       {"r"},
                       {},
                       {"proofErr", "lastRenderedPageBreak", "rPh", "phoneticPr", "softHyphen",
                        "ruby", "rubyPr", "rt", "rubyBase"},
                       {"oMath", "oMathPara", "del", "moveFrom", "Fallback", "rt"}};
const Dialect kOpenDocument{{"p", "h", "header-decl", "footer-decl", "index-title-template"},
                            {},
                            {"span", "a", "meta", "ruby", "ruby-base"},
                            {"ruby", "ruby-base", "ruby-text"},
                            {"tracked-changes"}};
const Dialect kContents{{"text"}, {}, {}, {}, {}};
const Dialect kMetadata{{"title", "description"}, {}, {}, {}, {}};

std::string characters_of(const MarkedText& text) {
  std::string all;
  for (const MarkedText::Part& part : text.parts())
    if (part.of == MarkedText::Part::Of::text) all += part.shown;
  return all;
}

constexpr int kDeepest = 200;  // elements of a paragraph, one within the other

class Part {
 public:
  Part(Editor& editor, const Dialect& dialect, const Settings& settings)
      : editor_(editor), dialect_(dialect), settings_(settings) {
    read();
    if (dialect.runs.empty()) editor.set_single_spaces();
  }

  void pass() {
    for (std::size_t i = 0; (i = next_paragraph(i, nodes_.size())) < nodes_.size(); i = after(i)) {
      const std::size_t close = nodes_[i].partner;
      const std::uint64_t before = editor_.texts();
      const std::string now = paragraph(i, 0);
      if (now != between(i, close + 1)) {
        editor_.mean_those_behind(before);
        editor_.replace(nodes_[i].begin, nodes_[close].end, now);
      }
    }
  }

 private:
  struct Node {
    Kind kind;
    std::size_t begin, end;
    std::string_view name;  // of an element, without prefix
    std::size_t partner = 0;
    std::size_t paragraphs = 0, runs = 0;  // that begin before
    bool shows_value = false;              // of a cell: programs write it anew, from its value
  };
  // How a run of a format begins, before its text and behind.
  struct Format {
    std::string open, text, close;
  };
  struct Item {
    enum class Of { text, open, close, opaque } of;
    std::string as_is;                   // its bytes, with translations of what is in it
    std::string alone;                   // the same by itself: with a run around
    std::string format = {}, text = {};  // of text
  };

  std::string_view bytes(std::size_t i) const {
    return editor_.document().substr(nodes_[i].begin, nodes_[i].end - nodes_[i].begin);
  }
  // Nodes [first, behind).
  std::string_view between(std::size_t first, std::size_t behind) const {
    if (first >= behind) return {};
    return editor_.document().substr(nodes_[first].begin,
                                     nodes_[behind - 1].end - nodes_[first].begin);
  }
  bool is_paragraph(std::size_t i) const {
    return nodes_[i].kind == Kind::open && dialect_.paragraphs.contains(nodes_[i].name) &&
           !nodes_[i].shows_value;
  }
  bool is_run(std::size_t i) const {
    return nodes_[i].kind == Kind::open && dialect_.runs.contains(nodes_[i].name);
  }
  // The first paragraph of nodes [i, behind) that is in nothing that is skipped; `behind`: none.
  std::size_t next_paragraph(std::size_t i, std::size_t behind) const {
    while (i < behind && !is_paragraph(i))
      i = dialect_.skipped.contains(nodes_[i].name) ? after(i) : i + 1;
    return i;
  }
  std::size_t after(std::size_t i) const {
    return (nodes_[i].kind == Kind::open ? nodes_[i].partner : i) + 1;
  }

  void read() {
    const std::string_view document = editor_.document();
    Tokens tokens(document, Syntax::xml, 0, document.size());
    std::vector<std::size_t> open;
    std::size_t paragraphs = 0, runs = 0;
    const auto has_value = [&](std::size_t i) {
      const std::string_view tag = bytes(i);
      return nodes_[i].name == "table-cell" &&
             (attribute(tag, "table:formula") ||
              attribute(tag, "office:value-type").value_or("string") != "string");
    };
    const auto broken = [&](std::size_t at) {
      throw Error(editor_.where(at), ": not well-formed XML, as a damaged document is");
    };
    for (Token token; tokens.next(token);) {
      if (token.kind == Kind::cut) broken(token.begin);
      std::string_view name = token.in(document);
      name =
          token.is_tag() ? name.substr(token.kind == Kind::close ? 2 : 1, token.name.size()) : "";
      name.remove_prefix(std::min(name.find(':') + 1, name.size()));
      nodes_.push_back({token.kind, token.begin, token.end, name, 0, paragraphs, runs});
      const std::size_t i = nodes_.size() - 1;
      nodes_[i].shows_value = !open.empty() && has_value(open.back());
      paragraphs += is_paragraph(i), runs += is_run(i);
      if (token.kind == Kind::open) open.push_back(i);
      if (token.kind != Kind::close) continue;
      if (open.empty() || nodes_[open.back()].name != name) broken(token.begin);
      nodes_[open.back()].partner = i;
      open.pop_back();
    }
    if (!open.empty()) broken(nodes_[open.back()].begin);
  }

  // A paragraph's bytes with its translation.
  std::string paragraph(std::size_t open, int depth) {
    if (depth > kDeepest)
      throw Error(editor_.where(nodes_[open].begin), ": paragraphs are nested too deeply");
    std::vector<Item> items;
    const std::size_t close = nodes_[open].partner;
    parse(open + 1, close, depth, items);
    std::string now(bytes(open));
    const auto [first, behind] = strip(items);
    const auto text = std::span<Item>(items).subspan(first, behind - first);
    std::string cell;
    for (const Item& item : items) cell += item.text;
    const bool stays = settings_.headings.contains(text_of_cell(cell));
    const std::string space_before = cut_space(text, true), space_behind = cut_space(text, false);
    const std::string base(base_of(text));
    std::optional<MarkedText> translated;
    const auto letters = [](const Item& item) {
      return item.of == Item::Of::text && has_letter(item.text);
    };
    if (!stays && std::ranges::any_of(text, letters)) {
      const std::uint64_t before = editor_.texts();
      const MarkedText source = marked(text, base);
      translated = source.translated(editor_, nodes_[open].end);
      // Of a translation another format may be that of most characters: tags mean nothing.
      if (editor_.texts() > before)
        editor_.stay(nodes_[open].end, characters_of(translated ? *translated : source));
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (translated && i == first) now += written(*translated, base, space_before, space_behind);
      if (!translated) now += items[i].as_is;
      else if (i < first || i >= behind) now += items[i].alone;
    }
    return now + std::string(bytes(close));
  }

  // The bytes of nodes, with the translations of paragraphs in them.
  std::string nested(std::size_t first, std::size_t behind, int depth) {
    std::string all;
    for (std::size_t i = first; (i = next_paragraph(i, behind)) < behind; i = first = after(i))
      all += std::string(between(first, i)) + paragraph(i, depth + 1);
    return all + std::string(between(first, behind));
  }

  void parse(std::size_t first, std::size_t behind, int depth, std::vector<Item>& items) {
    if (depth > kDeepest)
      throw Error(editor_.where(nodes_[first].begin), ": elements are nested too deeply");
    for (std::size_t i = first; i < behind; i = after(i)) {
      const Node& node = nodes_[i];
      const std::size_t next = after(i);
      const bool element = node.kind == Kind::open || node.kind == Kind::single;
      if (is_run(i)) {
        parse_run(i, depth, items);
      } else if (!element && dialect_.runs.empty() && node.kind != Kind::comment &&
                 node.kind != Kind::other) {
        items.push_back(
            {Item::Of::text, std::string(bytes(i)), "", "", single_spaces(characters(i, next))});
      } else if (element && node.name == "t" && !dialect_.runs.empty()) {  // of a cell
        formats_.try_emplace("", Format{"", std::string(bytes(i)), ""});
        items.push_back(
            {Item::Of::text, std::string(between(i, next)), "", "", characters(i + 1, next - 1)});
      } else if (node.kind == Kind::open && !dialect_.skipped.contains(node.name) &&
                 nodes_[next - 1].paragraphs == node.paragraphs &&
                 (dialect_.around.contains(node.name) || nodes_[next - 1].runs > node.runs)) {
        const std::string open(bytes(i)), close(bytes(next - 1));
        const bool shown = !dialect_.dropped.contains(node.name);
        items.push_back({shown ? Item::Of::open : Item::Of::opaque, open, shown ? open : ""});
        parse(i + 1, next - 1, depth + 1, items);
        items.push_back({shown ? Item::Of::close : Item::Of::opaque, close, shown ? close : ""});
      } else {
        std::string all = nested(i, next, depth);
        const bool dropped = !element || dialect_.dropped.contains(node.name);
        items.push_back({Item::Of::opaque, all, dropped ? "" : all});
      }
    }
  }

  void parse_run(std::size_t open, int depth, std::vector<Item>& items) {
    const std::size_t close = nodes_[open].partner, before = items.size();
    std::string begin(bytes(open));
    const std::string end(bytes(close));
    std::string format, raw = begin;
    for (std::size_t i = open + 1; i < close; i = after(i)) {
      const std::size_t next = after(i);
      if (nodes_[i].name == "rPr" && nodes_[i].kind != Kind::close) {
        raw += between(i, next);
        format = properties(i, next);
        begin += format;
      } else if (nodes_[i].name == "t") {
        const std::string tag(bytes(i));
        formats_.try_emplace(format + "\n", Format{begin, tag, end});
        items.push_back({Item::Of::text, std::exchange(raw, "") + std::string(between(i, next)), "",
                         format + "\n",
                         nodes_[i].kind == Kind::single ? "" : characters(i + 1, next - 1)});
      } else if (nodes_[i].name == "ruby" && nodes_[i].kind == Kind::open) {
        items.push_back({Item::Of::opaque, std::exchange(raw, ""), ""});
        parse(i, next, depth + 1, items);
      } else {
        const std::string all = nested(i, next, depth);
        const bool dropped =
            nodes_[i].kind == Kind::text || dialect_.dropped.contains(nodes_[i].name);
        items.push_back({Item::Of::opaque, raw + all, dropped ? "" : begin + all + end});
        raw.clear();
      }
    }
    if (items.size() == before) items.push_back({Item::Of::opaque, raw, ""});
    items.back().as_is += end;
  }

  std::string characters(std::size_t first, std::size_t behind) const {
    std::string all;
    for (std::size_t i = first; i < behind; ++i) {
      std::string_view text = bytes(i);
      const auto add = [&](std::string_view part) { all += part; };
      if (nodes_[i].kind == Kind::cdata) add(text.substr(9, text.size() - 12));
      else if (nodes_[i].kind == Kind::text) markup::decode(text, Syntax::xml, add, add);
    }
    return all;
  }

  // A run's properties, but for the language of the source.
  std::string properties(std::size_t first, std::size_t behind) const {
    static const std::set<std::string_view> names{"lang", "altLang", "dirty", "err", "noProof"};
    const auto goes = [&](std::string_view name, std::string_view) { return names.contains(name); };
    std::string all = without_attributes(bytes(first), goes);
    bool empty = behind > first + 1;
    for (std::size_t i = first + 1; i + 1 < behind; ++i) {
      if (nodes_[i].kind == Kind::single && names.contains(nodes_[i].name)) continue;
      all += bytes(i);
      empty = false;
    }
    if (behind > first + 1) all += bytes(behind - 1);
    return empty ? "" : all;
  }

  // The items between which text stands: none that has none at their ends, or around all of them.
  static std::pair<std::size_t, std::size_t> strip(const std::vector<Item>& items) {
    std::vector<std::size_t> open, partner(items.size(), ~std::size_t{0});
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].of == Item::Of::open) open.push_back(i);
      if (items[i].of != Item::Of::close) continue;
      partner[i] = open.back(), partner[open.back()] = i;
      open.pop_back();
    }
    std::size_t first = 0, behind = items.size();
    document::strip(
        first, behind, [&](std::size_t i) { return partner[i]; },
        [&](std::size_t i) {
          return items[i].of == Item::Of::opaque ||
                 (items[i].of == Item::Of::text && trimmed(items[i].text).empty());
        },
        [](std::size_t) { return true; });
    return {first, behind};
  }

  // Cuts the white space off that a text begins or ends with, and returns it.
  static std::string cut_space(std::span<Item> items, bool begin) {
    if (items.empty() || (begin ? items.front() : items.back()).of != Item::Of::text) return {};
    std::string& text = (begin ? items.front() : items.back()).text;
    constexpr const char* kSpaces = " \t\n\r";
    const std::size_t at = begin ? std::min(text.find_first_not_of(kSpaces), text.size())
                                 : text.find_last_not_of(kSpaces) + 1;
    std::string cut = begin ? text.substr(0, at) : text.substr(at);
    text = begin ? text.substr(at) : text.substr(0, at);
    return cut;
  }

  // The format that most of a text's characters have.
  static std::string_view base_of(std::span<const Item> items) {
    std::map<std::string_view, std::size_t> characters;
    std::string_view base;
    for (const Item& item : items) {
      if (item.of != Item::Of::text) continue;
      if (characters.empty()) base = item.format;
      if ((characters[item.format] += item.text.size()) > characters[base]) base = item.format;
    }
    return base;
  }

  static MarkedText marked(std::span<const Item> items, std::string_view base) {
    MarkedText text;
    std::string_view format = base;  // of the group that is open
    std::string opaque;              // items that follow each other are one
    const auto set = [&](std::string_view now) {
      if (!opaque.empty()) {
        if (format != base) text.group("", Kind::close);
        format = base;
        text.opaque(std::exchange(opaque, ""));
      }
      if (format == now) return;
      if (format != base) text.group("", Kind::close);
      if (now != base) text.group(now, Kind::open);
      format = now;
    };
    for (const Item& item : items) {
      if (item.of == Item::Of::text) {
        if (item.text.empty()) continue;
        set(item.format);
        text.text(item.text);
        continue;
      }
      if (item.of == Item::Of::opaque) {
        opaque += item.alone;
        continue;
      }
      set(base);
      text.group(item.alone, item.of == Item::Of::open ? Kind::open : Kind::close);
    }
    set(base);
    return text;
  }

  // The bytes of a translation, between white space that belongs to its paragraph.
  std::string written(const MarkedText& text, std::string_view base, std::string_view before,
                      std::string_view after) const {
    std::string all, pending(before), pending_format(base);
    std::vector<std::string> open{std::string(base)};  // formats, each of a group
    const auto flush = [&] {
      if (pending.empty()) return;
      const auto found = formats_.find(pending_format);
      const Format format = found == formats_.end() ? Format{} : found->second;
      std::string tag = format.text;
      if (tag.ends_with("/>")) tag.replace(tag.size() - 2, 1, "");
      if (!tag.empty() && !tag.starts_with("<a:"))
        tag = with_attribute(tag, "xml:space", "preserve");
      const std::string name = tag.substr(0, tag.find_first_of(" \t\n\r>"));
      all += format.open + tag + encode(pending, false);
      if (!tag.empty()) all += "</" + name.substr(1) + ">";
      all += format.close;
      pending.clear();
    };
    const auto put = [&](std::string_view characters, std::string_view format) {
      if (format != pending_format) flush();
      pending_format = format;
      pending += characters;
    };
    for (const MarkedText::Part& part : text.parts()) {
      if (part.of == MarkedText::Part::Of::text) {
        put(part.shown, open.back());
        continue;
      }
      const bool of_format = part.bytes.ends_with('\n');
      if (part.kind == Kind::open) open.push_back(of_format ? part.bytes : open.back());
      if (part.kind == Kind::close && open.size() > 1) open.pop_back();
      if (of_format || part.bytes.empty()) continue;
      flush();
      all += part.bytes;
    }
    put(after, base);
    flush();
    return all;
  }

  Editor& editor_;
  const Dialect& dialect_;
  const Settings& settings_;
  std::vector<Node> nodes_;
  std::map<std::string, Format, std::less<>> formats_;  // by what they are told apart by
};

void pass(Editor& editor, const Dialect& dialect, const Settings& settings) {
  Part(editor, dialect, settings).pass();
}

}  // namespace

void pass_open_xml(Editor& editor, const Settings& settings) { pass(editor, kOpenXml, settings); }

void pass_open_document(Editor& editor, const Settings& settings) {
  pass(editor, kOpenDocument, settings);
}

void pass_epub(Editor& editor, const Settings& settings) {
  const std::string_view document = editor.document(), head = document.substr(0, 1000);
  if (head.find("<ncx") != head.npos) pass(editor, kContents, settings);
  else if (head.find("<package") != head.npos) pass(editor, kMetadata, settings);
  else if (document.find("<html") != head.npos || !head.starts_with("<?xml"))
    pass_html(editor, settings);
}

std::string text_of_cell(std::string_view bytes) {
  std::string all;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::string_view escape = bytes.substr(i, 7);  // _x000a_
    unsigned code = 0;
    if (escape.size() == 7 && escape.starts_with("_x") && escape.ends_with('_') &&
        std::from_chars(&escape[2], &escape[6], code, 16).ptr == &escape[6]) {
      append_utf8(all, static_cast<char32_t>(code));
      i += escape.size();
    } else {
      all += bytes[i++];
    }
  }
  return all;
}

}  // namespace tt::document
