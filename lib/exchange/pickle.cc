#include "exchange/pickle.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "exchange/bytes.h"
#include "exchange/zip.h"
#include "tensor/bfloat16.h"

namespace tt {
namespace {

constexpr std::size_t kValuesMost = 1 << 20;  // of a pickle, so that none fills the memory

constexpr std::uint8_t kMagic[] = {0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20,
                                   0x6a, 0xa8, 0x50, 0x19};  // that files before 1.6 begin with
constexpr std::int64_t kProtocol = 1001;
constexpr std::pair<const char*, std::size_t> kElementSizes[] = {
    {"torch DoubleStorage", 8},       {"torch FloatStorage", 4},
    {"torch HalfStorage", 2},         {"torch BFloat16Storage", 2},
    {"torch LongStorage", 8},         {"torch IntStorage", 4},
    {"torch ShortStorage", 2},        {"torch CharStorage", 1},
    {"torch ByteStorage", 1},         {"torch BoolStorage", 1},
    {"torch ComplexFloatStorage", 8}, {"torch ComplexDoubleStorage", 16}};

// Values on the stack of a pickle's machine: the kinds that tensors need.
struct Value;
using Pointer =
    Value*;  // into the machine's values: pickles can nest without end, and point to themselves
struct Value {
  enum class Kind {
    none,
    mark,
    number,
    text,
    tuple,
    list,
    dictionary,
    name,
    storage,
    tensor,
    other
  } kind = Kind::none;
  std::int64_t number = 0;
  std::string text;  // of a name "module name"; of a storage its key; of a number that is too large
                     // its bytes
  // Of a tuple or a list; of a dictionary keys and values in turn; of a storage its type; of a
  // tensor its storage, offset, shape and strides.
  std::vector<Pointer> values;
};
using Kind = Value::Kind;

class Machine {
 public:
  // Reads one pickle, from where the reader is.
  Machine(ByteReader& reader, const std::string& name) : reader_(reader), name_(name) {}

  // All storages that were named, by their keys.
  const std::map<std::string, Pointer>& storages() const { return storages_; }

  Pointer run() {
    for (;;) {
      const auto instruction = reader_.number<char>();
      if (instruction == '.') return pop();
      step(instruction);
      if (stack_.size() + memo_.size() > kValuesMost) refuse("it is too long");
    }
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw Error(name_, ": is not a dictionary of tensors alone (", parts...,
                "), and is not run; save the model as safetensors");
  }

  Pointer make(Kind kind) {
    if (values_.size() >= kValuesMost) refuse("it is too long");
    values_.emplace_back().kind = kind;
    return &values_.back();
  }
  void push(Pointer value) { stack_.push_back(value); }
  void push_number(std::int64_t number) {
    push(make(Kind::number));
    stack_.back()->number = number;
  }
  void push_text(std::uint64_t size) {
    push(make(Kind::text));
    stack_.back()->text = reader_.take(size);
  }
  Pointer pop() {
    if (stack_.empty()) refuse("it takes what is not there");
    Pointer top = stack_.back();
    stack_.pop_back();
    return top;
  }
  // The values above the last mark.
  std::vector<Pointer> pop_to_mark() {
    std::size_t at = stack_.size();
    while (at > 0 && stack_[at - 1]->kind != Kind::mark) --at;
    if (at == 0) refuse("it has no mark");
    std::vector<Pointer> values(stack_.begin() + static_cast<std::ptrdiff_t>(at), stack_.end());
    stack_.resize(at - 1);
    return values;
  }
  void push_tuple(std::vector<Pointer> values) {
    push(make(Kind::tuple));
    stack_.back()->values = std::move(values);
  }
  void push_top(int n) {
    std::vector<Pointer> values(static_cast<std::size_t>(n));
    for (int i = n; i-- > 0;) values[static_cast<std::size_t>(i)] = pop();
    push_tuple(std::move(values));
  }
  void remember(std::uint32_t at) {
    if (stack_.empty()) refuse("it takes what is not there");
    memo_[at] = stack_.back();
  }
  void recall(std::uint32_t at) {
    const auto found = memo_.find(at);
    if (found == memo_.end()) refuse("it takes what is not there");
    push(found->second);
  }
  std::string line() {
    std::string text;
    for (char c; (c = reader_.number<char>()) != '\n';) text.push_back(c);
    return text;
  }
  void append(std::vector<Pointer> values) {
    if (stack_.empty() || stack_.back()->kind != Kind::list) refuse("it adds to what is no list");
    auto& list = stack_.back()->values;
    list.insert(list.end(), values.begin(), values.end());
  }
  void set_items(std::vector<Pointer> items) {
    if (stack_.empty() || stack_.back()->kind != Kind::dictionary || items.size() % 2 != 0)
      refuse("it sets items of what is no dictionary");
    auto& values = stack_.back()->values;
    values.insert(values.end(), items.begin(), items.end());
  }

