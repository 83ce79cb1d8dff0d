#include "text/subword_dropout.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/random.h"
#include "base/setting.h"
#include "text/languages.h"

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

void SubwordDropout::cut(const Subword& subword, const Side& before,
                         std::span<const std::int64_t> sentences, std::int64_t update,
                         std::uint32_t stream, Side& after) const {
  std::vector<std::int32_t> pieces;
  for (std::size_t b = 0; b < sentences.size(); ++b) {
    const auto old =
        std::span(before.tokens)
            .subspan(static_cast<std::size_t>(before.offsets[b]),
                     static_cast<std::size_t>(before.offsets[b + 1] - before.offsets[b]));
    // Without </s> and what chooses languages.
    const auto no_text = [&](std::int32_t piece) {
      return std::ranges::find(subword.silent(), piece) != subword.silent().end() ||
             language_of(subword, piece);
    };
    const auto ends = [&](std::int32_t piece) { return piece == subword.eos() || no_text(piece); };
    const auto begin = std::ranges::find_if_not(old, no_text);
    const auto end = std::find_if_not(old.rbegin(), std::make_reverse_iterator(begin), ends).base();
    const std::span words(begin, end);
    const bool known = std::find(words.begin(), words.end(), subword.unk()) == words.end();
    if (known) {
      Random random(
          seed_,
          static_cast<std::uint64_t>(update) << 32 | static_cast<std::uint64_t>(sentences[b]),
          stream);
      subword.sample(subword.decode(words), rate_, random, pieces);
    }
    if (!known || pieces.empty() ||
        static_cast<std::int64_t>(pieces.size() + old.size() - words.size()) > max_length_)
      pieces.assign(words.begin(), words.end());
    pieces.insert(pieces.begin(), old.begin(), begin);
    pieces.insert(pieces.end(), end, old.end());
    append(after, pieces);
  }
}

void SubwordDropout::apply(Batch& batch, std::int64_t update) const {
  if (rate_ <= 0 || batch.size() == 0) return;
  const std::int32_t bos = batch.target_in.tokens.front();
  Side source, target;
  cut(source_, batch.source, batch.sentences, update, kSourceStream, source);
  cut(target_, batch.target_out, batch.sentences, update, kTargetStream, target);
  batch.source = std::move(source);
  batch.target_out = std::move(target);
  batch.target_in = shifted(batch.target_out, bos);
}

}  // namespace tt
