#include "model/json_keys.h"

#include <nlohmann/json.hpp>

namespace tt {
namespace {

using nlohmann::json;

// Follows the events of the parser, and keeps nothing but the depth.
class KeyReader : public nlohmann::json_sax<json> {
 public:
  explicit KeyReader(const std::function<void(const std::string&)>& see) : see_(see) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
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
  bool begin() { return ++depth_, true; }
  bool end() { return --depth_, true; }

  const std::function<void(const std::string&)>& see_;
  int depth_ = 0;
};

}  // namespace

void each_key(std::string_view text, const std::function<void(const std::string&)>& see) {
  KeyReader reader(see);
  json::sax_parse(text, &reader);
}

}  // namespace tt
