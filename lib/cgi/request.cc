#include "cgi/request.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/capitals.h"
#include "base/error.h"
#include "base/json_line.h"
#include "base/split.h"

namespace tt::cgi {
namespace {

constexpr std::size_t kLongestHead = 1 << 18;  // of SCGI: a query more than once
constexpr std::size_t kMostPassed = 64 << 20;  // bytes of a body that is too large

// "application/json; charset=UTF-8": the type in small letters, and a parameter of it.
std::string type_of(std::string_view header) {
  return ascii_small(trimmed(header.substr(0, header.find(';'))));
}

// A parameter of a header, such as the "name" of 'form-data; name="q"'; empty where it has none. No
// quoted string with an escape in it is one of those that are asked for.
std::string parameter(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(';'); at < header.size();) {
    const std::size_t sign = header.find('=', at);
    if (sign == header.npos) break;
    const std::string found = ascii_small(trimmed(header.substr(at + 1, sign - at - 1)));
    std::size_t begin = header.find_first_not_of(" \t", sign + 1), end = header.npos;
    if (begin == header.npos) break;
    const bool quoted = header[begin] == '"';
    end = std::min(header.find(quoted ? '"' : ';', begin += quoted), header.size());
    if (found == name) return std::string(trimmed(header.substr(begin, end - begin)));
    at = header.find(';', end);
  }
  return "";
}

int hexadecimal(char c) {
  int value = -1;
  std::from_chars(&c, &c + 1, value, 16);
  return value;
}

// Of a query or a form: spaces are +, and other bytes %XX. A % without digits is one.
std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hexadecimal(text[i + 1]) : -1,
              low = high >= 0 ? hexadecimal(text[i + 2]) : -1;
    if (low >= 0) i += 2;
    result += low >= 0 ? static_cast<char>(high * 16 + low) : text[i] == '+' ? ' ' : text[i];
  }
  return result;
}

// The lines of a form end in CR LF, whatever they were before.
std::string with_line_feeds(std::string text) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') text[to++] = text[i];
  text.resize(to);
  return text;
}

std::size_t number(std::string_view digits) {
  std::size_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range) return ~std::size_t{0};
  if (error != std::errc() || at != end)
    throw Refusal(400, "Invalid request: its length is no number");
  return value;
}

std::string read_exactly(std::size_t size, const Read& read) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  for (std::size_t got; done < size; done += got)
    if ((got = read(bytes.data() + done, size - done)) == 0)
      throw Refusal(400, "Invalid request: it ends behind byte " + std::to_string(done) + " of " +
                             std::to_string(size));
  return bytes;
}

}  // namespace

Head read_environment() {
  const auto value = [](const char* name) {
    const char* const text = std::getenv(name);
    return std::string(text ? text : "");
  };
  return {value("REQUEST_METHOD"), value("PATH_INFO"), value("QUERY_STRING"), value("CONTENT_TYPE"),
          value("CONTENT_LENGTH")};
}

Head read_scgi(const Read& read) {
  std::string size;
  for (char c; (c = read_exactly(1, read)[0]) != ':'; size += c)
    if (size.size() == 6) throw Refusal(400, "Invalid request: it is not SCGI");
  const std::size_t length = number(size);
  if (length > kLongestHead) throw Refusal(431, "Invalid request: its head is too long");
  const std::string text = read_exactly(length + 1, read);
  if (text.back() != ',') throw Refusal(400, "Invalid request: it is not SCGI");
  Head head;
  for (std::size_t at = 0; at < length;) {
    const std::size_t end = text.find('\0', at), next = text.find('\0', end + 1);
    if (end == text.npos || next == text.npos) break;
    const std::string_view name(text.data() + at, end - at);
    for (const auto& [known, to] : {std::pair("REQUEST_METHOD", &head.method),
                                    {"PATH_INFO", &head.path},
                                    {"QUERY_STRING", &head.query},
                                    {"CONTENT_TYPE", &head.content_type},
                                    {"CONTENT_LENGTH", &head.content_length}})
      if (name == known) *to = text.substr(end + 1, next - end - 1);
    at = next + 1;
  }
  return head;
}

std::string read_body(const Head& head, std::size_t most, const Read& read) {
  if (head.content_length.empty() && !head.content_type.empty() && head.method == "POST")
    throw Refusal(411, "Invalid request: Content-Length is missing");
  const std::size_t size = head.content_length.empty() ? 0 : number(head.content_length);
  if (size <= most) return read_exactly(size, read);
  // Some servers lose the answer to a request that nobody has read.
  std::string passed(1 << 16, '\0');
  for (std::size_t rest = std::min(size, kMostPassed), got = 1; rest > 0 && got > 0; rest -= got)
    got = read(passed.data(), std::min(rest, passed.size()));
  throw Refusal(413, "Invalid request: its body is larger than " + std::to_string(most) + " bytes");
}

