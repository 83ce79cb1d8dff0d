#include "document/format.h"

#include <algorithm>

#include "base/capitals.h"
#include "base/error.h"
#include "base/split.h"

namespace tt::document {

namespace {

// Whether a name is one of a family, as "word/header" of "word/header1.xml".
bool is_xml_of(std::string_view name, std::initializer_list<std::string_view> families) {
  return name.ends_with(".xml") && std::ranges::any_of(families, [&](std::string_view family) {
           return name.starts_with(family) &&
                  name.substr(family.size()).find('/') == std::string_view::npos;
         });
}

bool of_word(std::string_view name) {
  return is_xml_of(name, {"word/document", "word/header", "word/footer", "word/footnotes",
                          "word/endnotes", "word/comments", "word/diagrams/d"});
}

bool of_slides(std::string_view name) {
  return is_xml_of(name, {"ppt/slides/slide", "ppt/notesslides/", "ppt/diagrams/d"});
}

bool of_sheets(std::string_view name) {
  return is_xml_of(name, {"xl/sharedstrings", "xl/worksheets/sheet", "xl/comments",
                          "xl/drawings/drawing", "xl/diagrams/d"});
}

bool of_open_document(std::string_view name) {
  return name == "content.xml" || name == "styles.xml";
}

bool of_book(std::string_view name) {
  return name.ends_with(".xhtml") || name.ends_with(".html") || name.ends_with(".htm") ||
         name.ends_with(".ncx") || name.ends_with(".opf") ||
         (name.ends_with(".xml") && !name.starts_with("meta-inf/"));
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> list{
      {"csv", {".csv"}, pass_csv},
      {"docx", {".docx"}, pass_open_xml, false, of_word},
      {"epub", {".epub"}, pass_epub, false, of_book},
      {"html", {".html", ".htm", ".xhtml"}, pass_html},
      {"markdown", {".md", ".markdown"}, pass_markdown},
      {"odf", {".odt", ".ods", ".odp", ".odg"}, pass_open_document, false, of_open_document},
      {"po", {".po", ".pot"}, pass_po, true},
      {"pptx", {".pptx"}, pass_open_xml, false, of_slides},
      {"srt", {".srt"}, pass_srt},
      {"tmx", {".tmx"}, pass_tmx, true},
      {"vtt", {".vtt"}, pass_vtt},
      {"xlsx", {".xlsx"}, pass_open_xml, false, of_sheets},
      {"xliff", {".xlf", ".xliff"}, pass_xliff, true},
  };
  return list;
}

bool is_accelerator(std::string_view text) {
  return text.size() == 1 &&
         std::string_view("!#&'()*+,-./:;=?@[]^_`|~").find(text[0]) != text.npos;
}

const Format& find_format(const std::string& name, const std::string& path) {
  const std::string ending = ascii_small(path.substr(std::min(path.rfind('.'), path.size())));
  for (const Format& format : formats())
    if (name.empty() ? std::ranges::count(format.endings, ending) > 0 : format.name == name)
      return format;
  throw Error(name.empty() ? path + ": its suffix is that of no format"
                           : "there is no format " + in_quotes(name),
              "; the formats are ", join(formats(), ", ", &Format::name));
}

}  // namespace tt::document
