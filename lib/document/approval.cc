// The table follows XLIFF 1.2 (sections 2.3 and 3), XLIFF 2.1 (sections 4.3, 5.6 and 5.9), TMX 1.4b
// and ITS 2.0 (sections 8.11, 8.13 and 8.18, and XLIFF's mapping of it), and what Trados, memoQ and
// Phrase add to XLIFF and TMX. PO has one word, fuzzy, which po.cc writes.
#include "document/approval.h"

#include <algorithm>
#include <array>

#include "base/capitals.h"
#include "base/split.h"
#include "markup/tags.h"

namespace tt::document {
namespace {

using namespace markup;
using enum Dialect;

// A word stays as it is, or goes; or else it gets that value.
constexpr std::string_view kStays = "\1", kGoes = "";

struct Word {
  Dialect dialect;
  std::string_view element, attributes;         // without a prefix; one, or several with spaces
  std::string_view machine, reviewed = kStays;  // what becomes of it beside such a translation
  bool added = false;                           // also where it is not
  std::string_view where = {}, is = {};         // only beside this attribute with this value
  std::optional<bool> doubtful = {};            // only of translations of which this is known
};

constexpr std::string_view kHistory =
    "creationdate creationtool creationtoolversion changeid changedate usagecount lastusagedate";
constexpr Word kWords[] = {
    {xliff1, "trans-unit", "approved", "no"},
    {xliff1, "trans-unit",
     "phase-name mq:percent mq:lastchanginguser mq:translatorcommitusername "
     "mq:reviewer1commitusername mq:reviewer2commitusername m:score m:gross-score",
     kGoes},
    {xliff1, "target", "phase-name", kGoes},
    {xliff1, "target", "state", "needs-review-translation", "translated", true},
    {xliff1, "target", "state", "translated", kStays, true, {}, {}, false},
    {xliff1, "target", "state-qualifier", "mt-suggestion", kGoes, true},
    {xliff1, "alt-trans", "alttranstype", "proposal", kStays, false, "alttranstype", "accepted"},
    {xliff1, "trans-unit", "mq:status", "PreTranslated"},
    {xliff1, "trans-unit", "m:confirmed", "0"},
    {xliff1, "trans-unit", "m:trans-origin", "mt"},
    {xliff1, "seg", "conf", "Draft"},
    {xliff1, "seg", "origin", "mt"},
    {xliff1, "seg", "origin-system percent", kGoes},
    {xliff2, "segment", "state", "translated", "reviewed", true},
    {xliff2, "segment", "state", "initial", kStays, true, {}, {}, true},
    {xliff2, "segment", "subState", kGoes, kGoes},
    {xliff2, "revisions", "currentVersion", kGoes, kStays, false, "appliesTo", "target"},
    {tmx, "tuv", "creationid", "MT!", kStays, true},
    {tmx, "tuv", kHistory, kGoes},
    {tmx, "tu", "creationid", kGoes},
    {tmx, "tu", kHistory, kGoes},
};

// Attributes of ITS, its:revPerson in XML and its-rev-person in HTML, which all go. They are true
// of all that is in an element.
constexpr std::string_view kIts =
    " person personref org orgref tool toolref revperson revpersonref revorg revorgref revtool "
    "revtoolref provref provenancerecordsref mtconfidence locqualityratingscore "
    "locqualityratingscorethreshold locqualityratingvote locqualityratingvotethreshold "
    "locqualityratingprofileref ";
// Of elements of XML that enclose a translation, or a part of it; a note has an author of its own.
constexpr std::array<std::string_view, 14> kEnclosing{
    "xliff",  "file", "body", "group", "trans-unit", "unit", "segment",
    "target", "g",    "mrk",  "pc",    "sm",         "sc",   "bpt"};

// Whose contents go where the attribute, whatever its case, has one of the stems.
struct Property {
  Dialect dialect;
  std::string_view element, attribute;
};
constexpr Property kProperties[] = {{tmx, "prop", "type"},
                                    {xliff1, "prop", "prop-type"},
                                    {xliff1, "value", "key"},
                                    {xliff2, "meta", "type"}};
constexpr std::string_view kStems[] = {
    "approv", "confirm", "review", "status", "state",      "verif",    "valid",       "quality",
    "score",  "proof",   "origin", "signed", "translator", "lastused", "modified_by", "created_by"};

// The name of an element without its prefix.
std::string_view local(std::string_view name) { return name.substr(name.find(':') + 1); }

}  // namespace

std::string Approval::tag(std::string_view element, std::string_view bytes) const {
  element = local(element);
  std::string result(bytes);
  const auto is_its = [&](std::string_view name, std::string_view) {
    std::string word = ascii_small(name);
    if (word.starts_with("its-")) word.erase(0, 4);
    else if (name.starts_with(its) && name.substr(its.size()).starts_with(':'))
      word.erase(0, its.size() + 1);
    else return false;
    std::erase(word, '-');
    return kIts.find(" " + word + " ") != kIts.npos;
  };
  if (!reviewed && (dialect == html || std::ranges::count(kEnclosing, element) > 0))
    result = without_attributes(bytes, is_its);
  for (const Word& word : kWords) {
    if (word.dialect != dialect || word.element != element) continue;
    if (word.doubtful && word.doubtful != doubtful) continue;
    const std::string_view value = reviewed ? word.reviewed : word.machine;
    if (value == kStays) continue;
    if (!word.where.empty() && attribute(bytes, word.where) != word.is) continue;
    for (const std::string_view name : split(word.attributes, ' ')) {
      const auto former = attribute(result, name);
      if (former == value || (!former && (!word.added || value == kGoes))) continue;
      result =
          value == kGoes ? without_attribute(result, name) : with_attribute(result, name, value);
    }
  }
  return result;
}

bool Approval::clears(std::string_view element, std::string_view tag) const {
  for (const Property& property : kProperties) {
    if (reviewed || property.dialect != dialect || property.element != local(element)) continue;
    const std::string type = ascii_small(attribute(tag, property.attribute).value_or(""));
    if (std::ranges::any_of(kStems, [&](auto stem) { return type.find(stem) != type.npos; }))
      return true;
  }
  return false;
}

}  // namespace tt::document
