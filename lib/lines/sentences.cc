#include "lines/sentences.h"

#include <algorithm>
#include <memory>

#include "base/unicode.h"
#include "base/utf8.h"
#include "lines/transforms.h"
#include "text/kept.h"
#include "text/sentences.h"
#include "text/upper_case.h"

namespace tt {
namespace {

template <class F>
bool any_character(std::string_view text, F&& is_it) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;)
    if (is_it(next_code_point(at, end))) return true;
  return false;
}

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
  return !any_character(rest, is_letter) && any_character(text, visible);
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

// Appends the words of a stretch of a text.
void append_words(std::string_view text, TextRange r, std::vector<TextRange>& words) {
  for (const TextRange& w : words_of(r.in(text)))
    words.push_back({w.begin + r.begin, w.end + r.begin});
}

// The sentences of a line in these ranges, which are in order and do not overlap.
std::vector<LineSentence> parted(const LineText& line, std::vector<TextRange> ranges) {
  for (const Requirement& requirement : line.requirements) keep_together(requirement.place, ranges);
  if (ranges.empty()) ranges.push_back({line.text.size(), line.text.size()});
  std::vector<LineSentence> sentences;
  for (const TextRange& r : ranges) {
    LineSentence sentence{r, {std::string(r.in(line.text))}, {}};
    sentence.request.languages = line.pieces;
    // Numbers of which none is that of another sentence of the line, or of a part of one.
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
  return sentences;
}

LineSentence whole(const LineText& line) {
  return {{0, line.text.size()},
          {line.text, line.number, line.prefix, line.target, line.requirements, false, line.pieces},
          {}};
}

// The alignments of the b-th translations of sentences as one of the line; what passed is aligned
// with itself.
SoftAlignment joined(const LineText& line, std::size_t b,
                     std::span<const SoftAlignment> of_sentences) {
  const auto& sentences = line.sentences;
  if (sentences.size() == 1 && !sentences[0].passes) return of_sentences[0];
  SoftAlignment all;
  if (line.text.size() > kLongestText) return all;
  const auto words = translated_words(line);
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

void check_sentences(std::int64_t longest, const LineTranslation& found, const std::string&,
                     LineText& line) {
  if (found.result.cut)
    line.problems.add({Reason::in_parts, {}, static_cast<std::uint64_t>(longest)});
  line.problems.add(found.result.problems);
}

void join_sentences(LineTranslation& found, LineText& line) {
  for (std::size_t b = 0; b < found.result.best.size(); ++b)
    found.result.best[b].text = joined_text(line, b).text;
  for (std::size_t b = 0; b < found.of_sentences.size(); ++b)
    found.alignments.push_back(joined(line, b, found.of_sentences[b]));
}

class SplitSentences {
 public:
  SplitSentences(const LineOptions& options, const LineModels& models)
      : asked_(options.sentences.empty() ? nullptr
                                         : std::make_unique<SentenceSplitter>(options.sentences)),
        whole_(options.whole),
        pass_through_(options.pass_through && has_character(*models.sources[0], is_letter)),
        longest_(models.longest) {}

  Undo operator()(LineText& line) const {
    std::vector<TextRange> ranges;
    if (!whole_) ranges = split(line);
    const bool one = whole_ || (ranges.size() <= 1 && line.untranslated.empty() &&
                                line.text.find('\n') == line.text.npos);
    if (one) line.sentences.push_back(whole(line));
    else line.sentences = parted(line, std::move(ranges));
    const bool plain = words_of(line.prefix).empty();
    for (LineSentence& s : line.sentences) {
      if (whole_) continue;
      s.several = !asked_ && any_language_.obviously_several(s.request.text);
      s.passes = pass_through_ && plain && nothing_to_translate(s.request) &&
                 std::ranges::all_of(s.request.requirements, &Requirement::verbatim);
    }
    return {.check = std::bind_front(check_sentences, longest_), .put_back = join_sentences};
  }

 private:
  // A text is always parted at its LFs and at what is not translated.
  std::vector<TextRange> split(const LineText& line) const {
    const std::string_view text = line.text;
    std::vector<TextRange> ranges;
    auto stays = line.untranslated.begin();
    for (std::size_t begin = 0, end, next; begin <= text.size(); begin = next) {
      const bool parted = stays != line.untranslated.end();
      const std::size_t most = parted ? stays->begin : text.size();
      end = std::min(text.substr(0, most).find('\n', begin), most);
      next = parted && end == most ? stays++->end : end + 1;
      const std::size_t first = ranges.size();
      const std::string_view stretch = text.substr(begin, end - begin);
      if (!asked_) append_trimmed(stretch, ranges);
      else
        for (const TextRange& r : split_sentences(stretch)) ranges.push_back(r);
      for (std::size_t i = first; i < ranges.size(); ++i)
        ranges[i] = {ranges[i].begin + begin, ranges[i].end + begin};
    }
    return ranges;
  }

  // No sentence ends inside of a URL, as at the ? of its query.
  std::vector<TextRange> split_sentences(std::string_view text) const {
    std::vector<TextRange> ranges = asked_->split(text);
    if (ranges.size() <= 1) return ranges;
    std::string searched(text);
    for (const TextRange& url : find_kept(searched, {.urls = true})) keep_together(url, ranges);
    return ranges;
  }

  std::unique_ptr<SentenceSplitter> asked_;
  SentenceSplitter any_language_;
  bool whole_, pass_through_;
  std::int64_t longest_;
};

}  // namespace

const Translation& LineSentence::best(std::size_t b) const {
  return result.best[std::min(b, result.best.size() - 1)];
}

void LineText::refuse(Problem why) {
  answerable = false;
  text.clear();
  prefix.clear();
  requirements.clear();
  untranslated.clear();
  untouched.clear();
  problems.add(std::move(why));
}

std::vector<TextRange> translated_words(const LineText& line) {
  std::vector<TextRange> words;
  std::size_t begin = 0;
  for (const TextRange& r : line.untranslated) {
    append_words(line.text, {begin, r.begin}, words);
    begin = r.end;
  }
  append_words(line.text, {begin, line.text.size()}, words);
  return words;
}

Translated joined(const LineText& line) {
  Translated all;
  std::size_t count = 0;
  for (const LineSentence& s : line.sentences) {
    const Translated& result = s.result;
    count = std::max(count, result.best.size());
    all.source.insert(all.source.end(), result.source.begin(), result.source.end());
    all.cut |= result.cut;
    all.problems.insert(all.problems.end(), result.problems.begin(), result.problems.end());
    if (s.several && !result.cut) all.problems.push_back({Reason::several_sentences});
    for (const std::size_t w : result.missing)
      all.missing.push_back(s.requirements.empty() ? w : s.requirements[w]);
  }
  if (line.sentences.size() == 1) all.best = line.sentences[0].result.best;
  all.best.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    Translation& t = all.best[b];
    for (const LineSentence& s : line.sentences) {
      if (line.sentences.size() == 1) break;
      const Translation& part = s.best(b);
      t.score += part.score;
      t.log_probability += part.log_probability;
      t.target.insert(t.target.end(), part.target.begin(), part.target.end());
      t.token_scores.insert(t.token_scores.end(), part.token_scores.begin(),
                            part.token_scores.end());
    }
    t.text = joined_text(line, b).text;
  }
  return all;
}

