#include "train/update_trace.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/output.h"
#include "base/setting.h"
#include "trace/forward.h"

namespace tt {

UpdateTrace::UpdateTrace(const Model& model, const Updater& updater, const Backend& backend,
                         const SubwordPair& subwords)
    : model_(model), updater_(updater), backend_(backend), subwords_(subwords) {
  if (model.config().optimizer != Optimizer::adam)
    throw SettingError(Setting{"trace"}, " follows a step of Adam; omit it, or set ",
                       Setting{"optimizer"}, " adam");
  const Params& params = model.params();
  const auto names = params.tensors();
  int chosen = -1;
  for (int i = 0; i < params.number(); ++i) {
    const bool attends = names[static_cast<std::size_t>(i)].name == "decoder.1.cross.q";
    if (attends || (chosen < 0 && params.use(i) == Use::weights)) chosen = i;
    if (!attends) continue;
    columns_ = model.config().key_size();
    break;
  }
  TT_CHECK(chosen >= 0);
  param_ = params.at(chosen);
  if (columns_ == 0) columns_ = param_.columns;
  trace_.update.emplace();
  trace_.update->parameter = names[static_cast<std::size_t>(chosen)].name;
}

std::vector<float> UpdateTrace::matrix(const float* all) const {
  std::vector<float> numbers(static_cast<std::size_t>(param_.rows * columns_));
  for (std::int64_t r = 0; r < param_.rows; ++r)
    backend_.download(numbers.data() + r * columns_, all + param_.offset + r * param_.columns,
                      static_cast<std::size_t>(columns_) * sizeof(float));
  return numbers;
}

void UpdateTrace::before(std::int64_t update, std::span<const Batch> batches) {
  const auto has_any = [](const Batch& batch) { return batch.size() > 0; };
  const Batch& batch = *std::ranges::find_if(batches, has_any);
  const auto piece_range = [](const Sequences& side) {
    return std::span(side.tokens).first(static_cast<std::size_t>(side.offsets[1]));
  };
  const std::span<const std::int32_t> source = piece_range(batch.source),
                                      target = piece_range(batch.target_out);
  trace_.update->update = update;
  for (const Batch& one : batches) trace_.update->tokens += one.target_out.rows();
  trace_.line = static_cast<std::uint64_t>(batch.sentences[0]) + 1;
  trace_.model = model_.name();
  trace_.text = subwords_.source.decode(source),
  trace_.translation = subwords_.target.decode(target);
  trace_.config = model_.config();
  take_pieces(subwords_.source, source, subwords_.target, target, trace_);
  read_once(model_, backend_, source, target, batch.target_in.tokens[0], &subwords_.target, trace_);
  weights_ = matrix(model_.params().values());
  first_ = matrix(updater_.first().data()), square_ = matrix(updater_.square().data());
}

void UpdateTrace::after(const UpdateResult& result, const std::string& folder) {
  const std::vector<float> gradient = matrix(updater_.gradient());
  const auto size = [](float x) { return std::abs(x); };
  const auto at =
      static_cast<std::size_t>(std::ranges::max_element(gradient, {}, size) - gradient.begin());
  TraceUpdate& u = *trace_.update;
  u.row = static_cast<std::int64_t>(at) / columns_ + 1,
  u.column = static_cast<std::int64_t>(at) % columns_ + 1;
  u.rate = result.rate, u.norm = result.gradient_norm;
  const double clip = model_.config().clip;
  if (clip > 0 && u.norm > clip) u.scale = clip / u.norm;
  const auto number = [&](const std::vector<float>& all) { return static_cast<double>(all[at]); };
  u.gradient = number(gradient);
  u.before = number(weights_), u.after = number(matrix(model_.params().values()));
  u.first_before = number(first_), u.first = number(matrix(updater_.first().data()));
  u.square_before = number(square_), u.square = number(matrix(updater_.square().data()));
  trace_.matrices.push_back({"gradient", 1, param_.rows, columns_, gradient});
  trace_.matrices.back().summarise();
  Output file(folder + "/trace-" + std::to_string(u.update) + ".jsonl");
  write_trace(file, trace_);
  file.close();
}

}  // namespace tt
