// Traces: every number once more by the naive forward pass, the file back and forth, and what
// search reports.
#include "trace/trace.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/random.h"
#include "cpu/cpu.h"
#include "decode/search.h"
#include "tests/catch.h"
#include "tests/naive_lstm.h"
#include "tests/naive_parameters.h"
#include "tests/toy_search.h"
#include "tests/unit/text_fixture.h"
#include "trace/beam.h"
#include "trace/forward.h"

namespace tt {
namespace {

constexpr int kPieces = 600;  // more than one stretch of logits
constexpr int kWide = 500;    // of heads whose products have too many terms for a trace

Config small() {
  Config c;
  c.encoder_layers = 2, c.decoder_layers = 2;
  c.d_model = 12, c.d_ff = 20, c.heads = 3;
  c.source_vocab = c.target_vocab = kPieces;
  return c;
}

Config lstm(AttentionKind attention) {
  Config c = small();
  c.type = ModelType::lstm, c.attention = attention;
  c.d_ff = Config().d_ff, c.heads = Config().heads;
  return c;
}

std::map<std::string, Config> kinds() {
  std::map<std::string, Config> all;
  all["post-norm"] = small();
  all["pre-norm"] = small();
  all["pre-norm"].norm = NormPlace::pre;
  all["final norm behind post-norm"] = small();
  all["final norm behind post-norm"].final_norm = FinalNorm::yes;
  all["RMS norm"] = all["RMS norm, pre-norm"] = small();
  all["RMS norm"].norm_type = all["RMS norm, pre-norm"].norm_type = NormType::rms;
  all["RMS norm, pre-norm"].norm = NormPlace::pre;
  all["learned positions"] = small();
  all["learned positions"].positions = PositionKind::learned;
  Config& none = all["no positions, one table each"] = small();
  none.positions = PositionKind::none, none.embeddings = EmbeddingTies::none;
  none.scale_embeddings = false;
  Config& marian = all["Marian's positions, zeros as the first input"] = small();
  marian.position_layout = PositionLayout::tensor2tensor, marian.first_position = 2;
  marian.start = StartSymbol::zero, marian.output_bias = marian.attention_bias = true;
  Config& window = all["a window, other sizes of heads"] = small();
  window.window = 2, window.d_k = 5, window.d_v = 3;
  window.position_layout = PositionLayout::concatenated;
  all["dot scores"] = all["additive scores"] = small();
  all["dot scores"].scores = Scores::dot;
  all["additive scores"].scores = Scores::additive;
  Config& ssru = all["SSRU, two hidden layers"] = small();
  ssru.decoder_self = DecoderSelf::ssru, ssru.ffn_layers = 2;
  Config& wide = all["wide heads"] = small();
  wide.d_k = wide.d_v = kWide;
  for (const Activation kind :
       {Activation::gelu, Activation::swish, Activation::gelu_logistic, Activation::gelu_erf}) {
    Config& c = all["activation " + std::to_string(static_cast<int>(kind))] = small();
    c.activation = kind;
  }
  Config& t5 = all["T5: distances, a gate, no biases, scaled output"] = small();
  t5.norm = NormPlace::pre, t5.norm_type = NormType::rms, t5.scores = Scores::dot;
  t5.positions = PositionKind::relative, t5.position_buckets = 6, t5.position_distance = 4;
  t5.ffn_gate = t5.scale_output = true, t5.ffn_bias = t5.scale_embeddings = false;
  t5.activation = Activation::gelu, t5.d_k = t5.d_v = 5;
  Config& gated = all["a gate with biases in two hidden layers, distances in a window"] = small();
  gated.ffn_gate = true, gated.ffn_layers = 2, gated.embeddings = EmbeddingTies::inputs;
  gated.positions = PositionKind::relative, gated.window = 2, gated.final_norm = FinalNorm::yes;
  all["LSTM without attention"] = lstm(AttentionKind::none);
  all["LSTM, dot"] = lstm(AttentionKind::dot);
  Config& general = all["LSTM, general, both directions"] = lstm(AttentionKind::general);
  general.bidirectional = true, general.decoder_layers = 3;
  Config& concat = all["LSTM, concat, input feeding"] = lstm(AttentionKind::concat);
  concat.input_feeding = true;
  Config& fed = all["LSTM, dot, input feeding, few layers"] = lstm(AttentionKind::dot);
  fed.input_feeding = true, fed.decoder_layers = 1;
  return all;
}

// A model whose biases and gains are not 0 and 1.
std::unique_ptr<Model> drawn(const Config& config, const Backend& backend) {
  auto model = make_model(config);
  Params& params = model->params();
  params.draw(backend, 5);
  Random noise(7);
  for (int i = 0; i < params.number(); ++i) {
    std::vector<float> scratch;
    const float* from = params.view(i, scratch);
    std::vector<float> values(from, from + params.at(i).size());
    for (float& x : values) x += 0.1f * noise.normal();
    params.fill(i, values.data());
  }
  return model;
}

bool close(double a, double b) {
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b));
}

