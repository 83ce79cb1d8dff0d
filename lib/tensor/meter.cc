#include "tensor/meter.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <vector>

#include "base/formatted.h"
#include "base/report.h"

namespace tt {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double kFloat = sizeof(float);

double product_of(auto... sizes) { return (static_cast<double>(sizes) * ...); }

// The minimum of operations and of bytes moved by a kernel.
struct Cost {
  double flops = 0, bytes = 0;
};

// The cost of a kernel that visits `visits` matrices of n x d floats.
Cost visits(double visits, std::int64_t n, std::int64_t d) {
  return {0, visits * kFloat * product_of(n, d)};
}

double bytes_per_element(const ConstMatrix& of) {
  switch (of.type) {
    case ElementType::int8: return 1;
    case ElementType::bfloat16:
    case ElementType::paired_panels: return sizeof(Bfloat16);
    case ElementType::float32:
    case ElementType::panels: break;
  }
  return kFloat;
}
// The bytes of the elements alone; none for a matrix that is not there.
double bytes(const ConstMatrix& of) {
  return of ? bytes_per_element(of) * product_of(of.rows, of.columns) : 0;
}

Cost cost(const Round& a) { return {0, bytes(a.from) + bytes(a.to)}; }
Cost cost(const Product& a) {
  return {2 * product_of(a.m(), a.n(), a.k()),
          bytes(a.a) + bytes(a.b) + bytes(a.c) * (a.accumulate ? 2 : 1)};
}
Cost cost(const RowProduct& a) {
  return {2 * product_of(a.y.rows, a.y.columns, a.x.columns), bytes(a.x) + bytes(a.w) + bytes(a.y)};
}
Cost cost(const Pack& a) { return {0, bytes(a.w) + bytes(a.packed)}; }
Cost cost(const Int8Product& a) {
  return {2 * product_of(a.y.rows, a.w.columns, a.w.rows), bytes(a.w) + bytes(a.x) + bytes(a.y)};
}
Cost cost(const Int8Columns& a) { return {0, 1.25 * bytes(a.y)}; }
Cost cost(const AddBias& a) { return visits(2, a.n, a.d); }
Cost cost(const ColumnSums& a) { return visits(1, a.n, a.d); }
Cost cost(const Attention& a) {
  const double columns = product_of(a.heads, a.d_k + a.d_v),
               rows = product_of(a.segments.queries + a.segments.keys);
  return {2 * (a.causal ? a.segments.causal_seen : a.segments.seen) * columns,
          bytes_per_element(a.q) * rows * columns};
}
Cost cost(const AttentionBackward& b) {
  const Attention& a = b.forward;
  const double rows = product_of(a.segments.queries + a.segments.keys);
  return {2 * (a.causal ? a.segments.causal_seen : a.segments.seen) *
              product_of(a.heads, 3 * a.d_k + 2 * a.d_v),
          2 * bytes_per_element(a.q) * rows * product_of(a.heads, a.d_k + a.d_v)};
}
Cost cost(const CachedAttention& a) {
  const double work = product_of(a.rows, a.steps, a.heads, a.d_k + a.d_v);
  return {2 * work, kFloat * work};
}
Cost cost(const AddNorm& a) { return {0, 4 * bytes(a.y) + bytes(a.copy)}; }
Cost cost(const AddNormBackward& a) { return {0, 4 * bytes(a.d_y) + bytes(a.copy)}; }
Cost cost(const AddDropout& a) { return visits(3, a.n, a.d); }
Cost cost(const DropoutBackward& a) { return visits(2, a.n, a.d); }
Cost cost(const Add& a) { return visits(3, 1, a.size); }
Cost cost(const Multiply& a) { return visits(a.b ? 3 : 2, 1, a.size); }
Cost cost(const MultiplyBackward& a) {
  return visits((a.b ? 5 : 2) + a.accumulate_a + a.accumulate_b, 1, a.size);
}
Cost cost(const Activate& a) { return {0, bytes(a.x) + bytes(a.y) + bytes(a.copy)}; }
Cost cost(const ActivateBackward& a) {
  const bool spills = a.x && a.d_x.type != a.d_y.type;  // float32 on its way to the sums
  return {0, bytes(a.d_y) * (spills ? 2 : 1) + bytes(a.x ? a.x : a.y) + bytes(a.d_x)};
}
Cost cost(const Embed& a) { return {0, 3 * bytes(a.y)}; }
Cost cost(const EmbedBackward& a) { return {0, 3 * bytes(a.d_y)}; }
Cost cost(const CrossEntropy& a) {
  const ConstMatrix written = a.gradient ? a.gradient : a.logits;
  return {0, bytes(a.logits) * (a.agreement > 0 ? 2 : 1) + bytes(written)};
}
Cost cost(const AlignmentLoss& a) {
  const double backward = a.gradient_scale != 0 ? 3 : 1;
  return {2 * backward * product_of(a.segments.pairs, a.q.columns),
          backward * (bytes(a.q) + bytes(a.k))};
}
Cost cost(const BestOf& a) { return visits(1, a.n, a.v); }
Cost cost(const LogSoftmax& a) { return visits(2, a.n, a.v); }
Cost cost(const Reduce& a) { return visits(a.shards + 1, 1, a.end - a.begin); }
Cost cost(const Adam& a) { return {0, 7 * kFloat * product_of(a.size) + bytes(a.copy)}; }
Cost cost(const ScheduleFree& a) { return {0, 9 * kFloat * product_of(a.size) + bytes(a.copy)}; }
Cost cost(const MovingAverage& a) { return visits(3, 1, a.size); }
Cost cost(const Zero& a) { return visits(1, a.rows, a.columns); }
Cost cost(const Gather& a) { return {0, (a.accumulate ? 3 : 2) * bytes(a.y)}; }
Cost cost(const Lstm& a) {
  return visits(8 + (a.recurrent ? 4 : 0) + 2 + (a.c_before ? 1 : 0), a.n, a.d);
}
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
    inner().name(a); \
    if (waits_) inner().synchronise(); \
    line.seconds += now() - began; \
  }
TT_KERNELS(TT_BOOK)
#undef TT_BOOK

void say_profile(const Meter& meter) {
  const auto line_of = [&](int kernel) -> const Meter::Line& {
    return meter.lines()[static_cast<std::size_t>(kernel)];
  };
  std::vector<int> order;
  for (int k = 0; k < Meter::kKernels; ++k)
    if (line_of(k).calls > 0) order.push_back(k);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return line_of(a).seconds > line_of(b).seconds; });
  const double inside = meter.seconds(), all = std::max({1e-9, inside, cpu_seconds()});
  say(formatted("%-20s %10s %9s %7s %9s %9s", "kernel", "calls", "seconds", "share", "GFLOP/s",
                "GB/s"));
  for (const int k : order) {
    const Meter::Line& line = line_of(k);
    const double rate = 1e-9 / std::max(1e-9, line.seconds);
    say(formatted("%-20s %10lld %9.2f %6.1f%% %9.1f %9.1f", Meter::name(k),
                  static_cast<long long>(line.calls), line.seconds, 100 * line.seconds / all,
                  line.flops * rate, line.bytes * rate));
  }
  say(formatted("%-20s %10s %9.2f %6.1f%%", "all else", "", all - inside,
                100 * (all - inside) / all));
}

}  // namespace tt