Fields::Fields(const Head& head, std::string_view body) {
  read_form(head.query);
  if (body.empty()) return;
  const std::string type = type_of(head.content_type),
                    charset = ascii_small(parameter(head.content_type, "charset"));
  if (!charset.empty() && charset != "utf-8" && charset != "utf8" && charset != "us-ascii")
    throw Refusal(415, "Invalid request: its text must be UTF-8");
  if (type == "application/json" || (type.starts_with("application/") && type.ends_with("+json")))
    read_json(body);
  else if (type == "application/x-www-form-urlencoded") read_form(body);
  else if (type == "multipart/form-data")
    read_multipart(body, parameter(head.content_type, "boundary"));
  else
    throw Refusal(415,
                  "Invalid request: its Content-Type must be application/json, "
                  "application/x-www-form-urlencoded or multipart/form-data");
}

void Fields::read_json(std::string_view body) try {
  for (const JsonMember& member : json_members(body)) {
    Field field;
    const auto add = [&](const JsonMember& value) {
      field.text &= value.text.has_value();
      if (value.repaired) field.repaired.insert(field.texts.size());
      field.texts.push_back(value.text.value_or(std::string(value.value())));
    };
    field.list = member.value().starts_with('[');
    if (!field.list) add(member);
    else
      for (const std::string_view element : json_elements(member.value()))
        add(json_members("{\"\":" + std::string(element) + "}")[0]);
    if (member.value() == "null") all_.erase(member.key);
    else all_[member.key] = std::move(field);
  }
} catch (const Error& error) {
  throw Refusal(400, std::string("Invalid JSON format: ") + error.what());
}

void Fields::read_form(std::string_view form) {
  for (std::size_t at = 0, end; at < form.size(); at = end + 1) {
    end = std::min(form.find('&', at), form.size());
    const std::string_view pair = form.substr(at, end - at);
    const std::size_t sign = std::min(pair.find('='), pair.size());
    if (!pair.empty())
      add(unescaped(pair.substr(0, sign)), unescaped(pair.substr(std::min(sign + 1, pair.size()))));
  }
}

// RFC 7578: parts with headers of their own between lines of the boundary.
void Fields::read_multipart(std::string_view body, const std::string& boundary) {
  const auto damaged = [](const char* why) {
    throw Refusal(400, std::string("Invalid request: multipart/form-data ") + why);
  };
  if (boundary.empty()) damaged("without a boundary");
  const std::string line = "--" + boundary, between = "\r\n" + line;
  std::size_t at = body.starts_with(line) ? 0 : body.find(between);
  if (at == body.npos) damaged("without a part");
  at += at == 0 ? line.size() : between.size();
  while (!body.substr(at).starts_with("--")) {
    const std::size_t head = body.find("\r\n", at), text = body.find("\r\n\r\n", head),
                      end = text == body.npos ? text : body.find(between, text + 4);
    if (end == body.npos) damaged("that breaks off");
    std::string name;
    for (std::size_t i = head + 2, next; i < text; i = next + 2) {
      next = std::min(body.find("\r\n", i), text);
      const std::string_view header = body.substr(i, next - i);
      const std::size_t colon = std::min(header.find(':'), header.size());
      const std::string called = ascii_small(header.substr(0, colon)),
                        value(header.substr(std::min(colon + 1, header.size())));
      if (called == "content-disposition") name = parameter(value, "name");
      if (const std::string code = type_of(value); called == "content-transfer-encoding" &&
                                                   code != "binary" && code != "8bit" &&
                                                   code != "7bit")
        throw Refusal(415, "Invalid request: a part is encoded");
    }
    if (name.empty()) damaged("with a part without a name");
    add(name, std::string(body.substr(text + 4, end - text - 4)));
    at = end + between.size();
  }
}

void Fields::add(const std::string& name, std::string text) {
  Field& field = all_[name];
  field.list = !field.texts.empty();
  field.texts.push_back(with_line_feeds(std::move(text)));
}

const Field* Fields::find(std::string_view name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : &found->second;
}

std::string Fields::text(const std::string& name) const {
  const Field* const field = find(name);
  if (!field) return "";
  const bool number = !field->list && std::string_view("-0123456789").find(field->texts[0][0]) !=
                                          std::string_view::npos;
  if (field->list || !(field->text || number))
    throw Refusal(400, "Invalid request: " + name + " parameter is not text");
  return field->texts[0];
}

}  // namespace tt::cgi
