// Markdown: headings, paragraphs, items, and cells of tables are texts, in which emphasis and links
// are tags. Blocks of HTML are read as HTML.
#include <algorithm>
#include <cctype>

#include "base/formatted.h"
#include "base/shortened.h"
#include "base/split.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "document/approval.h"
#include "document/format.h"
#include "document/markdown_reader.h"
#include "markup/elements.h"
#include "text/words.h"

namespace tt::document {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
using Part = MarkedText::Part;
using Kind = MarkedText::Kind;

bool is_group(const Part& part, Kind kind) {
  return part.of == Part::Of::group && part.kind == kind;
}
bool is_sign(char32_t c) { return is_punctuation(c) || is_symbol(c); }

std::string as_entity(char32_t c) { return formatted("&#%u;", static_cast<unsigned>(c)); }

// Beside a letter a mark of emphasis is none where a sign is inside of it; beside an entity it is.
void letter_as_entity(std::string& text, std::size_t at) {
  const char* next = text.data() + at;
  const char32_t c = next_code_point(next, text.data() + text.size());
  if (is_space(c) || is_sign(c)) return;
  text.replace(at, static_cast<std::size_t>(next - text.data()) - at, as_entity(c));
}

// Text in which no character means anything. `begins`: nothing stands before it.
std::string escaped(std::string_view text, bool begins) {
  std::string result;
  const std::size_t number = begins ? text.find_first_not_of("0123456789") : kNone;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::ispunct(static_cast<unsigned char>(c)) &&
        ((begins && (i == 0 || i == number)) || (c == '!' && i + 1 == text.size()) ||
         (c == '.' && text.substr(0, i).ends_with("www")) ||
         std::string_view("\\`*_[]<>&~|#{:@$").find(c) != kNone))
      result += '\\';
    // Emphasis begins and ends at no space, a no-break one neither.
    const char *const begin = text.data() + i, *end = begin;
    const char32_t character = next_code_point(end, text.data() + text.size());
    if (character >= 0x80 && is_space(character)) result += as_entity(character);
    else result.append(begin, end);
    i += static_cast<std::size_t>(end - begin) - 1;
  }
  return result;
}

// A translation with single spaces, in which no emphasis is empty, or begins or ends with a space,
// and no link is empty: it has the words of its text.
class Tidy {
 public:
  Tidy(Editor& editor, const MarkedText& source, const MarkedText& translated) {
    for (const Part& part : translated.parts()) {
      if (part.of == Part::Of::text) {
        text(part.shown);
      } else if (is_group(part, Kind::close) && !open_.empty()) {
        close(editor, source, part);
      } else {
        if (is_group(part, Kind::open)) open_.push_back(parts_.size());
        parts_.push_back(part);
      }
    }
  }
  MarkedText result() && { return MarkedText(std::move(parts_)); }

 private:
  bool ends_with_space() const {
    return !parts_.empty() && parts_.back().of == Part::Of::text &&
           parts_.back().shown.ends_with(' ');
  }
  void text(std::string_view characters) {
    std::string text = single_spaces(characters);
    if (text.starts_with(' ') && (parts_.empty() || ends_with_space())) text.erase(0, 1);
    if (!text.empty()) parts_.push_back({Part::Of::text, Kind::single, text, {}});
  }

  void close(Editor& editor, const MarkedText& source, const Part& mark) {
    const std::size_t at = open_.back();
    open_.pop_back();
    const bool ends = ends_with_space();
    if (parts_[at].bytes == "[") {
      if (parts_.size() == at + 1 || (parts_.size() == at + 2 && parts_.back().shown == " ")) {
        editor.remark("has nothing in " + shortened(parts_[at].shown) +
                      "; it keeps the words of its text");
        text(words(source, parts_[at]));
      }
      return parts_.push_back(mark);
    }
    if (ends) parts_.back().shown.pop_back();
    if (ends && parts_.back().shown.empty()) parts_.pop_back();
    std::vector<Part> group(parts_.begin() + static_cast<std::ptrdiff_t>(at), parts_.end());
    parts_.resize(at);
    if (group.size() > 1) {
      const bool begins = group[1].of == Part::Of::text && group[1].shown.starts_with(' ');
      if (begins) group[1].shown.erase(0, 1);
      if (begins) text(" ");
      parts_.insert(parts_.end(), group.begin(), group.end());
      parts_.push_back(mark);
    }
    if (ends) text(" ");
  }

  // The words of a link in its text.
  static std::string words(const MarkedText& source, const Part& link) {
    std::string words;
    auto part = std::ranges::find(source.parts(), link.shown, &Part::shown);
    for (std::size_t depth = 1; ++part != source.parts().end();) {
      depth += is_group(*part, Kind::open);
      depth -= is_group(*part, Kind::close);
      if (depth == 0) break;
      if (part->of == Part::Of::text) words += part->shown;
    }
    return words;
  }

  std::vector<Part> parts_;
  std::vector<std::size_t> open_;  // groups, by their parts
};

class Writer {
 public:
  Writer(Editor& editor, bool reviewed) : editor_(editor), approval_{Dialect::html, reviewed} {}

  void translate(const MarkdownPiece& piece) {
    if (!piece.text.has_letter()) return;
    const auto translated = piece.text.translated(editor_, piece.begin);
    if (!translated) return;
    const MarkedText text = Tidy(editor_, piece.text, *translated).result();
    editor_.mean(text.meaning());
    // No proof sees a text without a letter.
    const bool careful = editor_.careful() || !text.has_letter();
    editor_.replace(piece.begin, piece.end, wrapped(written(text, careful), piece));
  }

