#include "model/config.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/report.h"
#include "base/split.h"
#include "model/json_keys.h"
#include "text/languages.h"

namespace tt {
namespace {

using C = Config;

template <class T>
std::string digits(T number) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

bool parse(const std::string& text, auto& value) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size();
}

bool parse(const std::string& text, bool& value) {
  value = text.empty() || text == "true";
  return value || text == "false";
}

bool is_text(const Field& field) { return std::holds_alternative<std::string C::*>(field.member); }
bool is_choice(const Field& field) { return std::holds_alternative<Choice>(field.member); }

std::string underscored(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '-', '_');
  return text;
}

// A setting that earlier versions wrote into every file, and that no longer exists.
struct RetiredField {
  const char* name;
  const char* value;                  // in JSON, that means what is still computed
  bool (*mattered)(const Config& c);  // whether another value had an effect
  const char* remedy;
};
constexpr RetiredField kRetiredFields[] = {
    {"raw_keys", "false",
     [](const Config& c) {
       return c.norm == NormPlace::pre && c.decoder_self == DecoderSelf::attention;
     },
     "search now normalises keys and values as training does; import the model again, or omit it"}};

const RetiredField* find_retired(const std::string& key) {
  for (const RetiredField& field : kRetiredFields)
    if (underscored(key) == field.name) return &field;
  return nullptr;
}

// The values that a field accepts, for "must be ...".
std::string accepted(const Field& field) {
  if (is_text(field) && field.choices.empty()) return "text such as en-de=TEXT;en-fr=TEXT";
  if (is_text(field) || is_choice(field)) {
    std::string text;
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
      if (i > 0) text += i + 1 == field.choices.size() ? " or " : ", ";
      text += in_quotes(field.choices[i]);
    }
    return text;
  }
  if (field.is_switch()) return "true or false";
  if (field.kind() == "NUMBER")
    return "a number from " + digits(field.least) + " to " + digits(field.most);
  if (std::holds_alternative<std::uint64_t C::*>(field.member))
    return "an integer from 0 to " + digits(UINT64_MAX);
  return "an integer from " + digits(static_cast<std::int64_t>(field.least)) + " to " +
         digits(static_cast<std::int64_t>(field.most));
}

// A member's value; 0 where it is not given.
template <class T>
T value_of(const T& member) {
  return member;
}
template <class T>
T value_of(const std::optional<T>& member) {
  return member.value_or(T{});
}

// Sets the member and returns true if `text` is a value of the field.
bool assign(Config& config, const Field& field, const std::string& text) {
  if (is_text(field) && field.choices.empty()) {
    if (!are_source_prefixes(text)) return false;
    config.*std::get<std::string C::*>(field.member) = text;
    return true;
  }
  if (is_text(field) || is_choice(field)) {
    const auto found = std::ranges::find(field.choices, text);
    if (found == field.choices.end()) return false;
    if (is_text(field)) config.*std::get<std::string C::*>(field.member) = text;
    else
      std::get<Choice>(field.member).set(config, static_cast<int>(found - field.choices.begin()));
    return true;
  }
  return std::visit(
      [&](auto member) {
        if constexpr (std::is_same_v<decltype(member), Choice> ||
                      std::is_same_v<decltype(member), std::string C::*>) {
          return false;
        } else {
          using T = decltype(value_of(config.*member));
          T value{};
          if (!parse(text, value)) return false;
          if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::uint64_t>) {
            const auto number = static_cast<double>(value);
            if (!(number >= field.least && number <= field.most)) return false;  // as is NaN
          }
          config.*member = value;
          if constexpr (requires { (config.*member).reset(); })
            if (value == 0) (config.*member).reset();
          return true;
        }
      },
      field.member);
}

// Advice about an unknown key.
std::string advice(const std::string& key) {
  std::vector<std::string> names;
  for (const Field& field : fields()) names.push_back(field.name);
  const std::string meant = nearest(underscored(key), names);
  return meant.empty() ? "the manual lists all keys" : "did you mean \"" + meant + "\"?";
}

std::size_t line_of(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + std::min(offset, text.size()), '\n'));
}

// "where:line" of a key in a flat JSON object, or `where` if the key is spelt with escapes.
std::string place(const std::string& where, std::string_view json, const std::string& key) {
  const std::string spelt = "\"" + key + "\"";
  for (std::size_t at = json.find(spelt); at != std::string_view::npos;
       at = json.find(spelt, at + 1)) {
    const std::size_t after = json.find_first_not_of(" \t\r\n", at + spelt.size());
    if (after != std::string_view::npos && json[after] == ':')
      return where + ":" + std::to_string(line_of(json, at));
  }
  return where;
}

