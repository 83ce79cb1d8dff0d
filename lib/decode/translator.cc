#include "decode/translator.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/utf8.h"
#include "decode/ensemble.h"
#include "text/cut.h"

namespace tt {
namespace {

constexpr std::size_t kPart = 128;     // pieces of a part of a line that is too long: models are trained on sentences
constexpr std::int64_t kShare = 1024;  // source tokens that are not shared by threads: smaller batches are slower

}  // namespace

// A part of a line that is searched as one sentence.
struct Translator::Part {
  std::size_t line;
  std::uint64_t number;                           // what its random numbers depend on
  std::vector<std::vector<std::int32_t>> source;  // by member
  Sought sought;
  std::vector<std::size_t> wanted;  // of the line: which each of the terms sought is; the others cannot be spelt
  std::vector<Hypothesis> found;
};

namespace {

constexpr std::int64_t kMostTokens = 4096, kCache = std::int64_t{48} << 20;  // bytes

// Source tokens such that the keys and values of the source and of the hypotheses, with about as many tokens, fit in kCache.
// Larger batches are no faster: the products have some hundred rows.
std::int64_t affordable_tokens(std::span<const Member> members, int beam) {
  std::int64_t floats = 0;
  for (const Member& member : members) {
    const Config& config = member.model->config();
    const std::int64_t width = config.type == ModelType::transformer
                                   ? std::int64_t{config.heads} * (config.key_size() + config.value_size())
                                   : std::int64_t{2} * config.d_model;
    floats += std::int64_t{1 + beam} * std::max(1, config.decoder_layers) * width;
  }
  return std::clamp<std::int64_t>(kCache / (floats * static_cast<std::int64_t>(sizeof(float))), 1, kMostTokens);
}

}  // namespace

void Member::end(std::vector<std::int32_t>& pieces) const {
  if (model->config().source_eos || pieces.empty()) pieces.push_back(source->eos());
  pieces.insert(pieces.begin(), before.begin(), before.end());
  pieces.insert(pieces.end(), behind.begin(), behind.end());
}

Translator::Translator(std::vector<Member> members, const Subword& target, const TranslateOptions& options)
    : members_(std::move(members)), target_(target), options_(options) {
  TT_CHECK(!members_.empty() && options_.longest >= 1);
  for (const Member& member : members_)
    if (const std::int64_t places = member.model->longest()) places_ = places_ ? std::min(places_, places) : places;
  if (options_.batch_tokens == 0) options_.batch_tokens = affordable_tokens(members_, options_.search.beam);
  std::vector<std::int32_t>& forbidden = options_.search.rules.forbidden;
  forbidden.insert(forbidden.end(), target.silent().begin(), target.silent().end());
  if (options_.search.forbid_unknown) forbidden.push_back(target.unk());
  if (places_ == 0) return;
  options_.longest = std::min(options_.longest, places_ - 1);
  options_.search.extra_length = static_cast<int>(std::min<std::int64_t>(options_.search.extra_length, places_));
}

// Each line that has text as one part or, where it is too long, several, cut at the ends of sentences.
std::vector<Translator::Part> Translator::split(std::span<const Request> requests, std::vector<Translated>& results) const {
  std::vector<Part> parts;
  std::vector<std::vector<std::int32_t>> pieces(members_.size());
  const auto longest = static_cast<std::size_t>(options_.longest);
  // The pieces of a text for each member, in `pieces`, and the most of them.
  const auto size = [&](std::string_view text) {
    std::size_t most = 0;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      members_[m].source->encode(text, pieces[m]);
      most = std::max(most, pieces[m].size());
    }
    return most;
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    std::vector<std::string_view> stretches{requests[i].text};
    std::size_t most = size(requests[i].text);
    results[i].cut = most > longest;
    if (results[i].cut) stretches = split_text(requests[i].text, std::min(longest, kPart), size);
    std::uint64_t number = 0;
    for (const std::string_view stretch : stretches) {
      if (results[i].cut) most = size(stretch);
      // One, unless a character has more pieces than a part; none of nothing.
      const std::size_t count = (most + longest - 1) / longest;
      for (std::size_t p = 0; p < count; ++p, ++number) {
        Part part{i, requests[i].number + (number << 48), {}, {}, {}, {}};
        for (std::size_t m = 0; m < members_.size(); ++m) {
          const auto begin = static_cast<std::ptrdiff_t>(p * pieces[m].size() / count),
                     end = static_cast<std::ptrdiff_t>((p + 1) * pieces[m].size() / count);
          part.source.emplace_back(pieces[m].begin() + begin, pieces[m].begin() + end);
          members_[m].end(part.source.back());
        }
        part.sought.source = static_cast<std::int64_t>(part.source[0].size());
        const double times = options_.search.length_factor * static_cast<double>(part.source[0].size());
        part.sought.limit = std::max<std::int64_t>(1, static_cast<std::int64_t>(times) + options_.search.extra_length);
        const auto degraded = [&](const char* problem) {
          auto& problems = results[i].problems;
          if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
        };
        if (number == 0) target_.encode(requests[i].prefix, part.sought.prefix);
        part.sought.prefix.insert(part.sought.prefix.begin(), options_.first.begin(), options_.first.end());
        if (static_cast<std::int64_t>(part.sought.prefix.size()) > options_.longest) {
          part.sought.prefix = options_.first;
          degraded("its prefix is longer than the longest part; translated without");
        }
        if (std::count(part.sought.prefix.begin(), part.sought.prefix.end(), target_.unk()) > 0)
          degraded("its prefix has characters that the model does not know");
        const auto least = std::max<std::int64_t>(options_.search.rules.minimum, part.sought.prefix.size());
        part.sought.limit = std::max(part.sought.limit, least + 1);
        if (places_ && options_.search.rules.minimum >= places_)
          degraded("the minimum length is more than the model can translate");
        if (places_) part.sought.limit = std::min(part.sought.limit, places_ - 1);
        if (!results[i].cut) {
          std::vector<Wanted> possible;
          for (std::size_t w = 0; w < requests[i].wanted.size(); ++w) {
            if (spell({requests[i].wanted[w]}).pieces() == 0) continue;
            possible.push_back(requests[i].wanted[w]);
            part.wanted.push_back(w);
          }
          part.sought.terms = spell(possible);
        }
        parts.push_back(std::move(part));
      }
    }
  }
  return parts;
}

