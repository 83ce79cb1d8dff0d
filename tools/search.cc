#include "tools/search.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_reader.h"
#include "text/invisible.h"
#include "tools/main.h"
#include "tools/values.h"

namespace tt {
namespace {

// The numbers of the pieces that stand in a file, one on each line.
std::vector<std::int32_t> read_pieces(const std::string& path, const Subword& target) {
  std::vector<std::int32_t> numbers;
  LineReader in(path);
  std::string line;
  while (in.next(line)) {
    std::int32_t number = target.find(unescape_invisible(line));  // as tt-bpe vocab prints them, or as they are
    if (number < 0) number = target.find(line);
    if (number < 0) throw Error(in.where(), ": ", in_quotes(line), " is no piece of the model; tt-bpe vocab prints them");
    if (number == target.eos()) throw Error(in.where(), ": without ", in_quotes(line), " no translation could end");
    numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace

void add_search(CLI::App& app, SearchFlags& flags) {
  const auto number = [&](const char* name, auto& value, const char* help, auto least, auto most) {
    return app.add_option(name, value, help)
        ->transform(within(static_cast<std::decay_t<decltype(value)>>(least), static_cast<std::decay_t<decltype(value)>>(most)))
        ->type_name(std::is_integral_v<std::decay_t<decltype(value)>> ? "N" : "NUMBER")
        ->default_str("");
  };
  auto* beam = number("--beam", flags.beam, "hypotheses per sentence (default: the model's)", 1, 1024);
  app.add_option("--length-penalty", flags.penalty, "what a log-probability is divided by (default: the model's)")
      ->check(one_of(find_field("length_penalty")->choices))
      ->type_name("NAME")
      ->default_str("");
  number("--alpha", flags.alpha, "exponent of the length penalty (default: the model's)", 0, 100);
  number("--extra-length", flags.extra_length, "tokens that a translation may be longer than its source (default: the model's)",
         0, 1 << 24);
  number("--n-best", flags.best, "write N translations of each line, as Moses does", 1, 1024);
  number("--min-length", flags.minimum, "minimum number of tokens of a translation", 0, 10000);
  number("--no-repeat", flags.no_repeat, "never repeat a sequence of N tokens in a translation", 1, 1 << 24);
  app.add_option("--forbid", flags.forbidden, "a file of pieces, one per line, that translations must not contain")
      ->type_name("FILE");
  auto* groups = number("--groups", flags.groups, "groups of the beam, each kept from what earlier ones chose", 1, 1024);
  number("--diversity", flags.diversity, "penalty of a piece for each earlier group that chose it", 0, 1000)->needs(groups);
  auto* sample = app.add_flag("--sample", flags.sample, "draw translations at random instead of looking for the best");
  sample->excludes(groups)->excludes(beam);
  number("--temperature", flags.sampling.temperature, "temperature of sampling; below 1, likely pieces become likelier", 0.01,
         100)
      ->needs(sample);
  number("--top-k", flags.sampling.top_k, "draw from the N likeliest pieces", 1, 1 << 24)->needs(sample);
  number("--top-p", flags.sampling.top_p, "draw from the fewest pieces whose probabilities sum to this", 0.001, 1)->needs(sample);
  add_seed(app, flags.sampling.seed)->needs(sample);
}

void SearchFlags::check() const {
  if (beam < 0) return;
  const auto text = [](int n) { return std::to_string(n); };
  if (best > beam) throw CLI::ValidationError("--n-best " + text(best) + " needs a --beam of as many; it is " + text(beam));
  if (beam % groups != 0) throw CLI::ValidationError("--groups " + text(groups) + " does not divide --beam " + text(beam));
}

void SearchFlags::apply(const Config& model, const Subword& target, TranslateOptions& options) const {
  Config config = model;
  if (!penalty.empty()) set_field(config, *find_field("length_penalty"), penalty, "--length-penalty");
  if (alpha >= 0) config.alpha = alpha;
  if (extra_length >= 0) config.extra_length = extra_length;
  SearchOptions& search = options.search = search_options(config);
  search.best = std::max(1, best);
  if (beam >= 0) search.beam = beam;
  else search.beam = std::max(search.beam / groups, (search.best + groups - 1) / groups) * groups;
  search.groups = groups;
  search.diversity = groups > 1 ? diversity : 0;
  search.rules.minimum = minimum;
  search.rules.no_repeat = no_repeat;
  if (!forbidden.empty()) search.rules.forbidden = read_pieces(forbidden, target);
  options.sample = sampling;
  options.sample.samples = sample ? search.best : 0;
}

}  // namespace tt
