// The filter of lines with a model: a line out for each line in.
#include "lines/filter.h"

#include <cstdlib>

#include "base/line_files.h"
#include "exchange/exchange.h"
#include "tests/backends.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

struct Filtered {
  std::vector<std::string> lines;
  FilterReport report;
  std::string errors;
};

class Filter {
 public:
  Filter() {
    const char* const root = std::getenv("TT_ROOT");
    ImportRequest request;
    request.path = std::string(root ? root : ".") + "/tests/golden/ctranslate2";
    write_portable(import_model(request, recognise(request.path)), scratch_.path("model.tt"), "");
    models_.push_back(load_model(scratch_.path("model.tt"), cpu_));
  }

  Filtered run(const std::string& text, FilterOptions options = {}) const {
    LineFiles in({scratch_.file("in", text)});
    Output out(scratch_.path("out"));
    CapturedErrors errors(scratch_.path("errors"));
    const FilterReport report = translate_lines(in, out, models_, cpu_, options);
    out.close();
    return {read_lines(scratch_.path("out")), report, errors.stop()};
  }

  std::vector<std::string> alone(const std::vector<std::string>& lines) const {
    const Translator translator({{models_[0].model.get(), &models_[0].source}}, models_[0].target,
                                {});
    Tape tape(cpu_, models_[0].model->params());
    std::vector<Request> requests;
    for (const std::string& line : lines) requests.push_back({line});
    return translator.texts(requests, tape);
  }

 private:
  const Backend& cpu_ = test_backend(kCpu);
  Scratch scratch_;
  std::vector<LoadedModel> models_;
};

}  // namespace

TEST_CASE("the filter writes a line for each, whatever it is and however many threads work") {
  const Filter filter;
  std::string text;
  std::vector<std::string> plain;
  for (int i = 0; i < 40; ++i) {
    plain.push_back("w" + std::to_string(i % 20) + " w5 w2");
    text += plain.back() + "\n";
  }
  text += "\n  \n\xFF w1\n";
  const Filtered one = filter.run(text);
  REQUIRE(one.lines.size() == 43);
  CHECK(std::vector(one.lines.begin(), one.lines.begin() + 40) == filter.alone(plain));
  CHECK(one.lines[40].empty());
  CHECK(one.report.lines == 43);
  CHECK(one.report.degraded >= 1);
  CHECK(one.errors.find(":43: not UTF-8") != std::string::npos);
  FilterOptions options;
  options.threads = 3;
  const Filtered three = filter.run(text, options);
  CHECK(three.lines == one.lines);
  CHECK(three.report.degraded == one.report.degraded);
  CHECK(three.errors == one.errors);
}

TEST_CASE("a line that is translated beside others is translated as by itself") {
  const Filter filter;
  const Filtered together = filter.run("w1 w2 w3\nw2\nw3 w1\n");
  CHECK(filter.run("w2\n").lines == std::vector{together.lines[1]});
}

}  // namespace tt
