// Models of COMET score here as they score there: tests/golden/comet has small checkpoints that
// unbabel-comet has written, and its scores.
#include "exchange/comet.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "comet/metric.h"
#include "comet/scorer.h"
#include "exchange/marian_file.h"
#include "metrics/segments.h"
#include "nn/device.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string golden(const std::string& name) {
  const char* root = std::getenv("TT_ROOT");
  return std::string(root ? root : ".") + "/tests/golden/comet/" + name;
}

// A copy of a golden folder, to be spoilt.
std::string copy_of(const std::string& name, const Scratch& scratch) {
  fs::copy(golden(name), scratch.path(name), fs::copy_options::recursive);
  return scratch.path(name);
}

std::string imported(const std::string& folder, const Scratch& scratch) {
  const std::string path = scratch.path("comet.tt");
  write_comet(read_comet({folder, {}, "", "", {}}), path, "test");
  return path;
}

struct Texts {
  std::vector<std::string> source = read_lines(golden("src")),
                           translation = read_lines(golden("mt")),
                           reference = read_lines(golden("ref"));
  std::vector<CometSegment> segments() const {
    std::vector<CometSegment> all;
    for (std::size_t i = 0; i < source.size(); ++i)
      all.push_back({source[i], translation[i], reference[i]});
    return all;
  }
};

std::vector<double> scores_of(const std::string& model, const std::vector<CometSegment>& segments,
                              bool with_reference, int threads = 1,
                              WeightForm form = WeightForm::float32,
                              const char* precision = "float32") {
  const auto backend = open_backend({"cpu", precision});
  CometScorer scorer(model, *backend, form, with_reference);
  ThreadPool pool(threads);
  return scorer.score(segments, pool);
}

}  // namespace

TEST_CASE("scores of COMET are those of unbabel-comet", "[comet]") {
  const auto* const name = GENERATE("regression", "unified", "unified without reference",
                                    "referenceless without reference");
  INFO(name);
  const std::string model = std::string(name).substr(0, std::string(name).find(' '));
  const bool with_reference = model == name;
  const json expected = json::parse(read_file(golden("expected.json")))["scores"][name];
  const Scratch scratch;
  const std::string path = imported(golden(model), scratch);
  const Texts texts;
  const auto segments = texts.segments();
  const std::vector<double> scores = scores_of(path, segments, with_reference);
  REQUIRE(scores.size() == expected.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    INFO("segment " << i + 1);
    CHECK(scores[i] == Approx(expected[i].get<double>()).margin(2e-6).epsilon(0));
  }

  // A score depends on its segment alone, to the last bit.
  CHECK(scores_of(path, segments, with_reference, 3) == scores);
  for (std::size_t i = 0; i < scores.size(); i += 5)
    CHECK(scores_of(path, {segments[i]}, with_reference)[0] == scores[i]);
  const auto backend = open_backend({});
  CometScorer scorer(path, *backend, WeightForm::float32, with_reference);
  ThreadPool pool(2);
  CHECK(scorer.score(segments, pool) == scores);
  CHECK(scorer.score(segments, pool) == scores);  // of embeddings that were kept
  CHECK(scorer.score({}, pool).empty());

  // Rounded factors move scores a little, and so do eight bits.
  const auto rounded =
                 scores_of(path, segments, with_reference, 2, WeightForm::float32, "bfloat16"),
             eight = scores_of(path, segments, with_reference, 1, WeightForm::int8);
  CHECK(rounded != scores);
  CHECK(eight != scores);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CHECK(rounded[i] == Approx(scores[i]).margin(0.02).epsilon(0));
    CHECK(eight[i] == Approx(scores[i]).margin(0.05).epsilon(0));
  }
  CHECK(scores_of(path, {segments[4]}, with_reference, 1, WeightForm::float32, "bfloat16")[0] ==
        rounded[4]);
}

