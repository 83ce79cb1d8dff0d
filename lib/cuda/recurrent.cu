// What only recurrent models ask for has no kernels for GPUs: such a model is refused here, in words.
#include "base/error.h"
#include "cuda/cuda.h"

namespace tt {
namespace {

[[noreturn]] void refuse() { throw Error("recurrent models do not run on a GPU; use --device cpu"); }

}  // namespace

void CudaBackend::gather(const Gather&) const { refuse(); }
void CudaBackend::lstm(const Lstm&) const { refuse(); }
void CudaBackend::lstm_backward(const LstmBackward&) const { refuse(); }

}  // namespace tt
