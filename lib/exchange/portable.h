// A Transformer on its way from one format to another: its settings, its parameters by their names
// in tt-model(5), its subword models.
//
// A format is a table of names over the parts of a model (model/parameter_part.h), a table of the
// settings that it can express (exchange/format.h), and the reader of its files: none looks into
// the model's code.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exchange/foreign.h"
#include "model/config.h"
#include "model/parameter_part.h"
#include "model/safetensors.h"
#include "nn/params.h"
#include "text/subword.h"

namespace tt {

struct Vocabulary;

struct ImportRequest {
  std::string path;                       // a file or a folder
  std::vector<std::string> vocabularies;  // of Marian
  std::string source_subword,
      target_subword;  // SentencePiece models that lie elsewhere; empty: they are looked for
  std::optional<bool> source_eos;  // whether a source ends with </s>, where the files do not say it

  const std::string& subword(SubwordSide side) const {
    return side == SubwordSide::source ? source_subword : target_subword;
  }
};

// Columns of a matrix that lie in a file from number `begin` on, or there the columns are rows.
struct StoredStretch {
  std::int64_t column = 0, columns = 0;
  StoredNumbers numbers;
  std::uint64_t begin = 0;
  bool transposed = false;
};

// A matrix whose values are here, or in files, which have them in stretches of columns: a large
// model is never in memory as a whole.
struct StoredMatrix {
  std::int64_t rows = 0, columns = 0;  // a vector has one row
  std::vector<float> values;
  std::vector<StoredStretch> stretches = {};  // if there are any, `values` is empty

  // Writes rows [first, first + n) one after the other. Throws Error as StoredNumbers::read.
  void read_rows(std::int64_t first, std::int64_t n, float* to) const;
  std::vector<float> all() const;
  // Brings all values here.
  void load();
};

struct PortableModel {
  Config config;
  std::vector<ParameterPart> parts;
  std::map<std::string, StoredMatrix> parameters;
  std::string source, target;       // bytes of the subword models; the same where there is one
  std::vector<std::string> notes;   // what was found, for the person who asked
  std::vector<std::string> losses;  // what was not kept, replaced, or seems to be another model's
  std::string path;                 // of the model file that it was read from
  std::vector<std::string> files;   // of vocabularies that were read, wherever they are

  // Gives every parameter of the configuration its shape, and no values yet. Throws Error,
  // beginning with `where`, as check_config().
  void declare(const std::string& where);
  // Gives it these parameters and parts, without values.
  void declare(const Params& declared, const std::vector<ParameterPart>& published);

  std::uint64_t count() const;  // of the values of all parameters

  std::string& subword(SubwordSide side) { return side == SubwordSide::source ? source : target; }
  // Takes a side's subword model from a file, with the pieces of a vocabulary; without a path these
  // are its words or characters. Throws Error as number_pieces().
  void take_subword(SubwordSide side, const Vocabulary& vocabulary, const std::string& path);

  // The parameter of that name, or with that role in a whole stack.
  StoredMatrix& at(const std::string& parameter);
  const StoredMatrix& at(const std::string& parameter) const;
  const std::string& name(Stack stack, Role role, bool bias = false) const;
  StoredMatrix& at(Stack stack, Role role, bool bias = false) {
    return at(name(stack, role, bias));
  }
  const StoredMatrix& at(Stack stack, Role role, bool bias = false) const {
    return at(name(stack, role, bias));
  }

  // Sets the columns of a part from [rows, columns], or from [columns, rows] where the other
  // program has its matrices transposed.
  void put(const ParameterPart& part, std::span<const float> values, bool transposed);
  // As put(), when they are asked for: from number `begin` on.
  void put_later(const ParameterPart& part, const StoredNumbers& numbers, std::uint64_t begin,
                 bool transposed);
  // Sets a table of embeddings, of outputs, or another whole parameter.
  void put_later(Stack stack, Role role, const StoredNumbers& numbers);
  std::vector<float> get(const ParameterPart& part, bool transposed) const;
};

// The place of a part of a layer, or of a stack's norm or distances, elsewhere: its tensor's name,
// which has `count` parts as rows one after the other. An empty name: it has no such tensor.
struct ForeignPlace {
  std::string name;
  bool transposed = false, may_lack = false;
  int number = 0, count = 1;
};
using ForeignNames = std::function<ForeignPlace(const ParameterPart&)>;

// Sets all parts of layers, and the norms and distances of stacks. Their shapes are checked before
// one is read. Throws Error as ForeignTensors::take().
void read_layers(PortableModel& model, ForeignTensors& tensors, const ForeignNames& names);
// Calls put(name, shape of the whole tensor, values) for each, in their order.
using PutTensor = std::function<void(const std::string& name, const Shape& shape,
                                     const std::vector<float>& values)>;
void write_layers(const PortableModel& model, const ForeignNames& names, const PutTensor& put);

// The names of tables that a file has, of several for one the first that is there.
struct TableNames {
  std::vector<std::string> source, target, output;
  std::string bias = "";     // of the output
  bool ties_inputs = false;  // source and target alone may be one
};
// Sets which tables are the same, and whether the output has a bias; declares the model, and takes
// them.
void take_tables(PortableModel& model, ForeignTensors& tensors, const TableNames& names);

// Leaves out biases of attention and of the output that are all zero, with their settings: as if
// there were none.
void drop_zero_biases(PortableModel& model);
// Gives a model without such biases some that are zero.
void add_zero_biases(PortableModel& model);

// Reorders the columns of the model, for sines and cosines in another layout: interleaved or
// concatenated. The function stays the same.
void change_layout(PortableModel& model, PositionLayout to);

// The table [rows, D] of the model's sinusoids, or of a side's learned positions.
StoredMatrix position_table(const PortableModel& model, Stack stack, std::int64_t rows);
// Tables of positions in a file, of any number of rows. Throws Error if they are of another width
// than d.
struct PositionTables {
  StoredMatrix encoder, decoder;
};
PositionTables take_positions(ForeignTensors& tensors, const std::string& encoder,
                              const std::string& decoder, std::int64_t d);
// Sets positions to those of tables: sinusoids where they have them, else learned ones.
void describe_positions(Architecture& config, const PositionTables& tables);
// Sets learned positions, if there are any. Throws Error, beginning with `where`, if both sides
// have not as many.
void put_positions(PortableModel& model, const PositionTables& tables, const std::string& where);

// A model file of tt, as one on its way. Throws Error if it is no model, or none that can be
// exchanged.
PortableModel read_portable(const std::string& path);
// Writes a model file with its matrices in a form. `origin` is noted in its metadata. Throws Error
// if the parameters are not those of the configuration, or subword models and vocabularies do not
// match.
void write_portable(const PortableModel& model, const std::string& path, const std::string& origin,
                    WeightForm form = WeightForm::float32);
// Writes a file of those parameters that are declared, of any kind of model.
void write_parameters(const PortableModel& model, const Params& declared, const Metadata& metadata,
                      const std::string& path, const std::string& origin,
                      WeightForm form = WeightForm::float32);

}  // namespace tt
