#include "text/subword_regularization.h"

#include "base/setting.h"

namespace tt {
namespace {

// The streams of random numbers for the two sides; batches, dropout and initial values use the same
// seed.
constexpr std::uint32_t kSourceStream = 0x63757473, kTargetStream = 0x63757474;

float strength_of(const Subword& subword, const SubwordNoise& noise) {
  switch (subword.kind()) {
    case Subword::Kind::bpe: return noise.dropout;
    case Subword::Kind::unigram: return noise.alpha;
    case Subword::Kind::other: break;
  }
  return 0;
}

// Both settings may be given where the sides are of different kinds; none may be without effect, or
// leave a side as it is.
void check(const Subword& source, const Subword& target, const SubwordNoise& noise) {
  const bool spared = strength_of(source, noise) <= 0 || strength_of(target, noise) <= 0;
  const auto check = [&](float strength, const Setting& setting, Subword::Kind kind,
                         const char* type, const Setting& other, const char* other_type) {
    const bool useless = source.kind() != kind && target.kind() != kind;
    if (strength > 0 && (useless || spared))
      throw SettingError(setting, " is for subword models of type ", type, ", as ", other,
                         " is for ", other_type, "; give such models, or set it to 0");
  };
  const Setting dropout{"subword_dropout"}, alpha{"subword_alpha"};
  check(noise.dropout, dropout, Subword::Kind::bpe, "bpe", alpha, "unigram");
  check(noise.alpha, alpha, Subword::Kind::unigram, "unigram", dropout, "bpe");
}

}  // namespace

SubwordRegularization::SubwordRegularization(const Subword& source, const Subword& target,
                                             const SubwordNoise& noise, std::uint64_t seed,
                                             std::int64_t max_length)
    : source_{source, strength_of(source, noise)}, target_{target, strength_of(target, noise)},
      seed_(seed), max_length_(max_length) {
  check(source, target, noise);
}

void SubwordRegularization::cut(const Segmenter& by, Random random, SpeltSentence& sentence) const {
  if (!has_no_unknown(by.subword, sentence.pieces)) return;
  std::vector<std::int32_t> sampled;
  by.subword.sample(by.subword.decode(sentence.pieces), by.strength, random, sampled);
  if (!sampled.empty() && sentence.has_room(sampled.size(), max_length_))
    sentence.pieces.swap(sampled);
}

void SubwordRegularization::apply(Batch& batch, std::int64_t update) const {
  if (source_.strength <= 0) return;
  respell(batch, source_.subword, target_.subword,
          [&](std::int64_t number, SpeltSentence& source, SpeltSentence& target) {
            const auto use =
                static_cast<std::uint64_t>(update) << 32 | static_cast<std::uint64_t>(number);
            cut(source_, Random(seed_, use, kSourceStream), source);
            cut(target_, Random(seed_, use, kTargetStream), target);
          });
}

}  // namespace tt
