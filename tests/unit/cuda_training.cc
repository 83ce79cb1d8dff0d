// Training and translation on a GPU, real or emulated, agree with the CPU up to rounding.
#include <cstring>
#include <nlohmann/json.hpp>

#include "nn/device.h"
#include "tensor/meter.h"
#include "tests/unit/train_fixture.h"
#if !defined(TT_CUDA)
#include "tests/emulated/gpu.h"
#endif

namespace tt {
namespace {

// The losses of every report of a run, of training and of validation, or of one of the two.
std::vector<double> losses(const Config& config, const Workplace& place, const std::string& name,
                           const Backend& backend, int threads = 2, const std::string& of = "") {
  TrainingInputs inputs = place.inputs(name, threads);
  inputs.log = place.path(name + ".log");
  run(config, inputs, backend);
  std::vector<double> all;
  for (const std::string& line : read_lines(inputs.log))
    if (const auto event = nlohmann::json::parse(line);
        event.contains("loss") && (of.empty() || event["event"] == of))
      all.push_back(event["loss"].get<double>());
  return all;
}

}  // namespace

TEST_CASE("a GPU's losses are the CPU's, update by update") {
  const Workplace place;
  Config config = quick_config();
  config.report_every = 1;
  config.clip = 1;
  SECTION("the paper's") {}
  SECTION("pre-norm, GELU, biases, learned positions") {
    config.norm = NormPlace::pre;
    config.activation = Activation::gelu;
    config.attention_bias = true;
    config.positions = PositionKind::learned;
    config.ffn_dropout = 0.1;
  }
  SECTION("RMSNorm") {
    config.norm = NormPlace::pre;
    config.norm_type = NormType::rms;
  }
  SECTION("T5's distances and gates") {
    set_like_t5(config);
    config.activation = Activation::gelu;
  }
  SECTION("schedule-free") {
    config.optimizer = Optimizer::schedule_free;
    config.schedule = Schedule::constant;
    config.weight_decay = 0.01;
  }
  SECTION("with Nesterov's momentum") { config.optimizer = Optimizer::nadam; }
  const auto expected = losses(config, place, "cpu", test_backend(kCpu));
  const auto found = losses(config, place, "cuda", test_backend(kCuda));
  REQUIRE(expected.size() >= 12);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("report " << i);
    CHECK(found[i] == Approx(expected[i]).epsilon(1e-4));
  }
}

TEST_CASE("a run goes on on a GPU where a CPU has left it, and the other way round") {
  const Workplace place;
  Config config = quick_config();
  config.report_every = 1;
  config.valid_every = 0;
  config.max_updates = 8;
  const Backend &cpu = test_backend(kCpu), &gpu = test_backend(kCuda);
  const auto expected = losses(config, place, "whole", cpu, 2, "train");
  REQUIRE(expected.size() == 8);
  for (const bool from_cpu : {true, false}) {
    const std::string name = from_cpu ? "from-cpu" : "from-gpu";
    config.max_updates = 4;
    losses(config, place, name, from_cpu ? cpu : gpu);
    config.max_updates = 8;
    const auto found = losses(config, place, name, from_cpu ? gpu : cpu, 2, "train");
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == Approx(expected[i]).epsilon(1e-4));
  }
}

TEST_CASE("a GPU's translations are the CPU's") {
  const Workplace place;
  Config config = quick_config();
  config.max_updates = 60;
  config.valid_every = 0;
  config.save_every = 60;
  config.rate = 0.003;
  run(config, place.inputs("run", 2));
  const std::string model = place.path("run/" + checkpoint_name(60));
  auto lines = read_lines(place.path("train.a"));
  lines.resize(20);
  lines.insert(lines.end(), {"", "10", "what was never seen"});
  CHECK(translations(model, lines, test_backend(kCuda)) ==
        translations(model, lines, test_backend(kCpu)));
}