// The error that keeps a text from being read as JSON, with its line.
Error not_json(const std::string& where, std::string_view json,
               const nlohmann::json::parse_error& error) {
  std::size_t at = std::max<std::size_t>(error.byte, 1) -
                   1;  // counted from 1, and past the end of what is incomplete
  const std::string here = where + ":" + std::to_string(line_of(json, at));
  if (at >= json.size()) return Error(here, ": not JSON, or incomplete: it ends too early");
  while (at > 0 && std::isalnum(static_cast<unsigned char>(json[at - 1])))
    --at;  // to the beginning of a word
  return Error(here, ": not JSON from ", in_quotes(json.substr(at, json.find('\n', at) - at)),
               " on");
}

// The library's message has the number in quotes.
Error too_large(const std::string& where, std::string_view json, const std::string& message) {
  const std::size_t quote = message.find('\'') + 1;
  const std::string number = message.substr(quote, message.find('\'', quote) - quote);
  return Error(where, ":", line_of(json, json.find(number)), ": the number ", in_quotes(number),
               " is too large");
}

// A JSON value as text for set_field(); throws Error if its type is not the field's.
std::string json_text(const nlohmann::json& value, const Field& field, const std::string& where) {
  const bool text = is_text(field) || is_choice(field);
  const bool fits = text                ? value.is_string()
                    : field.is_switch() ? value.is_boolean()
                                        : value.is_number();
  // Arrays and objects are not printed: their depth has no limit.
  if (!fits)
    throw Error(where, ": ", field.name, " must be ", accepted(field), ", not ",
                value.is_string() ? "the text " + in_quotes(value.get_ref<const std::string&>())
                : value.is_structured() ? std::string(value.is_array() ? "an array" : "an object")
                                        : value.dump());
  return text ? value.get<std::string>() : value.dump();
}

}  // namespace

bool Field::is_switch() const { return std::holds_alternative<bool Config::*>(member); }

std::string Field::kind() const {
  if (is_switch()) return "BOOLEAN";
  if (std::holds_alternative<double Config::*>(member) ||
      std::holds_alternative<std::optional<double> Config::*>(member))
    return "NUMBER";
  if (std::holds_alternative<std::string Config::*>(member) && choices.empty()) return "TEXT";
  if (choices.empty()) return "INTEGER";
  return join(choices, "|");
}

const Field* find_field(std::string_view name) {
  const std::string wanted = underscored(name);
  const auto all = fields();
  const auto found =
      std::ranges::find_if(all, [&](const Field& field) { return wanted == field.name; });
  return found == all.end() ? nullptr : &*found;
}

std::string problem(const Field& field, const std::string& text) {
  Config scratch;
  return assign(scratch, field, text) ? ""
                                      : "must be " + accepted(field) + ", not " + in_quotes(text);
}

void set_field(Config& config, const Field& field, const std::string& text,
               const std::string& where) {
  if (!assign(config, field, text)) throw Error(where, ": ", field.name, " ", problem(field, text));
}

std::string get_field(const Config& config, const Field& field) {
  return std::visit(
      [&](auto member) -> std::string {
        if constexpr (std::is_same_v<decltype(member), Choice>)
          return field.choices.at(static_cast<std::size_t>(member.get(config)));
        else if constexpr (std::is_same_v<decltype(member), std::string C::*>)
          return config.*member;
        else if constexpr (std::is_same_v<decltype(member), bool C::*>)
          return config.*member ? "true" : "false";
        else return digits(value_of(config.*member));
      },
      field.member);
}

std::string get_field(const Config& config, std::string_view name) {
  return get_field(config, *find_field(name));
}

std::vector<std::string> preset_names() { return {"tiny", "small", "base", "big"}; }

