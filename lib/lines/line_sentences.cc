#include "lines/line_sentences.h"

#include <algorithm>

#include "base/unicode.h"
#include "base/utf8.h"
#include "text/kept.h"
#include "text/upper_case.h"

namespace tt {
namespace {

template <class F>
bool any_character(std::string_view text, F&& is_it) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;)
    if (is_it(next_code_point(at, end))) return true;
  return false;
}

bool has_letter(std::string_view text) { return any_character(text, is_letter); }

// A text that a reader sees, with no letter but in URLs, in e-mail addresses and in what is kept.
bool nothing_to_translate(const Request& request) {
  const std::string& text = request.text;
  std::string rest = text;
  const auto hide = [&](TextRange r) {
    rest.replace(r.begin, r.end - r.begin, r.end - r.begin, '0');
  };
  for (const Requirement& requirement : request.requirements)
    if (requirement.verbatim) hide(requirement.place);
  for (const TextRange& r : find_kept(rest, {.urls = true, .emails = true})) hide(r);
  const auto visible = [](char32_t c) { return !is_space(c) && !is_default_ignorable(c); };
  return !has_letter(rest) && any_character(text, visible);
}

// Special pieces have letters in their names, as <unk>.
bool reads_letters(const Subword& source) {
  for (int i = 0; i < source.size(); ++i)
    if (const std::string piece = source.piece(i); !piece.starts_with('<') && has_letter(piece))
      return true;
  return false;
}

// The text between white space; appends nothing where there is none.
void append_trimmed(std::string_view text, std::vector<TextRange>& ranges) {
  if (const auto words = words_of(text); !words.empty())
    ranges.push_back({words.front().begin, words.back().end});
}

// Makes one range of those that a place has a part in, and of the place.
void keep_together(TextRange place, std::vector<TextRange>& ranges) {
  const auto first =
      std::ranges::find_if(ranges, [&](const TextRange& r) { return r.end > place.begin; });
  auto behind = first;
  while (behind != ranges.end() && behind->begin < place.end) {
    place = {std::min(place.begin, behind->begin), std::max(place.end, behind->end)};
    ++behind;
  }
  ranges.insert(ranges.erase(first, behind), place);
}

}  // namespace

std::vector<TextRange> words_between_gaps(const Request& line) {
  if (line.gaps.empty()) return words_of(line.text);
  std::vector<TextRange> words;
  const auto append = [&](std::size_t begin, std::size_t end) {
    for (const TextRange& w : words_of(std::string_view(line.text).substr(begin, end - begin)))
      words.push_back({w.begin + begin, w.end + begin});
  };
  std::size_t begin = 0;
  for (const TextRange& gap : line.gaps) {
    append(begin, gap.begin);
    begin = gap.end;
  }
  append(begin, line.text.size());
  return words;
}

const Translation& LineSentence::best(std::size_t b) const {
  return result.best[std::min(b, result.best.size() - 1)];
}

SplitLine::SplitLine(const Request& line, std::vector<TextRange> ranges) {
  for (const Requirement& requirement : line.requirements) keep_together(requirement.place, ranges);
  if (ranges.empty()) ranges.push_back({line.text.size(), line.text.size()});
  for (const TextRange& r : ranges) {
    LineSentence sentence{r, {line.text.substr(r.begin, r.end - r.begin), 0, "", "", {}}, {}};
    // Numbers of which none is that of another sentence of the line, or of a part of one.
    sentence.request.attended = line.attended;
    sentence.request.languages = line.languages;
    sentence.request.number = line.number + r.begin * 0x9E3779B97F4A7C15;
    for (std::size_t w = 0; w < line.requirements.size(); ++w) {
      Requirement requirement = line.requirements[w];
      if (requirement.place.begin < r.begin || requirement.place.end > r.end) continue;
      requirement.place = {requirement.place.begin - r.begin, requirement.place.end - r.begin};
      sentence.request.requirements.push_back(std::move(requirement));
      sentence.requirements.push_back(w);
    }
    sentences.push_back(std::move(sentence));
  }
  sentences[0].request.prefix = line.prefix;
}

Translated SplitLine::joined(const Request& line) const {
  Translated all;
  std::size_t count = 0;
  for (const LineSentence& s : sentences) {
    const Translated& result = s.result;
    count = std::max(count, result.best.size());
    all.source.insert(all.source.end(), result.source.begin(), result.source.end());
    all.cut |= result.cut;
    all.problems.insert(all.problems.end(), result.problems.begin(), result.problems.end());
    if (s.several && !result.cut) all.problems.push_back("several sentences, translated as one");
    for (const std::size_t w : result.unmet)
      all.unmet.push_back(s.requirements.empty() ? w : s.requirements[w]);
  }
  if (sentences.size() == 1) all.best = sentences[0].result.best;
  all.best.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    Translation& t = all.best[b];
    for (std::size_t k = 0; k < sentences.size() && sentences.size() > 1; ++k) {
      const Translation& part = sentences[k].best(b);
      t.score += part.score;
      t.log_probability += part.log_probability;
      t.target.insert(t.target.end(), part.target.begin(), part.target.end());
      t.token_scores.insert(t.token_scores.end(), part.token_scores.begin(),
                            part.token_scores.end());
    }
    t.text = text(line, b).text;
  }
  return all;
}

