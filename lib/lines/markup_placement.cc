// Where the markup of a line stands in its translation.
#include <algorithm>
#include <limits>
#include <optional>

#include "base/unicode.h"
#include "base/utf8.h"
#include "lines/markup_line.h"

namespace tt {
namespace {

constexpr float kSure = 0.25f;  // the least part of a word's weight that says where a tag stands

// Words [begin, end).
struct Span {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

// The words that have a part in [begin, end) of their text.
Span words_in(std::span<const TextRange> words, TextRange r) {
  const auto first =
      std::ranges::partition_point(words, [&](const TextRange& w) { return w.end <= r.begin; });
  const auto last =
      std::partition_point(first, words.end(), [&](const TextRange& w) { return w.begin < r.end; });
  const auto index = [&](auto it) { return static_cast<std::size_t>(it - words.begin()); };
  return {index(first), std::max(index(first), index(last))};
}

}  // namespace

class MarkupPlacement {
 public:
  MarkupPlacement(const MarkupLine& line, const MarkedTranslation& translation,
                  std::vector<std::string>& unplaced)
      : line_(line), t_(translation), unplaced_(unplaced), placements_(line.nodes_.size()) {
    read_alignment();
  }

  std::string text() {
    auto node = line_.outermost_.begin();
    for (std::size_t segment = 0; segment <= t_.untranslated.size(); ++segment) {
      const TextRange source = between(line_.untranslated_, segment, line_.text_.size()),
                      target = between(t_.untranslated, segment, t_.text.size());
      const auto first = node;
      while (node != line_.outermost_.end() && line_.nodes_[*node].segment == segment) ++node;
      write_segment(std::vector(first, node), source, target);
      if (segment < t_.untranslated.size()) out_ += t_.untranslated[segment].in(t_.text);
    }
    return std::move(out_);
  }

 private:
  using Nodes = std::vector<std::size_t>;
  using Node = MarkupLine::Node;

  // Where a node stands: at `range` of the translation, if it encloses some of it.
  struct Placement {
    bool encloses = false;
    Span words;
    TextRange range{0, 0};
  };

  // The words around a node: those of the element that it is in, or of its segment.
  struct Scope {
    Span source, target;
    TextRange range;    // of the translation
    std::size_t begin;  // in the text
  };

  static TextRange between(const std::vector<TextRange>& untranslated, std::size_t segment,
                           std::size_t size) {
    return {segment == 0 ? 0 : untranslated[segment - 1].end,
            segment < untranslated.size() ? untranslated[segment].begin : size};
  }

  // Weights stand for links: squared, so that the largest of a word counts most. Without any the
  // words of both texts are linked in their order.
  void read_alignment() {
    const std::size_t sources = t_.source_words.size();
    known_ = t_.alignment && t_.alignment->size() == t_.words.size();
    for (std::size_t t = 0; t < t_.words.size() && known_; ++t)
      known_ = (*t_.alignment)[t].size() == sources;
    known_ = known_ && is_known(*t_.alignment);
    if (!known_ || line_.nodes_.empty()) return;
    for (const std::vector<float>& weights : *t_.alignment) {
      std::vector<float>& row = sums_.emplace_back(sources + 1);
      for (std::size_t s = 0; s < sources; ++s) row[s + 1] = row[s] + weights[s] * weights[s];
      if (const float sum = row[sources]; sum > 0)
        for (float& x : row) x /= sum;
    }
  }

  // Which part of the weight of a word of the translation is on these of the source.
  float weight(std::size_t word, Span source) const {
    if (known_) return sums_[word][source.end] - sums_[word][source.begin];
    const std::size_t linked = word * t_.source_words.size() / t_.words.size();
    return linked >= source.begin && linked < source.end ? 1 : 0;
  }

  void not_placed(const Node& node) { unplaced_.push_back(node.open); }

