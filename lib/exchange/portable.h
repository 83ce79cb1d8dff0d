// A Transformer on its way from one format to another: its settings, its parameters by their names in tt-model(5), its subword
// models.
//
// What every format has, and names in its own way, is listed here once: the linear maps and the layer normalisations. A format is
// then two functions, one that reads its files into a PortableModel and one that writes them, which never look into the model's
// code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/config.h"

namespace tt {

struct ImportRequest {
  std::string path;                            // a file or a folder
  std::vector<std::string> vocabularies;       // of Marian
  std::string source_subword, target_subword;  // SentencePiece models that lie elsewhere; empty: they are looked for
  std::optional<bool> source_eos;              // whether a source ends with </s>, where the files do not say it
};

struct StoredMatrix {
  std::int64_t rows = 0, columns = 0;  // a vector has one row
  std::vector<float> values;
};

// Columns of a parameter: queries, keys and values stand side by side in one, for example.
struct Slot {
  std::string parameter;
  std::int64_t column = 0, rows = 0, columns = 0;
};

struct PortableModel {
  Config config;
  std::map<std::string, StoredMatrix> parameters;
  std::string source, target;      // bytes of the subword models; the same where there is one
  std::vector<std::string> notes;  // what was found, for the person who asked
  std::string path;                // of the model file that it was read from
  std::vector<std::string> files;  // of vocabularies that were read, wherever they are

  // Gives every parameter of the configuration its shape, and no values yet. Throws Error, beginning with `where`, as
  // check_config().
  void declare(const std::string& where);

  StoredMatrix& at(const std::string& parameter);
  const StoredMatrix& at(const std::string& parameter) const;

  // Sets the columns of a slot from [rows, columns], or from [columns, rows] where the other program has its matrices transposed.
  void put(const Slot& slot, const std::vector<float>& values, bool transposed);
  std::vector<float> get(const Slot& slot, bool transposed) const;
};

enum class Block { self, cross, ffn };

// y = x W + b. `part` is "q", "k", "v" or "out" of attention, "content" or "forget" of recurrent
// units, and "1", "2", ... of a feed-forward network.
struct LinearMap {
  bool decoder;
  int layer;  // from 1
  Block block;
  std::string part;
  Slot weight, bias;  // of attention without biases, the bias is no parameter
};
std::vector<LinearMap> linear_maps(const Config& config);

struct NormMap {
  bool decoder;
  int layer;    // from 1; 0: that of the whole stack
  Block block;  // of a layer
  std::string gain, bias;
};
std::vector<NormMap> norm_maps(const Config& config);

// The parameters that are matrices of embeddings.
struct EmbeddingNames {
  std::string source, target, output;
};
EmbeddingNames embedding_names(const Config& config);

// Leaves out biases of attention and of the output that are all zero, with their settings: as if there were none.
void drop_zero_biases(PortableModel& model);
// And the other way round.
void add_zero_biases(PortableModel& model);

// Reorders the columns of the model, for sines and cosines in another layout: interleaved or concatenated. The function stays the
// same.
void change_layout(PortableModel& model, PositionLayout to);

// The table [rows, D] of the model's sinusoids, or of a side's learned positions.
StoredMatrix position_table(const PortableModel& model, bool decoder, std::int64_t rows);
// Sets positions to those of a table: sinusoids where it has them, else learned ones.
struct PositionTables {
  StoredMatrix encoder, decoder;
};
void describe_positions(Config& config, const PositionTables& tables);

// A model file of tt, as one on its way. Throws Error if it is no model, or none that can be exchanged.
PortableModel read_portable(const std::string& path);
// Writes a model file. `origin` is noted in its metadata. Throws Error if the parameters are not those of the configuration, or
// subword models and vocabularies do not match.
void write_portable(const PortableModel& model, const std::string& path, const std::string& origin);

}  // namespace tt
