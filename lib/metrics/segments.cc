#include "metrics/segments.h"

#include <algorithm>

#include "base/error.h"
#include "base/report.h"
#include "base/setting.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kBlock = 1024;  // segments read at once

// The tab-separated fields of `line`, at most `most`: further tabs belong to the last one.
std::vector<std::string_view> split_fields(std::string_view line, std::size_t most) {
  std::vector<std::string_view> fields;
  while (fields.size() + 1 < most) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) break;
    fields.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  fields.push_back(line);
  return fields;
}

std::size_t count_tabs(std::string_view line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
}

}  // namespace

bool SegmentReader::Source::next(std::string& line, std::size_t longest) {
  if (!reader.next(line)) return false;
  ++lines;
  if (line.size() > longest)
    throw Error(reader.where(), ": ", count_of(line.size(), "byte"), " in one line, and at most ",
                with_commas(longest), " can be scored; has the text lost its line ends?");
  damaged_here = first_invalid_utf8(line) != std::string::npos;
  if (damaged_here) line = repair_utf8(line);
  const std::size_t here[] = {count_tabs(strip_end(line)), count_tabs(line)};
  for (const int end : {0, 1}) {
    same_tabs[end] = same_tabs[end] && (lines == 1 || here[end] == tabs[end]);
    tabs[end] = here[end];
  }
  return true;
}

SegmentReader::SegmentReader(const SegmentFiles& files)
    : files_(files), names_(files.names.empty() ? files.systems : files.names) {
  TT_CHECK(files.references_per_line > 0 && names_.size() == files.systems.size());
  TT_CHECK(files.references_per_line == 1 || files.references.size() == 1);
  if (files.systems.empty()) sources_.emplace_back("-");
  for (const std::string& path : files.systems) sources_.emplace_back(path);
  inputs_ = sources_.size();
  for (const std::string& path : files.references) sources_.emplace_back(path);
  references_end_ = sources_.size();
  for (const std::string& path : {files.source, files.groups})
    if (!path.empty()) sources_.emplace_back(path);
  lines_.resize(sources_.size());
  if (!files.systems.empty()) return;
  has_first_line_ = sources_[0].next(first_line_, files_.longest_line);
  // A tab at the very end is before an empty translation; white space behind it makes it one.
  const std::size_t systems =
      1 + count_tabs(first_line_.ends_with('\t') ? first_line_ : strip_end(first_line_));
  for (std::size_t s = 1; s <= systems; ++s)
    names_.push_back(systems == 1 ? sources_[0].reader.name() : "System " + std::to_string(s));
}

bool SegmentReader::read_line(std::size_t source, std::string& line) {
  if (source > 0 || !has_first_line_) return sources_[source].next(line, files_.longest_line);
  line = std::move(first_line_);
  has_first_line_ = false;
  return true;
}

bool SegmentReader::next(SegmentBlock& block) {
  block.first = segments_, block.size = 0;
  for (auto& lines : lines_) lines.resize(kBlock);
  for (auto& system : block.hypotheses) system.clear();
  block.hypotheses.resize(names_.size()), block.references.clear();
  block.sources.clear(), block.groups.clear();
  while (block.size < kBlock && !ended_) {
    std::size_t got = 0;
    for (std::size_t s = 0; s < sources_.size(); ++s) got += read_line(s, lines_[s][block.size]);
    if (got < sources_.size()) {
      ended_ = true;
      if (got > 0) differ();
      break;
    }
    for (Source& source : sources_)
      if (source.damaged_here && source.damaged++ == 0)
        source.first_damaged = source.reader.where();
    add_hypotheses(block);
    add_references(block);
    add_source_and_group(block);
    ++block.size;
    if (!std::all_of(sources_.begin(), sources_.end(),
                     [](Source& source) { return source.reader.ready(); }))
      break;
  }
  segments_ += block.size;
  if (segments_ == 0) throw Error("there are no lines to score: ", describe());
  return block.size > 0;
}

void SegmentReader::add_hypotheses(SegmentBlock& block) {
  if (!files_.systems.empty()) {
    for (std::size_t s = 0; s < inputs_; ++s) {
      const std::string& line = lines_[s][block.size];
      block.hypotheses[s].emplace_back(strip_end(line));
    }
    return;
  }
  // Trailing white space is not a field, unless a system would be missing otherwise.
  const std::string& line = lines_[0][block.size];
  std::vector<std::string_view> fields = split_fields(line, line.size() + 1);
  while (fields.size() > names_.size() && strip(fields.back()).empty()) fields.pop_back();
  if (fields.size() != names_.size()) {
    throw SettingError(
        sources_[0].reader.where(), ": ", count_of(fields.size(), "tab-separated field"),
        ", but the first line has ", names_.size(),
        "; each field is the translation of one system (if tabs are white space, use ",
        Setting{"input"}, " -)");
  }
  // In the first line sacreBLEU keeps the space before a tab, which chrF may count.
  const bool first = segments_ == 0 && block.size == 0;
  for (std::size_t s = 0; s < names_.size(); ++s) {
    const bool last = s + 1 == names_.size();
    block.hypotheses[s].emplace_back(first && !last ? fields[s] : strip_end(fields[s]));
  }
}