  void write_segment(const Nodes& nodes, TextRange source, TextRange target) {
    const Scope scope{words_in(t_.source_words, source), words_in(t_.words, target), target,
                      source.begin};
    segment_ = target;
    cursor_ = target.begin;
    place(nodes, scope);
    write(nodes);
    advance(target.end);
  }

  void place(const Nodes& nodes, const Scope& scope) {
    if (nodes.empty()) return;
    place_elements(nodes, scope);
    Nodes enclosing;  // in the order of their places, which have no part in each other
    for (const std::size_t n : nodes)
      if (placements_[n].encloses) enclosing.push_back(n);
    std::ranges::sort(enclosing, {}, [&](std::size_t n) { return placements_[n].range.begin; });
    for (const std::size_t n : nodes) {
      const Node& node = line_.nodes_[n];
      Placement& p = placements_[n];
      if (!p.encloses) {
        const std::size_t at = anchor(node, scope);
        p.range.begin = p.range.end = whole({at, at}).begin;
        avoid(enclosing, n);
      } else if (!node.untouched) {
        place(node.inside,
              {words_in(t_.source_words, node.range), p.words, p.range, node.range.begin});
      }
    }
  }

  // Gives each element that encloses words the words that agree best, those first that agree most.
  void place_elements(const Nodes& nodes, const Scope& scope) {
    struct Candidate {
      std::size_t node;
      Span source;
      float agreement;
    };
    std::vector<Candidate> candidates;
    std::vector<char> free(t_.words.size(), 0);
    std::fill(free.begin() + static_cast<std::ptrdiff_t>(scope.target.begin),
              free.begin() + static_cast<std::ptrdiff_t>(scope.target.end), 1);
    for (const std::size_t n : nodes) {
      const Node& node = line_.nodes_[n];
      const Span source = words_in(t_.source_words, node.range);
      if (!node.element || node.range.begin == node.range.end || source.empty()) continue;
      candidates.push_back({n, source, best_words(source, scope, free).agreement});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.agreement > b.agreement; });
    for (const Candidate& c : candidates) {
      const Node& node = line_.nodes_[c.node];
      Found found = best_words(c.source, scope, free);
      std::optional<TextRange> exact;
      if (node.untouched && known_) exact = same_text(node, c.source, found.sure >= 0.5f, free);
      if (exact) found = {words_in(t_.words, *exact), 0, 1};
      if (found.words.empty() || found.sure < kSure) {
        not_placed(node);
        continue;
      }
      if (!known_) not_placed(node);
      const TextRange range = exact ? *exact : trimmed(node, found.words, scope.range);
      const Span inside = words_in(t_.words, range);
      found.words = {std::min(found.words.begin, inside.begin),
                     std::max(found.words.end, inside.end)};
      std::fill(free.begin() + static_cast<std::ptrdiff_t>(found.words.begin),
                free.begin() + static_cast<std::ptrdiff_t>(found.words.end), 0);
      placements_[c.node] = {true, found.words, range};
    }
  }

  struct Found {
    Span words;
    float agreement = -std::numeric_limits<float>::infinity();
    float sure = 0;  // the largest weight of one of them
  };
  // The run of free words with the most weight on `source`, beyond half of theirs.
  Found best_words(Span source, const Scope& scope, const std::vector<char>& free) const {
    const bool all = source.begin == scope.source.begin && source.end == scope.source.end;
    Found best, run;
    Span target = scope.target;
    if (!known_ && !all) {  // those in the place of the source's, at most
      const std::size_t sources = t_.source_words.size(), targets = t_.words.size();
      target.begin = std::max(target.begin, source.begin * targets / sources);
      target.end = std::min(target.end, source.end * targets / sources + 1);
    }
    for (std::size_t t = target.begin; t < target.end; ++t) {
      const float part = all ? 1 : weight(t, source);
      const bool goes_on = t > target.begin && free[t - 1] && run.agreement >= 0;
      if (!goes_on) run = {{t, t}, 0, 0};
      if (!free[t]) continue;
      run.agreement += part - 0.5f;
      run.sure = std::max(run.sure, part);
      run.words.end = t + 1;
      if (run.agreement >= best.agreement) best = run;
    }
    return best;
  }

