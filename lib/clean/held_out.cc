#include "clean/held_out.h"

#include "base/error.h"
#include "base/line_reader.h"
#include "base/split.h"
#include "base/utf8.h"
#include "text/pair_reader.h"

namespace tt::clean {

HeldOut::HeldOut(const std::vector<std::string>& files) : lines_(~std::size_t{0}) {
  for (const std::string& file : files) {
    LineReader in(file);
    Side side;
    for (std::string_view line; in.next(line);) {
      refuse_xml(in, line, "text");
      if (first_invalid_utf8(line) != std::string_view::npos)
        throw Error(in.where(), ": not UTF-8; convert the file with iconv");
      for (const std::string_view column : split(line, '\t')) {
        read_side(column, side);
        if (side.length > 0) lines_.insert(side.key);
      }
    }
  }
}

}  // namespace tt::clean
