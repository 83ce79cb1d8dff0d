#include "train/validation.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/report.h"
#include "metrics/bleu.h"
#include "nn/worker.h"

namespace tt {
namespace {

constexpr std::size_t kSentences = 64;  // per task
constexpr std::size_t kFew = 10;        // translations may be the same by chance
constexpr std::int64_t kTokens =
    2000;  // of the source, translated at once: seconds on one thread of a large model

// Long ones first, so that the last tasks are short and threads finish at about the same time.
std::vector<std::int64_t> order_of(const DevelopmentSet& set) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(set.corpus.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return set.corpus.source_length(a) > set.corpus.source_length(b);
  });
  return order;
}

Translator translator_of(const Model& model, const Subword& source, const Subword& target) {
  TranslateOptions options;
  options.search = search_options(model.config());
  options.batch_tokens = model.config().translate_tokens;
  return Translator({{&model, &source}}, target, options);
}

std::vector<std::string> lines_of(const DevelopmentSet& set,
                                  std::span<const std::int64_t> sentences) {
  std::vector<std::string> lines;
  for (const std::int64_t i : sentences) lines.push_back(set.source[static_cast<std::size_t>(i)]);
  return lines;
}

// The line that comes most often, and how often.
std::pair<std::string, std::size_t> most_common(const std::vector<std::string>& lines) {
  std::unordered_map<std::string_view, std::size_t> counts;
  std::pair<std::string, std::size_t> most;
  for (const std::string& line : lines)
    if (const std::size_t times = ++counts[line]; times > most.second) most = {line, times};
  return most;
}

// Threads that translate at once. On a device each has memory of its own, and a second one is
// enough: it computes while the first searches.
int workers_of(const Backend& backend, int threads) {
  return backend.traits().queue ? std::min(threads, 2) : threads;
}

}  // namespace

std::size_t validation_memory(const Model& model, const Backend& backend, const Subword& source,
                              const Subword& target, const DevelopmentSet& set, int threads) {
  const std::vector<std::int64_t> order = order_of(set);
  const auto first = std::span(order).first(std::min(kSentences, order.size()));
  Tape tape(backend, model.params());
  score(model, tape, make_batch(set.corpus, first, set.corpus.bos(), model.config().source_eos));
  translator_of(model, source, target).texts(lines_of(set, first), tape);
  return std::min(static_cast<std::size_t>(workers_of(backend, threads)),
                  (order.size() + kSentences - 1) / kSentences) *
         tape.arena().reserved();
}

std::optional<ValidationResult> validate(const Model& model, const Backend& backend,
                                         ThreadPool& pool, const Subword& source,
                                         const Subword& target, const DevelopmentSet& set,
                                         const std::function<bool()>& stop) {
  const auto n = static_cast<std::size_t>(set.corpus.size());
  const std::vector<std::int64_t> order = order_of(set);
  const Translator translator = translator_of(model, source, target);

  const int threads = workers_of(backend, pool.threads());
  Workers workers(backend, model.params(), threads);
  const std::size_t tasks = (n + kSentences - 1) / kSentences;
  std::vector<std::string> hypotheses(n);
  std::vector<LossSums> losses(tasks);
  Progress bar("validating", "sentences", n);
  std::mutex mutex;
  std::size_t done = 0;
  const auto run = [&](std::size_t task, Tape& tape) {
    const auto mine =
        std::span(order).subspan(task * kSentences, std::min(kSentences, n - task * kSentences));
    losses[task] = score(model, tape,
                         make_batch(set.corpus, mine, set.corpus.bos(), model.config().source_eos));
    for (std::size_t begin = 0, end = 0; begin < mine.size(); begin = end) {
      if (stop()) return;
      for (std::int64_t tokens = 0; end < mine.size() && (end == begin || tokens < kTokens); ++end)
        tokens += set.corpus.source_length(mine[end]);
      const auto few = mine.subspan(begin, end - begin);
      auto translations = translator.texts(lines_of(set, few), tape);
      for (std::size_t i = 0; i < few.size(); ++i)
        hypotheses[static_cast<std::size_t>(few[i])] = std::move(translations[i]);
    }
    const std::lock_guard lock(mutex);
    bar.update(done += mine.size());
  };
  std::atomic<std::size_t> next = 0;
  pool.run(static_cast<std::size_t>(threads), [&](std::size_t worker, int) {
    for (std::size_t task = next++; task < tasks && !stop(); task = next++)
      run(task, workers[static_cast<int>(worker)].tape);
  });
  if (done < n) return std::nullopt;
  LossSums sum;
  for (const LossSums& loss : losses) sum.add(loss);
  metrics::BleuOptions bleu;
  bleu.tokenize = model.config().tokenize;
  const double score = metrics::corpus_bleu(hypotheses, set.reference, bleu);
  return ValidationResult{
      sum.negative_log_likelihood / static_cast<double>(std::max<std::int64_t>(1, sum.tokens)),
      score, std::move(hypotheses)};
}

std::string validation_of(const DevelopmentSet& set, const Config& config) {
  std::string text =
      std::to_string(set.corpus.size()) + " pairs, " + std::to_string(set.fingerprint());
  for (const Field& field : fields())
    if (field.group == FieldGroup::search && field.name != std::string_view("translate_tokens"))
      text += ", " + get_field(config, field);
  return text;
}

bool take_validation(RunState& state, const ValidationResult& valid) {
  const bool best =
      !state.best_bleu || valid.bleu > *state.best_bleu ||
      (valid.bleu == *state.best_bleu && valid.bleu == 0 && valid.loss < *state.best_loss);
  state.bleu = state.last_bleu = valid.bleu;
  state.loss = valid.loss;
  state.best_loss = state.best_loss ? std::min(*state.best_loss, valid.loss) : valid.loss;
  if (best) state.best_bleu = valid.bleu;
  state.validations_without_gain = best ? 0 : state.validations_without_gain + 1;
  state.validation_pending = false;
  return best;
}

std::string sameness(const DevelopmentSet& set, const ValidationResult& result) {
  const std::size_t n = result.translations.size();
  const auto [line, times] = most_common(result.translations);
  if (n < kFew || 2 * times <= n || 2 * most_common(set.reference).second > n) return "";
  return with_commas(times) + " of " + with_commas(n) + " translations are the same, " +
         in_quotes(line) +
         ": the model does not look at the source yet. If this stays so, try a lower rate, a "
         "longer warm-up, or more text";
}

}  // namespace tt