JoinedText SplitLine::text(const Request& line, std::size_t b) const {
  JoinedText all;
  auto gap = line.gaps.begin();
  const auto gaps_before = [&](std::size_t begin, std::size_t end) {
    const std::size_t at = all.text.size();
    for (; gap != line.gaps.end() && gap->end <= end; ++gap)
      all.gaps.push_back({at + gap->begin - begin, at + gap->end - begin});
  };
  // White space around the line stays where it has a line break or a gap.
  const auto around = [&](std::size_t begin, std::size_t end) {
    const std::size_t gaps = all.gaps.size();
    gaps_before(begin, end);
    const std::string space = line.text.substr(begin, end - begin);
    if (space.find('\n') != space.npos || all.gaps.size() > gaps) all.text += space;
  };
  around(0, sentences.front().range.begin);
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    const std::string& part = sentences[k].best(b).text;
    if (k > 0) {
      const std::size_t end = sentences[k - 1].range.end, begin = sentences[k].range.begin;
      const char32_t before = character_before(all.text, all.text.size()),
                     next = character_at(part, 0);
      const bool apart = before != 0 && next != 0 && !is_unspaced(before) && !is_unspaced(next);
      gaps_before(end, begin);
      all.text += begin == end && apart ? " " : line.text.substr(end, begin - end);
    }
    all.sentences.push_back({all.text.size(), all.text.size() + part.size()});
    all.text += part;
  }
  around(sentences.back().range.end, line.text.size());
  return all;
}

SoftAlignment SplitLine::joined(const Request& line, std::size_t b,
                                std::span<const SoftAlignment> of_sentences) const {
  if (sentences.size() == 1 && !sentences[0].passes) return of_sentences[0];
  SoftAlignment all;
  if (line.text.size() > kLongestText) return all;
  const auto words = words_between_gaps(line);
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    const LineSentence& s = sentences[k];
    std::vector<std::size_t> source;  // the words of the line that its words stand in
    for (const TextRange& r : words_of(s.request.text)) {
      const auto behind = [&](const TextRange& w) { return w.end <= s.range.begin + r.begin; };
      source.push_back(static_cast<std::size_t>(
          std::partition_point(words.begin(), words.end(), behind) - words.begin()));
    }
    const std::size_t targets = words_of(s.best(b).text).size();
    for (std::size_t t = 0; t < targets; ++t) {
      std::vector<float>& row = all.emplace_back(words.size());
      if (s.passes) row[source[t]] = 1;
      else if (t < of_sentences[k].size())
        for (std::size_t w = 0; w < source.size(); ++w) row[source[w]] += of_sentences[k][t][w];
    }
  }
  return all;
}

LineSplitter::LineSplitter(const SentenceOptions& options, const Subword& source)
    : asked_(options.language.empty() ? nullptr
                                      : std::make_unique<SentenceSplitter>(options.language)),
      pass_through_(options.pass_through && reads_letters(source)),
      letter_case_(options.letter_case), capitals_(letter_case_ && has_capitals(source)) {}

SplitLine LineSplitter::split(const Request& line) const {
  const std::string_view text = line.text;
  std::vector<TextRange> ranges;
  auto gap = line.gaps.begin();
  for (std::size_t begin = 0, end, next; begin <= text.size(); begin = next) {
    end = std::min(text.find('\n', begin), text.size());
    next = end + 1;
    if (gap != line.gaps.end() && gap->begin <= end) {
      end = gap->begin;
      next = gap++->end;
    }
    const std::size_t first = ranges.size();
    const std::string_view stretch = text.substr(begin, end - begin);
    if (!asked_) append_trimmed(stretch, ranges);
    else
      for (const TextRange& r : asked_->split(stretch)) ranges.push_back(r);
    for (std::size_t i = first; i < ranges.size(); ++i)
      ranges[i] = {ranges[i].begin + begin, ranges[i].end + begin};
  }
  const bool whole = ranges.size() <= 1 && text.find('\n') == text.npos && line.gaps.empty();
  SplitLine result = whole ? SplitLine(line) : SplitLine(line, std::move(ranges));
  const bool plain = words_of(line.prefix).empty();
  for (LineSentence& s : result.sentences) {
    s.several = !asked_ && any_language_.obviously_several(s.request.text);
    s.passes = pass_through_ && plain && nothing_to_translate(s.request) &&
               std::ranges::all_of(s.request.requirements, &Requirement::verbatim);
    if (letter_case_ && !s.passes) read_in_small_letters(s);
  }
  return result;
}

void LineSplitter::read_in_small_letters(LineSentence& s) const {
  s.letter_case = letter_case(s.request.text);
  if (s.letter_case == LetterCase::as_it_is) return;
  std::vector<TextRange> kept;
  for (const Requirement& requirement : s.request.requirements)
    if (requirement.verbatim) kept.push_back(requirement.place);
  s.written = s.request.text;
  s.request.text = in_small_letters(s.written, kept, capitals_);
  s.request.attended |= s.letter_case == LetterCase::title;
}

void translate_sentences(
    std::span<SplitLine> lines, std::size_t count,
    const std::function<std::vector<Translated>(std::span<const Request>)>& translate) {
  std::vector<Request> requests;
  for (const SplitLine& line : lines)
    for (const LineSentence& s : line.sentences)
      if (!s.passes) requests.push_back(s.request);
  std::vector<Translated> found = translate(requests);
  auto next = found.begin();
  for (SplitLine& line : lines)
    for (LineSentence& s : line.sentences)
      if (s.passes) {
        s.result.best.resize(count);
        for (Translation& t : s.result.best) t.text = s.request.text;
      } else {
        s.result = std::move(*next++);
      }
}

}  // namespace tt
