// Parallel text, stored as piece numbers: no text is kept, and a token takes two bytes if the
// vocabularies allow it.
//
// Only LF ends a line (base/line_reader.h). Every stored sentence ends with </s>, on both sides,
// which counts in its length. Sentences are numbered from 0 in the order of the files; skipped
// pairs have no number.
//
// Invariant: the stored data depend on the files, the subword models and max_length, never on
// threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "text/context.h"
#include "text/corpus_part.h"
#include "text/pair_store.h"
#include "text/subword.h"

namespace tt {

struct CorpusOptions {
  std::int64_t max_length = 256;  // pieces per side including </s>; longer pairs are skipped
  int threads = 1;
  double temperature = 1;  // of languages; see read_parts()
  // Of each pair, up to max_length; an empty line on both sides ends a document. A share of the
  // pairs, the same each time, has none.
  ContextOptions context = {};
  double context_dropout = 0;
};

class ParallelCorpus {
 public:
  ParallelCorpus(const Subword& source, const Subword& target);
  ParallelCorpus(PairStore pairs, std::int32_t bos) : pairs_(std::move(pairs)), bos_(bos) {}

  std::int64_t size() const { return pairs_.size(); }  // pairs
  std::int64_t source_length(std::int64_t i) const {
    return pairs_.source_length(i);
  }  // including </s>, so at least 1
  std::int64_t target_length(std::int64_t i) const { return pairs_.target_length(i); }
  std::uint64_t fingerprint() const { return pairs_.fingerprint(); }
  std::int64_t source_tokens() const { return pairs_.source_tokens(); }  // total
  std::int64_t target_tokens() const { return pairs_.target_tokens(); }

  // Append sentence i, ending with </s>. Require 0 <= i < size(). Throw Error if a file of pairs
  // cannot be read.
  void append_source(std::vector<std::int32_t>& tokens, std::int64_t i) const {
    pairs_.append_source(tokens, i);
  }
  void append_target(std::vector<std::int32_t>& tokens, std::int64_t i) const {
    pairs_.append_target(tokens, i);
  }

  std::int32_t bos() const { return bos_; }  // <s> of the target model

  PairStore& pairs() { return pairs_; }
  const PairStore& pairs() const { return pairs_; }
  const std::vector<PairStore::Stretch>& stretches() const { return pairs_.stretches(); }

 private:
  PairStore pairs_;
  std::int32_t bos_;
};

// "0.12 %"
std::string percent_unknown(const PairStore::Unknown& found);
// "; normalisation drops characters of 0.10 % of the source lines and 2.00 % of the target lines";
// empty if of none.
std::string share_dropped(const PairStore& pairs);

// Reads a training corpus: two files whose lines correspond, or, if `target_path` is empty, one
// file of lines "source TAB target"; "-" is stdin. Pairs with an empty or too long side are
// skipped. The remarks of its pairs() have their number, and each side of which more than a
// hundredth of the pieces are <unk>. Throws Error if a file cannot be read, the files differ in
// length, a line is not UTF-8 or does not have exactly one TAB, no pairs are left, or more than
// half of the pieces of a side are <unk>.
ParallelCorpus read_parallel(const std::string& source_path, const std::string& target_path,
                             const Subword& source, const Subword& target,
                             const CorpusOptions& options);

// A note of all that a store of a corpus depends on: names, sizes and times of change of files, the
// models, and the options. Throws Error if a part is no regular file, which could not be known
// again.
std::string store_note(std::span<const CorpusPart> parts, const Subword& source,
                       const Subword& target, const CorpusOptions& options);
// A training corpus of several parts, each as read_parallel() has it, whose pairs come `weight`
// times in an epoch. With options.temperature T, a pair of languages that has n pairs, each counted
// by its weight, has a share of the epoch that is proportional to n^(1/T), as Arivazhagan et al.,
// "Massively Multilingual Neural Machine Translation in the Wild" (2019), sample; the epoch has as
// many pairs as before. With a `store` the piece numbers are kept in that file, with store_note(),
// and are read from it if it has that note or `also`.
ParallelCorpus read_parts(std::span<const CorpusPart> parts, const Subword& source,
                          const Subword& target, const CorpusOptions& options,
                          const std::string& store = "", const std::string& also = "");

// Reads a part behind what a corpus has. The remarks of its pairs() have the lines whose links are
// none or of words that are not there, which are left out, and those without, if most are. Throws
// Error if a pair has no line of links, no pair has any, or most lines with links have bad ones.
void append_parallel(ParallelCorpus& corpus, const CorpusPart& part, const Subword& source,
                     const Subword& target, const CorpusOptions& options);

// A development set, of one or several parts: keeps its text, for translation and scoring, and
// skips no sentence.
struct DevelopmentSet {
  struct Part {
    std::string name;    // of its languages, or its files
    std::int64_t begin;  // its first sentence
    LanguagePieces pieces;
  };
  ParallelCorpus corpus;
  std::vector<std::string> source, reference;       // the lines, as many as corpus.size()
  std::vector<Part> parts;                          // at least one
  std::vector<LanguagePieces> context_pieces = {};  // of each sentence, where these have a context

  const LanguagePieces& pieces_of(std::int64_t sentence) const {
    return context_pieces.empty() ? parts[part_of(sentence)].pieces
                                  : context_pieces[static_cast<std::size_t>(sentence)];
  }
  std::int64_t end(std::size_t part) const {
    return part + 1 < parts.size() ? parts[part + 1].begin : corpus.size();
  }
  std::size_t part_of(std::int64_t sentence) const;

  // A hash of the sentences and of the lines, which may differ where the sentences do not.
  std::uint64_t fingerprint() const;
};

// Reads a development set, each part as read_parallel does, remarks included; options.max_length
// and weights are not used.
DevelopmentSet read_development(std::span<const CorpusPart> parts, const Subword& source,
                                const Subword& target, const CorpusOptions& options);

}  // namespace tt
