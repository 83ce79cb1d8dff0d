#include "lines/languages.h"

#include <algorithm>

#include "base/error.h"
#include "base/setting.h"
#include "lines/transforms.h"

namespace tt {
LineLanguages::LineLanguages(std::span<const LoadedModel> models, const TranslateOptions& options)
    : usual_(options.languages), by_line_(options.by_line) {
  bool reads = false, writes = false;
  for (const LoadedModel& loaded : models) {
    const std::string& name = models_.emplace_back(loaded.model->name());
    Architecture config = loaded.model->config();
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

void LineLanguages::choose(LineText& line) const {
  const auto any = [&](bool (LanguageReader::*is)() const) {
    return std::ranges::any_of(readers_, [&](const LanguageReader& r) { return (r.*is)(); });
  };
  const bool reads = any(&LanguageReader::reads_source),
             writes = any(&LanguageReader::reads_target);
  if (!line.answerable) return;
  for (const std::string& field : line.unnamed_languages) {
    if (field == "from" ? reads : writes)
      return line.refuse({Reason::language_no_string_needed, {}, 0, in_quotes(field)});
    line.problems.add({Reason::language_no_string, {}, 0, in_quotes(field)});
  }
  const LanguageNames& named = line.languages;
  if (!reads && is_known_language(named.from))
    line.problems.add({Reason::source_not_chosen, {named.from}});
  if (!writes && is_known_language(named.to))
    line.problems.add({Reason::target_not_chosen, {named.to}});
  LanguageNames names{named.from.empty() ? usual_.from : named.from, named.to};
  if (names.to.empty()) names.to = usual_.to;
  if (!reads) names.from.clear();
  if (!writes) names.to.clear();
  if (by_line_ && names.from.empty() && any(&LanguageReader::needs_source))
    return line.refuse({Reason::source_missing});
  try {
    // Nothing is translated of a line without text.
    if (!words_of(line.text).empty() && !choose_in_text(line, names)) return;
    if (by_line_ && names.to.empty() && any(&LanguageReader::needs_target))
      return line.refuse({Reason::target_missing});
    line.pieces = pieces(names);
  } catch (const Error& error) {
    line.refuse({Reason::language_unknown, {error.what()}});
  }
}

bool LineLanguages::choose_in_text(LineText& line, LanguageNames& names) const {
  const auto found =
      std::ranges::find_if(readers_, [](const auto& r) { return !r.example().empty(); });
  if (found == readers_.end()) return true;
  const LanguageReader& reader = *found;
  const auto m = static_cast<std::size_t>(found - readers_.begin());
  if (const auto own = reader.leading(line.text)) {
    const LanguageNames& said = line.languages;
    const LanguageNames all{said.from.empty() ? own->from : said.from,
                            said.to.empty() ? own->to : said.to};
    const LanguageNames whole{own->from.empty() ? all.from : own->from, own->to};
    if ((!said.from.empty() || !said.to.empty()) && pieces(all)[m] != pieces(whole)[m]) {
      line.refuse({Reason::two_targets, {own->to, all.to}});
      return false;
    }
    names.to = own->to;
    if (reader.by_words()) names.from = own->from;
  } else if (names.to.empty() && (names.from.empty() || !reader.by_words())) {
    if (by_line_) {
      line.refuse({Reason::target_missing});
      return false;
    }
    line.problems.add({Reason::target_not_in_text, {}, 0, reader.example()});
  }
  return true;
}

Transform languages_transform(const LineOptions&, const LineModels& models) {
  if (!models.languages) return nullptr;
  return [&languages = *models.languages](LineText& line) {
    languages.choose(line);
    return Undo();
  };
}

}  // namespace tt
