// model.bin of CTranslate2: variables by their names.
//
// Source: python/ctranslate2/specs/model_spec.py of that project.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "exchange/foreign.h"
#include "exchange/model_files.h"

namespace tt {

struct CTranslate2File {
  ForeignTensors variables;  // of any type, as float32, with the names that newer files have
  int version = 0;           // below 6 what later stands in config.json is among the variables
  int heads = 0;             // where the variables do not say it
};

// Reads a model.bin of version 1 to 6. Throws Error if it is none, or is damaged.
CTranslate2File read_ctranslate2_file(const FileBytes& file, const std::string& path);

class CTranslate2Writer {
 public:
  // A matrix, or where there is one of that name what follows in it; `shape` is that of the whole.
  void add(const std::string& name, const Shape& shape, const std::vector<float>& values);
  // A number that is no matrix, of as many bits as the program has for its name.
  void add(const std::string& name, int number);
  // Another name of the same variable.
  void alias(const std::string& other, const std::string& name) { aliases_[other] = name; }

  // Throws Error, beginning with `folder`, if a variable is too large for the format.
  void check(const std::string& folder) const;
  void write(AtomicFile& file) const;

 private:
  struct Variable {
    Shape shape;
    std::uint8_t type = 0;
    std::string bytes;
  };
  std::map<std::string, Variable> all_;
  std::map<std::string, std::string> aliases_;
};

}  // namespace tt
