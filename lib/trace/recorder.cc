#include "trace/recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace tt {
namespace {

constexpr std::size_t kTerms = 4;            // of a product
constexpr std::size_t kMostTerms = 1 << 20;  // numbers of terms, but those of feed-forward layers
constexpr std::size_t kNothing = ~std::size_t{0};  // of a region whose matrix is not kept

std::string parent(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

// Products whose terms are kept: those that have a picture in pages.
bool has_terms(const std::string& name) {
  constexpr std::array kLast{"kv", ".cross.q", ".self.out", ".cross.out", ".self.gates", ".ffn.in"};
  return std::ranges::any_of(kLast, [&](const char* last) { return name.ends_with(last); });
}

// Scores of queries and keys, [heads, queries, keys], minus infinity where the mask hides the key.
// The bias of a is on the host.
std::vector<float> scores_of(const Attention& a, const std::vector<float>& q,
                             const std::vector<float>& k, const std::vector<float>& additive) {
  const std::int64_t queries = a.segments.queries, keys = a.segments.keys,
                     window = a.segments.window, width = a.heads * a.d_k;
  std::vector<float> scores;
  for (std::int64_t h = 0; h < a.heads; ++h)
    for (std::int64_t i = 0; i < queries; ++i)
      for (std::int64_t j = 0; j < keys; ++j) {
        double sum = a.bias.table ? static_cast<double>(a.bias.table[a.bias.element(h, j - i)]) : 0;
        for (std::int64_t c = h * a.d_k; c < (h + 1) * a.d_k; ++c) {
          const auto x = static_cast<double>(q[static_cast<std::size_t>(i * width + c)]),
                     y = static_cast<double>(k[static_cast<std::size_t>(j * width + c)]);
          sum += additive.empty() ? static_cast<double>(a.scale) * x * y
                                  : static_cast<double>(additive[static_cast<std::size_t>(c)]) *
                                        std::tanh(x + y);
        }
        const bool hidden =
            (a.causal && j > i) || (window > 0 && (j > i + window || j < i - window));
        scores.push_back(hidden ? -INFINITY : static_cast<float>(sum));
      }
  return scores;
}

}  // namespace

Recorder::Recorder(const Backend& inner, const Params& params, bool summaries)
    : BackendWrapper(inner), params_(params), summaries_(summaries) {
  const auto names = params.tensors();
  for (int i = 0; i < params.number(); ++i) {
    const Param p = params.at(i);
    const Use use = params.use(i);
    const Name name{names[static_cast<std::size_t>(i)].name, use == Use::table, i};
    std::vector<const void*> places{params.of(p)};
    if (const ConstMatrix eight = params.int8(p)) places.push_back(eight.at);
    else if (use != Use::other) places.push_back(params.weights(p, name.table).at);
    for (const void* at : places)
      if (at) names_.emplace(at, name);
  }
}

std::vector<TraceMatrix> Recorder::matrices() const {
  std::vector<TraceMatrix> all;
  for (const Record& record : records_)
    if (!record.parted) all.push_back(record.matrix);
  for (TraceMatrix& m : all) {
    m.summarise();
    if (summaries_) m.values.clear();
  }
  return all;
}

std::vector<float> Recorder::values(const ConstMatrix& of) const {
  TT_CHECK(of.is(ElementType::float32));
  std::vector<float> all(static_cast<std::size_t>(of.rows * of.columns));
  for (std::int64_t r = 0; r < of.rows; ++r)
    inner().download(all.data() + r * of.columns, of.floats() + r * of.stride,
                     static_cast<std::size_t>(of.columns) * sizeof(float));
  return all;
}

const Recorder::Region* Recorder::region(const void* at) const {
  const auto* byte = static_cast<const char*>(at);
  for (auto r = regions_.rbegin(); r != regions_.rend(); ++r)
    if (byte >= r->begin && byte < r->begin + r->bytes)
      return r->record == kNothing ? nullptr : &*r;
  return nullptr;
}

std::string Recorder::part(const void* at) const {
  const Region* const found = region(at);
  return found ? parent(records_[found->record].matrix.name) : "";
}

Recorder::Record* Recorder::find(const std::string& name) const {
  const auto found = std::ranges::find_if(
      records_, [&](const Record& r) { return r.matrix.name == name && !r.parted; });
  return found == records_.end() ? nullptr : &*found;
}

void Recorder::keep(const std::string& name, std::int64_t blocks, std::int64_t rows,
                    std::vector<float> values, const void* at) const {
  const std::int64_t columns =
      rows > 0 ? static_cast<std::int64_t>(values.size()) / (blocks * rows) : 0;
  Record* record = find(name);
  if (record && record->matrix.blocks == 1 && record->matrix.columns == columns) {
    record->matrix.rows += rows;
    record->matrix.values.insert(record->matrix.values.end(), values.begin(), values.end());
  } else {
    record = &records_.emplace_back();
    record->matrix = {name, blocks, rows, columns, std::move(values)};
  }
  record->at = at;
}

void Recorder::place(const ConstMatrix& matrix, std::size_t record, bool product) const {
  const std::int64_t size = (matrix.rows - 1) * matrix.stride + matrix.columns;
  regions_.push_back({static_cast<const char*>(matrix.at),
                      static_cast<std::size_t>(size) * sizeof(float), record, product});
}

void Recorder::keep(const std::string& name, const ConstMatrix& matrix, bool product) const {
  keep(name, 1, matrix.rows, values(matrix), matrix.at);
  place(matrix, static_cast<std::size_t>(find(name) - records_.data()), product);
}

// Products with tables make logits, which BestOf has.
void Recorder::note_product(const ConstMatrix& x, const ConstMatrix& w,
                            const ConstMatrix& y) const {
  const auto found = names_.find(w.at);
  if (found == names_.end() || found->second.table) return place(y, kNothing, false);
  const auto& [name, table, index] = found->second;
  keep(name, y, true);
  const std::size_t numbers = 2 * kTerms * static_cast<std::size_t>(y.rows * y.columns);
  if (!summaries_ &&
      (name.ends_with(".ffn.out") || (has_terms(name) && (terms_ += numbers) <= kMostTerms)))
    keep_terms(name, index, x);
}

void Recorder::keep_vector(const float* parameter) const {
  const auto found = names_.find(parameter);
  if (!parameter || found == names_.end() || find(found->second.name)) return;
  const Param p = params_.at(found->second.index);
  keep(found->second.name, 1, 1, values(float32(parameter, 1, p.columns)), nullptr);
}

// Of each number of x W the terms that are largest: which numbers of x (from 1), and their factors.
void Recorder::keep_terms(const std::string& name, int parameter, const ConstMatrix& x) const {
  const Param p = params_.at(parameter);
  const auto hidden = static_cast<std::size_t>(p.rows), d = static_cast<std::size_t>(p.columns);
  const auto n = static_cast<std::size_t>(x.rows), kept = std::min(kTerms, hidden);
  std::vector<float> scratch, rows = values(x), units(kept * n * d), factors(units);
  const float* const w = params_.view(parameter, scratch);
  std::vector<std::size_t> order(hidden);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < d; ++c) {
      const auto term = [&](std::size_t k) {
        return std::abs(rows[r * hidden + k] * w[k * d + c]);
      };
      std::iota(order.begin(), order.end(), 0);
      std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept),
                                std::ranges::greater(), term);
      for (std::size_t t = 0; t < kept; ++t) {
        units[(t * n + r) * d + c] = static_cast<float>(order[t] + 1);
        factors[(t * n + r) * d + c] = w[order[t] * d + c];
      }
    }
  const auto blocks = static_cast<std::int64_t>(kept);
  keep(name + ".units", blocks, x.rows, std::move(units), nullptr);
  keep(name + ".factors", blocks, x.rows, std::move(factors), nullptr);
}

