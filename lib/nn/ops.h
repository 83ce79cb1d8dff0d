// The differentiable operations: about one per line of the paper's section 3, each a fused forward and backward.
//
// Shapes: n rows of a packed batch; operations check that the shapes of their inputs agree (TT_CHECK). Those marked "takes b
// over" reuse the memory of that input, which must not be read afterwards.
#pragma once

#include <span>

#include "nn/tape.h"

namespace tt {

// y [rows, n] = x [rows, k] W, W [k, n], or with `transposed` x W^T, W [n, k]. In inference a row of y depends on that row of x
// alone.
// rounded_x: see Product. bias is added to every row, if given.
void row_product(Tape& tape, std::int64_t rows, const float* x, Param w, bool transposed, float* y,
                 const Bfloat16* rounded_x = nullptr, Param bias = {});

// y = x W + bias; x [n, in], W [in, out], optional bias [out]. x may be narrow (Tape::may_be_narrow()); y is, if that is asked
// for and possible. What takes a narrow matrix says so.
Var linear(Tape& tape, Var x, Param w, Param bias = {}, bool narrow = false);

// The segments, on the device, and what the host knows of them; window: see Segments. The host copy must not change until the
// tape is cleared.
Segments upload_segments(Tape& tape, std::span<const Segment> segments, std::int64_t window = 0);

// The core of multi-head attention (section 3.2): queries are columns q_column.. of q; keys are columns k_column.. of kv, which
// may be q itself; values are columns v_column.. of kv or of `values`. Result [queries, H V].
struct AttentionInputs {
  Var q = nullptr, kv = nullptr;
  Var values = nullptr;  // null: kv
  std::int64_t q_column = 0, k_column = 0, v_column = 0;
  Segments segments;
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  bool causal = false;
  float scale = 1;  // of the scores q k; 1 / sqrt(d_k) in the paper (3.2.1)
  Param additive;   // [1, H K]: scores additive . tanh(q + k) instead
  float dropout = 0;
};
// `weights`, if not null, gets the softmax; see Attention in tensor/backend.h. All inputs may be narrow where
// Backend::attends_rounded(), without `additive` and `weights`; the result then is too.
Var attention(Tape& tape, const AttentionInputs& inputs, float* weights = nullptr);

// LayerNorm(a + Dropout(b)) (section 3.1). Takes b over.
struct NormParams {
  Param gain, bias;  // [D]
  float epsilon = 1e-5f;
};
Var add_norm(Tape& tape, Var a, Var b, const NormParams& params, float dropout);

// The two halves of pre-norm: LayerNorm(x), and a + Dropout(b).
Var norm(Tape& tape, Var x, const NormParams& params);
Var add_dropout(Tape& tape, Var a, Var b, float dropout);

// Dropout(act(x + bias)) (section 3.3). Takes x over if the activation is ReLU; then x may be narrow, and the result
// is too, and x comes from a linear() without bias, since its gradient may exist only rounded.
Var activation(Tape& tape, Var x, Param bias, Activation kind, float dropout);

// Dropout(scale E[token] + P[place]) (sections 3.4, 3.5); zeros for E[-1]. `positions` is a fixed table, or null: then
// `learned` is used.
struct EmbedInputs {
  std::int64_t rows = 0;
  const std::int32_t *tokens = nullptr, *places = nullptr;  // [rows], on the device
  Param table;
  float scale = 1;
  const float* positions = nullptr;
  Param learned;
  float dropout = 0;
};
Var embed(Tape& tape, const EmbedInputs& inputs);

}  // namespace tt
