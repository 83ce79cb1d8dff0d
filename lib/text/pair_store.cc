#include "text/pair_store.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "base/system.h"

namespace tt {
namespace {

constexpr std::int64_t kAnchor = 64;
constexpr std::size_t kBuffer = 1 << 20;  // bytes written at once
constexpr std::size_t kChecksum = 4;      // bytes
constexpr std::string_view kMagic = "tt corpus, v. 5\n";
constexpr std::string_view kEarlier[] = {"tt corpus, v. 1\n", "tt corpus, v. 2\n",
                                         "tt corpus, v. 3\n", "tt corpus, v. 4\n"};  // made again

std::uint32_t crc(std::uint32_t before, const void* bytes, std::size_t size) {
  return size == 0 ? before
                   : static_cast<std::uint32_t>(
                         ::crc32_z(before, static_cast<const Bytef*>(bytes), size));
}
// The checksum of a sentence's bytes and number, so that one in the place of another is found too.
std::uint32_t sentence_checksum(std::int64_t sentence, const void* bytes, std::size_t size) {
  return crc(crc(0, &sentence, sizeof sentence), bytes, size);
}

// The end of a file.
struct Tail {
  std::uint64_t pairs = 0, source_tokens = 0, target_tokens = 0, source_vocabulary = 0,
                target_vocabulary = 0, source_hash = 0, target_hash = 0, links = 0, stretches = 0,
                note = 0, remarks = 0;  // these two: bytes
  PairStore::Unknown source_unknown, target_unknown;
  std::uint64_t checksum = 0;  // of all behind the tokens up to here
  char magic[16] = {};

