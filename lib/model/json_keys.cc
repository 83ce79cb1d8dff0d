#include "model/json_keys.h"

#include <nlohmann/json.hpp>

namespace tt {
namespace {

using nlohmann::json;

// Follows the events of the parser, and keeps nothing but the depth and the number of values.
class KeyReader : public nlohmann::json_sax<json> {
 public:
  KeyReader(const std::function<void(const std::string&)>& see, std::size_t most)
      : see_(see), most_(most) {}

  std::size_t values() const { return values_; }

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_array() override { return end(); }
  bool key(string_t& name) override {
    if (depth_ == 1) see_(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  bool count() { return ++values_ <= most_; }
  bool begin() { return ++depth_, count(); }
  bool end() { return --depth_, true; }

  const std::function<void(const std::string&)>& see_;
  std::size_t most_, values_ = 0;
  int depth_ = 0;
};

}  // namespace

std::size_t each_key(std::string_view text, const std::function<void(const std::string&)>& see,
                     std::size_t most) {
  KeyReader reader(see, most);
  json::sax_parse(text, &reader);
  return reader.values();
}

}  // namespace tt
