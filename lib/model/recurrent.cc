// Luong et al. 2015, "Effective Approaches to Attention-based Neural Machine Translation", sections
// 2 to 3.3, with LSTM cells (Hochreiter and Schmidhuber 1997). With x_t an embedding, h_s the
// encoder's top states, h_t the decoder's:
//
//   cell         [i f g o] = x W + h U + b;  c' = s(f) c + s(i) tanh(g),  h' = s(o) tanh(c')
//   score        h_t . h_s,  h_t . W_a h_s  or  v_a . tanh(W_a [h_t; h_s])   (dot, general, concat)
//   attention    a_t = softmax over s of the scores,  context c_t = sum over s of a_t(s) h_s
//   output       h~_t = tanh(W_c [c_t; h_t] + b_c),  p(y | y_<t, x) = softmax(W_o h~_t)
//   feeding      x_t is [x_t; h~_(t-1)]
//
// Without attention h~_t is h_t: the decoder sees the source only through its initial state
// (Sutskever et al. 2014). The states of a bidirectional encoder are [forward; backward], half of D
// each (Bahdanau et al. 2015).
#include "model/recurrent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/segments.h"

namespace tt {

// ---- Parameters ---------------------------------------------------------------------------------

LSTM::LSTM(const Config& config)
    : Model(config), d_(config.d_model), attentive_(config.attention != AttentionKind::none),
      tables_(add_tables()) {
  for (int i = 1; i <= config.encoder_layers; ++i) {
    const std::string name = "encoder." + std::to_string(i);
    const std::int64_t units = config.bidirectional ? d_ / 2 : d_;
    EncoderLayer layer;
    layer.forward = add_cell(name + ".forward", d_, units);
    if (config.bidirectional) layer.backward = add_cell(name + ".backward", d_, units);
    encoder_.push_back(layer);
  }
  for (int i = 1; i <= config.decoder_layers; ++i)
    decoder_.push_back(add_cell("decoder." + std::to_string(i), d_, d_));
  if (config.input_feeding) feed_ = params_.add("decoder.feed", d_, 4 * d_, Init::xavier, 1, 4);
  if (config.attention == AttentionKind::general)
    w_ = params_.add("attention.w", d_, d_, Init::xavier);
  if (config.attention == AttentionKind::concat) {
    query_ = params_.add("attention.query", d_, d_, Init::xavier);
    key_ = params_.add("attention.key", d_, d_, Init::xavier);
    score_ = params_.add("attention.score", 1, d_, Init::xavier);
  }
  if (attentive_) {
    combine_ = params_.add("attention.out", 2 * d_, d_, Init::xavier);
    combine_bias_ = params_.add("attention.out_bias", 1, d_, Init::zeros);
  }
}

LSTM::Cell LSTM::add_cell(const std::string& name, std::int64_t in, std::int64_t units) {
  return {params_.add(name + ".x", in, 4 * units, Init::xavier, 1, 4),
          params_.add(name + ".h", units, 4 * units, Init::xavier, 1, 4),
          params_.add(name + ".bias", 1, 4 * units, Init::forget)};
}

// ---- Rows by steps ------------------------------------------------------------------------------

LSTM::Rows LSTM::lay_out(Tape& tape, const Sequences& side) const {
  const auto n = static_cast<std::int64_t>(side.offsets.size()) - 1;
  const auto begin_of = [&](std::int32_t b) { return side.offsets[static_cast<std::size_t>(b)]; };
  const auto length = [&](std::int32_t b) { return begin_of(b + 1) - begin_of(b); };
  const auto sentences = tape.host_array<std::int32_t>(n);
  std::iota(sentences.begin(), sentences.end(), 0);
  std::stable_sort(sentences.begin(), sentences.end(),
                   [&](auto a, auto b) { return length(a) > length(b); });
  TT_CHECK(n > 0 && length(sentences.back()) > 0);

  const std::int64_t count = side.rows(), longest = length(sentences[0]);
  const auto begins = tape.host_array<std::int64_t>(longest + 1);
  std::int64_t alive = n;
  begins[0] = 0;
  for (std::int64_t t = 0; t < longest; ++t) {
    while (length(sentences[static_cast<std::size_t>(alive - 1)]) <= t) --alive;
    begins[static_cast<std::size_t>(t + 1)] = begins[static_cast<std::size_t>(t)] + alive;
  }
  const auto places = tape.host_array<std::int32_t>(count),
             packed = tape.host_array<std::int32_t>(count),
             reversed = tape.host_array<std::int32_t>(count),
             tokens = tape.host_array<std::int32_t>(count),
             before = tape.host_array<std::int32_t>(count - n);
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int32_t b = sentences[static_cast<std::size_t>(k)];
    const auto row = [&](std::int32_t t) {
      return static_cast<std::int32_t>(begins[static_cast<std::size_t>(t)] + k);
    };
    for (std::int32_t t = 0; t < length(b); ++t) {
      const auto from = static_cast<std::size_t>(begin_of(b) + t),
                 to = static_cast<std::size_t>(row(t));
      places[from] = row(t);
      packed[to] = begin_of(b) + t;
      reversed[to] = row(length(b) - 1 - t);
      tokens[to] = side.tokens[from];
      if (t > 0) before[to - static_cast<std::size_t>(n)] = row(t - 1);
    }
  }
  Rows rows;
  rows.count = count;
  rows.steps = {begins, tape.upload(before)};
  rows.sentences = sentences;
  rows.places = places;
  rows.tokens = tape.upload(tokens);
  rows.packed = {count, tape.upload(places), tape.upload(packed)};
  rows.reversed.rows = count;
  rows.reversed.from = rows.reversed.to = tape.upload(reversed);  // reversing is its own inverse
  return rows;
}

