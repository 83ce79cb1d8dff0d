#include "base/zip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/bytes.h"
#include "base/error.h"

namespace tt {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50,
                        kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr std::size_t kEndSize = 22, kLocatorSize = 20;
constexpr std::uint16_t kExtra64 = 1, kUtf8 = 1 << 11;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number stands in the extra field of 64 bits
constexpr std::size_t kAlignment = 64;

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

struct Directory {
  std::uint64_t begin, count;  // its place, and its members
};

// The directory of an archive, which its end names, in 32 or 64 bits.
Directory find_directory(std::string_view bytes, const std::string& path) {
  std::string end;
  append_number(end, kEnd);
  const std::size_t at =
      bytes.size() < kEndSize ? std::string_view::npos : bytes.rfind(end, bytes.size() - kEndSize);
  if (at == std::string_view::npos)
    throw Error(path, bytes.starts_with("PK")
                          ? ": is a truncated zip archive: its directory is missing; copy it again"
                          : ": is no zip archive, as .npz and .docx files are");
  ByteReader reader(bytes, path);
  reader.go_to(at + 10);
  Directory found{};
  found.count = reader.number<std::uint16_t>();
  reader.number<std::uint32_t>();
  found.begin = reader.number<std::uint32_t>();
  if (found.count != 0xFFFF && found.begin != kIn64) return found;
  const auto missing = [&] {
    return Error(path, ": is damaged: its directory is missing; copy it again");
  };
  if (at < kLocatorSize) throw missing();
  reader.go_to(at - kLocatorSize);
  if (reader.number<std::uint32_t>() != kLocator64) return found;
  reader.number<std::uint32_t>();
  reader.go_to(reader.number<std::uint64_t>());
  if (reader.number<std::uint32_t>() != kEnd64) throw missing();
  reader.take(28);
  found.count = reader.number<std::uint64_t>();
  reader.number<std::uint64_t>();
  found.begin = reader.number<std::uint64_t>();
  return found;
}

}  // namespace

ZipFile::ZipFile(const std::string& path) : path_(path), file_(std::make_unique<MappedFile>(path)) {
  read_directory();
}

void ZipFile::read_directory() {
  const std::string_view bytes = file_->text();
  check_downloaded(bytes, path_);
  const auto [begin, count] = find_directory(bytes, path_);
  ByteReader reader(bytes, path_);
  reader.go_to(begin);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (reader.number<std::uint32_t>() != kCentral)
      throw Error(path_, ": is damaged: its directory is not whole; copy it again");
    Member member;
    reader.take(4);
    const auto flags = reader.number<std::uint16_t>();
    member.method = reader.number<std::uint16_t>();
    reader.take(4);
    member.crc = reader.number<std::uint32_t>();
    member.packed = reader.number<std::uint32_t>();
    member.size = reader.number<std::uint32_t>();
    const auto name_size = reader.number<std::uint16_t>(),
               extra_size = reader.number<std::uint16_t>(),
               comment_size = reader.number<std::uint16_t>();
    reader.take(8);
    std::uint64_t header = reader.number<std::uint32_t>();
    const std::string name(reader.take(name_size));
    ByteReader extra(reader.take(extra_size), path_);
    while (extra.left() >= 4) {
      const auto kind = extra.number<std::uint16_t>(), size = extra.number<std::uint16_t>();
      ByteReader field(extra.take(size), path_);
      if (kind != kExtra64) continue;
      for (std::uint64_t* number : {&member.size, &member.packed, &header})
        if (*number == kIn64) *number = field.number<std::uint64_t>();
    }
    reader.take(comment_size);
    member.utf8 = flags & kUtf8;
    if (flags & 1) throw Error(path_, ": ", in_quotes(name), " is encrypted");
    if (member.method != 0 && member.method != 8)
      throw Error(path_, ": ", in_quotes(name), " is packed by method ", member.method,
                  "; only deflate can be read");
    find_data(member, name, header);
    if (!members_.emplace(name, member).second)
      throw Error(path_, ": is damaged: it has two members ", in_quotes(name));
  }
  check_apart(begin);
}

// The data begin behind a header of their own.
void ZipFile::find_data(Member& member, const std::string& name, std::uint64_t header) const {
  ByteReader reader(file_->text(), path_);
  reader.go_to(header);
  if (reader.number<std::uint32_t>() != kLocal)
    throw Error(path_, ": is damaged: ", in_quotes(name), " is not where the directory says");
  reader.take(22);
  const auto name_size = reader.number<std::uint16_t>(),
             extra_size = reader.number<std::uint16_t>();
  reader.take(name_size);
  reader.take(extra_size);
  member.begin = reader.place();
  reader.take(member.packed);
}

void ZipFile::check_apart(std::uint64_t directory) const {
  std::map<std::uint64_t, std::pair<std::uint64_t, const std::string*>>
      places;  // by their beginnings, with their ends
  const auto overlap = [&](const std::string& name) {
    throw Error(path_, ": is damaged: ", in_quotes(name), " overlaps with another member");
  };
  for (const auto& [name, member] : members_)
    if (member.packed > 0 &&
        !places.emplace(member.begin, std::pair(member.begin + member.packed, &name)).second)
      overlap(name);
  std::uint64_t next = directory;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (place->second.first > next) overlap(*place->second.second);
    next = place->first;
  }
}

