// The files that a training reads, and where it writes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/ranks.h"
#include "model/config.h"
#include "nn/device.h"
#include "text/corpus.h"
#include "text/subword.h"

namespace tt {

struct TrainingInputs {
  std::vector<CorpusPart> train;                    // files, or "-" and "" for TSV on stdin
  std::vector<CorpusPart> dev;                      // empty: no validation
  std::optional<double> language_temperature = {};  // as read_parts() has it; default: 1
  std::string store;  // where the pieces of the training corpus are kept; empty: in memory
  std::string source_subword, target_subword;  // model files; the same path: one joint model
  std::string from;    // a model whose parameters a new run begins with; empty: it begins at random
  std::string freeze;  // what stays as it is; see parameters_of() in train/transfer.h
  std::string folder;
  std::string log;  // JSON lines; empty: none
  DeviceChoice
      device;  // noted in the state of the run; what computes is the backend that train() is given
  int threads = 1;
  std::optional<int> show = {};  // sentences that a validation prints with their translations
  // Bytes that the process may take: config.tokens is chosen so, and kept if it can be.
  std::optional<std::size_t> memory = {};
  bool unchanged = false;  // a run is resumed only as it was begun; see require_unchanged()
  bool profile = false;    // print the time of each kernel at the end
  std::int64_t trace = 0;  // the update that is followed (train/update_trace.h); 0: none
};

// The paths of all files that are read, "" among them, and a joint subword model once.
std::vector<std::string> read_files(const TrainingInputs& inputs);
// Throws Error if stdin is to be read twice, or what is written is also read or is a file of the
// run, whether or not they exist.
void check_inputs(const TrainingInputs& inputs);

// The settings, with the head of the decoder that learns to align words: with links it is one of
// the last layer but one, as of Garg et al. 2019, unless they or the model that training begins
// with name another. Throws Error if links, or two views of each batch, could teach nothing: a
// model that was trained so may be read, but no other is.
Config with_views_and_links(Config config, const TrainingInputs& inputs);

// The subword models; sets the sizes of the vocabularies in the configuration. Throws Error if they
// cannot be read, or if the settings with them do not belong together.
SubwordPair load_subwords(Config& config, const TrainingInputs& inputs);

// Sets the pieces that choose the languages of the corpora. Throws Error if one has languages that
// the vocabularies lack, or that the model is not told, or has none and the model needs them.
TrainingInputs with_language_pieces(TrainingInputs inputs, const Architecture& model,
                                    const SubwordPair& subwords);

// The training corpus. Of several ranks all call this; those that see one store read what rank 0
// has put there. Says how often the pairs of each part come where languages have a temperature.
ParallelCorpus read_corpus(const TrainingInputs& inputs, const SubwordPair& subwords,
                           const CorpusOptions& options, const Ranks& ranks);

// Throws Error if a development sentence has more than `longest` tokens (0: no limit), which must
// end a run before it starts, not at its first validation.
void check_lengths(const DevelopmentSet& set, const TrainingInputs& inputs, std::int64_t longest);

}  // namespace tt
