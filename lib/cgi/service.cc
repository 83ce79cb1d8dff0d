#include "cgi/service.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/report.h"
#include "base/thread_pool.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "cgi/models.h"
#include "clean/language.h"
#include "nn/device.h"

namespace tt::cgi {
namespace {

using Json = nlohmann::ordered_json;

// The sentence for clients, who are not to know of files.
constexpr const char* kFailure = "the server cannot answer; its log says why";
// A character is at most twelve bytes of a body: "\ud83d\ude00", or %F0%9F%98%80.
constexpr std::size_t kCharacter = 12, kRest = 1 << 16;

// A text, and what became of it.
struct Text {
  std::vector<std::string> best;  // before it is translated, the text itself
  Json warnings = Json::array();
};

[[noreturn]] void refuse(const std::string& why, int status = 400) {
  throw Refusal(status, "Invalid request: " + why);
}

class Service {
 public:
  Service(const ServiceSettings& settings, const Head& head, std::string_view body)
      : settings_(settings), fields_(head, body), models_(settings.models) {}

  Json health() { return {{"status", "ok"}}; }
  Json languages();
  Json settings();
  Json detect();
  Json translate();

 private:
  // A language of the folder in which texts are, and how sure that is, to 100.
  struct Detected {
    std::string language;
    double confidence = 0;
  };

  std::vector<Text> texts() const;
  std::vector<Detected> detected(const std::vector<Text>& texts);
  int alternatives() const;
  void run(const Step& step, bool html, int count, std::vector<Text>& texts) const;

