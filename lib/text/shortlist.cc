#include "text/shortlist.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"

namespace tt {
namespace {

constexpr std::uint64_t kMagic = 0xF11A48D5013417F5;

struct Header {
  std::uint64_t magic, checksum, first, best, offsets, numbers;
};

// Of what stands behind the checksum; four bytes that are left at the end are not part of it.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0, value;
  for (; bytes.size() >= sizeof value; bytes.remove_prefix(sizeof value)) {
    std::memcpy(&value, bytes.data(), sizeof value);
    sum ^= value + 0x9E3779B9 + (sum << 6) + (sum >> 2);
  }
  return sum;
}

constexpr std::size_t kSummed = 2 * sizeof(std::uint64_t);  // where what is summed begins

}  // namespace

Shortlist::Shortlist(const std::string& path) : path_(path), file_(path) {
  const std::string_view bytes = file_.text();
  Header header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), &kMagic, sizeof kMagic) != 0)
    throw Error(path, ": no shortlist; give one that was made for a model, as lex.s2t.bin");
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::uint64_t rest = bytes.size() - sizeof header;
  const bool whole =
      header.offsets >= 1 && header.offsets <= rest / sizeof(std::uint64_t) &&
      header.numbers <= rest / sizeof(std::uint32_t) &&
      header.offsets * sizeof(std::uint64_t) + header.numbers * sizeof(std::uint32_t) == rest;
  if (!whole || checksum(bytes.substr(kSummed)) != header.checksum)
    throw Error(path, ": damaged: its ", whole ? "checksum" : "size",
                " is not that of its contents; fetch or make it again");
  const std::byte* at = file_.data() + sizeof header;
  offsets_ = {reinterpret_cast<const std::uint64_t*>(at), header.offsets};
  numbers_ = {reinterpret_cast<const std::uint32_t*>(at + header.offsets * sizeof(std::uint64_t)),
              header.numbers};
  if (!std::is_sorted(offsets_.begin(), offsets_.end()) || offsets_.back() != header.numbers)
    throw Error(path, ": damaged: its lists overlap; fetch or make it again");
  first_ = static_cast<int>(std::min<std::uint64_t>(header.first, INT32_MAX));
}

void Shortlist::check_pieces(int source_pieces_wanted, int target_pieces) const {
  if (source_pieces() != source_pieces_wanted)
    throw Error(path_, ": was made for another vocabulary: it has lists for ",
                with_commas(source_pieces()), " source pieces, where the model has ",
                with_commas(source_pieces_wanted));
  for (const std::uint32_t piece : numbers_)
    if (piece >= static_cast<std::uint32_t>(target_pieces))
      throw Error(path_, ": was made for another vocabulary: it has the target piece ",
                  with_commas(piece), ", where the model has ", with_commas(target_pieces),
                  " pieces");
}

std::vector<std::int32_t> Shortlist::pieces_for(std::span<const std::int32_t> source,
                                                int target_pieces, bool joint,
                                                std::span<const std::int32_t> also) const {
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> has((static_cast<std::size_t>(target_pieces) + kBits - 1) / kBits);
  const auto add = [&has](std::size_t piece) {
    has[piece / kBits] |= std::uint64_t{1} << piece % kBits;
  };
  for (int t = 0; t < std::min(first_, target_pieces); ++t) add(static_cast<std::size_t>(t));
  for (const std::int32_t piece : also) add(static_cast<std::size_t>(piece));
  for (const std::int32_t piece : source) {
    for (const std::uint32_t t : of(piece)) add(t);
    if (joint) add(static_cast<std::size_t>(piece));
  }
  std::vector<std::int32_t> pieces;
  for (std::size_t word = 0; word < has.size(); ++word)
    for (std::uint64_t bits = has[word]; bits != 0; bits &= bits - 1)
      pieces.push_back(static_cast<std::int32_t>(word * kBits) + std::countr_zero(bits));
  return pieces;
}

std::string shortlist_bytes(const std::vector<std::vector<std::int32_t>>& lists, int first,
                            int best) {
  std::string bytes(sizeof(Header), '\0');
  std::uint64_t numbers = 0;
  append_number(bytes, numbers);
  for (const auto& list : lists) append_number(bytes, numbers += list.size());
  for (const auto& list : lists)
    for (const std::int32_t piece : list) append_number(bytes, static_cast<std::uint32_t>(piece));
  Header header{
      kMagic,           0,      static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(best),
      lists.size() + 1, numbers};
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = checksum(std::string_view(bytes).substr(kSummed));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace tt
