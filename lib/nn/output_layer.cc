#include "nn/output_layer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "tensor/panels.h"

namespace tt {
namespace {

constexpr std::int64_t kRows = 96, kStretch = 512;  // of logits at a time, on the host

// Columns of the logits of some rows.
struct Logits {
  std::int64_t first, rows;     // the rows
  std::int64_t begin, columns;  // the columns
  float* at;                    // [rows, columns]
};

}  // namespace

// The columns of a projection, all of them or those of a list.
struct OutputColumns {
  ConstMatrix table;   // int8, or as row products read it
  const float* bias;   // null: none
  std::int64_t count;  // of pieces

  // y = columns [begin, begin + y.columns) of x table^T + bias. Panels begin at multiples of 32
  // columns, and so do stretches.
  void project(const Backend& backend, const ConstMatrix& x, std::int64_t begin,
               const Matrix& y) const {
    if (table.type == ElementType::int8)
      backend.int8_product({x, int8_columns_of(table, begin, y.columns), y});
    else backend.row_product({true, x, table_rows(table, begin, y.columns), y});
    if (bias) backend.add_bias({y.rows, y.columns, bias + begin, y.floats()});
  }

  // Calls each(logits) for all of rows [first, last) of x: of each row the columns from left to
  // right. Where each thread computes by itself they come in stretches, each for a few rows after
  // the other, so that both the logits and the stretch of the table stay in the second-level cache;
  // with `whole`, and elsewhere, in one.
  template <class Each>
  void project(Tape& tape, const ConstMatrix& x, std::int64_t begin_row, std::int64_t end_row,
               bool whole, const Each& each) const {
    const bool queue = tape.backend().traits().queue;
    const std::int64_t most = queue   ? 1024
                              : whole ? 128
                                      : kRows,
                       chunk = std::min(most, end_row - begin_row),
                       stretch = whole || queue ? count : std::min(count, kStretch);
    float* logits = tape.arena().take_array<float>(chunk * stretch);
    for (std::int64_t begin = 0; begin < count; begin += stretch)
      for (std::int64_t first = begin_row; first < end_row; first += chunk) {
        const std::int64_t rows = std::min(chunk, end_row - first),
                           columns = std::min(stretch, count - begin);
        project(tape.backend(), x.rows_from(first, rows), begin, float32(logits, rows, columns));
        each(Logits{first, rows, begin, columns, logits});
      }
    tape.arena().give(logits);
  }
};

namespace {

// The number of a piece in a list; negative if it is not there.
std::int32_t place_in(const PieceList& list, std::int32_t piece) {
  const auto at = std::lower_bound(list.begin(), list.end(), piece);
  return at != list.end() && *at == piece ? static_cast<std::int32_t>(at - list.begin()) : -1;
}

OutputColumns all_columns(const Tape& tape, const Projection& to) {
  const ConstMatrix eight = tape.params().int8(to.table);
  return {eight ? eight : tape.params().weights(to.table, true),
          to.bias ? tape.value(to.bias) : nullptr, to.table.rows};
}

// Answers what is asked of the logits in `here`, a part of those of rows of v.
void best_of(Tape& tape, const Logits& here, std::int64_t v, BestOf k) {
  k.n = here.rows, k.v = here.columns, k.logits = here.at, k.begin = here.begin,
  k.last = here.begin + here.columns == v;
  k.values += here.first * k.best, k.indices += here.first * k.best;
  k.barred_at += here.first * k.barred, k.asked_at += here.first * k.asked,
      k.asked_values += here.first * k.asked;
  k.sums += here.first * 2;
  tape.backend().best_of(k);
}

}  // namespace

bool OutputLayer::can_restrict(const Backend& backend) {
  const Traits traits = backend.traits();
  return traits.host_memory &&
         (traits.weights == ElementType::panels || traits.weights == ElementType::paired_panels);
}

void OutputLayer::restrict(std::vector<PieceList> lists) {
  const Backend& backend = tape_.backend();
  TT_CHECK(can_restrict(backend) && lists_.empty() && !lists.empty());
  lists_ = std::move(lists);
  std::int64_t columns = 0;
  for (const PieceList& list : lists_) {
    TT_CHECK(!list.empty() && list.back() < to_.table.rows);
    begins_.push_back(columns);
    columns += panels_of(std::ssize(list)) * kPanelColumns;
  }
  const std::int64_t depth = to_.table.columns;
  if (tape_.params().int8(to_.table)) {
    int8_panels_ = DeviceArray<std::uint32_t>::unset(backend, columns * int8_groups(depth));
    scales_ = DeviceArray<float>::unset(backend, columns);
  } else {
    panels_ = DeviceArray<float>::unset(backend, columns * stored_depth());
  }
  if (to_.bias) bias_ = DeviceArray<float>::unset(backend, columns);
  for (std::size_t s = 0; s < lists_.size(); ++s) copy_columns(s);
}

// Floats of a column, in the type that products prefer.
std::int64_t OutputLayer::stored_depth() const {
  const std::int64_t depth = to_.table.columns;
  return tape_.backend().traits().weights == ElementType::paired_panels ? pairs_of(depth) : depth;
}

Matrix OutputLayer::packed(std::size_t sentence) const {
  return matrix(panels_.data() + begins_[sentence] * stored_depth(),
                tape_.backend().traits().weights, std::ssize(lists_[sentence]), to_.table.columns);
}

OutputColumns OutputLayer::columns_of(std::size_t sentence) const {
  const std::int64_t begin = begins_[sentence], n = std::ssize(lists_[sentence]),
                     depth = to_.table.columns;
  const float* bias = to_.bias ? bias_.data() + begin : nullptr;
  if (int8_panels_.size() == 0) return {packed(sentence), bias, n};
  const auto* panels =
      reinterpret_cast<const std::uint8_t*>(int8_panels_.data() + begin * int8_groups(depth));
  return {int8_matrix(n, depth, panels, scales_.data() + begin), bias, n};
}

void OutputLayer::copy_columns(std::size_t sentence) const {
  const PieceList& list = lists_[sentence];
  const std::int64_t begin = begins_[sentence], n = std::ssize(list), depth = to_.table.columns;
  if (to_.bias)
    std::ranges::transform(list, bias_.data() + begin,
                           [&](std::int32_t piece) { return tape_.value(to_.bias)[piece]; });
  if (const ConstMatrix eight = tape_.params().int8(to_.table)) {
    auto* panels =
        reinterpret_cast<std::uint8_t*>(int8_panels_.data() + begin * int8_groups(depth));
    return choose_int8_columns(eight, list, panels, scales_.data() + begin);
  }
  const Matrix to = packed(sentence);
  const ConstMatrix table = tape_.params().stored(to_.table);
  const bool in_panels = table.type == ElementType::panels;
  if (in_panels && to.type == table.type)
    return choose_columns(list, depth, table.floats(), to.floats());
  float* const scratch = tape_.arena().take_array<float>(panel_floats(n, depth));
  const Matrix chosen = matrix(scratch, table.type, n, depth);
  if (in_panels) choose_columns(list, depth, table.floats(), scratch);
  else tape_.backend().gather({list.data(), table, false, chosen});
  tape_.backend().pack({true, chosen, to});
  tape_.arena().give(scratch);
}

// The numbers of pieces in the lists of their rows' sentences, or as they are where there are none.
std::span<const std::int32_t> OutputLayer::places(std::span<const std::int32_t> pieces,
                                                  std::span<const std::int32_t> sentences,
                                                  std::vector<std::int32_t>& scratch) const {
  if (lists_.empty() || pieces.empty()) return pieces;
  const std::size_t width = pieces.size() / sentences.size();
  scratch.resize(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i)
    scratch[i] = place_in(lists_[static_cast<std::size_t>(sentences[i / width])], pieces[i]);
  return scratch;
}

// Calls each(logits, count) for the logits of all rows, of which a row has `count`.
template <class Each>
void OutputLayer::project(Var x, std::span<const std::int32_t> sentences, bool whole,
                          const Each& each) const {
  TT_CHECK(to_.table.columns == x->columns && !tape_.recording());
  TT_CHECK(std::ssize(sentences) == x->rows);
  const auto rows_of = [&](std::int64_t first, std::int64_t last, const OutputColumns& columns) {
    columns.project(tape_, x->value, first, last, whole,
                    [&](const Logits& here) { each(here, columns.count); });
  };
  if (lists_.empty()) return rows_of(0, x->rows, all_columns(tape_, to_));
  for (auto first = sentences.begin(); first != sentences.end();) {
    const auto last = std::find_if(first, sentences.end(), [&](auto s) { return s != *first; });
    rows_of(first - sentences.begin(), last - sentences.begin(),
            columns_of(static_cast<std::size_t>(*first)));
    first = last;
  }
}

void OutputLayer::best(Var x, std::span<const std::int32_t> sentences, const BestQuery& query,
                       BestScores& scores) const {
  const std::int64_t n = x->rows, best = query.best;
  const auto per_row = [n](std::span<const std::int32_t> list) {
    TT_CHECK(n > 0 && static_cast<std::int64_t>(list.size()) % n == 0);
    return static_cast<int>(static_cast<std::int64_t>(list.size()) / n);
  };
  const int barred = per_row(query.barred), asked = per_row(query.asked);
  // In one block, so that one copy brings all to the host.
  auto* const values = tape_.array<float>(n * (2 * best + asked));
  auto* const pieces = reinterpret_cast<std::int32_t*>(values + n * best);
  float* const asked_values = values + 2 * n * best;
  std::vector<std::int32_t> barred_places, asked_places;
  BestOf all{
      .best = query.best, .values = values, .indices = pieces, .barred = barred, .asked = asked};
  all.barred_at = tape_.upload(places(query.barred, sentences, barred_places));
  all.asked_at = tape_.upload(places(query.asked, sentences, asked_places));
  all.asked_values = asked_values, all.sums = tape_.array<float>(2 * n);
  project(x, sentences, false,
          [&](const Logits& here, std::int64_t count) { best_of(tape_, here, count, all); });
  const float* host = tape_.download(values, n * (2 * best + asked));
  scores.values.assign(host, host + n * best);
  scores.pieces.resize(scores.values.size());
  std::memcpy(scores.pieces.data(), host + n * best, scores.pieces.size() * sizeof(float));
  scores.asked.assign(host + 2 * n * best, host + n * (2 * best + asked));
  if (lists_.empty()) return;
  for (std::size_t i = 0; i < scores.pieces.size(); ++i) {
    const auto s = static_cast<std::size_t>(sentences[i / static_cast<std::size_t>(best)]);
    scores.pieces[i] = lists_[s][static_cast<std::size_t>(scores.pieces[i])];
  }
}

void OutputLayer::distribution(Var x, std::span<const std::int32_t> sentences,
                               std::vector<float>& all) const {
  const auto v = static_cast<std::size_t>(to_.table.rows);
  const auto row = [&](std::int64_t r) { return all.data() + static_cast<std::size_t>(r) * v; };
  all.resize(static_cast<std::size_t>(x->rows) * v);
  if (!lists_.empty()) std::ranges::fill(all, -INFINITY);
  project(x, sentences, true, [&](const Logits& here, std::int64_t count) {
    tape_.backend().log_softmax({here.rows, count, here.at});
    if (lists_.empty()) {
      const auto floats = static_cast<std::size_t>(here.rows * count);
      return tape_.backend().download(row(here.first), here.at, floats * sizeof(float));
    }
    for (std::int64_t r = 0; r < here.rows; ++r) {
      const auto s = static_cast<std::size_t>(sentences[static_cast<std::size_t>(here.first + r)]);
      for (std::size_t i = 0; i < lists_[s].size(); ++i)
        row(here.first + r)[lists_[s][i]] = here.at[r * count + static_cast<std::int64_t>(i)];
    }
  });
}

void projected_scores(Tape& tape, Var x, const Projection& to, const std::int32_t* targets,
                      float* values) {
  float* first = tape.array<float>(x->rows);
  auto* piece = tape.array<std::int32_t>(x->rows);
  BestOf all{.best = 1,
             .values = first,
             .indices = piece,
             .asked = 1,
             .asked_at = targets,
             .asked_values = values};
  all.sums = tape.array<float>(2 * x->rows);
  TT_CHECK(to.table.columns == x->columns && !tape.recording());
  all_columns(tape, to).project(tape, x->value, 0, x->rows, false, [&](const Logits& here) {
    best_of(tape, here, to.table.rows, all);
  });
}

}  // namespace tt