// Rounding to nearest, ties to even; NaN stays NaN.
TEST_CASE("products in bfloat16 round their inputs to eight bits and sum in float32") {
  const CudaBackend backend(0, Precision::bfloat16);
  const float one = 1;
  constexpr float step = 0x1p-7f;
  struct Pair {
    float given, expected;
  };
  const std::vector<Pair> table = {{1, 1},
                                   {1 + step, 1 + step},
                                   {one + step / 2, 1},
                                   {one + 3 * step / 2, 1 + 2 * step},
                                   {one + 0.51f * step, 1 + step},
                                   {-one - 0.51f * step, -1 - step},
                                   {0x1.ffp-1f, 1},
                                   {3e38f, 0x1.c4p+127f},
                                   {INFINITY, INFINITY},
                                   {0, 0}};
  for (const bool second : {false, true})
    for (const Pair& pair : table) {
      INFO(pair.given << (second ? " in the second" : " in the first"));
      const DeviceArray<float> x(backend, std::span(&pair.given, 1)),
          y(backend, std::span(&one, 1)), z(backend, 1);
      const ConstMatrix of_x = float32(x.data(), 1, 1), of_y = float32(y.data(), 1, 1);
      backend.product({false, false, second ? of_y : of_x, second ? of_x : of_y, false,
                       float32(z.data(), 1, 1)});
      CHECK(z.download()[0] == pair.expected);
    }
  const float nan = NAN;
  const DeviceArray<float> x(backend, std::span(&nan, 1)), y(backend, std::span(&one, 1)),
      z(backend, 1);
  backend.product({false, false, float32(x.data(), 1, 1), float32(y.data(), 1, 1), false,
                   float32(z.data(), 1, 1)});
  CHECK(std::isnan(z.download()[0]));
  // Matrices whose rows are not whole, whichever way they lie: 1 + 2^-9 is 1 in bfloat16.
  for (const int kind : {0, 1, 2, 3}) {
    constexpr std::int64_t m = 3, n = 5, k = 7;
    const std::vector<float> a(m * k, 1 + 0x1p-9f), b(k * n, 3);
    const bool ta = kind & 1, tb = kind & 2;
    const DeviceArray<float> da(backend, std::span(a)), db(backend, std::span(b)),
        c(backend, m * n);
    const ConstMatrix A = float32(da.data(), ta ? k : m, ta ? m : k),
                      B = float32(db.data(), tb ? n : k, tb ? k : n);
    const Matrix C = float32(c.data(), m, n);
    backend.product({ta, tb, A, B, false, C});
    CHECK(c.download() == std::vector<float>(m * n, 21));
    // And where they come rounded already, both or one of them.
    const DeviceArray<float> ra(backend, 64), rb(backend, 64);
    const Matrix first = matrix(ra.data(), ElementType::bfloat16, A.rows, A.columns),
                 second = matrix(rb.data(), ElementType::bfloat16, B.rows, B.columns);
    backend.round({A, first});
    backend.round({B, second});
    backend.product({ta, tb, first, second, true, C});
    CHECK(c.download() == std::vector<float>(m * n, 42));
    backend.product({ta, tb, A, second, true, C});
    backend.product({ta, tb, first, B, true, C});
    CHECK(c.download() == std::vector<float>(m * n, 84));
  }
}

// As gradients of weights sum them: over all tokens, which may be any number, in parts that are
// then added.
TEST_CASE("products in bfloat16 leave out none of many terms") {
  const CudaBackend backend(0, Precision::bfloat16);
  struct Range {
    std::int64_t size, first, last;
  };
  for (const Range range : {Range{128, 4096, 4224}, Range{512, 24996, 25004}}) {
    const std::int64_t n = range.size;
    const std::vector<Bfloat16> ones(static_cast<std::size_t>(range.last * n), 0x3f80);
    const DeviceArray<Bfloat16> x(backend, std::span(ones));
    const DeviceArray<float> sums(backend, n * n);
    for (std::int64_t terms = range.first; terms <= range.last; ++terms) {
      INFO(n << " x " << n << ", " << terms << " terms");
      const Matrix all = matrix(x.data(), ElementType::bfloat16, terms, n);
      backend.product({true, false, all, all, false, float32(sums.data(), n, n)});
      CHECK(sums.download() ==
            std::vector<float>(static_cast<std::size_t>(n * n), static_cast<float>(terms)));
    }
  }
}

