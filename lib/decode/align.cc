#include "decode/align.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/formatted.h"
#include "base/report.h"
#include "base/setting.h"

namespace tt {

std::vector<TextRange> places_of_pieces(const Translation& t, const Subword& target, bool scored) {
  if (scored) return target.encoded_ranges(t.text);
  auto ranges = target.decoded_ranges(std::span(t.target).first(t.target.size() - 1));
  for (const Replacement& r : t.replaced)
    for (TextRange& range : ranges) {
      if (range.end <= r.begin) continue;
      range.begin = range.begin >= r.end ? range.begin - r.end + r.begin + r.size
                                         : std::min(range.begin, r.begin);
      range.end = range.end >= r.end ? range.end - r.end + r.begin + r.size : r.begin + r.size;
    }
  return ranges;
}

std::vector<AttentionHead> alignment_heads(const Model& model, const AlignmentOptions& options) {
  if (!model.attends(AttentionSite::cross))
    throw SettingError(model.name(), ": was trained without attention; omit ",
                       Setting{options.kind != AlignmentKind::none ? "alignment" : options.of});
  const Architecture& built = model.config();
  const SearchSettings& search = model.config();
  const int layers = built.type == ModelType::lstm ? 1 : built.decoder_layers,
            heads = built.type == ModelType::lstm ? 1 : built.heads;
  std::vector<AttentionHead> chosen = options.heads;
  for (const AttentionHead& head : chosen)
    if (head.layer > layers || head.head > heads)
      throw SettingError(model.name(), ": has no head ", head.layer,
                         head.head ? "." + std::to_string(head.head) : "", " for ",
                         Setting{"alignment_heads"}, "; it has ", count_of(layers, "layer"), " of ",
                         count_of(heads, "head"));
  if (chosen.empty() && search.alignment_layer > 0)
    chosen.push_back({search.alignment_layer, search.alignment_head});
  // The lower layers look for what has been translated, rather than for what is.
  if (chosen.empty())
    for (int layer = layers / 2 + 1; layer <= layers; ++layer) chosen.push_back({layer, 0});
  return chosen;
}

// Sums the weights [target pieces - 1, source pieces] of pieces into those of words: over the
// pieces of a source word, of which a piece of several words gives each its part, and the mean over
// those of a target word.
SoftAlignment Aligner::over_words(const Pair& pair, std::span<const float> weights,
                                  std::size_t sources) const {
  const Translation& t = *pair.translation;
  const auto source_words = words_of(*pair.source), target_words = words_of(t.text);
  const auto from = words_behind(member_.source->encoded_ranges(*pair.source), source_words);
  const auto to = words_behind(places_of_pieces(t, target_, pair.scored), target_words);
  SoftAlignment soft(target_words.size(), std::vector<float>(source_words.size()));
  std::vector<float> row(source_words.size());
  // Pieces in front of the source's own, which may begin with its language.
  const bool ended = member_.model->config().source_eos || from.empty();
  const std::size_t before = sources - from.size() - ended - pair.languages->behind.size(),
                    first = pair.scored ? pair.languages->first.size() : 0;
  for (std::size_t q = 0; q < to.size(); ++q) {
    std::ranges::fill(row, 0.0f);
    for (std::size_t k = 0; k < from.size(); ++k)
      for (std::size_t w = from[k].begin; before + k < sources && w < from[k].end; ++w)
        row[w] += weights[(first + q) * sources + before + k] /
                  static_cast<float>(from[k].end - from[k].begin);
    for (std::size_t w = to[q].begin; w < to[q].end; ++w)
      std::transform(row.begin(), row.end(), soft[w].begin(), soft[w].begin(), std::plus<>());
  }
  for (auto& row : soft) {
    float sum = 0;
    for (const float x : row) sum += x;
    if (sum > 0)
      for (float& x : row) x /= sum;
  }
  return soft;
}

std::vector<SoftAlignment> Aligner::align(std::span<const Pair> pairs, Tape& tape,
                                          std::int64_t batch_tokens) const {
  std::vector<SoftAlignment> results(pairs.size());
  std::vector<std::vector<std::int32_t>> sources(pairs.size());
  std::vector<std::size_t> rows(pairs.size());  // 0: not read once more
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const LanguagePieces& languages = *pairs[i].languages;
    const auto& target = pairs[i].translation->target;
    const std::vector<float>& found = pairs[i].translation->attention;
    const bool fits =
        std::max(pairs[i].source->size(), pairs[i].translation->text.size()) <= kLongestText;
    if (!found.empty() && fits) {
      results[i] = over_words(pairs[i], found, found.size() / (target.size() - 1));
      continue;
    }
    member_.source->encode(*pairs[i].source, sources[i]);
    const bool whole = std::ranges::count(target, target_.eos()) == 1;  // in parts there are more
    const auto longest = static_cast<std::int64_t>(
        std::max(sources[i].size() + 1 + languages.before.size() + languages.behind.size(),
                 languages.history.size() + target.size()));
    if (sources[i].empty() || !whole || !fits || pairs[i].translation->token_scores.empty() ||
        (member_.model->longest() && longest > member_.model->longest()))
      continue;
    member_.end(sources[i], languages);
    rows[i] = sources[i].size() + target.size();
  }
  for (const auto& batch : batches_by_length(rows, static_cast<std::size_t>(batch_tokens)))
    align_batch(batch, pairs, sources, tape, results);
  return results;
}

