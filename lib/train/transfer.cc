#include "train/transfer.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/split.h"
#include "model/stored_subword.h"
#include "model/weight_form.h"

namespace tt {
namespace {

constexpr std::string_view kBias = "output_bias";  // a number for each piece
constexpr std::string_view kTables[] = {"embeddings", "encoder.embeddings", "decoder.embeddings", "output", kBias};

bool is_table(std::string_view name) { return std::find(std::begin(kTables), std::end(kTables), name) != std::end(kTables); }

// The rows of pieces that both vocabularies have; how many there are.
std::int64_t take_rows(std::vector<float>& values, std::int64_t columns, const Subword& mine, const NamedTensor& tensor,
                       const Subword& theirs, const std::string& path) {
  if (tensor.shape[0] != theirs.size())
    throw Error(path, ": ", tensor.name, " has ", tensor.shape[0], " rows, its subword model ", theirs.size(),
                " pieces; the file is damaged");
  std::unordered_map<std::string, std::int32_t> rows;
  for (std::int32_t i = 0; i < theirs.size(); ++i) rows.emplace(theirs.piece(i), i);
  std::int64_t taken = 0;
  for (std::int32_t i = 0; i < mine.size(); ++i) {
    const auto found = rows.find(mine.piece(i));
    if (found == rows.end()) continue;
    std::copy_n(static_cast<const float*>(tensor.data) + found->second * columns, columns, values.begin() + i * columns);
    ++taken;
  }
  return taken;
}

}  // namespace

void set_fine_tuning(Config& config) {
  // A tenth of the peak that the paper has for a base model, about 0.0001 for D 512.
  const double rate = 1e-4 * std::sqrt(512.0 / config.d_model);
  config.rate = std::round(rate * 1e6) / 1e6;
  config.schedule = Schedule::constant;
  config.warmup = 100;
  config.tokens = 4096;
  config.max_updates = 1000;
  config.valid_every = config.save_every = 100;
  config.report_every = 20;
}

void take_parameters(Model& model, const Subword& source, const Subword& target, const TensorFile& from) {
  require_float32(from, ", which are not trained; give the model that it was made of");
  const Subword their_source = stored_subword(from, SubwordSide::source),
                their_target = stored_subword(from, SubwordSide::target);
  Params& params = model.params();
  const auto tensors = params.tensors();
  std::string fresh;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const NamedTensor& mine = tensors[i];
    const NamedTensor* theirs = from.find(mine.name);
    if (!theirs && is_table(mine.name) && mine.name != kBias) {
      // Shared embeddings have one name, others another.
      for (const char* other : {"embeddings", "decoder.embeddings"})
        if (!theirs) theirs = from.find(other);
    }
    if (theirs && theirs->type == Dtype::f32) {
      const auto* first = static_cast<const float*>(theirs->data);
      if (!std::all_of(first, first + elements(theirs->shape), [](float x) { return std::isfinite(x); }))
        throw Error(from.path(), ": ", theirs->name, " has a value that is not finite; give another model");
    }
    std::vector<float> values;
    const std::int64_t columns = mine.shape.size() == 1 ? 1 : mine.shape.back();
    if (theirs && is_table(mine.name) && theirs->type == Dtype::f32 && theirs->shape.size() == mine.shape.size() &&
        (mine.shape.size() == 1 || theirs->shape[1] == columns)) {
      const bool reads = mine.name == "embeddings" || mine.name == "encoder.embeddings";
      const float* const before = params.view(static_cast<int>(i), values);
      values.assign(before, before + params.at(static_cast<int>(i)).size());
      const bool theirs_reads = theirs->name == "embeddings" || theirs->name == "encoder.embeddings";
      const std::int64_t rows =
          take_rows(values, columns, reads ? source : target, *theirs, theirs_reads ? their_source : their_target, from.path());
      if (rows < mine.shape[0])
        warn(from.path() + ": took " + std::to_string(rows) + " of " + std::to_string(mine.shape[0]) + " rows of " + mine.name +
             ", those of pieces that it has too");
      params.fill(static_cast<int>(i), values.data());
      ++taken;
    } else if (theirs && theirs->type == Dtype::f32 && theirs->shape == mine.shape && !is_table(mine.name)) {
      params.fill(static_cast<int>(i), static_cast<const float*>(theirs->data));
      ++taken;
    } else {
      fresh += (fresh.empty() ? "" : ", ") + mine.name;
    }
  }
  if (taken == 0) throw Error(from.path(), ": has no tensor of a name and shape that this model has; nothing to begin with");
  (fresh.empty() ? say : warn)(from.path() + ": took " + std::to_string(taken) + " of " + std::to_string(tensors.size()) +
                               " tensors" + (fresh.empty() ? "" : "; new are " + fresh));
}

std::vector<int> parameters_of(const Params& params, const std::string& parts) {
  const auto tensors = params.tensors();
  std::vector<char> chosen(tensors.size());
  if (parts.empty()) return {};
  for (const std::string_view view : split(parts, ',')) {
    const std::string part(view);
    bool found = false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::string& name = tensors[i].name;
      const bool table = is_table(name);
      const bool belongs = part == "embeddings" ? table
                           : part == "decoder"  ? (name.starts_with("decoder.") || name.starts_with("attention.")) && !table
                           : part == "encoder"  ? name.starts_with("encoder.") && !table
                                                : name == part || name.starts_with(part + ".");
      if (belongs) chosen[i] = 1, found = true;
    }
    if (!found)
      throw SettingError(Setting{"freeze"}, ": ", in_quotes(part),
                         " is neither encoder, decoder nor embeddings, nor does a tensor's name begin with it");
  }
  std::vector<int> numbers;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) numbers.push_back(static_cast<int>(i));
  if (!numbers.empty() && numbers.size() == tensors.size())
    throw SettingError(Setting{"freeze"}, ": nothing would be left to train");
  return numbers;
}

}  // namespace tt
