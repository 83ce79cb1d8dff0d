#include "exchange/bart_names.h"

namespace tt {
namespace {

std::string layer_name(bool decoder, int layer) {
  return std::string(decoder ? "decoder" : "encoder") + ".layers." + std::to_string(layer - 1) + ".";
}

}  // namespace

std::string bart_name(const LinearMap& map) {
  const std::string layer = layer_name(map.decoder, map.layer);
  if (map.block == Block::ffn) return layer + "fc" + map.part;
  return layer + (map.block == Block::self ? "self_attn." : "encoder_attn.") + map.part + "_proj";
}

std::string bart_name(const NormMap& map) {
  if (map.layer == 0) return std::string(map.decoder ? "decoder" : "encoder") + ".layer_norm";
  const char* const block = map.block == Block::self ? "self_attn" : map.block == Block::cross ? "encoder_attn" : "final";
  return layer_name(map.decoder, map.layer) + block + "_layer_norm";
}

}  // namespace tt
