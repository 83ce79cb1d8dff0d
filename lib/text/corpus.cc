#include "text/corpus.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/formatted.h"
#include "base/input.h"
#include "base/line_reader.h"
#include "base/random.h"
#include "base/report.h"
#include "base/thread_pool.h"
#include "base/utf8.h"
#include "text/dropped_characters.h"
#include "text/pair_reader.h"

namespace tt {
namespace {

using nlohmann::json;

constexpr std::size_t kBlock = 1000;                  // pairs that a thread encodes at once
constexpr std::uint32_t kContextStream = 0x63757476;  // of random numbers

template <class Where>
void check_utf8(std::string_view line, const Where& where) {
  const std::size_t bad = first_invalid_utf8(line);
  if (bad != std::string_view::npos)
    throw Error(where(), ": not UTF-8: byte ", bad + 1,
                " of the line; convert the file with iconv, or remove the line");
}

// One side of some pairs.
struct Lines {
  std::vector<std::string> text;
  std::vector<std::int32_t> ids;  // of all sentences, each with its </s>
  std::vector<std::size_t> ends;  // where each ends
  std::vector<bool> dropped;      // whether normalisation drops characters of the line
};

// The links of some pairs.
struct LinkLines {
  std::vector<std::string> text;  // empty where there are none at all
  std::vector<std::vector<TokenLink>> links;
  std::vector<std::size_t> of_words;
  std::vector<std::string> bad;  // of each pair the first that is none
};

struct Block {
  Lines source, target;
  LinkLines links;
};

// The lines of links of a part of a corpus, one for each of its pairs.
class LinkReader {
 public:
  LinkReader(const std::string& path, const PairReader& pairs) : lines_(path), pairs_(pairs) {}

  const std::string& name() const { return lines_.name(); }
  std::string_view next() {
    std::string_view line;
    if (lines_.next(line)) return line;
    throw Error(lines_.name(), ": has ", count_of(lines_.line_number(), "line"), ", but ",
                pairs_.names(), " more; line N must have the links of pair N");
  }
  void check_end() {
    std::string_view line;
    if (lines_.next(line))
      throw Error(lines_.where(), ": ", pairs_.names(), " has no such pair, but ",
                  with_commas(pairs_.line_number()), "; line N must have the links of pair N");
  }

 private:
  LineReader lines_;
  const PairReader& pairs_;
};

// A sentence of a block.
struct Sentence {
  std::string& line;
  std::span<const std::int32_t> ids;
  bool dropped;
};

Sentence sentence(Lines& lines, std::size_t i) {
  const std::size_t begin = i == 0 ? 0 : lines.ends[i - 1];
  return {lines.text[i], std::span(lines.ids).subspan(begin, lines.ends[i] - begin),
          lines.dropped[i]};
}

class Encoder {
 public:
  explicit Encoder(const Subword& subword)
      : encoder_(subword), dropped_(subword), end_(subword.eos()) {}

  void encode(Lines& lines) {
    lines.ids.clear(), lines.ends.clear(), lines.dropped.clear();
    for (const auto& line : lines.text) {
      encoder_.append(line, lines.ids);
      lines.ids.push_back(end_);
      lines.ends.push_back(lines.ids.size());
      lines.dropped.push_back(dropped_.in(line));
    }
  }

