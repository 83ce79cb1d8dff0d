// Kernels used only by recurrent models are not implemented for GPUs: such models are refused here with a message.
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