void SegmentReader::add_references(SegmentBlock& block) {
  auto& references = block.references.emplace_back();
  const auto add = [&](std::string_view reference) {
    if (!files_.skip_empty_references || !strip(reference).empty()) references.push_back(reference);
  };
  for (std::size_t s = inputs_; s < references_end_; ++s) {
    Source& source = sources_[s];
    const std::string& line = lines_[s][block.size];
    if (files_.references_per_line == 1) {
      add(strip_end(line));
      continue;
    }
    const auto wanted = static_cast<std::size_t>(files_.references_per_line);
    std::vector<std::string_view> fields = split_fields(line, wanted);
    if (fields.size() < wanted && !files_.skip_empty_references) {
      throw SettingError(source.reader.where(), ": ",
                         count_of(fields.size(), "tab-separated reference"), " instead of ", wanted,
                         "; if some are missing, use ", Setting{"skip_empty_references"});
    }
    fields.back() = strip_end(fields.back());
    if (count_tabs(fields.back()) > 0 && source.surplus++ == 0)
      source.first_surplus = source.reader.where();
    for (const std::string_view field : fields) add(field);
  }
  if (references.empty() && !files_.references.empty()) references.emplace_back();
  fewest_ = std::min(fewest_, references.size()), most_ = std::max(most_, references.size());
}

void SegmentReader::add_source_and_group(SegmentBlock& block) {
  std::size_t next = references_end_;
  if (!files_.source.empty()) block.sources.emplace_back(strip_end(lines_[next++][block.size]));
  if (files_.groups.empty()) return;
  const std::string_view name = strip(lines_[next][block.size]);
  if (name.empty())
    throw Error(sources_[next].reader.where(),
                ": an empty line, and so no group; name one for each segment");
  block.groups.emplace_back(name);
}

// Called when one file ended before another.
void SegmentReader::differ() {
  if (files_.prefix) {
    cut_ = true;
    return;
  }
  std::string line;
  for (Source& source : sources_) {
    while (source.next(line, files_.longest_line)) {
    }
  }
  if (files_.systems.empty() && sources_[0].lines == 0)
    throw SettingError(describe(), "; translations come from the standard input, or from files: ",
                       Setting{"input"}, " FILE");
  throw SettingError(describe(),
                     "; check that they belong together, or score the lines they all have with ",
                     Setting{"prefix"});
}

std::string SegmentReader::describe() const {
  std::string text;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    text += i == 0 ? "" : i + 1 < sources_.size() ? ", " : " and ";
    text += sources_[i].reader.name() + " has " + count_of(sources_[i].lines, "line");
  }
  return text;
}

int SegmentReader::references() const { return fewest_ == most_ ? static_cast<int>(most_) : 0; }

std::vector<std::string> SegmentReader::notes() const {
  std::vector<std::string> notes;
  for (std::size_t s = 0; s < references_end_; ++s) {
    const Source& source = sources_[s];
    const bool is_reference = s >= inputs_,
               is_split = is_reference ? files_.references_per_line > 1 : files_.systems.empty();
    if (source.surplus > 0) {
      notes.push_back(source.first_surplus + ": more than " +
                      std::to_string(files_.references_per_line) +
                      " tab-separated references, the last of which takes the rest (" +
                      count_of(source.surplus, "such line") + " in this file)");
    }
    std::size_t tabs = 0;
    for (const int end : {1, 0})
      if (source.same_tabs[end] && source.tabs[end] > 0) tabs = source.tabs[end];
    if (is_split || tabs == 0) continue;
    const std::string what = source.reader.name() + ": " + count_of(tabs, "tab") +
                             " in each line, read as white space; ";
    notes.push_back(
        what + (is_reference
                    ? "if they separate references, set num_refs to " + std::to_string(tabs + 1)
                    : "if they separate systems, give the file on standard input alone"));
  }
  return notes;
}

std::vector<std::string> SegmentReader::degraded() const {
  std::vector<std::string> degraded;
  for (const Source& source : sources_) {
    if (source.damaged == 0) continue;
    degraded.push_back(source.first_damaged + ": not UTF-8; invalid bytes are read as U+FFFD (" +
                       count_of(source.damaged, "such line") + " in this file)");
  }
  return degraded;
}

}  // namespace tt::metrics
