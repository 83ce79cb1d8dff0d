#include "tensor/meter.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <vector>

#include "base/report.h"

namespace tt {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr double kFloat = sizeof(float);

double product_of(auto... sizes) { return (static_cast<double>(sizes) * ...); }

// The minimum of operations and of bytes moved by a kernel.
struct Cost {
  double flops = 0, bytes = 0;
};

// The same for a kernel that visits `visits` matrices of n x d floats.
Cost visits(double visits, std::int64_t n, std::int64_t d) { return {0, visits * kFloat * product_of(n, d)}; }

Cost cost(const Round& a) { return visits(1.5, a.rows, a.columns); }
// Bytes of an element of a matrix that may be rounded.
double width(const Bfloat16* rounded) { return rounded ? sizeof *rounded : sizeof(float); }
Cost cost(const Product& a) {
  return {2 * product_of(a.m, a.n, a.k), product_of(width(a.rounded_a), a.m, a.k) + product_of(width(a.rounded_b), a.k, a.n) +
                                             width(a.rounded_c) * product_of(a.m, a.n) * (a.accumulate ? 2 : 1)};
}
Cost cost(const RowProduct& a) {
  return {2 * product_of(a.rows, a.n, a.k), kFloat * (product_of(a.rows, a.k) + product_of(a.k, a.n) + product_of(a.rows, a.n))};
}
Cost cost(const Pack& a) { return visits(2, a.n, a.k); }
Cost cost(const Int8Product& a) {
  return {2 * product_of(a.rows, a.w.n, a.w.k),
          product_of(a.w.k, a.w.n) + kFloat * (product_of(a.rows, a.w.k) + product_of(a.rows, a.w.n))};
}
Cost cost(const Int8Columns& a) { return visits(1.25, a.rows, a.w.k); }
Cost cost(const AddBias& a) { return visits(2, a.n, a.d); }
Cost cost(const ColumnSums& a) { return visits(1, a.n, a.d); }
Cost cost(const Attention& a) {
  const double columns = product_of(a.heads, a.d_k + a.d_v), rows = product_of(a.segments.queries + a.segments.keys);
  return {2 * (a.causal ? a.segments.causal_seen : a.segments.seen) * columns, width(a.narrow.q) * rows * columns};
}
Cost cost(const AttentionBackward& b) {
  const Attention& a = b.forward;
  const double rows = product_of(a.segments.queries + a.segments.keys);
  return {2 * (a.causal ? a.segments.causal_seen : a.segments.seen) * product_of(a.heads, 3 * a.d_k + 2 * a.d_v),
          2 * width(a.narrow.q) * rows * product_of(a.heads, a.d_k + a.d_v)};
}
Cost cost(const CachedAttention& a) {
  const double work = product_of(a.rows, a.steps, a.heads, a.d_k + a.d_v);
  return {2 * work, kFloat * work};
}
// The half visit that reads or writes a rounded matrix.
double half(const Bfloat16* rounded) { return rounded ? 0.5 : 0; }
Cost cost(const AddNorm& a) { return visits(4 + half(a.rounded), a.n, a.d); }
Cost cost(const AddNormBackward& a) { return visits(4 + half(a.rounded), a.n, a.d); }
Cost cost(const AddDropout& a) { return visits(3, a.n, a.d); }
Cost cost(const DropoutBackward& a) { return visits(2, a.n, a.d); }
Cost cost(const Add& a) { return visits(3, 1, a.size); }
Cost cost(const Activate& a) { return visits((a.x ? 1 : 0.5) + (a.y ? 1 : 0) + half(a.rounded), a.n, a.d); }
Cost cost(const ActivateBackward& a) {
  return visits((a.d_y ? 1 : 0.5) + (a.y || a.x ? 1 : 0.5) + (a.x || !a.rounded ? 1 : 0) + half(a.rounded), a.n, a.d);
}
Cost cost(const Embed& a) { return visits(3, a.n, a.d); }
Cost cost(const EmbedBackward& a) { return visits(3, a.n, a.d); }
Cost cost(const CrossEntropy& a) {
  return visits((a.logits ? 1 : 0.5) + (a.rounded ? 0.5 : 1) + (a.agreement > 0 ? 1 : 0), a.n, a.v);
}
Cost cost(const BestOf& a) { return visits(1, a.n, a.v); }
Cost cost(const LogSoftmax& a) { return visits(2, a.n, a.v); }
Cost cost(const Reduce& a) { return visits(a.shards + 1, 1, a.end - a.begin); }
Cost cost(const Adam& a) { return visits(7 + half(a.rounded), 1, a.size); }
Cost cost(const MovingAverage& a) { return visits(3, 1, a.size); }
Cost cost(const Zero& a) { return visits(1, a.rows, a.columns); }
Cost cost(const Gather& a) { return visits(a.accumulate ? 3 : 2, a.n, a.d); }
Cost cost(const Lstm& a) { return visits(8 + (a.recurrent ? 4 : 0) + 2 + (a.c_before ? 1 : 0), a.n, a.d); }
Cost cost(const LstmBackward& a) { return visits(8 + 5, a.n, a.d); }
Cost cost(const Ssru& a) { return visits(6, a.segments.queries, a.d); }
Cost cost(const SsruBackward& a) { return visits(6, a.segments.queries, a.d); }
Cost cost(const AdditiveAttention& a) { return cost(a.inputs); }
Cost cost(const AdditiveAttentionBackward& a) { return cost(a.rest); }

}  // namespace

