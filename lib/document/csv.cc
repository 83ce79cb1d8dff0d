// Tables of values with commas between them (RFC 4180): the fields of some columns are texts.
#include <algorithm>

#include "base/error.h"
#include "base/report.h"
#include "base/split.h"
#include "document/format.h"
#include "document/plain_text.h"

namespace tt::document {
namespace {

struct Field {
  std::size_t begin = 0, end = 0;  // with its quotes
  bool quoted = false;
  std::string value = {};
};

class Table {
 public:
  Table(Editor& editor, const Settings& settings)
      : editor_(editor), delimiter_(settings.delimiter) {
    if (editor.document().starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  // The fields of the next record; false at the end, or where a quote is not closed, which is
  // reported.
  bool next(std::vector<Field>& fields) {
    const std::string_view document = editor_.document();
    fields.clear();
    if (at_ >= document.size()) return false;
    record_ = at_;
    while (true) {
      Field field{.begin = at_};
      if (at_ < document.size() && document[at_] == '"' && !quoted(field)) return false;
      const std::size_t rest = at_;
      const char stops[] = {delimiter_, '\n', '\0'};
      at_ = std::min(document.find_first_of(stops, at_), document.size());
      field.end = at_;
      if (at_ == document.size() || document[at_] == '\n')
        while (field.end > rest && document[field.end - 1] == '\r') --field.end;
      if (!field.quoted) field.value = document.substr(rest, field.end - rest);
      if (field.quoted && field.end > rest) {
        editor_.report_unread(field.begin,
                              "text behind the closing quote of a field, which stays as it is");
        field.value.clear();
      }
      fields.push_back(field);
      if (at_ == document.size()) return true;
      if (document[at_++] == '\n') return true;
    }
  }

  std::size_t record() const { return record_; }  // where the record that was read last begins

  // A field with another value, quoted if it was, or has to be.
  std::string written(const Field& field, std::string_view value) const {
    const char special[] = {delimiter_, '"', '\n', '\r', '\0'};
    if (!field.quoted && value.find_first_of(special) == std::string_view::npos)
      return std::string(value);
    std::string result = "\"";
    for (const char c : value) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
  }

 private:
  // A field in quotes, up to the quote that closes it.
  bool quoted(Field& field) {
    const std::string_view document = editor_.document();
    field.quoted = true;
    for (std::size_t at = at_ + 1;; ++at) {
      const std::size_t from = at;
      at = document.find('"', at);
      if (at == std::string_view::npos) {
        editor_.report_unread(
            field.begin,
            "the quote that begins this field is not closed; the text behind it stays as it is");
        at_ = document.size();
        return false;
      }
      field.value += document.substr(from, at - from);
      at_ = at + 1;
      if (!document.substr(at_).starts_with('"')) return true;
      field.value += '"', ++at;
    }
  }

  Editor& editor_;
  char delimiter_;
  std::size_t at_ = 0, record_ = 0;
};

// The ends of a table's lines, but for those in quotes.
LineEnds line_ends(std::string_view document, char delimiter) {
  LineEnds ends;
  bool begins = true;  // a field, or what follows a quote that closes one
  for (std::size_t at = document.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < document.size(); ++at) {
    const char c = document[at];
    if (begins && c == '"') {
      at = std::min(document.find('"', at + 1), document.size());
      continue;
    }
    ends.count(document, at);
    begins = c == delimiter || c == '\n' || c == '\r';
  }
  return ends;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 7 &&
         text.find_first_not_of("0123456789") == std::string::npos && text[0] != '0';
}

// The columns, from 0, in their order.
std::vector<std::size_t> columns_of(Editor& editor, const Settings& settings,
                                    const std::vector<Field>& first) {
  std::vector<std::size_t> columns;
  for (const std::string& column : settings.columns) {
    const auto named = std::ranges::find(first, column, &Field::value);
    if (is_number(column) && (named == first.end() || std::stoul(column) <= first.size()))
      columns.push_back(std::stoul(column) - 1);
    else if (std::ranges::count(first, column, &Field::value) > 1)
      throw Error(editor.where(0), ": several columns of the first row are named ",
                  in_quotes(column), "; give their numbers");
    else if (named != first.end())
      columns.push_back(static_cast<std::size_t>(named - first.begin()));
    else
      throw Error(editor.where(0), ": no column ", in_quotes(column),
                  " in the first row: ", join(first, ", ", &Field::value));
  }
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

}  // namespace

void pass_csv(Editor& editor, const Settings& settings) {
  if (settings.columns.empty())
    throw Error(editor.where(0), ": say which columns of the table are text");
  editor.check_line_ends(line_ends(editor.document(), settings.delimiter));
  Table table(editor, settings);
  std::vector<Field> fields;
  if (!table.next(fields))
    throw Error(editor.problems().empty() ? editor.where(0) + ": no table; the document is empty"
                                          : editor.problems()[0]);
  const std::vector<std::size_t> columns = columns_of(editor, settings, fields);
  const bool header = settings.header || std::ranges::any_of(settings.columns, [](const auto& c) {
                        return !is_number(c);
                      });
  const std::size_t width = fields.size();
  std::size_t rows = 0, shorter = 0, first_shorter = 0, others = 0, first_other = 0,
              other_width = 0;
  for (bool more = header ? table.next(fields) : true; more; more = table.next(fields)) {
    if (fields.size() == 1 && fields[0].begin == fields[0].end) continue;  // an empty line
    ++rows;
    if (columns.back() >= fields.size()) {
      if (shorter++ == 0) first_shorter = table.record();
    } else if (fields.size() != width && others++ == 0) {
      first_other = table.record();
      other_width = fields.size();
    }
    for (const std::size_t column : columns) {
      if (column >= fields.size() || !has_letter(fields[column].value)) continue;
      const Field& field = fields[column];
      const auto translated = plain_translation(editor, field.begin, field.value);
      if (!translated) continue;
      editor.mean(*translated);
      editor.replace(field.begin, field.end, table.written(field, *translated));
    }
  }
  if (rows > 0 && rows == shorter)
    throw Error(editor.where(first_shorter), ": no row has a column ", columns.back() + 1,
                "; is the delimiter ", in_quotes(std::string(1, settings.delimiter)), "?");
  if (shorter > 0)
    editor.report(first_shorter, "no column " + std::to_string(columns.back() + 1) + " in " +
                                     count_of(shorter, "row") + ", the first of them here");
  if (others > 0)
    editor.report(first_other, count_of(other_width, "field") + ", where the first row has " +
                                   std::to_string(width) + "; another number in " +
                                   count_of(others, "row") +
                                   ", the first of them here; is a delimiter not in quotes?");
}

}  // namespace tt::document
