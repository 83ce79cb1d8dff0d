#include "exchange/exchange.h"

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/setting.h"
#include "exchange/ctranslate2.h"
#include "exchange/fairseq.h"
#include "exchange/hugging_face.h"
#include "exchange/marian.h"
#include "exchange/vocabulary.h"
#include "model/checkpoint.h"

namespace tt {
namespace {

// Files by which a folder is taken for one of a format, or which have its tensors.
const std::pair<ForeignFormat, std::vector<std::string>> kModelFiles[] = {
    {ForeignFormat::marian, {"model.npz", "decoder.yml"}},
    {ForeignFormat::hugging_face, {"model.safetensors", "pytorch_model.bin"}},
    {ForeignFormat::ctranslate2, {"model.bin"}}};
constexpr const char* kSearchSettings[] = {"beam", "length_penalty", "alpha"};  // that other programs have as well
// And those that not all have: kept by a format, done by its program whatever a model says, or lost.
constexpr const char* kOwnSearchSettings[] = {"narrow_beam",   "stop_when_full", "forbid_unknown",
                                              "length_factor", "extra_length",   "raw_keys"};

}  // namespace

std::vector<std::string> format_names() { return {"marian", "hugging-face", "ctranslate2", "fairseq"}; }

std::vector<std::string> written_format_names() { return {"marian", "hugging-face", "ctranslate2"}; }

ForeignFormat format_of(const std::string& name) {
  const auto names = format_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<ForeignFormat>(i);
  throw Error("there is no format ", in_quotes(name), "; marian, hugging-face, ctranslate2 and fairseq are formats");
}

std::string name_of(ForeignFormat format) { return format_names()[static_cast<std::size_t>(format)]; }

namespace {

// dict.txt, or dict.LANGUAGE.txt.
bool has_dictionary(const std::string& folder) {
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("dict.") && name.ends_with("txt")) return true;
  }
  return false;
}

bool is_model(const std::string& path) {
  try {
    return TensorFile(path).metadata().contains("kind");
  } catch (const Error&) {
    return false;  // whose reader says what is wrong
  }
}

}  // namespace

ForeignFormat recognise(const std::string& path) {
  if (!file_exists(path)) throw Error(path, ": no such file or folder");
  if (!is_folder(path)) {
    if (is_model(path)) throw Error(path, ": is a model of tt already, and needs no conversion");
    return ForeignFormat::marian;
  }
  const auto has = [&](const char* name) { return file_exists(path + "/" + name); };
  if (has("model.bin")) return ForeignFormat::ctranslate2;
  if (has("decoder.yml")) return ForeignFormat::marian;
  if (has("config.json"))
    return has("vocab.json")      ? ForeignFormat::hugging_face
           : has_dictionary(path) ? ForeignFormat::fairseq
                                  : ForeignFormat::hugging_face;
  throw Error(path, ": has no decoder.yml (Marian), no config.json (Hugging Face) and no model.bin (CTranslate2)");
}

PortableModel import_model(const ImportRequest& request, ForeignFormat format) {
  if (format != ForeignFormat::marian && !request.vocabularies.empty())
    throw SettingError(request.path, ": is of ", name_of(format), ", whose vocabularies have their names; omit ",
                       Setting{"vocabulary"});
  if (format != ForeignFormat::marian && file_exists(request.path) && !is_folder(request.path))
    throw Error(request.path, ": is a file, but a model of ", name_of(format), " is a folder; give that");
  if (format != ForeignFormat::ctranslate2 && request.source_eos)
    throw SettingError(request.path, ": is of ", name_of(format), ", whose sources end with </s>; omit ", Setting{"source_eos"});
  switch (format) {
    case ForeignFormat::marian:
      return read_marian(request.path, {request.vocabularies, request.source_subword, request.target_subword});
    case ForeignFormat::fairseq: return read_fairseq(request.path, request.source_subword, request.target_subword);
    case ForeignFormat::hugging_face: return read_hugging_face(request.path, request.source_subword, request.target_subword);
    case ForeignFormat::ctranslate2: return read_ctranslate2(request);
  }
  return {};
}

