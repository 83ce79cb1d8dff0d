#include "exchange/marian_folder.h"

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/setting.h"
#include "exchange/foreign.h"

namespace tt {
namespace {

std::string beside(const std::string& path, const std::string& name) {
  const std::filesystem::path file(name);
  return file.is_absolute() ? name : (std::filesystem::path(path).parent_path() / file).string();
}

// A folder as Firefox downloads it has no decoder.yml: a model.*.bin, the SentencePiece models of
// both sides or one for both, and a shortlist.
MarianFolder find_student(const std::string& folder) {
  MarianFolder student;
  std::string joint, source, target;
  int models = 0;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string(), path = folder + "/" + name;
    const auto is = [&](std::string_view begin, std::string_view end) {
      return name.starts_with(begin) && name.ends_with(end);
    };
    if (is("model.", ".bin")) student.model = path, ++models;
    else if (is("lex.", ".bin")) student.shortlist = path;
    else if (is("vocab.", ".spm")) joint = path;
    else if (is("srcvocab.", ".spm")) source = path;
    else if (is("trgvocab.", ".spm")) target = path;
  }
  if (models != 1)
    throw Error(folder, ": has no decoder.yml, by which a folder of Marian names its model, and ",
                models, " files model.*.bin, as Firefox has one");
  if (!source.empty() && !target.empty()) student.vocabularies = {source, target};
  else if (!joint.empty()) student.vocabularies = {joint};
  return student;
}

}  // namespace

MarianFolder find_marian(const std::string& given) {
  const bool folder = is_folder(given);
  const std::string own_decoder = given + ".decoder.yml";  // as training writes it
  const std::string decoder_path = folder                     ? given + "/decoder.yml"
                                   : file_exists(own_decoder) ? own_decoder
                                                              : beside(given, "decoder.yml");
  const bool has_decoder = file_exists(decoder_path);
  MarianFolder found;
  if (folder && !has_decoder) found = find_student(given);
  else found.model = given;
  found.decoder_path = decoder_path;
  if (!has_decoder) return found;
  found.decoder = JsonSettings::of_yaml(read_file(file_of_model(decoder_path)), decoder_path);
  if (!folder) return found;
  const auto models = found.decoder->list("models");
  if (models.size() != 1)
    throw Error(decoder_path, ": names ", models.size(), " models; one can be imported");
  found.model = file_of_model(beside(decoder_path, models[0]));
  return found;
}

std::vector<std::string> vocabulary_paths(const MarianFolder& folder, const ImportRequest& request,
                                          const JsonSettings& options) {
  const std::string& path = folder.model;
  const bool given = !request.vocabularies.empty() || !folder.vocabularies.empty();
  std::vector<std::string> paths =
      request.vocabularies.empty() ? folder.vocabularies : request.vocabularies;
  if (paths.empty())
    paths = folder.decoder ? folder.decoder->list("vocabs") : options.list("vocabs");
  if (paths.empty())
    throw SettingError(path, ": its vocabularies are not known; give them with ",
                       Setting{"vocabulary"});
  if (paths.size() > 2)
    throw Error(path, ": has ", paths.size(),
                " vocabularies; models of one source can be imported");
  if (!given)
    for (std::string& name : paths) {
      const std::string written = name;
      for (const std::string& place :
           {beside(path, written), written,
            beside(path, std::filesystem::path(written).filename().string())})
        if (file_exists(file_of_model(name = place))) break;
    }
  for (const std::string& file : paths)
    if (!file_exists(file))
      throw SettingError(path, ": its vocabulary ", file, " is not there; give it with ",
                         Setting{"vocabulary"});
  if (paths.size() == 1) paths.push_back(paths[0]);
  return paths;
}

std::string subword_path(const std::string& model, SubwordSide side, const std::string& given) {
  if (!given.empty()) return given;
  const std::string found =
      beside(model, side == SubwordSide::source ? "source.spm" : "target.spm");
  return file_exists(found) ? file_of_model(found) : "";
}

}  // namespace tt
