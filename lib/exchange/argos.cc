// Packages of Argos Translate and LibreTranslate: a zip archive (.argosmodel), or the folder that
// it becomes, with metadata.json, a model of CTranslate2 in model/ and sentencepiece.model.
//
// Source: argostranslate/package.py and translate.py of that project.
#include "base/error.h"
#include "base/file.h"
#include "exchange/ctranslate2.h"
#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/model_files.h"

namespace tt {
namespace {

constexpr std::string_view kMetadata = "metadata.json", kModel = "model/model.bin";

// The folder of an archive that has a package, "" for its top; none.
std::optional<std::string> folder_of(const ZipFile& zip) {
  for (const auto& [name, member] : zip.members())
    if (name.ends_with(kModel)) {
      const std::string folder = name.substr(0, name.size() - kModel.size());
      if ((folder.empty() || folder.ends_with('/')) &&
          zip.members().contains(folder + std::string(kMetadata)))
        return folder;
    }
  return std::nullopt;
}

PortableModel read_argos(const ImportRequest& request) {
  const std::string& path = request.path;
  std::optional<ModelFiles> files;
  if (is_folder(path)) {
    files.emplace(std::vector{path + "/model", path});
  } else {
    const auto zip = std::make_shared<const ZipFile>(path);
    const auto folder = folder_of(*zip);
    if (!folder)
      throw Error(path, ": is no package of Argos: it has no metadata.json and model/model.bin");
    files.emplace(zip, std::vector{*folder + "model/", *folder});
  }
  const std::string metadata(kMetadata);
  const JsonSettings about(files->read(metadata).text, files->path(metadata));
  if (!about.text("target_prefix", "").empty())
    about.refuse("target_prefix", "a package of one target language");
  PortableModel model = read_ctranslate2(*files, request);
  model.config.beam = 4, model.config.alpha = 0.2;
  model.notes.push_back("from " + about.text("from_name", "?") + " to " +
                        about.text("to_name", "?") + ", version " +
                        about.text("package_version", "?"));
  model.losses.push_back(
      "not kept: that Argos cuts text into sentences, and puts words of the source for unknown "
      "ones");
  if (!files->has("sentencepiece.model") && files->has("bpe.model"))
    model.losses.push_back(files->path("bpe.model") +
                           ": cuts words that a tokenizer made (Moses), which is not imported: "
                           "give it text with spaces between words and punctuation");
  return model;
}

bool is_argos(const std::string& path) {
  if (is_folder(path))
    return file_exists(path + "/" + std::string(kMetadata)) &&
           file_exists(path + "/" + std::string(kModel));
  const FileBytes bytes = map_file(path);
  return bytes.text.starts_with("PK") && folder_of(ZipFile(path));
}

}  // namespace

const ForeignFormat kArgos{.name = "argos",
                           .files = {},
                           .read = read_argos,
                           .takes_files = true,
                           .asks_source_eos = true,
                           .has = is_argos};

}  // namespace tt