void Aligner::align_batch(std::span<const std::size_t> numbers, std::span<const Pair> pairs,
                          std::span<const std::vector<std::int32_t>> sources, Tape& tape,
                          std::span<SoftAlignment> results) const {
  Batch batch;
  for (const std::size_t i : numbers)
    append_pair(batch, sources[i], *pairs[i].languages, pairs[i].translation->target, i);
  batch.target_in = shifted(batch.target_out, target_.bos());
  tape.clear();
  const auto layers = member_.model->attention_weights(tape, batch);
  std::vector<std::size_t> at(layers.size());  // of the sentence
  for (const std::size_t i : numbers) {
    const std::size_t s = sources[i].size(), history = pairs[i].languages->history.size(),
                      q = history + pairs[i].translation->target.size();
    // Of the step that predicts a piece; that of </s> is left out.
    std::vector<float> sum((q - 1) * s);
    for (std::size_t l = 0; l < layers.size(); ++l) {
      if (layers[l].kind != "cross") continue;
      const auto heads = static_cast<std::size_t>(layers[l].heads);
      for (const AttentionHead& chosen : heads_) {
        if (chosen.layer != layers[l].layer) continue;
        for (std::size_t h = 0; h < heads; ++h)
          for (std::size_t x = 0;
               (chosen.head == 0 || static_cast<int>(h) + 1 == chosen.head) && x < sum.size(); ++x)
            sum[x] += layers[l].weights[at[l] + h * q * s + x];
      }
      at[l] += heads * q * s;
    }
    results[i] = over_words(pairs[i], std::span(sum).subspan(history * s), s);
  }
}

bool is_known(const SoftAlignment& alignment) {
  return std::ranges::any_of(alignment, [](const std::vector<float>& row) {
    return std::ranges::any_of(row, [](float x) { return x > 0; });
  });
}

std::string hard_alignment(const SoftAlignment& soft) {
  std::vector<std::pair<std::size_t, std::size_t>> links;
  for (std::size_t t = 0; t < soft.size(); ++t) {
    const auto best = std::max_element(soft[t].begin(), soft[t].end());
    if (best != soft[t].end() && *best > 0) links.emplace_back(best - soft[t].begin(), t);
  }
  std::ranges::sort(links);
  std::string text;
  for (const auto& [s, t] : links)
    text += (text.empty() ? "" : " ") + std::to_string(s) + "-" + std::to_string(t);
  return text;
}

std::string soft_alignment(const SoftAlignment& soft) {
  std::string text;
  for (const auto& row : soft) {
    if (&row != &soft[0]) text += " ";
    for (std::size_t s = 0; s < row.size(); ++s) {
      text +=
          formatted("%s%.4g", s ? "," : "", std::round(static_cast<double>(row[s]) * 1e4) / 1e4);
    }
  }
  return text;
}

}  // namespace tt
