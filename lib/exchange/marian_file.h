// The files of Marian's models: .npz, a zip archive of arrays, and .bin, which is mapped into
// memory.
//
// .bin = version, count, headers, names, shapes, offset, padding, data    (src/common/binary.cpp of
// Marian)
//   version, count, offset: 64 bits
//   header: bytes of the name, type, dimensions, bytes of the data, 64 bits each
//   names: each ended by a NUL
//   shapes: 32 bits a dimension
//   padding: `offset` bytes
//   data: one tensor after the other
#pragma once

#include <string>

#include "base/zip.h"
#include "exchange/foreign.h"
#include "exchange/foreign_setting.h"
#include "exchange/json_settings.h"

namespace tt {

struct MarianFile {
  ForeignTensors tensors;
  std::string options;  // of training, in YAML
};

// Its options as values, of which operations are without dropout, which is for training alone.
ForeignValues marian_values(const JsonSettings& options);

// Reads either, whatever its name is. Throws Error if it is neither, is damaged, or has no options.
MarianFile read_marian_file(const std::string& path);

// Writes an .npz.
class MarianWriter {
 public:
  explicit MarianWriter(AtomicFile& file) : zip_(file) {}
  void add(const std::string& name, const Shape& shape, const std::vector<float>& values);
  void finish(const std::string& options);

 private:
  ZipWriter zip_;
};

}  // namespace tt
