#include "exchange/pickle.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "exchange/foreign.h"

namespace tt {
namespace {

using nlohmann::json;
using Kind = PickleValue::Kind;

constexpr std::size_t kValuesMost = 1 << 22;  // of a pickle, so that none fills the memory
constexpr int kDeepest = 64;                  // of JSON
constexpr std::size_t kNameMost = 200;        // bytes of a module and a name

}  // namespace

const PickleValue* PickleValue::find(std::string_view key) const {
  if (kind != Kind::dictionary) return nullptr;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    if (values[i]->kind == Kind::text && values[i]->text == key) return values[i + 1];
  return nullptr;
}

const PickleValue& PickleMachine::run() {
  for (;;) {
    const auto instruction = reader_.number<char>();
    if (instruction == '.') return *pop();
    step(instruction);
    if (stack_.size() + memo_.size() > kValuesMost) refuse("it is too long");
  }
}

template <class... Parts>
void PickleMachine::refuse(const Parts&... parts) const {
  throw Error(name_, ": is not a dictionary of tensors alone (", parts...,
              "), and is not run; save the model as safetensors");
}

PickleValue& PickleMachine::push(Kind kind) {
  if (values_.size() >= kValuesMost) refuse("it is too long");
  PickleValue& value = values_.emplace_back();
  value.kind = kind;
  stack_.push_back(&value);
  return value;
}

void PickleMachine::push_long(std::uint64_t size) {
  const std::string_view digits = reader_.take(size);
  if (digits.size() > 8) {  // which no tensor needs, but the beginning of a file
    push(Kind::other).text = digits;
    return;
  }
  // Its sign, which other bytes then overwrite.
  std::int64_t number = !digits.empty() && (digits.back() & 0x80) ? -1 : 0;
  std::memcpy(&number, digits.data(), digits.size());
  push(Kind::number).number = number;
}

PickleValue* PickleMachine::pop() {
  if (stack_.empty()) refuse("it takes a value from an empty stack");
  Pointer top = stack_.back();
  stack_.pop_back();
  return top;
}

// The values above the last mark.
std::vector<PickleValue*> PickleMachine::pop_to_mark() {
  std::size_t at = stack_.size();
  while (at > 0 && stack_[at - 1]->kind != Kind::mark) --at;
  if (at == 0) refuse("it has no mark");
  std::vector<Pointer> values(stack_.begin() + static_cast<std::ptrdiff_t>(at), stack_.end());
  stack_.resize(at - 1);
  return values;
}

void PickleMachine::push_top(int n) {
  std::vector<Pointer> values(static_cast<std::size_t>(n));
  for (int i = n; i-- > 0;) values[i] = pop();
  push(Kind::tuple).values = std::move(values);
}

void PickleMachine::remember(std::uint32_t at) {
  if (stack_.empty()) refuse("it takes a value from an empty stack");
  memo_[at] = stack_.back();
}

void PickleMachine::recall(std::uint32_t at) {
  const auto found = memo_.find(at);
  if (found == memo_.end()) refuse("it takes a value that was not stored");
  push(found->second);
}

// Items of an object are not kept.
void PickleMachine::append(Kind to, const std::vector<Pointer>& items) {
  const Kind top = stack_.empty() ? Kind::none : stack_.back()->kind;
  if (top == Kind::object) return;
  if (to == Kind::list && top != to) refuse("it appends to a value that is no list");
  if (to == Kind::dictionary && (top != to || items.size() % 2 != 0))
    refuse("it sets items of a value that is no dictionary");
  auto& values = stack_.back()->values;
  values.insert(values.end(), items.begin(), items.end());
}

void PickleMachine::push_name(std::string_view module, std::string_view name) {
  if (module.size() + name.size() > kNameMost)
    refuse("it has a name of ", module.size() + name.size(), " bytes");
  std::string full = std::string(module) + " " + std::string(name);
  const bool storage = module == "torch" && name.ends_with("Storage");
  if (objects_ == PickleObjects::refused && !storage && full != "collections OrderedDict" &&
      full != "torch._utils _rebuild_tensor_v2" && full != "torch._utils _rebuild_parameter")
    refuse("it names ", in_quotes(std::string(module) + "." + std::string(name)));
  push(Kind::name).text = names_.emplace_back(std::move(full));
}

void PickleMachine::push_object(Pointer name, Pointer arguments) {
  if (objects_ == PickleObjects::refused) refuse("it calls ", in_quotes(name->text));
  push(Kind::object).values = {name, arguments};
}

// A function, called with a tuple: those that make dictionaries and tensors are known.
void PickleMachine::call() {
  const Pointer arguments = pop(), function = pop();
  if (function->kind == Kind::object && objects_ == PickleObjects::inert)
    return push_object(function, arguments);
  if (function->kind != Kind::name || arguments->kind != Kind::tuple)
    refuse("it calls a value that is no function");
  const auto& values = arguments->values;
  if (function->text == "collections OrderedDict") {
    push(Kind::dictionary);
  } else if (function->text == "torch._utils _rebuild_parameter" && !values.empty()) {
    push(values[0]);
  } else if (function->text == "torch._utils _rebuild_tensor_v2" && values.size() >= 4 &&
             values[0]->kind == Kind::storage) {
    push(Kind::tensor).values = {values[0], values[1], values[2], values[3]};
  } else {
    push_object(function, arguments);
  }
}

// The state of an object; that of a dictionary is none of its items.
void PickleMachine::build() {
  const Pointer state = pop();
  if (!stack_.empty() && stack_.back()->kind == Kind::object)
    stack_.back()->values.push_back(state);
}

// ("storage", type, key, place, size), and before 1.6 None, or a part of a storage
void PickleMachine::load_storage() {
  const Pointer id = pop();
  if (id->kind != Kind::tuple || id->values.size() < 5 || id->values[0]->text != "storage" ||
      id->values[1]->kind != Kind::name || id->values[2]->kind != Kind::text ||
      (id->values.size() > 5 && id->values[5]->kind != Kind::none))
    refuse("it names data in an unknown way");
  PickleValue& storage = push(Kind::storage);
  storage.text = id->values[2]->text;
  storage.values = {id->values[1]};
  storages_.emplace(storage.text, &storage);
}

void PickleMachine::step(char instruction) {
  switch (instruction) {
    case '\x80': reader_.number<std::uint8_t>(); break;   // PROTO
    case '\x95': reader_.number<std::uint64_t>(); break;  // FRAME
    case '(': push(Kind::mark); break;
    case '}': push(Kind::dictionary); break;
    case ')': push(Kind::tuple); break;
    case ']': push(Kind::list); break;
    case 'N': push(Kind::none); break;
    case '\x88': push(Kind::truth).number = 1; break;
    case '\x89': push(Kind::truth); break;
    case 'J': push(Kind::number).number = reader_.number<std::int32_t>(); break;
    case 'K': push(Kind::number).number = reader_.number<std::uint8_t>(); break;
    case 'M': push(Kind::number).number = reader_.number<std::uint16_t>(); break;
    case '\x8a': push_long(reader_.number<std::uint8_t>()); break;
    case 'G': {
      const std::uint64_t bits = __builtin_bswap64(reader_.number<std::uint64_t>());
      push(Kind::real).real = std::bit_cast<double>(bits);
      break;
    }
    case 'X': push_text(reader_.number<std::uint32_t>()); break;
    case '\x8c': push_text(reader_.number<std::uint8_t>()); break;
    case 't': push(Kind::tuple).values = pop_to_mark(); break;
    case '\x85': push_top(1); break;
    case '\x86': push_top(2); break;
    case '\x87': push_top(3); break;
    case 'q': remember(reader_.number<std::uint8_t>()); break;
    case 'r': remember(reader_.number<std::uint32_t>()); break;
    case '\x94': remember(static_cast<std::uint32_t>(memo_.size())); break;
    case 'h': recall(reader_.number<std::uint8_t>()); break;
    case 'j': recall(reader_.number<std::uint32_t>()); break;
    case 'c': {
      const std::string_view module = reader_.line();
      push_name(module, reader_.line());
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
      append(Kind::dictionary, {key, value});
      break;
    }
    case 'u': append(Kind::dictionary, pop_to_mark()); break;
    case 'a': append(Kind::list, {pop()}); break;
    case 'e': append(Kind::list, pop_to_mark()); break;
    case 'b': build(); break;
    default:
      if (objects_ == PickleObjects::refused)
        refuse("it has the instruction ",
               static_cast<int>(static_cast<unsigned char>(instruction)));
      step_more(instruction);
  }
}

// The instructions that objects, sets and bytes need.
void PickleMachine::step_more(char instruction) {
  switch (instruction) {
    case '\x92': pop(); [[fallthrough]];  // NEWOBJ_EX
    case '\x81': {                        // NEWOBJ
      const Pointer arguments = pop(), name = pop();
      push_object(name, arguments);
      break;
    }
    case '\x8f': push(Kind::list); break;  // a set
    case '\x90': append(Kind::list, pop_to_mark()); break;
    case '\x91': push(Kind::tuple).values = pop_to_mark(); break;
    case 'U':
    case 'C': push_text(reader_.number<std::uint8_t>()); break;
    case 'T':
    case 'B': push_text(reader_.number<std::uint32_t>()); break;
    case '\x8d':
    case '\x8e': push_text(reader_.number<std::uint64_t>()); break;
    case '\x8b': push_long(reader_.number<std::uint32_t>()); break;
    case '0': pop(); break;
    case '1': pop_to_mark(); break;
    case '2': {
      const Pointer top = pop();
      push(top);
      push(top);
      break;
    }
    default:
      refuse("it has the instruction ", static_cast<int>(static_cast<unsigned char>(instruction)));
  }
}

namespace {

// `left`: bytes that may still be taken, since values that are shared are written each time.
json as_json(const PickleValue& value, int depth, std::uint64_t& left) {
  constexpr std::uint64_t kNode = 64;  // bytes of a value and its place
  const std::uint64_t size = kNode + value.text.size();
  if (depth > kDeepest || size > left) return nullptr;
  left -= size;
  const auto inner = [&](const PickleValue& v) { return as_json(v, depth + 1, left); };
  switch (value.kind) {
    case Kind::number: return value.number;
    case Kind::truth: return value.number != 0;
    case Kind::real: return value.real;
    case Kind::text: return value.text;
    case Kind::tuple:
    case Kind::list: {
      json list = json::array();
      for (const PickleValue* v : value.values) list.push_back(inner(*v));
      return list;
    }
    case Kind::dictionary: {
      json object = json::object();
      for (std::size_t i = 0; i + 1 < value.values.size(); i += 2)
        if (const json key = inner(*value.values[i]); key.is_string())
          object[key.get<std::string>()] = inner(*value.values[i + 1]);
      return object;
    }
    case Kind::object: {
      if (value.values.size() > 2) {
        const PickleValue& state = *value.values.back();
        for (const char* key : {"_content", "_val"})
          if (const PickleValue* contents = state.find(key)) return inner(*contents);
        return inner(state);
      }
      const auto& arguments = value.values[1]->values;
      return arguments.size() == 1 ? inner(*arguments[0]) : json();
    }
    default: return nullptr;
  }
}

}  // namespace

json PickleMachine::as_json(const PickleValue& value) const {
  std::uint64_t left = most_from(reader_.size());
  return tt::as_json(value, 0, left);
}

}  // namespace tt
