// Gradients of operations in arrangements that no model here has: columns of a matrix read by
// several attentions, or twice by one.
#include "nn/ops.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "nn/loss.h"
#include "tests/backends.h"
#include "tests/reference.h"

namespace tt {
namespace {

constexpr std::int64_t kRows = 6, kWide = 20, kHead = 4, kWords = 9;

// Two attentions over the columns of x W, W [2, 20], added and projected: `columns` gives the
// places of queries, keys and values of each.
struct Network {
  Params params;
  Param embeddings, w, table;
  struct Columns {
    std::int64_t q, k, v;
  };
  std::vector<Columns> attentions;

  explicit Network(std::vector<Columns> columns) : attentions(std::move(columns)) {
    embeddings = params.add("embeddings", kWords, 2, Init::normal, 1);
    w = params.add("w", 2, kWide, Init::normal, 1);
    table = params.add("table", kWords, kHead, Init::normal, 1);
  }

  double loss(Tape& tape, Gradients& gradients) const {
    static const std::vector<std::int32_t> tokens = {1, 2, 3, 4, 5, 6},
                                           targets = {2, 8, 0, 1, 3, 3}, places(kRows, 0);
    static const std::vector<Segment> segments = {{0, 4, 0, 4}, {4, 6, 4, 6}};
    const DeviceArray<double> sums(tape.backend(), 2);
    const DeviceArray<float> nowhere(tape.backend(), 2);
    tape.record_to(gradients, {});
    EmbedInputs in;
    in.rows = kRows;
    in.tokens = tape.upload(std::span(tokens));
    in.places = tape.upload(std::span(places));
    in.table = embeddings;
    in.positions = float32(nowhere.data(), 1, 2);
    Var x = linear(tape, embed(tape, in), w), sum = nullptr;
    for (const Columns& c : attentions) {
      AttentionInputs a;
      a.q = a.kv = x;
      a.q_column = c.q;
      a.k_column = c.k;
      a.v_column = c.v;
      a.segments = upload_segments(tape, segments);
      a.heads = 2;
      a.d_k = a.d_v = kHead / 2;
      a.scale = 0.5f;
      Var y = attention(tape, a);
      sum = sum ? add_dropout(tape, sum, y, 0) : y;
    }
    projected_loss(tape, sum, {table, {}},
                   {tape.upload(std::span(targets)), 0.1f, 0, 1, sums.data()});
    const double result = sums.download()[0];
    tape.backward();
    gradients.finish(tape.backend());
    return result;
  }
};

}  // namespace

// Loss and gradients of rows of random numbers, of `views` of which the pairs are, against those of
// all logits at once.
static void check_chunks(const Backend& backend, std::int64_t pairs, int views, double tolerance) {
  constexpr std::int64_t kWidth = 8, kPieces = 32;
  const std::int64_t n = pairs * views;
  const float agreement = views == 2 ? 5 : 0;
  Params params;
  const Param table = params.add("table", kPieces, kWidth, Init::normal, 1),
              rows = params.add("x", n, kWidth, Init::normal, 1);
  params.place(backend);
  params.draw(backend, 3);
  std::vector<std::int32_t> targets(static_cast<std::size_t>(pairs)),
      all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t r = 0; r < targets.size(); ++r)
    targets[r] = static_cast<std::int32_t>((r * 7 + r / 100) % kPieces);
  Gradients gradients(params, backend);
  Tape tape(backend, params);
  const DeviceArray<double> sums(backend, 2);
  const DeviceArray<float> nowhere(backend, kWidth);
  const std::vector<std::int32_t> places(static_cast<std::size_t>(n), 0);
  gradients.begin();
  tape.record_to(gradients, {});
  EmbedInputs in;
  in.rows = n;
  in.tokens = tape.upload(std::span<const std::int32_t>(all));
  in.places = tape.upload(std::span(places));
  in.table = rows;
  in.positions = float32(nowhere.data(), 1, kWidth);
  projected_loss(
      tape, embed(tape, in), {table, {}},
      {tape.upload(std::span<const std::int32_t>(targets)), 0.1f, agreement, 0.25f, sums.data()});
  tape.backward();
  gradients.finish(backend);