 private:
  SubwordEncoder encoder_;
  DroppedCharacters dropped_;
  std::int32_t end_;
};

struct Encoders {
  Encoder source, target;
};

// Finds the links of a block's pairs, and those of their pieces. Where a side is longer than
// `most`, which skips the pair, its pieces have none.
void link_pieces(Block& block, const Subword& source, const Subword& target, std::size_t most) {
  LinkLines& lines = block.links;
  lines.links.assign(lines.text.size(), {});
  lines.of_words.assign(lines.text.size(), 0);
  lines.bad.assign(lines.text.size(), "");
  for (std::size_t i = 0; i < lines.text.size(); ++i) {
    const Sentence from = sentence(block.source, i), to = sentence(block.target, i);
    const auto source_words = words_of(from.line), target_words = words_of(to.line);
    const std::vector<TokenLink> links =
        read_links(lines.text[i], source_words.size(), target_words.size(), lines.bad[i]);
    lines.of_words[i] = links.size();
    if (links.empty() || std::max(from.ids.size(), to.ids.size()) > most) continue;
    lines.links[i] =
        between_pieces(links, words_behind(source.encoded_ranges(from.line), source_words),
                       words_behind(target.encoded_ranges(to.line), target_words));
  }
}

// Reads all pairs, with their links, if there are `links`, and calls put(source, target, links) for
// each in order. The threads encode blocks of pairs, so at most threads x kBlock pairs are in
// memory as text.
struct PairLinks {
  std::span<const TokenLink> of_pieces;
  std::size_t of_words;
  const std::string& bad;  // the first that is none; empty if there is none
};
using Put = std::function<void(const Sentence&, const Sentence&, const PairLinks&)>;
void encode_pairs(PairReader& reader, LinkReader* links, const Subword& source,
                  const Subword& target, const CorpusOptions& options, const Put& put) {
  const int threads = options.threads;
  Progress progress("reading", "pairs");
  ThreadPool pool(threads);
  std::vector<Encoders> encoders;
  for (int t = 0; t < threads; ++t) encoders.push_back({Encoder(source), Encoder(target)});
  std::vector<Block> blocks(static_cast<std::size_t>(threads));
  std::uint64_t done = 0;
  for (bool more = true; more;) {
    for (auto& block : blocks) {
      block.source.text.clear(), block.target.text.clear(), block.links.text.clear();
      std::string_view line, translation;
      while (block.source.text.size() < kBlock && more && (more = reader.next(line, translation))) {
        check_utf8(line, [&] { return reader.source_where(); });
        check_utf8(translation, [&] { return reader.target_where(); });
        block.source.text.emplace_back(line);
        block.target.text.emplace_back(translation);
        if (links) block.links.text.emplace_back(links->next());
      }
    }
    pool.run(blocks.size(), [&](std::size_t i, int thread) {
      Encoders& mine = encoders[static_cast<std::size_t>(thread)];
      mine.source.encode(blocks[i].source);
      mine.target.encode(blocks[i].target);
      link_pieces(blocks[i], source, target, static_cast<std::size_t>(options.max_length));
    });
    for (auto& block : blocks) {
      const std::string none;
      const auto found = [&](std::size_t i) {
        const LinkLines& lines = block.links;
        return links ? PairLinks{lines.links[i], lines.of_words[i], lines.bad[i]}
                     : PairLinks{{}, 0, none};
      };
      for (std::size_t i = 0; i < block.source.text.size(); ++i)
        put(sentence(block.source, i), sentence(block.target, i), found(i));
      done += block.source.text.size();
    }
    progress.update(done, reader.part());
  }
  if (links) links->check_end();
}

// Pairs that were skipped for one reason.
struct Skipped {
  std::int64_t pairs = 0, first = 0;  // the line of the first, from 1

  void add(std::int64_t line) {
    if (pairs++ == 0) first = line;
  }
};

// "12 of 400 pairs: 10 longer than 256 pieces (first: line 3), 2 with an empty side (first: line
// 7)"; empty if none was skipped.
std::string skipped_pairs(const Skipped& too_long, const Skipped& empty, std::int64_t read,
                          std::int64_t max_length) {
  std::string reasons;
  const auto add = [&](const Skipped& skipped, const std::string& why) {
    if (skipped.pairs == 0) return;
    reasons += (reasons.empty() ? "" : ", ") + with_commas(skipped.pairs) + why + " (first: line " +
               std::to_string(skipped.first) + ")";
  };
  add(too_long, " longer than " + count_of(max_length, "piece"));
  add(empty, " with an empty side");
  return reasons.empty() ? ""
                         : with_commas(too_long.pairs + empty.pairs) + " of " +
                               count_of(read, "pair") + ": " + reasons;
}

std::string percent(std::int64_t part, std::int64_t all) {
  return formatted("%.2f %%", 100 * static_cast<double>(part) /
                                  static_cast<double>(std::max<std::int64_t>(1, all)));
}

// Counts what a subword model cannot spell, and what it drops.
class Losses {
 public:
  explicit Losses(const Subword& subword)
      : unknown_(subword.unk()), space_(subword.find(kSpacePiece)), end_(subword.eos()) {}

