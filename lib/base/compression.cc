#include "base/compression.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <new>

#include "base/error.h"

namespace tt {
namespace {

using Status = Decompressor::Status;

// Marks as used what a library has used.
void used(std::string_view& in, std::size_t left_in, std::span<char>& out, std::size_t left_out) {
  in.remove_prefix(in.size() - left_in);
  out = out.last(left_out);
}

class Gzip : public Decompressor {
 public:
  explicit Gzip(const std::string& file) {
    if (::inflateInit2(&stream_, 15 + 16) != Z_OK)
      throw Error(file, ": zlib cannot be initialised");
  }
  ~Gzip() override { ::inflateEnd(&stream_); }
  void restart() override { ::inflateReset(&stream_); }
  Status decompress(std::string_view& in, std::span<char>& out) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    used(in, stream_.avail_in, out, stream_.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    return status == Z_STREAM_END                    ? Status::end
           : status == Z_OK || status == Z_BUF_ERROR ? Status::more
                                                     : Status::damaged;
  }

 private:
  z_stream stream_{};
};

class Zstd : public Decompressor {
 public:
  explicit Zstd(const std::string& file) : stream_(::ZSTD_createDStream()) {
    // As zstd --long=31 writes it; memory is taken when it is needed.
    if (!stream_ || ::ZSTD_isError(::ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax,
                                                            sizeof(void*) == 4 ? 30 : 31)))
      throw Error(file, ": libzstd cannot be initialised");
  }
  ~Zstd() override { ::ZSTD_freeDStream(stream_); }
  void restart() override { ::ZSTD_DCtx_reset(stream_, ZSTD_reset_session_only); }
  Status decompress(std::string_view& in, std::span<char>& out) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t status = ::ZSTD_decompressStream(stream_, &to, &from);
    used(in, from.size - from.pos, out, to.size - to.pos);
    if (::ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    return ::ZSTD_isError(status) ? Status::damaged : status == 0 ? Status::end : Status::more;
  }

 private:
  ZSTD_DStream* stream_;
};

class Xz : public Decompressor {
 public:
  explicit Xz(const std::string& file) {
    if (start() != LZMA_OK) throw Error(file, ": liblzma cannot be initialised");
  }
  ~Xz() override { ::lzma_end(&stream_); }
  void restart() override {
    if (start() != LZMA_OK) throw std::bad_alloc();
  }
  Status decompress(std::string_view& in, std::span<char>& out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = ::lzma_code(&stream_, LZMA_RUN);
    used(in, stream_.avail_in, out, stream_.avail_out);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    return status == LZMA_STREAM_END                       ? Status::end
           : status == LZMA_OK || status == LZMA_BUF_ERROR ? Status::more
                                                           : Status::damaged;
  }