// The numbers of x that a trace names for each number of x W are those that contribute most to it.
void compare_terms(const TraceMatrix& units, const TraceMatrix& factors,
                   const NaiveForward& naive) {
  const std::string name = units.name.substr(0, units.name.rfind('.'));
  const NaiveForward::Rows &w = naive.p.at(name), &x = naive.factors.at(name);
  REQUIRE(units.blocks == 4);
  REQUIRE(factors.values.size() == units.values.size());
  std::size_t at = 0, wrong = 0;
  for (std::int64_t b = 0; b < units.blocks; ++b)
    for (const auto& row : x)
      for (std::size_t c = 0; c < w[0].size(); ++c, ++at) {
        const auto unit = static_cast<std::size_t>(units.values[at]) - 1;
        REQUIRE(unit < w.size());
        wrong += !close(static_cast<double>(factors.values[at]), w[unit][c]);
        std::int64_t larger = 0;
        for (std::size_t k = 0; k < w.size(); ++k)
          larger += std::abs(row[k] * w[k][c]) > std::abs(row[unit] * w[unit][c]) + 1e-6;
        wrong += larger > b;
      }
  CHECK(wrong == 0);
}

// Each matrix of the one is in the other, and each number.
void compare(const Trace& trace, const NaiveForward& naive) {
  std::set<std::string> names;
  for (const TraceMatrix& m : trace.matrices) {
    INFO(m.name);
    if (m.name.ends_with(".factors")) continue;
    if (m.name.ends_with(".units") && !naive.made.contains(m.name)) {
      const auto* factors = trace.find(m.name.substr(0, m.name.size() - 5) + "factors");
      REQUIRE(factors);
      compare_terms(m, *factors, naive);
      continue;
    }
    CHECK(names.insert(m.name).second);
    const auto found = naive.made.find(m.name);
    REQUIRE(found != naive.made.end());
    const NaiveForward::Rows& rows = found->second;
    REQUIRE(static_cast<std::int64_t>(rows.size()) == m.blocks * m.rows);
    std::size_t at = 0, wrong = 0;
    for (const auto& row : rows) {
      REQUIRE(static_cast<std::int64_t>(row.size()) == m.columns);
      for (const double x : row) wrong += !close(static_cast<double>(m.values[at++]), x);
    }
    CHECK(wrong == 0);
  }
  for (const auto& made : naive.made) {
    INFO(made.first);
    CHECK(names.count(made.first) == 1);
  }
  // Every product whose cells open has its terms, while they are few; feed-forward layers always.
  std::int64_t terms = 0;
  for (const auto& product : naive.factors) {
    const std::string& name = product.first;
    INFO(name);
    const auto* units = trace.find(name + ".units");
    const bool feed = name.ends_with(".ffn.out"), large = naive.c.d_k == kWide;
    if (units && !feed) terms += 2 * units->size();
    const bool opens = name.ends_with("kv") || name.ends_with(".cross.q") ||
                       name.ends_with(".self.out") || name.ends_with(".cross.out") ||
                       name.ends_with(".self.gates") || name.ends_with(".ffn.in");
    CHECK((units || (large && !feed)) == (opens || feed));
  }
  CHECK(terms <= 1 << 20);
  CHECK((terms > 0) == (naive.c.type == ModelType::transformer));
}