void export_model(PortableModel model, ForeignFormat format, const std::string& folder) {
  // Formats share names, such as config.json: none can be written among the files of another.
  for (const auto& [other, files] : kModelFiles)
    if (other != format) check_absent(folder, files);
  switch (format) {
    case ForeignFormat::marian: return write_marian(std::move(model), folder);
    case ForeignFormat::hugging_face: return write_hugging_face(std::move(model), folder);
    case ForeignFormat::ctranslate2: return write_ctranslate2(std::move(model), folder);
    case ForeignFormat::fairseq: break;
  }
  throw Error("a model cannot be written for fairseq, which keeps its models in pickles");
}

std::string lost_search(const Config& config, ForeignFormat format) {
  const Config usual;
  Config mine = config;
  if (config.length_penalty == LengthPenalty::none) mine.length_penalty = LengthPenalty::length, mine.alpha = 0;  // the same
  Config other = mine;
  for (const char* setting : kOwnSearchSettings)
    set_field(other, *find_field(setting), get_field(usual, *find_field(setting)), setting);
  if (format == ForeignFormat::marian) {
    other.narrow_beam = true, other.raw_keys = config.norm == NormPlace::pre, other.forbid_unknown = config.forbid_unknown;
    if (config.extra_length == 0) other.length_factor = config.length_factor, other.extra_length = 0;
  } else {
    other.stop_when_full = format == ForeignFormat::ctranslate2 || config.stop_when_full;
    if (config.length_factor == 0) other.length_factor = 0, other.extra_length = config.extra_length;
  }
  const bool by_length = mine.length_penalty == LengthPenalty::length, told = format == ForeignFormat::ctranslate2;
  other.length_penalty = LengthPenalty::length;
  if (told) other.beam = 2;
  if (told || !by_length) other.alpha = format == ForeignFormat::marian ? 0 : 1;
  std::string lost;
  const auto look_at = [&](const char* setting, bool chosen) {
    const Field& field = *find_field(setting);
    if (chosen && get_field(mine, field) != get_field(other, field))
      lost += (lost.empty() ? "" : ", ") + std::string(setting) + " " + get_field(mine, field);
  };
  for (const char* setting : kSearchSettings) look_at(setting, true);
  for (const char* setting : kOwnSearchSettings)
    look_at(setting, get_field(config, *find_field(setting)) != get_field(usual, *find_field(setting)));
  return lost;
}

std::string replaced_settings(const Config& config, ForeignFormat format) {
  const double fixed = format == ForeignFormat::marian         ? 1e-6
                       : format == ForeignFormat::hugging_face ? 1e-5
                                                               : config.norm_epsilon;
  if (fixed == config.norm_epsilon) return "";
  Config other;
  other.norm_epsilon = fixed;
  const Field& field = *find_field("norm_epsilon");
  return "norm_epsilon " + get_field(config, field) + ", which is always " + get_field(other, field) + " there";
}

std::string summary(const PortableModel& model) {
  const Config& config = model.config;
  std::uint64_t parameters = 0;
  for (const auto& [name, matrix] : model.parameters) parameters += matrix.values.size();
  std::string text = std::to_string(config.encoder_layers) + " + " + std::to_string(config.decoder_layers) + " layers, " +
                     std::to_string(config.heads) + " heads, width " + std::to_string(config.d_model) + ", " +
                     std::to_string(config.source_vocab) + " and " + std::to_string(config.target_vocab) + " pieces, " +
                     with_commas(parameters) + " parameters";
  const auto add = [&](const char* setting) {
    text += std::string(", ") + setting + " " + get_field(config, *find_field(setting));
  };
  for (const char* setting : {"norm", "activation", "positions", "embeddings"}) add(setting);
  for (const char* setting : kSearchSettings) add(setting);
  return text;
}

}  // namespace tt
