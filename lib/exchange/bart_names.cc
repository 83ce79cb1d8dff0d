#include "exchange/bart_names.h"

#include "base/error.h"

namespace tt {
namespace {

std::string matrix_name(const Part& part) {
  if (part.sublayer == Sublayer::ffn) return "fc" + std::to_string(part.index);
  const std::string attention = part.sublayer == Sublayer::self ? "self_attn." : "encoder_attn.";
  switch (part.role) {
    case Role::query: return attention + "q_proj";
    case Role::key: return attention + "k_proj";
    case Role::value: return attention + "v_proj";
    case Role::out: return attention + "out_proj";
    default: TT_CHECK(!"a format of this kind has no such part"); return "";
  }
}

}  // namespace

ForeignPlace bart_place(const Part& part) {
  std::string name = part.stack == Stack::encoder ? "encoder." : "decoder.";
  if (part.layer > 0) name += "layers." + std::to_string(part.layer - 1) + ".";
  if (part.role == Role::gain || part.role == Role::shift) {
    const char* const norm = part.sublayer == Sublayer::none         ? "layer_norm"
                             : part.sublayer == Sublayer::embeddings ? "layernorm_embedding"
                             : part.sublayer == Sublayer::self       ? "self_attn_layer_norm"
                             : part.sublayer == Sublayer::cross      ? "encoder_attn_layer_norm"
                                                                     : "final_layer_norm";
    return {name + norm + (part.role == Role::gain ? ".weight" : ".bias")};
  }
  return {name + matrix_name(part) + (part.bias ? ".bias" : ".weight"), !part.bias};
}

}  // namespace tt