TEST_CASE("scores of models of Marian are those of pymarian", "[comet]") {
  const auto* const name = GENERATE("comet-qe", "comet", "comet-unified");
  INFO(name);
  const json expected = json::parse(read_file(golden("marian/expected.json")))["scores"][name];
  const Scratch scratch;
  const std::string path = scratch.path("marian.tt"),
                    model = golden("marian/" + std::string(name) + ".npz"),
                    subword = golden("regression/sentencepiece.bpe.model");
  REQUIRE(is_comet(model));
  const PortableComet portable = read_comet({model, {}, subword, "", {}});
  CHECK(portable.comet.name == name);
  CHECK(portable.losses.empty());
  write_comet(portable, path, "test");
  const Texts texts;
  const auto segments = texts.segments();
  const std::vector<double> scores = scores_of(path, segments, true);
  REQUIRE(scores.size() == expected.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    INFO("segment " << i + 1);
    CHECK(scores[i] == Approx(expected[i].get<double>()).margin(2e-6).epsilon(0));
  }
  // As an option of the vocabulary, and where the files of a download lie.
  const std::string folder = scratch.path("cometoid22-wmt23");
  fs::create_directories(folder + "/checkpoints");
  fs::copy(model, folder + "/checkpoints/marian.model.bin");
  CHECK_THAT(error_of([&] { read_comet({folder, {}, "", "", {}}); }), Contains("vocab.spm"));
  fs::copy(subword, folder + "/vocab.spm");
  REQUIRE(is_comet(folder));
  const PortableComet other = read_comet({folder, {}, "", "", {}});
  CHECK(other.comet.name == "cometoid22-wmt23");
  CHECK(other.parameters.at("estimator.1").values == portable.parameters.at("estimator.1").values);
  CHECK(read_comet({model, {subword}, "", "", {}}).source == portable.source);
  CHECK_THAT(error_of([&] { read_comet({model, {subword}, subword, "", {}}); }), Contains("omit"));
}

TEST_CASE("models of Marian that cannot be imported are refused in a line", "[comet]") {
  const Scratch scratch;
  const std::string path = scratch.path("model.npz"),
                    subword = golden("regression/sentencepiece.bpe.model");
  const MarianFile file = read_marian_file(golden("marian/comet-unified.npz"));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string options = file.options;
    options.replace(options.find(from), from.size(), to);
    AtomicFile out(path, AtomicFile::Content::binary);
    MarianWriter writer(out);
    writer.add("Wemb", {2, 2}, {1, 2, 3, 4});
    writer.finish(options);
    out.commit();
    REQUIRE(is_comet(path));
    return error_of([&] { read_comet({path, {}, subword, "", {}}); });
  };
  CHECK_THAT(with("type: comet-unified", "type: bleurt"), Contains("its type is \"bleurt\""));
  CHECK_THAT(with("type: comet-unified", "type: comet-xl"), Contains("its type is \"comet-xl\""));
  CHECK_THAT(with("transformer-preprocess: ''", "transformer-preprocess: n"),
             Contains("\"transformer-preprocess: n\" cannot be imported"));
  CHECK_THAT(with("comet-pool: cls", "comet-pool: max"), Contains("\"comet-pool: max\""));
  CHECK_THAT(with("input-join-fields: true", "input-join-fields: false"), Contains("join-fields"));
  CHECK_THAT(with("- 1\n- 0", "- 0\n- 1"), Contains("input-reorder"));
  CHECK_THAT(with("transformer-heads: 2", "transformer-heads: 3"), Contains("qProj"));
  CHECK_FALSE(is_comet(golden("marian/expected.json")));
}

TEST_CASE("texts that repeat are encoded once", "[comet]") {
  const Scratch scratch;
  const auto backend = open_backend({});
  const CometFile comet(imported(golden("regression"), scratch), *backend, WeightForm::float32);
  Workers workers(*backend, comet.model().params(), 1);
  ThreadPool pool(1);
  const Texts texts;
  CometEmbeddings embeddings(comet);
  // Operations to encode what was not before.
  const auto encode = [&](const std::vector<std::string>& lines) {
    workers[0].meter.reset();
    for (const std::string& line : lines) embeddings.number(line);
    embeddings.encode(pool, workers);
    return workers[0].meter.flops();
  };
  const std::vector<std::string>& lines = texts.translation;
  std::vector<std::string> twice = lines;
  twice.insert(twice.end(), lines.begin(), lines.end());
  const double once = encode(lines);
  CHECK(once > 0);
  CHECK(encode(twice) == 0);
  CHECK(encode(texts.reference) > 0);
  embeddings.clear();
  CHECK(encode(twice) == once);
  const std::set<std::string> different(lines.begin(), lines.end());
  CHECK(embeddings.bytes() == different.size() * 8 * sizeof(float));
}

