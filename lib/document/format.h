// The formats of documents. A format is one function in a file of its own, and a row of the list.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "document/editor.h"

namespace tt::document {

// Options of formats; each says which it uses.
struct Settings {
  std::vector<std::string> columns = {};  // of a table: names in its first row, or numbers from 1
  bool header = false;                    // of a table: the first row is no text
  char delimiter = ',';                   // of a table
  std::string from = {}, to = {};         // languages, as "en" or "de-AT"
  std::string accelerator = {};           // before the key of a menu: is_accelerator(), or none
  std::string join =
      {};  // of subtitles: a language, whose sentences go on in the next cue; or none
  std::size_t line_length = 0;          // of subtitles: characters of a line at most; 0: any number
  double reading_speed = 0;             // of subtitles: characters a second at most; 0: any number
  std::set<std::string> headings = {};  // of sheets: cells that formulas name, which stay
  bool attributes = false;              // of HTML: also the texts of attributes
  bool all = false;                     // also what has a translation
  bool targets = false;                 // the texts are the translations of a bilingual document
  bool reviewed = false;                // translations need no review, and may be their texts;
                                        // words of approval (approval.h) are true of them
  // Of a translation of which less is expected: it alone needs review (Editor::expect()).
  std::optional<double> least = {};
};

struct Format {
  std::string name;                  // "html"
  std::vector<std::string> endings;  // of files: ".html"
  // Asks the editor for the translation of each text, and puts it in place. Throws Error, beginning
  // with the place, if the document is none of the format, or a setting is missing.
  void (*pass)(Editor& editor, const Settings& settings);
  bool bilingual = false;  // translations stand beside the texts, and not in their place
  // Of a zip archive: whether pass() reads a member, as "word/document.xml", in small letters.
  bool (*reads)(std::string_view member) = nullptr;
};

// Whether text is a sign that can mark keys: one of ASCII that begins no placeholder or tag.
bool is_accelerator(std::string_view text);

const std::vector<Format>& formats();
// By name, or, if that is empty, by the ending of a path. Throws Error if there is none.
const Format& find_format(const std::string& name, const std::string& path);

void pass_html(Editor& editor, const Settings& settings);  // to, attributes, reviewed
// Reads [begin, end) of a document in UTF-8 as HTML; the next part is behind it. `document`: the
// editor's, in which some bytes may be spaces.
using ReadHtml = std::function<void(std::string_view document, std::size_t begin, std::size_t end)>;
ReadHtml html_reader(Editor& editor, bool reviewed);
void pass_markdown(Editor& editor, const Settings& settings);
void pass_po(Editor& editor, const Settings& settings);     // accelerator, all, reviewed, least
void pass_xliff(Editor& editor, const Settings& settings);  // to, all, reviewed, least
void pass_tmx(Editor& editor, const Settings& settings);    // from, to, all, reviewed
// join, line_length, reading_speed
void pass_srt(Editor& editor, const Settings& settings);
void pass_vtt(Editor& editor, const Settings& settings);
void pass_csv(Editor& editor, const Settings& settings);  // columns, header, delimiter
// Members of archives.
void pass_open_xml(Editor& editor, const Settings& settings);
void pass_open_document(Editor& editor, const Settings& settings);
void pass_epub(Editor& editor, const Settings& settings);
// The text that a cell shows of its bytes, or of a heading's: a line feed for _x000a_.
std::string text_of_cell(std::string_view bytes);

}  // namespace tt::document
