#include "exchange/torch_file.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/zip.h"
#include "exchange/pickle.h"

namespace tt {
namespace {

using nlohmann::json;
using Kind = PickleValue::Kind;

constexpr std::uint8_t kMagic[] = {0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20,
                                   0x6a, 0xa8, 0x50, 0x19};  // that files before 1.6 begin with
constexpr std::int64_t kProtocol = 1001;
// The numbers of storages, and of those that hold none of a model the bytes of one.
constexpr std::pair<std::string_view, NumberType> kNumbers[] = {
    {"torch FloatStorage", NumberType::float32},
    {"torch HalfStorage", NumberType::float16},
    {"torch BFloat16Storage", NumberType::bfloat16},
    {"torch DoubleStorage", NumberType::float64}};
constexpr std::pair<std::string_view, std::size_t> kOthers[] = {
    {"torch LongStorage", 8},         {"torch IntStorage", 4},           {"torch ShortStorage", 2},
    {"torch CharStorage", 1},         {"torch ByteStorage", 1},          {"torch BoolStorage", 1},
    {"torch ComplexFloatStorage", 8}, {"torch ComplexDoubleStorage", 16}};

std::optional<Shape> shape_of(const PickleValue& value) {
  Shape shape;
  if (value.kind != Kind::tuple || value.values.size() > 8) return std::nullopt;
  for (const PickleValue* n : value.values) {
    if (n->kind != Kind::number || n->number < 0) return std::nullopt;
    shape.push_back(n->number);
  }
  return shape;
}

std::size_t element_size(std::string_view storage) {
  for (const auto& [name, type] : kNumbers)
    if (storage == name) return size_of(type);
  for (const auto& [name, size] : kOthers)
    if (storage == name) return size;
  return 0;
}

// The numbers that tensors have their parts of: how many bytes they are, and the bytes themselves.
struct Storage {
  std::uint64_t size;
  NumbersIn where;
  std::function<std::shared_ptr<const std::string_view>()> bytes;
};
using Storages = std::function<Storage(std::string_view key)>;

// Adds the tensors of a dictionary, with `prefix` before their names. `where` names the pickle in
// errors.
void add_tensors(ForeignTensors& tensors, const PickleValue& all, const std::string& where,
                 const std::string& prefix, const Storages& storages) {
  const std::string& path = tensors.path();
  if (all.kind != Kind::dictionary)
    throw Error(where, ": is not a dictionary of tensors; save the model as safetensors");
  for (std::size_t i = 0; i + 1 < all.values.size(); i += 2) {
    const PickleValue &key = *all.values[i], &value = *all.values[i + 1];
    if (value.kind != Kind::tensor) continue;
    const std::string_view type = value.values[0]->values[0]->text;
    const auto numbers = std::find_if(std::begin(kNumbers), std::end(kNumbers),
                                      [&](const auto& known) { return type == known.first; });
    if (numbers == std::end(kNumbers)) continue;  // numbers of positions, for example
    const auto damaged = [&](const char* what) {
      throw Error(path, ": is damaged: its tensor ", in_quotes(key.text), " is ", what,
                  "; copy it again");
    };
    const auto shape = shape_of(*value.values[2]), strides = shape_of(*value.values[3]);
    const std::int64_t offset = value.values[1]->number;
    if (key.kind != Kind::text || !shape || !strides || shape->size() != strides->size() ||
        value.values[1]->kind != Kind::number || offset < 0)
      damaged("not described");
    std::uint64_t count = 1;
    for (std::size_t k = shape->size(); k-- > 0;) {
      if ((*shape)[k] != 1 && static_cast<std::uint64_t>((*strides)[k]) != count)
        throw Error(path, ": its tensor ", in_quotes(key.text),
                    " lies in another order than row by row; save the model as safetensors");
      if (__builtin_mul_overflow(count, static_cast<std::uint64_t>((*shape)[k]), &count) ||
          count > INT64_MAX / 8)
        damaged("not described");
    }
    const Storage storage = storages(value.values[0]->text);
    const auto first = static_cast<std::uint64_t>(offset),
               there = storage.size / size_of(numbers->second);
    if (first > there || count > there - first) damaged("larger than its storage");
    const auto read = [storage, first, type = numbers->second](std::uint64_t begin,
                                                               std::span<float> to) {
      read_numbers(*storage.bytes(), storage.where, type, first + begin, to);
    };
    const auto all = [read, count] {
      std::vector<float> values(count);
      read(0, values);
      return values;
    };
    const std::string name = prefix + std::string(key.text);
    // Packed numbers are unpacked once, and not for each stretch.
    if (storage.where == NumbersIn::memory) tensors.add(name, {*shape, all});
    else tensors.add(name, {*shape, {}, read});
  }
}

// The subset of a file that is read: all tensors of a dictionary, or those of some dictionaries in
// it, and its data.
struct Subset {
  std::vector<std::string> dictionaries;
  json* data = nullptr;
  PickleObjects objects() const { return data ? PickleObjects::inert : PickleObjects::refused; }
};

void add_all(ForeignTensors& tensors, const PickleMachine& machine, const PickleValue& all,
             const std::string& where, const Subset& subset, const Storages& storages) {
  if (!subset.data) return add_tensors(tensors, all, where, "", storages);
  *subset.data = machine.as_json(all);
  for (const std::string& name : subset.dictionaries)
    if (const PickleValue* dictionary = all.find(name))
      add_tensors(tensors, *dictionary, where, name + ".", storages);
}

// Since 1.6: an archive with a pickle, and a member for each storage.
ForeignTensors read_torch_zip(const std::string& path, const Subset& subset) {
  const auto zip = std::make_shared<const ZipFile>(path);
  std::string folder;
  for (const auto& [name, member] : zip->members())
    if (name == "data.pkl" || name.ends_with("/data.pkl")) folder = name.substr(0, name.size() - 8);
  const std::string program = zip->read(folder + "data.pkl"), where = path + ": its data.pkl";
  ByteReader reader(program, where);
  PickleMachine machine(reader, where, subset.objects());
  ForeignTensors tensors(path, zip->bytes());
  std::map<std::string_view, Storage> known;
  // Tensors of one storage are read one after the other: the last that was unpacked is kept.
  struct Unpacked {
    std::string member, bytes;
    std::string_view view;
  };
  const auto last = std::make_shared<std::shared_ptr<Unpacked>>();
  add_all(tensors, machine, machine.run(), where, subset, [&](std::string_view key) {
    const auto [found, is_new] = known.try_emplace(key);
    if (!is_new) return found->second;
    const std::string member = folder + "data/" + std::string(key);
    const auto place = zip->members().find(member);
    if (place == zip->members().end())
      throw Error(path, ": is damaged: it lacks the storage ", in_quotes(key));
    // Bytes that are not packed stay in the file.
    const NumbersIn where = zip->stored(member) ? NumbersIn::mapped_file : NumbersIn::memory;
    found->second = {place->second.size, where, [zip, member, last] {
                       if (const auto stored = zip->stored(member))
                         return std::make_shared<const std::string_view>(*stored);
                       if (!*last || (*last)->member != member) {
                         last->reset();
                         const auto unpacked = std::make_shared<Unpacked>();
                         unpacked->member = member;
                         unpacked->view = unpacked->bytes = zip->read(member);
                         *last = unpacked;
                       }
                       return std::shared_ptr<const std::string_view>(*last, &(*last)->view);
                     }};
    return found->second;
  });
  return tensors;
}

// Before 1.6: pickles one after the other (a magic number, the protocol, the machine's properties,
// the dictionary, the keys of storages), and the storages in the order of the keys, each behind its
// number of elements.
ForeignTensors read_torch_pickles(const std::shared_ptr<const MappedFile>& file,
                                  const std::string& path, const Subset& subset) {
  ByteReader reader(file->text(), path);
  const auto machine = [&] { return PickleMachine(reader, path, subset.objects()); };
  PickleMachine magic = machine(), protocol = machine(), system = machine(), dictionary = machine(),
                list = machine();
  if (magic.run().text != std::string_view(reinterpret_cast<const char*>(kMagic), sizeof kMagic))
    throw Error(path, ": is a pickle, but not one of torch.save(); save the model as safetensors");
  if (const PickleValue& version = protocol.run();
      version.kind != Kind::number || version.number != kProtocol)
    throw Error(path, ": is of an unknown version of torch.save(); save the model as safetensors");
  const PickleValue& properties = system.run();
  for (std::size_t i = 0; i + 1 < properties.values.size(); i += 2)
    if (properties.values[i]->text == "little_endian" && properties.values[i + 1]->number != 1)
      throw Error(
          path,
          ": was written on a processor of another byte order; save the model as safetensors");
  const PickleValue& all = dictionary.run();
  const PickleValue& keys = list.run();
  std::map<std::string_view, Storage> storages;
  for (const PickleValue* key : keys.values) {
    const auto storage = dictionary.storages().find(key->text);
    const std::size_t size =
        storage == dictionary.storages().end() ? 0 : element_size(storage->second->values[0]->text);
    if (size == 0)
      throw Error(path, ": its storage ", in_quotes(key->text),
                  " is of an unknown type; save the model as safetensors");
    const auto count = reader.number<std::uint64_t>();
    const std::string_view bytes =
        reader.take(count > UINT64_MAX / size ? UINT64_MAX : count * size);
    const Storage one{bytes.size(), NumbersIn::mapped_file,
                      [file, bytes] { return std::make_shared<const std::string_view>(bytes); }};
    if (!storages.emplace(key->text, one).second)
      throw Error(path, ": is damaged: it has two storages ", in_quotes(key->text));
  }
  ForeignTensors tensors(path, file->size());
  add_all(tensors, dictionary, all, path, subset, [&](std::string_view key) {
    const auto found = storages.find(key);
    if (found == storages.end())
      throw Error(path, ": is damaged: it lacks the storage ", in_quotes(key));
    return found->second;
  });
  return tensors;
}

ForeignTensors read(const std::string& path, const Subset& subset) {
  const auto file = std::make_shared<const MappedFile>(path);
  const std::string_view bytes = file->text();
  check_downloaded(bytes, path);
  if (bytes.starts_with("PK")) return read_torch_zip(path, subset);
  if (bytes.starts_with('\x80')) return read_torch_pickles(file, path, subset);
  throw Error(path,
              ": is no file of torch.save(); copy it again, or save the model as safetensors");
}

}  // namespace

ForeignTensors read_torch(const std::string& path) { return read(path, {}); }

TorchCheckpoint read_torch_checkpoint(const std::string& path,
                                      const std::vector<std::string>& dictionaries) {
  json data;
  ForeignTensors tensors = read(path, {dictionaries, &data});
  return {std::move(data), std::move(tensors)};
}

}  // namespace tt
