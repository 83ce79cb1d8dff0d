#include "text/subword_dropout.h"

#include "base/error.h"
#include "base/random.h"
#include "base/setting.h"
#include "text/respell.h"

namespace tt {
namespace {

// The streams of random numbers for the two sides; batches, dropout and initial values use the same
// seed.
constexpr std::uint32_t kSourceStream = 0x63757473, kTargetStream = 0x63757474;

}  // namespace

SubwordDropout::SubwordDropout(const Subword& source, const Subword& target, float rate,
                               std::uint64_t seed, std::int64_t max_length)
    : source_(source), target_(target), rate_(rate), seed_(seed), max_length_(max_length) {
  if (rate > 0 && (source.kind() != Subword::Kind::bpe || target.kind() != Subword::Kind::bpe))
    throw SettingError(Setting{"subword_dropout"},
                       " is for subword models of type bpe; give such models, or set it to 0");
}

void SubwordDropout::cut(const Subword& subword, Random random, SpeltSentence& sentence) const {
  if (!has_no_unknown(subword, sentence.pieces)) return;
  std::vector<std::int32_t> sampled;
  subword.sample(subword.decode(sentence.pieces), rate_, random, sampled);
  if (!sampled.empty() && sentence.has_room(sampled.size(), max_length_))
    sentence.pieces.swap(sampled);
}

void SubwordDropout::apply(Batch& batch, std::int64_t update) const {
  if (rate_ <= 0) return;
  respell(batch, source_, target_,
          [&](std::int64_t number, SpeltSentence& source, SpeltSentence& target) {
            const auto use =
                static_cast<std::uint64_t>(update) << 32 | static_cast<std::uint64_t>(number);
            cut(source_, Random(seed_, use, kSourceStream), source);
            cut(target_, Random(seed_, use, kTargetStream), target);
          });
}

}  // namespace tt