TEST_CASE("a row of COMET adds up to the mean", "[comet]") {
  const Scratch scratch;
  CometChoice choice;
  choice.model = imported(golden("regression"), scratch);
  const auto metric = make_comet_metric(choice);
  const Texts texts;
  metrics::SegmentBlock block;
  block.size = texts.source.size();
  block.hypotheses = {texts.translation, texts.reference};
  block.sources = texts.source;
  for (const std::string& reference : texts.reference) block.references.push_back({reference});
  ThreadPool pool(2);
  std::vector<std::vector<std::int32_t>> rows(
      2, std::vector<std::int32_t>(block.size * metric->width()));
  metric->count(block, pool, rows);
  const std::vector<double> scores = scores_of(choice.model, texts.segments(), true);
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::span row(&rows[0][i * metric->width()], metric->width());
    CHECK(metric->score(metrics::sum_rows(row, row.size())) ==
          Approx(scores[i]).margin(1e-9).epsilon(0));
    sum += scores[i];
  }
  CHECK(metric->score(metrics::sum_rows(rows[0], metric->width())) ==
        Approx(sum / static_cast<double>(scores.size())).margin(1e-9).epsilon(0));
  CHECK(rows[0] != rows[1]);

  block.references[3].push_back("another");
  CHECK_THAT(error_of([&] { metric->count(block, pool, rows); }),
             Contains("segment 4 has 2 references"));
}

TEST_CASE("folders that are no model of COMET are refused in a line", "[comet]") {
  const Scratch scratch;
  const std::string folder = copy_of("regression", scratch), yaml = folder + "/hparams.yaml";
  const auto import = [&] { read_comet({folder, {}, "", "", {}}); };
  const auto write = [](const std::string& path, const std::string& text) {
    Output out(path);
    out.write(text);
    out.close();
  };
  CHECK(is_comet(folder));
  CHECK(is_comet(folder + "/checkpoints/model.ckpt"));
  CHECK_FALSE(is_comet(scratch.path("")));
  CHECK(read_comet({folder + "/checkpoints/model.ckpt", {}, "", "", {}}).comet.name ==
        "regression");
  CHECK_THAT(error_of([&] { read_comet({folder, {"v.yml"}, "", "", {}}); }), Contains("omit"));

  const std::string hparams = read_file(yaml);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = hparams;
    text.replace(text.find(from), from.size(), to);
    write(yaml, text);
    const std::string error = error_of(import);
    write(yaml, hparams);
    return error;
  };
  CHECK_THAT(with("regression_metric", "xcomet_metric"),
             Contains("class_identifier is \"xcomet_metric\""));
  CHECK_THAT(with("class_identifier: regression_metric\n", ""),
             Contains("class_identifier is \"\""));

  fs::remove(folder + "/config.json");
  // Its name, xlm-roberta-base, stands for 12 heads.
  CHECK_THAT(error_of(import), Contains("12 heads do not divide; give the config.json"));
}

TEST_CASE("a model of COMET is no model of translation, and the reverse", "[comet]") {
  const Scratch scratch;
  const std::string path = imported(golden("unified"), scratch);
  CHECK_THAT(error_of([&] { open_model(path); }), Contains("is of kind \"comet\""));
  const auto backend = open_backend({});
  const std::string other = scratch.path("other.tt");
  save_tensors(other, {}, {{"kind", "model"}});
  CHECK_THAT(error_of([&] { CometScorer(other, *backend, WeightForm::float32, true); }),
             Contains("is of kind \"model\", not \"comet\""));
  const TensorFile file(path);
  const auto spoilt = [&](const std::string& from, const std::string& to) {
    Metadata metadata = file.metadata();
    std::string& comet = metadata["comet"];
    const std::size_t at = comet.find(from);
    if (at != std::string::npos) comet.replace(at, from.size(), to);
    save_tensors(other, file.tensors(), metadata);
    return error_of([&] { CometScorer(other, *backend, WeightForm::float32, true); });
  };
  CHECK(spoilt("x", "x").empty());
  CHECK_THAT(spoilt("\"joint\"", "\"jeint\""), Contains("its setting \"input\""));
  CHECK_THAT(spoilt("\"longest\":32", "\"longest\":33"), Contains("its setting \"longest\""));
  CHECK_THAT(spoilt("[12,6]", "[12,7]"), Contains("estimator.2"));
  CHECK_THAT(spoilt("[12,6]", "[12,0]"), Contains("its setting \"hidden\""));
  CHECK_THAT(spoilt("{", "["), Contains("is no JSON object"));
  const auto configured = [&](const char* setting, const char* value) {
    Metadata metadata = file.metadata();
    Config config = stored_config(file);
    set_field(config, *find_field(setting), value, setting);
    metadata["config"] = to_json(config);
    metadata["decisive_keys"] = decisive_keys(config);
    save_tensors(other, file.tensors(), metadata);
    return error_of([&] { CometScorer(other, *backend, WeightForm::float32, true); });
  };
  CHECK(configured("output_bias", "true").empty());  // of a decoder, which it has not
  CHECK_THAT(configured("d_ff", "13"), Contains("encoder.1.ffn.in"));
  CHECK_THAT(configured("target_vocab", "221"), Contains("221"));
}

}  // namespace tt
