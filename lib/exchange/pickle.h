// Pickles, as data.
//
// A pickle is a program that makes the objects of another; this one is never run. It is read by a
// list of the instructions that dictionaries, lists, numbers, texts and tensors need. Calls of
// functions of other names are refused, or, where they are asked for, are objects without a life:
// the name that was called, its arguments, and the state that was given to it. Source:
// Lib/pickletools.py of Python (the instructions), torch/serialization.py and torch/_utils.py (the
// names).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace tt {

struct PickleValue {
  enum class Kind {
    none,
    mark,
    number,
    truth,
    real,
    text,
    tuple,
    list,
    dictionary,
    name,
    storage,
    tensor,
    object,
    other
  };
  Kind kind = Kind::none;
  std::int64_t number = 0;
  double real = 0;
  // Of a name "module name"; of a storage its key; of a number that is too large its bytes. A view
  // of the pickle: a text that it names a thousand times is there once.
  std::string_view text;
  // Of a tuple or a list; of a dictionary keys and values in turn; of a storage its type; of a
  // tensor its storage, offset, shape and strides; of an object the name, the tuple of its
  // arguments, and its states. Pickles can nest without end, and point to themselves.
  std::vector<PickleValue*> values;

  // Of a dictionary; null if there is none.
  const PickleValue* find(std::string_view key) const;
};

enum class PickleObjects { refused, inert };

class PickleMachine {
 public:
  // Reads pickles from where the reader is. Errors begin with `name`. All three, and the bytes that
  // are read, must outlive it.
  PickleMachine(ByteReader& reader, const std::string& name, PickleObjects objects)
      : reader_(reader), name_(name), objects_(objects) {}

  // Reads one; what it gives lives as long as this, and takes memory in proportion to the pickle.
  // Throws Error if it is damaged, or holds what is not read.
  const PickleValue& run();
  // A value as JSON: what has no place there, such as a tensor, is null. An object is its state: of
  // a container of omegaconf its contents, otherwise the dictionary, or its only argument. Null
  // is what is nested too deeply, and what is behind most_from() the bytes of the pickle, since
  // values that are shared are written each time.
  nlohmann::json as_json(const PickleValue& value) const;
  // All storages that were named, by their keys.
  const std::map<std::string_view, PickleValue*>& storages() const { return storages_; }

 private:
  using Pointer = PickleValue*;
  using Kind = PickleValue::Kind;

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const;
  void step(char instruction);
  void step_more(char instruction);
  PickleValue& push(Kind kind);  // a new value
  void push(Pointer value) { stack_.push_back(value); }
  void push_text(std::uint64_t size) { push(Kind::text).text = reader_.take(size); }
  void push_long(std::uint64_t size);
  void push_top(int n);
  void push_name(std::string_view module, std::string_view name);
  void push_object(Pointer name, Pointer arguments);
  Pointer pop();
  std::vector<Pointer> pop_to_mark();
  void remember(std::uint32_t at);
  void recall(std::uint32_t at);
  void append(Kind to, const std::vector<Pointer>& items);
  void call();
  void build();
  void load_storage();

  ByteReader& reader_;
  const std::string& name_;
  PickleObjects objects_;
  std::deque<PickleValue> values_;
  std::deque<std::string> names_;
  std::vector<Pointer> stack_;
  std::map<std::uint32_t, Pointer> memo_;
  std::map<std::string_view, Pointer> storages_;
};

}  // namespace tt
