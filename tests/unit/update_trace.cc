// The update that tt-train --trace follows: its gradient by differences of the loss that plain
// loops compute, and the step of Adam as section 5.3 has it.
#include "train/update_trace.h"

#include <cmath>
#include <map>

#include "cpu/cpu.h"
#include "tests/catch.h"
#include "tests/naive_parameters.h"
#include "tests/unit/train_fixture.h"

namespace tt {
namespace {

std::vector<int> slice(const Sequences& side, std::size_t b) {
  return {side.tokens.begin() + side.offsets[b], side.tokens.begin() + side.offsets[b + 1]};
}

// The mean smoothed loss of the pieces of a batch.
double loss_of(const Config& config, const std::map<std::string, NaiveForward::Rows>& p,
               const Batch& batch) {
  double loss = 0, pieces = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch.size()); ++b) {
    NaiveForward naive{config, p};
    const auto x = naive.transformer(slice(batch.source, b), slice(batch.target_in, b));
    const std::vector<int> target = slice(batch.target_out, b);
    const NaiveForward::Rows& table = p.at("embeddings");
    for (std::size_t i = 0; i < x.size(); ++i) {
      double sum = 0, mean = 0, right = 0;
      for (std::size_t v = 0; v < table.size(); ++v) {
        double logit = 0;
        for (std::size_t d = 0; d < x[i].size(); ++d) logit += x[i][d] * table[v][d];
        sum += std::exp(logit), mean += logit / static_cast<double>(table.size());
        if (static_cast<int>(v) == target[i]) right = logit;
      }
      const double e = config.label_smoothing;
      loss += std::log(sum) - (1 - e) * right - e * mean, ++pieces;
    }
  }
  return loss / pieces;
}

}  // namespace

TEST_CASE("an update that is followed is what plain loops compute") {
  const Workplace place;
  const SubwordPair subwords{Subword::load(place.path("subword.model")),
                             Subword::load(place.path("subword.model"))};
  const ParallelCorpus all = read_parallel(place.path("train.a"), place.path("train.b"),
                                           subwords.source, subwords.target, {});
  const bool clipped = GENERATE(false, true);
  Config config = quick_config();
  config.source_vocab = config.target_vocab = subwords.source.size();
  config.dropout = config.attention_dropout = 0;
  config.shards = 1, config.clip = clipped ? 0.01 : 0, config.weight_decay = 0;
  const CpuBackend backend;
  const auto model = make_model(config);
  model->params().draw(backend, config.seed);
  ThreadPool pool(1);
  Updater updater(*model, backend, pool);
  const std::vector<std::int64_t> some{3, 14, 15};
  const Batch batch = make_batch(all, some, subwords.target.bos());
  for (const int update : {1, 2}) updater.update(update, std::span(&batch, 1));
  auto p = parameters(*model);
  UpdateTrace trace(*model, updater, backend, subwords);
  updater.start(3, std::span(&batch, 1));
  trace.before(3, std::span(&batch, 1));
  trace.after(updater.finish(), place.folder);

  LineReader in(place.path("trace-3.jsonl"));
  Trace read;
  REQUIRE(read_trace(in, read));
  REQUIRE(read.update);
  const TraceUpdate& u = *read.update;
  CHECK(u.update == 3);
  CHECK(u.tokens == batch.target_out.rows());
  CHECK(u.parameter == "decoder.1.cross.q");
  CHECK(read.source.size() == slice(batch.source, 0).size());
  const TraceMatrix& gradient = *read.find("gradient");
  CHECK(gradient.columns == config.key_size());
  for (const std::int64_t at : {(u.row - 1) * gradient.columns + u.column - 1, std::int64_t{0},
                                std::int64_t{17}, gradient.size() - 1}) {
    double& weight = p.at(u.parameter)[static_cast<std::size_t>(at / gradient.columns)]
                                      [static_cast<std::size_t>(at % gradient.columns)];
    const double before = weight, h = 1e-4;
    weight = before + h;
    const double more = loss_of(config, p, batch);
    weight = before - h;
    const double less = loss_of(config, p, batch);
    weight = before;
    CHECK(static_cast<double>(gradient.values[static_cast<std::size_t>(at)]) ==
          Approx((more - less) / (2 * h)).epsilon(1e-3).margin(1e-6));
  }
  CHECK(std::abs(u.gradient) == Approx(std::max(-gradient.least, gradient.largest)).epsilon(1e-6));
  CHECK((u.scale < 1) == clipped);
  if (clipped) CHECK(u.scale * u.norm == Approx(config.clip));
  const double warmup = config.warmup;
  CHECK(u.rate == Approx(config.rate
                             ? *config.rate * 3 / warmup
                             : std::pow(config.d_model, -0.5) * 3 * std::pow(warmup, -1.5)));
  const double g = u.gradient * u.scale;
  CHECK(u.first == Approx(0.9 * u.first_before + 0.1 * g).epsilon(1e-5));
  CHECK(u.square == Approx(0.98 * u.square_before + 0.02 * g * g).epsilon(1e-5));
  const double mean = u.first / (1 - std::pow(0.9, 3)), square = u.square / (1 - std::pow(0.98, 3));
  CHECK(u.after == Approx(u.before - u.rate * mean / (std::sqrt(square) + 1e-9)).epsilon(1e-5));
  CHECK(u.before == Approx(p.at(u.parameter)[static_cast<std::size_t>(u.row - 1)]
                                            [static_cast<std::size_t>(u.column - 1)]));
}

}  // namespace tt
