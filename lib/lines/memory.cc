#include "lines/memory.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/reasons.h"
#include "base/utf8.h"
#include "lines/transforms.h"

namespace tt {
namespace {

// Of a slot: 16 bits of the hash, one whether there are several translations, 47 of the place.
constexpr std::uint64_t kHash = ~std::uint64_t{0} << 48, kSeveral = std::uint64_t{1} << 47,
                        kPlace = kSeveral - 1;

std::string_view column(std::string_view line, int number) {
  for (; number > 1 && !line.empty(); --number)
    line.remove_prefix(std::min(line.find('\t'), line.size() - 1) + 1);
  return line.substr(0, line.find('\t'));
}

std::uint64_t hash_of(std::string_view source) { return std::hash<std::string_view>()(source); }

}  // namespace

Memory::Memory(const std::string& path) {
  if (const auto status = regular_file(path); !status || status->size > 0)
    text_ = file_.emplace(path).text();
  std::string_view rest = text_;
  if (rest.starts_with("\x1f\x8b") || rest.starts_with("\3757zXZ") ||
      rest.starts_with("\x28\xb5\x2f\xfd"))
    throw Error(path, ": is compressed; a memory is looked into where it lies: unpack it");
  const auto lines = static_cast<std::size_t>(std::ranges::count(rest, '\n')) + 1;
  slots_.resize(std::bit_ceil(lines + lines / 3 + 1));
  Reasons reasons([&](std::size_t line) { return path + ":" + std::to_string(line); });
  if (rest.starts_with("\ufeff")) rest.remove_prefix(3);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n')), source = column(line, 1),
                           translation = column(line, 2);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const bool damaged = first_invalid_utf8(line) != std::string_view::npos;
    const auto blank = [](std::string_view text) {
      return text.find_first_not_of(" \r") == text.npos;
    };
    if (damaged || blank(source) || blank(translation)) {
      if (line.empty()) continue;
      ++left_out_;
      reasons.add(damaged ? "not UTF-8; left out" : "no source TAB translation; left out", number);
      continue;
    }
    const std::uint64_t hash = hash_of(source);
    std::uint64_t& slot = slots_[slot_of(source, hash)];
    const bool other =
        slot != 0 && ((slot & kSeveral) != 0 || column(line_at(slot), 2) != translation);
    slot = (hash & kHash) | (other ? kSeveral : 0) |
           static_cast<std::uint64_t>(line.data() - text_.data() + 1);
  }
  MappedFile::forget(text_.data(), text_.size());
}

// That of the source, or the free one where it would be.
std::size_t Memory::slot_of(std::string_view source, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask)
    if (((slots_[at] ^ hash) & kHash) == 0 && column(line_at(slots_[at]), 1) == source) break;
  return at;
}

std::string_view Memory::line_at(std::uint64_t slot) const {
  const std::string_view text = text_.substr((slot & kPlace) - 1);
  return text.substr(0, text.find('\n'));
}

std::optional<Memory::Found> Memory::find(std::string_view source) const {
  const std::uint64_t slot = slots_[slot_of(source, hash_of(source))];
  if (slot == 0) return std::nullopt;
  return Found{column(line_at(slot), 2), (slot & kSeveral) != 0};
}

namespace {

void put_remembered(const std::string& translation, LineTranslation& found, LineText&) {
  found.result.best.resize(1);
  found.result.best[0].text = translation;
  found.written = 1;
}

}  // namespace

Transform memory_transform(const LineOptions& options, const LineModels&) {
  if (!options.memory) return nullptr;
  return [&memory = *options.memory](LineText& line) -> Undo {
    // A memory is of one pair of languages.
    if (!line.languages.from.empty() || !line.languages.to.empty()) return {};
    const auto found = memory.find(line.text);
    if (!found || !found->translation.starts_with(line.prefix)) return {};
    if (found->several) line.problems.add({Reason::several_in_memory});
    line.text.clear();
    line.prefix.clear();
    line.remembered = true;
    return {.put_back = std::bind_front(put_remembered, std::string(found->translation))};
  };
}

}  // namespace tt