  const ServiceSettings& settings_;
  const Fields fields_;
  Models models_;
};

Json named(const std::string& code, const std::string& name) {
  return {{"code", code}, {"name", name}};
}

Json Service::languages() {
  Json all = Json::array();
  for (const std::string& code : models_.languages()) {
    all.push_back(named(code, english_name(code)));
    all.back()["targets"] = models_.targets(code);
  }
  return all;
}

Json Service::settings() {
  std::string target;  // the first that another language is translated into
  for (const std::string& code : models_.languages())
    for (const std::string& other : models_.targets(code))
      if (target.empty() && other != code) target = other;
  return {{"charLimit", settings_.characters},
          {"frontendTimeout", 500},
          {"apiKeys", false},
          {"keyRequired", false},
          {"suggestions", false},
          {"filesTranslation", false},
          {"supportedFilesFormat", Json::array()},
          {"language",
           {{"source", named("auto", "Auto Detect")},
            {"target", named(target, english_name(target))}}}};
}

std::vector<Text> Service::texts() const {
  const Field* const field = fields_.find("q");
  if (!field || field->texts.empty() || (!field->list && field->texts[0].empty()))
    refuse("missing q parameter");
  if (!field->text) refuse("q parameter is no text, and no list of texts");
  std::vector<Text> all;
  std::size_t size = 0;
  for (const std::string& text : field->texts) {
    size += count_characters(text);
    Text& added = all.emplace_back(Text{{text}});
    if (field->repaired.contains(all.size() - 1))
      added.warnings.push_back(text_of(Problem{Reason::half_surrogate, {}, 0, in_quotes("q")}));
  }
  if (size > settings_.characters)
    refuse("request (" + std::to_string(size) + ") exceeds text limit (" +
           std::to_string(settings_.characters) + ")");
  return all;
}

std::vector<Service::Detected> Service::detected(const std::vector<Text>& texts) {
  std::string all;
  for (const Text& text : texts) all += text.best[0] + "\n";
  const std::vector<std::string> languages = models_.languages();
  std::vector<Detected> found;
  for (const clean::GuessedLanguage& guess : clean::guess_languages(all)) {
    auto code = find_language(guess.code, languages);
    if (!code) code = find_language(guess.code.substr(0, guess.code.find('-')), languages);
    if (code) found.push_back({*code, static_cast<double>(guess.percent)});
  }
  // As LibreTranslate has it.
  if (found.empty()) found.push_back({find_language("en", languages).value_or("en")});
  return found;
}

Json Service::detect() {
  Json all = Json::array();
  for (const Detected& found : detected(texts()))
    all.push_back({{"confidence", found.confidence}, {"language", found.language}});
  return all;
}

int Service::alternatives() const {
  const std::string text = fields_.text("alternatives");
  const auto number = text.empty() ? 0 : number_in<int>(text);
  if (!number) refuse("alternatives parameter is not a number");
  if (*number > static_cast<int>(settings_.alternatives))
    refuse("alternatives parameter must be <= " + std::to_string(settings_.alternatives));
  return std::max(*number, 0);
}

// Translates the best of each text, and adds what was wrong with it.
void Service::run(const Step& step, bool html, int count, std::vector<Text>& texts) const {
  const auto backend = open_backend({});
  const LoadedModel model = load_model(step.file, *backend, settings_.form);
  const Config& config = model.model->config();
  const std::string base = step.file.substr(0, step.file.rfind('.'));
  FilterOptions options;
  settings_.configure(model, count, file_exists(base + ".glossary") ? base + ".glossary" : "",
                      options);
  LineOptions& input = options.input;
  input.sentences = is_known_language(step.codes.from) ? step.codes.from : "en";
  if (html) {
    input.markup = MarkupKind::html;
    input.keep.marked = input.accelerators = false;  // which are conventions of text
  }
  if (texts.size() > 1) input.context = 0;  // the texts of a list are no document
  TranslateOptions& translate = options.translate;
  const bool by_words = !config.source_prefixes.empty();
  if (by_words || config.source_language != SourceLanguage::none)
    translate.languages.from = step.names.from;
  if (by_words || config.target_language != TargetLanguage::none)
    translate.languages.to = step.names.to;
  if (file_exists(base + ".lex"))
    translate.shortlist = std::make_shared<const Shortlist>(base + ".lex");

  LineTranslator translator({&model, 1}, *backend, input, translate, options.output.alignment,
                            settings_.threads);
  ThreadPool pool(translator.translator().threads());
  const BatchRunner runner{pool.threads(), [&](std::size_t batches, const auto& each) {
                             pool.run(batches, [&](std::size_t b, int thread) {
                               each(b, translator.translator().tapes(thread));
                             });
                           }};
  std::vector<std::string> lines;
  for (const Text& text : texts) lines.push_back(text.best[0]);
  const std::vector<Line> found =
      translator.run(lines, 1, count > 1, translator.translator().tapes(0), &runner);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Line& line = found[i];
    texts[i].best.clear();
    if (!line.text.answerable) texts[i].best.push_back(line.raw);
    else
      for (const Translation& translation : line.found.result.best)
        texts[i].best.push_back(translation.text);
    for (const Problem& problem : line.text.problems)
      texts[i].warnings.push_back(step.codes.from + "-" + step.codes.to + ": " + text_of(problem));
  }
}

// The others of a text's translations, each once.
Json others(const std::vector<std::string>& best) {
  std::set<std::string> seen{"", best[0]};
  Json all = Json::array();
  for (const std::string& text : best)
    if (seen.insert(text).second) all.push_back(text);
  return all;
}

Json Service::translate() {
  std::vector<Text> all = texts();
  std::string source = fields_.text("source");
  const std::string target = fields_.text("target");
  for (const auto& [name, value] : {std::pair("source", source), {"target", target}})
    if (value.empty()) refuse(std::string("missing ") + name + " parameter");
  const int count = alternatives() + 1;
  const std::string format = fields_.text("format");
  const bool automatic = source == "auto";
  Detected language;
  if (automatic) {
    language = detected(all)[0];
    source = language.language;
    if (language.confidence == 0)
      for (Text& text : all)
        text.warnings.push_back("its language cannot be told; it is read as " + source);
  }
  const std::vector<Step> steps = models_.route(source, target);
  if (!format.empty() && format != "text" && format != "html")
    throw Refusal(400, in_quotes(format) + " format is not supported");
  for (const Step& step : steps)
    run(step, format == "html", &step == &steps.back() ? count : 1, all);

  Json answer, texts = Json::array(), detected = Json::array(), alternatives = Json::array(),
               warnings = Json::array();
  bool warned = false;
  for (Text& text : all) {
    texts.push_back(text.best[0]);
    detected.push_back({{"confidence", language.confidence}, {"language", language.language}});
    alternatives.push_back(others(text.best));
    warned |= !text.warnings.empty();
    warnings.push_back(std::move(text.warnings));
  }
  const auto add = [&](const char* name, bool wanted, Json& values) {
    if (wanted) answer[name] = fields_.find("q")->list ? values : values[0];
  };
  add("translatedText", true, texts);
  add("detectedLanguage", automatic, detected);
  add("alternatives", count > 1, alternatives);
  if (steps.size() > 1) answer["pivot"] = steps[0].codes.to;
  add("warnings", warned, warnings);
  return answer;
}

struct Endpoint {
  const char* path;
  bool posted;  // or got
  Json (Service::*work)();
};
constexpr Endpoint kEndpoints[] = {
    {"/translate", true, &Service::translate},         {"/detect", true, &Service::detect},
    {"/languages", false, &Service::languages},        {"/health", false, &Service::health},
    {"/frontend/settings", false, &Service::settings},
};

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Answer failed(int status, const std::string& why) { return {status, dump({{"error", why}})}; }

Answer answer_or_throw(const ServiceSettings& settings, const Read& read) {
  const Head head = settings.scgi ? read_scgi(read) : read_environment();
  const std::string body = read_body(head, settings.characters * kCharacter + kRest, read);
  const auto endpoint = std::ranges::find(kEndpoints, head.path, &Endpoint::path);
  if (endpoint == std::end(kEndpoints)) throw Refusal(404, "There is nothing of this name");
  const std::string methods = endpoint->posted ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
  if (head.method == "OPTIONS") return {204, "", methods};
  if (endpoint->posted ? head.method != "POST" : head.method != "GET" && head.method != "HEAD") {
    Answer answer = failed(405, "This wants another method: " + methods);
    answer.methods = methods;
    return answer;
  }
  const Json found = (Service(settings, head, body).*endpoint->work)();
  return {200, dump(found), "", found.is_object() && found.contains("warnings")};
}

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 431: return "Request Header Fields Too Large";
    default: return "Internal Server Error";
  }
}

}  // namespace

std::string Answer::text() const {
  std::string head = "Status: " + std::to_string(status) + " " + reason_of(status) + "\r\n";
  if (!body.empty()) head += "Content-Type: application/json; charset=utf-8\r\n";
  if (!methods.empty()) head += "Allow: " + methods + "\r\n";
  // Pages of any site may ask.
  return head +
         "Cache-Control: no-store\r\n"
         "X-Content-Type-Options: nosniff\r\n"
         "Access-Control-Allow-Origin: *\r\n"
         "Access-Control-Allow-Headers: Authorization, Content-Type\r\n"
         "Access-Control-Allow-Methods: GET, POST\r\n"
         "Access-Control-Max-Age: 1728000\r\n\r\n" +
         body;
}

Answer answer(const ServiceSettings& settings, const Read& read) try {
  return answer_or_throw(settings, read);
} catch (const Refusal& refusal) {
  return failed(refusal.status(), refusal.what());
} catch (const std::bad_alloc&) {
  warn("out of memory");
  return failed(500, kFailure);
} catch (const std::exception& error) {
  warn(error.what());
  return failed(500, kFailure);
}

}  // namespace tt::cgi