  void push_name(const std::string& module, const std::string& name) {
    const std::string full = module + " " + name;
    const bool storage = module == "torch" && name.ends_with("Storage");
    if (!storage && full != "collections OrderedDict" &&
        full != "torch._utils _rebuild_tensor_v2" && full != "torch._utils _rebuild_parameter")
      refuse("it names ", in_quotes(module + "." + name));
    push(make(Kind::name));
    stack_.back()->text = full;
  }

  // A function, called with a tuple: only those that make dictionaries and tensors.
  void call() {
    const Pointer arguments = pop(), function = pop();
    if (function->kind != Kind::name || arguments->kind != Kind::tuple)
      refuse("it calls what is no function");
    const auto& values = arguments->values;
    if (function->text == "collections OrderedDict") {
      push(make(Kind::dictionary));
    } else if (function->text == "torch._utils _rebuild_parameter" && !values.empty()) {
      push(values[0]);
    } else if (function->text == "torch._utils _rebuild_tensor_v2" && values.size() >= 4 &&
               values[0]->kind == Kind::storage) {
      push(make(Kind::tensor));
      stack_.back()->values = {values[0], values[1], values[2], values[3]};
    } else {
      refuse("it calls ", in_quotes(function->text));
    }
  }

  // ("storage", type, key, place, size), and before 1.6 None, or a part of a storage
  void load_storage() {
    const Pointer id = pop();
    if (id->kind != Kind::tuple || id->values.size() < 5 || id->values[0]->text != "storage" ||
        id->values[1]->kind != Kind::name || id->values[2]->kind != Kind::text ||
        (id->values.size() > 5 && id->values[5]->kind != Kind::none))
      refuse("it names data in an unknown way");
    push(make(Kind::storage));
    stack_.back()->text = id->values[2]->text;
    stack_.back()->values = {id->values[1]};
    storages_.emplace(stack_.back()->text, stack_.back());
  }

  void step(char instruction) {
    switch (instruction) {
      case '\x80': reader_.number<std::uint8_t>(); break;   // PROTO
      case '\x95': reader_.number<std::uint64_t>(); break;  // FRAME
      case '(': push(make(Kind::mark)); break;
      case '}': push(make(Kind::dictionary)); break;
      case ')': push_tuple({}); break;
      case ']': push(make(Kind::list)); break;
      case 'N': push(make(Kind::none)); break;
      case '\x88': push_number(1); break;
      case '\x89': push_number(0); break;
      case 'J': push_number(reader_.number<std::int32_t>()); break;
      case 'K': push_number(reader_.number<std::uint8_t>()); break;
      case 'M': push_number(reader_.number<std::uint16_t>()); break;
      case '\x8a': {  // LONG1
        const std::string_view digits = reader_.take(reader_.number<std::uint8_t>());
        if (digits.size() > 8) {  // which no tensor needs, but the beginning of a file
          push(make(Kind::other));
          stack_.back()->text = digits;
          break;
        }
        std::int64_t number = !digits.empty() && (digits.back() & 0x80)
                                  ? -1
                                  : 0;  // its sign, which other bytes then overwrite
        std::memcpy(&number, digits.data(), digits.size());
        push_number(number);
        break;
      }
      case 'G': reader_.take(8), push(make(Kind::other)); break;
      case 'X': push_text(reader_.number<std::uint32_t>()); break;
      case '\x8c': push_text(reader_.number<std::uint8_t>()); break;
      case 't': push_tuple(pop_to_mark()); break;
      case '\x85': push_top(1); break;
      case '\x86': push_top(2); break;
      case '\x87': push_top(3); break;
      case 'q': remember(reader_.number<std::uint8_t>()); break;
      case 'r': remember(reader_.number<std::uint32_t>()); break;
      case '\x94': remember(static_cast<std::uint32_t>(memo_.size())); break;
      case 'h': recall(reader_.number<std::uint8_t>()); break;
      case 'j': recall(reader_.number<std::uint32_t>()); break;
      case 'c': {
        const std::string module = line();
        push_name(module, line());
        break;
      }
      case '\x93': {  // STACK_GLOBAL
        const Pointer name = pop(), module = pop();
        push_name(module->text, name->text);
        break;
      }
      case 'Q': load_storage(); break;
      case 'R': call(); break;
      case 's': {
        const Pointer value = pop(), key = pop();
        set_items({key, value});
        break;
      }
      case 'u': set_items(pop_to_mark()); break;
      case 'a': append({pop()}); break;
      case 'e': append(pop_to_mark()); break;
      case 'b': pop(); break;  // the state of a dictionary, which is none of its tensors
      default:
        refuse("it has the instruction ",
               static_cast<int>(static_cast<unsigned char>(instruction)));
    }
  }