  // Where the text that stands for what is untouched is in the translation by itself: there where
  // the most weight is. Nothing where it is not, or the words with some are others, and `sure`.
  std::optional<TextRange> same_text(const Node& node, Span source, bool sure,
                                     const std::vector<char>& free) const {
    const std::string_view shown = node.range.in(line_.text_);
    std::optional<TextRange> best;
    float most = sure ? 0.1f : -1;
    for (std::size_t at = 0; (at = t_.text.find(shown, at)) != t_.text.npos; ++at) {
      const TextRange r{at, at + shown.size()};
      const Span words = words_in(t_.words, r);
      if (word_goes_on(t_.text, at) || word_goes_on(t_.text, r.end)) continue;
      float part = 0;
      bool is_free = !words.empty();
      for (std::size_t t = words.begin; t < words.end; ++t) {
        part = std::max(part, weight(t, source));
        is_free = is_free && free[t];
      }
      if (!is_free || part <= most) continue;
      most = part;
      best = r;
    }
    return best;
  }

  // A stretch, and with it all of the kept text that it cuts.
  TextRange whole(TextRange r) const {
    const Span cut = words_in(t_.kept, r);
    if (cut.empty()) return r;
    return {std::min(r.begin, t_.kept[cut.begin].begin), std::max(r.end, t_.kept[cut.end - 1].end)};
  }

  // Whether the character at a byte may stand outside of an element: it is no kept text.
  bool is_outside(std::size_t at) const {
    const char32_t c = character_at(t_.text, at);
    return (is_punctuation(c) || is_space(c)) && words_in(t_.kept, {at, at + 1}).empty();
  }

  // The bytes of words, without punctuation at their ends where the element encloses none at its.
  TextRange trimmed(const Node& node, Span words, TextRange within) const {
    const TextRange all{t_.words[words.begin].begin, t_.words[words.end - 1].end};
    const std::string_view source = std::string_view(line_.text_).substr(0, node.range.end);
    TextRange r = all;
    if (!is_punctuation(first_visible(source, node.range.begin)))
      while (r.begin < r.end && is_outside(r.begin)) r.begin = behind(r.begin);
    if (!is_punctuation(last_visible(source)))
      while (r.end > r.begin) {
        const std::size_t last = character_start(t_.text, r.end);
        if (!is_outside(last)) break;
        r.end = last;
      }
    if (r.begin >= r.end) r = all;
    if (!node.untouched) r = whole(r);
    return {std::max(r.begin, within.begin), std::min(r.end, within.end)};
  }

