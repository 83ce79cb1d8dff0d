// The answers to requests: LibreTranslate's interface over a folder of models.
//
//   POST /translate   q (a text, or a list), source (a language, or auto), target, format (text or
//                     html), alternatives
//   POST /detect      q
//   GET /languages, /health, /frontend/settings
//
// Texts are translated as by tt-translate, sentence by sentence. Beside LibreTranslate's members an
// answer has "pivot", where there is a language between the two, and "warnings", where something
// could not be done as asked: sentences, of a list a list for each text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cgi/request.h"
#include "lines/filter.h"

namespace tt::cgi {

struct ServiceSettings {
  std::string models;                                   // the folder
  std::uint64_t characters = 20000, alternatives = 10;  // of a request, at most
  bool scgi = false;                                    // or CGI
  WeightForm form = WeightForm::float32;
  int threads = 1;
  // Sets options of lines and of a search for `count` translations. The glossary is that of the
  // model, or empty.
  std::function<void(const LoadedModel& model, int count, const std::string& glossary,
                     FilterOptions& options)>
      configure;
};

struct Answer {
  int status = 200;          // of HTTP
  std::string body = {};     // JSON; of status 204 nothing
  std::string methods = {};  // those that the path has, where the request had another
  bool degraded = false;     // it has warnings

  std::string text() const;  // as CGI has it, with its head
};

// Reads a request, and answers it, whatever happens. No text of it goes anywhere else.
Answer answer(const ServiceSettings& settings, const Read& read);

}  // namespace tt::cgi
