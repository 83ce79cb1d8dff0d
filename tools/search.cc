#include "tools/search.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_reader.h"
#include "decode/token_constraints.h"
#include "text/invisible.h"
#include "tools/main.h"

namespace tt {
namespace {

// The numbers of the pieces that stand in a file, one on each line.
std::vector<std::int32_t> read_pieces(const std::string& path, const Subword& target) {
  std::vector<std::int32_t> numbers;
  LineReader in(path);
  std::string line;
  while (in.next(line)) {
    std::int32_t number =
        target.find(unescape_invisible(line));  // as tt-bpe vocab prints them, or as they are
    if (number < 0) number = target.find(line);
    if (number < 0)
      throw Error(in.where(), ": ", in_quotes(line),
                  " is no piece of the model; tt-bpe vocab prints them");
    if (number == target.eos())
      throw Error(in.where(), ": without ", in_quotes(line), " no translation could end");
    numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace

Group search_group(SearchFlags& flags) {
  return {
      "Search",
      {
          {"--beam", number(flags.beam, 1, 1024).initially("the model's"),
           "hypotheses per sentence", kBrief},
          {"--length-penalty",
           choice(flags.penalty, find_field("length_penalty")->choices).initially("the model's"),
           "what a log-probability is divided by"},
          {"--alpha", number(flags.alpha, 0, 100).initially("the model's"),
           "exponent of the length penalty"},
          {"--extra-length", number(flags.extra_length, 0, 1 << 24).initially("the model's"),
           "tokens that a translation may be longer than its source"},
          {"--n-best", number(flags.best, 1, 1024),
           "write N translations of each line, as Moses does", kBrief},
          {"--min-length", number(flags.minimum, 0, 10000),
           "minimum number of tokens of a translation"},
          {"--no-repeat", number(flags.no_repeat, 1, 1 << 24),
           "never repeat a sequence of N tokens in a translation"},
          {"--forbid", file(flags.forbidden),
           "a file of pieces, one per line, that translations must not contain"},
          {"--groups", number(flags.groups, 1, 1024),
           "groups of the beam, each kept from the pieces that earlier ones chose"},
          {"--diversity", number(flags.diversity, 0, 1000),
           "penalty of a piece for each earlier group that chose it", needs("--groups")},
      }};
}

Group sampling_group(SearchFlags& flags) {
  SampleOptions& sampling = flags.sampling;
  Option seed = seed_option(sampling.seed);
  seed.rules.needs = {"--sample"};
  return {
      "Sampling",
      {
          {"--sample", toggle(flags.sample),
           "draw translations at random instead of looking for the best; see tt-sampling(7)",
           excludes("--beam", "--groups")},
          {"--temperature", number(sampling.temperature, 0.01, 100),
           "temperature of sampling; below 1, likely pieces become likelier", needs("--sample")},
          {"--top-k", number(sampling.top_k, 1, 1 << 24), "draw from the N likeliest pieces",
           needs("--sample")},
          {"--top-p", number(sampling.top_p, 0.001, 1),
           "draw from the fewest pieces whose probabilities sum to this", needs("--sample")},
          {"--epsilon", number(sampling.epsilon, 0, 1),
           "draw from the pieces that have at least this probability", needs("--sample")},
          seed,
      }};
}

void SearchFlags::check() const {
  if (beam < 0) return;
  const auto text = [](int n) { return std::to_string(n); };
  if (best > beam)
    throw UsageError("--n-best " + text(best) + " needs a --beam of as many; it is " + text(beam));
  if (beam % groups != 0)
    throw UsageError("--groups " + text(groups) + " does not divide --beam " + text(beam));
}

void SearchFlags::apply(const SearchSettings& model, const Subword& target,
                        TranslateOptions& options) const {
  Config config{{}, {}, model};
  if (!penalty.empty())
    set_field(config, *find_field("length_penalty"), penalty, "--length-penalty");
  if (alpha >= 0) config.alpha = alpha;
  if (extra_length >= 0) config.extra_length = extra_length;
  SearchOptions& search = options.search = search_options(config);
  search.best = std::max(1, best);
  if (beam >= 0) search.beam = beam;
  else search.beam = std::max(search.beam / groups, (search.best + groups - 1) / groups) * groups;
  search.groups = groups;
  search.diversity = groups > 1 ? diversity : 0;
  ConstraintList& constraints = search.constraints;
  if (minimum > 0) constraints.push_back(std::make_shared<MinimumLength>(minimum, target.eos()));
  if (no_repeat > 0) constraints.push_back(std::make_shared<NoRepeat>(no_repeat));
  if (!forbidden.empty())
    constraints.push_back(std::make_shared<Forbidden>(read_pieces(forbidden, target)));
  search.sample = sampling;
  search.sample.samples = sample ? search.best : 0;
}

}  // namespace tt
