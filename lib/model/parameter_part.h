// The roles of the parameters of a model: each stretch of a parameter's columns is a part with a
// role.
//
// A model publishes its parts as it declares its parameters (Model::parts()). Formats of other
// programs, fine-tuning and freezing find parameters by their roles, so that a name stands where
// the parameter is declared and nowhere else.
#pragma once

#include <cstdint>
#include <string>

namespace tt {

enum class Stack { encoder, decoder };
enum class Sublayer { none, self, cross, ffn, embeddings };
enum class Role {
  embeddings,  // rows are pieces that are read
  output,      // rows, or of the bias columns, are pieces that are written
  positions,   // rows are positions
  distances,   // rows are heads, columns buckets of distances
  query,
  key,
  value,
  score,    // w of additive scores
  content,  // what a recurrent unit takes in
  forget,   // its gate
  hidden,   // a hidden layer of a feed-forward network
  gate,     // what it is multiplied by
  out,      // the last matrix of a sub-layer
  gain,     // of a normalisation, and what is added to it
  shift,
};

struct ParameterPart {
  std::string parameter;
  Stack stack;
  int layer;          // from 1; 0: none, the whole stack
  Sublayer sublayer;  // none: the whole stack
  Role role;
  int index;  // of matrices of a feed-forward network, from 1
  bool bias;
  std::int64_t rows, column, columns;  // a vector has one row
};

}  // namespace tt
