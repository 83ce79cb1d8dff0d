// Additive attention, used by recurrent models, has no GPU kernels: such models are refused here with a message.
#include "base/error.h"
#include "cuda/cuda.h"

namespace tt {
namespace {

[[noreturn]] void refuse() { throw Error("recurrent models do not run on a GPU; use --device cpu"); }

}  // namespace

void CudaBackend::additive_attention(const AdditiveAttention&) const { refuse(); }
void CudaBackend::additive_attention_backward(const AdditiveAttentionBackward&) const { refuse(); }

}  // namespace tt