void compare_output(const Trace& trace, const NaiveForward::Rows& x, const NaiveForward& naive,
                    const std::vector<int>& target) {
  const auto table = naive.p.find("output") != naive.p.end() ? naive.p.at("output")
                     : naive.p.find("embeddings") != naive.p.end()
                         ? naive.p.at("embeddings")
                         : naive.p.at("decoder.embeddings");
  REQUIRE(trace.best.size() == x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> logits;
    double sum = 0;
    for (std::size_t v = 0; v < table.size(); ++v) {
      double logit = naive.p.count("output_bias") ? naive.p.at("output_bias")[0][v] : 0;
      for (std::size_t d = 0; d < x[i].size(); ++d) logit += x[i][d] * table[v][d];
      logits.push_back(logit), sum += std::exp(logit);
    }
    const TraceBest& best = trace.best[i];
    double mean = -std::log(sum);
    for (const double logit : logits) mean += logit / static_cast<double>(logits.size());
    CHECK(close(best.mean, mean));
    for (std::size_t b = 0; b < best.pieces.size(); ++b) {
      const double logit = logits[static_cast<std::size_t>(std::stoi(best.pieces[b]))];
      CHECK(close(static_cast<double>(best.logits[b]), logit));
      CHECK(close(static_cast<double>(best.log_probabilities[b]), logit - std::log(sum)));
    }
    CHECK(static_cast<double>(best.logits[0]) == Approx(*std::ranges::max_element(logits)));
    const double gold = logits[static_cast<std::size_t>(target[i])] - std::log(sum);
    CHECK(close(static_cast<double>(trace.log_probabilities[i]), gold));
  }
}

}  // namespace

TEST_CASE("every number of a trace is what plain loops compute") {
  const CpuBackend backend;
  const std::vector<std::int32_t> source{7, 300, 599, 4, 2}, target{41, 5, 512, 9, 77, 3, 2};
  const std::vector<int> input{1, 41, 5, 512, 9, 77, 3};
  for (const auto& [name, config] : kinds())
    for (const bool frozen : {false, true}) {
      INFO(name << (frozen ? ", packed" : ""));
      check_config(config, "test");
      const auto model = drawn(config, backend);
      const auto p = parameters(*model);
      if (frozen) model->params().freeze();
      Trace trace;
      read_once(*model, backend, source, target, 1, nullptr, trace);
      NaiveLstm naive{{config, p}};
      const auto x = config.type == ModelType::lstm ? naive.lstm(source, input)
                                                    : naive.transformer(source, input);
      compare(trace, naive);
      compare_output(trace, x, naive, target);
    }
}

