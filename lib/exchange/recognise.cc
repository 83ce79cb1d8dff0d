// Which format a path has: folders by what they hold, files by their first bytes.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/zip.h"
#include "exchange/exchange.h"
#include "exchange/model_files.h"
#include "exchange/torch_file.h"
#include "model/checkpoint.h"

namespace tt {
namespace {

// The first file of a folder whose name begins and ends so.
std::string find_named(const std::string& folder, std::string_view begin, std::string_view end) {
  std::error_code code;
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin) && name.ends_with(end) && (found.empty() || name < found))
      found = name;
  }
  return found;
}

bool is_model(const std::string& path) {
  try {
    return TensorFile(path).metadata().contains("kind");
  } catch (const Error&) {
    return false;  // whose reader says what is wrong
  }
}

bool is_torch(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with('\x80')) return true;
  if (!bytes.starts_with("PK")) return false;
  const ZipFile zip(path);
  for (const auto& [name, member] : zip.members())
    if (name == "data.pkl" || name.ends_with("/data.pkl")) return true;
  return false;
}

bool is_npz(const std::string& path) {
  const ZipFile zip(path);
  return std::ranges::any_of(zip.members(),
                             [](const auto& m) { return m.first.ends_with(".npy"); });
}

// By its name, too: a reader says what is wrong with one that is damaged.
bool is_marian(std::string_view bytes, const std::string& path) {
  using std::string_view_literals::operator""sv;
  return bytes.starts_with("PK") || bytes.starts_with("\1\0\0\0\0\0\0\0"sv) ||
         path.ends_with(".npz") || path.ends_with(".bin");
}

// A file of torch.save(), by what it has.
const ForeignFormat& recognise_torch(const std::string& path) {
  const nlohmann::json data = read_torch_checkpoint(path, {}).data;
  const auto has = [&](const char* key) { return data.is_object() && data.contains(key); };
  if (has("model") && (has("args") || has("cfg"))) return kFairseq;
  if (has("vocab") && has("opt")) return kOpenNmt;
  std::string keys;
  std::size_t shown = 0;
  if (data.is_object())
    for (const auto& [key, value] : data.items())
      if (++shown <= 4) keys += (keys.empty() ? "" : ", ") + in_quotes(key);
  throw Error(path,
              ": is a file of torch.save(), but no checkpoint of fairseq or OpenNMT-py: it has ",
              keys.empty() ? "no names" : keys + (shown > 4 ? ", ..." : ""),
              "; of a model of transformers give the folder");
}

// Kinds of files that are no models here, by their first bytes.
void refuse_other(std::string_view bytes, const std::string& path) {
  check_downloaded(bytes, path);
  const auto is = [&](std::string_view magic, std::size_t at = 0) {
    return bytes.substr(std::min(at, bytes.size())).starts_with(magic);
  };
  if (bytes.empty()) throw Error(path, ": is empty; copy it again");
  if (is("\x1f\x8b")) throw Error(path, ": is compressed; unpack it with gunzip");
  if (is("BZh") || is("\3757zXZ") || is("\x28\xb5\x2f\xfd") || is("ustar", 257))
    throw Error(path, ": is an archive; unpack it with tar or unxz");
  if (path.ends_with(".onnx") || (is("\x08") && is("\x12", 2) && is("pytorch", 4)))
    throw Error(
        path,
        ": is an ONNX graph, which holds no weights by name; give the model that it was made of");
  if (is("Transformer", 6))  // behind the version, and the size of the name
    throw Error(path, ": is the model.bin of CTranslate2; give its folder, which has the rest");
  if (is("GGUF")) throw Error(path, ": is a model of llama.cpp, which is no translation model");
  if (is("\x89HDF")) throw Error(path, ": is a model of Keras, which cannot be imported");
  if (path.ends_with(".safetensors"))
    throw Error(path, ": holds tensors alone; give the folder with its config.json");
}

}  // namespace

const ForeignFormat& recognise(const std::string& path) {
  if (!file_exists(path)) throw Error(path, ": no such file or folder");
  if (!is_folder(path)) {
    if (is_model(path)) throw Error(path, ": is a model of tt already, and needs no conversion");
    if (!regular_file(path)) return kMarian;
    const FileBytes bytes = map_file(path);
    refuse_other(bytes.text, path);
    if (is_torch(bytes.text, path)) return recognise_torch(path);
    if (kArgos.has(path)) return kArgos;
    if (bytes.text.starts_with("PK") && !is_npz(path))
      throw Error(
          path,
          ": is a zip archive without the arrays of an .npz file, and without the metadata.json "
          "and model/model.bin of a package of Argos; unpack it, and give the folder");
    if (is_marian(bytes.text, path)) return kMarian;
    throw Error(path,
                ": is none of the files that are models (.npz and .bin of Marian, .pt of fairseq "
                "and OpenNMT-py, .argosmodel); of others give the folder");
  }
  if (kArgos.has(path)) return kArgos;
  const auto has = [&](const char* name) { return file_exists(path + "/" + name); };
  if (has("model.bin")) return kCTranslate2;
  if (has("decoder.yml")) return kMarian;
  if (kOpenNmt.has(path)) return kOpenNmt;
  if (!find_named(path, "model.", ".bin").empty() && !find_named(path, "", ".spm").empty())
    return kMarian;
  if (has("adapter_config.json"))
    throw Error(path,
                ": is an adapter (as of LoRA) of another model; merge it into that, and give what "
                "comes of it");
  const bool dictionary = !find_named(path, "dict.", "txt").empty();
  if (has("config.json"))
    return has("vocab.json") ? kHuggingFace : dictionary ? kFairseq : kHuggingFace;
  if (dictionary && !find_named(path, "", ".pt").empty()) return kFairseq;
  if (const std::string onnx = find_named(path, "", ".onnx"); !onnx.empty())
    refuse_other("-", path + "/" + onnx);
  for (const char* end : {".bin.gz", ".npz.gz", ".pt.gz", ".safetensors.gz"})
    if (const std::string packed = find_named(path, "", end); !packed.empty())
      refuse_other("\x1f\x8b", path + "/" + packed);
  throw Error(path,
              ": has no decoder.yml (Marian), no model.*.bin with a .spm (Firefox), no config.json "
              "(Hugging Face, eole), no model.bin (CTranslate2), no metadata.json with "
              "model/model.bin (Argos), no hparams.yaml (COMET), and no checkpoint with its "
              "dict.LANGUAGE.txt (fairseq); of OpenNMT-py give the checkpoint itself");
}

}  // namespace tt
