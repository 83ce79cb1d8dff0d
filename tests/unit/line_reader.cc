// Lines of plain and compressed text: no line before the damage is lost.
#include "base/line_reader.h"

#include <fcntl.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "base/line_files.h"
#include "base/map_lines.h"
#include "base/system.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

std::string compressed(const std::string& text) {
  z_stream stream{};
  TT_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string bytes(deflateBound(&stream, text.size()) + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  TT_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

std::string as_zstd(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

std::string as_xz(const std::string& text) {
  std::string bytes(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  TT_CHECK(lzma_easy_buffer_encode(3, LZMA_CHECK_CRC64, nullptr,
                                   reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                   reinterpret_cast<std::uint8_t*>(bytes.data()), &size,
                                   bytes.size()) == LZMA_OK);
  bytes.resize(size);
  return bytes;
}

struct Read {
  std::vector<std::string> lines;
  std::string error, warnings;
};

// All lines before the error, if there is one.
Read read(const std::string& bytes) {
  const Scratch scratch;
  const std::string path = scratch.file("in", bytes);
  CapturedErrors errors(scratch.path("errors"));
  LineReader in(path);
  Read read;
  std::string line;
  const auto all = [&] {
    while (in.next(line)) read.lines.push_back(line);
  };
  read.error = error_of(all);
  // Asked again, it says the same.
  CHECK(error_of(all) == read.error);
  read.warnings = errors.stop();
  for (auto* text : {&read.error, &read.warnings})
    for (auto at = text->find(path); at != text->npos; at = text->find(path))
      text->replace(at, path.size(), "in");
  return read;
}

TEST_CASE("every complete line of damaged or truncated gzip data is returned before the error") {
  const auto lines = made_up_lines(3000, 3);
  const std::string bytes = compressed(as_text(lines));
  const Read whole = read(bytes);
  CHECK(whole.lines == lines);
  CHECK(whole.error.empty());
  for (const std::size_t end :
       {3ul, 10ul, 11ul, 500ul, 20000ul, bytes.size() / 2, bytes.size() - 9, bytes.size() - 1}) {
    const Read part = read(bytes.substr(0, end));
    INFO(end);
    CHECK(part.lines == std::vector(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(
                                                                       part.lines.size())));
    CHECK(part.error == "in: truncated gzip data after line " + std::to_string(part.lines.size()) +
                            "; fetch the file again");
    // All that zlib can decompress has been read.
    if (end >= 20000) CHECK(part.lines.size() + 100 > lines.size() * end / bytes.size());
    if (end + 9 >= bytes.size()) CHECK(part.lines.size() == lines.size());
  }
  for (const std::size_t at :
       {bytes.size() / 2, bytes.size() - 6}) {  // the data, and their checksum
    std::string damaged = bytes;
    damaged[at] ^= '\x55';
    const Read part = read(damaged);
    CHECK(part.lines.size() > lines.size() / 3);
    CHECK(part.error == "in: damaged gzip data after line " + std::to_string(part.lines.size()));
  }
}

TEST_CASE("text that a truncated stream still holds when all its bytes are read is not lost") {
  std::string text;
  for (int i = 0; i < 600000; ++i) text += "a\n";
  const std::string bytes = compressed(text);
  for (std::size_t end = 40; end < bytes.size() - 20; end += 7) {
    // As zlib does it with room for everything.
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
    std::string all(text.size() + 1, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(end);
    stream.next_out = reinterpret_cast<Bytef*>(all.data());
    stream.avail_out = static_cast<uInt>(all.size());
    inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t lines = stream.total_out / 2;
    inflateEnd(&stream);
    INFO(end);
    REQUIRE(read(bytes.substr(0, end)).lines.size() == lines);
  }
}

TEST_CASE("gzip members may follow each other, and trailing data costs no line") {
  using Lines = std::vector<std::string>;
  const std::string a = compressed("a\nb"), c = compressed("c\nd\n");
  CHECK(read(a + c).lines == Lines{"a", "bc", "d"});
  CHECK(read(a + compressed("") + c).lines == Lines{"a", "bc", "d"});
  const Read padded = read(a + c + std::string(100000, '\0'));
  CHECK(padded.lines == Lines{"a", "bc", "d"});
  CHECK((padded.error + padded.warnings).empty());
  for (const std::string& behind : {std::string("junk\nx"), std::string("\x1f"),
                                    std::string("\x1f\x1f\x8b"), std::string("\0\0\x1f\x8b", 4) + c,
                                    std::string(1, '\x8b'), "x" + std::string(200000, 'x')}) {
    const Read ignored = read(a + c + behind);
    CHECK(ignored.lines == Lines{"a", "bc", "d"});
    CHECK(ignored.error.empty());
    CHECK(ignored.warnings == program_name() + ": in: ignored trailing data after the gzip data\n");
  }
  // The beginning of another member, that is none.
  CHECK(read(a + "\n\x1f\x8b" + std::string(3, 'x')).warnings != "");
  const Read broken = read(c + "\x1f\x8b" + std::string(30, 'x'));
  CHECK(broken.lines == Lines{"c", "d"});
  CHECK(broken.error == "in: damaged gzip data after line 2");
  // A member's first two bytes in different reads.
  std::string long_member = compressed("x\n");
  const std::string name = std::string((1 << 16) - 1 - long_member.size() - 1, 'n') + '\0';
  long_member[3] = 8;  // the header has a name
  long_member.insert(10, name);
  CHECK(read(long_member + c).lines == Lines{"x", "c", "d"});
}

TEST_CASE("zstd and xz are read as gzip is: whole, in several members, padded, cut and damaged") {
  const auto lines = made_up_lines(20000, 3);
  const std::string text = as_text(lines);
  for (const auto& [name, compress] :
       {std::pair{std::string("zstd"), &as_zstd}, std::pair{std::string("xz"), &as_xz},
        std::pair{std::string("gzip"), &compressed}}) {
    INFO(name);
    const std::string bytes = compress(text);
    CHECK(read(bytes).lines == lines);
    CHECK(read(bytes.substr(0, bytes.size() / 2) + bytes.substr(bytes.size() / 2)).error.empty());
    using Lines = std::vector<std::string>;
    const std::string two = compress("a\nb") + compress("") + compress("c\nd\n");
    CHECK(read(two).lines == Lines{"a", "bc", "d"});
    const Read padded = read(two + std::string(1 << 17, '\0'));
    CHECK(padded.lines == Lines{"a", "bc", "d"});
    CHECK((padded.error + padded.warnings).empty());
    const Read junk = read(two + "junk\n");
    CHECK(junk.lines == Lines{"a", "bc", "d"});
    CHECK(junk.warnings ==
          program_name() + ": in: ignored trailing data after the " + name + " data\n");
    for (const std::size_t end : {bytes.size() / 2, bytes.size() - 3}) {
      const Read part = read(bytes.substr(0, end));
      CHECK(part.lines == std::vector(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(
                                                                         part.lines.size())));
      CHECK(part.error == "in: truncated " + name + " data after line " +
                              std::to_string(part.lines.size()) + "; fetch the file again");
      if (end > bytes.size() / 2) CHECK(part.lines.size() > lines.size() / 3);
    }
    std::string damaged = bytes;
    for (std::size_t i = 0; i < 30; ++i) damaged[bytes.size() / 2 + i] ^= '\x55';
    CHECK(read(damaged).error.starts_with("in: damaged " + name + " data after line "));
  }
  // Of xz, other streams may follow zeros; of zstd, frames may be skipped.
  CHECK(read(as_xz("a\n") + std::string(8, '\0') + as_xz("b\n")).lines.size() == 2);
  const std::string skipped = std::string("\x53\x2a\x4d\x18\x03\0\0\0xyz", 11);
  CHECK(read(skipped + as_zstd("a\n") + skipped + as_zstd("b\n")).lines.size() == 2);
}

TEST_CASE("what is no text is refused by its name, and a mark of byte order is noted") {
  const auto utf16 = [](bool big) {
    std::string text = big ? "\xfe\xff" : "\xff\xfe";
    for (const char c : std::string("one\ntwo\n"))
      text += big ? std::string(1, '\0') + c : c + std::string(1, '\0');
    return text;
  };
  CHECK(read(utf16(false)).error ==
        "in: is UTF-16, not UTF-8; convert it first: iconv -f UTF-16 -t UTF-8 in");
  CHECK(read(utf16(true)).lines.empty());
  CHECK(read(utf16(true)).error != "");
  CHECK(read(compressed(utf16(true))).error.starts_with("in: is UTF-16"));
  CHECK(read(std::string("\xff\xfe\0\0a\0\0\0", 8)).error.starts_with("in: is UTF-32"));
  CHECK(read(std::string("\0\0\xfe\xff\0\0\0a", 8)).error.starts_with("in: is UTF-32"));
  CHECK(read(utf16(false).substr(2)).error ==
        "in: looks like UTF-16LE, not UTF-8; convert it first: iconv -f UTF-16LE -t UTF-8 in");
  CHECK(read(utf16(true).substr(2)).error.starts_with("in: looks like UTF-16BE"));
  CHECK(read(std::string("a\0b\n", 4)).lines.size() == 1);
  CHECK(read(std::string(257, 'x') + "ustar" + std::string(250, '\0')).error ==
        "in: is a tar archive, not text; take its files out first: tar -xOf in");
  CHECK(read("BZh91AY&SYxxx").error ==
        "in: is compressed by bzip2, not text; make text of it first: bzip2 -dc in");
  CHECK(read("BZh9 is a word\n").lines.size() == 1);
  CHECK(read("PK\x03\x04zip").error.starts_with("in: is a ZIP archive"));
  CHECK(read("%PDF-1.7\n%\xe2\xe3\n").error ==
        "in: is a PDF document, not text; make text of it first: pdftotext in");
  CHECK(read("%PDF- is a word\n").lines.size() == 1);
  CHECK(read("\x7f\x45LF\x02").error == "in: is a program, not text");
  CHECK(read("\x89PNG\r\n\x1a\n").error == "in: is a picture (PNG), not text");
  CHECK(read("PK\n").lines.size() == 1);
  CHECK(read("P").lines.size() == 1);
  CHECK(read("\xff\xfe bytes that are not UTF-8\n").lines.size() == 1);
  for (const auto& text : {std::string("\ufeffa\nb\n"), compressed("\ufeffa\nb\n")}) {
    const Read marked = read(text);
    CHECK(marked.lines == std::vector<std::string>{"\ufeffa", "b"});
    CHECK_THAT(marked.warnings,
               Contains("in: begins with a mark of byte order (U+FEFF), which is read as text"));
  }
  CHECK(read("a\n\ufeffb\n").warnings.empty());
}

TEST_CASE("no message is lost where stderr is a full pipe that does not block") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
  const int before = ::dup(2);
  ::dup2(ends[1], 2), ::close(ends[1]);
  std::string text;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (char block[4096];;) {
      const ssize_t got = ::read(ends[0], block, sizeof block);
      if (got == 0) return;
      if (got > 0) text.append(block, static_cast<std::size_t>(got));
      else std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  for (int i = 0; i < 2000; ++i) warn(std::string(100, 'x'));
  ::dup2(before, 2), ::close(before);
  reader.join();
  ::close(ends[0]);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2000);
}

TEST_CASE("messages show what may harm a terminal, and are not endless") {
  CHECK(printable("a\u202eb\u2028c\xff\x1b[2J\u0085\u2066\ufeff猫") ==
        R"(a\xe2\x80\xaeb\xe2\x80\xa8c\xff\x1b[2J\xc2\x85\xe2\x81\xa6\xef\xbb\xbf猫)");
  CHECK(std::string(Error("a", std::string("\0b", 2), "c").what()) == R"(a\x00bc)");
  const std::string cut = message("begins " + std::string(200000, 'x') + ": cannot be read");
  CHECK(cut.size() < 5000);
  CHECK(cut.starts_with("begins xxx"));
  CHECK(cut.ends_with("xxx: cannot be read"));
  CHECK(message(std::string(3000, 'x') + "猫") == std::string(3000, 'x') + "猫");
  CHECK(error_of([] { LineReader(std::string("line_reader.cc\0", 15)); }) ==
        R"(line_reader.cc\x00: cannot be read: No such file or directory)");
}

TEST_CASE(
    "a reader is ready for whole lines, and several files not for one that is still to be opened") {
  const Scratch scratch;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const auto put = [&](const std::string& text) {
    REQUIRE(::write(ends[1], text.data(), text.size()) > 0);
  };
  const std::string pipe = "/dev/fd/" + std::to_string(ends[0]);
  std::string line;
  {
    LineReader reader(pipe);
    CHECK_FALSE(reader.ready());
    put("one\ntw");
    REQUIRE(reader.ready());
    REQUIRE(reader.next(line));
    CHECK_FALSE(reader.ready());
    put("o\n");
    REQUIRE(reader.ready());
    REQUIRE(reader.next(line));
    CHECK(line == "two");
  }
  const std::string first = scratch.file("in", "a\n"), second = scratch.file("more", "b\n");
  LineFiles files({first, second, scratch.path("missing"), pipe});
  for (int i = 0; i < 2; ++i) {
    REQUIRE(files.ready());
    REQUIRE(files.next(line));
  }
  CHECK_FALSE(files.ready());
  for (int i = 0; i < 2; ++i) CHECK_THROWS_WITH(files.next(line), Contains("missing"));
  CHECK(files.line_number() == 2);
  ::close(ends[0]), ::close(ends[1]);
}

TEST_CASE("text without the gzip magic is plain") {
  using Lines = std::vector<std::string>;
  CHECK(read("").lines.empty());
  CHECK(read("\x1f").lines == Lines{"\x1f"});
  CHECK(read("\x1f\n\x8b").lines == Lines{"\x1f", "\x8b"});
  CHECK(read("\n\n").lines == Lines{"", ""});
}

TEST_CASE("all lines before a failure of the reader are mapped and written") {
  const auto lines = made_up_lines(3000, 4);
  const std::string bytes = compressed(as_text(lines));
  const Scratch scratch;
  const std::string cut = scratch.file("cut.gz", bytes.substr(0, bytes.size() - 20));
  const std::size_t whole = read(bytes.substr(0, bytes.size() - 20)).lines.size();
  for (const int threads : {1, 3})
    for (const std::size_t block : {1, 7, 1000, 5000}) {
      LineReader in(cut);
      Output out(scratch.path("out"));
      Progress bar("mapping", "lines");
      const auto same = [](std::vector<std::string>&& given, std::size_t, Team&) {
        return std::move(given);
      };
      CHECK(error_of([&] { map_lines(in, out, threads, block, bar, same); }).find("truncated") !=
            std::string::npos);
      out.close();
      CHECK(read_lines(scratch.path("out")) ==
            std::vector(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(whole)));
    }
}

TEST_CASE("what is left of the lines at the end is shared by the threads") {
  const Scratch scratch;
  const auto blocks = [&](std::size_t count, int threads, std::size_t block) {
    const std::string path = scratch.file("in", as_text(made_up_lines(count, 5)));
    LineReader in(path);
    Output out(scratch.path("out"));
    Progress bar("mapping", "lines");
    std::mutex mutex;
    std::map<std::size_t, std::size_t> sizes;  // by the number of the first line
    map_lines(in, out, threads, block, bar,
              [&](std::vector<std::string>&& given, std::size_t first, Team&) {
                const std::lock_guard lock(mutex);
                sizes[first] = given.size();
                return std::move(given);
              });
    out.close();
    CHECK(read_lines(scratch.path("out")) == read_lines(path));
    return sizes;
  };
  using Sizes = std::map<std::size_t, std::size_t>;
  CHECK(blocks(10, 4, 64) == Sizes{{1, 2}, {3, 3}, {6, 2}, {8, 3}});
  CHECK(blocks(2, 4, 64) == Sizes{{1, 1}, {2, 1}});
  CHECK(blocks(14, 2, 5) == Sizes{{1, 5}, {6, 5}, {11, 2}, {13, 2}});
  CHECK(blocks(7, 1, 5) == Sizes{{1, 5}, {6, 2}});
}

TEST_CASE("a block's tasks are done once each, also by threads that have no block") {
  const Scratch scratch;
  LineReader in(scratch.file("in", as_text(made_up_lines(9, 6))));
  Output out(scratch.path("out"));
  Progress bar("mapping", "lines");
  std::mutex mutex;
  std::vector<int> times(40);
  int size = 0;
  map_lines(in, out, 3, 4, bar,
            [&](std::vector<std::string>&& given, std::size_t first, Team& team) {
              if (first != 1)
                return std::move(given);  // those of the other two have nothing more to do
              team.run(0, [&](std::size_t, int) { times.clear(); });
              size = team.threads();
              team.run(times.size(), [&](std::size_t i, int) {
                const std::lock_guard lock(mutex);
                ++times[i];
              });
              // None of the three tasks ends before all have begun: each on a thread of its own.
              std::barrier all(3);
              team.run(3, [&](std::size_t, int) { all.arrive_and_wait(); });
              return std::move(given);
            });
  out.close();
  CHECK(size == 3);
  CHECK(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
  for (const int count : {1, 3}) {
    LineReader again(scratch.file("in", as_text(made_up_lines(2, 6))));
    const auto failing = [](std::vector<std::string>&& given, std::size_t, Team& team) {
      team.run(5, [](std::size_t i, int) {
        if (i >= 2) throw Error("task ", i);
      });
      return std::move(given);
    };
    CHECK(error_of([&] { map_lines(again, out, count, 4, bar, failing); }) == "task 2");
  }
}

TEST_CASE("steps of blocks are taken in the order of the blocks") {
  const Scratch scratch;
  const auto lines = made_up_lines(300, 7);
  const std::string path = scratch.file("in", as_text(lines));
  for (const int threads : {1, 2, 5}) {
    LineReader in(path);
    Output out(scratch.path("out"));
    Progress bar("mapping", "lines");
    std::vector<std::size_t> order;  // which no lock guards
    map_lines(in, out, threads, 4, bar,
              [&](std::vector<std::string>&& given, std::size_t first, Team& team) {
                if (first % 3 == 0) std::this_thread::yield();
                if (first % 5 == 0) return std::move(given);  // takes no step
                team.in_turn([&] { order.push_back(first); });
                return std::move(given);
              });
    out.close();
    CHECK(order.size() > 50);
    CHECK(std::ranges::is_sorted(order));
    CHECK(read_lines(scratch.path("out")) == lines);
    LineReader again(path);
    Output other(scratch.path("other"));
    const auto failing = [](std::vector<std::string>&& given, std::size_t first, Team& team) {
      team.in_turn([&] {
        if (first > 20) throw Error("a step");
      });
      return std::move(given);
    };
    CHECK(error_of([&] { map_lines(again, other, threads, 4, bar, failing); }) == "a step");
  }
}

TEST_CASE("a pipe that another process has made non-blocking is waited for") {
  int ends[2];
  TT_CHECK(::pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
  const std::string text(300000, 'x');  // more than a pipe holds
  std::thread writer([&] {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t put = sys::write(ends[1], text.data() + at, text.size() - at);
      if (put <= 0) break;
      at += static_cast<std::size_t>(put);
    }
    sys::close(ends[1]);
  });
  std::string found;
  char some[4096];
  ssize_t got;
  while ((got = sys::read(ends[0], some, sizeof some)) > 0)
    found.append(some, static_cast<std::size_t>(got));
  writer.join();
  sys::close(ends[0]);
  CHECK(got == 0);
  CHECK(found == text);
}

}  // namespace
}  // namespace tt