  static char32_t first_visible(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(character_at(text, at))) ++at;
    return character_at(text, at);
  }
  static char32_t last_visible(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0 && is_space(character_before(text, end))) --end;
    return character_before(text, end);
  }
  std::size_t behind(std::size_t at) const {
    do ++at;
    while (at < t_.text.size() && !begins_character(t_.text[at]));
    return at;
  }

  // The word of the translation with the most weight on one of the source, if any is sure.
  std::optional<std::size_t> word_from(std::size_t source, Span target) const {
    if (!known_) {  // of words side by side, the first
      const std::size_t sources = t_.source_words.size(),
                        first = std::max(target.begin,
                                         (source * t_.words.size() + sources - 1) / sources);
      const bool linked = first < target.end && weight(first, {source, source + 1}) > 0;
      return linked ? std::optional(first) : std::nullopt;
    }
    std::optional<std::size_t> best;
    float most = kSure;
    for (std::size_t t = target.begin; t < target.end; ++t)
      if (const float part = weight(t, {source, source + 1});
          part >= most && (!best || part > most))
        best = t, most = part;
    return best;
  }

  // Where a node that encloses nothing stands in the translation: beside the word that comes from
  // the one that it stands against, or before which it stands.
  std::size_t anchor(const Node& node, const Scope& scope) {
    const std::size_t at = node.range.begin;
    Span before = words_in(t_.source_words, {0, at}),
         behind = words_in(t_.source_words, {std::max(at, node.range.end), line_.text_.size()});
    before.begin = std::max(before.begin, scope.source.begin);
    behind.end = std::min(behind.end, scope.source.end);
    const bool previous = before.begin < before.end, next = behind.begin < behind.end;
    if (const auto found =
            beside_stretch(at, {previous ? t_.source_words[before.end - 1].end : scope.begin,
                                next ? t_.source_words[behind.begin].begin : line_.text_.size()}))
      return std::clamp(*found, scope.range.begin, scope.range.end);
    if (scope.target.empty())
      return std::min(scope.range.begin + at - std::min(at, scope.begin), scope.range.end);
    if (!previous) return std::max(scope.range.begin, t_.words[scope.target.begin].begin);
    const TextRange& word = t_.source_words[before.end - 1];
    const bool inside = at < word.end;
    const std::size_t last = std::min(scope.range.end, t_.words[scope.target.end - 1].end);
    if (!next) return last;
    const bool against = inside || (word.end >= at && t_.source_words[behind.begin].begin > at);
    const auto to_left = [&]() -> std::optional<std::size_t> {
      const auto t = word_from(before.end - 1, scope.target);
      if (!t) return std::nullopt;
      return trimmed(before_node(node), {*t, *t + 1}, scope.range).end;
    };
    const auto to_right = [&]() -> std::optional<std::size_t> {
      const auto t = word_from(behind.begin, scope.target);
      return t ? std::optional(std::max(t_.words[*t].begin, scope.range.begin)) : std::nullopt;
    };
    if (node.space) {
      const auto left = word_from(before.end - 1, scope.target),
                 right = word_from(behind.begin, scope.target);
      if (left && right) return t_.words[std::max(*left, *right)].begin;
    }
    const auto first = against ? to_left() : to_right();
    if (first) return *first;
    const auto second = against ? to_right() : to_left();
    const bool said = node.element && node.range.begin < node.range.end;
    if ((!known_ || !second) && !said) not_placed(node);
    return second.value_or(last);
  }

  // Beside a stretch that stays, where one is between a node and the word before or behind it.
  std::optional<std::size_t> beside_stretch(std::size_t at, TextRange between) const {
    std::optional<std::size_t> found;
    for (const auto& [source, target] : t_.stays) {
      if (source.begin < between.begin || source.end > between.end) continue;
      if (source.begin < at) {
        found = target.end;
        for (std::size_t n = at - source.end; n > 0 && t_.text.substr(*found, 1) == " "; --n)
          ++*found;
      } else if (!found) {
        found = target.begin;
        for (std::size_t n = source.begin - at; n > 0 && *found > 0 && t_.text[*found - 1] == ' ';
             --n)
          --*found;
      }
    }
    return found;
  }

  // The text before a node, as if it enclosed it.
  static Node before_node(const Node& node) {
    Node text = node;
    text.range = {0, node.range.begin};
    return text;
  }
  // Moves what encloses nothing out of its siblings, to the side on which it stands in the source.
  void avoid(const Nodes& enclosing, std::size_t n) {
    TextRange& r = placements_[n].range;
    const auto behind = std::ranges::partition_point(
        enclosing, [&](std::size_t other) { return placements_[other].range.begin < r.begin; });
    if (behind == enclosing.begin()) return;
    const std::size_t other = *std::prev(behind);
    const TextRange& around = placements_[other].range;
    if (r.begin < around.end) r.begin = r.end = n < other ? around.begin : around.end;
  }

  void write(const Nodes& nodes) {
    Nodes order = nodes;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const Placement &pa = placements_[a], &pb = placements_[b];
      return pa.range.begin != pb.range.begin ? pa.range.begin < pb.range.begin
                                              : !pa.encloses && pb.encloses;
    });
    for (const std::size_t n : order) {
      const Node& node = line_.nodes_[n];
      const Placement& p = placements_[n];
      advance(p.range.begin);
      if (node.space && cursor_ < segment_.end && t_.text[cursor_] == ' ') ++cursor_;
      else if (node.space && out_.ends_with(' ')) out_.pop_back();
      const bool empty = !p.encloses && !node.space;
      if (empty && node.space_before && node.space_behind && out_.ends_with("  ")) out_.pop_back();
      if (empty && node.space_before && cursor_ > segment_.begin && !last_is_space()) {
        out_ += ' ';
        if (node.space_behind && t_.text.substr(cursor_, 2) == "  ") ++cursor_;
      }
      out_ += node.open;
      if (!p.encloses) {
        write_empty(node);
        if (empty && node.space_behind && cursor_ < segment_.end &&
            !is_space(character_at(t_.text, cursor_)))
          out_ += ' ';
      } else if (node.untouched) {
        cursor_ = std::max(cursor_, p.range.end);
      } else {
        write(node.inside);
        advance(p.range.end);
        out_ += node.close;
      }
    }
  }

  bool last_is_space() const { return is_space(character_before(out_, out_.size())); }

  // Markup inside of an element that has no text.
  void write_empty(const Node& node) {
    for (const std::size_t n : node.inside) {
      out_ += line_.nodes_[n].open;
      write_empty(line_.nodes_[n]);
    }
    out_ += node.close;
  }

  void advance(std::size_t to) {
    const char *at = t_.text.data() + cursor_, *const end = t_.text.data() + to;
    while (at < end) {
      const char* begin = at;
      const char32_t c = next_code_point(at, end);
      const char next = at < t_.text.data() + t_.text.size() ? *at : '\0';
      write_character(c, std::string_view(begin, static_cast<std::size_t>(at - begin)), next);
    }
    cursor_ = std::max(cursor_, to);
  }

  // An entity of the line, before byte `at` of the translation: with a semicolon where it would be
  // another without.
  std::string spelling(const std::string& entity, std::size_t at) const {
    if (entity.ends_with(';')) return entity;
    const std::string before = entity + std::string(t_.text.substr(at, 40));
    std::size_t end = 0;
    return markup::entity(before, line_.references_, end) && end == entity.size() ? entity
                                                                                  : entity + ";";
  }

  // As the line has written it; a & or < that might begin an entity or a tag is one never.
  void write_character(char32_t c, std::string_view bytes, char next) {
    const bool ends = next == '\0' || next == ' ';
    const auto at = static_cast<std::size_t>(bytes.data() - t_.text.data());
    if (const auto spelt = line_.spelt_.find(c); spelt != line_.spelt_.end())
      out_ += spelling(spelt->second, at + bytes.size());
    else if (c == U'&' && !(line_.raw_ampersand_ && (ends || is_text(at)))) out_ += "&amp;";
    else if (c == U'<' && !(line_.raw_less_ && ends)) out_ += "&lt;";
    else if (c == U'>' && !line_.raw_greater_) out_ += "&gt;";
    else out_ += bytes;
  }

  // Whether & begins nothing that may be an entity.
  bool is_text(std::size_t at) const {
    std::size_t end = at;
    return markup::entity_end(t_.text, at) == at &&
           !markup::entity(t_.text, line_.references_, end);
  }

  const MarkupLine& line_;
  const MarkedTranslation& t_;
  std::vector<std::string>& unplaced_;
  std::vector<Placement> placements_;
  bool known_ = false;                    // the alignment
  std::vector<std::vector<float>> sums_;  // [words][source words + 1]: weight on those before
  std::string out_;
  TextRange segment_{0, 0};  // of the translation, that is being written
  std::size_t cursor_ = 0;   // of the translation: written up to there
};

std::string MarkupLine::put_back(const MarkedTranslation& translation,
                                 std::vector<std::string>& unplaced) const {
  return MarkupPlacement(*this, translation, unplaced).text();
}

}  // namespace tt
