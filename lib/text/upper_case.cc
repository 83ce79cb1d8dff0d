#include "text/upper_case.h"

#include "base/capitals.h"
#include "base/error.h"
#include "base/random.h"
#include "base/setting.h"
#include "base/utf8.h"
#include "text/respell.h"

namespace tt {
namespace {

constexpr std::uint32_t kStream = 0x63757475;  // of random numbers

}  // namespace

bool has_capitals(const Subword& subword) {
  for (int i = 0; i < subword.size(); ++i)
    if (const std::string piece = subword.piece(i); !piece.starts_with('<'))
      for (const char *at = piece.data(), *end = at + piece.size(); at < end;)
        if (is_capital(next_code_point(at, end))) return true;
  return false;
}

UpperCase::UpperCase(const Subword& source, const Subword& target, double share, std::uint64_t seed,
                     std::int64_t max_length)
    : source_(source), target_(target), share_(share), seed_(seed), max_length_(max_length) {
  for (const auto& [subword, side] : {std::pair(&source, "source"), {&target, "target"}})
    if (share > 0 && !has_capitals(*subword))
      throw SettingError(Setting{"upper_case"}, " needs capitals, but the subword model of the ",
                         side, " has none; set it to 0, or train that on text with capitals");
}

void UpperCase::apply(Batch& batch, std::int64_t update) const {
  if (share_ <= 0) return;
  const auto in_capitals_too = [&](const Subword& subword, const SpeltSentence& sentence,
                                   std::vector<std::int32_t>& capitals) {
    subword.encode(in_capitals(subword.decode(sentence.pieces)), capitals);
    return has_no_unknown(subword, sentence.pieces) && has_no_unknown(subword, capitals) &&
           !capitals.empty() && sentence.has_room(capitals.size(), max_length_);
  };
  respell(batch, source_, target_,
          [&](std::int64_t number, SpeltSentence& source, SpeltSentence& target) {
            Random random(
                seed_,
                static_cast<std::uint64_t>(update) << 32 | static_cast<std::uint64_t>(number),
                kStream);
            std::vector<std::int32_t> from, to;
            if (static_cast<double>(random.uniform()) < share_ &&
                in_capitals_too(source_, source, from) && in_capitals_too(target_, target, to))
              source.pieces.swap(from), target.pieces.swap(to);
          });
}

}  // namespace tt
