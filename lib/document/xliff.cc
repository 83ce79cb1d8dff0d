// XLIFF 1.2 and 2: the source of a unit, or of a segment, is a text, and its target gets the
// translation.
#include <utility>

#include "base/error.h"
#include "document/format.h"
#include "document/xml.h"

namespace tt::document {
namespace {

class Xliff : public XmlReader {
 public:
  Xliff(Editor& editor, const Settings& settings)
      : XmlReader(editor, Dialect::xliff1, settings.reviewed, {"it", "ph", "cp"}),
        settings_(settings) {
    editor.tell_doubtful();
  }

  bool found() const { return found_; }

 private:
  struct Part {
    std::size_t begin = 0, end = 0, inner = 0, inner_end = 0;  // of the element; of its contents
    bool present() const { return end > 0; }
    std::string state;
  };

  void begin(const std::vector<Element>& path) override {
    const Element& element = path.back();
    const std::string& name = element.tag.name;
    if (name == "xliff") {
      found_ = true;
      const std::string version = element.value("version");
      second_ = version.starts_with('2');
      if (!second_ && !version.empty() && !version.starts_with('1'))
        throw Error(editor_.where(element.tag.begin), ": XLIFF ", version,
                    " is not read; 1.2 and 2 are");
      if (second_) {
        approval_.dialect = Dialect::xliff2;
        language_of(element, "trgLang");
      }
    } else if (name == "file" && !second_) {
      language_of(element, "target-language");
    } else if (name == (second_ ? "segment" : "trans-unit")) {
      unit_ = element;
      source_ = segmented_ = target_ = {};
      kept_ = false;
      for (const Element& above : path)
        for (const char* const word : {"translate", "its:translate"})
          if (const std::string value = above.value(word); !value.empty()) kept_ = value == "no";
    } else if (name == "unit") {
      marks_behind_.clear();
    } else if (name == "source") {
      marks_ = marks_behind_;
    }
  }

  void end(const std::vector<Element>& path, const Token& close) override {
    const Element& element = path.back();
    const std::string& name = element.tag.name;
    const std::string_view parent =
        path.size() > 1 ? path[path.size() - 2].tag.name : std::string_view();
    if (name == (second_ ? "segment" : "trans-unit")) {
      if (finish()) changed_ = true;
      else editor_.keep(element.tag.begin, close.end);
      source_ = {};
      return;
    }
    if (second_ && name == "source" && element.level != Element::Level::text)
      marks_behind_ = marks_behind(element.tag.end, close.begin, marks_);
    if (parent != (second_ ? "segment" : "trans-unit")) return;
    Part* const part = name == "source"       ? &source_
                       : name == "seg-source" ? &segmented_
                       : name == "target"     ? &target_
                                              : nullptr;
    if (!part) return;
    const bool single = element.tag.kind == Token::Kind::single;
    *part = {element.tag.begin, close.end, element.tag.end, single ? element.tag.end : close.begin,
             element.value("state")};
    if (part == &target_) target_tag_ = element.bytes;
  }

  // Asks for the translation of a unit, and returns whether it is written.
  bool finish() {
    const std::string_view document = editor_.document();
    if (!source_.present()) return false;
    if (kept_) marks_.insert(marks_.begin(), {" ", true});
    const auto contents = [&](const Part& part) {
      return document.substr(part.inner, part.inner_end - part.inner);
    };
    const bool empty =
        text(target_.inner, target_.inner_end).is_blank() || target_.state == "new" ||
        target_.state == "needs-translation" ||
        (second_ && unit_.value("state") == "initial" && contents(target_) == contents(source_));
    if (settings_.targets ? !target_.present() : !empty && !settings_.all) return false;
    const std::uint64_t doubtful = editor_.doubtful();
    const Part& from = settings_.targets ? target_ : segmented_.present() ? segmented_ : source_;
    const auto translated = translation(source(from.inner, from.inner_end, marks_), from.inner);
    if (!translated) return false;
    if (settings_.least) approval_.doubtful = editor_.doubtful() > doubtful;
    // The tag of a segment has the state of its target.
    if (second_) editor_.prepare(unit_.tag.begin, unit_.tag.end, approved("segment", unit_.bytes));
    name_language();
    const std::string language(attribute(target_tag_, "xml:lang").value_or(""));
    if (target_.present()) report_other(target_.begin, language);
    const std::string tag = target_.present() && target_tag_.ends_with("/>")
                                ? std::string(target_tag_.substr(0, target_tag_.size() - 2)) + ">"
                            : target_.present() ? std::string(target_tag_)
                                                : "<target>";
    const std::string element = approved("target", tag) + *translated + "</target>";
    if (target_.present()) {
      editor_.replace(target_.begin, target_.end, element);
    } else {
      const std::size_t at = segmented_.present() ? segmented_.end : source_.end;
      editor_.replace(at, at, std::string(space_before(source_.begin)) + element);
    }
    return true;
  }

  // Remembers the tag that has the language of targets, for when the first of them is written.
  void language_of(const Element& element, const std::string& name) {
    tag_ = element;
    other_ = element.value(name);
    name_ = other_.empty() ? name : "";
  }
  void report_other(std::size_t at, const std::string& language) {
    const std::string& to = settings_.to;
    if (!language.empty() && !to.empty() && !is_of(language, to) && !is_of(to, language))
      editor_.report(at, "the targets are in " + language + ", and not in " + to);
  }
  void name_language() {
    report_other(tag_.tag.begin, std::exchange(other_, ""));
    if (name_.empty()) return;
    if (settings_.to.empty())
      editor_.report(tag_.tag.begin, "no " + name_ + " names the language of the targets");
    else
      editor_.prepare(tag_.tag.begin, tag_.tag.end,
                      with_attribute(approved(tag_.tag.name, tag_.bytes), name_, settings_.to));
    name_.clear();
  }

  const Settings& settings_;
  bool found_ = false, second_ = false, kept_ = false;
  Element unit_, tag_;
  std::string name_;   // the attribute that is missing
  std::string other_;  // the language of the targets that the document says
  std::string_view target_tag_;
  Part source_, segmented_, target_;
  Marks marks_, marks_behind_;  // of the unit, before its last source and behind it
};

}  // namespace

void pass_xliff(Editor& editor, const Settings& settings) {
  Xliff reader(editor, settings);
  reader.read();
  if (!reader.found()) throw Error(editor.where(0), ": no <xliff>; this is no XLIFF");
}

}  // namespace tt::document