const char* Meter::name(int kernel) {
#define TT_NAME(name, Arguments) #name,
  static constexpr const char* kNames[] = {TT_KERNELS(TT_NAME)};
#undef TT_NAME
  static_assert(std::size(kNames) == kKernels);
  return kNames[kernel];
}

double Meter::flops() const {
  double sum = 0;
  for (const Line& line : lines_) sum += line.flops;
  return sum;
}

double Meter::seconds() const {
  double sum = 0;
  for (const Line& line : lines_) sum += line.seconds;
  return sum;
}

void Meter::add(const Meter& other) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].calls += other.lines_[i].calls;
    lines_[i].seconds += other.lines_[i].seconds;
    lines_[i].flops += other.lines_[i].flops;
    lines_[i].bytes += other.lines_[i].bytes;
  }
}

#define TT_BOOK(name, Arguments) \
  void Meter::name(const Arguments& a) const { \
    const Cost needed = cost(a); \
    Line& line = lines_[k##Arguments]; \
    ++line.calls; \
    line.flops += needed.flops; \
    line.bytes += needed.bytes; \
    const double began = now(); \
    inner_->name(a); \
    if (waits_) inner_->synchronise(); \
    line.seconds += now() - began; \
  }
TT_KERNELS(TT_BOOK)
#undef TT_BOOK

void say_profile(const Meter& meter) {
  const auto line_of = [&](int kernel) -> const Meter::Line& { return meter.lines()[static_cast<std::size_t>(kernel)]; };
  std::vector<int> order;
  for (int k = 0; k < Meter::kKernels; ++k)
    if (line_of(k).calls > 0) order.push_back(k);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return line_of(a).seconds > line_of(b).seconds; });
  const double inside = meter.seconds(), all = std::max({1e-9, inside, cpu_seconds()});
  char text[160];
  std::snprintf(text, sizeof text, "%-20s %10s %9s %7s %9s %9s", "kernel", "calls", "seconds", "share", "GFLOP/s", "GB/s");
  say(text);
  for (const int k : order) {
    const Meter::Line& line = line_of(k);
    const double rate = 1e-9 / std::max(1e-9, line.seconds);
    std::snprintf(text, sizeof text, "%-20s %10lld %9.2f %6.1f%% %9.1f %9.1f", Meter::name(k), static_cast<long long>(line.calls),
                  line.seconds, 100 * line.seconds / all, line.flops * rate, line.bytes * rate);
    say(text);
  }
  std::snprintf(text, sizeof text, "%-20s %10s %9.2f %6.1f%%", "all else", "", all - inside, 100 * (all - inside) / all);
  say(text);
}

}  // namespace tt