void Recorder::note(const AddBias& a) const {
  const Region* const found = region(a.x);
  if (!found || !found->product) return;
  std::vector<float>& kept = records_[found->record].matrix.values;
  const std::vector<float> now = values(float32(a.x, a.n, a.d));
  std::copy(now.begin(), now.end(), kept.end() - static_cast<std::ptrdiff_t>(now.size()));
  keep_vector(a.bias);
}

// Embeddings alone, and positions alone: the kernel once more, with the other of the two zero.
void Recorder::note(const Embed& a) const {
  const std::int64_t n = a.y.rows, d = a.y.columns;
  const std::string stack = embedded_++ == 0 ? "encoder" : "decoder";
  const DeviceArray<float> nowhere(inner(), d), y(inner(), n * d);
  const DeviceArray<std::int32_t> first(inner(), n),
      none(inner(), std::vector<std::int32_t>(static_cast<std::size_t>(n), -1));
  Embed alone = a;
  alone.y = float32(y.data(), n, d);
  alone.tokens = none.data();
  inner().embed(alone);
  const std::vector<float> positions = values(alone.y);
  if (std::ranges::any_of(positions, [](float x) { return x != 0; })) {
    alone.tokens = a.tokens, alone.places = first.data();
    alone.positions = float32(nowhere.data(), 1, d);
    inner().embed(alone);
    keep(stack + ".embeddings", 1, n, values(alone.y), nullptr);
    keep(stack + ".positions", 1, n, positions, nullptr);
  }
  keep(stack + ".input", a.y);
}

void Recorder::note(const Activate& a) const {
  keep_vector(a.bias);
  if (const Region* const found = region(a.x.at))
    keep(records_[found->record].matrix.name + ".active", a.y);
}

// Two factors are a product and what multiplies it; one alone is what is scaled.
void Recorder::note(const Multiply& a) const {
  if (const Region* const found = region(a.b ? a.b : a.a)) {
    const std::string name = records_[found->record].matrix.name + (a.b ? ".times" : ".scaled");
    const std::int64_t columns = records_[found->record].matrix.columns;
    keep(name, float32(a.y, a.size / columns, columns));
  }
}

void Recorder::note(const AddNorm& a) const {
  const auto found = names_.find(a.gain);
  if (found == names_.end()) return;
  const std::string name = parent(found->second.name);
  if (a.a) keep(parent(name) + ".sum", a.b_to_s);
  keep_vector(a.gain), keep_vector(a.bias);
  keep(name, a.y);
}

