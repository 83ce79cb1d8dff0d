// Formats in XML: XLIFF and TMX.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/approval.h"
#include "document/charset.h"
#include "document/editor.h"
#include "document/marked_text.h"
#include "markup/tags.h"

namespace tt::document {

// An element that is open while a document is read.
struct Element {
  Token tag;
  std::string_view bytes;  // of the tag
  // Around units, a unit or in one, or in a source, a target or another proposal of a unit.
  enum class Level { outside, unit, text } level = Level::outside;

  std::string value(std::string_view name) const { return attribute_text(bytes, name); }
};

// Whether a language, as "en-US", is meant by another, as "en".
bool is_of(const std::string& language, const std::string& meant);

// Ids of <sm> that are open at a place, and whether they keep what follows from translation.
using Marks = std::vector<std::pair<std::string, bool>>;

// Reads a document in XML for a format, which derives from it.
class XmlReader {
 public:
  // `reviewed`: as of Settings; `code`: elements that are code of another format.
  XmlReader(Editor& editor, Dialect dialect, bool reviewed, std::vector<std::string> code);
  virtual ~XmlReader() = default;

  // Reads all; what libxml2 finds wrong is reported.
  void read();

 protected:
  // An element of `path`, whose last it is, begins or ends; `close` is its end tag, or the same tag
  // if it is single.
  virtual void begin(const std::vector<Element>& path) = 0;
  virtual void end(const std::vector<Element>& path, const Token& close) = 0;

  // The text of [begin, end) of the document. Code of another format is opaque, with all that is in
  // it; <bpt> and <ept> of it, which open and close, are a group.
  MarkedText text(std::size_t begin, std::size_t end) const;
  // Of a source, which is asked for: what its tags keep from translation is opaque, too, and the
  // texts within its code (<sub>) are asked for before.
  MarkedText source(std::size_t begin, std::size_t end, const Marks& marks);
  // Its translation as bytes; nothing if it stays as it is.
  std::optional<std::string> translation(const MarkedText& text, std::size_t at);
  Marks marks_behind(std::size_t begin, std::size_t end, const Marks& marks) const;
  std::string encoded(std::string_view characters) const;
  // A tag with what it says of a translation that is written now.
  std::string approved(std::string_view element, std::string_view bytes) const {
    return approval_.tag(element, bytes);
  }
  // The white space before byte `at`, as far as the tag before.
  std::string_view space_before(std::size_t at) const;

  Editor& editor_;
  Approval approval_;
  bool changed_ = false;  // a translation was written in this unit

 private:
  void begin(std::vector<Element>& path, const Token& tag);
  void end(std::vector<Element>& path, const Token& close);
  void add(const Token& token, bool code, std::string_view bytes, MarkedText& text) const;
  std::string with_sub_flows(const Token& code);
  std::vector<std::string> code_;
  Charset charset_;
  bool sub_flow_changed_ = false;  // of the code that was read last
  int sub_flows_ = 0;              // around what is read
};

}  // namespace tt::document