// As another device that cannot keep what is rounded: it is rounded anew for each product, and
// everything else is float32.
class Forgetful : public Meter {
 public:
  using Meter::Meter;
  Traits traits() const override { return {.host_memory = false, .queue = true}; }
};

TEST_CASE(
    "in bfloat16 what is kept rounded is what would be rounded anew, and training goes as in "
    "float32") {
  bool rounded = true;  // results that exist only in bfloat16, which change the losses a little
  const CudaBackend device(0, Precision::bfloat16);
  const Forgetful forgetful(device);
  const Workplace place;
  Config config = quick_config();
  config.report_every = 1;
  config.max_updates = config.save_every = 3;
  config.valid_every = 0;
  SECTION("the paper's") { config.d_ff = 44; }  // whose rows are no whole ones
  SECTION("two views") { config.r_drop = 2; }
  SECTION("pre-norm, GELU, biases") {
    config.norm = NormPlace::pre;
    config.activation = Activation::gelu;
    config.attention_bias = true;
    config.positions = PositionKind::learned;
    rounded = false;
  }
  SECTION("T5's distances and gates") { set_like_t5(config); }
  const auto kept = losses(config, place, "kept", device);
  const auto anew = losses(config, place, "anew", forgetful, 1);  // a meter counts for one thread
  if (rounded) {
    REQUIRE(kept.size() == anew.size());
    for (std::size_t i = 0; i < kept.size(); ++i) CHECK(kept[i] == Approx(anew[i]).epsilon(1e-3));
  } else {
    CHECK(kept == anew);
    const auto model = [&](const char* name) {
      return read_file(place.path(name) + "/" + checkpoint_name(3));
    };
    CHECK((model("kept") == model("anew")));
  }
  const auto expected = losses(config, place, "cpu", test_backend(kCpu));
  REQUIRE((kept.size() >= 3 && kept.size() == expected.size()));
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(kept[i] == Approx(expected[i]).epsilon(0.01));
}

#if !defined(TT_CUDA)
// As it is at first, whatever a test asked of it.
struct Mended {
  ~Mended() {
    emulated_gpu().memory = std::size_t{1} << 40;
    emulated_gpu().launches = -1;
    emulated_gpu().adds_bias = true;
  }
};

TEST_CASE("a GPU that is too small is one error that says what to do") {
  const Mended after;
  const Workplace place;
  emulated_gpu().memory = std::size_t{1} << 20;
  const CudaBackend small;
  CHECK_THROWS_WITH(run(quick_config(), place.inputs("run", 2), small),
                    Contains("out of memory on the GPU: ") &&
                        Contains(" more were requested, and of 1 MiB ") &&
                        Contains("smaller batches") && Contains("nvidia-smi"));
}

TEST_CASE("memory of a GPU that is in small pieces is given back for a large one") {
  const Mended after;
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  emulated_gpu().memory = 128 * kMiB;
  const CudaBackend small;
  Arena arena(small);
  void* const kept = arena.take(20 * kMiB);
  for (int i = 0; i < 2; ++i) {
    void* const first = arena.take(20 * kMiB);
    void* const second = arena.take(30 * kMiB);
    arena.give(second);
    arena.give(first);
    void* const large = arena.take(90 * kMiB);
    CHECK(arena.reserved() <= 128 * kMiB);
    CHECK_THROWS_AS(arena.take(60 * kMiB), Error);
    arena.give(large);
  }
  arena.give(kept);
  CHECK(arena.used() == 0);
}

