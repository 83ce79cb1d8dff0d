// tt-import: turns a model of another program, such as Marian, transformers or CTranslate2, into a
// model file.
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/report.h"
#include "exchange/comet.h"
#include "exchange/exchange.h"
#include "tools/main.h"

namespace tt {
namespace {

// Files that are read are not overwritten, not even where the model would be complete before.
void check_output(const std::string& output, const ImportRequest& request,
                  const PortableModel& model) {
  std::vector<std::string> read = model.files;
  read.insert(read.end(), {request.path, request.source_subword, request.target_subword});
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(request.path, code))
    read.push_back(entry.path().string());
  check_not_read(output, read);
}

// Says what was found, and what of it was lost; gives the exit status.
int report(const PortableModel& model) {
  for (const std::string& note : model.notes) say(note);
  for (const std::string& loss : model.losses) warn(loss);
  return model.losses.empty() ? kDone : kDegraded;
}

struct Flags {
  ImportRequest request;
  std::string output, from, source_eos;
  bool int8 = false;
};

int convert(const Flags& flags) {
  const std::string& path = flags.request.path;
  std::vector<std::string> read{path, flags.request.source_subword, flags.request.target_subword};
  read.insert(read.end(), flags.request.vocabularies.begin(), flags.request.vocabularies.end());
  check_stdin_once(read);
  if (flags.from.empty() && is_comet(path)) {
    if (flags.int8)
      throw UsageError("--int8: a model of COMET is stored in float32; give --int8 to tt-bleu");
    const PortableComet comet = read_comet(flags.request);
    check_output(flags.output, flags.request, comet);
    say(path + ": " + summary(comet));
    write_comet(comet, flags.output, path);
    return report(comet);
  }
  const ForeignFormat& format = flags.from.empty() ? recognise(path) : format_of(flags.from);
  ImportRequest request = flags.request;
  if (!flags.source_eos.empty()) request.source_eos = flags.source_eos == "yes";
  const PortableModel model = import_model(request, format);
  check_output(flags.output, flags.request, model);
  say(path + ": " + format.name + ", " + summary(model));
  const int status = report(model);
  write_portable(model, flags.output, path, flags.int8 ? WeightForm::int8 : WeightForm::float32);
  return status;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  ImportRequest& request = flags.request;
  const std::vector<Option> rows{
      {"PATH", file(request.path),
       "an .npz or .bin of Marian, a .pt of fairseq or OpenNMT-py, an .argosmodel, a checkpoint of "
       "COMET, or a folder",
       kRequired},
      {"-o,--output", file(flags.output), "the model to write; -: stdout", kRequired},
      {"--from", choice(flags.from, format_names()).initially("by the files"), "the format",
       kBrief},
      {"--vocabulary", file(request.vocabularies),
       "of Marian or fairseq: the vocabulary, or twice: of the source, of the target"},
      {"--source-subword", file(request.source_subword), "the SentencePiece model of the source"},
      {"--target-subword", file(request.target_subword), "the SentencePiece model of the target"},
      {"--source-eos", choice(flags.source_eos, {"yes", "no"}),
       "whether a source ends with </s>, where a folder of CTranslate2 does not say it"},
      {"--int8", toggle(flags.int8),
       "write matrices in eight bits: a quarter of the size, for tt-translate"},
  };
  return run_tool(argc, argv,
                  {.name = "tt-import",
                   .summary = "Turns a model of another program into a model file.",
                   .groups = {{"Options", rows}},
                   .work = [&] { return convert(flags); },
                   .example = "tt-import -o model.tt opus-mt-en-de"});
}
