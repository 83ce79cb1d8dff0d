#include "text/corpus_part.h"

#include <nlohmann/json.hpp>

namespace tt {
namespace {

using nlohmann::json;

// The list of what is said of a part. A new member comes last.
template <class Part, class Visit>
void each_member(Part& part, const Visit& visit) {
  visit(part.source), visit(part.target), visit(part.weight);
  visit(part.languages.from), visit(part.languages.to), visit(part.links);
}

}  // namespace

void to_json(json& to, const CorpusPart& part) {
  to = json::array();
  each_member(part, [&](const auto& member) { to.push_back(member); });
}

void from_json(const json& from, CorpusPart& part) {
  std::size_t i = 0;
  each_member(part, [&](auto& member) {
    if (i < 2 || i < from.size()) from.at(i).get_to(member);
    ++i;
  });
}

std::string as_text(const CorpusPart& part) {
  std::string text;
  for (const std::string& word : {part.languages.from, part.languages.to, part.source, part.target,
                                  part.weight == 1 ? "" : json(part.weight).dump(), part.links})
    if (!word.empty()) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace tt
