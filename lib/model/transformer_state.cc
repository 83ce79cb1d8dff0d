// The decoder in search: the layers of transformer.cc with one row for each hypothesis, of which
// earlier rows are in a cache.
#include <algorithm>
#include <array>
#include <span>

#include "model/attended.h"
#include "model/decoder_cache.h"
#include "model/segments.h"
#include "model/transformer.h"

namespace tt {

class TransformerState : public AttendedState {
 public:
  TransformerState(const Transformer& model, Tape& tape, const Sequences& source)
      : model_(model), tape_(tape), output_(tape, model.output()), source_(source) {
    TT_CHECK(!tape.recording());
    const std::size_t begin = tape.mark();
    memory_ = linear(tape, model.encode(tape, source, nullptr, {}), model.w_kv_, model.b_kv_);
    tape.keep(begin, memory_);
    cache_ = model.cache(tape);
    for (std::int32_t b = 0; b + 1 < static_cast<std::int32_t>(source.offsets.size()); ++b)
      sentence_.push_back(b);
  }

  void restrict(std::vector<PieceList> lists) override { output_.restrict(std::move(lists)); }

  void step(std::span<const std::int32_t> tokens, const BestQuery& query,
            BestScores& scores) override {
    advance(tokens, [&](Var x) { output_.best(x, sentence_, query, scores); });
  }

  void step(std::span<const std::int32_t> tokens, std::vector<float>& all) override {
    advance(tokens, [&](Var x) { output_.distribution(x, sentence_, all); });
  }

  void reorder(std::span<const std::int32_t> parents) override {
    tt::reorder(sentence_, parents);
    cache_->reorder(parents);
  }

  bool attend(std::span<const AttentionHead> heads) override {
    const Traits traits = tape_.backend().traits();  // each step would wait for a device
    if (traits.queue || !traits.host_memory) return false;
    asked_.assign(heads.begin(), heads.end());
    return true;
  }

  std::span<const float> attention(std::size_t row) const override { return attention_[row]; }

 private:
  // Appends the tokens, and gives the decoder's rows to `project`.
  template <class Project>
  void advance(std::span<const std::int32_t> tokens, const Project& project) {
    const auto rows = static_cast<std::int64_t>(tokens.size());
    TT_CHECK(tokens.size() == sentence_.size());
    cache_->begin_step(rows);
    const Segments cross = see_sources(tape_, sentence_, source_, segments_);
    if (const auto start = model_.start_token(); start && time_ == 0) {
      first_.assign(tokens.size(), *start);
      tokens = first_;
    }
    places_.assign(tokens.size(), time_++);
    Var x = model_.embed(tape_, {rows, time_, tape_.upload(tokens), tape_.upload(places_)},
                         Stack::decoder);
    for (std::size_t i = 0; i < model_.decoder_.size(); ++i) {
      const std::size_t layer = tape_.mark();
      const Transformer::DecoderLayer& p = model_.decoder_[i];
      x = model_.decoder_layer(
          tape_, x, p,
          [&](Var y) {
            if (model_.ssru_) return cache_->read(i, model_.gates(tape_, y, p.units));
            Var qkv = model_.queries_keys_values(tape_, y, p.self);
            return model_.output(tape_, cache_->read(i, qkv), p.self);
          },
          [&](Var q) { return attend_source(q, i, cross); });
      tape_.keep(layer, std::array{x, cache_->last()});
    }
    project(model_.finish(tape_, x));
    cache_->end_step();
  }

  // The layer's attention, of which the weights that are asked for are added up.
  Var attend_source(Var q, std::size_t layer, const Segments& cross) {
    if (layer == 0 && !asked_.empty()) attention_.assign(sentence_.size(), {});
    const auto is_of_layer = [&](const AttentionHead& h) {
      return h.layer == static_cast<int>(layer) + 1;
    };
    const auto heads = static_cast<std::int64_t>(model_.config_.heads);
    float* weights = nullptr;
    if (std::ranges::any_of(asked_, is_of_layer))
      weights = tape_.array<float>(static_cast<std::int64_t>(cross.pairs) * heads);
    const Var seen = model_.attend_source(tape_, q, memory_, layer, cross, weights);
    for (const AttentionHead& asked : asked_) {
      if (!is_of_layer(asked)) continue;
      const float* from = weights;
      for (const Segment& s : segments_)
        for (std::int64_t h = 1; h <= heads; ++h)
          for (std::int32_t row = s.query_begin; row < s.query_end; ++row) {
            std::vector<float>& sum = attention_[static_cast<std::size_t>(row)];
            sum.resize(static_cast<std::size_t>(s.key_end - s.key_begin));
            if (asked.head == 0 || asked.head == h)
              for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += from[k];
            from += sum.size();
          }
    }
    return seen;
  }

  const Transformer& model_;
  Tape& tape_;
  OutputLayer output_;
  const Sequences source_;
  Var memory_;  // [S, N (H K + H V)]: every layer's keys and values of the source
  std::unique_ptr<DecoderCache> cache_;
  std::int32_t time_ = 0;                                // steps
  std::vector<std::int32_t> sentence_, places_, first_;  // by row
  std::vector<Segment> segments_;
  std::vector<AttentionHead> asked_;           // whose attention is found
  std::vector<std::vector<float>> attention_;  // by row
};

std::unique_ptr<DecoderCache> Transformer::cache(Tape& tape) const {
  if (ssru_) return unit_cells(tape, decoder_.size());
  std::vector<Heads> layers;
  for (const DecoderLayer& p : decoder_) layers.push_back(heads(p.self));
  return keys_and_values(tape, std::move(layers), config_.window);
}

std::unique_ptr<State> Transformer::start(Tape& tape, const Sequences& source) const {
  return std::make_unique<TransformerState>(*this, tape, source);
}

}  // namespace tt
