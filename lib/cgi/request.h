// Requests as CGI/1.1 (RFC 3875) and SCGI bring them, and the fields that they hold: of a query, of
// JSON, and of forms.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tt::cgi {

// A request that is not answered: the status of HTTP, and a sentence that says why.
class Refusal : public std::runtime_error {
 public:
  Refusal(int status, const std::string& why) : std::runtime_error(why), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

// The variables of a request that are read.
struct Head {
  std::string method, path, query, content_type, content_length;
};

// Reads up to `size` bytes, and returns their number; 0 at the end.
using Read = std::function<std::size_t(char* to, std::size_t size)>;

// From the environment, as CGI has them.
Head read_environment();
// From the netstring of names and values with which a request of SCGI begins. Throws Refusal if it
// is none, or is longer than a server's.
Head read_scgi(const Read& read);

// The body, of exactly the length that was announced. Throws Refusal if that is longer than `most`,
// which is read and kept nowhere, or if the body ends before.
std::string read_body(const Head& head, std::size_t most, const Read& read);

struct Field {
  std::vector<std::string> texts = {};  // one, unless it is a list
  bool list = false;
  bool text = true;                     // false: JSON of another type, as it is written
  std::set<std::size_t> repaired = {};  // which have U+FFFD for half of a surrogate pair
};

// All fields of a request. A name that a form has several times is a list; of JSON the last counts.
class Fields {
 public:
  // Throws Refusal for a body of a type that is not read, and for one that is damaged.
  Fields(const Head& head, std::string_view body);

  // Null if there is none, or it is null.
  const Field* find(std::string_view name) const;
  // The text of a field, or its number; empty if there is none. Throws Refusal for another type.
  std::string text(const std::string& name) const;

 private:
  void read_json(std::string_view body);
  void read_form(std::string_view form);
  void read_multipart(std::string_view body, const std::string& boundary);
  void add(const std::string& name, std::string text);  // of a form

  std::map<std::string, Field, std::less<>> all_;
};

}  // namespace tt::cgi