 private:
  // `careful`: no character can mean anything.
  std::string written(const MarkedText& text, bool careful) const {
    struct Open {
      std::size_t begin, contents;  // in the result
      bool link;
    };
    std::vector<Open> open;
    std::string result;
    for (const Part& part : text.parts()) {
      const std::size_t from = result.size();
      if (part.of == Part::Of::text) {
        const std::size_t last = result.find_last_not_of("*~") + 1;
        result += careful ? escaped(part.shown, from == 0) : part.shown;
        if (careful && last < from && is_sign(character_before(result, last)))
          letter_as_entity(result, from);
        continue;
      }
      std::string bytes = part.of == Part::Of::tag ? approval_.tag({}, part.bytes) : part.bytes;
      if (careful && part.of == Part::Of::group && bytes.starts_with('_'))
        std::ranges::fill(bytes, '*');
      // Text that stands against an address would belong to it.
      if (careful && part.of == Part::Of::opaque &&
          std::isalnum(static_cast<unsigned char>(bytes[0])))
        bytes = (bytes.starts_with("www.") ? "<http://" : "<") + bytes + ">";
      result += bytes;
      if (is_group(part, Kind::open)) open.push_back({from, result.size(), bytes == "["});
      if (!is_group(part, Kind::close) || open.empty()) continue;
      const Open group = open.back();
      open.pop_back();
      const std::size_t first = result.find_first_not_of("*~", group.contents);
      const std::size_t before = character_start(result, std::max<std::size_t>(group.begin, 1));
      if (careful && !group.link && group.begin > 0 && is_sign(character_at(result, first)))
        letter_as_entity(result, before);
    }
    while (result.ends_with(' ')) result.pop_back();
    return result;
  }

  // A translation in lines as long as the longest of its text, or of 72 bytes; one line stays one.
  // Each begins with a letter, so that no block begins there.
  std::string wrapped(const std::string& bytes, const MarkdownPiece& piece) const {
    const std::string_view source = editor_.document().substr(piece.begin, piece.end - piece.begin);
    const std::size_t feed = source.find('\n');
    if (feed == kNone) return bytes;
    const std::size_t text = std::min(source.find_first_not_of(" \t>", feed + 1), source.size());
    const std::string prefix =
        editor_.line_end() + std::string(source.substr(feed + 1, text - feed - 1));
    std::size_t width = 72;
    for (const std::string_view line : split(source, '\n')) width = std::max(width, line.size());
    std::string result;
    for (std::size_t at = 0, line = 0, end; at < bytes.size(); at = end) {
      end = std::min(bytes.find_first_of(" \n", at + 1), bytes.size());
      const auto c = static_cast<unsigned char>(bytes.c_str()[at + 1]);
      const bool breaks = bytes[at] == ' ' && line + end - at > width &&
                          (c >= 0x80 || std::isalpha(c)) && !std::isspace(result.back());
      result += (breaks ? prefix : "") + bytes.substr(at + breaks, end - at - breaks);
      line = breaks || bytes[at] == '\n' ? 0 : line + end - at;
    }
    return result;
  }

  Editor& editor_;
  Approval approval_;
};

// The end of [begin, end), or of the last element in it that is not translated.
std::size_t with_untranslated(std::string_view document, std::size_t begin, std::size_t end) {
  Tokens tokens(document, Syntax::html, begin, document.size());
  for (Token token; tokens.at() < end && tokens.next(token);)
    if (token.kind == Token::Kind::open && token.begin < end &&
        (is_untranslated(token.name) || forbids_translation(token.in(document)))) {
      tokens.skip(token);
      end = std::max(end, tokens.at());
    }
  return end;
}

// Reports code that nothing closes, since all behind it is in it.
void check_fence(Editor& editor, const MarkdownPiece& code) {
  const std::string_view document = editor.document();
  if (code.fence == 0 || document.find_first_not_of(" \t\r\n>", code.end) != kNone) return;
  const std::size_t end = document.find_last_of(code.fence, code.begin - 1) + 1;
  const std::size_t begin = document.find_last_not_of(code.fence, end - 1) + 1;
  editor.report_unread(begin, "nothing closes the " +
                                  shortened(document.substr(begin, end - begin)) +
                                  " of this line; the text behind it stays as it is");
}

}  // namespace

void pass_markdown(Editor& editor, const Settings& settings) {
  editor.check_line_ends();
  editor.set_single_spaces();
  Writer writer(editor, settings.reviewed);
  const ReadHtml read_html = html_reader(editor, settings.reviewed);
  std::string unquoted;  // the document without the marks of quotations before HTML
  std::size_t done = 0;  // behind elements that are not translated
  for (const MarkdownPiece& piece : read_markdown(editor.document())) {
    if (piece.begin < done) continue;
    std::string_view document = editor.document();
    switch (piece.type) {
      case MarkdownPiece::Type::text: writer.translate(piece); break;
      case MarkdownPiece::Type::code: check_fence(editor, piece); break;
      case MarkdownPiece::Type::unclear:
        editor.report_unread(piece.begin,
                             "marks that cannot be told apart; the text stays as it is");
        break;
      case MarkdownPiece::Type::html:
        if (piece.quotations > 0) {
          if (unquoted.empty()) unquoted = document;
          for (std::size_t at = piece.begin; (at = unquoted.find('\n', at)) < piece.end;) {
            int left = piece.quotations;
            while (left > 0 && ++at < piece.end)
              if (unquoted[at] == '>') unquoted[at] = ' ', --left;
              else if (unquoted[at] != ' ') break;
          }
          document = unquoted;
        }
        done = with_untranslated(document, piece.begin, piece.end);
        read_html(document, piece.begin, done);
    }
  }
}

}  // namespace tt::document