  void count(const Sentence& sentence, std::int64_t line) {
    ++lines_;
    if (sentence.dropped && found_.dropped++ == 0) first_dropped_ = line;
    for (const std::int32_t id : sentence.ids) {
      if (id == unknown_ && found_.unknown++ == 0) first_ = line;
      found_.pieces += id != space_ && id != end_;
    }
  }

  // Adds what was counted to `total`, and a remark if it is much. Throws Error if the model is none
  // of this language.
  void check(const std::string& name, PairStore::Unknown& total,
             std::vector<std::string>& remarks) const {
    total.unknown += found_.unknown, total.pieces += found_.pieces, total.dropped += found_.dropped;
    const std::string lacks = name + ": " + percent_unknown(found_) +
                              " of the pieces are <unk> (first: line " + std::to_string(first_) +
                              "): the subword model lacks ";
    if (2 * found_.unknown > found_.pieces)
      throw Error(lacks,
                  "most characters of this text, and seems to be of another language; give one "
                  "that was trained on such text");
    if (100 * found_.unknown > found_.pieces)
      remarks.push_back(
          lacks +
          "characters of this text; one that is trained on it with a coverage of 1 has all");
    if (100 * found_.dropped > lines_)
      remarks.push_back(
          name + ": " + percent(found_.dropped, lines_) +
          " of the lines have characters (first: line " + std::to_string(first_dropped_) +
          ") that the normalisation of the subword model drops, such as controls; make "
          "sure that the text is not damaged");
  }

 private:
  const std::int32_t unknown_, space_, end_;
  PairStore::Unknown found_;
  std::int64_t lines_ = 0, first_ = 0, first_dropped_ = 0;  // the first lines that have some
};

// Counts the lines of links of a part's pairs, also of those that are skipped.
struct LinkCount {
  std::int64_t lines = 0, empty = 0, bad = 0;  // bad: lines that have a link that is none
  std::int64_t first_empty = 0, first = 0;     // the first lines that are so
  std::int64_t links = 0;                      // of pieces, in pairs that are trained on
  std::string example;

