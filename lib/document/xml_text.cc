// Texts of XLIFF and TMX: what of them is code, what is not translated, and the sub-flows of code.
#include <list>
#include <map>

#include "document/xml.h"

namespace tt::document {
namespace {

using Kind = Token::Kind;

constexpr int kMostSubFlows = 3;  // in each other

// A token, or an element of code, or a stretch that is not translated.
struct Part {
  Token token;
  bool code = false, stays = false;
};

// Finds in a text what its tags keep from translation: elements, and what stands between <sm> and
// <em>. Such a stretch is one part, unless some of it is translated, or it overlaps with elements:
// then each of its texts is one.
class Protection {
 public:
  Protection(const Marks& marks) {
    for (const auto& [id, stays] : marks) open(id, stays);
  }

  void read(const Token& token, std::string_view bytes) {
    const bool in_text = token.kind == Kind::text || token.kind == Kind::cdata;
    parts_.push_back({token, false, in_text && stays()});
    if (token.kind == Kind::open) {
      elements_.push_back({last(), regions_.end()});
      if (changes(bytes)) elements_.back().region = open({}, !stays());
    } else if (token.kind == Kind::close && !elements_.empty()) {
      const auto [first, region] = elements_.back();
      elements_.pop_back();
      if (region != regions_.end()) close(region);
      else if (!regions_.empty() && regions_.back().first > first) overlap_ = last();
    } else if (token.name == "sm" && (changes(bytes) || forbids_translation(bytes))) {
      open(std::string(attribute(bytes, "id").value_or("")), forbids_translation(bytes));
    } else if (token.name == "em") {
      const auto mark = marks_.find(std::string(attribute(bytes, "startRef").value_or("")));
      if (mark != marks_.end()) close(mark->second);
    }
  }
  void code(const Token& token) { parts_.push_back({token, true, stays()}); }

  const std::vector<Part>& parts() const { return parts_; }
  Marks marks() const {
    Marks marks;
    for (const Region& region : regions_)
      if (!region.id.empty()) marks.emplace_back(region.id, region.stays);
    return marks;
  }

 private:
  struct Region {
    std::string id;  // of <sm>
    bool stays;
    std::size_t first, depth;  // part, and elements around it
  };
  using RegionIterator = std::list<Region>::iterator;

  std::size_t last() const { return parts_.size() - 1; }
  bool stays() const { return !regions_.empty() && regions_.back().stays; }
  bool changes(std::string_view tag) const {
    return stays() ? asks_for_translation(tag) : forbids_translation(tag);
  }

  RegionIterator open(const std::string& id, bool stays) {
    const auto region =
        regions_.insert(regions_.end(), {id, stays, parts_.empty() ? 0 : last(), elements_.size()});
    if (!id.empty()) marks_[id] = region;
    if (parts_.empty()) overlap_ = 0;
    return region;
  }

  void close(RegionIterator region) {
    const auto [id, stays, first, depth] = *region;
    const bool element = id.empty(), apart = std::next(region) != regions_.end();
    regions_.erase(region);
    if (!element) marks_.erase(id);
    if (!stays || apart || elements_.size() + element != depth) overlap_ = last();
    if (overlap_ && *overlap_ >= first) return;
    parts_[first].token.end = parts_.back().token.end;
    parts_[first].stays = true;
    parts_.resize(first + 1);
  }

  std::vector<Part> parts_;
  std::list<Region> regions_;
  std::map<std::string, RegionIterator> marks_;
  struct Element {
    std::size_t first;
    RegionIterator region;
  };
  std::vector<Element> elements_;
  // The part with which the last region ended that is no part of its own.
  std::optional<std::size_t> overlap_;
};

bool is_code(const Token& token, const std::vector<std::string>& code) {
  return token.name == "bpt" || token.name == "ept" || std::ranges::count(code, token.name) > 0;
}

}  // namespace

MarkedText XmlReader::text(std::size_t begin, std::size_t end) const {
  MarkedText result;
  Tokens tokens(editor_.document(), Syntax::xml, begin, end);
  for (Token token; tokens.next(token);) {
    const bool code = is_code(token, code_);
    if (code && token.kind == Kind::open) token.end = (tokens.skip(token), tokens.at());
    add(token, code, token.in(editor_.document()), result);
  }
  return result;
}

MarkedText XmlReader::source(std::size_t begin, std::size_t end, const Marks& marks) {
  const std::string_view document = editor_.document();
  Protection protection(marks);
  Tokens tokens(document, Syntax::xml, begin, end);
  for (Token token; tokens.next(token);) {
    if (!is_code(token, code_)) {
      protection.read(token, token.in(document));
      continue;
    }
    if (token.kind == Kind::open) token.end = (tokens.skip(token), tokens.at());
    protection.code(token);
  }
  MarkedText result;
  for (const Part& part : protection.parts()) {
    if (part.stays) result.opaque(part.token.in(document));
    else
      add(part.token, part.code,
          part.code ? with_sub_flows(part.token) : std::string(part.token.in(document)), result);
  }
  return result;
}

Marks XmlReader::marks_behind(std::size_t begin, std::size_t end, const Marks& marks) const {
  const std::string_view document = editor_.document();
  if (marks.empty() && document.substr(begin, end - begin).find("<sm") == document.npos) return {};
  Protection protection(marks);
  Tokens tokens(document, Syntax::xml, begin, end);
  for (Token token; tokens.next(token);) protection.read(token, token.in(document));
  return protection.marks();
}

void XmlReader::add(const Token& token, bool code, std::string_view bytes, MarkedText& text) const {
  if (code && (token.name == "bpt" || token.name == "ept")) {
    text.group(bytes, token.name == "bpt" ? Kind::open : Kind::close);
  } else if (token.kind == Kind::text) {
    text.encoded(charset_.decode(bytes), Syntax::xml);
  } else if (token.kind == Kind::cdata) {
    text.text(charset_.decode(bytes.substr(9, bytes.size() - 12)));
  } else if (code || !token.is_tag()) {
    text.opaque(bytes);
  } else {
    text.tag(single_spaces(charset_.decode(bytes)), approved(token.name, bytes), token.kind);
  }
}

std::string XmlReader::with_sub_flows(const Token& code) {
  const std::string_view document = editor_.document();
  std::string bytes;
  std::size_t done = code.begin;
  Tokens tokens(document, Syntax::xml, code.begin, code.end);
  for (Token token; tokens.next(token);) {
    if (token.name != "sub" || token.kind != Kind::open) continue;
    const std::size_t begin = token.end, end = tokens.skip(token);
    if (sub_flows_ == kMostSubFlows) {
      editor_.report_unread(begin, "text in the code of texts in code, too deep to be read");
      continue;
    }
    ++sub_flows_;
    const auto translated = translation(source(begin, end, {}), begin);
    --sub_flows_;
    if (!translated) continue;
    bytes += std::string(document.substr(done, begin - done)) + *translated;
    done = end;
    sub_flow_changed_ = true;
  }
  return bytes + std::string(document.substr(done, code.end - done));
}

std::optional<std::string> XmlReader::translation(const MarkedText& text, std::size_t at) {
  const auto write = [&](std::string_view between) { return encoded(between); };
  const bool changed = std::exchange(sub_flow_changed_, false);
  if (!text.has_letter()) return changed ? std::optional(text.bytes(write)) : std::nullopt;
  const auto translated = text.translated(editor_, at, approval_.reviewed || changed);
  if (translated) editor_.mean(translated->meaning());
  else if (sub_flows_ == 0) editor_.forget();
  return translated ? std::optional(translated->bytes(write)) : std::nullopt;
}

}  // namespace tt::document