const ZipFile::Member& ZipFile::member(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) throw Error(path_, ": has no member ", in_quotes(name));
  return found->second;
}

std::string_view ZipFile::packed(const Member& member) const {
  return file_->text().substr(member.begin, member.packed);
}

std::optional<std::string_view> ZipFile::stored(const std::string& name) const {
  const Member& found = member(name);
  if (found.method != 0 || found.size != found.packed) return std::nullopt;
  if (!found.sound && crc_of(packed(found)) != found.crc) return std::nullopt;
  found.sound = true;
  return packed(found);
}

std::string ZipFile::read_head(const std::string& name, std::size_t most) const {
  const Member& found = member(name);
  const auto damaged = [&] {
    throw Error(path_, ": is damaged: ", in_quotes(name), " cannot be unpacked; copy it again");
  };
  const std::string_view from = packed(found);
  if (found.method == 0) {
    if (found.size != found.packed) damaged();
    return std::string(from.substr(0, most));
  }
  if (from.size() > std::numeric_limits<uInt>::max() ||
      found.size > std::numeric_limits<uInt>::max())
    damaged();
  std::string bytes(std::min<std::uint64_t>(found.size, most), '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) damaged();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
  stream.avail_in = static_cast<uInt>(from.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (stream.avail_out != 0 || (bytes.size() == found.size && status != Z_STREAM_END)) damaged();
  return bytes;
}

std::string ZipFile::read(const std::string& name) const {
  const Member& found = member(name);
  if (found.size > most_from(file_->size()))
    throw Error(path_, ": is damaged: ", in_quotes(name), " would have ", found.size,
                " bytes, the archive has ", file_->size());
  std::string bytes = read_head(name, found.size);
  if (crc_of(bytes) != found.crc)
    throw Error(path_, ": is damaged: ", in_quotes(name), " cannot be unpacked; copy it again");
  return bytes;
}

std::string deflated(std::string_view bytes, ZipFile::Member& member) {
  TT_CHECK(bytes.size() <= std::numeric_limits<uInt>::max());
  z_stream stream{};
  TT_CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                        Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  TT_CHECK(status == Z_STREAM_END);
  member.method = 8, member.packed = packed.size(), member.size = bytes.size();
  member.crc = crc_of(bytes);
  return packed;
}

void ZipWriter::add(const std::string& name, std::string_view bytes) {
  // An extra field of a kind that nobody reads brings the data to their place.
  const std::uint64_t header = 30 + name.size() + 4;
  const auto padding =
      static_cast<std::uint16_t>((kAlignment - (place_ + header) % kAlignment) % kAlignment);
  std::string extra;
  append_number(extra, std::uint16_t{0x4246}, padding);  // "FB", as PyTorch
  extra.append(padding, 'Z');
  ZipFile::Member member;
  member.packed = member.size = bytes.size(), member.crc = crc_of(bytes);
  put(name, member, bytes, extra);
}

void ZipWriter::add_packed(const std::string& name, const ZipFile::Member& member,
                           std::string_view packed) {
  put(name, member, packed, "");
}

void ZipWriter::put(const std::string& name, const ZipFile::Member& member, std::string_view packed,
                    const std::string& extra) {
  TT_CHECK(packed.size() == member.packed && member.size < kIn64 && packed.size() < kIn64);
  std::string local, common;
  // The version, flags, method, and 1980-01-01 00:00, so that the same members are the same file.
  append_number(common, std::uint16_t{20}, member.utf8 ? kUtf8 : std::uint16_t{0},
                static_cast<std::uint16_t>(member.method), std::uint32_t{0x210000}, member.crc,
                static_cast<std::uint32_t>(packed.size()), static_cast<std::uint32_t>(member.size),
                static_cast<std::uint16_t>(name.size()));
  append_number(local, kLocal);
  local += common;
  append_number(local, static_cast<std::uint16_t>(extra.size()));
  local += name + extra;
  append_number(directory_, kCentral, std::uint16_t{20});
  directory_ += common;
  // No extra field, no comment, first disk, no attributes.
  directory_.append(12, '\0');
  TT_CHECK(place_ < kIn64);
  append_number(directory_, static_cast<std::uint32_t>(place_));
  directory_ += name;
  file_.write(local);
  file_.write(packed);
  place_ += local.size() + packed.size();
  ++members_;
}

void ZipWriter::finish() {
  TT_CHECK(members_ < 0xFFFF && place_ < kIn64);
  const auto size = static_cast<std::uint32_t>(directory_.size());
  const auto count = static_cast<std::uint16_t>(members_);
  append_number(directory_, kEnd, std::uint32_t{0}, count, count, size,
                static_cast<std::uint32_t>(place_), std::uint16_t{0});
  file_.write(directory_);
}

}  // namespace tt