  void count(const PairLinks& pair) {
    ++lines;
    if (!pair.bad.empty() && bad++ == 0) first = lines, example = pair.bad;
    if (pair.bad.empty() && pair.of_words == 0 && empty++ == 0) first_empty = lines;
  }
  // Adds a remark for links that are left out, and if there are few. Throws Error if the links are
  // none of these pairs.
  void check(const std::string& name, std::vector<std::string>& remarks) const {
    const auto of_lines = [&](std::int64_t n) {
      return std::to_string(n) + " of " + count_of(lines, "line") + " have ";
    };
    const std::string found =
        bad == 0 ? ""
                 : of_lines(bad) +
                       "links that are none, or of words that the pair has not (first: line " +
                       std::to_string(first) + ": " + in_quotes(example) + ")";
    if (links == 0)
      throw Error(name, ": has no link of the pairs that are trained on, as 0-0, a word of the ",
                  "source and one of the target", found.empty() ? "" : "; " + found);
    if (2 * bad > lines - empty)
      throw Error(
          name, ": ", found, ", so that the others are hardly of these pairs; give links ",
          "of this text as it is, in its order, with words counted from 0 and those of the ",
          "source first");
    if (bad > 0) remarks.push_back(name + ": " + found + "; they are left out");
    if (2 * empty > lines)
      remarks.push_back(name + ": " + of_lines(empty) + "no links (first: line " +
                        std::to_string(first_empty) +
                        "), so that little is learned from the others; make sure that the program "
                        "that made them has read all of the text");
  }
};

}  // namespace

std::string percent_unknown(const PairStore::Unknown& found) {
  return percent(found.unknown, found.pieces);
}

std::string share_dropped(const PairStore& pairs) {
  std::string text;
  const auto add = [&](const PairStore::Unknown& found, const char* side) {
    if (found.dropped == 0) return;
    text += (text.empty() ? "; normalisation drops characters of " : " and ") +
            percent(found.dropped, pairs.size()) + " of the " + side + " lines";
  };
  add(pairs.source_unknown, "source"), add(pairs.target_unknown, "target");
  return text;
}

ParallelCorpus::ParallelCorpus(const Subword& source, const Subword& target)
    : pairs_(source.size(), target.size()), bos_(target.bos()) {}

// Adds a pair with the pieces of its languages.
static void append_pair(PairStore& pairs, const Sentence& source, const Sentence& target,
                        const LanguagePieces& pieces, std::span<const TokenLink> links) {
  if (pieces == LanguagePieces()) return pairs.append(source.ids, target.ids, links);
  std::vector<std::int32_t> from(source.ids.begin(), source.ids.end()), to = pieces.history;
  pieces.put_around(from);
  to.insert(to.end(), pieces.first.begin(), pieces.first.end());
  const std::size_t before = to.size();
  to.insert(to.end(), target.ids.begin(), target.ids.end());
  std::vector<TokenLink> shifted(links.begin(), links.end());
  for (TokenLink& link : shifted) {
    link.target += static_cast<std::int32_t>(before);
    link.source += static_cast<std::int32_t>(pieces.before.size());
  }
  pairs.append(from, to, shifted);
}

static ContextOptions context_of(const CorpusOptions& options) {
  ContextOptions context = options.context;
  context.longest = options.max_length;
  return context;
}

static void add_to(Context& context, const Sentence& source, const Sentence& target) {
  context.add(source.ids.first(source.ids.size() - 1), target.ids.first(target.ids.size() - 1));
}

// Whether the pair of a line is one of a share, which does not depend on anything else.
static bool drops_context(std::int64_t line, double share) {
  return static_cast<double>(
             Random(0, static_cast<std::uint64_t>(line), kContextStream).uniform()) < share;
}

ParallelCorpus read_parallel(const std::string& source_path, const std::string& target_path,
                             const Subword& source, const Subword& target,
                             const CorpusOptions& options) {
  ParallelCorpus corpus(source, target);
  append_parallel(corpus, {source_path, target_path}, source, target, options);
  return corpus;
}

void append_parallel(ParallelCorpus& corpus, const CorpusPart& part, const Subword& source,
                     const Subword& target, const CorpusOptions& options) {
  PairReader reader(part.source, part.target);
  const LanguagePieces& pieces = part.pieces;
  std::optional<LinkReader> links;
  if (!part.links.empty()) links.emplace(part.links, reader);
  corpus.pairs().begin_stretch(part.weight);
  const std::int64_t before = corpus.size();
  const auto most = static_cast<std::size_t>(options.max_length);
  std::int64_t read = 0;
  Skipped empty, too_long;
  Losses source_losses(source), target_losses(target);
  LinkCount link_count;
  std::optional<Context> context;
  if (options.context.sentences > 0) context.emplace(context_of(options), source, target);
  encode_pairs(reader, links ? &*links : nullptr, source, target, options,
               [&](const Sentence& one, const Sentence& other, const PairLinks& pair) {
                 ++read;
                 link_count.count(pair);
                 if (context && std::max(one.ids.size(), other.ids.size()) <= 1)
                   return context->clear();
                 if (one.ids.size() <= 1 || other.ids.size() <= 1) return empty.add(read);
                 if (one.ids.size() + pieces.before.size() + pieces.behind.size() > most ||
                     other.ids.size() + pieces.first.size() > most) {
                   if (context) context->clear();
                   return too_long.add(read);
                 }
                 LanguagePieces all_pieces = pieces;
                 if (context && !drops_context(read, options.context_dropout))
                   context->put_around(all_pieces, one.ids.size(), other.ids.size());
                 append_pair(corpus.pairs(), one, other, all_pieces, pair.of_pieces);
                 if (context) add_to(*context, one, other);
                 source_losses.count(one, read), target_losses.count(other, read);
                 link_count.links += static_cast<std::int64_t>(pair.of_pieces.size());
               });
  const std::string skipped = skipped_pairs(too_long, empty, read, options.max_length);
  if (read == 0) throw Error(reader.names(), ": the corpus is empty");
  if (corpus.size() == before)
    throw Error(reader.names(), ": no pairs are left: skipped ", skipped);
  PairStore& pairs = corpus.pairs();
  if (!skipped.empty()) pairs.remarks.push_back(reader.names() + ": skipped " + skipped);
  source_losses.check(reader.source_name(), pairs.source_unknown, pairs.remarks);
  target_losses.check(reader.target_name(), pairs.target_unknown, pairs.remarks);
  if (links) link_count.check(links->name(), pairs.remarks);
}

std::string store_note(std::span<const CorpusPart> parts, const Subword& source,
                       const Subword& target, const CorpusOptions& options) {
  const auto hash = [](const Subword& model) {
    return std::to_string(std::hash<std::string>()(model.bytes()));
  };
  std::string note = "max_length " + std::to_string(options.max_length) + ", pieces " +
                     hash(source) + ' ' + hash(target);
  if (options.context.sentences > 0)
    note +=
        ", context " +
        json{options.context.sentences, options.context.history, options.context_dropout}.dump();
  if (options.temperature != 1) note += ", temperature " + json(options.temperature).dump();
  for (const CorpusPart& part : parts) {
    const LanguagePieces& pieces = part.pieces;
    note += '\n' + json{part, pieces.before, pieces.behind, pieces.first}.dump(
                       -1, ' ', false, json::error_handler_t::replace);
    for (const std::string* file : part.paths()) {
      const std::string& path = *file;
      if (path.empty()) continue;
      if (path != "-" && !file_exists(path)) Input missing(path);  // throws
      const auto status = path == "-" ? std::nullopt : regular_file(path);
      if (!status)
        throw Error(path == "-" ? "stdin" : path,
                    ": not a regular file, so a store could not tell whether it has changed; ",
                    "give a file, or no store");
      note +=
          '\n' + path + ' ' + std::to_string(status->size) + ' ' + std::to_string(status->changed);
    }
  }
  return note + '\n';
}

// Gives the parts of a corpus, each of which has a beginning, the weights of a temperature.
static void balance(PairStore& pairs, std::span<const CorpusPart> parts,
                    std::span<const std::int64_t> begins, double temperature) {
  using Pair = std::pair<std::string, std::string>;
  const auto languages = [](const CorpusPart& part) {
    return Pair(part.languages.from, part.languages.to);
  };
  std::map<Pair, double> sizes;  // in pairs, counted by their weights
  double all = 0, powers = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t end = i + 1 < begins.size() ? begins[i + 1] : pairs.size();
    const double size = parts[i].weight * static_cast<double>(end - begins[i]);
    sizes[languages(parts[i])] += size, all += size;
  }
  for (const auto& [pair, size] : sizes) powers += std::pow(size / all, 1 / temperature);
  std::vector<PairStore::Stretch> stretches;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double share = sizes.at(languages(parts[i])) / all;
    stretches.push_back(
        {begins[i], parts[i].weight * std::pow(share, 1 / temperature) / powers / share});
  }
  pairs.set_stretches(std::move(stretches));
}

