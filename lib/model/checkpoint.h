// Checkpoints: named tensors of F32, I32 and U8, and textual metadata, in one safetensors file
// (model/safetensors.h).
//
// A model file is self-contained: its metadata hold the configuration, and its subword models are
// U8 tensors. See man/tt-model.5 for the names of tensors and keys. Any safetensors reader can open
// the file.
//
// Invariants: the data begin at a multiple of 64 bytes, and every tensor at a multiple of its
// element size; a file appears complete or not at all.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "model/config.h"
#include "model/safetensors.h"
#include "nn/params.h"
#include "tensor/tensor.h"

namespace tt {

inline constexpr const char* kFormat = "tt-1";      // metadata "format"
inline constexpr const char* kModelKind = "model";  // metadata "kind" of models
// The key of a note on the text that a model was trained on (clean/target_text.h); few have it.
inline constexpr const char* kTargetText = "target_text";
inline constexpr const char* kOptimizerKind =
    "optimizer";  // metadata "kind" of data needed only to resume training

// Tensors with these names hold the subword models, the first that of both sides, and are not
// parameters.
inline constexpr const char *kSubword = "subword", *kSourceSubword = "subword.source",
                            *kTargetSubword = "subword.target";
bool is_subword(std::string_view name);

// Writes a file of tensors, in their order except that 8-bit and packed matrices come first and
// other U8 ones last; "format" is added to metadata without one. Throws Error if the file cannot be
// written completely; an existing file at `path` is then kept. Requires names to be distinct, not
// empty and not "__metadata__".
void save_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata);

// Writes tensors that are made one after the other: `bytes(i)` returns the data of tensors[i]
// (whose `data` is not used), which must live until the next call. It is called twice for each
// tensor: for the checksum, and to write; it must return the same bytes.
using TensorBytes = std::function<const void*(std::size_t i)>;
void save_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata, const TensorBytes& bytes);
// Writes tensors whose bytes come in pieces, one after the other, also twice.
using PutBytes = std::function<void(const void* bytes, std::size_t size)>;
using TensorPieces = std::function<void(std::size_t i, const PutBytes& put)>;
void save_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata, const TensorPieces& pieces);
// Writes tensors into a file that the caller commits.
void write_tensors(AtomicFile& file, std::span<const NamedTensor> tensors, const Metadata& metadata,
                   const TensorBytes& bytes);

// A file of tensors, mapped into memory: opening reads the header only. verify() reads it all.
class TensorFile {
 public:
  // Opens any safetensors file of F32, I32 and U8 tensors. Throws Error if the file cannot be read,
  // is not a safetensors file, is damaged, or is shorter or longer than its header says.
  explicit TensorFile(const std::string& path);

  // Throws Error if a bit is not as it was written. Files without a checksum, of earlier versions
  // and other programs, pass.
  void verify() const;

  const std::string& path() const { return path_; }
  const Metadata& metadata() const { return metadata_; }

  // The tensors in the order of their data, which live as long as this object.
  const std::vector<NamedTensor>& tensors() const { return tensors_; }
  const NamedTensor* find(std::string_view name) const;  // null if there is none

  // A value of the metadata. Throws Error if it is missing; of a note it is then empty.
  const std::string& value(const std::string& key) const;
  std::string note(const std::string& key) const;

  // The bytes of a U8 tensor. Throws Error if there is none of that name and type.
  std::string_view text(std::string_view name) const;

 private:
  std::string path_;
  std::unique_ptr<MappedFile> file_;
  Metadata metadata_;
  std::vector<NamedTensor> tensors_;
  std::unordered_map<std::string_view, const NamedTensor*> by_name_;
};

// Throws Error, saying what the file is instead, if it is not a file of tt, has another version, or
// is not of `kind`.
void check_kind(const TensorFile& file, const std::string& kind);

// The configuration in the metadata, after check_config(). Throws Error if it is missing or wrong.
Config stored_config(const TensorFile& file);

// Opens a file and checks that it is a model. Throws Error as TensorFile and check_kind() do.
TensorFile open_model(const std::string& path);

// Checks that the parameters in the file are the expected ones, in any order and without subword
// models. Throws Error naming the first tensor that is missing, has another shape (with both
// shapes) or type, or is not expected.
void check_tensors(const TensorFile& file, std::span<const NamedTensor> expected);

// A number below 2^29 by which a model can be told from others, from its checksum; 0: it has none.
std::int64_t model_number(const TensorFile& file);

// The CRC-32 of the parameters in the file, in their order, in hexadecimal digits.
std::string parameter_checksum(const TensorFile& file);

// Sets the parameters, which have memory, to the values in the file. Requires check_tensors(file,
// params.tensors()).
void fill_params(Params& params, const TensorFile& file);

}  // namespace tt
