// tt-import: turns a model of Marian, Hugging Face's MarianMT, CTranslate2 or fairseq into a model file.
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "exchange/exchange.h"
#include "tools/main.h"
#include "tools/values.h"

namespace tt {
namespace {

// What is read is not overwritten, not even where the model would be complete before.
void check_output(const std::string& output, const ImportRequest& request, const PortableModel& model) {
  std::vector<std::string> read = model.files;
  read.insert(read.end(), {request.path, request.source_subword, request.target_subword});
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(request.path, code)) read.push_back(entry.path().string());
  check_not_read(output, read);
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(argc, argv, "tt-import", "Turns a model of another program into a model file.", [](CLI::App& app) {
    struct Flags {
      ImportRequest request;
      std::string output, from;
      bool as_trained = false;
    };
    auto flags = std::make_shared<Flags>();
    app.add_option("-o,--output", flags->output, "the model to write; -: stdout")->required()->type_name("FILE");
    app.add_option("--from", flags->from, "the format (default: by the files)")
        ->check(one_of(format_names()))
        ->type_name("marian|hugging-face|ctranslate2|fairseq")
        ->default_str("");
    app.add_option("--vocabulary", flags->request.vocabularies,
                   "of Marian: the vocabulary, or twice: of the source, of the target")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->default_str("");
    app.add_option("--source-subword", flags->request.source_subword, "the SentencePiece model of the source")->type_name("FILE");
    app.add_option("--target-subword", flags->request.target_subword, "the SentencePiece model of the target")->type_name("FILE");
    app.add_flag("--as-trained", flags->as_trained, "search with what the model was trained for, where its own program does not");
    app.add_option("model", flags->request.path, "an .npz or .bin of Marian, or a folder")
        ->required()
        ->type_name("PATH")
        ->default_str("");
    return [flags] {
      const std::string& path = flags->request.path;
      std::vector<std::string> read{path, flags->request.source_subword, flags->request.target_subword};
      read.insert(read.end(), flags->request.vocabularies.begin(), flags->request.vocabularies.end());
      check_stdin_once(read);
      const ForeignFormat format = flags->from.empty() ? recognise(path) : format_of(flags->from);
      PortableModel model = import_model(flags->request, format);
      check_output(flags->output, flags->request, model);
      say(path + ": " + name_of(format) + ", " + summary(model));
      for (const std::string& note : model.notes) say(note);
      if (flags->as_trained) model.config.raw_keys = false;
      write_portable(model, flags->output, path);
      return kDone;
    };
  });
}
