// The settings of a model, of its training and of search: a struct of each, and a table that
// describes it.
//
// The defaults are the base model of "Attention Is All You Need" (2017), table 3; where the paper
// varies a setting (section 6.2) it is a setting here. fields() has one entry per member of the
// three, and reading and writing JSON, the command line flags, the ranges and the comparison of two
// models all derive from it: a new setting is one member and one line of the table.
//
// Precedence: a preset, then a configuration file (read_json), then flags (set_field).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/positions.h"
#include "tensor/backend.h"

namespace tt {

// Settings have these names, in their order, but for those that fields.cc spells otherwise.
enum class ModelType { transformer, lstm };
enum class NormPlace { post, pre };          // Norm(x + Sublayer(x)), or x + Sublayer(Norm(x))
enum class FinalNorm { by_norm, no, yes };   // by_norm: with pre-norm only
enum class DecoderSelf { attention, ssru };  // how the decoder reads its own output
enum class StartSymbol { bos, zero };  // first input of the decoder: the embedding of <s>, or zeros
// The last adds nothing to embeddings, but biases for distances to the scores of self-attention.
enum class PositionKind { sinusoidal, learned, none, relative };
enum class Scores {
  scaled,
  dot,
  additive
};  // of the attention of a Transformer: q k / sqrt(d_k), q k, w tanh(q + k)
enum class AttentionKind { dot, general, concat, none };  // scores of Luong et al. 2015
// Where a model of many languages reads which they are: nowhere, before or behind a source, or as
// the first piece of a translation.
enum class SourceLanguage { none, before, behind };
enum class TargetLanguage { none, source, first };
// The sides of a context: the sentences before one and their translations, or the former alone.
enum class ContextSides { both, source };
enum class EmbeddingTies {
  shared,
  target,
  none,
  inputs
};  // one matrix for source, target and output; target and output; none tied; source and target
enum class Optimizer { adam, nadam, schedule_free };           // see train/optimizer.h
enum class Schedule { paper, constant, linear, cosine, wsd };  // see train/optimizer.h
enum class LengthPenalty { paper, length, none };              // see decode/length_penalty.h
enum class OnDivergence { stop, rollback };

// The settings that determine the tensors of a model and the function that it computes.
struct Architecture {
  ModelType type = ModelType::transformer;
  int encoder_layers = 6, decoder_layers = 6;
  int d_model = 512, d_ff = 2048, heads = 8;
  std::optional<int> d_k, d_v;  // not given: d_model / heads; see key_size()
  NormPlace norm = NormPlace::post;
  NormType norm_type = NormType::layer;
  FinalNorm final_norm = FinalNorm::by_norm;  // of the whole stack
  double norm_epsilon = 1e-5;
  Activation activation = Activation::relu;
  PositionKind positions = PositionKind::sinusoidal;
  PositionLayout position_layout = PositionLayout::interleaved;  // of sinusoidal positions
  int first_position = 0;  // of sinusoidal positions: that of a sentence's first token
  int position_buckets = 32, position_distance = 128;  // of relative positions
  DecoderSelf decoder_self = DecoderSelf::attention;
  StartSymbol start = StartSymbol::bos;
  int ffn_layers = 1;     // hidden layers of the feed-forward network
  bool ffn_gate = false;  // act(x W1) (x Wg) in place of act(x W1)
  bool ffn_bias = true;
  bool scale_embeddings = true;  // by the square root of D
  bool embedding_norm = false;   // layer normalisation of embeddings and positions
  bool scale_output = false;     // by 1 / sqrt(D), before it meets the output's matrix
  Scores scores = Scores::scaled;
  int window = 0;  // self-attention sees so many places to either side; 0: all
  bool attention_bias = false, output_bias = false;
  AttentionKind attention = AttentionKind::dot;  // of an LSTM
  bool bidirectional = false, input_feeding = false;
  EmbeddingTies embeddings = EmbeddingTies::shared;
  bool source_eos = true;  // a source ends with </s>; without pieces it is </s> whatever this says
  // Whether <s> stands before a source, and behind what the decoder begins with.
  bool source_bos = false, target_bos = false;
  SourceLanguage source_language = SourceLanguage::none;
  TargetLanguage target_language = TargetLanguage::none;
  // Text that stands before a source, by its languages: parse_source_prefixes().
  std::string source_prefixes;
  int context = 0;  // sentences of a document that are read before each; see text/context.h
  ContextSides context_sides = ContextSides::both;
  int max_length =
      256;  // tokens; number of learned positions, and length of the longest training sentence
  int source_vocab = 0, target_vocab = 0;  // pieces; set from the subword models, 0 until then

