// Lines with columns, of which one has the text.
#include <algorithm>

#include "lines/transforms.h"

namespace tt {
namespace {

// The column, from 1, of a line; npos where it has fewer.
TextRange find_column(const std::string& line, int column) {
  std::size_t begin = 0;
  for (int c = 1; c < column; ++c) {
    begin = line.find('\t', begin);
    if (begin++ == std::string::npos) return {std::string::npos, 0};
  }
  return {begin, std::min(line.find('\t', begin), line.size())};
}

class ReplaceColumn : public Undo {
 public:
  ReplaceColumn(std::string line, TextRange column) : line_(std::move(line)), column_(column) {}

  std::string answer(const std::string& found) const override {
    std::string text = found;
    std::ranges::replace(text, '\t', ' ');
    return line_.substr(0, column_.begin) + text + line_.substr(column_.end);
  }

 private:
  std::string line_;
  TextRange column_;
};

class ReadColumn : public Transform {
 public:
  explicit ReadColumn(const LineOptions& options)
      : text_(options.column), from_(options.from_column), to_(options.to_column),
        document_(options.document_column) {}

  std::unique_ptr<Undo> read(LineText& line) const override {
    const std::string all = line.text;
    const int most = std::max({text_, from_, to_, document_});
    if (find_column(all, most).begin == std::string::npos) {
      line.refuse({Reason::too_few_columns, {}, static_cast<std::uint64_t>(most)});
      return nullptr;
    }
    const auto text = [&](int column) {
      const TextRange r = find_column(all, column);
      return all.substr(r.begin, r.end - r.begin);
    };
    const auto name = [&](int column) {
      const std::string whole = column > 0 ? text(column) : "";
      const auto words = words_of(whole);
      return words.empty() ? "" : whole.substr(words[0].begin, words.back().end - words[0].begin);
    };
    line.text = text(text_);
    line.languages = {name(from_), name(to_)};
    line.document = name(document_);
    return std::make_unique<ReplaceColumn>(all, find_column(all, text_));
  }

 private:
  int text_, from_, to_, document_;
};

}  // namespace

std::unique_ptr<Transform> column_transform(const LineOptions& options, const LineModels&) {
  return options.column > 0 ? std::make_unique<ReadColumn>(options) : nullptr;
}

}  // namespace tt