std::vector<Translated> Translator::translate(std::span<const Request> requests, std::span<Tape* const> tapes) const {
  return translate(requests, {1, [&](std::size_t batches, const auto& each) {
                                for (std::size_t b = 0; b < batches; ++b) each(b, tapes);
                              }});
}

std::vector<Translated> Translator::translate(std::span<const Request> requests, const Spread& spread) const {
  std::vector<Translated> results(requests.size());
  std::vector<Part> parts = split(requests, results);
  std::vector<Part*> order;
  order.reserve(parts.size());
  for (Part& part : parts) order.push_back(&part);
  const auto length = [](const Part* part) { return static_cast<std::int64_t>(part->source[0].size()); };
  std::stable_sort(order.begin(), order.end(), [&](const Part* a, const Part* b) { return length(a) > length(b); });
  // More samples than a beam has hypotheses need as much more memory.
  const std::int64_t limit =
      options_.batch_tokens * options_.search.beam / std::max(options_.search.beam, options_.sample.samples);
  // The parts of a long line are work for several threads.
  std::int64_t all = 0;
  for (const Part* part : order) all += length(part);
  const std::int64_t most = std::min(limit, std::max(kShare, all / spread.threads));
  std::vector<std::span<Part* const>> batches;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::int64_t tokens = 0;
    while (end < order.size() && (end == begin || tokens + length(order[end]) <= most)) tokens += length(order[end++]);
    batches.push_back(std::span(order).subspan(begin, end - begin));
  }
  spread.run(batches.size(), [&](std::size_t b, std::span<Tape* const> tapes) { translate_batch(batches[b], tapes); });
  for (const Part& part : parts) add(part, requests[part.line], results[part.line]);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool searched = !results[i].cut && !results[i].best.empty();
    // Of nothing there is one translation, which stands for all that are wanted.
    const auto count = static_cast<std::size_t>(std::max(options_.search.best, options_.sample.samples));
    if (results[i].best.empty()) {
      results[i].best.resize(count);
      if (!words_of(requests[i].prefix).empty()) results[i].problems.push_back("blank, so that its prefix is left out");
    }
    // What nothing was searched for may stand there all the same.
    for (std::size_t w = 0; w < requests[i].wanted.size() && !searched; ++w) {
      const auto& alternatives = requests[i].wanted[w].alternatives;
      const auto stands = [&](const std::string& text) { return results[i].best[0].text.find(text) != std::string::npos; };
      if (std::none_of(alternatives.begin(), alternatives.end(), stands)) results[i].unmet.push_back(w);
    }
  }
  return results;
}

