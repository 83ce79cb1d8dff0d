// The table of cases of logits: cross-entropy, the best of rows, log-softmax.
#include <cmath>

#include "base/random.h"
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

struct Size {
  std::int64_t n, d;  // rows, and pieces of a vocabulary
};

Matrix of(const Size& m, float* at) { return float32(at, m.n, m.d); }

std::string text(const Size& m, const std::string& more) {
  return std::to_string(m.n) + " x " + std::to_string(m.d) + more;
}

// n indices below v, and some that stand for none.
std::vector<std::int32_t> some(std::int64_t n, std::int64_t v) {
  Random random(static_cast<std::uint64_t>(n));
  std::vector<std::int32_t> indices;
  for (std::int64_t i = 0; i < n; ++i)
    indices.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(v) + 1)) -
                      1);
  return indices;
}

}  // namespace

std::vector<Case> vocabulary_cases() {
  std::vector<Case> cases;
  for (const Size& m : {Size{0, 5}, Size{1, 1}, Size{2, 3}, Size{3, 8}, Size{7, 1000},
                        Size{2, 1012}, Size{2, 10007}, Size{1, 32001}, Size{1, 33004}}) {
    for (const float smoothing : {0.0f, 0.1f})
      for (const float spread : {1.0f, 30.0f})
        for (const float scale : {0.0f, 0.37f})
          cases.push_back(
              {"cross_entropy",
               text(m, (" smoothing " + std::to_string(smoothing) + " spread " +
                        std::to_string(spread) + (scale == 0 ? " forward" : ""))),
               [=](const Backend& b, Workspace& w) {
                 const std::int32_t* targets =
                     w.indices("targets", m.n, static_cast<std::int32_t>(m.d));
                 const Matrix logits = of(m, scale == 0 ? w.spent("logits", m.n, m.d, spread)
                                                        : w.inout("logits", m.n, m.d, 0, spread));
                 b.cross_entropy({targets, smoothing, scale, logits, scale == 0 ? Matrix() : logits,
                                  w.doubles("sums", 2)});
               }});
    cases.push_back(
        {"cross_entropy", text(m, " rounded"), [=](const Backend& b, Workspace& w) {
           const std::int32_t* targets = w.indices("targets", m.n, static_cast<std::int32_t>(m.d));
           const Matrix logits = of(m, w.spent("logits", m.n, m.d)),
                        rounded = w.out_rounded("rounded", m.n, m.d);
           b.cross_entropy({targets, 0.1f, 0.37f, logits, rounded, w.doubles("sums", 2)});
         }});
    for (const float scale : {0.0f, 0.37f})
      for (const bool rounded : {false, true})
        if (m.n % 2 == 0 && (scale != 0 || !rounded))
          cases.push_back(
              {"cross_entropy",
               text(m, scale == 0 ? " two views forward"
                       : rounded  ? " two views rounded"
                                  : " two views"),
               [=](const Backend& b, Workspace& w) {
                 const std::int32_t* targets = w.indices(
                     "targets", std::max<std::int64_t>(1, m.n / 2), static_cast<std::int32_t>(m.d));
                 const Matrix logits =
                     of(m, scale == 0 || rounded ? w.spent("logits", m.n, m.d, 2)
                                                 : w.inout("logits", m.n, m.d, 0, 2));
                 const Matrix to = rounded ? w.out_rounded("rounded", m.n, m.d) : logits;
                 b.cross_entropy({targets, 0.1f, scale, logits, to, w.doubles("sums", 2), 5});
               }});
    for (const int best : {1, 2, 8})
      for (const bool ties : {false, true})
        for (const int barred : {0, 1, 40})
          for (const int asked : {0, 3}) {
            const std::string more = " best " + std::to_string(best) + (ties ? " ties" : "") +
                                     " barred " + std::to_string(barred) + " asked " +
                                     std::to_string(asked);
            cases.push_back({"best_of", text(m, more), [=](const Backend& b, Workspace& w) {
                               const auto change = [ties](float x) {
                                 return ties ? std::round(x) : x;
                               };
                               BestOf k{m.n,
                                        m.d,
                                        nullptr,
                                        best,
                                        w.out("values", m.n, best),
                                        w.out_indices("indices", m.n, best)};
                               // The logits are spent if some are barred.
                               k.logits = barred > 0 ? w.spent("logits", m.n, m.d, 2)
                                                     : w.inout("logits", m.n, m.d, 0, 2, change);
                               k.barred = barred, k.asked = asked;
                               k.barred_at = w.copy(some(m.n * barred, m.d)),
                               k.asked_at = w.copy(some(m.n * asked, m.d));
                               if (asked > 0) k.asked_values = w.out("asked", m.n, asked);
                               b.best_of(k);
                             }});
          }
    for (const float spread : {1.0f, 30.0f})
      cases.push_back({"log_softmax", text(m, spread > 1 ? " spread" : ""),
                       [=](const Backend& b, Workspace& w) {
                         b.log_softmax({m.n, m.d, w.inout("logits", m.n, m.d, 0, spread)});
                       }});
  }
  return cases;
}

}  // namespace tt
