// Names of tensors that BART, fairseq and MarianMT have in common:
// "encoder.layers.0.self_attn.q_proj.weight".
#pragma once

#include "exchange/portable.h"

namespace tt {

ForeignPlace bart_place(const Part& part);

}  // namespace tt
