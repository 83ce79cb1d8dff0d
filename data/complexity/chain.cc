#include "data/complexity/chain.h"

#include <algorithm>

#include "base/error.h"

namespace tt::table1 {
namespace {

struct Range {
  const float *begin, *end;
};

// A matrix of float32, or nothing.
Range range(const ConstMatrix& x) {
  return {x.floats(),
          x && x.rows > 0 ? x.floats() + (x.rows - 1) * x.stride + x.columns : x.floats()};
}
Range range(const float* x, std::int64_t rows, std::int64_t columns) {
  return range(float32(x, rows, columns));
}

// The memory that a call reads and writes.
struct Use {
  std::vector<Range> reads, writes;
};

Use use(const Product& a) {
  const Range c = range(a.c);
  Use u{{range(a.a), range(a.b)}, {c}};
  if (a.accumulate) u.reads.push_back(c);
  return u;
}
Use use(const RowProduct& a) { return {{range(a.x)}, {range(a.y)}}; }
Use use(const Attention& a) { return {{range(a.q), range(a.k), range(a.v)}, {range(a.out)}}; }
Use use(const Lstm& a) {
  const Range gates = range(a.gates, a.n, 4 * a.d);
  return {{gates, range(a.recurrent, a.n, 4 * a.d), range(a.c_before, a.n, a.d)},
          {gates, range(a.c, a.n, a.d), range(a.h, a.n, a.d)}};
}
template <class Arguments>
Use use(const Arguments&) {
  TT_CHECK(!"a kernel of the layers of table 1");
  return {};
}

}  // namespace

#define TT_FOLLOW(name, Arguments) \
  void Chain::name(const Arguments& a) const { \
    const Use u = use(a); \
    std::int64_t before = 0; \
    for (const Range& r : u.reads) \
      for (const Written& w : written_) \
        if (r.begin < w.end && w.begin < r.end) before = std::max(before, w.position); \
    for (const Range& r : u.writes) written_.push_back({r.begin, r.end, before + 1}); \
    longest_ = std::max(longest_, before + 1); \
    inner().name(a); \
  }
TT_KERNELS(TT_FOLLOW)
#undef TT_FOLLOW

}  // namespace tt::table1