Var LSTM::embed(Tape& tape, std::int64_t rows, const std::int32_t* tokens, Param table) const {
  EmbedInputs in;
  in.rows = rows;
  in.tokens = tokens;
  in.table = table;
  in.scale = std::sqrt(static_cast<float>(d_));
  in.dropout = static_cast<float>(config_.dropout);
  // No positions: a single one, of zeros.
  auto* places = tape.array<std::int32_t>(rows);
  float* nowhere = tape.array<float>(d_);
  tape.backend().zero({1, rows, rows, reinterpret_cast<float*>(places)});
  tape.backend().zero({1, d_, d_, nowhere});
  in.places = places;
  in.positions = float32(nowhere, 1, d_);
  return tt::embed(tape, in);
}

// ---- Encoder ------------------------------------------------------------------------------------

Cells LSTM::run(Tape& tape, Var x, const Cell& cell, const Steps& steps,
                const Cells& before) const {
  return lstm(tape, linear(tape, x, cell.x, cell.bias), cell.h, steps, before);
}

LSTM::Memory LSTM::encode(Tape& tape, const Sequences& source,
                          std::span<const std::int32_t> order) const {
  const Rows rows = lay_out(tape, source);
  // The last state of each sentence, in the decoder's order.
  const auto n = static_cast<std::int64_t>(order.size());
  const auto from = tape.host_array<std::int32_t>(n),
             to = tape.host_array<std::int32_t>(rows.count);
  std::fill(to.begin(), to.end(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    from[k] = rows.places[static_cast<std::size_t>(
        source.offsets[static_cast<std::size_t>(order[k]) + 1] - 1)];
    to[static_cast<std::size_t>(from[k])] = static_cast<std::int32_t>(k);
  }
  const RowChoice last = {n, tape.upload(from), tape.upload(to)};

  const std::size_t begin = tape.mark();
  std::vector<Cells> ends;  // of the layers whose states the decoder takes over
  std::vector<Var> kept;
  Var x = embed(tape, rows.count, rows.tokens, tables_.source);
  const std::size_t first = encoder_.size() - std::min(encoder_.size(), decoder_.size());
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    if (i > 0) x = drop(tape, x);
    const EncoderLayer& p = encoder_[i];
    tape.first_use(p.forward.x);
    const Cells forward = run(tape, x, p.forward, rows.steps);
    Cells backward;
    if (p.backward.x) backward = run(tape, gather(tape, x, rows.reversed), p.backward, rows.steps);
    const auto end = [&](Var a, Var b) {
      Var y = gather(tape, a, last);
      return b ? concat(tape, y, gather(tape, b, last)) : y;
    };
    if (i >= first) {
      ends.push_back({end(forward.h, backward.h), end(forward.c, backward.c)});
      kept.insert(kept.end(), {ends.back().h, ends.back().c});
    }
    if (i + 1 == encoder_.size() && !attentive_) break;  // its states are not used
    x = backward.h ? concat(tape, forward.h, gather(tape, backward.h, rows.reversed)) : forward.h;
    kept.push_back(x);
    tape.keep(begin, kept);
    kept.pop_back();
  }
  Memory memory;
  if (attentive_) {
    memory.states = memory.keys = gather(tape, x, rows.packed);
    if (key_) memory.keys = linear(tape, memory.states, key_);
    kept.insert(kept.end(), {memory.states, memory.keys});
  }
  tape.keep(begin, kept);
  // Layers are matched from the top; if the decoder has more, its extra lowest ones start like the
  // encoder's lowest.
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const std::size_t above = decoder_.size() - 1 - i;
    memory.starts.push_back(ends[above < ends.size() ? ends.size() - 1 - above : 0]);
  }
  return memory;
}

