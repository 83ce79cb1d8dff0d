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

// Sentences of one part of the set, which are computed together.
struct Task {
  std::size_t part;
  std::vector<std::int64_t> sentences;
};

// Long ones first, so that the last tasks are short and threads finish at about the same time.
std::vector<Task> tasks_of(const DevelopmentSet& set) {
  const auto length = [&](std::int64_t i) { return set.corpus.source_length(i); };
  std::vector<Task> tasks;
  for (std::size_t p = 0; p < set.parts.size(); ++p) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(set.end(p) - set.parts[p].begin));
    std::iota(order.begin(), order.end(), set.parts[p].begin);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return length(a) > length(b); });
    for (std::size_t at = 0; at < order.size(); at += kSentences) {
      const auto few = std::span(order).subspan(at, std::min(kSentences, order.size() - at));
      tasks.push_back({p, {few.begin(), few.end()}});
    }
  }
  std::stable_sort(tasks.begin(), tasks.end(), [&](const Task& a, const Task& b) {
    return length(a.sentences[0]) > length(b.sentences[0]);
  });
  return tasks;
}

Translator translator_of(const Model& model, const SubwordPair& subwords,
                         const DevelopmentSet& set) {
  TranslateOptions options;
  for (const DevelopmentSet::Part& part : set.parts)
    options.language_pieces = std::max({options.language_pieces, part.pieces.first.size(),
                                        part.pieces.before.size() + part.pieces.behind.size()});
  options.search = search_options(model.config());
  options.batch_tokens = model.config().translate_tokens;
  return Translator({{&model, &subwords.source}}, subwords.target, options);
}

std::vector<std::string> translate(const Translator& translator, const DevelopmentSet& set,
                                   std::span<const std::int64_t> sentences, Tape& tape) {
  std::vector<Request> requests;
  for (const std::int64_t i : sentences) {
    requests.push_back({set.source[static_cast<std::size_t>(i)]});
    requests.back().languages = std::span(&set.pieces_of(i), 1);
  }
  return translator.texts(requests, tape);
}

// The line that comes most often, and how often.
std::pair<std::string, std::size_t> most_common(std::span<const std::string> lines) {
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

std::size_t validation_memory(const Model& model, const Backend& backend,
                              const SubwordPair& subwords, const DevelopmentSet& set, int threads) {
  const std::vector<Task> tasks = tasks_of(set);
  const Task& first = tasks.front();
  Tape tape(backend, model.params());
  score(model, tape,
        make_batch(set.corpus, first.sentences, set.corpus.bos(), model.config().source_eos));
  translate(translator_of(model, subwords, set), set, first.sentences, tape);
  return std::min(static_cast<std::size_t>(workers_of(backend, threads)), tasks.size()) *
         tape.arena().reserved();
}

std::optional<ValidationResult> validate(const Model& model, const Backend& backend,
                                         ThreadPool& pool, const SubwordPair& subwords,
                                         const DevelopmentSet& set,
                                         const std::function<bool()>& stop) {
  const auto n = static_cast<std::size_t>(set.corpus.size());
  const std::vector<Task> tasks = tasks_of(set);
  const Translator translator = translator_of(model, subwords, set);

  const int threads = workers_of(backend, pool.threads());
  Workers workers(backend, model.params(), threads);
  std::vector<std::string> hypotheses(n);
  std::vector<LossSums> losses(tasks.size());
  Progress bar("validating", "sentences", n);
  std::mutex mutex;
  std::size_t done = 0;
  const auto run = [&](std::size_t task, Tape& tape) {
    const std::span mine(tasks[task].sentences);
    losses[task] = score(model, tape,
                         make_batch(set.corpus, mine, set.corpus.bos(), model.config().source_eos));
    for (std::size_t begin = 0, end = 0; begin < mine.size(); begin = end) {
      if (stop()) return;
      for (std::int64_t tokens = 0; end < mine.size() && (end == begin || tokens < kTokens); ++end)
        tokens += set.corpus.source_length(mine[end]);
      const auto few = mine.subspan(begin, end - begin);
      auto translations = translate(translator, set, few, tape);
      for (std::size_t i = 0; i < few.size(); ++i)
        hypotheses[static_cast<std::size_t>(few[i])] = std::move(translations[i]);
    }
    const std::lock_guard lock(mutex);
    bar.update(done += mine.size());
  };
  std::atomic<std::size_t> next = 0;
  pool.run(static_cast<std::size_t>(threads), [&](std::size_t worker, int) {
    for (std::size_t task = next++; task < tasks.size() && !stop(); task = next++)
      run(task, workers[static_cast<int>(worker)].tape);
  });
  if (done < n) return std::nullopt;
  metrics::BleuOptions bleu;
  bleu.tokenize = model.config().tokenize;
  const auto loss_of = [](const LossSums& sum) {
    return sum.negative_log_likelihood / static_cast<double>(std::max<std::int64_t>(1, sum.tokens));
  };
  ValidationResult result;
  LossSums all;
  for (const LossSums& loss : losses) all.add(loss);
  result.loss = loss_of(all);
  for (std::size_t p = 0; p < set.parts.size(); ++p) {
    const auto begin = static_cast<std::size_t>(set.parts[p].begin),
               count = static_cast<std::size_t>(set.end(p)) - begin;
    LossSums sum;
    for (std::size_t t = 0; t < tasks.size(); ++t)
      if (tasks[t].part == p) sum.add(losses[t]);
    result.parts.push_back(
        {set.parts[p].name, loss_of(sum),
         metrics::corpus_bleu(std::span(hypotheses).subspan(begin, count),
                              std::span(set.reference).subspan(begin, count), bleu)});
    result.bleu += result.parts.back().bleu / static_cast<double>(set.parts.size());
  }
  result.translations = std::move(hypotheses);
  return result;
}

std::string validation_of(const DevelopmentSet& set, const Config& config, bool quantized) {
  std::string text =
      std::to_string(set.corpus.size()) + " pairs, " + std::to_string(set.fingerprint());
  for (const Field& field : fields())
    if (field.group == FieldGroup::search && field.name != std::string_view("translate_tokens"))
      text += ", " + get_field(config, field);
  for (std::size_t p = 1; p < set.parts.size(); ++p)
    text += ", " + set.parts[p].name + " from " + std::to_string(set.parts[p].begin);
  if (quantized) text += ", in eight bits";
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
  for (std::size_t p = 0; p < set.parts.size(); ++p) {
    const auto begin = static_cast<std::size_t>(set.parts[p].begin),
               n = static_cast<std::size_t>(set.end(p)) - begin;
    const auto [line, times] = most_common(std::span(result.translations).subspan(begin, n));
    if (n < kFew || 2 * times <= n ||
        2 * most_common(std::span(set.reference).subspan(begin, n)).second > n)
      continue;
    return with_commas(times) + " of " + with_commas(n) + " translations" +
           (set.parts.size() > 1 ? " of " + set.parts[p].name : "") + " are the same, " +
           in_quotes(line) +
           ": the model does not look at the source yet. If this stays so, try a lower rate, a "
           "longer warm-up, or more text";
  }
  return "";
}

}  // namespace tt
