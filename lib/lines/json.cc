// Lines that are JSON objects.
#include "base/error.h"
#include "base/json_line.h"
#include "lines/transforms.h"

namespace tt {
namespace {

// The name of a language in a field of a line's object.
std::string read_language(LineText& line, const std::optional<JsonMember>& member) {
  if (!member) return "";
  if (!member->text && !member->written.ends_with("null"))
    line.unnamed_languages.push_back(member->key);
  return member->text.value_or("");
}

// Sets the context of a line: an array of objects with a "source" and its "translation". Returns
// false if it is something else.
bool read_context(LineText& line, std::string_view array) {
  std::vector<std::pair<std::string, std::string>> sentences;
  try {
    for (const std::string_view element : json_elements(array)) {
      std::optional<std::string> source, translation;
      for (JsonMember& member : json_members(element)) {
        if (member.key == "source") source = std::move(member.text);
        else if (member.key == "translation") translation = std::move(member.text);
      }
      if (!source || !translation) return false;
      sentences.emplace_back(*source, *translation);
    }
  } catch (const Error&) {
    return false;
  }
  line.context = std::move(sentences);
  return true;
}

}  // namespace

Transform json_transform(const LineOptions& options, const LineModels&) {
  if (!options.json) return nullptr;
  return [](LineText& line) -> Undo {
    std::optional<JsonMember> text, prefix, from, to, document, context;
    try {
      for (JsonMember& member : json_members(line.text)) {
        if (member.key == "text") text = std::move(member);
        else if (member.key == "prefix") prefix = std::move(member);
        else if (member.key == "from") from = std::move(member);
        else if (member.key == "to") to = std::move(member);
        else if (member.key == "document") document = std::move(member);
        else if (member.key == "context") context = std::move(member);
      }
    } catch (const Error& error) {
      const std::string why = error.what();
      const std::size_t colon = why.find(": ");
      Problem problem{Reason::not_an_object, {}, 0, why.substr(0, colon)};
      if (colon != why.npos) problem.of = {why.substr(colon + 2)};
      line.refuse(std::move(problem));
      return {};
    }
    Undo undo{.answer = [object = line.text](const std::string& found) {
      return json_with(object, found);
    }};
    if (!text || !text->text) line.refuse({Reason::no_text});
    else if (prefix && !prefix->text) line.refuse({Reason::prefix_no_string});
    if (document) line.document = document->text.value_or(std::string(document->value()));
    if (context) line.wrong_context = !read_context(line, context->value());
    if (!line.answerable) return undo;
    for (const auto* member : {&text, &prefix})
      if (*member && (*member)->repaired)
        line.problems.add({Reason::half_surrogate, {}, 0, in_quotes((*member)->key)});
    line.text = *text->text;
    if (prefix) line.prefix = *prefix->text;
    line.languages = {read_language(line, from), read_language(line, to)};
    return undo;
  };
}

}  // namespace tt