// ---- Attention and output -----------------------------------------------------------------------

Var LSTM::attend(Tape& tape, Var h, const Memory& memory, const Segments& segments,
                 float* weights) const {
  AttentionInputs in;
  in.q = w_ ? linear(tape, h, w_) : query_ ? linear(tape, h, query_) : h;
  in.kv = memory.keys;
  in.values = memory.states;
  in.segments = segments;
  in.d_k = in.d_v = d_;
  in.additive = score_;
  in.dropout = static_cast<float>(config_.attention_dropout);
  Var context = attention(tape, in, weights);
  return activation(tape, concat(tape, context, h), combine_, combine_bias_, Activation::tanh,
                    static_cast<float>(config_.dropout));
}

// ---- Decoder: all steps of a layer or, where a step needs the h~ before it, layers of a step ----

Var LSTM::decode(Tape& tape, const Sequences& target, const Rows& rows, const Memory& memory,
                 const Sequences& source, float* weights) const {
  Segments segments;
  if (attentive_) segments = pair_up(tape, target, source);
  Var x = embed(tape, rows.count, rows.tokens, tables_.target);
  for (std::size_t i = 0; i < decoder_.size(); ++i)
    x = run(tape, i > 0 ? drop(tape, x) : x, decoder_[i], rows.steps, memory.starts[i]).h;
  x = gather(tape, x, rows.packed);
  return attentive_ ? attend(tape, x, memory, segments, weights) : drop(tape, x);
}

Var LSTM::step(Tape& tape, Var x, Decoding& now, const Memory& memory, const Segments& segments,
               float* weights) const {
  const auto begins = tape.host_array<std::int64_t>(2);
  begins[0] = 0, begins[1] = x->rows;
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const Cell& cell = decoder_[i];
    Var gates = linear(tape, i > 0 ? drop(tape, x) : x, cell.x, cell.bias);
    if (i == 0 && now.feed) gates = add_dropout(tape, gates, linear(tape, now.feed, feed_), 0);
    now.layers[i] = lstm(tape, gates, cell.h, {begins, nullptr}, now.layers[i]);
    x = now.layers[i].h;
  }
  if (!attentive_) return drop(tape, x);
  x = attend(tape, x, memory, segments, weights);
  if (feed_) now.feed = x;
  return x;
}

LSTM::Decoding LSTM::choose(Tape& tape, const Decoding& from, const RowChoice& rows) const {
  Decoding chosen;
  for (const Cells& cells : from.layers)
    chosen.layers.push_back({gather(tape, cells.h, rows), gather(tape, cells.c, rows)});
  if (from.feed) chosen.feed = gather(tape, from.feed, rows);
  return chosen;
}

std::vector<Var> LSTM::matrices(const Decoding& of) {
  std::vector<Var> all;
  for (const Cells& cells : of.layers) all.insert(all.end(), {cells.h, cells.c});
  if (of.feed) all.push_back(of.feed);
  return all;
}

