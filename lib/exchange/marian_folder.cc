#include "exchange/marian_folder.h"

#include <algorithm>
#include <charconv>
#include <climits>
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

MarianFolder find_marian(const std::string& path) {
  const bool folder = is_folder(path);
  const std::string own_decoder = path + ".decoder.yml";  // as training writes it
  const std::string decoder_path = folder                     ? path + "/decoder.yml"
                                   : file_exists(own_decoder) ? own_decoder
                                                              : beside(path, "decoder.yml");
  const bool has_decoder = file_exists(decoder_path);
  MarianFolder found;
  if (folder && !has_decoder) found = find_student(path);
  else found.model = path;
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

const ForeignTable& decoder_options() {
  static const ForeignTable table{
      kept("models vocabs beam-size normalize max-length-factor allow-unk"),
      reported("word-penalty", "0"),
      reported("output-sampling shortlist output-approx-knn skip-cost allow-special force-decode "
               "no-spm-encode no-spm-decode",
               "false"),
      reported("max-length", "1000"),
      reported("max-length-crop tsv", "false"),
      reported("encryption-key-path", ""),
      // Of speed, of numbers with fewer bits, of files and messages, and of what is told beside a
      // translation; weights are those of several models.
      idle("input output n-best alignment word-scores stat-freq tsv-fields devices num-devices "
           "no-nccl sharding sync-freq cpu-threads mini-batch mini-batch-words mini-batch-fit "
           "mini-batch-fit-step gradient-checkpointing maxi-batch maxi-batch-sort shuffle-in-ram "
           "data-threads fp16 precision weights optimize gemm-type gemm-precision quantize-range "
           "authors cite build-info config workspace log log-level log-time-zone quiet "
           "quiet-translation seed check-nan interpolate-env-vars relative-paths dump-config "
           "sigterm version"),
  };
  return table;
}

namespace {

constexpr double kAny = 1e300;  // no limit

// The layer whose first head was trained to align, as far as it is told; 0: it is not. The last is
// meant where nobody said another.
int alignment_layer(const JsonSettings& options, const Architecture& config) {
  const std::string layer = options.text("transformer-guided-alignment-layer", "last");
  int number = 0;
  if (std::from_chars(layer.data(), layer.data() + layer.size(), number).ec == std::errc())
    return number >= 1 && number <= config.decoder_layers ? number : 0;
  return options.text("guided-alignment", "none") == "none" ? 0 : config.decoder_layers;
}

// The defaults of search, which decoder.yml has, or what the training validated with.
void read_search(const JsonSettings& options, SearchSettings& config) {
  config.beam = std::clamp(options.integer("beam-size", 12, INT_MIN, INT_MAX), 1, 1024);
  const std::string normalize = options.text("normalize", "0");
  config.alpha = normalize == "true" ? 1
                 : normalize == "false"
                     ? 0
                     : std::clamp(options.number("normalize", 0, -kAny, kAny), 0.0, 100.0);
  config.length_penalty = LengthPenalty::length;
  config.narrow_beam = true;
  config.length_factor =
      std::clamp(options.number("max-length-factor", 3, -kAny, kAny), 0.0, 1000.0);
  config.extra_length = 0;
  config.forbid_unknown = !options.yes("allow-unk", false);
}

}  // namespace

void take_search(const MarianFolder& folder, const JsonSettings& options, PortableModel& model) {
  const JsonSettings& search = folder.decoder ? *folder.decoder : options;
  read_search(search, model.config);
  // Models of Firefox are trained so: it puts markup into translations by that head.
  model.config.alignment_layer = folder.vocabularies.empty()
                                     ? alignment_layer(options, model.config)
                                     : model.config.decoder_layers;
  // Without decoder.yml the options are those of the training, which has more of them.
  const std::string lost =
      lost_settings(decoder_options(), values_of(search),
                    folder.decoder ? search.keys() : std::vector<std::string>());
  if (!lost.empty())
    model.losses.push_back((folder.decoder ? folder.decoder_path : folder.model) +
                           ": settings of search that are not kept: " + lost);
  if (!folder.shortlist.empty())
    model.losses.push_back(folder.shortlist +
                           ": a shortlist, which is no part of a model; give it to the translator");
}

}  // namespace tt
