#include "model/weight_form.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/error.h"
#include "nn/device.h"
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
    if (params.use(i) == Use::other) {
      all.push_back(tensor);
      continue;
    }
    const auto [transposed, n, k] = params.product_of(i);
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

namespace {

// Rows that are read at a time, a multiple of the columns of panels: those of some 16 MiB.
std::int64_t rows_at_a_time(std::int64_t columns) {
  constexpr std::int64_t kFloats = 1 << 22, kRows = 2 * kPanelColumns;
  return std::max<std::int64_t>(kFloats / columns / kRows, 1) * kRows;
}

// Brings parameters into a form, whose scales come behind all matrices.
class FormWriter {
 public:
  FormWriter(const Params& params, WeightForm form, const ReadRows& read)
      : params_(params), form_(form), read_(read), host_(open_backend({})) {}

  void write(int index, const PutBytes& put) {
    const Param p = params_.at(index);
    const Use use = params_.use(index);
    const bool plain = form_ == WeightForm::float32 || use == Use::other;
    // The columns of a matrix that multiplies from the right need all of its rows.
    const std::int64_t step = plain || use == Use::table ? rows_at_a_time(p.columns) : p.rows;
    if (!plain) scales_[index].resize(static_cast<std::size_t>(std::max(p.rows, p.columns)));
    for (std::int64_t first = 0; first < p.rows; first += step) {
      const std::int64_t n = std::min(step, p.rows - first);
      values_.resize(static_cast<std::size_t>(n * p.columns));
      read_(index, first, n, values_.data());
      if (plain) put(values_.data(), values_.size() * sizeof(float));
      else put_matrix(use == Use::table, n, p.columns, scales_[index].data() + first, put);
    }
  }

  const std::vector<float>& scales(int index) const { return scales_.at(index); }

 private:
  void put_matrix(bool table, std::int64_t rows, std::int64_t columns, float* scales,
                  const PutBytes& put) {
    const std::int64_t n = table ? rows : columns, k = table ? columns : rows;
    if (form_ == WeightForm::packed) {
      packed_.resize(static_cast<std::size_t>(panel_floats(n, k)));
      host_->pack({table, float32(values_.data(), rows, columns),
                   matrix(packed_.data(), ElementType::panels, rows, columns)});
      put(packed_.data(), packed_.size() * sizeof(float));
      return;
    }
    panels_.resize(static_cast<std::size_t>(int8_bytes(n, k)));
    quantize(table, n, k, values_.data(), panels_.data(), scales);
    put(panels_.data(), panels_.size());
  }

  const Params& params_;
  const WeightForm form_;
  const ReadRows& read_;
  std::unique_ptr<Backend> host_;
  std::vector<float> values_, packed_;
  std::vector<std::uint8_t> panels_;
  std::map<int, std::vector<float>> scales_;
};

}  // namespace

void save_model(const std::string& path, const Params& params, WeightForm form,
                std::span<const NamedTensor> subwords, Metadata metadata, const ReadRows& read) {
  auto stored = stored_tensors(params, form);
  const std::size_t parameters = stored.size();
  stored.insert(stored.end(), subwords.begin(), subwords.end());
  if (form != WeightForm::float32) metadata[kWeights] = name_of(form);
  const auto plain = params.tensors();
  std::map<std::string, int> numbers;
  for (std::size_t i = 0; i < plain.size(); ++i) numbers[plain[i].name] = static_cast<int>(i);
  FormWriter writer(params, form, read);
  save_tensors(path, stored, metadata, [&](std::size_t i, const PutBytes& put) {
    const NamedTensor& tensor = stored[i];
    if (i >= parameters) {
      put(tensor.data, tensor.bytes());
    } else if (const auto found = numbers.find(tensor.name); found != numbers.end()) {
      writer.write(found->second, put);
    } else {  // scales
      const std::string& name = tensor.name;
      put(writer.scales(numbers.at(name.substr(0, name.size() - std::strlen(kScales)))).data(),
          tensor.bytes());
    }
  });
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
