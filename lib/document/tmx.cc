// TMX: what a unit has in one language is a text, and its translation becomes the variant of
// another.
#include <set>

#include "base/error.h"
#include "base/split.h"
#include "document/format.h"
#include "document/xml.h"

namespace tt::document {
namespace {

class Tmx : public XmlReader {
 public:
  Tmx(Editor& editor, const Settings& settings)
      : XmlReader(editor, Dialect::tmx, settings.reviewed, {"it", "ph", "ut"}), settings_(settings),
        from_(settings.targets ? settings.to : settings.from) {}

  // Says what was missing in all that was read.
  void report() {
    if (!found_) throw Error(editor_.where(0), ": no <tmx>; this is no TMX");
    if (without_ == 0) return;
    if (without_ == units_)
      throw Error(editor_.where(0), ": no text in language ", in_quotes(from_), "; there is ",
                  languages_.empty() ? "none at all" : join(languages_, ", "));
    editor_.report(first_without_,
                   "no text in language " + in_quotes(from_) + " in this unit" +
                       (without_ > 1 ? ", nor in " + std::to_string(without_ - 1) + " more" : ""));
  }

 private:
  struct Variant {
    std::string language;
    std::size_t begin = 0, end = 0, inner = 0, inner_end = 0;  // of <tuv>; of what is in its <seg>
  };

  void begin(const std::vector<Element>& path) override {
    const Element& element = path.back();
    if (element.tag.name == "tmx") {
      found_ = true;
    } else if (element.tag.name == "header" && from_.empty()) {
      from_ = element.value("srclang");
    } else if (element.tag.name == "tu") {
      variants_.clear();
    } else if (element.tag.name == "tuv") {
      std::string language = element.value("xml:lang");
      if (language.empty()) language = element.value("lang");
      variants_.push_back({language, element.tag.begin});
      languages_.insert(language);
    }
  }

  void end(const std::vector<Element>& path, const Token& close) override {
    const Element& element = path.back();
    if (element.tag.name == "tu") return finish(element);
    if (variants_.empty()) return;
    if (element.tag.name == "tuv") variants_.back().end = close.end;
    if (element.tag.name == "seg" && element.tag.kind == Token::Kind::open) {
      variants_.back().inner = element.tag.end;
      variants_.back().inner_end = close.begin;
    }
  }

  // Asks for the translation of a unit.
  void finish(const Element& unit) {
    ++units_;
    if (from_.empty() || from_ == "*all*")
      throw Error(editor_.where(unit.tag.begin),
                  ": the document does not name its source language; give that of the texts");
    const Variant *source = nullptr, *target = nullptr;
    for (const Variant& variant : variants_) {
      if (variant.inner == 0 || variant.end == 0) continue;
      if (!source && is_of(variant.language, from_)) source = &variant;
      if (!target && is_of(variant.language, settings_.to)) target = &variant;
    }
    if (!source) {
      if (without_++ == 0) first_without_ = unit.tag.begin;
      return;
    }
    const std::string_view document = editor_.document();
    if (target && !settings_.all &&
        !trimmed(document.substr(target->inner, target->inner_end - target->inner)).empty())
      return;
    const auto translated =
        translation(this->source(source->inner, source->inner_end, {}), source->inner);
    if (!translated) return;
    changed_ = true;
    for (const Variant& variant : variants_)
      if (&variant != target) editor_.keep(variant.begin, variant.end);
    if (target) return editor_.replace(target->inner, target->inner_end, *translated);
    const std::size_t at = variants_.back().end > 0 ? variants_.back().end : source->end;
    editor_.replace(at, at,
                    std::string(space_before(source->begin)) +
                        approved("tuv", "<tuv xml:lang=\"" + encoded(settings_.to) + "\">") +
                        "<seg>" + *translated + "</seg></tuv>");
  }

  const Settings& settings_;
  std::string from_;
  bool found_ = false;
  std::vector<Variant> variants_;
  std::set<std::string> languages_;
  std::size_t units_ = 0, without_ = 0, first_without_ = 0;
};

}  // namespace

void pass_tmx(Editor& editor, const Settings& settings) {
  if (settings.to.empty())
    throw Error(editor.where(0), ": the language of the translations is not given");
  Tmx reader(editor, settings);
  reader.read();
  reader.report();
}

}  // namespace tt::document
