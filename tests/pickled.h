// Pickles as torch.save() writes them: programs that make values, put together of those of parts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tensor/tensor.h"

namespace tt::pickled {

template <class T>
std::string bytes_of(T number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// Pieces of a pickle.
inline std::string text(const std::string& s) {
  return "X" + bytes_of(static_cast<std::uint32_t>(s.size())) + s;
}
inline std::string number(std::int64_t n) { return "J" + bytes_of(static_cast<std::int32_t>(n)); }
inline std::string dictionary(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string all = "}(";
  for (const auto& [key, value] : items) all += text(key) + value;
  return all + "u";
}
inline std::string object(const std::string& module, const std::string& name,
                          const std::string& state) {
  return "c" + module + "\n" + name + "\n)\x81" + state + "b";
}
inline std::string tuple(const Shape& numbers) {
  std::string all = "(";
  for (const std::int64_t n : numbers) all += number(n);
  return all + "t";
}

// A tensor whose storage is its own.
inline std::string tensor(const std::string& key, const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" +
         text(key) + text("cpu") + number(elements(shape)) + "NtQ" + number(0) + tuple(shape) +
         tuple(strides) + "\x89" + "ccollections\nOrderedDict\n)RtR";
}

// A file of torch.save() before version 1.6 with a dictionary.
inline std::string torch_file(const std::string& program, const std::vector<std::string>& keys,
                              const std::vector<std::vector<float>>& storages) {
  std::string file = "\x80\x02\x8a\x0a";
  file += std::string("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10) + ".";
  file += "\x80\x02M\xe9\x03.\x80\x02" + dictionary({{"little_endian", "\x88"}}) + ".";
  file += "\x80\x02" + program + ".\x80\x02](";
  for (const std::string& key : keys) file += text(key);
  file += "e.";
  for (const auto& values : storages) {
    file += bytes_of(static_cast<std::uint64_t>(values.size()));
    file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
  return file;
}

inline std::string list(const std::vector<std::string>& values) {
  std::string all = "](";
  for (const std::string& value : values) all += value;
  return all + "e";
}

// Tensors of a checkpoint, and the bytes of their storages.
struct Tensors {
  std::vector<std::pair<std::string, std::string>> programs;
  std::vector<std::string> keys;
  std::vector<std::vector<float>> storages;
};

}  // namespace tt::pickled
