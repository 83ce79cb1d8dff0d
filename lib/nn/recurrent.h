// The differentiable operations of recurrent networks: selection of rows, and LSTMs over a batch of
// sequences.
//
// A batch of sequences is processed step by step. Its rows are laid out by steps: all first rows,
// then all second ones, and so on, with each sequence at the same place in every step, longest
// first, so that the sequences that continue are the first rows of the previous step. Products over
// inputs then run on all rows of the batch, those over states on all rows of a step, and no row is
// padding.
#pragma once

#include <span>

#include "nn/tape.h"

namespace tt {

// A selection of rows of a matrix, on the device: row r of the result is row from[r], or zeros if
// that is negative. When the tape records, no row may be chosen twice, and `to` gives the
// destination of each row, or -1; in inference it may be null.
struct RowChoice {
  std::int64_t rows = 0;
  const std::int32_t* from = nullptr;  // [rows]
  const std::int32_t* to = nullptr;    // [rows of the matrix]
};
Var gather(Tape& tape, Var x, const RowChoice& choice);

// [a b]: the columns of b after those of a.
Var concat(Tape& tape, Var a, Var b);

// Dropout(x); x itself if nothing is dropped.
Var dropout(Tape& tape, Var x, float rate);

// The steps of a batch. Step t is rows [begins[t], begins[t + 1]), never more than in the previous
// step.
struct Steps {
  std::span<const std::int64_t> begins;  // on the host, steps + 1
  const std::int32_t* before = nullptr;  // on the device, for each row after the first step: the
                                         // row of its sequence in the previous step
};

// Hidden states and cells, [n, D] each.
struct Cells {
  Var h = nullptr, c = nullptr;
};

// The states of all rows: gates [rows, 4 D] are x W + b, to which h_before U is added, U [D, 4 D];
// see Lstm in tensor/backend.h. `before` is the initial state of the sequences, in the order of the
// first step; without it, zeros. Takes gates over.
Cells lstm(Tape& tape, Var gates, Param u, const Steps& steps, const Cells& before);

// Simpler simple recurrent units over each segment's queries: gates [n, 2 D] are x and f side by
// side, f with its bias; see Ssru in tensor/backend.h. The hidden states [n, D]; `cells`, when not
// null, gets what they are the positive parts of. In inference segments may go on from row
// before[s] of c_before. Takes gates over.
struct CellRows {
  ConstMatrix cells;                     // none: all begin with zeros
  const std::int32_t* before = nullptr;  // on the device
};
Var ssru(Tape& tape, Var gates, const Segments& segments, const CellRows& from = {},
         Var* cells = nullptr);

}  // namespace tt
