// Destinations of pictures: formats, and files that are complete or untouched.
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "plot/show.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

// A folder for the files of a test, removed at the end.
struct Folder {
  Folder() {
    char name[] = "/tmp/tt-plot-XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

Figure sample(std::int64_t columns) {
  Heatmap map;
  map.rows = 1, map.columns = columns;
  map.values.assign(static_cast<std::size_t>(columns), 0.5f);
  return {"", {map}, 1};
}

TEST_CASE("the format is the one given, or else that of the suffix") {
  CHECK(picture_format("a.png") == PictureFormat::png);
  CHECK(picture_format("a.b/c.SVG") == PictureFormat::svg);
  CHECK(picture_format("x.Pdf") == PictureFormat::pdf);
  CHECK(picture_format("x.html") == PictureFormat::html);
  CHECK(picture_format("a.png", "svg") == PictureFormat::svg);
  CHECK(picture_format("picture", "pdf") == PictureFormat::pdf);
  for (const char* path : {"a.jpg", "png", "folder.png/file", ".", "", "/tmp"})
    CHECK_THROWS_AS(picture_format(path), Error);
}

TEST_CASE("streams get PNG") {
  const Folder folder;
  const std::string pipe = folder.path + "/pipe", named = folder.path + "/pipe.svg";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  REQUIRE(::mkfifo(named.c_str(), 0600) == 0);
  CHECK(picture_format("-") == PictureFormat::png);
  CHECK(picture_format("-", "svg") == PictureFormat::svg);
  CHECK(picture_format("/dev/stdout") == PictureFormat::png);
  CHECK(picture_format(pipe) == PictureFormat::png);
  CHECK(picture_format(named) == PictureFormat::svg);
}

TEST_CASE("a picture that cannot be drawn leaves nothing behind, and the old file untouched") {
  const Folder folder;
  const std::string path = folder.path + "/kept.png";
  {
    Output out(path);
    out.write("old");
  }
  Figure huge = sample(1);
  auto& map = std::get<Heatmap>(huge.panels[0]);
  map.y.names = {"a"};
  map.rows = 10000, map.y.names.assign(10000, "a"), map.values.assign(10000, 0.5f);
  CHECK_THROWS_WITH(Viewer({path, "", ""}).show(huge), Contains("points; draw less of it"));
  CHECK(read_file(path) == "old");
  // Said before anything is drawn.
  CHECK_THROWS_WITH(Viewer({folder.path + "/missing/a.png", "", ""}),
                    Contains("missing/a.png: cannot be written"));
  REQUIRE(::mkdir((folder.path + "/b.png").c_str(), 0700) == 0);
  CHECK_THROWS_WITH(Viewer({folder.path + "/b.png", "", ""}), Contains("b.png: is a folder"));
  std::filesystem::remove(folder.path + "/b.png");
  Viewer({path, "", ""}).show(sample(3));
  CHECK(read_file(path).substr(1, 3) == "PNG");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path))
    ++files;
  CHECK(files == 1);
}

}  // namespace
}  // namespace tt::plot
