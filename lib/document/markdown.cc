// Markdown: headings, paragraphs, items, and cells of tables are texts, in which emphasis and links
// are tags. Blocks of HTML are read as HTML.
#include <algorithm>
#include <cctype>

#include "base/formatted.h"
#include "base/shortened.h"
#include "base/unicode.h"
#include "base/utf8.h"
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

// Beside a letter a mark of emphasis is none where a sign is inside of it; beside an entity it is.
void letter_as_entity(std::string& text, std::size_t at) {
  const char* next = text.data() + at;
  const char32_t c = next_code_point(next, text.data() + text.size());
  if (is_space(c) || is_sign(c)) return;
  text.replace(at, static_cast<std::size_t>(next - text.data()) - at,
               formatted("&#%u;", static_cast<unsigned>(c)));
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
    result += c;
  }
  return result;
}

class Writer {
 public:
  explicit Writer(Editor& editor) : editor_(editor), document_(editor.document()) {
    const std::size_t feed = document_.find('\n');
    if (feed != kNone && feed > 0 && document_[feed - 1] == '\r') line_end_ = "\r\n";
    has_names_ = document_.find("]:") != kNone;
  }

  void translate(const MarkdownPiece& piece) {
    if (!piece.text.has_letter()) return;
    const auto translated = piece.text.translated(editor_, piece.begin);
    if (!translated) return;
    const std::string meant = written(piece.text, *translated, Form::shown);
    for (const Form form : {Form::plain, Form::careful}) {
      const std::string bytes = wrapped(written(piece.text, *translated, form), piece);
      // A name in brackets may be that of a link.
      if (form == Form::plain && has_names_ && meant.find('[') != kNone) continue;
      if (!means(piece, bytes, meant)) continue;
      editor_.replace(piece.begin, piece.end, bytes);
      return;
    }
    editor_.refuse("cannot be written so that it is read as it is");
  }

 private:
  // shown: as a line without numbers; careful: no character can mean anything.
  enum class Form { shown, plain, careful };

  // A translation with single spaces, in which no emphasis is empty, or begins or ends with a
  // space,
  // and no link is empty: it has the words of its text.
  std::string written(const MarkedText& source, const MarkedText& translated, Form form) {
    struct Open {
      std::size_t begin, contents;  // in the result
      const Part* part;
    };
    std::vector<Open> open;
    std::string result;
    const auto space = [&](std::size_t at) {
      if (at > 0 && result[at - 1] != ' ') result.insert(at, " ");
    };
    const auto text = [&](std::string text) {
      text = single_spaces(text);
      if (text.starts_with(' ') && (result.empty() || result.ends_with(' '))) text.erase(0, 1);
      if (form == Form::shown) result += shown_text(text);
      else result += form == Form::careful ? escaped(text, result.empty()) : text;
    };
    const std::vector<Part>& parts = translated.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      if (part.of == Part::Of::text) {
        const std::size_t from = result.size(), last = result.find_last_not_of("*~") + 1;
        text(part.shown);
        if (form == Form::careful && last < from && is_sign(character_before(result, last)))
          letter_as_entity(result, from);
        continue;
      }
      std::string bytes = form == Form::shown ? unnumbered(part.shown) : part.bytes;
      if (form == Form::careful && part.of == Part::Of::group && bytes.starts_with('_'))
        std::ranges::fill(bytes, '*');
      if (is_group(part, Kind::open))
        open.push_back({result.size(), result.size() + bytes.size(), &part});
      if (!is_group(part, Kind::close) || open.empty()) {
        result += bytes;
        continue;
      }
      const Open group = open.back();
      const bool empty = result.find_first_not_of(' ', group.contents) == kNone;
      open.pop_back();
      if (group.part->bytes == "[") {
        if (empty && form == Form::shown)
          editor_.remark("has nothing in " + shortened(group.part->shown) +
                         "; it keeps the words of its text");
        if (empty) text(words(source, *group.part));
        result += bytes;
        continue;
      }
      const bool ends = result.ends_with(' '), begins = !empty && result[group.contents] == ' ';
      if (ends) result.pop_back();
      if (empty) result.erase(group.begin);
      else result += bytes;
      if (ends) space(result.size());
      if (begins) result.erase(group.contents, 1);
      if (begins) space(group.begin);
      const std::size_t first = result.find_first_not_of("*~", group.contents);
      std::size_t before = std::max<std::size_t>(group.begin, 1) - 1;
      while (before > 0 && (static_cast<unsigned char>(result[before]) & 0xC0) == 0x80) --before;
      if (form == Form::careful && !empty && !begins && group.begin > 0 &&
          is_sign(character_at(result, first)))
        letter_as_entity(result, before);
    }
    if (result.ends_with(' ')) result.pop_back();
    return result;
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

  // A translation in lines as long as the longest of its text, or of 72 bytes; one line stays one.
  // Each begins with a letter, so that no block begins there.
  std::string wrapped(const std::string& bytes, const MarkdownPiece& piece) const {
    const std::string_view source = document_.substr(piece.begin, piece.end - piece.begin);
    const std::size_t feed = source.find('\n');
    if (feed == kNone) return bytes;
    const std::size_t text = std::min(source.find_first_not_of(" \t>", feed + 1), source.size());
    const std::string prefix = line_end_ + std::string(source.substr(feed + 1, text - feed - 1));
    std::size_t width = 72;
    for (std::size_t at = 0, end; at < source.size(); at = end + 1) {
      end = std::min(source.find('\n', at), source.size());
      width = std::max(width, end - at);
    }
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

  // Whether bytes in the place of a text are read as a line, and as nothing else.
  bool means(const MarkdownPiece& piece, const std::string& bytes, const std::string& line) const {
    const std::size_t begin = document_.substr(0, piece.begin).rfind('\n') + 1;
    // Several spaces before the text of an item would begin code here.
    std::string before = single_spaces(document_.substr(begin, piece.begin - begin)), behind;
    if (before.starts_with(' ')) before.erase(0, 1);
    if (piece.heading)
      behind = document_.substr(piece.end, document_.find('\n', piece.end) - piece.end);
    const auto read = read_markdown(
        (piece.cell ? "| " + bytes + " |\n|-|" : before + bytes + behind) + "\n" + piece.names);
    return read.size() == 1 && read[0].type == MarkdownPiece::Type::text &&
           single_spaces(" " + unnumbered(read[0].text.line()) + " ") == " " + line + " ";
  }

  Editor& editor_;
  std::string_view document_;
  std::string line_end_ = "\n";
  bool has_names_ = false;  // [name]: address
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
  Writer writer(editor);
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
        pass_html(editor, document, piece.begin, done, settings.reviewed);
    }
  }
}

}  // namespace tt::document
