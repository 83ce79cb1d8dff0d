// Gradients of several GPUs, each of a process, by NCCL: from memory to memory, behind the kernels that make them and before
// those that add them up, without the host.
//
// NCCL only carries them. They are added by GradientSum's kernels in its tree, so that the bits are those of one GPU.
#include <nccl.h>

#include <atomic>
#include <string>

#include "base/error.h"
#include "cuda/cuda.h"
#include "cuda/gpu.h"
#include "tensor/link.h"

namespace tt {
namespace {

using gpu::check;

void check(ncclResult_t result, const char* attempted) {
  if (result == ncclSuccess || result == ncclInProgress) return;
  const char* last = ncclGetLastError(nullptr);
  const std::string detail = last ? last : "";
  throw Error("NCCL failed ", attempted, ": ", ncclGetErrorString(result), detail.empty() ? "" : ": ", detail,
              "; each process needs a GPU of its own, NCCL_DEBUG=INFO tells more, and what was saved before is not lost");
}

}  // namespace

class NcclLink final : public Link {
 public:
  // `device`: the original's GPU. It has a stream of its own, so that the original's goes on meanwhile.
  NcclLink(const gpu::Device& device, const Ranks& ranks) : device_(device), own_(device.number()) {
    ncclUniqueId id;
    if (ranks.first()) check(ncclGetUniqueId(&id), "to begin");
    ranks.share(&id, sizeof id);
    device_.use();
    check(ncclCommInitRank(&communicator_, ranks.number(), id, ranks.rank()), "to connect the GPUs");
    // From here on the destructor is not called if this throws: events come last, and what they fail with ends the program.
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "to begin");
  }
  ~NcclLink() override {
    own_.device_->use();
    if (given_up_) return;  // the communicator is gone, and the process ends
    cudaStreamSynchronize(stream());
    ncclCommDestroy(communicator_);
    cudaEventDestroy(event_);
  }

  const Backend& backend() const override { return own_; }
  void follow() override { after(static_cast<cudaStream_t>(device_.stream()), stream()); }
  void exchange(int, std::span<const Part> sent, std::span<const Part> received) override {
    device_.use();
    check(ncclGroupStart(), "to begin an exchange");
    for (const Part& part : received)
      if (part.size > 0) check(ncclRecv(part.at, elements(part), ncclFloat, part.rank, communicator_, stream()), "to receive");
    for (const Part& part : sent)
      if (part.size > 0) check(ncclSend(part.at, elements(part), ncclFloat, part.rank, communicator_, stream()), "to send");
    check(ncclGroupEnd(), "to exchange gradients");
  }
  // The stream keeps the order. What has failed meanwhile is noticed here.
  void wait(int) override {
    if (given_up_) throw Error("another thread has failed");
    ncclResult_t result = ncclSuccess;
    check(ncclCommGetAsyncError(communicator_, &result), "to tell how it is");
    check(result, "while it exchanged gradients");
  }
  void finish() override { after(stream(), static_cast<cudaStream_t>(device_.stream())); }
  void give_up() override {
    if (!given_up_.exchange(true)) ncclCommAbort(communicator_);
  }

 private:
  static std::size_t elements(const Part& part) { return static_cast<std::size_t>(part.size); }
  cudaStream_t stream() const { return static_cast<cudaStream_t>(own_.device_->stream()); }
  // What is queued in `later` from now on waits for what is in `earlier` now.
  void after(cudaStream_t earlier, cudaStream_t later) {
    device_.use();
    check(cudaEventRecord(event_, earlier), "to mark an exchange");
    check(cudaStreamWaitEvent(later, event_, 0), "to wait for an exchange");
  }

  const gpu::Device& device_;
  const CudaBackend own_;
  ncclComm_t communicator_ = nullptr;
  cudaEvent_t event_ = nullptr;
  std::atomic<bool> given_up_ = false;
};

std::unique_ptr<Link> CudaBackend::link(const Ranks& ranks) const { return std::make_unique<NcclLink>(*device_, ranks); }

}  // namespace tt
