#include "exchange/yaml.h"

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/error.h"
#include "exchange/foreign.h"

namespace tt {

using nlohmann::json;

std::vector<std::pair<std::string, json>> read_yaml(std::string_view text,
                                                    const std::string& name) {
  std::vector<std::pair<std::string, json>> pairs;
  std::uint64_t left = most_from(text.size());  // a text may be there again by its anchor
  const auto text_of = [&](const YAML::Node& node) {
    if (node.Scalar().size() > left) throw Error(name, ": is damaged: it names a text too often");
    left -= node.Scalar().size();
    return node.Scalar();
  };
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    const YAML::Node all = documents.empty() ? YAML::Node() : documents[0];
    if (documents.size() > 1)
      throw YAML::ParserException(documents[1].Mark(), "there is a second document");
    if (all.IsScalar() || all.IsSequence())
      throw YAML::ParserException(all.Mark(), "there are no keys with values");
    for (const auto& pair : all) {
      json value;
      if (pair.second.IsScalar()) value = text_of(pair.second);
      if (pair.second.IsSequence()) value = json::array();
      for (const auto& item : pair.second)
        if (value.is_array() && item.IsScalar()) value.push_back(text_of(item));
      if (pair.first.IsScalar() && !pair.second.IsMap())
        pairs.emplace_back(text_of(pair.first), std::move(value));
    }
  } catch (const YAML::Exception& error) {
    throw Error(name, ":", error.mark.line + 1, ": is no YAML: ", in_quotes(error.msg));
  }
  return pairs;
}

}  // namespace tt
