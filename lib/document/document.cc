#include "document/document.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/utf8.h"
#include "document/package.h"
#include "document/proof.h"

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

// Reads the lines that are left, of which there must be as many as texts.
void check_count(const std::string& document, LineReader& in, std::uint64_t texts) {
  for (std::string line; in.next(line);) {
  }
  if (in.line_number() != texts)
    throw Error(document, ": has ", count_of(texts, "text"), ", but ", in.name(), " ",
                count_of(in.line_number(), "line"),
                "; merge a translation of each text, extracted with the same options");
}

// The next line, without the CR of its end: that of a text is \\r.
std::optional<std::string> next_line(LineReader& in) {
  std::string line;
  if (!in.next(line)) return {};
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

// Keeps in memory the lines that it gives, and what is written: a member of a package.
class InMemory : public Merging {
 public:
  explicit InMemory(LineReader* in) : in_(in) {}
  void begin() override { given_ = 0, bytes_.clear(); }
  std::optional<std::string> line() override {
    if (given_ == kept_.size())
      if (const auto line = next_line(*in_)) kept_.push_back(*line);
    return given_ < kept_.size() ? std::optional(kept_[given_++]) : std::nullopt;
  }
  void write(std::string_view bytes) override { bytes_ += bytes; }
  std::string_view written(std::uint64_t) override { return bytes_; }
  const std::string& bytes() const { return bytes_; }

 protected:
  LineReader* in_;

 private:
  std::vector<std::string> kept_;
  std::size_t given_ = 0;
  std::string bytes_;
};

// Keeps neither where files will do.
class Files : public InMemory {
 public:
  // `document`: the name of what is merged.
  Files(std::string document, std::string lines, std::string output)
      : InMemory(nullptr), document_(std::move(document)), lines_(std::move(lines)),
        output_(std::move(output)), again_(lines_ != "-" && regular_file(lines_)),
        direct_(output_ == "-" || (file_exists(output_) && !regular_file(output_))) {}

  void begin() override {
    InMemory::begin();
    if (again_ || !in_) in_ = &reader_.emplace(lines_);
    read_.reset();
    file_.reset();
    if (direct_) return;
    file_.emplace(output_, AtomicFile::Content::text);
    if ((direct_ = file_->partial().empty())) file_.reset();  // as of /dev/fd/3
  }
  std::optional<std::string> line() override { return again_ ? next_line(*in_) : InMemory::line(); }
  void write(std::string_view bytes) override {
    if (file_) file_->write(bytes);
    else InMemory::write(bytes);
  }
  std::string_view written(std::uint64_t texts) override {
    check_count(document_, *in_, texts);
    return file_ ? read_.emplace(file_->partial()).text() : InMemory::written(texts);
  }
  void commit() {
    read_.reset();
    if (!file_) file_.emplace(output_, AtomicFile::Content::text).write(bytes());
    file_->commit();
  }

 private:
  std::string document_, lines_, output_;
  bool again_;   // the lines can be read again, and need not be kept
  bool direct_;  // to what cannot appear as a whole nothing is written before all is well
  std::optional<LineReader> reader_;
  std::optional<AtomicFile> file_;
  std::optional<MappedFile> read_;  // what was written to it
};

}  // namespace

Outcome extract(const std::string& path, const Format& format, const Settings& settings) {
  Output out("-");
  Outcome all;
  const auto each = [&](const std::string& name, std::string_view text, const Settings& of) {
    Editor editor(
        text, name,
        [&](const std::string& line) {
          out.line(line);
          return std::optional<std::string>();
        },
        nullptr, {}, all.texts);
    format.pass(editor, of);
    all.add({editor.texts(), 0, editor.problems(), editor.unread().has_value()});
  };
  if (format.reads) {
    const Package package(path, format);
    const Settings with_headings = package.with_headings(settings);
    for (const std::string& part : package.parts())
      each(package.name(part), package.read(part), with_headings);
  } else {
    const Source source(path);
    each(source.name(), source.text(), settings);
  }
  out.close();
  return all;
}

void Outcome::add(const Outcome& part) {
  texts = part.texts;
  left_out += part.left_out;
  problems.insert(problems.end(), part.problems.begin(), part.problems.end());
  unread |= part.unread;
}

Outcome merge(std::string_view document, const std::string& name, const Format& format,
              const Settings& settings, Merging& merging, std::uint64_t before) {
  constexpr int kPatient = 4, kMost = 8;  // rounds
  Misread misread;
  for (int round = 1;; ++round) {
    merging.begin();
    Editor editor(
        document, name, [&](const std::string&) { return merging.line(); },
        [&](std::string_view bytes) { merging.write(bytes); }, misread, before);
    if (settings.least)
      editor.expect(settings.reviewed ? -std::numeric_limits<double>::infinity() : *settings.least);
    format.pass(editor, settings);
    editor.finish();
    const auto found = misread_in(merging.written(editor.texts()), editor, format, settings);
    if (found.empty())
      return {editor.texts(), format.bilingual ? editor.left_out() : 0, editor.problems(),
              editor.unread().has_value()};
    if (round == kMost)
      throw Error(name, ": cannot be written with translation ", found[0][0],
                  " so that its other texts are read as they are");
    for (const auto& together : found) {
      // All are written with care before one is left out: the first, and later all.
      const bool cared = std::ranges::all_of(together, [&](auto n) { return misread.contains(n); });
      for (const std::uint64_t number : together) {
        if (cared || !misread.contains(number)) misread[number] = cared ? 2 : 1;
        if (cared && round < kPatient) break;
      }
    }
  }
}

// The members of a package one after the other.
static Outcome merge_package(const std::string& path, const std::string& lines,
                             const std::string& output, const Format& format,
                             const Settings& settings) {
  Package package(path, format);
  const Settings with_headings = package.with_headings(settings);
  LineReader in(lines);
  Outcome all;
  for (const std::string& name : package.parts()) {
    const std::string text = package.read(name);
    InMemory part(&in);
    all.add(merge(text, package.name(name), format, with_headings, part, all.texts));
    if (part.bytes() != text) package.replace(name, part.bytes());
  }
  check_count(path, in, all.texts);
  AtomicFile file(output);
  package.write(file);
  file.commit();
  return all;
}

Outcome merge(const std::string& path, const std::string& lines, const std::string& output,
              const Format& format, const Settings& settings) {
  if (format.reads) return merge_package(path, lines, output, format, settings);
  const Source source(path);
  Files files(source.name(), lines, output);
  const Outcome outcome = merge(source.text(), source.name(), format, settings, files);
  files.commit();
  return outcome;
}

}  // namespace tt::document
