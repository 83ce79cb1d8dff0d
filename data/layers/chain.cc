#include "data/layers/chain.h"

#include <algorithm>

#include "base/error.h"

namespace tt::table1 {
namespace {

struct Range {
  const float *begin, *end;
};

// A matrix whose rows are ld apart, or nothing.
Range matrix(const float* x, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  return {x, x && rows > 0 ? x + (rows - 1) * ld + columns : x};
}

// What a call reads and writes.
struct Use {
  std::vector<Range> reads, writes;
};

Use use(const Product& a) {
  const Range c = matrix(a.c, a.m, a.n, a.ldc);
  Use u{{matrix(a.a, a.transpose_a ? a.k : a.m, a.transpose_a ? a.m : a.k, a.lda),
         matrix(a.b, a.transpose_b ? a.n : a.k, a.transpose_b ? a.k : a.n, a.ldb)},
        {c}};
  if (a.accumulate) u.reads.push_back(c);
  return u;
}
Use use(const RowProduct& a) { return {{matrix(a.x, a.rows, a.k, a.k)}, {matrix(a.y, a.rows, a.n, a.n)}}; }
Use use(const Attention& a) {
  const Segments& s = a.segments;
  const std::int64_t keyed = a.heads * a.d_k, valued = a.heads * a.d_v;
  return {{matrix(a.q, s.queries, keyed, a.ldq), matrix(a.k, s.keys, keyed, a.ldk), matrix(a.v, s.keys, valued, a.ldv)},
          {matrix(a.out, s.queries, valued, valued)}};
}
Use use(const Lstm& a) {
  const Range gates = matrix(a.gates, a.n, 4 * a.d, 4 * a.d);
  return {{gates, matrix(a.recurrent, a.n, 4 * a.d, 4 * a.d), matrix(a.c_before, a.n, a.d, a.d)},
          {gates, matrix(a.c, a.n, a.d, a.d), matrix(a.h, a.n, a.d, a.d)}};
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
    inner_.name(a); \
  }
TT_KERNELS(TT_FOLLOW)
#undef TT_FOLLOW

}  // namespace tt::table1
