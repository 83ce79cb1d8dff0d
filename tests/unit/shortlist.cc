// Shortlists: the file, by bytes that were worked out by hand, and what is refused.
#include "text/shortlist.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

std::string number(std::uint64_t n) { return {reinterpret_cast<const char*>(&n), sizeof n}; }
std::string number(std::uint32_t n) { return {reinterpret_cast<const char*>(&n), sizeof n}; }

Shortlist of_bytes(const std::string& bytes) {
  const Scratch folder;
  return Shortlist(folder.file("list.bin", bytes));
}

}  // namespace

TEST_CASE("a shortlist has the bytes that others read", "[shortlist]") {
  const std::string bytes = shortlist_bytes({{}}, 0, 0);
  // sum = 0x9E3779B9 for a zero; then once more for each of 0, 2, 0, 0, 0 with what was before.
  std::uint64_t sum = 0;
  for (const std::uint64_t value : {0, 0, 2, 0, 0, 0})
    sum ^= value + 0x9E3779B9 + (sum << 6) + (sum >> 2);
  CHECK(bytes == number(std::uint64_t{0xF11A48D5013417F5}) + number(sum) +
                     number(std::uint64_t{0}) + number(std::uint64_t{0}) +
                     number(std::uint64_t{2}) + number(std::uint64_t{0}) +
                     number(std::uint64_t{0}) + number(std::uint64_t{0}));
  // An odd number of pieces: the last is not in the sum.
  std::string odd = shortlist_bytes({{7}}, 1, 1);
  CHECK(odd.substr(64) == number(std::uint32_t{7}));
  odd[64] = 8;
  CHECK(of_bytes(odd).of(0)[0] == 8);
}

// The checksum, which is of all that follows, is that of Marian 1.12.42 for the same lists, by
//   pymarian convert --shortlist lex.s2t 10 2 0 --dump-shortlist lex.bin --vocabs w.spm w.spm
// with a vocabulary of 44 pieces, and lines "target source 0.5" of them in lex.s2t.
TEST_CASE("a shortlist is, to the byte, the one that Marian makes", "[shortlist]") {
  constexpr std::int32_t kPieces = 44;
  Lists lists;
  for (std::int32_t s = 0; s < kPieces; ++s) {
    const auto [less, more] = std::minmax({(7 * s + 3) % kPieces, (5 * s + 1) % kPieces});
    lists.push_back({less});
    if (more > less) lists.back().push_back(more);
  }
  const std::string bytes = shortlist_bytes(lists, 10, 2);
  CHECK(bytes.size() == 752);
  CHECK(bytes.substr(0, 16) ==
        number(std::uint64_t{0xF11A48D5013417F5}) + number(std::uint64_t{0x0F2A25904F7E9ECB}));
}

TEST_CASE("a line may have the pieces of its lists, and the first ones", "[shortlist]") {
  const Shortlist list = of_bytes(shortlist_bytes(Lists{{5, 9}, {}, {3, 5}}, 2, 2));
  CHECK(list.source_pieces() == 3);
  CHECK(list.first() == 2);
  const std::vector<std::int32_t> source{0, 2, 2};
  CHECK(list.pieces_for(source, 12, false) == std::vector<std::int32_t>{0, 1, 3, 5, 9});
  CHECK(list.pieces_for(source, 12, true) == std::vector<std::int32_t>{0, 1, 2, 3, 5, 9});
  CHECK(list.pieces_for({}, 1, false) == std::vector<std::int32_t>{0});
  const std::vector<std::int32_t> also{11, 3, 0, 64};
  CHECK(list.pieces_for(source, 65, false, also) ==
        std::vector<std::int32_t>{0, 1, 3, 5, 9, 11, 64});
  CHECK_NOTHROW(list.check_pieces(3, 10));
  CHECK_THROWS_AS(list.check_pieces(3, 9), Error);
  CHECK_THROWS_AS(list.check_pieces(4, 10), Error);
}

TEST_CASE("damaged shortlists are refused, whatever is wrong with them", "[shortlist]") {
  const std::string bytes = shortlist_bytes(Lists{{5, 9}, {1}, {3, 5, 8}}, 2, 2);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(of_bytes(bytes.substr(0, size)), Error);
  CHECK_THROWS_AS(of_bytes(bytes + "1234"), Error);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] ^= 1;
    CHECK_THROWS_AS(of_bytes(other), Error);
  }
  // Offsets that are no numbers of pieces, with a checksum that is right.
  Lists lists{{5, 9}, {1}};
  std::string swapped = shortlist_bytes(lists, 0, 0);
  std::swap_ranges(swapped.begin() + 56, swapped.begin() + 64, swapped.begin() + 64);
  std::uint64_t sum = 0, value;
  for (std::size_t at = 16; at + 8 <= swapped.size(); at += 8) {
    std::memcpy(&value, swapped.data() + at, 8);
    sum ^= value + 0x9E3779B9 + (sum << 6) + (sum >> 2);
  }
  std::memcpy(swapped.data() + 8, &sum, 8);
  CHECK_THROWS_WITH(of_bytes(swapped), Contains("lists overlap"));
}

}  // namespace tt
