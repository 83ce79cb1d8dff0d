// A pass over a document, which asks for the translation of each of its texts and puts it in place.
//
// A format (document/format.h) walks through the bytes of a document in one function for both
// directions: extract() and merge() differ in what an Editor answers. To extract, it writes each
// text as a line and has no translation; to merge, it reads the line that came back. A line that
// came back as it went leaves the document as it was, whatever the format.
//
// A text is one line, whatever is in it: a line feed is \n there, a tab \t, a carriage return \r,
// and a backslash \\. White space around a text is no part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tt::document {

// A text as a line, and back. A backslash before another character stands for itself.
std::string as_line(std::string_view text);
std::string from_line(std::string_view line);

// Whether a text has a letter of any script; without one there is nothing to translate. Bytes that
// are not UTF-8 might be letters, and count.
bool has_letter(std::string_view text);

// Names the first character of a translation that is a control or none of Unicode, and not in its
// text: "has U+0001, ..."; empty if there is none. XML cannot have them, whatever spells them.
std::string wrong_characters(std::string_view text, std::string_view translated);

// The ends of a document's lines: line feeds, and carriage returns without one, which end none.
struct LineEnds {
  std::size_t feeds = 0, alone = 0, first_alone = 0;
  void count(std::string_view document, std::size_t at);  // byte `at`, if it is one
};

class Editor {
 public:
  using Write = std::function<void(std::string_view bytes)>;
  // The line that came back for one that went; nothing where none is to come.
  using Exchange = std::function<std::optional<std::string>(const std::string& line)>;

  // `document` must outlive it; `name` is that of messages. `write` gets the document with its
  // translations; null: nobody wants it.
  Editor(std::string_view document, std::string name, Exchange exchange, Write write);

  // The translation of a text that begins at byte `at`; nothing if it is to stay as it is. A text
  // that is not UTF-8 or has a NUL is reported, and so is a translation that is empty, not UTF-8,
  // or has wrong_characters(). A translation that is its text, as of a name, is given only if
  // `same`, and else counted.
  std::optional<std::string> translation(std::size_t at, std::string_view text, bool same = false);

  // Says why the translation that was given last is not taken: "lacks <b>".
  void refuse(const std::string& reason);
  // Says what is wrong with it, although it is taken.
  void remark(const std::string& problem);
  // Throws Error if the document's lines end with CR alone, and reports where only a few do.
  void check_line_ends();
  void check_line_ends(const LineEnds& ends);
  // Whether the document is in UTF-8, as it is if its format does not say otherwise.
  void set_utf8(bool utf8) { utf8_ = utf8; }
  // Reports what is wrong with the document at byte `at`; the pass goes on.
  void report(std::size_t at, const std::string& problem);
  // Reports so a part that cannot be read, so that texts may be missing.
  void report_unread(std::size_t at, const std::string& problem);

  // Puts bytes in the place of [begin, end), which is behind all places before. Bytes between two
  // places are copied.
  void replace(std::size_t begin, std::size_t end, std::string_view with);
  // Puts bytes in the place of [begin, end) as soon as a place behind it is replaced, and not if
  // one around it is: a tag before a translation changes with it.
  void prepare(std::size_t begin, std::size_t end, std::string with);
  // Forgets such places in [begin, end), which stay as they are.
  void keep(std::size_t begin, std::size_t end);
  // Replaces all such places that are left.
  void carry_out();
  // Copies what is behind the last place.
  void finish();

  std::string_view document() const { return document_; }
  std::string where(std::size_t at);  // "path:line"
  std::uint64_t texts() const { return texts_; }
  // Translations that are their texts, and are not in the document where it has both.
  std::uint64_t left_out() const { return left_out_; }
  void leave_out() { ++left_out_; }
  const std::vector<std::string>& problems() const { return problems_; }  // what was reported
  bool unread() const { return unread_; }  // whether some of it is of parts that cannot be read

 private:
  std::string_view document_;
  std::string name_;
  Exchange exchange_;
  Write write_;
  void put(std::size_t begin, std::size_t end, std::string_view with);
  struct Prepared {
    std::size_t end;
    std::string with;
  };
  std::map<std::size_t, Prepared> prepared_;  // by their beginnings
  std::size_t copied_ = 0, asked_ = 0;
  std::size_t counted_ = 0, line_ = 1;  // line_ is the number of the line of byte counted_
  std::uint64_t texts_ = 0, left_out_ = 0;
  std::vector<std::string> problems_;
  bool utf8_ = true, unread_ = false;
};

}  // namespace tt::document