TEST_CASE(
    "a GPU that fails in the middle of a run is one error, and the run goes on from its last "
    "checkpoint") {
  const Mended after;
  const Workplace place;
  Config config = quick_config();
  config.valid_every = 0;
  constexpr std::int64_t kMany = 1000000000;
  const CudaBackend device;
  emulated_gpu().launches = kMany;
  run(config, place.inputs("whole", 2), device);
  const std::int64_t needed = kMany - emulated_gpu().launches;
  for (const std::int64_t part : {5, 3}) {  // the second time from update 4 or so on
    emulated_gpu().launches = needed * part / 10;
    CHECK_THROWS_WITH(run(config, place.inputs("parts", 2), device),
                      Contains("the GPU failed ") && Contains("saved before are not"));
  }
  emulated_gpu().launches = -1;
  CHECK(file_exists(place.path("parts/" + checkpoint_name(4))));
  run(config, place.inputs("parts", 2), device);
  CHECK((bytes_of(place, "parts") == bytes_of(place, "whole")));
}

TEST_CASE("a GPU whose library adds no bias in a product adds it behind") {
  const Mended after;
  constexpr std::int64_t m = 3, n = 5, k = 7;
  const std::vector<float> a(m * k, 1), b(k * n, 2), bias = {1, 2, 3, 4, 5};
  for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
    const CudaBackend backend(0, precision);
    const DeviceArray<float> da(backend, std::span(a)), db(backend, std::span(b)),
        c(backend, m * n), d_bias(backend, std::span(bias));
    Product p{false,
              false,
              float32(da.data(), m, k),
              float32(db.data(), k, n),
              false,
              float32(c.data(), m, n),
              d_bias.data()};
    backend.product(p);
    const std::vector<float> expected = c.download();
    CHECK(expected[n + 4] == 14 + 5);
    emulated_gpu().adds_bias = false;
    p.accumulate = true;
    backend.product(p);
    emulated_gpu().adds_bias = true;
    std::vector<float> twice;
    for (const float x : expected) twice.push_back(2 * x);
    CHECK(c.download() == twice);
  }
}

// If a mean of the weights stands in for them, they are exchanged again while the error is on
// its way.
TEST_CASE("a GPU that fails while it validates or saves is the same one error") {
  const Mended after;
  const Workplace place;
  Config config = quick_config();
  config.average_decay = 0.9;
  config.max_updates = config.valid_every = config.save_every = 1;
  config.beam = 1;
  constexpr std::int64_t kMany = 1000000000;
  const CudaBackend device(0, Precision::bfloat16);
  emulated_gpu().launches = kMany;
  run(config, place.inputs("whole", 1), device);
  const std::int64_t needed = kMany - emulated_gpu().launches;
  for (std::int64_t part = 1; part < 12; ++part) {
    emulated_gpu().launches = needed * part / 12;
    CHECK_THROWS_AS(run(config, place.inputs("part" + std::to_string(part), 1), device),
                    DeviceError);
  }
  emulated_gpu().launches = -1;
}
#endif

TEST_CASE("a device is opened by name, or the error lists the devices") {
  CHECK(open_backend({})->is_host());
  CHECK_THROWS_WITH(open_backend({"gpu"}),
                    Contains("there is no device \"gpu\"") && Contains(device_names()));
  CHECK_THROWS_WITH(open_backend({"cuda:"}), Contains("there is no device"));
  CHECK_THROWS_WITH(open_backend({"cuda:-1"}), Contains("there is no device"));
  CHECK_THROWS_WITH(open_backend({"cpu", "tf32"}), Contains("omit precision tf32"));
  CHECK_THROWS_WITH(open_backend({"cpu", "float16"}),
                    Contains("there is no precision \"float16\""));
#if defined(TT_CUDA)
  CHECK_THROWS_WITH(open_backend({"cuda:1000"}), Contains("there is no GPU number 1000"));
#else
  CHECK_THROWS_WITH(open_backend({"cuda"}), Contains("make CUDA=1"));
#endif
}

}  // namespace tt
