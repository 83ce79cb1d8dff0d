#include "model/average.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "base/error.h"
#include "base/formatted.h"
#include "base/number.h"
#include "model/model.h"
#include "model/weight_form.h"

namespace tt {
namespace {

constexpr std::string_view kPrefix = "update-", kSuffix = ".tt";
constexpr std::size_t kDigits = 7;
constexpr std::size_t kBlock =
    4096;  // elements summed at once, so that their sums stay in the L1 cache

std::optional<std::int64_t> update_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  if (name.size() < kDigits || name.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return number_in<std::int64_t>(name);
}

// The checkpoints of a folder by their names, in the order of their updates.
std::vector<Checkpoint> named_checkpoints(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<Checkpoint> found;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (const auto update = update_of(at->path().filename().string()))
      found.push_back({at->path().string(), *update, {}, {}, {}});
  if (code) throw Error(folder, ": the folder cannot be read: ", code.message());
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.update < b.update; });
  return found;
}

// A number in the metadata; nullopt if the key is missing.
std::optional<double> measure(const TensorFile& file, const std::string& key) {
  if (!file.metadata().contains(key)) return std::nullopt;
  const std::string& text = file.value(key);
  const auto value = number_in<double>(text);
  if (!value || !std::isfinite(*value))
    throw Error(file.path(), ": its \"", key, "\" is ", in_quotes(text), ", which is not a number");
  return value;
}

std::vector<std::string> paths_of(const std::vector<Checkpoint>& checkpoints) {
  std::vector<std::string> paths;
  for (const Checkpoint& checkpoint : checkpoints) paths.push_back(checkpoint.path);
  return paths;
}

// Why two models cannot be averaged; empty if they can.
std::string difference(const TensorFile& a, const TensorFile& b) {
  std::string settings = same_model(stored_config(a), stored_config(b));
  if (!settings.empty()) return settings;
  for (const NamedTensor& one : a.tensors()) {
    const NamedTensor* other = b.find(one.name);
    const std::string name = "tensor " + in_quotes(one.name);
    if (!other) return name + " is in the first only";
    const bool text = one.type == Dtype::u8 && other->type == Dtype::u8;
    if (!text && (one.type != other->type || one.shape != other->shape))
      return name + " is " + to_string(one.shape) + " and " + to_string(other->shape) +
             (one.type == other->type ? "" : " of another type");
    if (one.type == Dtype::f32) continue;
    if (one.bytes() != other->bytes() ||
        (one.bytes() > 0 && std::memcmp(one.data, other->data, one.bytes()) != 0))
      return is_subword(one.name) ? "their subword models differ" : name + " differs";
  }
  for (const NamedTensor& other : b.tensors())
    if (!a.find(other.name)) return "tensor " + in_quotes(other.name) + " is in the second only";
  return "";
}

