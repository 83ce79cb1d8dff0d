#include "rerank/list_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/input.h"
#include "base/setting.h"
#include "base/split.h"
#include "base/utf8.h"

namespace tt::rerank {
namespace {

// Beyond it a number is rather a mistake than the next line with a list.
constexpr std::uint64_t kFarthest = 1000000;

struct RawList {
  std::uint64_t number = 0;  // from 0
  std::size_t line = 0;      // of the file, where it begins; 0: there is none
  std::string lines;         // LF before each, its number in the file, features and spaces
};

// The file of a feature, with what is wrong in it.
struct FeatureReader {
  explicit FeatureReader(const FeatureFile& file)
      : reason("is no number; its translation has no score by " + in_quotes(file.name)),
        in(file.path), problems([this](std::size_t line) { return in.where(line); }) {}
  std::string reason;
  LineReader in;
  Reasons problems;
};

}  // namespace

// The lists of files in the order of their numbers.
class Lists {
 public:
  Lists(const std::vector<std::string>& paths, const ListFiles& files,
        const std::vector<FeatureFile>& features, Reasons& problems)
      : json_(files.format == ListFormat::json), start_(files.first_line - 1), next_(start_),
        problems_(problems), first_(input_name(paths[0])), in_(paths) {
    for (const FeatureFile& feature : features)
      features_.push_back(std::make_unique<FeatureReader>(feature));
  }

  // The next list is there as a whole, or there is none.
  bool complete() const { return ended_ || ahead_ || (json_ && current_.line > 0); }
  bool ready() { return in_.ready(); }
  // Reads a line.
  void step() {
    std::string line;
    if (!in_.next(line)) return end();
    const std::size_t at = in_.line_number();
    std::string features = "\n" + std::to_string(at) + " ";
    for (const auto& file : features_) {
      std::string feature;
      if (!file->in.next(feature))
        throw Error(file->in.name(), ": ends before line ", at,
                    ", which the lists have; it needs a number for each of their lines");
      const std::string_view value = trimmed(feature);
      const bool usable = !std::isnan(to_number(value));
      if (!usable) file->problems.add(file->reason, at, in_quotes(feature) + " " + file->reason);
      features.append(usable ? value : "-") += " ";
    }
    const std::optional<std::uint64_t> number = json_ ? next_++ : moses_number(line);
    if (!number) {
      problems_.add("no line of a list, as \"0 ||| text ||| NAME= value ||| score\"; is left out",
                    at);
      return;
    }
    const std::uint64_t last = current_.line == 0 ? next_ : current_.number;
    if (*number < start_) {
      problems_.add("before the first list; is left out", at,
                    "list " + std::to_string(*number) + " is before the first, " +
                        std::to_string(start_) + "; is left out");
      return;
    }
    if (*number < last && !json_) {
      problems_.add("behind a later list; is left out", at,
                    "list " + std::to_string(*number) + " is behind a later one; is left out");
      return;
    }
    if (*number > last + kFarthest) {  // an error once the lists before are taken
      ended_ = true;
      failure_.emplace(in_.where(at), ": list ", *number, " is far behind list ", last,
                       "; lists are numbered as the lines of input, from 0 or as ",
                       Setting{"first_line"}, " says");
      return;
    }
    any_ = true;
    if (first_invalid_utf8(line) != line.npos) {
      problems_.add("not UTF-8; invalid bytes are read as U+FFFD", at);
      line = repair_utf8(line);
    }
    const bool begins = current_.line == 0 || *number > current_.number;
    RawList& list = current_.line > 0 && begins ? ahead_.emplace() : current_;
    if (begins) list.number = *number, list.line = at;
    (list.lines += features) += line;
  }
  // The list of a number, from 0, which is greater than those before; without lines if there is
  // none. Reads as far as it must.
  RawList take(std::uint64_t number) {
    while (!complete()) step();
    RawList list;
    if (current_.line > 0 && current_.number == number) {
      list = std::move(current_);
      current_ = ahead_ ? std::move(*ahead_) : RawList();
      ahead_.reset();
    }
    if (!json_) next_ = number + 1;
    return list;
  }
  // The number of the next list; nothing at the end.
  std::optional<std::uint64_t> peek() {
    while (!complete()) step();
    if (current_.line == 0 && failure_) throw SettingError(*failure_);
    if (current_.line == 0) return std::nullopt;
    return current_.number;
  }
  // The line where the next list begins, or the last; 0: there is none.
  std::size_t line_number() const { return current_.line == 0 ? in_.line_number() : current_.line; }
  double part() const { return in_.part(); }
  std::string where(std::size_t line) const { return line == 0 ? first_ : in_.where(line); }
  bool degraded() const {
    return std::ranges::any_of(features_, [](const auto& file) { return file->problems.any(); });
  }

 private:
  void end() {
    ended_ = true;
    std::string line;
    for (const auto& file : features_)
      if (file->in.next(line))
        throw Error(file->in.name(), ": goes on at line ", in_.line_number() + 1,
                    ", where the lists have ended; it needs a number for each of their lines");
    if (!any_ && in_.line_number() > 0)
      throw SettingError(in_.where(1),
                         ": no line is of a list, as \"0 ||| text ||| NAME= value ||| score\"; "
                         "lists in JSON are read with ",
                         Setting{"json"});
  }