namespace {

// Any numbers and texts that a trace may have.
Trace some_trace() {
  Trace trace;
  trace.line = 7, trace.model = "a \"model\".tt";
  trace.text = "</script> & \"quotes\" \\ \t", trace.translation = "訳";
  trace.source = {"a", "</s>"}, trace.input = {"<s>", "x"}, trace.target = {"x", "</s>"};
  trace.log_probabilities = {-0.1f, -1e-9f};
  trace.config = small();
  trace.beam = {
      {1,
       1,
       {{0, "x", -0.25, -0.25, CandidateFate::lives},
        {0, "</s>", -2, -2, CandidateFate::ends, -1.5}},
       Outcome::goes_on},
      {2,
       1,
       {{0, "y", -3, -3.25, CandidateFate::dropped}, {0, "z", 0, 0, CandidateFate::barred}},
       Outcome::limit}};
  trace.best = {{{"x", "y"}, {3, -0.1f}, {-0.04f, -3.14f}, -7.5}, {{"</s>"}, {1}, {-1e-9f}}};
  trace.matrices = {{"encoder.input", 1, 2, 3, {1, -2.5f, 1e-30f, 0, 1 / 3.f, 123456.789f}},
                    {"decoder.1.self.scores", 2, 1, 2, {1, -INFINITY, 2, -INFINITY}}};
  return trace;
}

std::string written(const Trace& trace, const Scratch& scratch) {
  Output out(scratch.path("t.jsonl"));
  write_trace(out, trace);
  out.close();
  return read_file(scratch.path("t.jsonl"));
}

std::string refusal(const std::string& text, const Scratch& scratch) {
  LineReader in(scratch.file("bad.jsonl", text));
  try {
    Trace trace;
    while (read_trace(in, trace)) {
    }
  } catch (const Error& error) {
    const std::string found = error.what();
    CHECK(found.find('\n') == std::string::npos);
    return found.substr(found.find("bad.jsonl"));
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a trace is read as it was written") {
  const Scratch scratch;
  for (const bool summarised : {false, true}) {
    Trace trace = some_trace();
    trace.summarised = summarised;
    for (TraceMatrix& m : trace.matrices) m.summarise();
    const std::string text = written(trace, scratch);
    LineReader in(scratch.path("t.jsonl"));
    Trace read;
    REQUIRE(read_trace(in, read));
    CHECK(written(read, scratch) == text);
    CHECK(read.text == trace.text);
    CHECK(same_model(read.config, trace.config).empty());
    CHECK(read.beam[1].candidates[1].fate == CandidateFate::barred);
    if (!summarised) CHECK(read.matrices[0].values == trace.matrices[0].values);
    CHECK(read.matrices[1].largest == 2);
    CHECK(!read_trace(in, read));
  }
}

TEST_CASE("rows of a trace have the pieces that they belong to") {
  Trace trace = some_trace();
  trace.source = {"a"};
  CHECK(row_pieces(trace, {"encoder.1.self.qkv.units", 4, 1, 6, {}}) == trace.source);
  CHECK(row_pieces(trace, {"decoder.cross.kv.units", 4, 1, 4, {}}) == trace.source);
  CHECK(row_pieces(trace, {"decoder.1.cross.q.units", 4, 2, 2, {}}) == trace.input);
}

TEST_CASE("what is no trace is refused in one line") {
  const Scratch scratch;
  const std::string good = written(some_trace(), scratch), two = good + good;
  CHECK(refusal(two, scratch).empty());
  // Cut behind any byte, the file is a shorter one of whole traces, if without its last LF, or
  // refused.
  const auto whole = [&](std::size_t n) {
    return n % good.size() == 0 || (n + 1) % good.size() == 0;
  };
  for (std::size_t n = 1; n < two.size(); n += 7) {
    INFO(n);
    CHECK(refusal(two.substr(0, n), scratch).empty() == whole(n));
  }
  CHECK_THAT(refusal(good.substr(0, good.rfind("{\"matrix")), scratch),
             Contains("bad.jsonl: is cut off: of the trace of line 7 it has 5 of 6 records"));
  CHECK_THAT(refusal(good.substr(0, good.size() - 5), scratch),
             Contains("bad.jsonl:7: is not JSON"));
  CHECK_THAT(refusal("{\"line\":1,\"source\":[]}\n", scratch),
             Contains("bad.jsonl:1: is no trace"));
  CHECK_THAT(refusal("[1]", scratch), Contains("is no JSON object"));
  CHECK_THAT(refusal("\n", scratch), Contains("is not JSON"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    return refusal(replaced(good, from, to), scratch);
  };
  CHECK_THAT(changed("\"trace\":1", "\"trace\":2"), Contains("is a trace of version \"2\""));
  CHECK_THAT(changed("\"rows\":2", "\"rows\":3"), Contains("has 6 numbers instead of 9"));
  CHECK_THAT(changed("\"rows\":2", "\"rows\":-2"), Contains("\"rows\""));
  CHECK_THAT(changed("\"rows\":2,\"columns\":3", "\"rows\":16777216,\"columns\":17"),
             Contains("too large"));
  CHECK_THAT(changed("\"rows\":2", "\"rows\":99999999999999999999"), Contains("\"rows\""));
  CHECK_THAT(changed("[1,-2.5", "[\"1\",-2.5"), Contains("no number"));
  CHECK_THAT(changed("[1,-2.5", "[1e300,-2.5"), Contains("too large"));
  CHECK_THAT(changed("\"from\":0,\"piece\":\"y\"", "\"from\":1,\"piece\":\"y\""),
             Contains("\"from\""));
  CHECK_THAT(changed("\"fate\":\"barred\"", "\"fate\":\"lost\""), Contains("\"fate\""));
  CHECK_THAT(changed("\"input\":[\"<s>\",\"x\"]", "\"input\":[\"<s>\"]"),
             Contains("\"input\" has 1"));
  CHECK_THAT(changed("\"best\":1", "\"worst\":1"), Contains("none of a trace's records"));
  CHECK_THAT(changed("\"heads\":3", "\"heads\":\"x\""), Contains("heads"));
  CHECK_THAT(changed("{\"best\":2,\"pieces\":[\"</"
                     "s>\"],\"logits\":[1],\"log_probabilities\":[-1e-09],\"mean\":0}\n",
                     ""),
             Contains("is cut off"));
}

namespace {

// Follows the hypotheses of one sentence as they are reported.
struct Follower : SearchObserver {
  std::vector<LiveHypothesis> live{1};
  std::vector<Hypothesis> ended;
  std::size_t steps = 0, most = 0;
  Outcome outcome = Outcome::goes_on;

  void step(const SearchStep& step) override {
    REQUIRE(step.rows.size() == live.size());
    REQUIRE(step.demands.size() == live.size());
    CHECK(outcome == Outcome::goes_on);
    std::vector<LiveHypothesis> next;
    std::size_t ends = 0;
    for (const Extension& c : step.chosen) {
      LiveHypothesis h = live[c.row];
      h.hypothesis.append(c.piece, c.log_probability, kEos);
      if (c.piece != kEos) next.push_back(h);
      else CHECK(step.ended[ends++].tokens == h.hypothesis.tokens);
    }
    ended.insert(ended.end(), step.ended.begin(), step.ended.end());
    live = std::move(next), outcome = step.outcome;
    most = std::max(most, live.size()), ++steps;
  }
};

}  // namespace

TEST_CASE("search reports each step, and what it has found at the end") {
  for (const int beam : {1, 2, 4})
    for (const float eos_bias : {-9.0f, 0.0f, 2.0f})
      for (const bool full : {false, true}) {
        Follower follower;
        SearchOptions options;
        options.beam = options.best = beam;
        options.stop_when_full = full;
        options.observer = &follower;
        ToyState state(1, eos_bias);
        SearchRequest request;
        request.limit = 5;
        const auto found = search(state, std::span(&request, 1), kBos, kEos, options)[0];
        CHECK(static_cast<int>(follower.steps) == state.steps);
        CHECK(follower.outcome != Outcome::goes_on);
        CHECK(follower.most <= static_cast<std::size_t>(beam));
        CHECK((follower.outcome == Outcome::limit) == (follower.steps == 5));
        std::ranges::stable_sort(follower.ended, std::greater<>(), &Hypothesis::score);
        REQUIRE(follower.ended.size() >= found.size());
        for (std::size_t i = 0; i < found.size(); ++i)
          CHECK(follower.ended[i].tokens == found[i].tokens);
      }
}

}  // namespace tt
