// The names in a file of attention, one JSON object per sentence and line, which tt-translate
// writes and tt-attention-plot reads.
//
//   {"line": 1, "source": [piece, ...], "target": [piece, ...],
//    "attention": [{"kind": "cross" | "encoder" | "decoder", "layer": 1, "head": 1,
//                   "weights": [[weight, ...], ...]}, ...]}
//
// A row of weights is a query, a column a key: cross is target by source, encoder source by source,
// and decoder target by decoder input, which is <s> and the target without its last piece. Rows sum
// to 1; a weight that is no number is null. A sentence without pieces has no attention.
#pragma once

namespace tt::attention_format {

inline constexpr const char *kLine = "line", *kSource = "source", *kTarget = "target",
                            *kAttention = "attention";
inline constexpr const char *kKind = "kind", *kLayer = "layer", *kHead = "head",
                            *kWeightRows = "weights";
inline constexpr const char *kCross = "cross", *kEncoder = "encoder",
                            *kDecoder = "decoder";  // kinds

}  // namespace tt::attention_format
