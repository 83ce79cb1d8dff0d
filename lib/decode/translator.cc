#include "decode/translator.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "decode/ensemble.h"
#include "decode/missing_kept.h"
#include "decode/token_constraints.h"

namespace tt {

// A part of a line that is searched as one sentence.
struct Translator::Part {
  std::size_t line;
  PartPieces source;  // by member, as the model ends it
  SearchRequest request;
  PieceList required = {};  // by its prefix and terms, in any order
  // The terms that are searched for, and which of those that the line wants each of them is: those
  // that can be spelt.
  std::shared_ptr<const Terms> terms = nullptr;
  std::vector<std::size_t> requirements = {};
  std::vector<Hypothesis> found = {};
};

namespace {

// Source tokens that are not shared by threads: smaller batches are slower.
constexpr std::int64_t kShare = 1024;
constexpr std::int64_t kLeastTokens = 400, kMostTokens = 4096,
                       kCache = std::int64_t{48} << 20;  // bytes

// Source tokens such that the keys and values of the source and of the hypotheses, with about as
// many tokens, fit in kCache. Larger batches are no faster: the products have some hundred rows;
// in smaller ones of large models they would have few, and wait for weights that come from memory.
std::int64_t affordable_tokens(std::span<const Member> members, int beam) {
  std::int64_t floats = 0;
  for (const Member& member : members) {
    const Architecture& config = member.model->config();
    const std::int64_t width =
        config.type == ModelType::transformer
            ? std::int64_t{config.heads} * (config.key_size() + config.value_size())
            : std::int64_t{2} * config.d_model;
    floats += std::int64_t{1 + beam} * std::max(1, config.decoder_layers) * width;
  }
  return std::clamp<std::int64_t>(kCache / (floats * static_cast<std::int64_t>(sizeof(float))),
                                  kLeastTokens, kMostTokens);
}

}  // namespace

void append_pair(Batch& batch, std::span<const std::int32_t> source,
                 const LanguagePieces& languages, std::span<const std::int32_t> target,
                 std::size_t number) {
  std::vector<std::int32_t>& tokens = batch.target_out.tokens;
  append(batch.source, source);
  tokens.insert(tokens.end(), languages.history.begin(), languages.history.end());
  append(batch.target_out, target);
  batch.sentences.push_back(static_cast<std::int64_t>(number));
}

void Member::end(std::vector<std::int32_t>& pieces, const LanguagePieces& languages) const {
  if (model->config().source_eos || pieces.empty()) pieces.push_back(source->eos());
  languages.put_around(pieces);
}

Translator::Translator(std::vector<Member> members, const Subword& target,
                       const TranslateOptions& options)
    : members_(std::move(members)), target_(target), options_(options), spelling_(target) {
  TT_CHECK(!members_.empty() && options_.longest >= 1);
  if (options_.shortlist) joint_ = members_[0].source->bytes() == target.bytes();
  for (const Member& member : members_)
    if (const std::int64_t places = member.model->longest())
      places_ = places_ ? std::min(places_, places) : places;
  if (options_.batch_tokens == 0)
    options_.batch_tokens = affordable_tokens(members_, options_.search.beam);
  std::vector<std::int32_t> forbidden(target.silent().begin(), target.silent().end());
  if (options_.search.forbid_unknown) forbidden.push_back(target.unk());
  if (!forbidden.empty())
    options_.search.constraints.push_back(std::make_shared<Forbidden>(std::move(forbidden)));
  options_.pieces.resize(members_.size());
  if (places_ == 0) return;
  options_.longest = std::max<std::int64_t>(
      1, std::min(options_.longest,
                  places_ - 1 - static_cast<std::int64_t>(options_.language_pieces)));
  options_.search.extra_length =
      static_cast<int>(std::min<std::int64_t>(options_.search.extra_length, places_));
}

std::vector<Translator::Part> Translator::split(std::span<const Request> requests,
                                                std::vector<Translated>& results) const {
  std::vector<const Subword*> sources;
  for (const Member& member : members_) sources.push_back(member.source);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CutLine line = cut_line(requests[i].text, sources, options_.longest);
    results[i].cut = line.cut;
    const auto pieces = languages(requests[i]);
    for (std::uint64_t p = 0; p < line.parts.size(); ++p) {
      Part part{i, std::move(line.parts[p]), {}};
      for (std::size_t m = 0; m < members_.size(); ++m) members_[m].end(part.source[m], pieces[m]);
      SearchRequest& request = part.request;
      request.number = requests[i].number + (p << 48);
      request.source = static_cast<std::int64_t>(part.source[0].size() - pieces[0].context);
      request.history = pieces[0].history;
      request.attended = requests[i].attended && !options_.heads.empty();
      ask_for_prefix(p == 0 ? requests[i].prefix : "", pieces[0].first, part, results[i]);
      if (!results[i].cut) ask_for_terms(requests[i], part);
      const double times = options_.search.length_factor * static_cast<double>(request.source);
      request.limit = std::max<std::int64_t>(
          1, static_cast<std::int64_t>(times) + options_.search.extra_length);
      int ranks = 0;
      const auto make_room = [&](const ConstraintList& constraints) {
        for (const auto& constraint : constraints) {
          request.limit = std::max(request.limit, constraint->shortest() + 1);
          ranks += constraint->goal().rank;
        }
      };
      make_room(options_.search.constraints);
      make_room(request.constraints);
      request.limit += ranks + std::ssize(request.history);
      if (places_) request.limit = std::min(request.limit, places_ - 1);
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

// Pieces that choose the language come first, then the text.
void Translator::ask_for_prefix(const std::string& text, const std::vector<std::int32_t>& first,
                                Part& part, Translated& result) const {
  std::vector<std::int32_t> prefix = target_.encode(text);
  prefix.insert(prefix.begin(), first.begin(), first.end());
  if (static_cast<std::int64_t>(prefix.size()) > options_.longest) {
    prefix = first;
    result.problems.assign(1, {Reason::prefix_too_long});
  }
  if (prefix.empty()) return;
  part.required = prefix;
  part.request.constraints.push_back(std::make_shared<Prefix>(std::move(prefix)));
}

void Translator::ask_for_terms(const Request& request, Part& part) const {
  std::vector<std::vector<Terms::Phrase>> terms;
  for (std::size_t w = 0; w < request.requirements.size(); ++w) {
    auto phrases = spelling_.phrases(request.requirements[w]);
    if (phrases.empty()) continue;
    for (const Terms::Phrase& phrase : phrases)
      part.required.insert(part.required.end(), phrase.begin(), phrase.end());
    terms.push_back(std::move(phrases));
    part.requirements.push_back(w);
  }
  if (terms.empty()) return;
  part.terms = std::make_shared<Terms>(std::move(terms), &spelling_.words());
  part.request.constraints.push_back(part.terms);
}

// The pieces of a part's shortlist, and those without which it could not be as asked, or not end.
PieceList Translator::listed(const Part& part) const {
  PieceList asked = part.required;
  asked.push_back(target_.eos());
  return options_.shortlist->pieces_for(part.source[0], target_.size(), joint_, asked);
}

std::vector<Translated> Translator::translate(std::span<const Request> requests,
                                              std::span<Tape* const> tapes) const {
  return translate(requests, {1, [&](std::size_t batches, const auto& each) {
                                for (std::size_t b = 0; b < batches; ++b) each(b, tapes);
                              }});
}

std::vector<Translated> Translator::translate(std::span<const Request> requests,
                                              const BatchRunner& runner) const {
  std::vector<Translated> results(requests.size());
  std::vector<Part> parts = split(requests, results);
  std::vector<std::size_t> lengths;
  for (const Part& part : parts) lengths.push_back(part.source[0].size());
  // More samples than a beam has hypotheses need as much more memory.
  const SearchOptions& search = options_.search;
  const std::int64_t limit =
      options_.batch_tokens * search.beam / std::max(search.beam, search.sample.samples);
  // The parts of a long line are work for several threads.
  const auto all = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  const std::int64_t most = std::min(limit, std::max(kShare, all / runner.threads));
  const auto batches = batches_by_length(lengths, static_cast<std::size_t>(most));
  runner.run(batches.size(), [&](std::size_t b, std::span<Tape* const> tapes) {
    std::vector<Part*> batch;
    for (const std::size_t p : batches[b]) batch.push_back(&parts[p]);
    translate_batch(batch, tapes);
  });
  for (const Part& part : parts) add(part, requests[part.line], results[part.line]);
  for (std::size_t i = 0; i < results.size(); ++i) complete(requests[i], results[i]);
  return results;
}

std::vector<std::string> Translator::texts(std::span<const Request> requests, Tape& tape) const {
  Tape* const tapes[] = {&tape};
  std::vector<std::string> texts;
  for (Translated& result : translate(requests, tapes))
    texts.push_back(std::move(result.best[0].text));
  return texts;
}

std::unique_ptr<State> Translator::start(std::span<Part* const> parts,
                                         std::span<Tape* const> tapes) const {
  std::vector<std::unique_ptr<State>> states;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Sequences source;
    for (const Part* part : parts) append(source, part->source[m]);
    tapes[m]->clear();
    states.push_back(members_[m].model->start(*tapes[m], source));
  }
  if (states.size() == 1) return std::move(states[0]);
  return std::make_unique<EnsembleState>(std::move(states));
}

void Translator::translate_batch(std::span<Part* const> parts, std::span<Tape* const> tapes) const {
  const auto state = start(parts, tapes);
  if (options_.shortlist) {
    std::vector<PieceList> lists;
    for (const Part* part : parts) lists.push_back(listed(*part));
    state->restrict(std::move(lists));
  }
  std::vector<SearchRequest> requests;
  for (const Part* part : parts) requests.push_back(part->request);
  if (std::ranges::any_of(requests, &SearchRequest::attended)) {
    auto* const attended = dynamic_cast<AttendedState*>(state.get());
    if (!attended || !attended->attend(options_.heads))
      for (SearchRequest& request : requests) request.attended = false;
  }
  std::vector<std::vector<Hypothesis>> found;
  try {
    found = search(*state, requests, target_.bos(), target_.eos(), options_.search);
  } catch (const NotFinite& error) {
    throw NotFinite(error.member, members_[error.member].model->name());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i]->found = std::move(found[i]);
}

// The attention of a hypothesis, token by token.
static std::vector<float> attention_of(const Hypothesis& h) {
  std::vector<const AttentionPath*> path;
  for (const AttentionPath* at = h.attention.get(); path.size() < h.tokens.size();
       at = at->before.get())
    path.push_back(at);
  std::vector<float> all;
  for (auto at = path.rbegin(); at != path.rend(); ++at)
    all.insert(all.end(), (*at)->weights.begin(), (*at)->weights.end());
  return all;
}

// Puts what was found for a part behind what was found for the parts before it: the best to the
// best, and so on.
void Translator::add(const Part& part, const Request& request, Translated& result) const {
  result.source.insert(result.source.end(), part.source[0].begin(), part.source[0].end());
  for (const auto& constraint : options_.search.constraints)
    if (const auto problem = constraint->problem(part.found[0].tokens);
        problem && result.problems.empty())
      result.problems.push_back({*problem});
  const auto wanted = static_cast<std::size_t>(options_.search.wanted());
  const std::size_t count = std::min(wanted, std::max(part.found.size(), result.best.size()));
  if (result.best.empty()) result.best.resize(count);
  while (result.best.size() < count)
    result.best.push_back(result.best.back());  // where an earlier part had fewer
  for (std::size_t i = 0; i < count; ++i) {
    const Hypothesis& h = part.found[std::min(i, part.found.size() - 1)];
    Translation& t = result.best[i];
    std::string text = target_.decode(h.tokens);
    PlacedTerms placed = place_terms(part, request, h, text, t.replaced);
    if (i == 0 && !result.cut) result.missing = std::move(placed.missing);
    if (i == 0)
      result.problems.insert(result.problems.end(), placed.problems.begin(), placed.problems.end());
    // Of a line in parts there is none: it would be of one part.
    t.attention.clear();
    if (t.target.empty() && h.attention) t.attention = attention_of(h);
    t.text += (t.text.empty() || text.empty() ? "" : " ") + text;
    t.score += h.score;
    t.log_probability += h.log_probability;
    t.target.insert(t.target.end(), h.tokens.begin(), h.tokens.end());
    t.target.push_back(target_.eos());
    t.token_scores.insert(t.token_scores.end(), h.log_probabilities.begin(),
                          h.log_probabilities.end());
    t.token_scores.resize(t.target.size(), std::numeric_limits<float>::quiet_NaN());
  }
}

// Puts what is to be verbatim into the text of a hypothesis.
Translator::PlacedTerms Translator::place_terms(const Part& part, const Request& request,
                                                const Hypothesis& hypothesis, std::string& text,
                                                std::vector<Replacement>& replaced) const {
  std::vector<char> met(request.requirements.size());
  std::vector<PlacedStretch> verbatim;
  if (part.terms) {
    const Terms::Progress progress = part.terms->progress(hypothesis.tokens);
    for (std::size_t t = 0; t < part.requirements.size(); ++t) {
      const std::size_t end = progress.ends[t];
      if (end == 0) continue;
      met[part.requirements[t]] = 1;
      const Requirement& requirement = request.requirements[part.requirements[t]];
      if (requirement.verbatim) verbatim.push_back({&requirement, end - progress.lengths[t], end});
    }
  }
  PlacedTerms placed;
  placed.problems =
      put_verbatim(target_, hypothesis.tokens, request.text, std::move(verbatim), text, replaced);
  for (std::size_t w = 0; w < met.size(); ++w)
    if (!met[w]) placed.missing.push_back(w);
  return placed;
}

// Answers a line without text, and finds out what others have that was not searched for.
void Translator::complete(const Request& request, Translated& result) const {
  const bool blank = result.best.empty();
  if (blank) {
    result.best.resize(static_cast<std::size_t>(options_.search.wanted()));
    if (!target_.encode(request.prefix).empty())
      result.problems.push_back({Reason::prefix_of_blank});
  }
  if (!blank && !result.cut) return;
  const std::string& text = result.best[0].text;
  for (std::size_t w = 0; w < request.requirements.size(); ++w) {
    const auto stands = [&](const std::string& phrase) { return stands_in(text, phrase); };
    if (std::ranges::none_of(request.requirements[w].alternatives, stands))
      result.missing.push_back(w);
  }
}

}  // namespace tt