 private:
  lzma_ret start() { return ::lzma_stream_decoder(&stream_, ~std::uint64_t{0}, 0); }
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

template <class Kind>
std::unique_ptr<Decompressor> make(const std::string& file) {
  return std::make_unique<Kind>(file);
}

// Frames, and those that zstd and pzstd skip.
std::vector<std::string> zstd_magics() {
  std::vector<std::string> magics = {"\x28\xb5\x2f\xfd"};
  for (char kind = '\x50'; kind <= '\x5f'; ++kind)
    magics.push_back(std::string(1, kind) + "\x2a\x4d\x18");
  return magics;
}

// Without a remedy, there is no text in the file that a filter of lines could read.
struct Foreign {
  std::string magic;
  const char *what, *remedy;
};

const std::vector<Foreign>& foreign() {
  static const std::vector<Foreign> kinds = [] {
    std::vector<Foreign> made = {
        {"\x1f\x9d", "compressed by compress", "gzip -dc"},
        {"\x04\x22\x4d\x18", "compressed by lz4", "lz4 -dc"},
        {"LZIP\x01", "compressed by lzip", "lzip -dc"},
        {std::string("\x89LZO\0\r\n\x1a\n", 9), "compressed by lzop", "lzop -dc"},
        {"PK\x03\x04", "a ZIP archive", "unzip -p"},
        {"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z e -so"},
        {"Rar!\x1a\x07", "a RAR archive", "unrar p"},
        {"%PDF-1.", "a PDF document", "pdftotext"},
        {"%PDF-2.", "a PDF document", "pdftotext"},
        {"{\\rtf1", "an RTF document", "unrtf --text"},
        {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of older Office programs", ""},
        {"\x7f\x45LF", "a program", ""},
        {"\x89PNG\r\n\x1a\n", "a picture (PNG)", ""},
        {"\xff\xd8\xff", "a picture (JPEG)", ""},
        {std::string("SQLite format 3\0", 16), "a database of SQLite", ""},
    };
    for (char level = '1'; level <= '9'; ++level)  // a block, or the end of nothing
      for (const char* block : {"1AY&SY", "\x17\x72\x45\x38\x50\x90"})
        made.push_back({std::string("BZh") + level + block, "compressed by bzip2", "bzip2 -dc"});
    return made;
  }();
  return kinds;
}

// Whether the first characters are ASCII in UTF-16, where no mark of byte order tells: every second
// byte is NUL. Begins in that way, if there are not enough of them.
constexpr std::size_t kWideBytes = 8;
bool looks_wide(std::string_view bytes, std::size_t nul) {
  bytes = bytes.substr(0, kWideBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if ((bytes[i] == '\0') != (i % 2 == nul)) return false;
  return bytes.size() > 1;
}

// The kind of model that begins so, if it is one that these programs read.
const char* kind_of_model(std::string_view bytes) {
  using std::string_view_literals::operator""sv;
  // The length of the header, less than 4 GiB, and the header.
  if (bytes.size() > 9 && bytes.substr(4, 6) == "\0\0\0\0{\""sv) return "a model (safetensors)";
  // A message with a message with a text, the first piece; then its score.
  const auto at = [&](std::size_t i) { return i < bytes.size() ? bytes[i] : '\0'; };
  const std::size_t piece = static_cast<unsigned char>(at(3));
  if (at(0) == '\n' && at(2) == '\n' && at(4 + piece) == '\x15') return "a subword model";
  return nullptr;
}

bool is_beginning(std::string_view bytes, std::string_view of) {
  return bytes.size() < of.size() && of.starts_with(bytes);
}

}  // namespace

const std::vector<Compression>& compressions() {
  static const std::vector<Compression> all = {
      {"gzip", {"\x1f\x8b"}, false, make<Gzip>},
      {"zstd", zstd_magics(), false, make<Zstd>},
      {"xz", {std::string("\xfd\x37zXZ\0", 6)}, true, make<Xz>},
  };
  return all;
}

bool may_be_magic(std::string_view bytes) {
  for (const Compression& compression : compressions())
    for (const std::string& magic : compression.magics)
      if (is_beginning(bytes, magic)) return true;
  for (const Foreign& kind : foreign())
    if (is_beginning(bytes, kind.magic)) return true;
  if (bytes.size() < kWideBytes && (looks_wide(bytes, 0) || looks_wide(bytes, 1))) return true;
  // A few characters of UTF-16 are enough to know it.
  return bytes.size() < 16 && (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff") ||
                               is_beginning(bytes, "\xff\xfe") || is_beginning(bytes, "\xfe\xff") ||
                               is_beginning(bytes, std::string_view("\0\0\xfe\xff", 4)));
}

std::string not_text(std::string_view bytes, const std::string& file) {
  const std::string at = file == "(stdin)" ? "" : " " + file;
  for (const Foreign& kind : foreign())
    if (bytes.starts_with(kind.magic))
      return "is " + std::string(kind.what) + ", not text" +
             (*kind.remedy ? "; make text of it first: " + std::string(kind.remedy) + at : "");
  if (const char* const kind = kind_of_model(bytes))
    return "is " + std::string(kind) + ", not text";
  if (bytes.size() >= 262 && bytes.substr(257, 5) == "ustar")
    return "is a tar archive, not text; take its files out first: tar -xOf" +
           (at.empty() ? " -" : at);
  for (const std::size_t nul : {0, 1})
    if (bytes.size() >= kWideBytes && looks_wide(bytes, nul)) {
      const std::string name = nul == 0 ? "UTF-16BE" : "UTF-16LE";
      return "looks like " + name + ", not UTF-8; convert it first: iconv -f " + name +
             " -t UTF-8" + at;
    }
  const auto begins = [&](std::string_view mark) { return bytes.starts_with(mark); };
  const bool wide = begins({"\xff\xfe\0\0", 4}) || begins({"\0\0\xfe\xff", 4});
  // Two bytes that are no UTF-8 may be all that is wrong with a text; NULs tell.
  const bool narrow =
      (begins("\xff\xfe") || begins("\xfe\xff")) && bytes.find('\0') != std::string_view::npos;
  if (!wide && !narrow) return "";
  const std::string name = wide ? "UTF-32" : "UTF-16";
  return "is " + name + ", not UTF-8; convert it first: iconv -f " + name + " -t UTF-8" + at;
}

}  // namespace tt