template <class Each>
void LSTM::decode_by_steps(Tape& tape, const Rows& rows, const Memory& memory,
                           const Sequences& source, float* weights, const Each& each) const {
  Decoding now{memory.starts};
  const auto& begins = rows.steps.begins;
  const std::size_t begin = tape.mark();
  for (std::size_t t = 0; t + 1 < begins.size(); ++t) {
    const std::int64_t n = begins[t + 1] - begins[t], all = t > 0 ? begins[t] - begins[t - 1] : n;
    if (n < all) {  // the sequences that continue are the first
      const auto to = tape.host_array<std::int32_t>(all);
      for (std::int32_t r = 0; r < all; ++r) to[static_cast<std::size_t>(r)] = r < n ? r : -1;
      const std::int32_t* device = tape.upload(to);
      now = choose(tape, now, {n, device, device});
    }
    // Finished sentences are included without queries, so that the gradients of their keys are
    // written too.
    const auto segments =
        tape.host_array<Segment>(static_cast<std::int64_t>(rows.sentences.size()));
    double pairs = 0;
    for (std::size_t k = 0; k < segments.size(); ++k) {
      const auto b = static_cast<std::size_t>(rows.sentences[k]);
      const auto row = static_cast<std::int32_t>(k);
      const bool alive = row < n;
      segments[k] = {alive ? row : 0, alive ? row + 1 : 0, source.offsets[b],
                     source.offsets[b + 1]};
      if (alive) pairs += source.offsets[b + 1] - source.offsets[b];
    }
    Var x = embed(tape, n, rows.tokens + begins[t], tables_.target);
    each(step(tape, x, now, memory, upload_segments(tape, segments), weights), t);
    if (weights) weights += static_cast<std::int64_t>(pairs);
    tape.keep(begin, matrices(now));
  }
}

template <class Each>
void LSTM::project(Tape& tape, const Batch& batch, const Each& each) const {
  const Rows rows = lay_out(tape, batch.target_in);
  const auto& targets = batch.target_out.tokens;
  if (!feed_) {
    const std::int32_t* device = tape.upload(targets);
    const Memory memory = encode(tape, batch.source, rows.sentences);
    return each(decode(tape, batch.target_in, rows, memory, batch.source, nullptr), device, 0,
                nullptr);
  }
  const auto by_steps = tape.host_array<std::int32_t>(rows.count);
  for (std::size_t r = 0; r < targets.size(); ++r)
    by_steps[static_cast<std::size_t>(rows.places[r])] = targets[r];
  const std::int32_t* device = tape.upload(by_steps);
  const Memory memory = encode(tape, batch.source, rows.sentences);
  decode_by_steps(tape, rows, memory, batch.source, nullptr, [&](Var x, std::size_t t) {
    each(x, device + rows.steps.begins[t], rows.steps.begins[t], rows.places.data());
  });
}

void LSTM::loss(Tape& tape, const Batch& batch, float scale, double* sums) const {
  const auto smoothing = static_cast<float>(config_.label_smoothing);
  project(tape, batch, [&](Var x, const std::int32_t* targets, std::int64_t, const std::int32_t*) {
    projected_loss(tape, x, {tables_.output, {}}, {targets, smoothing, 0, scale, sums});
  });
}

std::vector<float> LSTM::token_scores(Tape& tape, const Batch& batch) const {
  std::vector<float> by_steps(batch.target_out.tokens.size()), packed(by_steps);
  const std::int32_t* places = nullptr;
  project(tape, batch,
          [&](Var x, const std::int32_t* targets, std::int64_t begin, const std::int32_t* at) {
            float* scores = tape.array<float>(x->rows);
            projected_scores(tape, x, {tables_.output, {}}, targets, scores);
            tape.backend().download(by_steps.data() + begin, scores,
                                    static_cast<std::size_t>(x->rows) * sizeof(float));
            places = at;
          });
  if (!places) return by_steps;  // in the order of the batch as they are
  for (std::size_t r = 0; r < packed.size(); ++r)
    packed[r] = by_steps[static_cast<std::size_t>(places[r])];
  return packed;
}

