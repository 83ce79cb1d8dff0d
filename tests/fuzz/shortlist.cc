// Fuzz target: any bytes as a shortlist, with the magic number and the checksum that they should
// have, end in an Error on one line, or in lists whose pieces are where they say.
//
//   make fuzz CXX=clang++
#include "text/shortlist.h"

#include <cstdio>
#include <cstring>

#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  std::string file(reinterpret_cast<const char*>(bytes), size);
  if (size >= 16) {
    std::uint64_t sum = 0, value = 0xF11A48D5013417F5;
    std::memcpy(file.data(), &value, sizeof value);
    for (std::size_t at = 16; at + sizeof value <= size; at += sizeof value) {
      std::memcpy(&value, file.data() + at, sizeof value);
      sum ^= value + 0x9E3779B9 + (sum << 6) + (sum >> 2);
    }
    std::memcpy(file.data() + 8, &sum, sizeof sum);
  }
  memory.hold(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  try {
    const tt::Shortlist list(memory.path());
    std::size_t pieces = 0;
    for (int s = 0; s < list.source_pieces(); ++s)
      for (const std::uint32_t t : list.of(s)) pieces += t < 1000;
    TT_CHECK(pieces * sizeof(std::uint32_t) <= size);
    list.check_pieces(list.source_pieces(), 1000);
    for (int s = 0; s < list.source_pieces(); ++s) {
      const std::int32_t source[] = {s};
      TT_CHECK(list.pieces_for(source, 1000, false).size() <=
               static_cast<std::size_t>(std::min(list.first(), 1000)) + list.of(s).size());
    }
  } catch (const tt::Error& error) {
    tt::check_message(error, memory.path());
  }
  return 0;
}
