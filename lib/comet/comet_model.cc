#include "comet/comet_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace tt {
namespace {

constexpr double kNormEpsilon = 1e-12;  // of the norm of layers

double apply(CometActivation kind, double x) {
  switch (kind) {
    case CometActivation::tanh: return std::tanh(x);
    case CometActivation::sigmoid: return 1 / (1 + std::exp(-x));
    case CometActivation::clamp: return std::min(x, 1.0);
    case CometActivation::none: break;
  }
  return x;
}

}  // namespace

// The matrices of the feed-forward network, which is computed once for a segment, stay in float32:
// Init::normal keeps them out of the eight bits of Use::weights.
CometModel::CometModel(const CometSettings& settings)
    : Transformer(settings.encoder, Stacks::encoder), settings_(settings) {
  mix_ = params_.add("mix", 1, settings.encoder.encoder_layers + 1, Init::zeros);
  std::int64_t columns = features();
  for (std::size_t i = 0; i <= settings.hidden.size(); ++i) {
    const std::int64_t next = i < settings.hidden.size() ? settings.hidden[i] : 1;
    const std::string name = "estimator." + std::to_string(i + 1);
    const Param weight = params_.add(name, columns, next, Init::normal);
    layers_.push_back({weight, params_.add(name + "_bias", 1, next, Init::zeros)});
    columns = next;
  }
}

std::int64_t CometModel::features() const {
  const std::int64_t d = settings_.encoder.d_model;
  return settings_.input == CometInput::reference ? 6 * d
         : settings_.input == CometInput::source  ? 4 * d
                                                  : d;
}

// Adds a layer's part of the embedding of one text, whose rows are [tokens, D]. The mean of a mix
// is the mix of means, so no mix of whole layers is ever stored.
void CometModel::pool(std::span<const float> rows, double weight, std::span<double> sums) const {
  const std::size_t d = sums.size(), n = rows.size() / d;
  double shift = 0;
  if (settings_.layer_norm) {
    const auto count = static_cast<double>(rows.size());
    shift = std::accumulate(rows.begin(), rows.end(), 0.0) / count;
    double squares = 0;
    for (const float x : rows) squares += (x - shift) * (x - shift);
    weight /= std::sqrt(squares / count + kNormEpsilon);
  }
  const std::size_t pooled = settings_.pooling == CometPooling::cls ? 1 : n;
  weight /= static_cast<double>(pooled);
  for (std::size_t r = 0; r < pooled; ++r)
    for (std::size_t c = 0; c < d; ++c) sums[c] += weight * (rows[r * d + c] - shift);
}

std::vector<float> CometModel::embed(Tape& tape, const Sequences& texts) const {
  const auto d = static_cast<std::size_t>(settings_.encoder.d_model);
  const std::size_t n = texts.offsets.size() - 1;
  std::vector<float> scratch;
  const float* const mix = params_.view(mix_.index, scratch);
  std::vector<double> sums(n * d);
  encode(tape, texts, nullptr, [&](int layer, Var x) {
    if (mix[layer] == 0) return;
    const float* const rows = tape.download(x->value.floats(), x->rows * x->columns);
    for (std::size_t i = 0; i < n; ++i) {
      const auto begin = static_cast<std::size_t>(texts.offsets[i]),
                 end = static_cast<std::size_t>(texts.offsets[i + 1]);
      pool({rows + begin * d, rows + end * d}, static_cast<double>(mix[layer]),
           std::span(sums).subspan(i * d, d));
    }
  });
  tape.clear();
  return {sums.begin(), sums.end()};
}

void CometModel::add_features(std::span<const float> source, std::span<const float> translation,
                              std::span<const float> reference,
                              std::vector<float>& features) const {
  TT_CHECK(settings_.input != CometInput::joint);
  const auto s = source, t = translation;
  const auto r = settings_.input == CometInput::reference ? reference : source;
  const auto add = [&](const auto& of) {
    for (std::size_t c = 0; c < t.size(); ++c) features.push_back(of(c));
  };
  add([&](std::size_t c) { return t[c]; });
  add([&](std::size_t c) { return r[c]; });
  add([&](std::size_t c) { return t[c] * r[c]; });
  add([&](std::size_t c) { return std::abs(t[c] - r[c]); });
  if (settings_.input == CometInput::source) return;
  add([&](std::size_t c) { return t[c] * s[c]; });
  add([&](std::size_t c) { return std::abs(t[c] - s[c]); });
}

std::vector<float> CometModel::score(Tape& tape, std::span<const float> features) const {
  const auto n = static_cast<std::int64_t>(features.size()) / this->features();
  Var x = tape.make(n, this->features());
  tape.backend().upload(x->value.at, features.data(), features.size_bytes());
  for (std::size_t i = 0; i + 1 < layers_.size(); ++i)
    x = activation(tape, x, layers_[i].weight, layers_[i].bias, Activation::tanh, 0);
  x = linear(tape, x, layers_.back().weight, layers_.back().bias);
  const float* const last = tape.download(x->value.floats(), n);
  std::vector<float> scores(last, last + n);
  for (float& s : scores)
    s = static_cast<float>(apply(settings_.final_activation, static_cast<double>(s)));
  tape.clear();
  return scores;
}

}  // namespace tt
