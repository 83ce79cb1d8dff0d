#include "document/document.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/utf8.h"

namespace tt::document {
namespace {

// Whether bytes are no text in an encoding that extends ASCII: a single NUL may stand in one.
bool is_binary(std::string_view head) {
  const auto nuls = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\0'));
  return head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF") || 8 * nuls > head.size() ||
         (nuls > 0 && first_invalid_utf8(
                          head.substr(0, std::max<std::size_t>(head.size(), 3) - 3)) != head.npos);
}

// The bytes of a document: mapped, so that they need no memory, or read from a pipe.
class Source {
 public:
  explicit Source(const std::string& path) : name_(path == "-" ? "(stdin)" : path) {
    if (const auto status = path == "-" ? std::nullopt : regular_file(path);
        status && status->size > 0)
      mapped_.emplace(path);
    else read_ = read_file(path);
    if (text().empty()) throw Error(name_, ": is empty");
    if (is_binary(text().substr(0, 4096)))
      throw Error(name_, ": is no text: compressed, or in UTF-16? make it plain UTF-8 first");
  }

  std::string_view text() const { return mapped_ ? mapped_->text() : std::string_view(read_); }
  const std::string& name() const { return name_; }

 private:
  std::string name_, read_;
  std::optional<MappedFile> mapped_;
};

}  // namespace

Outcome extract(const std::string& path, const Format& format, const Settings& settings) {
  const Source source(path);
  Output out("-");
  Editor editor(
      source.text(), source.name(),
      [&](const std::string& line) {
        out.line(line);
        return std::optional<std::string>();
      },
      nullptr);
  format.pass(editor, settings);
  out.close();
  return {editor.texts(), 0, editor.problems(), editor.unread()};
}

Outcome merge(const std::string& path, const std::string& lines, const std::string& output,
              const Format& format, const Settings& settings) {
  const Source source(path);
  LineReader in(lines);
  // To what cannot appear as a whole nothing is written before all is well.
  std::string held;
  std::optional<AtomicFile> file;
  if (output != "-" && (!file_exists(output) || regular_file(output)))
    file.emplace(output, AtomicFile::Content::text);
  Editor editor(
      source.text(), source.name(),
      [&](const std::string&) {
        std::optional<std::string> line(std::in_place);
        if (!in.next(*line)) line.reset();
        else if (line->ends_with('\r')) line->pop_back();  // of a line end: that of a text is \r
        return line;
      },
      [&](std::string_view bytes) {
        if (file) file->write(bytes);
        else held += bytes;
      });
  format.pass(editor, settings);
  editor.finish();
  for (std::string line; in.next(line);) {
  }
  if (in.line_number() != editor.texts())
    throw Error(source.name(), ": has ", count_of(editor.texts(), "text"), ", but ", in.name(), " ",
                count_of(in.line_number(), "line"),
                "; merge a translation of each text, extracted with the same options");
  if (!file) {
    file.emplace(output, AtomicFile::Content::text);
    file->write(held);
  }
  file->commit();
  return {editor.texts(), format.bilingual ? editor.left_out() : 0, editor.problems(),
          editor.unread()};
}

}  // namespace tt::document
