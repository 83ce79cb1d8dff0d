// The differentiable operations: about one per line of the paper's section 3, each a fused forward
// and backward.
//
// Shapes: n rows of a packed batch; operations check that the shapes of their inputs agree
// (TT_CHECK). Those marked "takes b over" reuse the memory of that input, which must not be read
// afterwards.
#pragma once

#include <span>

#include "nn/tape.h"

namespace tt {

// y = x W + bias, or with `transposed` x W^T + bias. In inference a row of y depends on that row of
// x alone; when recording, x had better be a factor (Tape::factor()).
void row_product(Tape& tape, const ConstMatrix& x, Param w, bool transposed, const Matrix& y,
                 Param bias = {});

// y = x W + bias; x [n, in], W [in, out], optional bias [out].
Var linear(Tape& tape, Var x, Param w, Param bias = {});

// The heads of an attention: queries and keys of d_k columns each, values of d_v.
struct Heads {
  int heads = 1;
  std::int64_t d_k = 0, d_v = 0;
  float scale = 1;  // of the scores q k; 1 / sqrt(d_k) in the paper (3.2.1)
  Param additive;   // [1, H K]: scores additive . tanh(q + k) instead
  Param bias;       // [H, B]: the table of a DistanceBias, if there is one; `buckets` on the device
  const std::int32_t* buckets = nullptr;
  std::int64_t far = 0;
  float dropout = 0;
};
// The bias of these heads, as kernels read it.
DistanceBias distance_bias(Tape& tape, const Heads& heads);
// linear(), of which nothing but attention() of these heads reads the result.
Var attention_input(Tape& tape, Var x, Param w, Param bias, const Heads& heads);

// The segments, on the device, and what the host knows of them; window: see Segments. The host copy
// must not change until the tape is cleared.
Segments upload_segments(Tape& tape, std::span<const Segment> segments, std::int64_t window = 0);

// The core of multi-head attention (section 3.2): queries are columns q_column.. of q; keys are
// columns k_column.. of kv, which may be q itself; values are columns v_column.. of kv or of
// `values`. Result [queries, H V].
struct AttentionInputs : Heads {
  Var q = nullptr, kv = nullptr;
  Var values = nullptr;  // null: kv
  std::int64_t q_column = 0, k_column = 0, v_column = 0;
  Segments segments;
  bool causal = false;
};
// `weights`, if not null, gets the softmax, in inference; see Attention in tensor/backend.h.
Var attention(Tape& tape, const AttentionInputs& inputs, float* weights = nullptr);

// Guided alignment: adds the loss of AlignmentLoss for one head, of which queries are columns
// q_column.. of q and keys k_column.. of k, to *sum, and, when recording, records the gradient of
// weight times it. Requires float32, that attention() reads the same columns of q and k later, and
// that begins [queries + 1] and linked do not change until the tape is cleared.
struct AlignmentInputs {
  Var q = nullptr, k = nullptr;
  std::int64_t q_column = 0, k_column = 0, d_k = 0;
  float scale = 1;
  Segments segments;
  std::span<const std::int32_t> begins, linked;  // on the host
  float weight = 1;
  double* sum = nullptr;
};
void alignment_loss(Tape& tape, const AlignmentInputs& inputs);

// Norm(a + Dropout(b)) (section 3.1), the norm being LayerNorm or RMSNorm. Takes b over.
struct NormParams {
  Param gain, bias;  // [D]; there may be no bias
  float epsilon = 1e-5f;
  NormType type = NormType::layer;
};
Var add_norm(Tape& tape, Var a, Var b, const NormParams& params, float dropout);

// The two halves of pre-norm: Norm(x), and a + Dropout(b).
Var norm(Tape& tape, Var x, const NormParams& params);
Var add_dropout(Tape& tape, Var a, Var b, float dropout);

// scale a b, element by element, and scale a.
Var multiply(Tape& tape, Var a, Var b, float scale = 1);
Var multiply(Tape& tape, Var a, float scale);

// Dropout(act(x W + bias)) (section 3.3); there may be no bias. `multiplied`: nothing but
// multiply() reads the result.
Var activation(Tape& tape, Var x, Param w, Param bias, Activation kind, float dropout,
               bool multiplied = false);

// Dropout(scale E[token] + P[place]) (sections 3.4, 3.5); zeros for E[-1]. `positions` is a fixed
// table, or null: then `learned` is used.
struct EmbedInputs {
  std::int64_t rows = 0;
  const std::int32_t *tokens = nullptr, *places = nullptr;  // [rows], on the device
  Param table;
  float scale = 1;
  ConstMatrix positions;
  Param learned;
  float dropout = 0;
};
Var embed(Tape& tape, const EmbedInputs& inputs);

}  // namespace tt
