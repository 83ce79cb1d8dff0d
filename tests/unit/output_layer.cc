// Output layers of some pieces alone: their logits have the bits that they have among all.
#include "nn/output_layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "cpu/cpu.h"
#include "nn/worker.h"
#include "tensor/panels.h"
#include "tests/catch.h"

namespace tt {
namespace {

constexpr std::int64_t kPieces = 1100, kDepth = 22;  // more than a stretch, and no whole panels

enum class Stored { rows, panels, int8, rounded, rounded_panels };

struct Fixture {
  explicit Fixture(Stored form)
      : backend(form >= Stored::rounded ? Precision::bfloat16 : Precision::float32) {
    table = params.add_table("table", kPieces, kDepth, 0.3f);
    bias = params.add("bias", 1, kPieces, Init::normal, 1);
    drawn.add_table("table", kPieces, kDepth, 0.3f);
    drawn.add("bias", 1, kPieces, Init::normal, 1);
    drawn.draw(backend, 3);
    if (form == Stored::panels || form == Stored::rounded_panels) {
      panels.resize(static_cast<std::size_t>(panel_floats(kPieces, kDepth)));
      CpuBackend().pack({true, float32(drawn.of(drawn.at(0)), kPieces, kDepth),
                         matrix(panels.data(), ElementType::panels, kPieces, kDepth)});
      params.borrow_packed(backend, 0, panels.data());
    } else {
      params.borrow(backend, 0, drawn.of(drawn.at(0)));
    }
    params.borrow(backend, 1, drawn.of(drawn.at(1)));
    params.freeze(form == Stored::int8 ? WeightForm::int8 : WeightForm::float32);
  }

  // Rows that are the same whatever their number.
  Var rows(Tape& tape, std::span<const std::int32_t> numbers) const {
    Var x = tape.make(std::ssize(numbers), kDepth);
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      Random random(5, static_cast<std::uint64_t>(numbers[r]));
      for (std::int64_t i = 0; i < kDepth; ++i)
        x->value.floats()[static_cast<std::int64_t>(r) * kDepth + i] = random.normal();
    }
    return x;
  }

  CpuBackend backend;
  Params drawn, params;
  Param table, bias;
  std::vector<float> panels;
};

PieceList every(std::int32_t step, std::int32_t from = 0) {
  PieceList list;
  for (std::int32_t i = from; i < kPieces; i += step) list.push_back(i);
  return list;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return std::ranges::equal(a, b);
}

}  // namespace

TEST_CASE("a list of all pieces changes no bit, and another the softmax alone", "[output_layer]") {
  const Stored form =
      GENERATE(Stored::rows, Stored::panels, Stored::int8, Stored::rounded, Stored::rounded_panels);
  const Fixture f(form);
  Tape tape(f.backend, f.params);
  const std::vector<std::int32_t> numbers{0, 1, 2, 3, 4}, sentences{0, 0, 1, 2, 2};
  const Var x = f.rows(tape, numbers);
  OutputLayer all(tape, {f.table, f.bias}), whole(tape, {f.table, f.bias}),
      some(tape, {f.table, f.bias});
  whole.restrict({every(1), every(1), every(1)});
  const std::vector<PieceList> lists{every(1, 300), every(7), {2, 1099}};
  some.restrict(lists);
  std::vector<float> plain, same, found;
  all.distribution(x, sentences, plain);
  whole.distribution(x, sentences, same);
  some.distribution(x, sentences, found);
  CHECK(same_bits(plain, same));
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const PieceList& list = lists[static_cast<std::size_t>(sentences[r])];
    const auto at = [&](const std::vector<float>& of, std::int32_t piece) {
      return of[r * kPieces + static_cast<std::size_t>(piece)];
    };
    double sum = 0;
    for (const std::int32_t piece : list) sum += std::exp(static_cast<double>(at(plain, piece)));
    const auto shift = static_cast<float>(std::log(sum));
    std::size_t finite = 0;
    for (std::int32_t piece = 0; piece < kPieces; ++piece)
      if (std::isfinite(at(found, piece))) {
        ++finite;
        CHECK(std::ranges::binary_search(list, piece));
        CHECK(at(found, piece) == Approx(at(plain, piece) - shift).margin(1e-5));
      }
    CHECK(finite == list.size());
  }
}