  int key_size() const { return d_k ? *d_k : d_model / heads; }    // d_k of one head
  int value_size() const { return d_v ? *d_v : d_model / heads; }  // d_v of one head
  bool shares_inputs() const {  // whether source and target are read by one matrix
    return embeddings == EmbeddingTies::shared || embeddings == EmbeddingTies::inputs;
  }
  bool has_final_norm() const {
    return final_norm == FinalNorm::by_norm ? norm == NormPlace::pre : final_norm == FinalNorm::yes;
  }
};

struct TrainingSettings {
  Optimizer optimizer = Optimizer::adam;
  double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
  Schedule schedule = Schedule::paper;
  // Peak rate, at the end of the warm-up; not given: the paper's, (D warmup)^-0.5.
  std::optional<double> rate;
  double rate_scale = 1;  // multiplies the rate
  int warmup = 4000;      // updates
  double cooldown = 0.2;  // share of max_updates over which the schedule wsd falls
  double dropout = 0.1, attention_dropout = 0, ffn_dropout = 0;
  double subword_dropout = 0;  // BPE-dropout: probability that a merge is skipped in training text
  double subword_alpha = 0;    // unigram sampling: exponent of probabilities of segmentations of
                               // training text; 0: the best one
  double label_smoothing = 0.1;
  double r_drop = 0;  // weight of the divergence between two views of each batch (Liang et al.
                      // 2021); 0: one view
  double guided_alignment_weight = 0.05;  // of the loss of links, where there are any
  double context_dropout = 0.2;           // share of the training pairs without context
  double upper_case = 0;                  // share of the training pairs that are read in capitals
  double clip = 0;                        // largest global norm of the gradients; 0: no limit
  double weight_decay = 0;
  double average_decay = 0;        // of the moving average of the weights; 0: none
  double average_power = 0;        // of the update, as the weight of its point in the average of
                                   // schedule-free training; 0: all weigh the same
  std::int64_t quantize_from = 0;  // first update at weights in eight bits; 0: none
  OnDivergence on_divergence = OnDivergence::stop;
  double divergence_ratio =
      100;  // a gradient this many times as long as those before has diverged; 0: no limit
  std::int64_t tokens = 25000;  // per side and batch
  int accumulate = 1;           // batches of `tokens` per update
  int shards = 4;               // parts of a batch, computed separately and summed in a fixed order
  std::uint64_t seed = 1;
  std::int64_t max_updates = 100000, max_epochs = 0;   // 0: no limit
  std::int64_t valid_every = 1000, save_every = 1000;  // updates; 0: only at the end
  std::int64_t report_every = 100;                     // updates
  int patience = 0;  // validations without improvement before training stops; 0: no limit
  int keep_last = 5, keep_best = 5;  // checkpoints