  const bool json_;
  const std::uint64_t start_;  // the number of the first
  std::uint64_t next_;         // numbers below it had their turn
  Reasons& problems_;
  const std::string first_;  // name of the first file
  LineFiles in_;
  std::vector<std::unique_ptr<FeatureReader>> features_;
  RawList current_;
  std::optional<RawList> ahead_;
  std::optional<SettingError> failure_;
  bool ended_ = false, any_ = false;
};

ListSource::ListSource(ListFiles files)
    : files_(std::move(files)),
      list_problems_([this](std::size_t line) { return lists_->where(line); }),
      reference_problems_([this](std::size_t line) { return references_->where(line); }),
      source_problems_([this](std::size_t line) { return source_->where(line); }) {
  if (files_.format == ListFormat::json && !files_.features.empty())
    throw Error("features of lists in JSON are their own; ", files_.features[0].path,
                " cannot be added");
  for (const FeatureFile& feature : files_.features) feature_names_.push_back(feature.name);
  lists_ = std::make_unique<Lists>(files_.lists, files_, files_.features, list_problems_);
  if (!files_.source.empty()) source_ = std::make_unique<LineReader>(files_.source);
  if (!files_.references.empty())
    references_ = std::make_unique<Lists>(std::vector{files_.references}, files_,
                                          std::vector<FeatureFile>(), reference_problems_);
}

ListSource::~ListSource() = default;

bool ListSource::ready() {
  for (; !lists_->complete(); lists_->step())
    if (!lists_->ready()) return false;
  return true;
}

double ListSource::part() const { return lists_->part(); }

bool ListSource::degraded() const {
  return list_problems_.any() || reference_problems_.any() || source_problems_.any() ||
         lists_->degraded();
}

std::string ListSource::where(std::size_t line) const { return lists_->where(line); }

void ListSource::leave_out_references(std::uint64_t end) {
  while (references_ && references_->peek() && *references_->peek() < end) {
    const RawList stray = references_->take(*references_->peek());
    reference_problems_.add("without a list", stray.line,
                            "references of list " + std::to_string(stray.number) +
                                ", which is not there; are left out");
  }
}

bool ListSource::next(std::string& line) {
  const std::uint64_t number = files_.first_line - 1 + items_;
  std::string source;
  const bool more = !source_ || source_->next(source);
  if (first_invalid_utf8(source) != source.npos) {
    source_problems_.add("not UTF-8; invalid bytes are read as U+FFFD", source_->line_number());
    source = repair_utf8(source);
  }
  while (!more && lists_->peek()) {
    const RawList list = lists_->take(*lists_->peek());
    const std::string what = "behind the last line of " + source_->name() + "; is left out";
    list_problems_.add(what, list.line, "list " + std::to_string(list.number) + " is " + what);
  }
  if (!more || (!source_ && !lists_->peek())) {
    leave_out_references(std::numeric_limits<std::uint64_t>::max());
    return false;
  }
  RawList list = lists_->take(number);
  if (list.line == 0)
    list_problems_.add("is missing", lists_->line_number(),
                       "list " + std::to_string(number) + " is missing; its line is empty");
  RawList reference;
  if (references_) {
    leave_out_references(number);
    reference = references_->take(number);
  }
  const std::string end =
      "\n" + source + "\n" + std::to_string(number + 1) + " " + std::to_string(list.lines.size());
  line = std::move(list.lines);  // which may be long
  (line += reference.lines) += end;
  ++items_;
  return true;
}

ListItem ListSource::item(const std::string& line) {
  const std::size_t last = line.rfind('\n'), source = line.rfind('\n', last - 1);
  std::size_t number = 0, size = 0;
  const char* const end = line.data() + line.size();
  std::from_chars(std::from_chars(line.data() + last + 1, end, number).ptr + 1, end, size);
  ListItem item;
  item.source = line.substr(source + 1, last - source - 1);
  item.source_line = number - (files_.first_line - 1);
  const std::string_view lists = std::string_view(line).substr(0, source);
  item.hypotheses = read(lists.substr(0, size), list_problem());
  item.hypotheses.feature_names = feature_names_;
  item.references = read(lists.substr(size), reference_problem());
  item.hypotheses.number = item.references.number = number;
  return item;
}

CandidateList ListSource::read(std::string_view lines, const ListProblem& problem) const {
  CandidateList list;
  list.format = files_.format;
  if (lines.empty()) {
    list.problem = "is missing";
    return list;
  }
  const char* const text =
      std::from_chars(lines.data() + 1, lines.data() + lines.size(), list.line).ptr + 1;
  if (list.format == ListFormat::json)
    return read_json({text, lines.data() + lines.size()}, list.line, problem);
  list.written.reserve(static_cast<std::size_t>(std::ranges::count(lines, '\n')));
  for (std::size_t begin = 1, end = 0; end < lines.size(); begin = end + 1) {
    end = std::min(lines.find('\n', begin), lines.size());
    list.written.push_back(lines.substr(begin, end - begin));
  }
  return list;
}

}  // namespace tt::rerank
