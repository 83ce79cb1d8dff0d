// The settings, one row each, in the order in which files and help have them.
#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "model/config.h"
#include "model/enumerators.h"

namespace tt {

namespace {

// The name of a value in settings: that of the code, unless it is specialised. An empty one is no
// choice.
template <auto value>
constexpr std::string_view setting_name = enumerator_name<value>();

// Names that are no names in C++, and a value that no setting has.
template <>
constexpr std::string_view setting_name<FinalNorm::by_norm> = "auto";
template <>
constexpr std::string_view setting_name<Optimizer::schedule_free> = "schedule-free";
template <>
constexpr std::string_view setting_name<Activation::tanh> = "";

// Those of an enumeration that are choices, in the order of their values.
template <class Enum>
constexpr auto named_values() {
  constexpr int kMost = 32;
  constexpr auto all = []<int... i>(std::integer_sequence<int, i...>) {
    return std::array{std::pair{setting_name<static_cast<Enum>(i)>, static_cast<Enum>(i)}...};
  }
  (std::make_integer_sequence<int, kMost>());
  constexpr auto count = [](const auto& values) {
    std::size_t n = 0;
    for (const auto& [name, value] : values) n += !name.empty();
    return n;
  };
  static_assert(all.back().first.empty(), "the enumeration has more values than are looked at");
  std::array<std::pair<std::string_view, Enum>, count(all)> named{};
  std::size_t n = 0;
  for (const auto& one : all)
    if (!one.first.empty()) named[n++] = one;
  return named;
}

using C = Config;
constexpr ModelType kTransformer = ModelType::transformer, kLstm = ModelType::lstm;
constexpr double kMany = 1e15;  // updates, tokens: no limit in practice, and exact as a double
constexpr double kIntMost = 1 << 30;  // limit of ints that are not sizes
constexpr double kVocabMost = 1 << 24;

// A member whose choices are the names of its enumeration.
template <auto Member>
Choice choice() {
  using Enum = std::remove_cvref_t<decltype(std::declval<C&>().*Member)>;
  static constexpr auto kNamed = named_values<Enum>();
  return {[](const C& config) {
            return static_cast<int>(
                std::ranges::find(kNamed, config.*Member, [](auto& v) { return v.second; }) -
                kNamed.begin());
          },
          [](C& config, int number) {
            config.*Member = kNamed.at(static_cast<std::size_t>(number)).second;
          },
          [] {
            std::vector<std::string> names;
            for (const auto& [name, value] : kNamed) names.emplace_back(name);
            return names;
          }};
}

// clang-format off
std::vector<Field> architecture_fields() {
  return {
      {"type", choice<&C::type>(), "the kind of model"},
      {"encoder_layers", &C::encoder_layers, "layers of the encoder", 1, 1024},
      {"decoder_layers", &C::decoder_layers, "layers of the decoder", 1, 1024},
      {"d_model", &C::d_model, "width of the model, D", 1, 65536},
      {"d_ff", &C::d_ff, "width of the feed-forward network's hidden layer, F", 1, 1 << 20, {}, kTransformer},
      {"heads", &C::heads, "attention heads, H", 1, 1024, {}, kTransformer},
      {"d_k", &C::d_k, "width of one head's queries and keys; 0: D / H", 0, 65536, {}, kTransformer},
      {"d_v", &C::d_v, "width of one head's values; 0: D / H", 0, 65536, {}, kTransformer},
      {"norm", choice<&C::norm>(), "normalisation after the residual, or before the sub-layer", 0, 0, {}, kTransformer},
      {"norm_type", choice<&C::norm_type>(), "layer normalisation, or by the root mean square alone", 0, 0, {}, kTransformer},
      {"final_norm", choice<&C::final_norm>(), "normalisation after the last layer; auto: with norm pre", 0, 0, {}, kTransformer},
      {"norm_epsilon", &C::norm_epsilon, "value added to the variance, or to the mean square; with norm_type rms 1e-06", 1e-12, 1, {}, kTransformer},
      {"activation", choice<&C::activation>(), "activation of the feed-forward network", 0, 0, {}, kTransformer},
      {"ffn_layers", &C::ffn_layers, "hidden layers of the feed-forward network", 1, 64, {}, kTransformer},
      {"ffn_gate", &C::ffn_gate, "multiply each hidden layer, once activated, by a second product of its input", 0, 0, {}, kTransformer},
      {"ffn_bias", &C::ffn_bias, "use biases in the feed-forward network", 0, 0, {}, kTransformer},
      {"positions", choice<&C::positions>(), "positional encodings", 0, 0, {}, kTransformer},
      {"position_layout", choice<&C::position_layout>(), "order of the sine and cosine columns", 0, 0, {}, kTransformer},
      {"first_position", &C::first_position, "position of a sentence's first token, of sinusoidal positions", 0, 1024, {}, kTransformer},
      {"position_buckets", &C::position_buckets, "classes of distances that relative positions tell apart", 4, 4096, {}, kTransformer},
      {"position_distance", &C::position_distance, "distance from which relative positions are the same", 3, 1 << 20, {}, kTransformer},
      {"scores", choice<&C::scores>(), "attention scores: q k / sqrt(d_k), q k, or w tanh(q + k)", 0, 0, {}, kTransformer},
      {"window", &C::window, "tokens on either side that self-attention sees; 0: all", 0, kVocabMost, {}, kTransformer},
      {"scale_embeddings", &C::scale_embeddings, "multiply embeddings by the square root of D", 0, 0, {}, kTransformer},
      {"embedding_norm", &C::embedding_norm, "normalise embeddings with their positions", 0, 0, {}, kTransformer},
      {"scale_output", &C::scale_output, "multiply the decoder's result by 1 / sqrt(D)", 0, 0, {}, kTransformer},
      {"decoder_self", choice<&C::decoder_self>(), "how the decoder reads its own output: by attention, or by simpler simple recurrent units", 0, 0, {}, kTransformer},
      {"start", choice<&C::start>(), "first input of the decoder: the embedding of <s>, or zeros", 0, 0, {}, kTransformer},
      {"attention_bias", &C::attention_bias, "use biases in the projections of attention", 0, 0, {}, kTransformer},
      {"output_bias", &C::output_bias, "use a bias for each piece in the output", 0, 0, {}, kTransformer},
      {"attention", choice<&C::attention>(), "attention score; none: no attention", 0, 0, {}, kLstm},
      {"bidirectional", &C::bidirectional, "use a bidirectional encoder", 0, 0, {}, kLstm},
      {"input_feeding", &C::input_feeding, "feed the attention output into the next decoder step", 0, 0, {}, kLstm},
      {"embeddings", choice<&C::embeddings>(), "which embeddings share one matrix: source, target and output; the last two; none; the first two"},
      {"source_eos", &C::source_eos, "end a source with </s>", 0, 0},
      {"source_bos", &C::source_bos, "begin a source with <s>", 0, 0},
      {"target_bos", &C::target_bos, "begin a translation with <s>, behind what the decoder begins with", 0, 0},
      {"source_language", choice<&C::source_language>(), "where a source has the piece of its language: nowhere, before it, or behind its </s>"},
      {"source_prefixes", &C::source_prefixes, "text before a source, by its languages, as \"en-de=translate English to German:\"; several with ; between them", 0, 0, {}, kTransformer},
      {"target_language", choice<&C::target_language>(), "where the piece of the target's language is: nowhere, before the source, or first in the translation"},
      {"context", &C::context, "sentences of a document that are read before each, of which empty lines end one; 0: none", 0, 100, {}, kTransformer},
      {"context_sides", choice<&C::context_sides>(), "what is read of these: them and their translations, or them alone", 0, 0, {}, kTransformer},
      {"max_length", &C::max_length, "length of the longest training sentence, and number of learned positions", 1, kVocabMost},
      {"source_vocab", &C::source_vocab, "pieces of the source; set from the subword model", 0, kVocabMost},
      {"target_vocab", &C::target_vocab, "pieces of the target; set from the subword model", 0, kVocabMost},
  };
}

std::vector<Field> training_fields() {
  return {
      {"optimizer", choice<&C::optimizer>(), "the optimiser, see tt-optimisers(7); schedule-free needs no number of updates beforehand"},
      {"beta1", &C::beta1, "Adam's decay of the gradient's mean; of schedule-free, the part of the average in where gradients are taken", 0, 0.999999},
      {"beta2", &C::beta2, "Adam's decay of the gradient's square", 0, 0.999999},
      {"epsilon", &C::epsilon, "Adam's epsilon", 1e-30, 1},
      {"schedule", choice<&C::schedule>(), "learning rate schedule after the warm-up"},
      {"rate", &C::rate, "peak learning rate; 0: the paper's, 1 / sqrt(D warmup)", 0, 1000},
      {"rate_scale", &C::rate_scale, "factor of the learning rate", 0, 1000},
      {"warmup", &C::warmup, "updates over which the rate rises", 0, kIntMost},
      {"cooldown", &C::cooldown, "share of the updates, at their end, over which the schedule wsd falls", 0.001, 1},
      {"dropout", &C::dropout, "dropout of sub-layer outputs and of embeddings", 0, 0.99},
      {"attention_dropout", &C::attention_dropout, "dropout of attention weights", 0, 0.99},
      {"ffn_dropout", &C::ffn_dropout, "dropout inside the feed-forward network", 0, 0.99, {}, kTransformer},
      {"subword_dropout", &C::subword_dropout, "BPE-dropout: probability of skipping a merge in training text", 0, 0.99},
      {"subword_alpha", &C::subword_alpha, "sample unigram segmentations x of training text by P(x)^alpha; 0: take the best", 0, 100},
      {"label_smoothing", &C::label_smoothing, "probability mass spread over all pieces", 0, 0.99},
      {"r_drop", &C::r_drop, "compute batches twice, with this weight of their divergence (R-Drop); 0: once", 0, 1000, {}, kTransformer},
      {"guided_alignment_weight", &C::guided_alignment_weight, "weight of the loss of guided alignment, where links are given", 0, 1000, {}, kTransformer},
      {"context_dropout", &C::context_dropout, "share of the training pairs that are read without their context", 0, 1, {}, kTransformer},
      {"upper_case", &C::upper_case, "share of the training pairs that are read in capitals, anew in each epoch", 0, 1},
      {"clip", &C::clip, "maximum norm of the gradient; 0: no limit", 0, 1e9},
      {"weight_decay", &C::weight_decay, "weight decay per update, times the learning rate", 0, 1},
      {"average_decay", &C::average_decay, "decay of the moving average of the weights, saved as the model; 0: none", 0, 0.9999999},
      {"average_power", &C::average_power, "weigh the point of update t by t to this power in the average of schedule-free, where the default is 2; 0: all alike", 0, 100},
      {"quantize_from", &C::quantize_from, "first update that takes its gradient at weights in eight bits, for models in eight bits; 0: none", 0, kMany},
      {"on_divergence", choice<&C::on_divergence>(), "what to do if training diverges; rollback also halves the rate"},
      {"divergence_ratio", &C::divergence_ratio, "gradient norm, relative to the largest so far, that counts as divergence; 0: none", 0, 1e30},
      {"tokens", &C::tokens, "maximum tokens in a batch, on either side", 1, kMany},
      {"accumulate", &C::accumulate, "batches per update", 1, 65536},
      {"shards", &C::shards, "parts of a batch that are computed in parallel", 1, 1024},
      {"seed", &C::seed, "seed of all random numbers"},
      {"max_updates", &C::max_updates, "updates after which training ends; 0: no limit", 0, kMany},
      {"max_epochs", &C::max_epochs, "epochs after which training ends; 0: no limit", 0, kMany},
      {"valid_every", &C::valid_every, "updates between validations; 0: only at the end", 0, kMany},
      {"save_every", &C::save_every, "updates between checkpoints; 0: only at the end", 0, kMany},
      {"report_every", &C::report_every, "updates between reports", 1, kMany},
      {"patience", &C::patience, "validations without improvement before training ends; 0: no limit", 0, kIntMost},
      {"keep_last", &C::keep_last, "last checkpoints to keep", 1, kIntMost},
      {"keep_best", &C::keep_best, "best checkpoints to keep", 0, kIntMost},
  };
}

std::vector<Field> search_fields() {
  return {
      {"beam", &C::beam, "hypotheses per sentence", 1, 1024},
      {"length_penalty", choice<&C::length_penalty>(), "what a log-probability is divided by: ((5 + length) / 6)^alpha, length^alpha, 1"},
      {"alpha", &C::alpha, "exponent of the length penalty; 0: none", 0, 100},
      {"narrow_beam", &C::narrow_beam, "a hypothesis that ends leaves the beam, which is narrower from then on", 0, 0},
      {"stop_when_full", &C::stop_when_full, "search ends when a beam of hypotheses has ended, even if a better one lives", 0, 0},
      {"forbid_unknown", &C::forbid_unknown, "no unknown piece in a translation", 0, 0},
      {"length_factor", &C::length_factor, "maximum length of a translation for each token of its source", 0, 1000},
      {"extra_length", &C::extra_length, "and this many tokens more", 0, kVocabMost},
      {"alignment_layer", &C::alignment_layer, "layer of the decoder with the head that aligns words; 0: none, or, with links, the last but one", 0, 1024, {}, kTransformer},
      {"alignment_head", &C::alignment_head, "which of that layer's heads it is", 1, 1024, {}, kTransformer},
      {"translate_tokens", &C::translate_tokens, "source tokens translated at once", 1, kMany},
      {"tokenize", &C::tokenize, "tokenizer of the BLEU of validation", 0, 0, {"13a", "intl", "zh", "char", "ja-mecab", "none"}},
  };
}
// clang-format on

}  // namespace

std::span<const Field> fields() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> all;
    for (const auto& [group, rows] : {std::pair(FieldGroup::model, architecture_fields()),
                                      {FieldGroup::training, training_fields()},
                                      {FieldGroup::search, search_fields()}})
      for (const Field& row : rows) {
        all.push_back(row), all.back().group = group;
        if (const auto* choice = std::get_if<Choice>(&row.member))
          all.back().choices = choice->names();
      }
    return all;
  }();
  return fields;
}

}  // namespace tt