  // Whether the weights that are validated and saved are an average of those that are trained.
  bool averages() const { return average_decay > 0 || optimizer == Optimizer::schedule_free; }
};

// Used in validation, and as the model's defaults in translation.
struct SearchSettings {
  int beam = 4;
  LengthPenalty length_penalty = LengthPenalty::paper;
  double alpha = 0.6;        // its exponent
  bool narrow_beam = false;  // a hypothesis that ends leaves the beam, as in Marian
  bool stop_when_full =
      false;  // search ends when a beam of hypotheses has ended, as in CTranslate2
  bool forbid_unknown = false;  // no translation has the unknown piece
  double length_factor = 1;     // a translation has at most so many tokens for each of its source,
  int extra_length = 50;        // and these
  // The head of the decoder's attention to the encoder that was trained to align words; 0: none.
  int alignment_layer = 0, alignment_head = 1;
  std::int64_t translate_tokens = 4096;  // source tokens per batch
  std::string tokenize = "13a";          // for BLEU in validation; see metrics/tokenizer.h
};

// All of them: what a configuration file, a model's file and the options of tt-train say.
struct Config : Architecture, TrainingSettings, SearchSettings {};

enum class FieldGroup { model, training, search };

// An enum member: read and set as the index of its name among its choices.
struct Choice {
  int (*get)(const Config&);
  void (*set)(Config&, int);
  std::vector<std::string> (*names)();
};

// The description of one member of Config. An optional one that is not given is 0 in text and JSON.
struct Field {
  const char* name;  // the key in JSON; the flag has hyphens instead of underscores
  std::variant<Choice, std::string Config::*, int Config::*, std::int64_t Config::*,
               std::uint64_t Config::*, double Config::*, bool Config::*,
               std::optional<int> Config::*, std::optional<double> Config::*>
      member;
  const char* help;
  double least = 0, most = 0;             // the range of numbers, inclusive
  std::vector<std::string> choices = {};  // of text; those of enums are their names
  std::optional<ModelType> only = {};    // the only type of model to which it applies; default: all
  FieldGroup group = FieldGroup::model;  // set by the table it stands in

  bool is_switch() const;    // a bool
  std::string kind() const;  // "INTEGER", "NUMBER", "BOOLEAN" or the choices "post|pre"
};

// All fields, in the order of the table.
std::span<const Field> fields();

// The field with that name, spelt with underscores or hyphens; null if there is none.
const Field* find_field(std::string_view name);

// Why `text` is not a value of the field: "must be an integer from 1 to 1024, not \"x\""; empty if
// it is. For a bool, empty text means true.
std::string problem(const Field& field, const std::string& text);

// Sets a member from a flag's text. Throws Error, with `where` before it, if problem() finds one.
void set_field(Config& config, const Field& field, const std::string& text,
               const std::string& where);

// A member as text, as set_field() reads it; by its name, which is that of a field.
std::string get_field(const Config& config, const Field& field);
std::string get_field(const Config& config, std::string_view name);

// The names of the presets: tiny, small, base, big.
std::vector<std::string> preset_names();

// A preset for a type of model and of norm. Throws Error, listing the presets, if there is none
// with that name.
Config preset(const std::string& name, ModelType type = ModelType::transformer,
              NormType norm = NormType::layer);

// Sets the members that a JSON object names and keeps the others; errors begin with `where` (a
// path). Throws Error if the text is not a JSON object, a key is unknown (with a suggestion) or
// repeated, or a value has the wrong type or is out of range. Returns the fields that were named.
// With `decisive` they are a model file's settings, which another version of this program may have
// written: an unknown key that is not among these does not affect the model and is ignored with a
// warning, and so is a value that a setting of training or search cannot have here.
std::vector<const Field*> read_json(Config& config, std::string_view json, const std::string& where,
                                    const std::set<std::string>* decisive = nullptr);

// The keys of the model settings that differ from the defaults, separated by spaces: a program must
// know them to use the model.
std::string decisive_keys(const Config& config);

// Every field as a JSON object, on one line; or, indented with one line per field and an LF at the
// end, those that apply to the type of the model.
std::string to_json(const Config& config, bool indented = false);

// Throws Error, beginning with `where` and saying what to change, if values are out of range or
// contradict each other, or if a setting that does not apply to the type of the model differs from
// its default.
void check_config(const Config& config, const std::string& where);

// Whether the field is a setting of models of that type.
bool applies(const Field& field, const Architecture& model);

// Empty if both describe the same model, that is, the same tensors and the same function of them
// (training and search may differ); otherwise the first difference: "d_model is 512 and 256".
std::string same_model(const Config& a, const Config& b);

}  // namespace tt
