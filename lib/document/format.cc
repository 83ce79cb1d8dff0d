#include "document/format.h"

#include <algorithm>

#include "base/error.h"

namespace tt::document {

const std::vector<Format>& formats() {
  static const std::vector<Format> list{
      {"csv", {".csv"}, pass_csv},
      {"html", {".html", ".htm", ".xhtml"}, pass_html},
      {"markdown", {".md", ".markdown"}, pass_markdown},
      {"po", {".po", ".pot"}, pass_po, true},
      {"srt", {".srt"}, pass_srt},
      {"tmx", {".tmx"}, pass_tmx, true},
      {"vtt", {".vtt"}, pass_vtt},
      {"xliff", {".xlf", ".xliff"}, pass_xliff, true},
  };
  return list;
}

bool is_accelerator(std::string_view text) {
  return text.size() == 1 &&
         std::string_view("!#&'()*+,-./:;=?@[]^_`|~").find(text[0]) != text.npos;
}

const Format& find_format(const std::string& name, const std::string& path) {
  std::string known, ending = path.substr(std::min(path.rfind('.'), path.size()));
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const Format& format : formats()) {
    if (name.empty() ? std::ranges::count(format.endings, ending) > 0 : format.name == name)
      return format;
    known += (known.empty() ? "" : ", ") + format.name;
  }
  throw Error(name.empty() ? path + ": its suffix is that of no format"
                           : "there is no format " + in_quotes(name),
              "; the formats are ", known);
}

}  // namespace tt::document