Config preset(const std::string& name, ModelType type, NormType norm) {
  Config config;  // base
  config.type = type;
  const bool lstm = type == ModelType::lstm;
  if (norm == NormType::rms) config.norm_epsilon = 1e-6;  // as in T5
  if (lstm) config.encoder_layers = config.decoder_layers = 2, config.clip = 5;
  if (name == "tiny") {
    config.d_model = 128;
    if (!lstm)
      config.encoder_layers = config.decoder_layers = 4, config.d_ff = 256, config.heads = 4;
    config.tokens = 4096, config.warmup = 2000;
  } else if (name == "small") {
    config.d_model = 256;
    if (!lstm) config.d_ff = 1024, config.heads = 4;
    config.tokens = 8192;
  } else if (name == "big") {
    config.d_model = 1024;
    if (lstm) config.encoder_layers = config.decoder_layers = 4;
    else config.d_ff = 4096, config.heads = 16;
    config.dropout = 0.3;
    config.max_updates = 300000, config.keep_last = 20;
  } else if (name != "base") {
    throw Error("there is no preset ", in_quotes(name),
                "; the presets are tiny, small, base and big");
  }
  return config;
}

std::vector<const Field*> read_json(Config& config, std::string_view json, const std::string& where,
                                    const std::set<std::string>* decisive) {
  if (json.find('\0') != json.npos)
    throw Error(where, ": has a NUL byte, and so is not JSON; remove it");  // JSON would end there
  nlohmann::json object;
  try {
    object = nlohmann::json::parse(json);
  } catch (const nlohmann::json::parse_error& error) {
    throw not_json(where, json, error);
  } catch (const nlohmann::json::out_of_range& error) {
    throw too_large(where, json, error.what());
  }
  if (!object.is_object())
    throw Error(where, ": must be a JSON object, such as {\"d_model\": 512}");
  std::set<std::string> seen;
  each_key(json, [&](const std::string& key) {
    if (!seen.insert(underscored(key)).second)
      throw Error(where, ": the key ", in_quotes(key), " is given twice");
  });
  Config read = config;  // nothing changes if there is an error
  std::vector<std::pair<const RetiredField*, std::string>> gone;  // with another value, and where
  std::vector<const Field*> named;
  for (const auto& [key, value] : object.items()) {
    const Field* field = find_field(key);
    const std::string here = place(where, json, key);
    if (const RetiredField* retired = find_retired(key)) {
      if (value.is_structured() || value.dump() != retired->value) gone.emplace_back(retired, here);
      continue;
    }
    if (!field && decisive && !decisive->contains(key)) {
      warn(here + ": the setting " + in_quotes(key) + " is unknown to this version, and ignored");
      continue;
    }
    if (!field) throw Error(here, ": unknown key ", in_quotes(key), "; ", advice(key));
    named.push_back(field);
    if (!decisive || field->group == FieldGroup::model) {
      set_field(read, *field, json_text(value, *field, here), here);
    } else try {
        set_field(read, *field, json_text(value, *field, here), here);
      } catch (const Error& error) {
        warn(std::string(error.what()) + "; ignored");
      }
  }
  for (const auto& [retired, here] : gone)
    if (retired->mattered(read))
      throw Error(here, ": the setting ", in_quotes(retired->name),
                  " is no longer supported: ", retired->remedy);
  config = std::move(read);
  return named;
}

bool applies(const Field& field, const Architecture& model) {
  return !field.only || *field.only == model.type;
}

std::string decisive_keys(const Config& config) {
  std::string keys;
  for (const Field& field : fields())
    if (field.group == FieldGroup::model && get_field(config, field) != get_field(Config(), field))
      keys += (keys.empty() ? "" : " ") + std::string(field.name);
  return keys;
}

std::string to_json(const Config& config, bool indented) {
  nlohmann::ordered_json object;
  for (const Field& field : fields())
    if (!indented || applies(field, config))
      std::visit(
          [&](auto member) {
            if constexpr (std::is_same_v<decltype(member), Choice>)
              object[field.name] = get_field(config, field);
            else object[field.name] = value_of(config.*member);
          },
          field.member);
  return indented ? object.dump(2) + "\n" : object.dump();
}