// The sum belongs to the sub-layer that makes the second; to a cell's products, where it does not.
void Recorder::note(const AddDropout& a) const {
  const std::string first = part(a.a), second = part(a.b);
  const bool inner = first.starts_with(second + ".");
  keep((inner ? first : second) + ".sum", float32(a.y, a.n, a.d));
}

void Recorder::note(const Lstm& a) const {
  const std::string cell = part(a.gates);
  keep(cell + ".gates", float32(a.gates, a.n, 4 * a.d));
  keep(cell + ".cells", float32(a.c, a.n, a.d));
  keep(cell + ".states", float32(a.h, a.n, a.d));
}

void Recorder::note(const Ssru& a) const {
  const std::string unit = part(a.gates);
  const std::int64_t n = a.segments.queries;
  keep(unit + ".units", float32(a.gates, n, 2 * a.d));
  keep(unit + ".cells", float32(a.c, n, a.d));
  keep(unit + ".states", float32(a.h, n, a.d));
}

// Rows that are elsewhere as well keep their name.
void Recorder::note(const Gather& a) const {
  const Region* const found = region(a.x.at);
  if (a.y.rows > 0) place(a.y, found ? found->record : kNothing, false);
}

// Stretches of columns come from left to right, each for the rows in their order.
void Recorder::note(const BestOf& a) const {
  const std::vector<float> stretch = values(float32(a.logits, a.n, a.v));
  std::size_t row = 0;
  if (a.begin == 0) row = logits_.size(), logits_.resize(row + static_cast<std::size_t>(a.n));
  while (logits_[row].size() != static_cast<std::size_t>(a.begin)) ++row;
  for (std::int64_t i = 0; i < a.n; ++i, ++row)
    logits_[row].insert(logits_[row].end(), stretch.begin() + i * a.v,
                        stretch.begin() + (i + 1) * a.v);
}

DeviceArray<float> Recorder::weights_of(const Attention& a) const {
  TT_CHECK(a.segments.count == 1 && !a.weights);
  return DeviceArray<float>::unset(inner(), a.heads * a.segments.queries * a.segments.keys);
}

// An attention has the name of what made its queries; if that is a state, the model has but one.
void Recorder::note_attention(const Attention& a, const float* additive) const {
  const Region* const made = region(a.q.at);
  const std::string site = made && made->product ? part(a.q.at) : "attention";
  for (const void* at : {a.q.at, a.k.at, a.v.at})
    if (const Region* const whole = region(at); whole && whole->product)
      records_[whole->record].parted = true;
  const std::vector<float> q = values(a.q), k = values(a.k);
  const auto block = [&](const char* name, const ConstMatrix& of, std::vector<float> found) {
    const Record* const before = find(site + name);
    if (!before || before->at != of.at) keep(site + name, 1, of.rows, std::move(found), of.at);
  };
  keep(site + ".q", 1, a.q.rows, q, nullptr);
  block(".k", a.k, k);
  block(".v", a.v, values(a.v));
  const std::int64_t queries = a.segments.queries, keys = a.segments.keys;
  if (!summaries_) {
    std::vector<float> w, biases;
    std::vector<std::int32_t> buckets;
    Attention on_host = a;
    if (additive) keep_vector(additive), w = values(float32(additive, 1, a.heads * a.d_k));
    if (a.bias.table) {
      biases = values(float32(a.bias.table, a.heads, a.bias.count));
      buckets.resize(static_cast<std::size_t>(2 * a.bias.far + 1));
      inner().download(buckets.data(), a.bias.buckets, buckets.size() * sizeof buckets[0]);
      on_host.bias.table = biases.data(), on_host.bias.buckets = buckets.data();
    }
    keep(site + ".scores", a.heads, queries, scores_of(on_host, q, k, w), nullptr);
  }
  keep(site + ".weights", a.heads, queries, values(float32(a.weights, a.heads * queries, keys)),
       nullptr);
  keep(site + ".seen", a.out);
}

// Attention is asked for its weights; every other kernel is called as it is.
template <class Kernel>
void Recorder::pass(const Attention& a, const Kernel& kernel) const {
  const DeviceArray<float> weights = weights_of(a);
  Attention asked = a;
  asked.weights = weights.data();
  kernel(asked);
  note_attention(asked, nullptr);
}

template <class Kernel>
void Recorder::pass(const AdditiveAttention& a, const Kernel& kernel) const {
  const DeviceArray<float> weights = weights_of(a.inputs);
  AdditiveAttention asked = a;
  asked.inputs.weights = weights.data();
  kernel(asked);
  note_attention(asked.inputs, a.w);
}

template <class Arguments, class Kernel>
void Recorder::pass(const Arguments& a, const Kernel& kernel) const {
  kernel(a);
  note(a);
}

#define TT_FORWARD(name, Arguments) \
  void Recorder::name(const Arguments& a) const { \
    pass(a, [this](const Arguments& asked) { inner().name(asked); }); \
  }
TT_KERNELS(TT_FORWARD)
#undef TT_FORWARD

}  // namespace tt