std::vector<std::string> Translator::texts(std::span<const std::string> lines, Tape& tape) const {
  std::vector<Request> requests;
  for (const std::string& line : lines) requests.push_back({line, 0, "", "", {}});
  Tape* const tapes[] = {&tape};
  std::vector<std::string> texts;
  for (Translated& result : translate(requests, tapes)) texts.push_back(std::move(result.best[0].text));
  return texts;
}

std::unique_ptr<State> Translator::start(std::span<Part* const> parts, std::span<Tape* const> tapes) const {
  std::vector<std::unique_ptr<State>> states;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Side source;
    for (const Part* part : parts) append(source, part->source[m]);
    tapes[m]->clear();
    states.push_back(members_[m].model->start(*tapes[m], source));
  }
  if (states.size() == 1) return std::move(states[0]);
  return std::make_unique<EnsembleState>(std::move(states));
}

// The pieces of a text that has no space before it; none where they depend on what is there.
Terms::Phrase Translator::behind_another(const std::string& text) const {
  Terms::Phrase before, all;
  for (const char* other : {"、", "の", "("}) {
    target_.encode(other, before);
    target_.encode(other + text, all);
    if (before.size() >= all.size() || !std::equal(before.begin(), before.end(), all.begin())) continue;
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before.size()));
    if (std::find(all.begin(), all.end(), target_.unk()) == all.end()) return all;
  }
  return {};
}

// The pieces that each alternative can be. A piece that begins a word may do without its mark where there need be no space before
// it.
Terms Translator::spell(const std::vector<Wanted>& wanted) const {
  if (wanted.empty()) return {};
  std::call_once(words_once_, [&] {
    for (std::int32_t p = 0; p < target_.size(); ++p) {
      const std::string piece = target_.piece(p);
      words_.begins.push_back(word_goes_on("x" + piece, 1));
      words_.ends.push_back(word_goes_on(piece + "x", piece.size()));
      const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80 ? c : '\0'; };
      words_.first += piece.empty() ? '\0' : ascii(piece.front());
      words_.last += piece.empty() ? '\0' : ascii(piece.back());
    }
  });
  std::vector<std::vector<Terms::Phrase>> terms;
  for (const Wanted& term : wanted) {
    auto& phrases = terms.emplace_back();
    for (const std::string& alternative : term.alternatives) {
      Terms::Phrase phrase;
      target_.encode(alternative, phrase);
      const bool known = std::find(phrase.begin(), phrase.end(), target_.unk()) == phrase.end();
      if (phrase.empty() || (!known && !term.verbatim)) continue;
      const char* at = alternative.data();
      phrases.push_back(phrase);
      if (!term.verbatim && !is_unspaced(next_code_point(at, at + alternative.size()))) continue;
      const auto bare_phrase = behind_another(alternative);
      if (!bare_phrase.empty()) {
        // Where a mark alone is before the same pieces, the model knows best whether to write it.
        if (!term.verbatim && std::ranges::equal(std::span(phrase).subspan(1), bare_phrase)) phrases.pop_back();
        phrases.push_back(bare_phrase);
        continue;
      }
      const std::string first = target_.piece(phrase[0]);
      if (!first.starts_with(kSpacePiece)) continue;
      const std::int32_t bare = target_.find(std::string_view(first).substr(kSpacePiece.size()));
      if (first.size() > kSpacePiece.size() && bare >= 0) phrase[0] = bare;
      else if (first.size() == kSpacePiece.size() && phrase.size() > 1) phrase.erase(phrase.begin());
      else continue;
      phrases.push_back(phrase);
    }
  }
  return Terms(std::move(terms), &words_);
}

