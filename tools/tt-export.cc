// tt-export: turns a model file into a folder of Marian, Hugging Face's MarianMT or CTranslate2.
#include <memory>
#include <string>

#include "base/report.h"
#include "exchange/exchange.h"
#include "tools/main.h"
#include "tools/values.h"

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(argc, argv, "tt-export", "Turns a model file into a folder of another program.", [](CLI::App& app) {
    struct Flags {
      std::string model, output, to;
    };
    auto flags = std::make_shared<Flags>();
    app.add_option("-o,--output", flags->output, "the folder to write")->required()->type_name("FOLDER");
    app.add_option("--to", flags->to, "the format")
        ->required()
        ->check(one_of(written_format_names()))
        ->type_name("marian|hugging-face|ctranslate2");
    app.add_option("model", flags->model, "a model file")->required()->type_name("FILE")->default_str("");
    return [flags] {
      const PortableModel model = read_portable(flags->model);
      export_model(model, format_of(flags->to), flags->output);
      if (const std::string lost = lost_search(model.config, format_of(flags->to)); !lost.empty())
        say("search settings that " + flags->to + " does not keep: " + lost);
      say("wrote " + flags->output + ": " + summary(model));
      return kDone;
    };
  });
}
