// spm, flores101, flores200 and spBLEU-1K: the pieces of a SentencePiece model are the tokens
// (spBLEU; Goyal et al., 2022).
//
// sacreBLEU downloads the models; here the files must already exist.
#include <zlib.h>

#include "base/file.h"
#include "base/formatted.h"
#include "base/setting.h"
#include "base/terminal.h"
#include "metrics/tokenizer.h"
#include "text/subword.h"

namespace tt::metrics {

namespace {

struct KnownModel {
  const char *name, *file, *address;  // `file`: its name in sacreBLEU's folder of models
};
constexpr KnownModel kModels[] = {
    {"flores101", "sacrebleu_tokenizer_spm.model",
     "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model"},
    {"flores200", "flores200sacrebleuspm", "https://tinyurl.com/flores200sacrebleuspm"},
    {"spBLEU-1K", "spbleu-1k_tokenizer_spm.model",
     "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model"}};

const KnownModel& known_model(const std::string& name) {
  for (const KnownModel& model : kModels) {
    if (name == model.name) return model;
  }
  return kModels[0];  // "spm" is the older name of flores101
}

// The path where sacreBLEU keeps it. Throws Error if it does not exist.
std::string find_model(const std::string& name) {
  const KnownModel& model = known_model(name);
  std::string folder = environment("SACREBLEU");
  if (folder.empty()) folder = environment("HOME") + "/.sacrebleu";
  std::string path = folder + "/models/" + model.file;
  if (!file_exists(path)) {
    throw SettingError("the tokenizer ", name, " needs its SentencePiece model, but ", path,
                       " does not exist; download it from ", model.address, " and give it with ",
                       Setting{"spm_model"});
  }
  return path;
}

class TokenizerSpm : public Tokenizer {
 public:
  TokenizerSpm(const std::string& name, const std::string& given)
      : model_(Subword::load(given.empty() ? find_model(name) : given)),
        signature_(name != "spm" ? name : known_model(name).name) {
    if (name != "spm" || given.empty()) return;
    const auto crc =
        ::crc32_z(0, reinterpret_cast<const Bytef*>(model_.bytes().data()), model_.bytes().size());
    signature_ = formatted("spm-%08lx", static_cast<unsigned long>(crc));
  }

  std::string signature() const override { return signature_; }

  void split(std::string_view text, std::string& buffer,
             std::vector<std::string_view>& tokens) const override {
    tokens.clear(), buffer.clear();
    std::vector<std::string> pieces;
    model_.encode(text, pieces);
    for (const std::string& piece : pieces) (buffer += piece) += ' ';
    split_at_spaces(buffer,
                    tokens);  // a piece may contain white space, which is not a token of BLEU
  }

 private:
  Subword model_;
  std::string signature_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_spm_tokenizer(const std::string& name, const std::string& path) {
  return std::make_unique<TokenizerSpm>(name, path);
}

}  // namespace tt::metrics
