// Requests of CGI and SCGI, and their fields.
#include "cgi/models.h"
#include "cgi/request.h"
#include "tests/catch.h"

namespace tt::cgi {
namespace {

Read reader(std::string& text, std::size_t most = 7) {
  return [&text, most](char* to, std::size_t size) {
    const std::size_t count = text.copy(to, std::min(size, most));
    text.erase(0, count);
    return count;
  };
}

Fields fields(const std::string& type, const std::string& body, const std::string& query = "") {
  return {{"POST", "/translate", query, type, ""}, body};
}

int refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refusal& refused) {
    return refused.status();
  }
  return 0;
}
int refusal(const std::string& type, const std::string& body) {
  return refusal([&] { fields(type, body); });
}

using Texts = std::vector<std::string>;
constexpr const char* kForm = "application/x-www-form-urlencoded";

TEST_CASE("forms have spaces, bytes and lists") {
  const Fields form = fields(kForm, "q=a+b%20%C3%a4%&&q=%0d%0A\r\n&=1&x&source=de", "format=html");
  REQUIRE(form.find("q"));
  CHECK(form.find("q")->texts == Texts{"a b ä%", "\n\n"});
  CHECK(form.find("q")->list);
  CHECK(form.text("source") == "de");
  CHECK(form.text("format") == "html");
  CHECK(form.text("x").empty());
  CHECK(!form.find("y"));
  CHECK(refusal([&] { form.text("q"); }) == 400);
}

TEST_CASE("of JSON the last of a name counts, and types are told apart") {
  const std::string body =
      R"({"q":["\u00e4\ud800","b"],"n":3,"s":1,"s":"x","o":{"a":[1]},"z":null,"e":[],"l":[1,"a"]})";
  const Fields json = fields("Application/JSON ; charset=\"utf-8\"", body, "s=query&z=1");
  CHECK(json.find("q")->texts == Texts{"ä\uFFFD", "b"});
  CHECK(json.find("q")->repaired == std::set<std::size_t>{0});
  CHECK(json.find("q")->text);
  CHECK(json.text("n") == "3");
  CHECK(json.text("s") == "x");
  CHECK(!json.find("z"));
  CHECK(json.find("e")->texts.empty());
  CHECK(!json.find("l")->text);
  CHECK(refusal([&] { json.text("o"); }) == 400);
  CHECK(refusal([&] { json.text("e"); }) == 400);
  for (const char* const wrong : {"[]", "{", "1", "", "{\"q\":01}", "{\"q\":[}"})
    CHECK(refusal("application/json", wrong) == (*wrong ? 400 : 0));
  CHECK(refusal("application/json", std::string(100000, '[')) == 400);
  CHECK(refusal("application/json; charset=latin1", "{}") == 415);
  CHECK(refusal("application/ld+json", "{}") == 0);
  CHECK(refusal("text/plain", "{}") == 415);
  CHECK(refusal("", "{}") == 415);
}

TEST_CASE("parts of a form have names, and any text") {
  const std::string type = "multipart/form-data; x=1; boundary=\"a b\"", line = "--a b",
                    q = "\r\nContent-Disposition: form-data; filename=\"name\"; name=q\r\n";
  const Fields form =
      fields(type, "preamble\r\n" + line + q + "content-type: text/plain\r\n\r\n--a\r\n--b\r\n" +
                       line + " \r\ncontent-disposition:form-data;NAME=\"source\"\r\n\r\n\r\n" +
                       line + q + "\r\n\xff\r\n" + line + "--\r\n" + line);
  CHECK(form.find("q")->texts == Texts{"--a\n--b", "\xff"});
  CHECK(form.find("source"));
  CHECK(form.text("source").empty());
  for (const std::string& wrong :
       {std::string("a"), line, line + "\r\n", line + q + line + "--", line + q + "\r\n" + line,
        line + "\r\n\r\na\r\n" + line + "--", line + q + "\r\na\r\n" + line})
    CHECK(refusal(type, wrong) == 400);
  CHECK(refusal("multipart/form-data", line + q + "\r\na\r\n" + line + "--") == 400);
  CHECK(refusal(type, line + q + "Content-Transfer-Encoding: base64\r\n\r\na\r\n" + line + "--") ==
        415);
  CHECK(refusal(type, line + "--") == 0);
}

TEST_CASE("a body has the length that was announced") {
  const auto body = [](const std::string& length, std::string text) {
    return read_body({"POST", "", "", "text/plain", length}, 20, reader(text));
  };
  // One that is refused is read, as much as there is.
  std::string rest(1 << 20, 'a');
  CHECK(refusal([&] {
          read_body({"POST", "", "", "", "1048570"}, 20, reader(rest, 1 << 12));
        }) == 413);
  CHECK(rest.size() == 6);
  CHECK(read_body({"GET", "", "", "text/plain", ""}, 20, reader(rest)).empty());
  CHECK(body("10", "0123456789abc") == "0123456789");
  CHECK(body("0", "abc").empty());
  CHECK(refusal([&] { body("10", "012345678"); }) == 400);
  CHECK(refusal([&] { body("21", ""); }) == 413);
  CHECK(refusal([&] { body("99999999999999999999999", ""); }) == 413);
  for (const char* const wrong : {"-1", "1x", " 1", "0x1"})
    CHECK(refusal([&] { body(wrong, "abc"); }) == 400);
  CHECK(refusal([&] { body("", "abc"); }) == 411);
}

TEST_CASE("a request of SCGI is a netstring and a body") {
  const auto head = [](std::string text) { return read_scgi(reader(text)); };
  const std::string pairs("CONTENT_LENGTH\0003\0SCGI\0001\0REQUEST_METHOD\0POST\0PATH_INFO\0/a\0",
                          58);
  const std::string netstring = std::to_string(pairs.size()) + ":" + pairs + ",";
  const Head found = head(netstring + "abc");
  CHECK(found.method == "POST");
  CHECK(found.path == "/a");
  CHECK(found.content_length == "3");
  CHECK(found.query.empty());
  for (const std::string& wrong :
       {std::string(), std::string(":"), std::string("GET / HTTP/1.1\r\n"), netstring.substr(0, 40),
        "58:" + pairs + ";", std::string("x:,")})
    CHECK(refusal([&] { head(wrong); }) == 400);
  CHECK(refusal([&] { head("999999:"); }) == 431);
  CHECK(head("3:abc,").method.empty());
}

TEST_CASE("languages are found by any name") {
  const Texts codes{"ace-Arab", "de", "en", "pt-BR", "pt-PT", "zh-Hans", "zh-Hant"};
  const auto find = [&](const std::string& name) {
    return find_language(name, codes).value_or("(none)");
  };
  CHECK(find("de") == "de");
  CHECK(find("deu") == "de");
  CHECK(find("DE") == "de");
  CHECK(find("de-AT") == "de");
  CHECK(find("deu_Latn") == "de");
  CHECK(find("pt") == "pt-BR");
  CHECK(find("pb") == "pt-BR");
  CHECK(find("pt_PT") == "pt-PT");
  CHECK(find("zh") == "zh-Hans");
  CHECK(find("zt") == "zh-Hant");
  CHECK(find("zh-TW") == "zh-Hant");
  CHECK(find("zh-hans") == "zh-Hans");
  for (const std::string& wrong :
       {std::string("fr"), std::string("../de"), std::string("de\0", 3), std::string(),
        std::string("d"), std::string(1 << 20, 'd'), std::string("de en"), std::string("auto")})
    CHECK(find(wrong) == "(none)");
}

}  // namespace
}  // namespace tt::cgi
