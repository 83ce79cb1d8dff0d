#include "train/transfer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/split.h"
#include "model/stored_subword.h"
#include "model/weight_form.h"

namespace tt {
namespace {

// Whether a part has a row, or of a bias a column, for each piece.
bool is_of_pieces(const ParameterPart& part) {
  return part.role == Role::embeddings || part.role == Role::output;
}

std::set<std::string> tables_of(const std::vector<ParameterPart>& parts) {
  std::set<std::string> names;
  for (const ParameterPart& part : parts)
    if (is_of_pieces(part)) names.insert(part.parameter);
  return names;
}

// The part that a parameter is; of several, that of the decoder, which has the vocabulary of the
// output.
const ParameterPart* part_of(const std::vector<ParameterPart>& parts, const std::string& name) {
  const ParameterPart* found = nullptr;
  for (const ParameterPart& part : parts)
    if (part.parameter == name &&
        (!found || (found->stack == Stack::encoder && part.stack == Stack::decoder)))
      found = &part;
  return found;
}

// The part with the same role in another model. Embeddings that are one matrix have one role more,
// and others one less.
const ParameterPart* same_role(const std::vector<ParameterPart>& parts, const ParameterPart& mine) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const ParameterPart& part) {
    return part.stack == mine.stack && part.role == mine.role && part.bias == mine.bias;
  });
  return found == parts.end() ? nullptr : &*found;
}

// The rows of pieces that both vocabularies have; how many there are.
std::int64_t take_rows(std::vector<float>& values, std::int64_t columns, const Subword& mine,
                       const NamedTensor& tensor, const Subword& theirs, const std::string& path) {
  if (tensor.shape[0] != theirs.size())
    throw Error(path, ": ", tensor.name, " has ", tensor.shape[0], " rows, its subword model ",
                theirs.size(), " pieces; the file is damaged");
  std::unordered_map<std::string, std::int32_t> rows;
  for (std::int32_t i = 0; i < theirs.size(); ++i) rows.emplace(theirs.piece(i), i);
  std::int64_t taken = 0;
  for (std::int32_t i = 0; i < mine.size(); ++i) {
    const auto found = rows.find(mine.piece(i));
    if (found == rows.end()) continue;
    std::copy_n(static_cast<const float*>(tensor.data) + found->second * columns, columns,
                values.begin() + i * columns);
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

void take_parameters(Model& model, const SubwordPair& subwords, const TensorFile& from) {
  require_float32(from, ", which are not trained; give the model that it was made of");
  const Subword their_source = stored_subword(from, SubwordSide::source),
                their_target = stored_subword(from, SubwordSide::target);
  const auto theirs_of = make_model(stored_config(from));
  Params& params = model.params();
  const auto tensors = params.tensors();
  std::string fresh;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const NamedTensor& mine = tensors[i];
    const ParameterPart* const part = part_of(model.parts(), mine.name);
    const bool of_pieces = part && is_of_pieces(*part);
    const ParameterPart* const other = of_pieces ? same_role(theirs_of->parts(), *part) : nullptr;
    const NamedTensor* theirs = from.find(of_pieces && other ? other->parameter : mine.name);
    if (theirs && theirs->type != Dtype::f32) theirs = nullptr;
    if (theirs) {
      const auto* first = static_cast<const float*>(theirs->data);
      if (!std::all_of(first, first + elements(theirs->shape),
                       [](float x) { return std::isfinite(x); }))
        throw Error(from.path(), ": ", theirs->name,
                    " has a value that is not finite; give another model");
    }
    std::vector<float> values;
    const std::int64_t columns = mine.shape.size() == 1 ? 1 : mine.shape.back();
    if (theirs && of_pieces && theirs->shape.size() == mine.shape.size() &&
        (mine.shape.size() == 1 || theirs->shape[1] == columns)) {
      const bool reads = part->stack == Stack::encoder;
      const float* const before = params.view(static_cast<int>(i), values);
      values.assign(before, before + params.at(static_cast<int>(i)).size());
      const std::int64_t rows =
          take_rows(values, columns, reads ? subwords.source : subwords.target, *theirs,
                    reads ? their_source : their_target, from.path());
      if (rows < mine.shape[0])
        warn(from.path() + ": took " + std::to_string(rows) + " of " +
             std::to_string(mine.shape[0]) + " rows of " + mine.name +
             ", those of pieces that it has too");
      params.fill(static_cast<int>(i), values.data());
      ++taken;
    } else if (theirs && theirs->shape == mine.shape && !of_pieces) {
      params.fill(static_cast<int>(i), static_cast<const float*>(theirs->data));
      ++taken;
    } else {
      fresh += (fresh.empty() ? "" : ", ") + mine.name;
    }
  }
  if (taken == 0)
    throw Error(from.path(),
                ": has no tensor of a name and shape that this model has; nothing to begin with");
  (fresh.empty() ? say : warn)(from.path() + ": took " + std::to_string(taken) + " of " +
                               std::to_string(tensors.size()) + " tensors" +
                               (fresh.empty() ? "" : "; new are " + fresh));
}

std::vector<int> parameters_of(const Model& model, const std::string& parts) {
  const auto tensors = model.params().tensors();
  const std::set<std::string> tables = tables_of(model.parts());
  std::set<int> chosen;
  if (parts.empty()) return {};
  for (const std::string_view view : split(parts, ',')) {
    const std::string part(view);
    bool found = false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::string& name = tensors[i].name;
      const bool table = tables.contains(name);
      const bool belongs =
          part == "embeddings" ? table
          : part == "decoder"
              ? (name.starts_with("decoder.") || name.starts_with("attention.")) && !table
          : part == "encoder" ? name.starts_with("encoder.") && !table
                              : name == part || name.starts_with(part + ".");
      if (belongs) chosen.insert(static_cast<int>(i)), found = true;
    }
    if (!found)
      throw SettingError(
          Setting{"freeze"}, ": ", in_quotes(part),
          " is neither encoder, decoder nor embeddings, nor does a tensor's name begin with it");
  }
  if (!chosen.empty() && chosen.size() == tensors.size())
    throw SettingError(Setting{"freeze"}, ": nothing would be left to train");
  return {chosen.begin(), chosen.end()};
}

}  // namespace tt