void Translator::translate_batch(std::span<Part* const> parts, std::span<Tape* const> tapes) const {
  const auto state = start(parts, tapes);
  std::vector<Sought> sought;
  std::vector<std::uint64_t> numbers;
  for (const Part* part : parts) {
    sought.push_back(part->sought);
    numbers.push_back(part->number);
    sought.back().limit += part->sought.terms.pieces();
    if (places_) sought.back().limit = std::min(sought.back().limit, places_ - 1);
  }
  std::vector<std::vector<Hypothesis>> found;
  try {
    if (options_.sample.samples > 0)
      found = sample(*state, sought, numbers, target_.bos(), target_.eos(), options_.search, options_.sample);
    else found = beam_search(*state, sought, target_.bos(), target_.eos(), options_.search);
  } catch (const NotFinite& error) {
    throw NotFinite(error.member, members_[error.member].model->name());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i]->found = std::move(found[i]);
}

// Puts what was found for a part behind what was found for the parts before it: the best to the best, and so on.
void Translator::add(const Part& part, const Request& request, Translated& result) const {
  result.source.insert(result.source.end(), part.source[0].begin(), part.source[0].end());
  if (static_cast<std::int64_t>(part.found[0].tokens.size()) < options_.search.rules.minimum && result.problems.empty())
    result.problems.push_back("shorter than the minimum length, since nothing else may follow");
  const auto wanted = static_cast<std::size_t>(std::max(options_.search.best, options_.sample.samples));
  const std::size_t count = std::min(wanted, std::max(part.found.size(), result.best.size()));
  if (result.best.empty()) result.best.resize(count);
  while (result.best.size() < count) result.best.push_back(result.best.back());  // where an earlier part had fewer
  for (std::size_t i = 0; i < count; ++i) {
    const Hypothesis& h = part.found[std::min(i, part.found.size() - 1)];
    Translation& t = result.best[i];
    std::string text = target_.decode(h.tokens);
    if (!request.wanted.empty() && !result.cut) {
      // Of what was wanted, the last token that is it, and how many there are; 0: not met.
      const Terms::Progress progress = part.sought.terms.progress(h.tokens);
      Terms::Progress all;
      all.ends.resize(request.wanted.size());
      all.lengths.resize(request.wanted.size());
      for (std::size_t term = 0; term < part.wanted.size(); ++term) {
        all.ends[part.wanted[term]] = progress.ends[term];
        all.lengths[part.wanted[term]] = progress.lengths[term];
      }
      text = with_verbatim(std::move(text), h.tokens, all, request.wanted, t.replaced);
      for (std::size_t w = 0; w < all.ends.size() && i == 0; ++w)
        if (all.ends[w] == 0) result.unmet.push_back(w);
    }
    t.text += (t.text.empty() || text.empty() ? "" : " ") + text;
    t.score += h.score;
    t.log_probability += h.log_probability;
    t.target.insert(t.target.end(), h.tokens.begin(), h.tokens.end());
    t.target.push_back(target_.eos());
    t.token_scores.insert(t.token_scores.end(), h.log_probabilities.begin(), h.log_probabilities.end());
    t.token_scores.resize(t.target.size(), std::numeric_limits<float>::quiet_NaN());
  }
}

// The text of the tokens, in which what must be verbatim is so, whatever its pieces spell.
std::string Translator::with_verbatim(std::string text, std::span<const std::int32_t> tokens, const Terms::Progress& progress,
                                      const std::vector<Wanted>& wanted, std::vector<Replacement>& replaced) const {
  const auto ranges = target_.decoded_ranges(tokens);
  if (ranges.size() != tokens.size()) return text;
  std::vector<std::size_t> order;  // from right to left, so that what is left of a change stays where it was
  for (std::size_t w = 0; w < wanted.size(); ++w)
    if (progress.ends[w] > 0 && wanted[w].verbatim) order.push_back(w);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return progress.ends[a] > progress.ends[b]; });
  for (const std::size_t w : order) {
    const std::size_t space = ranges[progress.ends[w] - progress.lengths[w]].begin;
    const std::size_t end = std::min(ranges[progress.ends[w] - 1].end, text.size());
    const std::size_t begin =
        space + (space > 0 && space < end && text[space] == ' ');  // an unknown piece has a space of its own behind it
    text.replace(begin, end - begin, wanted[w].alternatives[0]);
    replaced.push_back({begin, end, wanted[w].alternatives[0].size()});
  }
  return text;
}

}  // namespace tt