// mean[k] = 1/n sum_i rows[i][k], k in [0, size). Returns the first i with a non-finite value, or
// -1.
int mean_of(const std::vector<const float*>& rows, std::size_t size, float* mean) {
  std::vector<double> sum(kBlock);
  const double n = static_cast<double>(rows.size());
  for (std::size_t begin = 0; begin < size; begin += kBlock) {
    const std::size_t count = std::min(kBlock, size - begin);
    std::ranges::fill(sum, 0.0);
    for (const float* row : rows)
      for (std::size_t k = 0; k < count; ++k) sum[k] += row[begin + k];
    for (std::size_t k = 0; k < count; ++k) {
      mean[begin + k] = static_cast<float>(sum[k] / n);
      if (std::isfinite(sum[k])) continue;  // sums of finite floats cannot overflow a double
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (!std::isfinite(rows[i][begin + k])) return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace

std::string checkpoint_name(std::int64_t update) {
  return formatted("update-%07lld.tt", static_cast<long long>(update));
}

std::vector<Checkpoint> list_checkpoints(const std::string& folder, bool damaged_too) {
  auto found = named_checkpoints(folder);
  std::erase_if(found, [&](Checkpoint& checkpoint) {
    try {
      const TensorFile file = open_model(checkpoint.path);
      checkpoint.bleu = measure(file, "bleu");
      checkpoint.loss = measure(file, "loss");
      checkpoint.validation = file.note("validation");
      const std::int64_t every = stored_config(file).save_every;
      checkpoint.on_schedule = every > 0 && checkpoint.update % every == 0;
    } catch (const Error&) {
      std::error_code code;
      if (std::filesystem::status(checkpoint.path, code).type() ==
          std::filesystem::file_type::not_found)
        return true;  // meanwhile
      if (!damaged_too) throw;
      checkpoint.damaged = true;
    }
    return false;
  });
  return found;
}

void keep_comparable(std::vector<Checkpoint>& checkpoints) {
  std::erase_if(checkpoints, [](const Checkpoint& c) { return !c.bleu && !c.loss; });
  if (checkpoints.empty()) return;
  std::erase_if(checkpoints, [last = checkpoints.back().validation](const Checkpoint& c) {
    return c.validation != last;
  });
}

bool better(const Checkpoint& a, const Checkpoint& b) {
  if (a.bleu != b.bleu) return a.bleu > b.bleu;  // none is less than any
  if (a.bleu.value_or(0) == 0 && a.loss != b.loss) return a.loss && (!b.loss || *a.loss < *b.loss);
  return a.update > b.update;
}

std::vector<std::string> last_checkpoints(const std::string& folder, int n) {
  auto found = named_checkpoints(folder);
  if (static_cast<int>(found.size()) < n)
    throw Error(folder, ": too few checkpoints (", kPrefix, "*", kSuffix, "): ", found.size(),
                ", not ", n, "; ask for fewer");
  found.erase(found.begin(), found.end() - n);
  return paths_of(found);
}

std::vector<std::string> best_checkpoints(const std::string& folder, int n) {
  auto found = list_checkpoints(folder);
  keep_comparable(found);
  if (static_cast<int>(found.size()) < n)
    throw Error(folder, ": too few checkpoints (", kPrefix, "*", kSuffix,
                ") with the validation of the last: ", found.size(), ", not ", n,
                "; ask for fewer, or for the last");
  std::ranges::sort(found, better);
  found.resize(static_cast<std::size_t>(n));
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.update < b.update; });
  return paths_of(found);
}

void average(std::span<const std::string> paths, const std::string& to, WeightForm form) {
  TT_CHECK(!paths.empty());
  std::vector<TensorFile> files;
  std::string names;
  for (const std::string& path : paths)
    files.push_back(open_model(path));  // all at once, as a run may remove some
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    require_float32(files[i],
                    ", of which there is no mean; give the checkpoints that it was made of");
    files[i].verify();
    const std::string found = difference(files.front(), files[i]);
    if (!found.empty()) throw Error(paths.front(), " and ", path, " do not match: ", found);
    names += (names.empty() ? "" : " ") + std::filesystem::path(path).filename().string();
  }
  Metadata metadata = files.front().metadata();
  for (const char* key : {"update", "bleu", "loss", "validation"}) metadata.erase(key);
  metadata["averaged"] = names;

  // The mean of numbers of a tensor, from `begin` on.
  const auto mean = [&](const NamedTensor& tensor, std::size_t begin, std::size_t size, float* to) {
    std::vector<const float*> rows;
    for (const TensorFile& file : files)
      rows.push_back(static_cast<const float*>(file.find(tensor.name)->data) + begin);
    const int bad = mean_of(rows, size, to);
    if (bad >= 0)
      throw Error(paths[bad], ": tensor ", in_quotes(tensor.name),
                  " has a value that is not finite; omit the file");
  };
  const auto& tensors = files.front().tensors();
  if (form == WeightForm::float32) {  // of any model, also of one that this program knows not
    std::vector<float> values;
    save_tensors(to, tensors, metadata, [&](std::size_t i) -> const void* {
      if (tensors[i].type != Dtype::f32) return tensors[i].data;
      values.resize(tensors[i].bytes() / sizeof(float));
      mean(tensors[i], 0, values.size(), values.data());
      return values.data();
    });
    return;
  }
  const auto model = make_model(stored_config(files.front()));
  const auto parameters = model->params().tensors();
  check_tensors(files.front(), parameters);
  std::vector<NamedTensor> subwords;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(subwords),
               [](const auto& tensor) { return is_subword(tensor.name); });
  save_model(to, model->params(), form, subwords, metadata,
             [&](int index, std::int64_t first, std::int64_t n, float* values) {
               const NamedTensor& tensor = parameters[index];
               const std::int64_t columns = tensor.shape.back();
               mean(tensor, static_cast<std::size_t>(first * columns),
                    static_cast<std::size_t>(n * columns), values);
             });
}

}  // namespace tt
