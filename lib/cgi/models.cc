#include "cgi/models.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/unicode.h"
#include "cgi/request.h"
#include "model/checkpoint.h"
#include "model/stored_subword.h"

namespace tt::cgi {
namespace {

// Longer than any code of a language.
constexpr std::size_t kLongestCode = 40;

std::string replaced(std::string text, char one, char other) {
  std::ranges::replace(text, one, other);
  return text;
}

// The language of a name, by its code of two letters if it has one: "de" of "deu_Latn".
std::string language_part(const std::string& name) {
  const std::string locale = likely_locale(name);
  return locale.substr(0, locale.find('_'));
}

// "zh-Hant" of "zho_Hant".
std::string code_of(const std::string& name) {
  const std::size_t rest = name.find_first_of("_-");
  return language_part(name) + (rest == name.npos ? "" : "-" + name.substr(rest + 1));
}

// The shortest code by which a table finds a language.
std::string shortest_code(const LanguageTable& table, const Language& language) {
  const std::string code = code_of(language.name);
  const std::string alone = code.substr(0, code.find('-'));
  try {
    if (table.find(alone) == language.piece) return alone;
  } catch (const Error&) {  // there are several
  }
  return code;
}

// The last two words of a file's name; empty where one is no language.
LanguageNames sides_of(const std::string& file) {
  std::string name = file.substr(file.rfind('/') + 1);
  name.resize(name.find('.'));
  const std::size_t dash = name.rfind('-');
  if (dash == name.npos || dash == 0) return {};
  const std::size_t begin = name.rfind('-', dash - 1) + 1;
  const auto known = [](const std::string& side) { return is_known_language(side) ? side : ""; };
  return {known(name.substr(begin, dash - begin)), known(name.substr(dash + 1))};
}

// In the order of their codes, each once.
void sort(std::vector<std::string>& codes) {
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
}

}  // namespace

std::optional<std::string> find_language(const std::string& name,
                                         const std::vector<std::string>& codes) {
  if (name.size() > kLongestCode || !std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) || c == '-' || c == '_';
      }))
    return std::nullopt;
  std::vector<Language> languages;
  for (const std::string& code : codes)
    languages.push_back({replaced(code, '-', '_'), static_cast<std::int32_t>(languages.size())});
  const LanguageTable table(languages);
  const std::string wanted = name == "zt"   ? "zh_Hant"
                             : name == "pb" ? "pt_BR"
                                            : replaced(name, '-', '_'),
                    likely = likely_locale(wanted),
                    in_script = likely.substr(0, likely.find('_', likely.find('_') + 1));
  for (const std::string& spelt : {wanted, in_script}) try {
      return codes[static_cast<std::size_t>(table.find(spelt))];
    } catch (const Error&) {  // it has none, or several
    }
  return std::nullopt;
}

Models::Models(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".tt") files.push_back(entry.path().string());
  if (error) throw Error(folder, ": cannot be read: ", error.message());
  if (files.empty()) throw Error(folder, ": has no model; their files are called FROM-TO.tt");
  std::ranges::sort(files);
  for (const std::string& file : files) {
    const auto [from, to] = sides_of(file);
    if (from.empty() || to.empty()) rest_.push_back(file);
    else offers_.push_back({file, {{code_of(from), from}}, {{code_of(to), to}}});
  }
}

void Models::read_rest() {
  for (const std::string& file : rest_) try {
      read(file);
    } catch (const Error& error) {  // which the others need not suffer from
      warn(error.what());
    }
  rest_.clear();
}

void Models::read(const std::string& path) {
  const TensorFile file = open_model(path);
  const Config config = stored_config(file);
  const LanguageNames sides = sides_of(path);
  for (const SourcePrefix& p : parse_source_prefixes(config.source_prefixes))
    offers_.push_back({path, {{code_of(p.from), p.from}}, {{code_of(p.to), p.to}}});
  if (!config.source_prefixes.empty()) return;
  const auto languages = [&](const std::string& said, bool chosen, SubwordSide side) {
    std::vector<Named> all;
    if (!said.empty()) return std::vector<Named>{{code_of(said), said}};
    if (!chosen) return all;
    const LanguageTable table(stored_subword(file, side));
    for (const Language& language : table.all())
      all.push_back({shortest_code(table, language), language.name});
    return all;
  };
  const bool first = config.target_language == TargetLanguage::first;
  Offer offer{
      path,
      languages(sides.from, config.source_language != SourceLanguage::none, SubwordSide::source),
      languages(sides.to, config.target_language != TargetLanguage::none,
                first ? SubwordSide::target : SubwordSide::source)};
  if (offer.from.empty() || offer.to.empty())
    throw Error(path, ": does not say its ", offer.from.empty() ? "source" : "target",
                " language; name the file FROM-TO.tt, as en-de.tt");
  offers_.push_back(std::move(offer));
}

std::optional<Step> Models::step(const std::string& from, const std::string& to) const {
  for (const Offer& offer : offers_) {
    const auto source = std::ranges::find(offer.from, from, &Named::code),
               target = std::ranges::find(offer.to, to, &Named::code);
    if (source != offer.from.end() && target != offer.to.end())
      return Step{offer.file, {from, to}, {source->name, target->name}};
  }
  return std::nullopt;
}

std::vector<std::string> Models::codes() const {
  std::vector<std::string> codes;
  for (const Offer& offer : offers_)
    for (const auto* side : {&offer.from, &offer.to})
      for (const Named& language : *side) codes.push_back(language.code);
  sort(codes);
  return codes;
}

std::vector<std::string> Models::languages() {
  read_rest();
  return codes();
}

std::vector<std::string> Models::targets(const std::string& source) {
  read_rest();
  std::vector<std::string> targets{source};
  const auto add = [&](const std::string& from) {
    for (const Offer& offer : offers_)
      if (std::ranges::find(offer.from, from, &Named::code) != offer.from.end())
        for (const Named& language : offer.to) targets.push_back(language.code);
  };
  add(source);
  if (std::ranges::find(targets, "en") != targets.end()) add("en");
  sort(targets);
  return targets;
}

std::vector<Step> Models::route(const std::string& from, const std::string& to) {
  for (;; read_rest()) {
    const std::vector<std::string> all = codes();
    const auto source = find_language(from, all), target = find_language(to, all);
    if (source && source == target) return {};
    if (source && target)
      if (const auto direct = step(*source, *target)) return {*direct};
    if (!rest_.empty()) continue;
    for (const auto& [found, name] : {std::pair(source, from), {target, to}})
      if (!found) throw Refusal(400, printable(name.substr(0, kLongestCode)) + " is not supported");
    const auto first = step(*source, "en"), second = step("en", *target);
    if (first && second) return {*first, *second};
    throw Refusal(400, *target + " is not available as a target language from " + *source);
  }
}

}  // namespace tt::cgi
