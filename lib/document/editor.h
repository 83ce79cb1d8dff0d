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
#include <utility>
#include <vector>

namespace tt::document {

// A text as a line, and back. A backslash before another character stands for itself.
std::string as_line(std::string_view text);
std::string from_line(std::string_view line);

// Text of white space, each run of it as one space.
std::string single_spaces(std::string_view text);

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

// A text as it is read in a document, or is to be read in the one that is written.
struct Reading {
  std::size_t begin, end;  // where it is in that document: of a translation, all that was put there
  std::uint64_t number;    // of the translation
  std::size_t meaning;     // a hash; 0: it has no letter, so that it is no text
  bool put = false;        // it is a translation
};

// How often translations were read as something else in what was written, by their numbers.
using Misread = std::map<std::uint64_t, int>;

class Editor {
 public:
  using Write = std::function<void(std::string_view bytes)>;
  // The line that came back for one that went; nothing where none is to come.
  using Exchange = std::function<std::optional<std::string>(const std::string& line)>;

  // `document` must outlive it; `name` is that of messages. `write` gets the document with its
  // translations; null: nobody wants it. `before`: texts of other documents that come before, which
  // count.
  Editor(std::string_view document, std::string name, Exchange exchange, Write write,
         Misread misread = {}, std::uint64_t before = 0);

  // The translation of a text that begins at byte `at`; nothing if it is to stay as it is. A text
  // that is not UTF-8 or has a NUL is reported, and so is a translation that is empty, not UTF-8,
  // has wrong_characters(), or was misread twice. A translation that is its text, as of a name, is
  // given only if `same`, and else counted. `meaning`: the text as mean() gets it, if it differs.
  std::optional<std::string> translation(std::size_t at, std::string_view text, bool same = false,
                                         const std::optional<std::string>& meaning = {});
  // Says that what comes back are objects, as tt-quality writes them. Translations that are given
  // but of which less than `least` is expected, or nothing, are doubtful; they are reported, unless
  // the format says that it tells so in the document.
  void expect(double least) { least_ = least; }
  void tell_doubtful() { tells_doubtful_ = true; }
  std::uint64_t doubtful() const { return doubtful_; }  // so many until now
  // Says that the bytes that are put next must be read as a text of this meaning; called again, as
  // several. A meaning is what of a text the document must have, without what the reader leaves
  // out or names anew.
  void mean(std::string_view meaning);
  // Says that they have the texts behind text `number` that were said to stay.
  void mean_those_behind(std::uint64_t number);
  // Forgets that, since the bytes are not put.
  void forget() { meant_.clear(); }
  // Says that a text at byte `at`, which was asked for as a part of another, stays.
  void stay(std::size_t at, std::string_view meaning);
  // Whether the translation that was given last was misread before: no sign of it may mean a thing.
  bool careful() const { return misread_.contains(texts_); }
  // Says that any white space is a single space to who reads the document.
  void set_single_spaces() { single_spaces_ = true; }
  // The texts of the document that was written, in the order in which they were asked for.
  std::vector<Reading> readings() const;

  // Says why the translation that was given last is not taken: "lacks <b>". There is none then.
  std::nullopt_t refuse(const std::string& reason);
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
  // places are copied. They are a translation where mean() was called.
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
  const std::string& line_end() const { return line_end_; }  // "\r\n" or "\n", as of its first
  std::string where(std::size_t at);                         // "path:line"
  std::uint64_t texts() const { return texts_; }
  // Translations that are their texts, and are not in the document where it has both.
  std::uint64_t left_out() const { return left_out_; }
  void leave_out() { ++left_out_; }
  const std::vector<std::string>& problems() const { return problems_; }  // what was reported
  // Where the first part begins that cannot be read, if there is one.
  std::optional<std::size_t> unread() const { return unread_; }

 private:
  std::string_view document_;
  std::string line_end_, name_;
  Exchange exchange_;
  Write write_;
  void put(std::size_t begin, std::size_t end, std::string_view with);
  std::size_t hash(std::string_view meaning) const;
  struct Prepared {
    std::size_t end;
    std::string with;
  };
  std::map<std::size_t, Prepared> prepared_;          // by their beginnings
  std::size_t copied_ = 0, written_ = 0, asked_ = 0;  // written_: bytes
  std::size_t counted_ = 0, line_ = 1;  // line_ is the number of the line of byte counted_
  std::uint64_t texts_ = 0, left_out_ = 0, doubtful_ = 0;
  std::optional<double> least_;
  std::vector<std::string> problems_;
  bool utf8_ = true, single_spaces_ = false, tells_doubtful_ = false;
  std::optional<std::size_t> unread_;
  Misread misread_;
  std::vector<std::size_t> meant_;  // hashes
  std::vector<Reading> readings_;   // those that stay are where they are in this document
  // Where what was replaced ends: here, and in what is written.
  std::vector<std::pair<std::size_t, std::size_t>> ends_;
};

}  // namespace tt::document
