#include "lines/line_languages.h"

#include <algorithm>

#include "base/error.h"
#include "base/setting.h"

namespace tt {
namespace {

constexpr const char* kUnknown = "its language is unknown, and it is left as it is";

void refuse(InputLine& line, const std::string& reason, const std::string& details = "") {
  line.answerable = false;
  line.request.text.clear();
  line.request.prefix.clear();
  line.problems.push_back({reason, details});
}

}  // namespace

LineLanguages::LineLanguages(std::span<const LoadedModel> models, const TranslateOptions& options)
    : usual_(options.languages), by_line_(options.by_line) {
  bool reads = false, writes = false;
  for (const LoadedModel& loaded : models) {
    const std::string& name = models_.emplace_back(loaded.model->name());
    Config config = loaded.model->config();
    // Text that is put before each source chooses in place of languages.
    if (!options.source_prefix.empty()) config.source_prefixes.clear();
    const LanguageReader& reader =
        readers_.emplace_back(config, loaded.source, loaded.target, name);
    const auto need = [&](bool needed, const std::string& language, const char* setting) {
      if (needed && language.empty() && !by_line_)
        throw SettingError(name, ": is of several languages; choose one of its own with ",
                           Setting{setting});
    };
    need(reader.needs_source(), usual_.from, "from");
    // A line may begin with the piece itself, as those of OPUS-MT do.
    need(reader.needs_target() && !reader.in_text(), usual_.to, "to");
    if (!options.source_prefix.empty() && reader.in_text())
      throw SettingError(name, ": reads the language before a source; omit ",
                         Setting{"source_prefix"}, ", and give ", Setting{"to"});
    std::vector<std::int32_t>& prefix = prefixes_.emplace_back();
    if (!options.source_prefix.empty()) try {
        prefix = pieces_before(loaded.source, options.source_prefix);
      } catch (const Error& error) {
        throw Error(name, ": ", error.what());
      }
    reads |= reader.reads_source(), writes |= reader.reads_target();
  }
  const auto refuse = [&](bool given, bool chosen, const char* side, const char* setting) {
    if (given && !chosen)
      throw SettingError(models_[0], ": does not choose its ", side, " language; omit ",
                         Setting{setting});
  };
  refuse(!usual_.to.empty(), writes, "target", "to");
  refuse(!usual_.from.empty(), reads, "source", "from");
  refuse(options.to_column, writes, "target", "to_column");
  refuse(options.from_column, reads, "source", "from_column");
  for (std::size_t m = 0; m < readers_.size(); ++m) try {
      readers_[m].pieces(usual_.from, usual_.to);
    } catch (const Error& error) {
      throw Error(models_[m], ": ", error.what());
    }
  usual_pieces_ = pieces(usual_);
}

std::size_t LineLanguages::most() const {
  std::size_t most = 0;
  for (std::size_t m = 0; m < readers_.size(); ++m)
    most = std::max(most, readers_[m].most() + prefixes_[m].size());
  return most;
}

const std::vector<LanguagePieces>& LineLanguages::pieces(const LanguageNames& names) const {
  const std::lock_guard lock(mutex_);
  const std::pair key(names.from, names.to);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<LanguagePieces> pieces;
  for (std::size_t m = 0; m < readers_.size(); ++m) try {
      LanguagePieces& p = pieces.emplace_back(readers_[m].pieces(names.from, names.to));
      p.before.insert(p.before.end(), prefixes_[m].begin(), prefixes_[m].end());
      p.words |= !prefixes_[m].empty();
    } catch (const Error& error) {
      throw Error(models_[m], " ", error.what());
    }
  return known_.emplace(key, std::move(pieces)).first->second;
}

void LineLanguages::choose(InputLine& line) const {
  const auto any = [&](bool (LanguageReader::*is)() const) {
    return std::ranges::any_of(readers_, [&](const LanguageReader& r) { return (r.*is)(); });
  };
  const bool reads = any(&LanguageReader::reads_source),
             writes = any(&LanguageReader::reads_target);
  if (!line.answerable) return;
  for (const std::string& field : line.no_languages) {
    const std::string reason = "its " + in_quotes(field) + " is not a string";
    if (field == "from" ? reads : writes) return refuse(line, reason + ", and it is left as it is");
    line.problems.push_back({reason, ""});
  }
  if (!reads && is_known_language(line.languages.from))
    line.problems.push_back(
        {"it names its language, which the model does not choose", in_quotes(line.languages.from)});
  if (!writes && is_known_language(line.languages.to))
    line.problems.push_back(
        {"it names a language to translate into, which the model does not "
         "choose",
         in_quotes(line.languages.to)});
  LanguageNames names{line.languages.from.empty() ? usual_.from : line.languages.from,
                      line.languages.to};
  if (names.to.empty()) names.to = usual_.to;
  if (!reads) names.from.clear();
  if (!writes) names.to.clear();
  if (by_line_ && names.from.empty() && any(&LanguageReader::needs_source))
    return refuse(line, "it does not say in which language it is, and is left as it is");
  try {
    // Where there is no text, nothing is translated.
    if (!words_of(line.request.text).empty() && !choose_in_text(line, names)) return;
    if (by_line_ && names.to.empty() && any(&LanguageReader::needs_target))
      return refuse(line, "it names no language to translate into, and is left as it is");
    line.request.languages = pieces(names);
  } catch (const Error& error) {
    refuse(line, kUnknown, error.what());
  }
}

bool LineLanguages::choose_in_text(InputLine& line, LanguageNames& names) const {
  const auto found =
      std::ranges::find_if(readers_, [](const auto& r) { return !r.example().empty(); });
  if (found == readers_.end()) return true;
  const LanguageReader& reader = *found;
  const auto m = static_cast<std::size_t>(found - readers_.begin());
  if (const auto own = reader.leading(line.request.text)) {
    const LanguageNames& said = line.languages;
    const LanguageNames all{said.from.empty() ? own->from : said.from,
                            said.to.empty() ? own->to : said.to};
    const LanguageNames whole{own->from.empty() ? all.from : own->from, own->to};
    if ((!said.from.empty() || !said.to.empty()) && pieces(all)[m] != pieces(whole)[m]) {
      refuse(line, "it names two languages to translate into, and is left as it is",
             in_quotes(own->to) + " and " + in_quotes(all.to));
      return false;
    }
    names.to = own->to;
    if (reader.by_words()) names.from = own->from;
  } else if (names.to.empty() && (names.from.empty() || !reader.by_words())) {
    if (by_line_) {
      refuse(line, "it names no language to translate into, and is left as it is");
      return false;
    }
    line.problems.push_back({"it names no language to translate into, as " + reader.example() +
                                 " at its beginning would",
                             ""});
  }
  return true;
}

}  // namespace tt