TEST_CASE("the logits of a list are those of all, to the last bit", "[output_layer]") {
  const Stored form =
      GENERATE(Stored::rows, Stored::panels, Stored::int8, Stored::rounded, Stored::rounded_panels);
  const Fixture f(form);
  Tape tape(f.backend, f.params);
  const std::vector<std::int32_t> numbers{0, 1, 2}, sentences{0, 0, 0};
  const Var x = f.rows(tape, numbers);
  const PieceList list = every(3, 1);
  const auto n = std::ssize(list);
  std::vector<float> logits(3 * kPieces), expected;
  const Matrix y = float32(logits.data(), 3, kPieces);
  if (form == Stored::int8) f.backend.int8_product({x->value, f.params.int8(f.table), y});
  else f.backend.row_product({true, x->value, f.params.weights(f.table, true), y});
  f.backend.add_bias({3, kPieces, f.params.of(f.bias), y.floats()});
  for (std::size_t r = 0; r < 3; ++r)
    for (const std::int32_t piece : list)
      expected.push_back(logits[r * kPieces + static_cast<std::size_t>(piece)]);
  f.backend.log_softmax({3, n, expected.data()});
  OutputLayer some(tape, {f.table, f.bias});
  some.restrict({list});
  std::vector<float> found, of_list;
  some.distribution(x, sentences, found);
  for (std::size_t r = 0; r < 3; ++r)
    for (const std::int32_t piece : list)
      of_list.push_back(found[r * kPieces + static_cast<std::size_t>(piece)]);
  CHECK(same_bits(of_list, expected));
}

TEST_CASE("a sentence's list is asked whatever sentences are beside it", "[output_layer]") {
  const Stored form =
      GENERATE(Stored::rows, Stored::panels, Stored::int8, Stored::rounded, Stored::rounded_panels);
  const Fixture f(form);
  Tape tape(f.backend, f.params);
  const std::vector<PieceList> lists{every(2), {5, 6, 7}, every(1, 100)};
  const std::vector<std::int32_t> rows_of{2, 1, 90};  // more than are looked at together
  std::vector<std::int32_t> numbers, sentences, barred, asked;
  for (std::size_t s = 0; s < lists.size(); ++s)
    for (std::int32_t i = 0; i < rows_of[s]; ++i) {
      sentences.push_back(static_cast<std::int32_t>(s));
      numbers.push_back(std::ssize(numbers));
      barred.insert(barred.end(), {6, -1, 104});
      asked.insert(asked.end(), {104, 5});
    }
  const auto ask = [&](std::size_t first, std::size_t rows, const std::vector<PieceList>& of) {
    const Var x = f.rows(tape, std::span(numbers).subspan(first, rows));
    std::vector<std::int32_t> own(sentences.begin() + static_cast<std::ptrdiff_t>(first),
                                  sentences.begin() + static_cast<std::ptrdiff_t>(first + rows));
    for (std::int32_t& s : own) s -= sentences[first];
    OutputLayer layer(tape, {f.table, f.bias});
    layer.restrict(of);
    BestScores scores;
    layer.best(x, own,
               {4, std::span(barred).subspan(3 * first, 3 * rows),
                std::span(asked).subspan(2 * first, 2 * rows)},
               scores);
    return scores;
  };
  const BestScores together = ask(0, numbers.size(), lists);
  std::size_t first = 0;
  for (std::size_t s = 0; s < lists.size(); ++s) {
    const auto rows = static_cast<std::size_t>(rows_of[s]);
    const BestScores alone = ask(first, rows, {lists[s]});
    const auto part = [&](const auto& of, std::size_t width) {
      return std::span(of).subspan(first * width, rows * width);
    };
    CHECK(same_bits(alone.values, part(together.values, 4)));
    CHECK(std::ranges::equal(alone.pieces, part(together.pieces, 4)));
    CHECK(same_bits(alone.asked, part(together.asked, 2)));
    for (std::size_t i = 0; i < alone.values.size(); ++i) {
      if (!std::isfinite(alone.values[i])) continue;
      CHECK(std::ranges::binary_search(lists[s], alone.pieces[i]));
      CHECK((alone.pieces[i] != 6 && alone.pieces[i] != 104));
    }
    first += rows;
  }
  // Of three pieces of which one is barred there are two; what is not in a list is never likely.
  const std::size_t second = 2;
  CHECK(std::isfinite(together.values[second * 4 + 1]));
  CHECK(together.values[second * 4 + 2] == -INFINITY);
  CHECK(together.asked[second * 2] == -INFINITY);
  CHECK(std::isfinite(together.asked[second * 2 + 1]));
  CHECK(together.asked[0] > -INFINITY);
  CHECK(together.asked[1] == -INFINITY);
}

}  // namespace tt