std::vector<AttentionWeights> LSTM::attention_weights(Tape& tape, const Batch& batch) const {
  if (!attentive_) return {};
  const Rows rows = lay_out(tape, batch.target_in);
  const auto size = [&](const Sequences& side, std::size_t b) {
    return static_cast<std::int64_t>(side.offsets[b + 1] - side.offsets[b]);
  };
  std::vector<std::int64_t> begins{0};  // of each sentence's block [queries, keys]
  for (std::size_t b = 0; b + 1 < batch.source.offsets.size(); ++b)
    begins.push_back(begins.back() + size(batch.target_in, b) * size(batch.source, b));
  float* device = tape.array<float>(begins.back());
  const Memory memory = encode(tape, batch.source, rows.sentences);
  if (!feed_) decode(tape, batch.target_in, rows, memory, batch.source, device);
  else decode_by_steps(tape, rows, memory, batch.source, device, [](Var, std::size_t) {});
  const float* from = tape.download(device, begins.back());
  AttentionWeights cross{"cross", 1, 1, {from, from + begins.back()}};
  if (feed_) {  // from rows in the order of steps
    for (std::size_t t = 0; t + 1 < rows.steps.begins.size(); ++t)
      for (std::int64_t k = 0; k < rows.steps.begins[t + 1] - rows.steps.begins[t]; ++k) {
        const auto b = static_cast<std::size_t>(rows.sentences[static_cast<std::size_t>(k)]);
        const std::int64_t keys = size(batch.source, b);
        std::copy_n(from, keys,
                    cross.weights.begin() + begins[b] + static_cast<std::int64_t>(t) * keys);
        from += keys;
      }
  }
  return {cross};
}

// ---- Decoding: one row per hypothesis -----------------------------------------------------------

class LSTMState : public State {
 public:
  LSTMState(const LSTM& model, Tape& tape, const Sequences& source)
      : model_(model), tape_(tape), output_(tape, {model.tables_.output, {}}), source_(source) {
    TT_CHECK(!tape.recording());
    sentence_.resize(source.offsets.size() - 1);
    std::iota(sentence_.begin(), sentence_.end(), 0);
    memory_ = model.encode(tape, source, sentence_);
    now_.layers = memory_.starts;
    begin_ = tape.mark();
  }

  void restrict(std::vector<PieceList> lists) override { output_.restrict(std::move(lists)); }

  void step(std::span<const std::int32_t> tokens, const BestQuery& query,
            BestScores& scores) override {
    output_.best(advance(tokens), sentence_, query, scores);
    tape_.keep(begin_, LSTM::matrices(now_));
  }

  void step(std::span<const std::int32_t> tokens, std::vector<float>& all) override {
    output_.distribution(advance(tokens), sentence_, all);
    tape_.keep(begin_, LSTM::matrices(now_));
  }

  void reorder(std::span<const std::int32_t> parents) override {
    bool same = parents.size() == sentence_.size();
    for (std::size_t i = 0; i < parents.size(); ++i)
      same = same && parents[i] == static_cast<std::int32_t>(i);
    if (same) return;
    tt::reorder(sentence_, parents);
    now_ = model_.choose(
        tape_, now_, {static_cast<std::int64_t>(parents.size()), tape_.upload(parents), nullptr});
    tape_.keep(begin_, LSTM::matrices(now_));
  }

 private:
  // Appends the tokens, and returns the decoder's rows.
  Var advance(std::span<const std::int32_t> tokens) {
    const auto rows = static_cast<std::int64_t>(tokens.size());
    TT_CHECK(tokens.size() == sentence_.size());
    Segments sources;
    if (model_.attentive_) sources = see_sources(tape_, sentence_, source_, segments_);
    Var x = model_.embed(tape_, rows, tape_.upload(tokens), model_.tables_.target);
    return model_.step(tape_, x, now_, memory_, sources, nullptr);
  }

  const LSTM& model_;
  Tape& tape_;
  OutputLayer output_;
  const Sequences source_;
  LSTM::Memory memory_;
  LSTM::Decoding now_;
  std::size_t begin_;  // mark: later matrices on the tape belong to a step
  std::vector<std::int32_t> sentence_;
  std::vector<Segment> segments_;
};

std::unique_ptr<State> LSTM::start(Tape& tape, const Sequences& source) const {
  return std::make_unique<LSTMState>(*this, tape, source);
}

}  // namespace tt