  std::uint64_t link_counts() const { return links > 0 ? pairs : 0; }
  // Where the tokens end, of so many bytes each, and where the lengths and all behind them do.
  std::size_t tokens_end(std::size_t width) const {
    return kMagic.size() + (source_tokens + target_tokens + 2 * links) * width +
           2 * pairs * kChecksum;
  }
  std::size_t end(std::size_t width) const {
    return tokens_end(width) + 8 * pairs + 4 * link_counts() +
           sizeof(PairStore::Stretch) * stretches + note + remarks + sizeof(Tail);
  }
};
static_assert(std::is_trivially_copyable_v<Tail> && sizeof(Tail) == 160 && kMagic.size() == 16);

std::uint32_t end_checksum(std::span<const std::string_view> parts, const Tail& tail) {
  std::uint32_t sum = 0;
  for (const std::string_view part : parts) sum = crc(sum, part.data(), part.size());
  return crc(sum, &tail, offsetof(Tail, checksum));
}

bool wide(int source_vocabulary, int target_vocabulary) {
  return std::max(source_vocabulary, target_vocabulary) - 1 >
         std::numeric_limits<std::uint16_t>::max();
}

std::uint64_t hashed(std::uint64_t hash, std::span<const std::int32_t> sentence) {  // FNV-1a
  for (const std::int32_t token : sentence)
    hash = (hash ^ static_cast<std::uint32_t>(token)) * 1099511628211u;
  return hash;
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

struct PairStore::File {
  std::string path;
  std::size_t width = 2;            // bytes of a token
  std::unique_ptr<AtomicFile> out;  // until it is sealed
  std::string buffer;
  std::unique_ptr<Input> in;

  void put(std::string_view bytes) {
    buffer += bytes;
    if (buffer.size() >= kBuffer) flush();
  }
  void put(const void* number, std::size_t size) {
    buffer.append(static_cast<const char*>(number), size);
  }
  void put(std::int64_t sentence, std::span<const std::int32_t> tokens,
           std::span<const std::int32_t> links = {}) {
    const std::size_t begin = buffer.size();
    for (const auto& numbers : {tokens, links})
      for (const std::int32_t number : numbers) put(&number, width);
    const std::uint32_t sum =
        sentence_checksum(sentence, buffer.data() + begin, buffer.size() - begin);
    put(&sum, kChecksum);
    if (buffer.size() >= kBuffer) flush();
  }
  void flush() {
    out->write(buffer);
    buffer.clear();
  }

  [[noreturn]] void damaged(const std::string& what) const {
    throw Error(path, ": damaged: ", what, "; remove the file, and it will be made again");
  }
  void read(void* to, std::size_t size, std::size_t from) const {
    for (auto* at = static_cast<char*>(to); size > 0;) {
      const ssize_t done = sys::read_at(in->descriptor(), at, size, from);
      if (done < 0) throw Error(path, ": reading failed: ", std::strerror(errno));
      if (done == 0) damaged("it has become shorter");
      at += done, from += static_cast<std::size_t>(done), size -= static_cast<std::size_t>(done);
    }
  }
  template <class T>
  std::vector<T> read_array(std::size_t count, std::size_t& from) const {
    std::vector<T> values(count);
    read(values.data(), count * sizeof(T), from);
    from += count * sizeof(T);
    return values;
  }
  // The end of the file, if it has this note.
  std::optional<Tail> read_tail(const std::string& note, int source_vocabulary,
                                int target_vocabulary) const;
};

PairStore::PairStore(int source_vocabulary, int target_vocabulary)
    : source_vocabulary_(source_vocabulary), target_vocabulary_(target_vocabulary),
      source_hash_(hashed(14695981039346656037u, {})), target_hash_(source_hash_) {
  if (wide(source_vocabulary, target_vocabulary)) tokens_.emplace<1>();
}
PairStore::~PairStore() = default;
PairStore::PairStore(PairStore&&) noexcept = default;
PairStore& PairStore::operator=(PairStore&&) noexcept = default;

void PairStore::write_to(const std::string& path) {
  TT_CHECK(size() == 0 && !file_);
  file_ = std::make_unique<File>();
  file_->path = path;
  file_->width = wide(source_vocabulary_, target_vocabulary_) ? 4 : 2;
  file_->out = std::make_unique<AtomicFile>(path);
  file_->put(kMagic);
}

void PairStore::seal(const std::string& note) {
  TT_CHECK(file_ && file_->out);
  Tail tail;
  tail.pairs = static_cast<std::uint64_t>(size());
  tail.source_tokens = static_cast<std::uint64_t>(source_tokens_),
  tail.target_tokens = static_cast<std::uint64_t>(target_tokens_);
  tail.source_vocabulary = static_cast<std::uint64_t>(source_vocabulary_);
  tail.target_vocabulary = static_cast<std::uint64_t>(target_vocabulary_);
  tail.source_hash = source_hash_, tail.target_hash = target_hash_;
  tail.links = static_cast<std::uint64_t>(all_links_);
  std::string remarked;
  for (const std::string& remark : remarks) remarked += remark + '\0';
  tail.stretches = stretches_.size(), tail.note = note.size(), tail.remarks = remarked.size();
  tail.source_unknown = source_unknown, tail.target_unknown = target_unknown;
  kMagic.copy(tail.magic, sizeof tail.magic);
  file_->flush();
  const std::string_view parts[] = {bytes_of(source_lengths_),
                                    bytes_of(target_lengths_),
                                    bytes_of(links_),
                                    bytes_of(stretches_),
                                    note,
                                    remarked};
  for (const std::string_view part : parts) file_->out->write(part);
  tail.checksum = end_checksum(parts, tail);
  file_->out->write(&tail, sizeof tail);
  file_->out->commit();
  file_->out.reset();
  file_->in = std::make_unique<Input>(file_->path);
}

std::optional<Tail> PairStore::File::read_tail(const std::string& note, int source_vocabulary,
                                               int target_vocabulary) const {
  char magic[kMagic.size()] = {};
  const auto bytes = static_cast<std::size_t>(in->size());
  if (in->size() >= static_cast<std::ptrdiff_t>(sizeof magic)) read(magic, sizeof magic, 0);
  for (const std::string_view earlier : kEarlier)
    if (std::string_view(magic, sizeof magic) == earlier) return std::nullopt;
  if (std::string_view(magic, sizeof magic) != kMagic)
    throw Error(path,
                ": not the store of a corpus; give the store another name, or remove the file");
  Tail tail;
  if (bytes < sizeof magic + sizeof tail) damaged("it is too short");
  read(&tail, sizeof tail, bytes - sizeof tail);
  if (std::string_view(tail.magic, sizeof tail.magic) != kMagic) damaged("its end is missing");
  if (tail.source_vocabulary != static_cast<std::uint64_t>(source_vocabulary) ||
      tail.target_vocabulary != static_cast<std::uint64_t>(target_vocabulary) ||
      tail.note != note.size())
    return std::nullopt;
  // Each of these is below 2^60 if the file has them, so that the sum cannot wrap around.
  for (const std::uint64_t n : {tail.pairs, tail.source_tokens, tail.target_tokens, tail.links,
                                tail.stretches, tail.remarks})
    if (n > bytes) damaged("the sizes at its end are wrong");
  if (tail.end(width) != bytes) damaged("the sizes at its end are wrong");
  std::size_t at = bytes - sizeof tail - tail.remarks - note.size();
  const std::vector<char> found = read_array<char>(note.size(), at);
  if (std::string_view(found.data(), found.size()) != note) return std::nullopt;
  return tail;
}

std::optional<PairStore> PairStore::open(const std::string& path, const std::string& note,
                                         int source_vocabulary, int target_vocabulary) {
  if (!file_exists(path)) return std::nullopt;
  if (!regular_file(path) && !is_folder(path))
    throw Error(path, ": is not a regular file, and a store is read again; give it another name");
  PairStore store(source_vocabulary, target_vocabulary);
  store.file_ = std::make_unique<File>();
  File& file = *store.file_;
  file.path = path;
  file.width = wide(source_vocabulary, target_vocabulary) ? 4 : 2;
  file.in = std::make_unique<Input>(path);
  const auto tail = file.read_tail(note, source_vocabulary, target_vocabulary);
  if (!tail) return std::nullopt;
  std::size_t at = tail->tokens_end(file.width);
  const auto source = file.read_array<std::uint32_t>(tail->pairs, at),
             target = file.read_array<std::uint32_t>(tail->pairs, at),
             links = file.read_array<std::uint32_t>(tail->link_counts(), at);
  store.stretches_ = file.read_array<Stretch>(tail->stretches, at);
  at += note.size();
  const std::vector<char> remarked = file.read_array<char>(tail->remarks, at);
  const std::string_view parts[] = {
      bytes_of(source),  bytes_of(target), bytes_of(links), bytes_of(store.stretches_), note,
      bytes_of(remarked)};
  if (tail->checksum != end_checksum(parts, *tail)) file.damaged("its end is not as it was stored");
  store.source_lengths_.reserve(source.size()), store.target_lengths_.reserve(target.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == 0 || target[i] == 0) file.damaged("a sentence has no tokens");
    store.add_lengths(source[i], target[i], links.empty() ? 0 : links[i]);
  }
  if (store.all_links_ != static_cast<std::int64_t>(tail->links) ||
      store.source_tokens_ != static_cast<std::int64_t>(tail->source_tokens) ||
      store.target_tokens_ != static_cast<std::int64_t>(tail->target_tokens))
    file.damaged("its lengths do not add up");
  store.source_hash_ = tail->source_hash, store.target_hash_ = tail->target_hash;
  store.source_unknown = tail->source_unknown, store.target_unknown = tail->target_unknown;
  for (auto begin = remarked.begin(), end = begin; begin != remarked.end(); begin = end + 1) {
    end = std::find(begin, remarked.end(), '\0');
    if (end == remarked.end()) file.damaged("a remark at its end has no end");
    store.remarks.emplace_back(begin, end);
  }
  return store;
}

void PairStore::add_lengths(std::uint32_t source, std::uint32_t target, std::uint32_t links) {
  if (size() % kAnchor == 0) anchors_.push_back(source_tokens_ + target_tokens_ + 2 * all_links_);
  if (links > 0) links_.resize(source_lengths_.size());
  if (links > 0 || has_links()) links_.push_back(links);
  all_links_ += links;
  source_lengths_.push_back(source);
  target_lengths_.push_back(target);
  source_tokens_ += source, target_tokens_ += target;
}

void PairStore::append(std::span<const std::int32_t> source, std::span<const std::int32_t> target,
                       std::span<const TokenLink> links) {
  TT_CHECK(!source.empty() && !target.empty());
  std::vector<std::int32_t> numbers;
  for (const TokenLink& link : links) numbers.insert(numbers.end(), {link.target, link.source});
  if (!wide(source_vocabulary_, target_vocabulary_) && !numbers.empty() &&
      *std::max_element(numbers.begin(), numbers.end()) > std::numeric_limits<std::uint16_t>::max())
    throw Error("pair ", size() + 1, ": a link leads to piece ",
                *std::max_element(numbers.begin(), numbers.end()),
                " of a sentence; links may be of the first 65,536: leave out longer pairs");
  if (file_) file_->put(2 * size(), source), file_->put(2 * size() + 1, target, numbers);
  else
    std::visit(
        [&](auto& tokens) {
          tokens.insert(tokens.end(), source.begin(), source.end());
          tokens.insert(tokens.end(), target.begin(), target.end());
          tokens.insert(tokens.end(), numbers.begin(), numbers.end());
        },
        tokens_);
  add_lengths(static_cast<std::uint32_t>(source.size()), static_cast<std::uint32_t>(target.size()),
              static_cast<std::uint32_t>(links.size()));
  source_hash_ = hashed(source_hash_, source);
  target_hash_ = hashed(hashed(target_hash_, target), numbers);
}

void PairStore::begin_stretch(double weight) {
  if (weight != (stretches_.empty() ? 1 : stretches_.back().weight))
    stretches_.push_back({size(), weight});
}

std::uint64_t PairStore::fingerprint() const {
  std::uint64_t hash = source_hash_ * 31 + target_hash_;
  for (const Stretch& s : stretches_)
    hash = (hash * 31 + static_cast<std::uint64_t>(s.begin)) * 31 +
           std::bit_cast<std::uint64_t>(s.weight);
  return hash;
}

std::int64_t PairStore::begin_of(std::int64_t i) const {
  TT_CHECK(i >= 0 && i < size());
  std::int64_t at = anchors_[static_cast<std::size_t>(i / kAnchor)];
  for (std::int64_t j = i / kAnchor * kAnchor; j < i; ++j)
    at += source_length(j) + target_length(j) + link_numbers(j);
  return at;
}

void PairStore::append_stored(std::vector<std::int32_t>& to, const Stored& s) const {
  if (!file_) {
    std::visit(
        [&](const auto& tokens) {
          const auto from = tokens.begin() + s.begin + s.first;
          to.insert(to.end(), from, from + s.length);
        },
        tokens_);
    return;
  }
  const std::size_t width = file_->width, size = static_cast<std::size_t>(s.all) * width;
  std::size_t from = kMagic.size() + static_cast<std::size_t>(s.begin) * width +
                     static_cast<std::size_t>(s.sentence) * kChecksum;
  const std::vector<char> bytes = file_->read_array<char>(size + kChecksum, from);
  std::uint32_t stored;
  std::memcpy(&stored, bytes.data() + size, kChecksum);
  if (stored != sentence_checksum(s.sentence, bytes.data(), size))
    file_->damaged("pair " + std::to_string(s.sentence / 2) + " is not as it was stored");
  const auto first = static_cast<std::size_t>(s.first),
             end = first + static_cast<std::size_t>(s.length);
  for (std::size_t at = first * width; at < end * width; at += width) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data() + at, width);
    if (number >= static_cast<std::uint32_t>(s.below))
      file_->damaged("it holds a number that is no piece");
    to.push_back(static_cast<std::int32_t>(number));
  }
}

void PairStore::append_source(std::vector<std::int32_t>& tokens, std::int64_t i) const {
  const std::int64_t length = source_length(i);
  append_stored(tokens, {2 * i, begin_of(i), length, 0, length, source_vocabulary_});
}

void PairStore::append_target(std::vector<std::int32_t>& tokens, std::int64_t i) const {
  const std::int64_t length = target_length(i);
  append_stored(tokens, {2 * i + 1, begin_of(i) + source_length(i), length + link_numbers(i), 0,
                         length, target_vocabulary_});
}

std::vector<TokenLink> PairStore::links(std::int64_t i) const {
  const std::int64_t length = target_length(i), numbers = link_numbers(i);
  std::vector<std::int32_t> stored;
  append_stored(stored, {2 * i + 1, begin_of(i) + source_length(i), length + numbers, length,
                         numbers, static_cast<int>(std::max(length, source_length(i)))});
  std::vector<TokenLink> links;
  for (std::size_t at = 0; at < stored.size(); at += 2)
    links.push_back({stored[at], stored[at + 1]});
  return links;
}

}  // namespace tt