ParallelCorpus read_parts(std::span<const CorpusPart> parts, const Subword& source,
                          const Subword& target, const CorpusOptions& options,
                          const std::string& store, const std::string& also) {
  ParallelCorpus corpus(source, target);
  const std::string note = store.empty() ? "" : store_note(parts, source, target, options);
  if (!store.empty()) {
    for (const std::string& made : {note, also})
      if (auto pairs = PairStore::open(store, made, source.size(), target.size()))
        return {std::move(*pairs), target.bos()};
    if (file_exists(store))
      warn(store +
           ": the corpus, the subword models, the settings or the program have changed; storing it "
           "again");
    corpus.pairs().write_to(store);
  }
  std::vector<std::int64_t> begins;
  for (const CorpusPart& part : parts) {
    begins.push_back(corpus.size());
    append_parallel(corpus, part, source, target, options);
  }
  if (options.temperature != 1) balance(corpus.pairs(), parts, begins, options.temperature);
  if (!store.empty()) corpus.pairs().seal(note);
  return corpus;
}

std::size_t DevelopmentSet::part_of(std::int64_t sentence) const {
  const auto next = std::ranges::upper_bound(parts, sentence, {}, &Part::begin);
  return static_cast<std::size_t>(next - parts.begin()) - 1;
}

