// The table of cases of what follows a gradient: sums, optimisers, averages.
#include "tests/unit/kernels_case.h"

namespace tt {
namespace {

Adam adam_of(std::int64_t size, float decay, bool nesterov, Workspace& w) {
  const float* g = w.in("gradient", 1, size);
  float *p = w.inout("parameters", 1, size), *m = w.inout("m", 1, size);
  float* v = w.inout("v", 1, size, 0, 1, [](float x) { return x * x; });
  Adam k{0.01f, 0.9f, 0.98f, 1e-9f, decay, 0.271f, 0.058808f, 0.5f, size, g, p, m, v};
  k.nesterov = nesterov;
  return k;
}

ScheduleFree schedule_free_of(std::int64_t size, float decay, float weight, Workspace& w) {
  const float* g = w.in("gradient", 1, size);
  float *y = w.inout("y", 1, size), *z = w.inout("z", 1, size), *x = w.inout("x", 1, size);
  float* v = w.inout("v", 1, size, 0, 1, [](float e) { return e * e; });
  return {0.01f, 0.9f, 0.98f, 1e-9f, decay, 0.058808f, 0.5f, weight, size, g, y, z, v, x};
}

}  // namespace

std::vector<Case> update_cases() {
  std::vector<Case> cases;
  for (const std::int64_t size : {0, 1, 7, 64, 2047, 2049, 5000, 2 * 65536 + 100}) {
    const std::int64_t chunks = (size + Reduce::kChunk - 1) / Reduce::kChunk;
    for (const int shards : {1, 2, 3, 4, 7})
      cases.push_back(
          {"reduce", std::to_string(size) + " of " + std::to_string(shards),
           [=](const Backend& b, Workspace& w) {
             std::vector<float*> gradients = {w.inout("g0", 1, size)};
             for (int s = 1; s < shards; ++s)
               gradients.push_back(w.spent("g" + std::to_string(s), 1, size));
             b.reduce({shards, w.copy(gradients), 0, size, w.out_doubles("squares", chunks)});
           }});
    for (const float weight : {1.0f, 0.01f})
      cases.push_back({"moving_average", std::to_string(size) + (weight == 1 ? " copy" : ""),
                       [=](const Backend& b, Workspace& w) {
                         const float* x = w.in("x", 1, size);
                         b.moving_average({size, weight, x, w.inout("average", 1, size)});
                       }});
    for (const float decay : {0.0f, 0.01f})
      for (const bool nesterov : {false, true})
        cases.push_back(
            {"adam",
             std::to_string(size) + (decay > 0 ? " decay" : "") + (nesterov ? " nesterov" : ""),
             [=](const Backend& b, Workspace& w) { b.adam(adam_of(size, decay, nesterov, w)); }});
    for (const float decay : {0.0f, 0.01f})
      for (const float weight : {1.0f, 0.2f})
        cases.push_back(
            {"schedule_free",
             std::to_string(size) + (decay > 0 ? " decay" : "") + (weight == 1 ? " first" : ""),
             [=](const Backend& b, Workspace& w) {
               b.schedule_free(schedule_free_of(size, decay, weight, w));
             }});
  }
  // A part of the gradients: the rest stays as it is.
  cases.push_back(
      {"reduce", "the second chunk", [](const Backend& b, Workspace& w) {
         constexpr std::int64_t kSize = 2 * Reduce::kChunk;
         const std::vector<float*> gradients = {w.inout("g0", 1, kSize), w.spent("g1", 1, kSize)};
         double* squares = w.out_doubles("squares", 1);
         b.reduce({2, w.copy(gradients), Reduce::kChunk, kSize, squares - 1});
       }});
  for (const std::int64_t size : {8, 48, 5000})
    cases.push_back(
        {"adam", std::to_string(size) + " rounded", [=](const Backend& b, Workspace& w) {
           Adam k = adam_of(size, 0, false, w);
           k.copy = w.out_rounded("rounded", 1, size);
           b.adam(k);
         }});
  for (const std::int64_t size : {8, 48, 5000})
    cases.push_back(
        {"schedule_free", std::to_string(size) + " rounded", [=](const Backend& b, Workspace& w) {
           ScheduleFree k = schedule_free_of(size, 0.01f, 0.2f, w);
           k.copy = w.out_rounded("rounded", 1, size);
           b.schedule_free(k);
         }});
  return cases;
}

}  // namespace tt
