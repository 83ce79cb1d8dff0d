// Guided alignment (Garg et al. 2019): one query at a time, with its scores for all keys of the
// segment in memory.
//
// The sum is that of fairseq's label_smoothed_cross_entropy_with_alignment, which is also added to
// the loss of the translation before that is divided by all target tokens. Marian's differs: it
// adds 1e-6 to each weight, links the ends of both sentences, too, and adds its weight times the
// number of links to the tokens that both losses are divided by.
#include <cmath>
#include <span>
#include <vector>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cpu/vec.h"

namespace tt {

using namespace vec;

// With A the weights and G the shares of the links, d score = A - G.
void CpuBackend::alignment_loss(const AlignmentLoss& a) const {
  TT_CHECK(a.q.is(ElementType::float32) && a.k.is(ElementType::float32));
  static thread_local std::vector<float> room;
  const std::int64_t width = a.q.columns;
  // to += factor x
  const auto add = [&](float factor, const float* x, float* to) {
    columns(width, [&](std::int64_t c, auto w) {
      store(to + c, multiply_add(splat(factor), load(x + c, w), load(to + c, w)), w);
    });
  };
  for (const Segment& s : std::span(a.segments.at, static_cast<std::size_t>(a.segments.count))) {
    const std::int64_t keys = s.key_end - s.key_begin;
    room.resize(static_cast<std::size_t>((keys + kWidth - 1) / kWidth * kWidth));
    float* const scores = room.data();
    for (std::int64_t t = s.query_begin; t < s.query_end; ++t) {
      const std::span links(a.linked + a.begins[t], a.linked + a.begins[t + 1]);
      if (links.empty()) continue;
      const float *q = a.q.floats() + t * a.q.stride, *k = a.k.floats() + s.key_begin * a.k.stride;
      for (std::int64_t j = 0; j < keys; ++j) {
        Floats dot = {};
        columns(width, [&](std::int64_t c, auto w) {
          dot = multiply_add(load(q + c, w), load(k + j * a.k.stride + c, w), dot);
        });
        scores[j] = a.scale * vec::sum(dot);
      }
      Floats top = splat(-INFINITY), mass = {};
      columns(keys, [&](std::int64_t c, auto w) {
        top = max(top, fill_after(load(scores + c, w), w, -INFINITY));
      });
      const float peak = largest(top);
      columns(keys, [&](std::int64_t c, auto w) {
        mass += fill_after(vec::exp(load(scores + c, w) - peak), w, 0);
      });
      const float log_sum = peak + std::log(vec::sum(mass)),
                  share = 1 / static_cast<float>(links.size());
      float mean = 0;
      for (const std::int32_t key : links) mean += share * scores[key - s.key_begin];
      if (a.sum) *a.sum += static_cast<double>(log_sum) - static_cast<double>(mean);
      if (a.gradient_scale == 0) continue;
      const float factor = a.scale * a.gradient_scale;
      columns(keys, [&](std::int64_t c, auto w) {
        store(scores + c, factor * vec::exp(load(scores + c, w) - log_sum), w);
      });
      for (const std::int32_t key : links) scores[key - s.key_begin] -= factor * share;
      float *d_q = a.d_q.floats() + t * a.q.stride,
            *d_k = a.d_k.floats() + s.key_begin * a.k.stride;
      for (std::int64_t j = 0; j < keys; ++j) {
        add(scores[j], k + j * a.k.stride, d_q);
        add(scores[j], q, d_k + j * a.k.stride);
      }
    }
  }
}

}  // namespace tt