std::vector<TextRange> JoinedText::words() const {
  std::vector<TextRange> all;
  for (const TextRange& s : sentences) append_words(text, s, all);
  return all;
}

JoinedText joined_text(const LineText& line, std::size_t b) {
  const auto& sentences = line.sentences;
  JoinedText all;
  auto stays = line.untranslated.begin();
  const auto stays_between = [&](std::size_t begin, std::size_t end) {
    const std::size_t at = all.text.size();
    for (; stays != line.untranslated.end() && stays->end <= end; ++stays)
      all.untranslated.push_back({at + stays->begin - begin, at + stays->end - begin});
  };
  // White space around the line stays where it has a line break, or what is not translated.
  const auto around = [&](std::size_t begin, std::size_t end) {
    const std::size_t stretches = all.untranslated.size();
    stays_between(begin, end);
    const std::string space = line.text.substr(begin, end - begin);
    if (space.find('\n') != space.npos || all.untranslated.size() > stretches) all.text += space;
  };
  around(0, sentences.front().range.begin);
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    const std::string& part = sentences[k].best(b).text;
    if (k > 0) {
      const std::size_t end = sentences[k - 1].range.end, begin = sentences[k].range.begin;
      const char32_t before = character_before(all.text, all.text.size()),
                     next = character_at(part, 0);
      const bool apart = before != 0 && next != 0 && !is_unspaced(before) && !is_unspaced(next);
      stays_between(end, begin);
      all.text += begin == end && apart ? " " : line.text.substr(end, begin - end);
    }
    all.sentences.push_back({all.text.size(), all.text.size() + part.size()});
    all.text += part;
  }
  around(sentences.back().range.end, line.text.size());
  return all;
}

std::vector<TextRange> verbatim_in(const Translation& t) {
  std::vector<TextRange> ranges;
  std::size_t grown = 0;  // by replacements further to the left; wraps around where it has shrunk
  for (auto r = t.replaced.rbegin(); r != t.replaced.rend(); ++r) {
    ranges.push_back({r->begin + grown, r->begin + grown + r->size});
    grown += r->size - (r->end - r->begin);
  }
  return ranges;
}

Transform sentences_transform(const LineOptions& options, const LineModels& models) {
  return [split = std::make_shared<const SplitSentences>(options, models)](LineText& line) {
    return (*split)(line);
  };
}

}  // namespace tt
