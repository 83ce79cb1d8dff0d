// Gradients of several GPUs, each of a process, by NCCL: from memory to memory, behind the kernels
// that make them and before those that add them up, without the host.
//
// NCCL only carries them. They are added by GradientSum's kernels in its tree, so that the bits are
// those of one GPU.
#include <nccl.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

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
  throw Error("NCCL failed ", attempted, ": ", ncclGetErrorString(result),
              detail.empty() ? "" : ": ", detail,
              "; each process needs a GPU of its own, NCCL_DEBUG=INFO tells more, and what was "
              "saved before is not lost");
}

}  // namespace

// Calls to NCCL return before they are done, and `mutex_` is held by each but not while it is
// waited for: so give_up() in another thread is never held up, and takes the communicator away from
// no call.
class NcclLink final : public Link {
 public:
  // `device`: the original's GPU. It has a stream of its own, so that the original's goes on
  // meanwhile.
  NcclLink(const gpu::Device& device, const Ranks& ranks)
      : device_(device), own_(std::make_unique<const CudaBackend>(device.number())) {
    ncclUniqueId id;
    if (ranks.first()) check(ncclGetUniqueId(&id), "to begin");
    ranks.share(&id, sizeof id);
    device_.use();
    // From here on the destructor is not called if this throws: what it fails with ends the
    // program.
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "to begin");
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    std::unique_lock lock(mutex_);
    done(ncclCommInitRankConfig(&communicator_, ranks.number(), id, ranks.rank(), &config),
         "to connect the GPUs", lock);
  }
  ~NcclLink() override {
    cudaSetDevice(own_->device_->number());
    // Where this process alone has failed, the others would be waited for in vain, and so would a
    // GPU that has.
    if (!given_up_ &&
        (std::uncaught_exceptions() > 0 || cudaStreamSynchronize(stream()) != cudaSuccess))
      give_up();
    if (given_up_) {  // the process ends, and until then the communicator may use the stream
      static_cast<void>(own_.release());
      return;
    }
    ncclResult_t result = ncclSuccess;
    for (result = ncclCommFinalize(communicator_); result == ncclInProgress;
         std::this_thread::sleep_for(kPause))
      if (ncclCommGetAsyncError(communicator_, &result) != ncclSuccess) break;
    ncclCommDestroy(communicator_);
    cudaEventDestroy(event_);
    for (const cudaEvent_t mark : marks_) cudaEventDestroy(mark);
  }

  const Backend& backend() const override { return *own_; }
  void mark(std::int64_t number) override {
    device_.use();
    check(cudaEventRecord(mark_at(number), static_cast<cudaStream_t>(device_.stream())),
          "to mark gradients");
  }
  void follow(std::int64_t number) override {
    device_.use();
    check(cudaStreamWaitEvent(stream(), mark_at(number), 0), "to wait for gradients");
  }
  void exchange(int, std::span<const Part> sent, std::span<const Part> received) override {
    device_.use();
    std::unique_lock lock(mutex_);
    refuse_if_given_up();
    check(ncclGroupStart(), "to begin an exchange");
    for (const Part& part : received)
      if (part.size > 0)
        check(ncclRecv(part.at, elements(part), ncclFloat, part.rank, communicator_, stream()),
              "to receive");
    for (const Part& part : sent)
      if (part.size > 0)
        check(ncclSend(part.at, elements(part), ncclFloat, part.rank, communicator_, stream()),
              "to send");
    done(ncclGroupEnd(), "to exchange gradients", lock);
  }
  // The stream keeps the order. What has failed meanwhile is noticed here.
  void wait(int) override {
    const std::lock_guard lock(mutex_);
    refuse_if_given_up();
    ncclResult_t result = ncclSuccess;
    check(ncclCommGetAsyncError(communicator_, &result), "to tell how it is");
    check(result, "while it exchanged gradients");
  }
  void finish() override {
    device_.use();
    check(cudaEventRecord(event_, stream()), "to mark an exchange");
    check(cudaStreamWaitEvent(static_cast<cudaStream_t>(device_.stream()), event_, 0),
          "to wait for an exchange");
  }
  void complete() override {
    device_.use();
    for (cudaError_t result; (result = cudaEventQuery(event_)) != cudaSuccess;
         std::this_thread::sleep_for(kPause)) {
      if (result != cudaErrorNotReady) check(result, "while it exchanged gradients");
      cudaGetLastError();  // not ready is no error
      wait(0);
    }
  }
  // Calls that wait for the others end at once; this one returns only when all processes of this
  // machine have made it, so that nobody waits for that.
  void give_up() override {
    const std::lock_guard lock(mutex_);
    if (std::exchange(given_up_, true)) return;
    try {
      std::thread([communicator = communicator_] { ncclCommAbort(communicator); }).detach();
    } catch (const std::system_error&) {  // no thread can be made: the process that ends takes its
                                          // communicator with it
    }
  }

 private:
  static constexpr std::chrono::microseconds kPause{20};

  static std::size_t elements(const Part& part) { return static_cast<std::size_t>(part.size); }
  void refuse_if_given_up() const {
    if (given_up_) throw Error("another thread has failed");
  }
  // Waits until a call is done, whose result so far is `result`.
  void done(ncclResult_t result, const char* attempted, std::unique_lock<std::mutex>& lock) {
    while (result == ncclInProgress) {
      lock.unlock();
      std::this_thread::sleep_for(kPause);
      lock.lock();
      refuse_if_given_up();
      check(ncclCommGetAsyncError(communicator_, &result), "to tell how it is");
    }
    check(result, attempted);
  }
  cudaStream_t stream() const { return static_cast<cudaStream_t>(own_->device_->stream()); }
  // The event of a mark, made when it is first used.
  cudaEvent_t mark_at(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    while (std::ssize(marks_) <= number)
      check(cudaEventCreateWithFlags(&marks_.emplace_back(), cudaEventDisableTiming),
            "to mark gradients");
    return marks_[static_cast<std::size_t>(number)];
  }

  const gpu::Device& device_;
  std::unique_ptr<const CudaBackend> own_;
  ncclComm_t communicator_ = nullptr;
  cudaEvent_t event_ = nullptr;     // the end of an exchange
  std::vector<cudaEvent_t> marks_;  // in the original's stream
  std::mutex mutex_;
  bool given_up_ = false;
};

std::unique_ptr<Link> CudaBackend::nccl_link(const Ranks& ranks) const {
  return std::make_unique<NcclLink>(*device_, ranks);
}

}  // namespace tt