std::uint64_t DevelopmentSet::fingerprint() const {
  uLong sum = ::crc32_z(0, nullptr, 0);
  for (const auto* lines : {&source, &reference})
    for (const std::string& line : *lines)  // with the zero that ends it
      sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(line.c_str()), line.size() + 1);
  return corpus.fingerprint() * 31 + sum;
}

// The name of a part; with its files if an earlier one has it, too.
static std::string name_of(const CorpusPart& part,
                           const std::vector<DevelopmentSet::Part>& before) {
  const LanguageNames& languages = part.languages;
  const std::string files = part.source + (part.target.empty() ? "" : ", " + part.target);
  const std::string name = languages.to.empty() ? files : languages.from + "-" + languages.to;
  const auto has_it = [&](const DevelopmentSet::Part& other) { return other.name == name; };
  return std::ranges::any_of(before, has_it) ? name + " of " + files : name;
}

DevelopmentSet read_development(std::span<const CorpusPart> parts, const Subword& source,
                                const Subword& target, const CorpusOptions& options) {
  DevelopmentSet set{ParallelCorpus(source, target), {}, {}, {}};
  PairStore& pairs = set.corpus.pairs();
  for (const CorpusPart& part : parts) {
    PairReader reader(part.source, part.target);
    set.parts.push_back({name_of(part, set.parts), set.corpus.size(), part.pieces});
    std::int64_t line = 0;
    Losses source_losses(source), target_losses(target);
    std::optional<Context> context;
    if (options.context.sentences > 0) context.emplace(context_of(options), source, target);
    encode_pairs(reader, nullptr, source, target, options,
                 [&](const Sentence& one, const Sentence& other, const PairLinks&) {
                   LanguagePieces all_pieces = part.pieces;
                   if (context) context->put_around(all_pieces, one.ids.size(), other.ids.size());
                   append_pair(pairs, one, other, all_pieces, {});
                   if (context) set.context_pieces.push_back(std::move(all_pieces));
                   if (context && std::max(one.ids.size(), other.ids.size()) > 1)
                     add_to(*context, one, other);
                   else if (context) context->clear();
                   source_losses.count(one, ++line), target_losses.count(other, line);
                   set.source.push_back(std::move(one.line));
                   set.reference.push_back(std::move(other.line));
                 });
    if (line == 0) throw Error(reader.names(), ": the corpus is empty");
    source_losses.check(reader.source_name(), pairs.source_unknown, pairs.remarks);
    target_losses.check(reader.target_name(), pairs.target_unknown, pairs.remarks);
  }
  return set;
}

}  // namespace tt
