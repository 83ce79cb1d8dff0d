// The differentiable operations of recurrent networks: rows chosen, and long short-term memory over a batch of sequences.
//
// A batch of sequences is read step by step. Its rows are laid out by steps: all first rows, then all second ones, each sequence at the
// same place of its step, the longest first, so that the sequences that go on are the first rows of the step before. Products over
// inputs then run on all rows of the batch, those over states on all rows of a step, and no row is padding.
#pragma once

#include <span>

#include "nn/tape.h"

namespace tt {

// Which rows of a matrix make up another, on the device: row r is row from[r] of it, or zeros where that is negative. No row is chosen twice
// when the tape records, and `to` says for each where it went, or -1; in inference it may be null.
struct RowChoice {
  std::int64_t rows = 0;
  const std::int32_t* from = nullptr;  // [rows]
  const std::int32_t* to = nullptr;    // [rows of the matrix]
};
Var gather(Tape& tape, Var x, const RowChoice& choice);

// [a b]: the columns of b after those of a.
Var concat(Tape& tape, Var a, Var b);

// Dropout(x): x itself where nothing is dropped.
Var dropout(Tape& tape, Var x, float rate);

// Where the steps of a batch begin. Step t is rows [begins[t], begins[t + 1]), none more than the step before.
struct Steps {
  std::span<const std::int64_t> begins;  // on the host, one more than steps
  const std::int32_t* before =
      nullptr;  // on the device, for each row after the first step: the row of its sequence one step before
};

// Hidden states and cells, [n, D] each.
struct Cells {
  Var h = nullptr, c = nullptr;
};

// The states of all rows: gates [rows, 4 D] are x W + b, to which h_before U is added, U [D, 4 D]; see Lstm in tensor/backend.h. `before`
// is what the sequences begin with, in the order of the first step, or none: zeros. Takes gates over.
Cells lstm(Tape& tape, Var gates, Param u, const Steps& steps, const Cells& before);

}  // namespace tt
