#include "base/bytes.h"

namespace tt {

void check_downloaded(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("version https://git-lfs"))
    throw Error(path,
                ": is a pointer of Git LFS in place of the file; fetch that with \"git lfs pull\"");
  const std::size_t text = bytes.find_first_not_of(" \t\r\n");
  if (text != std::string_view::npos &&
      (bytes.substr(text).starts_with("<!") || bytes.substr(text).starts_with("<h")))
    throw Error(path, ": is a web page in place of the file; download it again");
}

}  // namespace tt
