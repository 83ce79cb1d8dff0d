#include "model/weight_form.h"

#include <algorithm>

#include "base/error.h"
#include "tensor/panels.h"

namespace tt {

const char* name_of(WeightForm form) { return form == WeightForm::int8 ? "int8" : "packed"; }

WeightForm stored_form(const TensorFile& file) {
  const auto found = file.metadata().find(kWeights);
  if (found == file.metadata().end()) return WeightForm::float32;
  for (const WeightForm form : {WeightForm::packed, WeightForm::int8})
    if (found->second == name_of(form)) return form;
  throw Error(file.path(), ": has weights of the form ", in_quotes(found->second),
              "; this program reads float32, ", name_of(WeightForm::packed), " and ",
              name_of(WeightForm::int8));
}

void require_float32(const TensorFile& file, const std::string& why) {
  const WeightForm form = stored_form(file);
  if (form != WeightForm::float32)
    throw Error(file.path(), ": has ",
                form == WeightForm::int8 ? "weights in eight bits" : "packed weights", why);
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
    if (form == WeightForm::packed) {
      all.push_back({tensor.name, Dtype::f32, {panels_of(n), k, kPanelColumns}, nullptr});
      continue;
    }
    check_int8_depth(tensor.name, k);
    all.push_back({tensor.name,
                   Dtype::u8,
                   {int8_panels(n), int8_groups(k), kInt8Columns, kInt8Depth},
                   nullptr});
    all.push_back({tensor.name + kScales, Dtype::f32, {n}, nullptr});
  }
  return all;
}

void load_frozen(Params& params, const TensorFile& file, const Backend& backend, WeightForm form) {
  const WeightForm stored = stored_form(file);
  check_tensors(file, stored_tensors(params, stored));
  const auto names = params.tensors();
  const auto floats = [&](const std::string& name) {
    return static_cast<const float*>(file.find(name)->data);
  };
  if (!backend.is_host()) params.place(backend);
  params.freeze(stored == WeightForm::int8 ? stored : form);
  for (int i = 0; i < params.number(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)].name;
    const WeightForm here = params.use(i) == Use::other ? WeightForm::float32 : stored;
    switch (here) {
      case WeightForm::float32:
        if (backend.is_host()) params.borrow(backend, i, floats(name), MappedFile::forget);
        else params.fill(i, floats(name));
        break;
      case WeightForm::packed:
        if (backend.is_host()) params.borrow_packed(backend, i, floats(name));
        else params.fill_packed(i, floats(name));
        break;
      case WeightForm::int8:
        if (backend.is_host()) params.borrow(backend, i, nullptr, MappedFile::forget);
        params.set_int8(i, static_cast<const std::uint8_t*>(file.find(name)->data),
                        floats(name + kScales));
    }
  }
}

}  // namespace tt
