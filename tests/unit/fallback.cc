// A backend that has memory and products alone, on the floor of FallbackBackend.
#include "tensor/fallback.h"

#include <atomic>

#include "tests/unit/train_fixture.h"

namespace tt {
namespace {

// Memory that the host must not access, and the products of the CPU.
class Toy final : public FallbackBackend {
 public:
  explicit Toy(const Backend& cpu) : FallbackBackend(cpu), memory_(cpu) {}

  void* allocate(std::size_t bytes) const override { return memory_.allocate(bytes); }
  void release(void* memory) const override { memory_.release(memory); }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    memory_.upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    memory_.download(to, from, bytes);
  }
  Traits traits() const override { return {.host_memory = false}; }
  void product(const Product& k) const override {
    ++products;
    memory_.product(k);
  }

  mutable std::atomic<int> products = 0;

 private:
  ProtectedBackend memory_;
};

}  // namespace

TEST_CASE("a backend that only multiplies trains and translates with the bits of the CPU") {
  const Workplace place;
  const Backend& cpu = test_backend(kCpu);
  const Toy toy(cpu);
  Config config;
  SECTION("the Transformer") { config = quick_config(); }
  SECTION("a Transformer with all options") {
    config = quick_config();
    config.norm = NormPlace::pre;
    config.activation = Activation::gelu;
    config.attention_bias = config.output_bias = true;
    config.positions = PositionKind::learned;
    config.scores = Scores::additive;
    config.ffn_dropout = 0.1;
    config.r_drop = 1;
    config.average_decay = 0.9;
    config.window = 3;
  }
  SECTION("T5's distances and gates") {
    config = quick_config();
    set_like_t5(config);
  }
  SECTION("recurrent units") {
    config = quick_config();
    config.decoder_self = DecoderSelf::ssru;
  }
  SECTION("an LSTM") { config = quick_config(QuickModel::lstm_with_all); }
  run(config, place.inputs("cpu", 2), cpu);
  run(config, place.inputs("toy", 2), toy);
  CHECK(toy.products > 100);
  CHECK((bytes_of(place, "toy") == bytes_of(place, "cpu")));
  const std::string model = place.path("cpu/" + checkpoint_name(12));
  auto lines = read_lines(place.path("train.a"));
  lines.resize(5);
  lines.insert(lines.end(), {"", "10 11"});
  CHECK(translations(model, lines, toy) == translations(model, lines, cpu));
}

}  // namespace tt
