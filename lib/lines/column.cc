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

std::string replace_column(const std::string& line, TextRange column, std::string with) {
  std::ranges::replace(with, '\t', ' ');
  return line.substr(0, column.begin) + with + line.substr(column.end);
}

}  // namespace

Transform column_transform(const LineOptions& options, const LineModels&) {
  if (options.column == 0) return nullptr;
  return [options](LineText& line) -> Undo {
    const std::string all = line.text;
    const int most =
        std::max({options.column, options.from_column, options.to_column, options.document_column});
    if (find_column(all, most).begin == std::string::npos) {
      line.refuse({Reason::too_few_columns, {}, static_cast<std::uint64_t>(most)});
      return {};
    }
    const auto text = [&](int column) { return std::string(find_column(all, column).in(all)); };
    const auto name = [&](int column) {
      const std::string whole = column > 0 ? text(column) : "";
      const auto words = words_of(whole);
      return words.empty() ? "" : whole.substr(words[0].begin, words.back().end - words[0].begin);
    };
    line.text = text(options.column);
    line.languages = {name(options.from_column), name(options.to_column)};
    line.document = name(options.document_column);
    return {.answer = std::bind_front(replace_column, all, find_column(all, options.column))};
  };
}

}  // namespace tt