  const auto values = [&](int index, const float* from) {
    std::vector<float> x(static_cast<std::size_t>(params.at(index).size()));
    backend.download(x.data(), from, x.size() * sizeof(float));
    return std::vector<double>(x.begin(), x.end());
  };
  const std::vector<double> w = values(0, params.values() + params.at(0).offset),
                            x = values(1, params.values() + params.at(1).offset);
  std::vector<double> logits(static_cast<std::size_t>(n * kPieces)), d_w(w.size()), d_x(x.size());
  reference::product(false, true, n, kPieces, kWidth, x.data(), kWidth, w.data(), kWidth, false,
                     logits.data(), kPieces);
  double expected[2] = {};
  reference::cross_entropy(n, kPieces, targets.data(), 0.1, 0.25, logits.data(), expected,
                           agreement);
  reference::product(true, false, kPieces, kWidth, n, logits.data(), kPieces, x.data(), kWidth,
                     false, d_w.data(), kWidth);
  reference::product(false, false, n, kWidth, kPieces, logits.data(), kPieces, w.data(), kWidth,
                     false, d_x.data(), kWidth);
  const std::vector<double> found = sums.download();
  CHECK(found[0] == Approx(expected[0]).epsilon(tolerance));
  CHECK(found[1] == Approx(expected[1]).epsilon(tolerance));
  // The largest difference, of the largest element.
  const auto worst = [](const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference = std::max(difference, std::abs(a[i] - b[i]));
      largest = std::max(largest, std::abs(b[i]));
    }
    return difference / largest;
  };
  CHECK(worst(values(0, gradients.of(params.at(0))), d_w) < tolerance);
  CHECK(worst(values(1, gradients.of(params.at(1))), d_x) < tolerance);
}

// A chunk has 512 rows on the host, at most 8192 elsewhere.
TEST_CASE("more rows than a chunk of logits have the loss and the gradients of all at once") {
  const int views = GENERATE(1, 2), number = GENERATE(kCpu, kProtected, kCuda);
  check_chunks(test_backend(number), (number == kCpu ? 1400 : 8400) / views, views, 1e-5);
}

TEST_CASE(
    "more rows than a chunk of logits in bfloat16 have nearly the loss and the gradients of all at "
    "once") {
  const int views = GENERATE(1, 2);
  check_chunks(CudaBackend(0, Precision::bfloat16), 8400 / views, views, 0.03);
}

TEST_CASE("the pairs of which a query sees the key are counted") {
  const Params none;
  Tape tape(test_backend(kCpu), none);
  const std::vector<Segment> segments = {
      {0, 5, 0, 5}, {5, 8, 5, 14}, {8, 15, 14, 16}, {15, 15, 16, 18}};
  for (const std::int64_t window : {0, 1, 3, 20}) {
    double pairs = 0, seen = 0;
    for (const Segment& s : segments)
      for (std::int32_t i = 0; i < s.query_end - s.query_begin; ++i)
        for (std::int32_t j = 0; j < s.key_end - s.key_begin; ++j)
          ++pairs, seen += window == 0 || std::abs(i - j) <= window;
    const Segments all = upload_segments(tape, segments, window);
    INFO("window " << window);
    CHECK((all.window == window && all.pairs == pairs));
    CHECK(all.seen == seen);
  }
  // Causal, as self-attention is: as many keys as queries.
  const std::vector<Segment> one = {{0, 5, 0, 5}};
  CHECK(upload_segments(tape, one).causal_seen == 15);
  CHECK(upload_segments(tape, one, 2).causal_seen == 1 + 2 + 3 + 3 + 3);
}

TEST_CASE("gradients of columns read more than once are summed") {
  const Backend& backend = TT_EACH_BACKEND();
  const auto columns = GENERATE(
      std::vector<Network::Columns>{
          {0, 4, 8}, {12, 4, 8}},  // keys and values with two readers; four columns with none
      std::vector<Network::Columns>{{0, 4, 4}},             // keys that are the values
      std::vector<Network::Columns>{{0, 0, 0}, {4, 4, 4}},  // all three the same
      std::vector<Network::Columns>{{0, 4, 8}, {2, 6, 10}, {8, 16, 0}}
      // columns that overlap in part
  );
  Network network(columns);
  network.params.draw(backend, 5);
  Gradients gradients(network.params, backend), unused(network.params, backend);
  Tape tape(backend, network.params);
  network.loss(tape, gradients);
  CHECK(tape.arena().used() == 0);
  std::vector<float> gradient(2 * kWide), scratch;
  backend.download(gradient.data(), gradients.of(network.w), gradient.size() * sizeof(float));
  const float* from = network.params.view(network.w.index, scratch);
  std::vector<float> values(from, from + 2 * kWide);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float before = values[i];
    double side[2];
    for (const int sign : {0, 1}) {
      values[i] = before + (sign ? 0.01f : -0.01f);
      network.params.fill(network.w.index, values.data());
      side[sign] = network.loss(tape, unused);
    }
    values[i] = before;
    INFO("w[" << i << "]");
    CHECK(gradient[i] == Approx((side[1] - side[0]) / 0.02).epsilon(0.01).margin(0.002));
  }
}

}  // namespace tt
