#include "model/checkpoint.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/formatted.h"
#include "model/average.h"
#include "text/model_proto.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr std::size_t kAlignment = 64;

// How a checksum stands in a header, followed by its digits: CRC-32 of the whole file, taken while
// the digits are zeros.
constexpr std::string_view kChecksum = "checksum", kBeforeChecksum = "\"checksum\":\"",
                           kNoChecksum = "00000000";

void add_to(unsigned long& checksum, const void* bytes, std::size_t size) {
  checksum = ::crc32_z(checksum, static_cast<const unsigned char*>(bytes), size);
}

std::string digits_of(unsigned long checksum) { return formatted("%08lx", checksum); }

const char* name_of(Dtype type) {
  return type == Dtype::f32 ? "F32" : type == Dtype::i32 ? "I32" : "U8";
}

std::optional<Dtype> dtype_of(const std::string& name) {
  for (Dtype type : {Dtype::f32, Dtype::i32, Dtype::u8})
    if (name == name_of(type)) return type;
  return std::nullopt;
}

std::string described(const NamedTensor& tensor) {
  return in_quotes(tensor.name) + " " + name_of(tensor.type) + " " + to_string(tensor.shape);
}

// The order of the data: matrices in panels, whose sizes are multiples of kAlignment, come first;
// U8 tensors with any number of bytes last. So all are aligned without gaps.
std::vector<std::size_t> data_order(std::span<const NamedTensor> tensors) {
  std::vector<std::size_t> order(tensors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto place = [&](std::size_t i) {
    const bool bytes = tensors[i].type == Dtype::u8,
               panels = tensors[i].shape.size() == (bytes ? 4 : 3);
    return panels && tensors[i].bytes() % kAlignment == 0 ? 0 : bytes ? 2 : 1;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

std::string make_header(std::span<const NamedTensor> tensors, std::span<const std::size_t> order,
                        Metadata metadata) {
  nlohmann::ordered_json header;
  metadata.try_emplace("format", kFormat);
  metadata[std::string(kChecksum)] = kNoChecksum;
  header[kMetadataKey] = metadata;
  std::set<std::string> names{kMetadataKey, ""};
  std::size_t begin = 0;
  for (std::size_t i : order) {
    const NamedTensor& tensor = tensors[i];
    TT_CHECK(names.insert(tensor.name).second);
    const std::size_t end = begin + tensor.bytes();
    header[tensor.name] = {
        {"dtype", name_of(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  // A path in the metadata need not be UTF-8; JSON must be.
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  while ((sizeof(std::uint64_t) + text.size()) % kAlignment != 0) text += ' ';
  return text;
}

void write_pieces(AtomicFile& file, std::span<const NamedTensor> tensors, const Metadata& metadata,
                  const TensorPieces& pieces) {
  const auto order = data_order(tensors);
  std::string header = make_header(tensors, order, metadata);
  const std::uint64_t length = header.size();
  unsigned long checksum = 0;
  add_to(checksum, &length, sizeof length);
  add_to(checksum, header.data(), header.size());
  for (std::size_t i : order)
    pieces(i, [&](const void* bytes, std::size_t size) { add_to(checksum, bytes, size); });
  header.replace(header.find(kBeforeChecksum) + kBeforeChecksum.size(), kNoChecksum.size(),
                 digits_of(checksum));
  file.write(&length, sizeof length);
  file.write(header);
  for (std::size_t i : order) {
    std::size_t written = 0;
    pieces(i,
           [&](const void* bytes, std::size_t size) { file.write(bytes, size), written += size; });
    TT_CHECK(written == tensors[i].bytes());
  }
}

// Says what was given in place of a file of tensors, where that is known.
const std::string& no_folder(const std::string& path) {
  if (!is_folder(path)) return path;
  if (list_checkpoints(path, true).empty())
    throw Error(path,
                ": is a folder; give a file (of a model of another program tt-import makes one)");
  throw Error(path, ": is the folder of a run; give one of its checkpoints, or their mean: ",
              "tt-average -o model.tt ", path);
}

void refuse_subword_model(std::string_view bytes, const std::string& path) {
  try {
    read_model_proto(bytes, path);
  } catch (const Error&) {
    return;
  }
  throw Error(path, ": is a subword model alone; give a model, which has one inside");
}

}  // namespace

bool is_subword(std::string_view name) {
  return name == kSubword || name == kSourceSubword || name == kTargetSubword;
}

void save_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata) {
  save_tensors(path, tensors, metadata, [&](std::size_t i) { return tensors[i].data; });
}

void save_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata, const TensorBytes& bytes) {
  AtomicFile file(path);
  write_tensors(file, tensors, metadata, bytes);
  file.commit();
}

void save_tensors(const std::string& path, std::span<const NamedTensor> tensors,
                  const Metadata& metadata, const TensorPieces& pieces) {
  AtomicFile file(path);
  write_pieces(file, tensors, metadata, pieces);
  file.commit();
}

void write_tensors(AtomicFile& file, std::span<const NamedTensor> tensors, const Metadata& metadata,
                   const TensorBytes& bytes) {
  write_pieces(file, tensors, metadata, [&](std::size_t i, const PutBytes& put) {
    if (tensors[i].bytes() > 0) put(bytes(i), tensors[i].bytes());
  });
}

TensorFile::TensorFile(const std::string& path)
    : path_(path), file_(std::make_unique<MappedFile>(no_folder(path))) {
  if (file_->size() < 9 || file_->text()[8] != '{') refuse_subword_model(file_->text(), path_);
  StoredTensors stored = read_safetensors_header(file_->text(), path_);
  metadata_ = std::move(stored.metadata);
  for (StoredTensor& tensor : stored.tensors) {
    const auto type = dtype_of(tensor.type);
    if (!type)
      throw Error(path_, ": tensor ", in_quotes(tensor.name), " is of type ",
                  in_quotes(tensor.type), "; only F32, I32 and U8 can be read");
    if (reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % size_of(*type) != 0)
      throw Error(path_, ": tensor ", in_quotes(tensor.name),
                  " is not aligned; write the file with a header padded to a multiple of 8 bytes");
    tensors_.push_back(
        {std::move(tensor.name), *type, std::move(tensor.shape), tensor.bytes.data()});
  }
  for (const NamedTensor& tensor : tensors_) by_name_.emplace(tensor.name, &tensor);
}

void TensorFile::verify() const {
  const auto stored = metadata_.find(std::string(kChecksum));
  if (stored == metadata_.end()) return;
  const std::string_view all = file_->text();
  const std::size_t at =
      std::min(all.find(kBeforeChecksum) + kBeforeChecksum.size(), all.size() - kNoChecksum.size());
  unsigned long checksum = 0;
  add_to(checksum, all.data(), at);
  add_to(checksum, kNoChecksum.data(), kNoChecksum.size());
  add_to(checksum, all.data() + at + kNoChecksum.size(), all.size() - at - kNoChecksum.size());
  if (const std::string found = digits_of(checksum); found != stored->second)
    throw Error(path_, ": is damaged: its checksum is ", found, " and should be ",
                in_quotes(stored->second), "; copy or make it again");
}

const NamedTensor* TensorFile::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const std::string& TensorFile::value(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end())
    throw Error(path_, ": has no ", in_quotes(key),
                " in its metadata; it is no checkpoint of a training");
  return found->second;
}

std::string TensorFile::note(const std::string& key) const {
  const auto found = metadata_.find(key);
  return found == metadata_.end() ? "" : found->second;
}

std::string_view TensorFile::text(std::string_view name) const {
  const NamedTensor* tensor = find(name);
  if (!tensor || tensor->type != Dtype::u8)
    throw Error(path_, ": has no U8 tensor ", in_quotes(name));
  return {static_cast<const char*>(tensor->data), tensor->bytes()};
}

void check_kind(const TensorFile& file, const std::string& kind) {
  const std::string format = file.note("format"), found = file.note("kind");
  if (!format.starts_with("tt-"))
    throw Error(file.path(),
                ": is a safetensors file, but not one of tt (its metadata have no \"format\": \"",
                kFormat, "\"); of a model of transformers give its folder to tt-import");
  if (format != kFormat)
    throw Error(file.path(), ": is of format ", in_quotes(format), "; this program reads \"",
                kFormat, "\"");
  if (found == kind) return;
  if (found == kOptimizerKind)
    throw Error(file.path(),
                ": holds the state of a training run, not a model; give a checkpoint next to it, "
                "such as update-0001000.tt");
  throw Error(file.path(), ": is of kind ", in_quotes(found), ", not ", in_quotes(kind));
}

Config stored_config(const TensorFile& file) {
  Config config;
  const std::string where = file.path() + ": config";
  const auto keys = file.metadata().find("decisive_keys");
  if (keys == file.metadata().end()) {
    read_json(config, file.value("config"), where);
  } else {
    std::istringstream words(keys->second);
    const std::set<std::string> decisive{std::istream_iterator<std::string>(words), {}};
    read_json(config, file.value("config"), where, &decisive);
  }
  check_config(config, where);
  return config;
}

TensorFile open_model(const std::string& path) {
  TensorFile file(path);
  check_kind(file, kModelKind);
  return file;
}

void check_tensors(const TensorFile& file, std::span<const NamedTensor> expected) {
  std::set<std::string_view> known;
  for (const NamedTensor& wanted : expected) {
    known.insert(wanted.name);
    const NamedTensor* found = file.find(wanted.name);
    if (!found)
      throw Error(file.path(), ": lacks the tensor ", described(wanted),
                  " required by its configuration");
    if (found->shape != wanted.shape || found->type != wanted.type)
      throw Error(file.path(), ": tensor ", described(*found), " should be ", name_of(wanted.type),
                  " ", to_string(wanted.shape), " according to its configuration");
  }
  for (const NamedTensor& found : file.tensors())
    if (!is_subword(found.name) && !known.contains(found.name))
      throw Error(file.path(), ": has a tensor ", described(found),
                  " that does not belong to its configuration");
}

std::int64_t model_number(const TensorFile& file) {
  const std::string checksum = file.note(std::string(kChecksum));
  return static_cast<std::int64_t>(std::strtoul(checksum.c_str(), nullptr, 16) & ((1ul << 29) - 1));
}

std::string parameter_checksum(const TensorFile& file) {
  unsigned long checksum = 0;
  for (const NamedTensor& tensor : file.tensors())
    if (!is_subword(tensor.name)) add_to(checksum, tensor.data, tensor.bytes());
  return digits_of(checksum);
}

void fill_params(Params& params, const TensorFile& file) {
  const auto tensors = params.tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i)
    params.fill(static_cast<int>(i), static_cast<const float*>(file.find(tensors[i].name)->data));
}

}  // namespace tt