  ByteReader& reader_;
  const std::string& name_;
  std::deque<Value> values_;
  std::vector<Pointer> stack_;
  std::map<std::uint32_t, Pointer> memo_;
  std::map<std::string, Pointer> storages_;
};

std::optional<Shape> shape_of(const Value& value) {
  Shape shape;
  if (value.kind != Kind::tuple || value.values.size() > 8) return std::nullopt;
  for (const Pointer& n : value.values) {
    if (n->kind != Kind::number || n->number < 0) return std::nullopt;
    shape.push_back(n->number);
  }
  return shape;
}

std::size_t element_size(const std::string& storage) {
  for (const auto& [name, size] : kElementSizes)
    if (storage == name) return size;
  return 0;
}

// The numbers that tensors have their parts of: how many bytes they are, and the bytes themselves.
struct Storage {
  std::uint64_t size;
  std::function<std::shared_ptr<const std::string_view>()> bytes;
};
using Storages = std::function<Storage(const std::string& key)>;

// A tensor of a dictionary, dense and row by row.
struct Part {
  Storage storage;
  std::uint64_t begin, count;
  std::string type;
};

std::vector<float> values_of(const Part& part, const std::string& path) {
  const std::size_t size = element_size(part.type);
  const auto all = part.storage.bytes();
  ByteReader numbers(all->substr(part.begin, part.count * size), path);
  std::vector<float> values;
  values.reserve(part.count);
  for (std::uint64_t k = 0; k < part.count; ++k)
    values.push_back(size == 8   ? static_cast<float>(numbers.number<double>())
                     : size == 4 ? numbers.number<float>()
                     : part.type == "torch HalfStorage" ? from_half(numbers.number<std::uint16_t>())
                                                        : widen(numbers.number<std::uint16_t>()));
  return values;
}

// Adds the tensors of a dictionary. `where` names the pickle in errors.
void add_tensors(ForeignTensors& tensors, const Value& all, const std::string& where,
                 const Storages& storages) {
  const std::string& path = tensors.path();
  if (all.kind != Kind::dictionary)
    throw Error(where, ": is not a dictionary of tensors; save the model as safetensors");
  for (std::size_t i = 0; i + 1 < all.values.size(); i += 2) {
    const Value &key = *all.values[i], &value = *all.values[i + 1];
    if (value.kind != Kind::tensor) continue;
    const std::string& type = value.values[0]->values[0]->text;
    if (type != "torch FloatStorage" && type != "torch HalfStorage" &&
        type != "torch BFloat16Storage" && type != "torch DoubleStorage")
      continue;  // numbers of positions, for example
    const std::size_t size = element_size(type);
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
    Part part{storages(value.values[0]->text), static_cast<std::uint64_t>(offset), count, type};
    const std::uint64_t there = part.storage.size / size;
    if (part.begin > there || count > there - part.begin) damaged("larger than its storage");
    part.begin *= size;
    tensors.add(key.text, {*shape, [part, path] { return values_of(part, path); }});
  }
}

// Since 1.6: an archive with a pickle, and a member for each storage.
ForeignTensors read_torch_zip(const std::string& path) {
  const auto zip = std::make_shared<const ZipFile>(path);
  std::string folder;
  for (const auto& [name, member] : zip->members())
    if (name == "data.pkl" || name.ends_with("/data.pkl")) folder = name.substr(0, name.size() - 8);
  const std::string program = zip->read(folder + "data.pkl"), where = path + ": its data.pkl";
  ByteReader reader(program, where);
  Machine machine(reader, where);
  ForeignTensors tensors(path, zip->bytes());
  std::map<std::string, Storage> known;
  add_tensors(tensors, *machine.run(), where, [&](const std::string& key) {
    const auto [found, is_new] = known.try_emplace(key);
    if (!is_new) return found->second;
    const std::string member = folder + "data/" + key;
    const auto place = zip->members().find(member);
    if (place == zip->members().end())
      throw Error(path, ": is damaged: it lacks the storage ", in_quotes(key));
    // Unpacked bytes are freed when nobody reads them; bytes that are not packed stay in the file.
    found->second = {place->second.size, [zip, member] {
                       struct Unpacked {
                         std::string bytes;
                         std::string_view view;
                       };
                       if (const auto stored = zip->stored(member))
                         return std::make_shared<const std::string_view>(*stored);
                       const auto unpacked = std::make_shared<Unpacked>();
                       unpacked->view = unpacked->bytes = zip->read(member);
                       return std::shared_ptr<const std::string_view>(unpacked, &unpacked->view);
                     }};
    return found->second;
  });
  return tensors;
}

// Before 1.6: pickles one after the other (a magic number, the protocol, the machine's properties,
// the dictionary, the keys of storages), and the storages in the order of the keys, each behind its
// number of elements.
ForeignTensors read_torch_pickles(const std::shared_ptr<const MappedFile>& file,
                                  const std::string& path) {
  ByteReader reader(file->text(), path);
  Machine magic(reader, path), protocol(reader, path), system(reader, path),
      dictionary(reader, path), list(reader, path);
  if (magic.run()->text != std::string_view(reinterpret_cast<const char*>(kMagic), sizeof kMagic))
    throw Error(path, ": is a pickle, but not one of torch.save(); save the model as safetensors");
  if (const Value& version = *protocol.run();
      version.kind != Kind::number || version.number != kProtocol)
    throw Error(path, ": is of an unknown version of torch.save(); save the model as safetensors");
  const Value& properties = *system.run();
  for (std::size_t i = 0; i + 1 < properties.values.size(); i += 2)
    if (properties.values[i]->text == "little_endian" && properties.values[i + 1]->number != 1)
      throw Error(
          path,
          ": was written on a processor of another byte order; save the model as safetensors");
  const Value& all = *dictionary.run();
  const Value& keys = *list.run();
  std::map<std::string, Storage> storages;
  for (const Pointer& key : keys.values) {
    const auto storage = dictionary.storages().find(key->text);
    const std::size_t size =
        storage == dictionary.storages().end() ? 0 : element_size(storage->second->values[0]->text);
    if (size == 0)
      throw Error(path, ": its storage ", in_quotes(key->text),
                  " is of an unknown type; save the model as safetensors");
    const auto count = reader.number<std::uint64_t>();
    const std::string_view bytes =
        reader.take(count > UINT64_MAX / size ? UINT64_MAX : count * size);
    const Storage one{bytes.size(),
                      [file, bytes] { return std::make_shared<const std::string_view>(bytes); }};
    if (!storages.emplace(key->text, one).second)
      throw Error(path, ": is damaged: it has two storages ", in_quotes(key->text));
  }
  ForeignTensors tensors(path, file->size());
  add_tensors(tensors, all, path, [&](const std::string& key) {
    const auto found = storages.find(key);
    if (found == storages.end())
      throw Error(path, ": is damaged: it lacks the storage ", in_quotes(key));
    return found->second;
  });
  return tensors;
}

}  // namespace

void read_pickle(std::string_view bytes, const std::string& name) {
  ByteReader reader(bytes, name);
  Machine(reader, name).run();
}

ForeignTensors read_torch(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  const std::string_view bytes = file->text();
  check_downloaded(bytes, path);
  if (bytes.starts_with("PK")) return read_torch_zip(path);
  if (bytes.starts_with('\x80')) return read_torch_pickles(file, path);
  throw Error(path,
              ": is no file of torch.save(); copy it again, or save the model as safetensors");
}

}  // namespace tt