namespace {

void check_training(const Config& config, const std::string& where) {
  if (config.schedule == Schedule::paper && config.warmup == 0)
    throw Error(
        where,
        ": the schedule \"paper\" needs a warmup of at least 1; set one, or another schedule");
  if (config.warmup == 0 && !config.rate)
    throw Error(where, ": the paper's rate needs a warmup; set rate or warmup");
  if (config.average_power > 0 && config.optimizer != Optimizer::schedule_free)
    throw Error(where, ": average_power is of the optimizer \"schedule-free\", but optimizer is \"",
                get_field(config, "optimizer"), "\"; set it to 0");
  if (config.optimizer == Optimizer::schedule_free) {
    if (config.schedule != Schedule::constant)
      throw Error(where, ": the optimizer \"schedule-free\" has no schedule after the warmup, but ",
                  "schedule is \"", get_field(config, "schedule"),
                  "\"; set it to \"constant\", or use another optimizer");
    if (config.average_decay > 0)
      throw Error(where, ": the optimizer \"schedule-free\" averages the weights itself; set ",
                  "average_decay to 0, or use another optimizer");
  }
  if ((config.schedule == Schedule::linear || config.schedule == Schedule::cosine ||
       config.schedule == Schedule::wsd) &&
      config.max_updates <= std::max(config.warmup, 1))
    throw Error(where, ": the schedule \"", get_field(config, "schedule"),
                "\" falls to 0 at max_updates (", config.max_updates,
                "), which must be more than warmup (", config.warmup, ") and 1");
}

}  // namespace

void check_config(const Config& config, const std::string& where) {
  for (const Field& field : fields()) {
    const std::string found = problem(field, get_field(config, field));
    if (!found.empty()) throw Error(where, ": ", field.name, " ", found);
  }
  const std::string type = get_field(config, "type");
  for (const Field& field : fields())
    if (!applies(field, config) && get_field(config, field) != get_field(Config(), field))
      throw Error(where, ": ", field.name, " does not apply to type ", type, "; omit it");
  if (config.type == ModelType::lstm) {
    if (config.bidirectional && config.d_model % 2 != 0)
      throw Error(where, ": d_model ", config.d_model,
                  " is odd, and cannot be halved between the two directions of the encoder");
    if (config.input_feeding && config.attention == AttentionKind::none)
      throw Error(where,
                  ": input_feeding needs attention, but attention is \"none\"; change one of them");
  }
  if (config.type == ModelType::transformer && config.d_model % config.heads != 0 &&
      (!config.d_k || !config.d_v))
    throw Error(where, ": d_model ", config.d_model, " is not divisible by heads ", config.heads,
                "; change one of them, or set d_k and d_v");
  if (config.alignment_layer > config.decoder_layers || config.alignment_head > config.heads)
    throw Error(where, ": the decoder has ", config.decoder_layers, " layers of ", config.heads,
                " heads, and no alignment_layer ", config.alignment_layer, " with alignment_head ",
                config.alignment_head, "; change one of them");
  if (config.shares_inputs() && config.source_vocab && config.target_vocab &&
      config.source_vocab != config.target_vocab)
    throw Error(where, ": shared embeddings need one vocabulary, but the source has ",
                config.source_vocab, " pieces and the target ", config.target_vocab,
                "; use one joint subword model, or set embeddings to \"target\" or \"none\"");
  if (config.positions == PositionKind::learned && config.max_length < 2)
    throw Error(where, ": learned positions for ", config.max_length,
                " token leave none for a sentence; raise max_length");
  if (config.positions == PositionKind::relative) {
    if (config.position_distance <= config.position_buckets / 2)
      throw Error(where, ": position_distance ", config.position_distance,
                  " is not more than half of position_buckets (", config.position_buckets,
                  "), of which those have a distance each; raise it");
    if (config.scores == Scores::additive)
      throw Error(where,
                  ": positions \"relative\" need scores \"scaled\" or \"dot\", but scores is ",
                  "\"additive\"; change one of them");
  }
  check_training(config, where);
}

std::string same_model(const Config& a, const Config& b) {
  // Settings that follow from others, or have no effect because of them, do not count as
  // differences.
  const auto plain = [](Config config) {
    if (!config.d_k && config.heads > 0) config.d_k = config.key_size();
    if (!config.d_v && config.heads > 0) config.d_v = config.value_size();
    if (config.positions != PositionKind::learned) config.max_length = 0;
    if (config.positions != PositionKind::sinusoidal)
      config.position_layout = PositionLayout::interleaved, config.first_position = 0;
    if (config.positions != PositionKind::relative)
      config.position_buckets = config.position_distance = 0;
    config.final_norm = config.has_final_norm() ? FinalNorm::yes : FinalNorm::no;
    return config;
  };
  const Config left = plain(a), right = plain(b);
  for (const Field& field : fields()) {
    if (field.group != FieldGroup::model) continue;
    const std::string one = get_field(left, field), other = get_field(right, field);
    if (one != other) return std::string(field.name) + " is " + one + " and " + other;
  }
  return "";
}

}  // namespace tt
