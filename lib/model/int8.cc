#include "model/int8.h"

#include "base/error.h"

namespace tt {

WeightForm stored_form(const TensorFile& file) {
  const auto found = file.metadata().find(kWeights);
  if (found == file.metadata().end()) return WeightForm::float32;
  if (found->second != kInt8)
    throw Error(file.path(), ": has weights of the form ", in_quotes(found->second), "; this program reads float32 and ", kInt8);
  return WeightForm::int8;
}

std::vector<NamedTensor> stored_tensors(const Params& params, WeightForm form) {
  auto plain = params.tensors();
  if (form == WeightForm::float32) return plain;
  std::vector<NamedTensor> all;
  for (int i = 0; i < params.number(); ++i) {
    const NamedTensor& tensor = plain[static_cast<std::size_t>(i)];
    const Param p = params.at(i);
    if (params.use(i) == Use::other) {
      all.push_back(tensor);
      continue;
    }
    const bool table = params.use(i) == Use::table;
    const std::int64_t n = table ? p.rows : p.columns, k = table ? p.columns : p.rows;
    all.push_back({tensor.name, Dtype::u8, {int8_panels(n), int8_groups(k), kInt8Columns, kInt8Depth}, nullptr});
    all.push_back({tensor.name + kScales, Dtype::f32, {n}, nullptr});
  }
  return all;
}

void load_frozen(Params& params, const TensorFile& file, const Backend& backend, WeightForm form) {
  const WeightForm stored = stored_form(file);
  check_tensors(file, stored_tensors(params, stored));
  const auto names = params.tensors();
  const auto data = [&](const std::string& name) { return file.find(name)->data; };
  if (!backend.is_host()) params.place(backend);
  params.freeze(stored == WeightForm::int8 ? stored : form);
  for (int i = 0; i < params.number(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)].name;
    const bool eight = stored == WeightForm::int8 && params.use(i) != Use::other;
    if (backend.is_host()) params.borrow(backend, i, eight ? nullptr : static_cast<const float*>(data(name)));
    else if (!eight) params.fill(i, static_cast<const float*>(data(name)));
    if (eight) params.set_int8(i, static_cast<const std::uint8_t*>(data(name)), static_cast<const float*>(data(name + kScales)));
  }
}

}  // namespace tt
