#include "metrics/mecab_dictionary.h"

#include <zlib.h>

#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "metrics/unicode.h"

namespace tt::metrics {

namespace {

// sys.dic and unk.dic: a header, a trie of spellings with a range of words for each, the words, and
// their features as text.
struct Header {
  std::uint32_t magic, version, type, entries, left_size, right_size, trie_bytes, word_bytes,
      feature_bytes, unused;
  char charset[32];
};
struct Word {
  std::uint16_t left, right, part;
  std::int16_t cost;
  std::uint32_t feature, compound;
};
static_assert(sizeof(Header) == 72 && sizeof(Word) == 16);

std::uint64_t crc(const void* bytes, std::size_t size, std::uint64_t seed = 0) {
  return ::crc32_z(seed, static_cast<const Bytef*>(bytes), size);
}

std::uint64_t combine(std::uint64_t sum, std::uint64_t next) {
  sum = (sum ^ next) * 0x9E3779B97F4A7C15u;
  return sum ^ sum >> 29;
}

std::uint64_t sum_of_file(const std::string& path) {
  const MappedFile file(path);
  return crc(file.data(), file.size());
}

// The sum of a dictionary's words does not depend on their order.
std::uint64_t sum_of_words(const std::string& path, Header& header) {
  const MappedFile file(path);
  const auto damaged = [&](const char* what) {
    throw Error(path, ": ", what, ", so it is damaged; install the dictionary again");
  };
  if (file.size() < sizeof header) damaged("too short for a dictionary of MeCab");
  std::memcpy(&header, file.data(), sizeof header);
  const std::uint64_t size =
      std::uint64_t{header.trie_bytes} + header.word_bytes + header.feature_bytes + sizeof header;
  if (size != file.size() || header.word_bytes % sizeof(Word) != 0)
    damaged("its size is not the one in its header");
  const char* const trie = file.text().data() + sizeof header;
  const char *const words = trie + header.trie_bytes, *const features = words + header.word_bytes;
  std::uint64_t all = 0;
  for (std::size_t at = 0; at < header.word_bytes; at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, words + at, sizeof word);
    const char* const feature = features + word.feature;
    const void* const end = word.feature < header.feature_bytes
                                ? std::memchr(feature, 0, header.feature_bytes - word.feature)
                                : nullptr;
    if (!end) damaged("a word has no feature");
    const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - feature);
    word.feature = 0;
    all += combine(0, crc(feature, length, crc(&word, sizeof word)));
  }
  std::uint64_t sum = crc(&header, offsetof(Header, charset));
  sum = combine(sum, crc(trie, header.trie_bytes));
  return combine(sum, all);
}

// The settings that may change words: comments, and formats of output, do not.
std::uint64_t sum_of_settings(const std::string& path) {
  std::uint64_t sum = 0;
  for (const std::string& line : read_lines(path)) {
    const std::string_view text = strip(line);
    if (text.empty() || text[0] == ';' || text[0] == '#') continue;
    const std::string_view key = strip(text.substr(0, text.find('=')));
    if (key.find("-format-") != key.npos || key == "config-charset") continue;
    sum = combine(sum, crc(text.data(), text.size()));
  }
  return sum;
}

}  // namespace

MecabDictionary read_mecab_dictionary(const std::string& folder) {
  Header system{}, unknown{};
  MecabDictionary dictionary;
  dictionary.checksum = sum_of_words(folder + "/sys.dic", system);
  for (const std::uint64_t next :
       {sum_of_words(folder + "/unk.dic", unknown), sum_of_file(folder + "/matrix.bin"),
        sum_of_file(folder + "/char.bin"), sum_of_settings(folder + "/dicrc")})
    dictionary.checksum = combine(dictionary.checksum, next);
  dictionary.entries = system.entries;
  dictionary.charset = lower({system.charset, ::strnlen(system.charset, sizeof system.charset)});
  return dictionary;
}

}  // namespace tt::metrics
