#include "base/reasons.h"

#include <algorithm>
#include <vector>

#include "base/report.h"

namespace tt {

Reasons::~Reasons() {
  std::vector<const Lines*> all;
  for (const auto& [reason, lines] : reasons_) all.push_back(&lines);
  std::ranges::stable_sort(all, {}, [](const Lines* lines) { return lines->first; });
  for (const Lines* lines : all)
    warn(where_(lines->first) + ": " + lines->text +
         (lines->count == 1 ? "" : " (" + with_commas(lines->count) + " such lines)"));
}

void Reasons::add(const std::string& reason, std::size_t line, const std::string& text) {
  const std::lock_guard lock(mutex_);
  Lines& lines = reasons_[reason];
  if (lines.count++ > 0 && line >= lines.first) return;
  lines.first = line;
  lines.text = text.empty() ? reason : text;
}

}  // namespace tt
