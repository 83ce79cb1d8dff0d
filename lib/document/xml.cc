#include "document/xml.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>

#include <algorithm>
#include <memory>
#include <new>
#include <set>

#include "base/capitals.h"
#include "base/error.h"

namespace tt::document {
namespace {

// The error that libxml2 finds in a document, and its line; nothing if it is well-formed.
struct Complaint {
  std::string text;
  int line = 1;
};

// In the place of a function of libxml2 that writes errors to the standard error.
void write_nothing(void*, const char*, ...) {}

Complaint complaint_about(std::string_view document) {
  constexpr std::size_t kBlock = 1 << 20;
  // Entities that the document declares are kept, and nothing else of it.
  xmlSAXHandler handler{};
  xmlSAXVersion(&handler, 2);
  handler.startElementNs = nullptr;
  handler.endElementNs = nullptr;
  handler.reference = nullptr;
  handler.characters = handler.ignorableWhitespace = handler.cdataBlock = nullptr;
  handler.comment = nullptr;
  handler.processingInstruction = nullptr;
  const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxt*)> parser(
      xmlCreatePushParserCtxt(&handler, nullptr, nullptr, 0, nullptr), [](xmlParserCtxt* p) {
        xmlFreeDoc(p->myDoc);
        xmlFreeParserCtxt(p);
      });
  if (!parser) throw std::bad_alloc();
  xmlCtxtUseOptions(parser.get(),
                    XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlSetGenericErrorFunc(nullptr, write_nothing);
  bool undecoded = false;  // some versions have no other sign of it
  for (bool last = false; !last && parser->wellFormed && !undecoded;) {
    const std::string_view block = document.substr(0, kBlock);
    last = block.empty();
    undecoded = xmlParseChunk(parser.get(), block.data(), static_cast<int>(block.size()), last) ==
                XML_ERR_INVALID_ENCODING;
    document.remove_prefix(block.size());
  }
  if (parser->wellFormed && !undecoded) return {};
  if (parser->wellFormed)
    return {"bytes behind this line are no characters of its encoding",
            std::max(xmlSAX2GetLineNumber(parser.get()), 1)};
  Complaint complaint{"it cannot be parsed"};
  if (const auto* const error = xmlCtxtGetLastError(parser.get()); error && error->message) {
    complaint = {error->message, error->line};
    complaint.text.erase(complaint.text.find_last_not_of(" \n") + 1);
  }
  return complaint;
}

Charset declared(Editor& editor) {
  const std::string_view head = editor.document().substr(0, 200);
  const std::size_t begin = std::min(head.find("<?xml"), head.size()), end = head.find("?>", begin);
  if (end == head.npos) return {};
  const std::string name(attribute(head.substr(begin, end - begin), "encoding").value_or(""));
  return name.empty() ? Charset()
                      : Charset(name, editor.where(0), "convert it by: xmllint --encode UTF-8");
}

}  // namespace

bool is_of(const std::string& language, const std::string& meant) {
  const std::string a = ascii_small(language), b = ascii_small(meant);
  return a == b || a.starts_with(b + "-") || a.starts_with(b + "_");
}

XmlReader::XmlReader(Editor& editor, Dialect dialect, bool reviewed, std::vector<std::string> code)
    : editor_(editor), approval_{dialect, reviewed}, code_(std::move(code)),
      charset_(declared(editor)) {
  editor.set_utf8(charset_.utf8());
}

void XmlReader::read() {
  const std::string_view document = editor_.document();
  if (const Complaint complaint = complaint_about(document); !complaint.text.empty()) {
    std::size_t at = 0;
    for (int line = 1; line < complaint.line; ++line)
      at = std::min(document.find('\n', at), document.size() - 1) + 1;
    editor_.report_unread(std::min(at, document.size()), "not well-formed: " + complaint.text);
  }
  std::vector<Element> path;
  Tokens tokens(document, Syntax::xml, 0, document.size());
  for (Token token; tokens.next(token);) {
    if (token.kind == Token::Kind::open || token.kind == Token::Kind::single) begin(path, token);
    if (token.kind != Token::Kind::close && token.kind != Token::Kind::single) continue;
    // Of tags that do not pair up, those in between are closed as well, or the one is left out.
    const auto partner = std::find_if(path.rbegin(), path.rend(), [&](const Element& element) {
      return element.tag.name == token.name;
    });
    if (partner == path.rend()) continue;
    path.erase(partner.base(), path.end());
    end(path, token);
    path.pop_back();
  }
}

void XmlReader::begin(std::vector<Element>& path, const Token& tag) {
  static const std::set<std::string_view> units{"trans-unit", "unit", "tu"},
      texts{"source", "seg-source", "target", "seg", "alt-trans", "mtc:matches"};
  auto level = path.empty() ? Element::Level::outside : path.back().level;
  if (!path.empty() && texts.contains(path.back().tag.name)) level = Element::Level::text;
  else if (units.contains(tag.name)) level = Element::Level::unit, changed_ = false;
  path.push_back({tag, tag.in(editor_.document()), level});
  const Element& element = path.back();
  without_attributes(element.bytes, [&](std::string_view name, std::string_view value) {
    if (name.starts_with("xmlns:") && value == "http://www.w3.org/2005/11/its")
      approval_.its = name.substr(6);
    return false;
  });
  begin(path);
  if (level == Element::Level::text) return;
  if (std::string now = approved(tag.name, element.bytes); now != element.bytes)
    editor_.prepare(tag.begin, tag.end, std::move(now));
}

void XmlReader::end(std::vector<Element>& path, const Token& close) {
  const Element element = path.back();
  if (element.level == Element::Level::unit && approval_.clears(element.tag.name, element.bytes))
    editor_.prepare(element.tag.end, close.begin, "");
  end(std::as_const(path), close);
  if (path.size() > 1 && path[path.size() - 2].level != Element::Level::outside) return;
  if (element.level == Element::Level::unit && changed_) editor_.carry_out();
  editor_.keep(element.tag.begin, close.end);
}

std::string XmlReader::encoded(std::string_view characters) const {
  return encode(characters, !charset_.utf8());
}

std::string_view XmlReader::space_before(std::size_t at) const {
  const std::string_view before = editor_.document().substr(0, at);
  const std::size_t begin = before.find_last_not_of(" \t\r\n") + 1;
  return before.substr(begin);
}

}  // namespace tt::document
