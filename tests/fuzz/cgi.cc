// Fuzz target: any bytes, as a request of SCGI, or as the body of one whose type is the first line,
// give fields or a refusal.
//
//   make fuzz CXX=clang++
#include "base/error.h"
#include "cgi/request.h"

namespace {

using namespace tt::cgi;

Read reader(std::string_view& text) {
  return [&text](char* to, std::size_t size) {
    const std::size_t count = text.copy(to, size);
    text.remove_prefix(count);
    return count;
  };
}

void check(const Head& head, std::string_view body) {
  const Fields fields(head, body);
  std::size_t size = 0;
  for (const char* const name : {"q", "source", "target", "format", "alternatives"}) {
    const Field* const field = fields.find(name);
    if (!field) continue;
    TT_CHECK(field->list || field->texts.size() == 1);
    for (const std::string& text : field->texts) size += text.size();
    try {
      TT_CHECK(fields.text(name) == field->texts[0]);
    } catch (const Refusal& refused) {
      TT_CHECK(field->list || !field->text);
    }
  }
  // Half of a surrogate pair has six bytes, and U+FFFD three.
  TT_CHECK(size <= head.query.size() + body.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    std::string_view rest = text;
    const Head head = read_scgi(reader(rest));
    check(head, read_body(head, 1 << 16, reader(rest)));
  } catch (const Refusal& refused) {
    TT_CHECK(refused.status() >= 400 && refused.status() < 500 && *refused.what());
  }
  const std::size_t end = text.find('\n');
  if (end == text.npos) return 0;
  try {
    check({"POST", "/", "", std::string(text.substr(0, end)), ""}, text.substr(end + 1));
  } catch (const Refusal& refused) {
    TT_CHECK(refused.status() >= 400 && refused.status() < 500 && *refused.what());
  }
  return 0;
}
