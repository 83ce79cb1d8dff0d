#include "model/decoder_cache.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/model.h"
#include "nn/recurrent.h"

namespace tt {
namespace {

// Keys and values stay where they were computed, in one block per layer and step; those of
// hypothesis r are found through slots_[r], so reordering copies only integers. Now and then what
// no hypothesis goes back to is dropped: those of a sentence soon have most of their tokens in
// common.
class KeysAndValues : public DecoderCache {
 public:
  KeysAndValues(Tape& tape, std::vector<Heads> layers, std::int64_t window)
      : DecoderCache(tape), layers_(std::move(layers)), window_(window),
        hk_(layers_[0].heads * layers_[0].d_k), hv_(layers_[0].heads * layers_[0].d_v),
        blocks_(layers_.size()), stored_(layers_.size()) {}

  void begin_step(std::int64_t rows) override {
    const auto time = static_cast<std::int64_t>(stored_[0].size());
    if (time > 0 && time % kStepsBetween == 0) drop_unused();
    step_ = tape_.mark();
    kept_.clear();
    slots_.resize(static_cast<std::size_t>(rows));
    table_.clear();
    for (std::size_t r = 0; r < slots_.size(); ++r) {
      slots_[r].push_back(static_cast<std::int32_t>(r));
      table_.insert(table_.end(), slots_[r].begin(), slots_[r].end());
    }
    now_ = {};
    now_.rows = rows;
    now_.ld_slots = time + 1;
    now_.steps = window_ > 0 ? std::min(time, window_) + 1 : time + 1;
    const Heads& heads = layers_[0];
    now_.bias = distance_bias(tape_, heads);
    now_.heads = heads.heads;
    now_.d_k = heads.d_k;
    now_.d_v = heads.d_v;
    now_.scale = heads.scale;
    now_.value_column = hk_;
    now_.slots = tape_.upload(table_) + (now_.ld_slots - now_.steps);
  }

  Var read(std::size_t layer, Var qkv) override {
    Var made = tape_.make(qkv->rows, hk_ + hv_);
    tape_.backend().gather(
        {nullptr, qkv->value.columns_from(hk_, made->columns), false, made->value});
    stored_[layer].push_back(made);
    kept_.push_back(made);
    blocks_[layer].push_back(made->value.floats());
    CachedAttention a = now_;
    a.q = qkv->value.floats();
    a.ldq = qkv->columns;
    a.ld = made->columns;
    a.blocks = tape_.upload(
        std::span<const float* const>(blocks_[layer]).last(static_cast<std::size_t>(a.steps)));
    if (layers_[layer].additive) a.additive = tape_.value(layers_[layer].additive);
    Var seen = tape_.make(qkv->rows, hv_);
    a.out = seen->value.floats();
    tape_.backend().cached_attention(a);
    return seen;
  }

  void reorder(std::span<const std::int32_t> parents) override {
    if (!slots_.empty()) tt::reorder(slots_, parents);
  }

 private:
  // Makes each block smaller of which at least a third is of no hypothesis.
  void drop_unused() {
    for (std::size_t t = 0; t < stored_[0].size(); ++t) {
      const std::int64_t rows = stored_[0][t]->rows;
      renumbered_.assign(static_cast<std::size_t>(rows), -1);
      used_.clear();
      for (const auto& slots : slots_)
        if (std::int32_t& number = renumbered_[static_cast<std::size_t>(slots[t])]; number < 0) {
          number = static_cast<std::int32_t>(used_.size());
          used_.push_back(slots[t]);
        }
      const auto used = static_cast<std::int64_t>(used_.size());
      if (used * 3 > rows * 2) continue;
      for (auto& slots : slots_) slots[t] = renumbered_[static_cast<std::size_t>(slots[t])];
      const auto lasting = tape_.host_array<std::int32_t>(used);
      std::copy(used_.begin(), used_.end(), lasting.begin());
      const std::int32_t* chosen = tape_.upload(lasting);
      for (std::size_t i = 0; i < stored_.size(); ++i) {
        const Var all = stored_[i][t], some = tape_.make(used, all->columns);
        tape_.backend().gather({chosen, all->value, false, some->value});
        blocks_[i][t] = some->value.floats();
        stored_[i][t] = some;
      }
    }
    std::vector<Var> all;
    for (const auto& blocks : stored_) all.insert(all.end(), blocks.begin(), blocks.end());
    tape_.keep(all_, all);
  }

  static constexpr std::int64_t kStepsBetween = 4;

  const std::vector<Heads> layers_;
  const std::int64_t window_, hk_, hv_;            // H K, H V
  std::vector<std::vector<const float*>> blocks_;  // [layer][step]: of the rows of that step
  std::vector<std::vector<Var>> stored_;           // the same, for the tape
  std::vector<std::vector<std::int32_t>> slots_;   // [row][step]: which row of the block
  CachedAttention now_;                            // as far as all layers have it in common
  std::vector<std::int32_t> table_, renumbered_, used_;
};

// Every hypothesis goes on from the cells of the step before.
class UnitCells : public DecoderCache {
 public:
  UnitCells(Tape& tape, std::size_t layers) : DecoderCache(tape), cells_(layers) {}

  void begin_step(std::int64_t rows) override {
    tape_.keep(all_, kept_);  // those of the last step alone
    step_ = tape_.mark();
    kept_.clear();
    units_.resize(static_cast<std::size_t>(rows));
    for (std::size_t r = 0; r < units_.size(); ++r) {
      const auto row = static_cast<std::int32_t>(r);
      units_[r] = {row, row + 1, 0, 0};
    }
    segments_ = upload_segments(tape_, units_);
    before_.swap(parents_);
    before_on_device_ = tape_.upload(before_);
    parents_.resize(units_.size());
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  Var read(std::size_t layer, Var gates) override {
    const ConstMatrix last = before_.empty() ? ConstMatrix() : cells_[layer]->value;
    Var h = ssru(tape_, gates, segments_, {last, before_on_device_}, &cells_[layer]);
    kept_.push_back(cells_[layer]);
    return h;
  }

  void reorder(std::span<const std::int32_t> parents) override {
    if (!parents_.empty()) tt::reorder(parents_, parents);
  }

 private:
  std::vector<Var> cells_;  // [layer]
  std::vector<Segment> units_;
  Segments segments_;
  std::vector<std::int32_t> before_, parents_;  // [row]: of this step, of the next; none: no step
  const std::int32_t* before_on_device_ = nullptr;
};

}  // namespace

std::unique_ptr<DecoderCache> keys_and_values(Tape& tape, std::vector<Heads> layers,
                                              std::int64_t window) {
  return std::make_unique<KeysAndValues>(tape, std::move(layers), window);
}

std::unique_ptr<DecoderCache> unit_cells(Tape& tape, std::size_t layers) {
  return std::make_unique<UnitCells>(tape, layers);
}

}  // namespace tt
