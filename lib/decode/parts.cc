#include "decode/parts.h"

#include <algorithm>
#include <string_view>

#include "text/cut.h"

namespace tt {
namespace {

constexpr std::size_t kPart = 128;  // pieces, where a line is cut: models are trained on sentences

// Appends a stretch of a line in as few parts of at most `longest` pieces as there can be: one,
// unless a character has more pieces; none of nothing.
void append_parts(const PartPieces& pieces, std::size_t longest, std::vector<PartPieces>& parts) {
  std::size_t most = 0;
  for (const auto& one : pieces) most = std::max(most, one.size());
  const std::size_t count = (most + longest - 1) / longest;
  for (std::size_t p = 0; p < count; ++p) {
    PartPieces& part = parts.emplace_back();
    for (const auto& one : pieces) {
      const auto at = [&](std::size_t i) {
        return one.begin() + static_cast<std::ptrdiff_t>(i * one.size() / count);
      };
      part.emplace_back(at(p), at(p + 1));
    }
  }
}

}  // namespace

CutLine cut_line(const std::string& line, std::span<const Subword* const> subwords,
                 std::int64_t most) {
  const auto longest = static_cast<std::size_t>(most);
  PartPieces pieces(subwords.size());
  // Sets them to those of a text, and returns the number of the model that needs most.
  const auto encode = [&](std::string_view text) {
    std::size_t count = 0;
    for (std::size_t m = 0; m < subwords.size(); ++m) {
      subwords[m]->encode(text, pieces[m]);
      count = std::max(count, pieces[m].size());
    }
    return count;
  };
  CutLine result;
  result.cut = encode(line) > longest;
  if (!result.cut) {
    append_parts(pieces, longest, result.parts);
    return result;
  }
  for (const std::string_view stretch : split_text(line, std::min(longest, kPart), encode)) {
    encode(stretch);
    append_parts(pieces, longest, result.parts);
  }
  return result;
}

}  // namespace tt
