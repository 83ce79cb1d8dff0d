#include "train/inputs.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/formatted.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/utf8.h"
#include "base/writable.h"
#include "model/checkpoint.h"
#include "model/language_pieces.h"
#include "model/stored_subword.h"
#include "train/run.h"

namespace tt {

std::vector<std::string> read_files(const TrainingInputs& in) {
  std::vector<std::string> read{in.source_subword, in.from};
  if (in.target_subword != in.source_subword) read.push_back(in.target_subword);
  for (const CorpusPart& part : in.dev) read.insert(read.end(), {part.source, part.target});
  for (const CorpusPart& part : in.train)
    for (const std::string* path : part.paths()) read.push_back(*path);
  return read;
}

void check_inputs(const TrainingInputs& in) {
  const std::vector<std::string> read = read_files(in);
  // A part of two -, of which the reader of corpora says what is wrong with it, counts as one.
  const auto whole = std::count_if(in.train.begin(), in.train.end(), [](const CorpusPart& part) {
    return part.source == "-" && part.target == "-";
  });
  if (std::count(read.begin(), read.end(), "-") - whole > 1)
    throw Error("stdin is to be read more than once; give files for all but one -");
  if (in.store == "-")
    throw Error("the store is a file that is read again, and cannot be -; give its name");
  check_written_once({{in.store, in.log}});
  for (const auto& [path, what] : {std::pair(in.store, "store"), std::pair(in.log, "log")}) {
    check_not_read(path, read);
    if (same_path(path, in.folder))
      throw Error(path, ": is the folder of the run; write the ", what, " to another file");
    if (is_of_run(path, in.folder))
      throw Error(path, ": is a file of the run; write the ", what, " to another file");
  }
  if (first_invalid_utf8(in.from) < in.from.size())
    throw Error(in.from, ": the name is not UTF-8, as the run's state has it; rename the file");
}

Config with_views_and_links(Config config, const TrainingInputs& in) {
  if (config.r_drop > 0 && config.dropout == 0 && config.attention_dropout == 0 &&
      config.ffn_dropout == 0)
    throw SettingError(Setting{"r_drop"}, " compares two views of a batch, which differ by dropout",
                       " alone, and there is none; set ", Setting{"dropout"}, ", or ",
                       Setting{"r_drop"}, " to 0");
  if (config.alignment_layer == 0 && config.type == ModelType::transformer && !in.from.empty()) {
    const Config theirs = stored_config(open_model(in.from));
    config.alignment_layer = theirs.alignment_layer, config.alignment_head = theirs.alignment_head;
  }
  if (std::ranges::all_of(in.train, &std::string::empty, &CorpusPart::links)) return config;
  if (config.type != ModelType::transformer || config.scores == Scores::additive)
    throw SettingError(Setting{"guided_alignment"},
                       " needs a Transformer whose scores are products",
                       " of queries and keys; omit it");
  if (config.guided_alignment_weight == 0)
    throw SettingError(Setting{"guided_alignment"}, " teaches nothing with ",
                       Setting{"guided_alignment_weight"}, " 0; omit one of them");
  if (config.alignment_layer == 0) config.alignment_layer = std::max(1, config.decoder_layers - 1);
  return config;
}

SubwordPair load_subwords(Config& config, const TrainingInputs& in) {
  const Subword source = load_subword(in.source_subword, SubwordSide::source);
  // A pipe can be read once.
  const bool again = in.target_subword != in.source_subword || regular_file(in.target_subword);
  const Subword target = again ? load_subword(in.target_subword, SubwordSide::target) : source;
  config.source_vocab = source.size();
  config.target_vocab = target.size();
  if (config.shares_inputs() && source.bytes() != target.bytes())
    throw SettingError(
        "embeddings shared by source and target need one joint subword model; give one ",
        Setting{"subword"}, ", or ", Setting{"embeddings"}, " target");
  check_config(config, "settings");
  return {source, target};
}

TrainingInputs with_language_pieces(TrainingInputs in, const Architecture& model,
                                    const SubwordPair& subwords) {
  const LanguageReader reader(model, subwords.source, subwords.target, in.source_subword);
  const bool reads = reader.reads_source() || reader.reads_target();
  if (!model.source_eos && model.source_language == SourceLanguage::behind)
    throw Error("settings: source_language behind stands behind </s>, which source_eos omits");
  const auto set = [&](CorpusPart& part, const char* setting) {
    const bool has = !part.languages.to.empty();
    if (has && !reads)
      throw SettingError(part.source, ": has languages, which the model is not told; give ",
                         Setting{"target_language"}, " first, so that translations begin with it, ",
                         "or ", Setting{"target_language"}, " source, or omit them");
    // Lines may begin with their language themselves.
    if (!has && (reader.needs_source() || (reader.needs_target() && !reader.in_text())))
      throw SettingError(part.source, ": is for a model of many languages; name those of the text ",
                         "before its files, as in ", Setting{setting}, " en de FILE FILE");
    try {
      part.pieces = reader.pieces(part.languages.from, part.languages.to);
    } catch (const Error& error) {
      throw Error(in.source_subword, ": ", error.what(),
                  "; give a subword model with pieces for all languages");
    }
  };
  for (CorpusPart& part : in.train) set(part, "train");
  for (CorpusPart& part : in.dev) set(part, "dev");
  const bool one = std::ranges::all_of(
      in.train, [&](const CorpusPart& part) { return part.languages == in.train[0].languages; });
  if (in.language_temperature.value_or(1) != 1 && one)
    throw SettingError(Setting{"language_temperature"},
                       " mixes corpora of several languages; name those of each, or omit it");
  return in;
}

ParallelCorpus read_corpus(const TrainingInputs& in, const SubwordPair& subwords,
                           const CorpusOptions& options, const Ranks& ranks) {
  // Rank 0 may have made the store from a copy of the corpus on its machine, which has another time
  // of change.
  const bool stored = !in.store.empty();
  std::string note = stored ? store_note(in.train, subwords.source, subwords.target, options) : "";
  if (stored) ranks.share(note);
  if (stored && !ranks.first()) ranks.any(false);
  ParallelCorpus corpus =
      read_parts(in.train, subwords.source, subwords.target, options, in.store, note);
  if (stored && ranks.first()) ranks.any(false);
  if (options.temperature == 1 || !ranks.first()) return corpus;
  const auto& stretches = corpus.stretches();
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::int64_t end = i + 1 < stretches.size() ? stretches[i + 1].begin : corpus.size();
    say(in.train[i].languages.from + "-" + in.train[i].languages.to + ": " +
        with_commas(end - stretches[i].begin) +
        formatted(" pairs, %.3g times in an epoch", stretches[i].weight));
  }
  return corpus;
}

void check_lengths(const DevelopmentSet& set, const TrainingInputs& in, std::int64_t longest) {
  for (std::int64_t i = 0; longest > 0 && i < set.corpus.size(); ++i) {
    const std::size_t p = set.part_of(i);
    for (const auto& [path, length] :
         {std::pair(in.dev[p].source, set.corpus.source_length(i)),
          {in.dev[p].target.empty() ? in.dev[p].source : in.dev[p].target,
           set.corpus.target_length(i)}})
      if (length > longest)
        throw SettingError(path, ":", i + 1 - set.parts[p].begin, ": has ", length,
                           " tokens with </s>, but the model has learned positions for ", longest,
                           "; raise ", Setting{"max_length"}, ", or remove the sentence");
  }
}

}  // namespace tt
