#include "exchange/marian_search.h"

#include <algorithm>
#include <charconv>
#include <climits>

namespace tt {

const ForeignTable& decoder_options() {
  static const ForeignTable table{
      kept("models vocabs beam-size normalize max-length-factor allow-unk"),
      reported("word-penalty", "0"),
      reported("output-sampling shortlist output-approx-knn skip-cost allow-special force-decode "
               "no-spm-encode no-spm-decode",
               "false"),
      reported("max-length", "1000"),
      reported("max-length-crop tsv", "false"),
      reported("encryption-key-path", ""),
      // Of speed, of numbers with fewer bits, of files and messages, and of what is told beside a
      // translation; weights are those of several models.
      idle("input output n-best alignment word-scores stat-freq tsv-fields devices num-devices "
           "no-nccl sharding sync-freq cpu-threads mini-batch mini-batch-words mini-batch-fit "
           "mini-batch-fit-step gradient-checkpointing maxi-batch maxi-batch-sort shuffle-in-ram "
           "data-threads fp16 precision weights optimize gemm-type gemm-precision quantize-range "
           "authors cite build-info config workspace log log-level log-time-zone quiet "
           "quiet-translation seed check-nan interpolate-env-vars relative-paths dump-config "
           "sigterm version"),
  };
  return table;
}

namespace {

constexpr double kAny = 1e300;  // no limit

// The layer whose first head was trained to align, as far as it is told; 0: it is not. The last is
// meant where nobody said another.
int alignment_layer(const JsonSettings& options, const Architecture& config) {
  const std::string layer = options.text("transformer-guided-alignment-layer", "last");
  int number = 0;
  if (std::from_chars(layer.data(), layer.data() + layer.size(), number).ec == std::errc())
    return number >= 1 && number <= config.decoder_layers ? number : 0;
  return options.text("guided-alignment", "none") == "none" ? 0 : config.decoder_layers;
}

// The defaults of search, which decoder.yml has, or what the training validated with.
void read_search(const JsonSettings& options, SearchSettings& config) {
  config.beam = std::clamp(options.integer("beam-size", 12, INT_MIN, INT_MAX), 1, 1024);
  const std::string normalize = options.text("normalize", "0");
  config.alpha = normalize == "true" ? 1
                 : normalize == "false"
                     ? 0
                     : std::clamp(options.number("normalize", 0, -kAny, kAny), 0.0, 100.0);
  config.length_penalty = LengthPenalty::length;
  config.narrow_beam = true;
  config.length_factor =
      std::clamp(options.number("max-length-factor", 3, -kAny, kAny), 0.0, 1000.0);
  config.extra_length = 0;
  config.forbid_unknown = !options.yes("allow-unk", false);
}

}  // namespace

void take_search(const MarianFolder& folder, const JsonSettings& options, PortableModel& model) {
  const JsonSettings& search = folder.decoder ? *folder.decoder : options;
  read_search(search, model.config);
  // Models of Firefox are trained so: it puts markup into translations by that head.
  model.config.alignment_layer = folder.vocabularies.empty()
                                     ? alignment_layer(options, model.config)
                                     : model.config.decoder_layers;
  // Without decoder.yml the options are those of the training, which has more of them.
  const std::string lost =
      lost_settings(decoder_options(), values_of(search),
                    folder.decoder ? search.keys() : std::vector<std::string>());
  if (!lost.empty())
    model.losses.push_back((folder.decoder ? folder.decoder_path : folder.model) +
                           ": settings of search that are not kept: " + lost);
  if (!folder.shortlist.empty())
    model.losses.push_back(folder.shortlist +
                           ": a shortlist, which is no part of a model; give it to the translator");
}

}  // namespace tt
