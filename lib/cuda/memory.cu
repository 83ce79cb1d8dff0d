// The GPU's memory, its stream, and cuBLASLt: the parts that the emulated GPU replaces.
#include <cublasLt.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cuda/cuda.h"
#include "cuda/failure.h"
#include "cuda/gpu.h"

namespace tt {
namespace gpu {

void check(cudaError_t result, const char* attempted) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // clears errors that are not sticky
  if (result == cudaErrorNoDevice)
    throw Error("there is no GPU that CUDA can use; nvidia-smi lists the GPUs, the CPU needs none");
  if (result == cudaErrorInsufficientDriver || result == cudaErrorSystemDriverMismatch)
    throw Error("there is no GPU driver, or it is older than CUDA ", CUDART_VERSION / 1000, ".",
                CUDART_VERSION % 1000 / 10,
                ", which this program was built with; install one, or use the CPU");
  if (result == cudaErrorNoKernelImageForDevice || result == cudaErrorUnsupportedPtxVersion ||
      result == cudaErrorInvalidDeviceFunction)
    throw Error("this program was not built for this GPU (", cudaGetErrorString(result),
                "); build it with GPU_ARCH set, or use the CPU");
  const std::string why =
      std::string(cudaGetErrorString(result)) + " (" + cudaGetErrorName(result) + ")";
  if (result == cudaErrorMemoryAllocation) no_memory_for(attempted, why);
  // Other processes have it for themselves, a service of the driver does not run, or a container
  // has the wrong libraries.
  if (result == cudaErrorDevicesUnavailable || result == cudaErrorSystemNotReady ||
      result == cudaErrorInitializationError || result == cudaErrorCompatNotSupportedOnDevice ||
      result == cudaErrorStubLibrary)
    throw Error("the GPU cannot be used: ", why,
                "; nvidia-smi shows its state, the CPU needs none");
  gpu_failed(attempted, why);
}

namespace {

constexpr std::size_t kLittle = std::size_t{64}
                                << 20;  // memory in which the code of a kernel may not find room

// cuBLASLt does not say what failed in the CUDA that it has of its own: a GPU that had failed
// before, or too little memory.
void check(cublasStatus_t result, const char* attempted) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  std::size_t left = 0, all = 0;
  gpu::check(cudaMemGetInfo(&left, &all), attempted);
  const std::string why =
      std::string(cublasLtGetStatusString(result)) + " (" + cublasLtGetStatusName(result) + ")";
  if (result == CUBLAS_STATUS_ALLOC_FAILED || left < kLittle) no_memory_for(attempted, why);
  gpu_failed(attempted, why);
}

constexpr std::size_t kWorkspace = std::size_t{32}
                                   << 20;  // scratch memory for cuBLASLt, as NVIDIA recommends
constexpr std::size_t kMostPlans = std::size_t{1}
                                   << 16;  // kept: a new number of tokens makes some 30 new shapes
constexpr std::size_t kStaged = std::size_t{4} << 20;   // bytes of a staging buffer
constexpr std::size_t kFetched = std::size_t{1} << 20;  // and of one on the way back

// A plan and the objects it owns.
struct Plan {
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
  cublasLtMatmulAlgo_t algorithm = {};
  bool with_bias = false;

  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    for (auto layout : {a, b, c})
      if (layout) cublasLtMatrixLayoutDestroy(layout);
    if (operation) cublasLtMatmulDescDestroy(operation);
  }
};

struct Preference {
  cublasLtMatmulPreference_t at = nullptr;
  Preference() { check(cublasLtMatmulPreferenceCreate(&at), "to plan a product"); }
  Preference(const Preference&) = delete;
  Preference& operator=(const Preference&) = delete;
  ~Preference() { cublasLtMatmulPreferenceDestroy(at); }
  template <class T>
  void set(cublasLtMatmulPreferenceAttributes_t attribute, T value) {
    check(cublasLtMatmulPreferenceSetAttribute(at, attribute, &value, sizeof value),
          "to plan a product");
  }
};

void set_bias(const Plan& plan, const float* bias) {
  if (plan.with_bias)
    check(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                         sizeof bias),
          "to take a bias");
}

// Algorithm 66 of cuBLAS 12.6.3 to 13.4 leaves out terms where it sums in parts, of which the last
// is longer than the others, and these are whole stages of it (NVIDIA's defect 6580689, in the
// release notes of CUDA 13.4 Update 1). A stage is a multiple of 8.
bool loses_terms(const cublasLtMatmulAlgo_t& algorithm, std::int64_t terms) {
  const auto configured = [&](cublasLtMatmulAlgoConfigAttributes_t attribute) {
    std::int32_t value = 0;
    std::size_t written = 0;
    check(
        cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, sizeof value, &written),
        "to plan a product");
    return value;
  };
  if (configured(CUBLASLT_ALGO_CONFIG_ID) != 66) return false;
  const std::int32_t parts = configured(CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
  return parts > 1 && terms % parts != 0 && terms / parts % 8 == 0;
}

// How a plan is looked for: the first choice, one of several, or one that sums no parts. Sums of
// parts stay in float32, and a kernel of their own adds them in a fixed order.
constexpr int kChoices = 8;
struct Search {
  int choices;
  std::uint32_t sums;
};
constexpr Search kSearches[] = {{1, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE},
                                {kChoices, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE},
                                {1, CUBLASLT_REDUCTION_SCHEME_NONE}};

// The largest power of two up to 16 that divides an address. No load is wider; and the choice of an
// algorithm, and so a product's bits, may not depend on more of an address, since memory lies where
// the work before has left it.
std::uint32_t alignment(const void* at) {
  const auto bits = reinterpret_cast<std::uintptr_t>(at) | 16;
  return static_cast<std::uint32_t>(bits & (~bits + 1));
}

// Everything that a plan depends on.
using Shape = std::tuple<bool, bool, bool, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                         std::int64_t, std::int64_t, bool, ElementType, ElementType, std::uint32_t,
                         std::uint32_t, std::uint32_t>;

unsigned char* host_memory(std::size_t bytes) {
  void* at = nullptr;
  const cudaError_t result = cudaMallocHost(&at, bytes);
  if (result == cudaErrorMemoryAllocation) cudaGetLastError(), gpu::out_of_host_memory(bytes);
  gpu::check(result, "to get memory of the host");
  return static_cast<unsigned char*>(at);
}

// Memory of the host that is not paged, for one copy from the device: such a copy does not hold up
// other threads.
struct Fetched {
  unsigned char* at = nullptr;
  cudaEvent_t copied = nullptr;

  Fetched() {
    at = host_memory(kFetched);
    gpu::check(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming), "to begin");
  }
  Fetched(const Fetched&) = delete;
  Fetched& operator=(const Fetched&) = delete;
  ~Fetched() {
    cudaFreeHost(at);
    if (copied) cudaEventDestroy(copied);
  }
};

}  // namespace

struct Device::Library {
  cublasLtHandle_t handle = nullptr;
  void* workspace = nullptr;  // one is enough: products follow each other in the stream
  std::mutex mutex;           // of the plans
  std::map<Shape, Plan> plans;
  // Bytes on their way to the device: two stretches of memory that is not paged, one filled while
  // the other is copied.
  std::mutex staging;
  unsigned char* staged[2] = {};
  cudaEvent_t copied[2] = {};
  std::size_t filled = 0;
  int filling = 0;
  // Bytes on their way back: as many stretches as threads have copied at once, and the unused ones.
  std::mutex fetching;
  std::vector<std::unique_ptr<Fetched>> idle;

  ~Library() {
    for (unsigned char* at : staged) cudaFreeHost(at);
    for (cudaEvent_t event : copied)
      if (event) cudaEventDestroy(event);
    plans.clear();
    if (handle) cublasLtDestroy(handle);
  }
};

Device::Device(int number, Precision precision)
    : number_(number), precision_(precision), library_(std::make_unique<Library>()) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "to be counted");
  if (number < 0 || number >= count) no_such_gpu(number, count);
  use();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "to begin");
  stream_ = stream;
  check(cublasLtCreate(&library_->handle), "to begin");
  library_->workspace = allocate(kWorkspace);
  for (unsigned char*& at : library_->staged) at = host_memory(kStaged);
  for (cudaEvent_t& event : library_->copied)
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "to begin");
}

Device::~Device() {
  cudaSetDevice(number_);
  cudaStreamSynchronize(static_cast<cudaStream_t>(stream_));
  release(scratch_);
  release(library_->workspace);
  if (stream_) cudaStreamDestroy(static_cast<cudaStream_t>(stream_));
}

void Device::use() const { check(cudaSetDevice(number_), "to be used"); }

void* Device::allocate(std::size_t bytes) const {
  use();
  void* at = nullptr;
  const cudaError_t result = cudaMalloc(&at, std::max<std::size_t>(bytes, 1));
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t left = 0, all = 0;
    check(cudaMemGetInfo(&left, &all), "to tell its memory");
    out_of_memory(bytes, left, all);
  }
  check(result, "to give memory");
  return at;
}

// Called by destructors, so errors are left to the next call that can report them. Queued work may
// still be using the memory, and cudaFree may wait for it but need not.
void Device::release(void* memory) const {
  if (!memory) return;
  cudaSetDevice(number_);
  cudaStreamSynchronize(static_cast<cudaStream_t>(stream_));
  cudaFree(memory);
}

// The host memory is copied to a page-locked staging buffer before this returns; it waits only
// while both buffers are in flight.
void Device::upload(void* to, const void* from, std::size_t bytes) const {
  if (bytes == 0) return;
  use();
  Library& l = *library_;
  const std::lock_guard lock(l.staging);
  for (std::size_t done = 0; done < bytes;) {
    if (l.filled == kStaged) {
      check(cudaEventRecord(l.copied[l.filling], static_cast<cudaStream_t>(stream_)),
            "to take a copy");
      l.filling = 1 - l.filling;
      l.filled = 0;
      check(cudaEventSynchronize(l.copied[l.filling]), "while it computed");
    }
    const std::size_t part = std::min(bytes - done, kStaged - l.filled);
    unsigned char* staged = l.staged[l.filling] + l.filled;
    std::memcpy(staged, static_cast<const unsigned char*>(from) + done, part);
    check(cudaMemcpyAsync(static_cast<unsigned char*>(to) + done, staged, part,
                          cudaMemcpyHostToDevice, static_cast<cudaStream_t>(stream_)),
          "to take a copy");
    l.filled += part;
    done += part;
  }
}

// Waits for what was queued before; what other threads queue meanwhile holds up only the second and
// later parts of a large copy.
void Device::download(void* to, const void* from, std::size_t bytes) const {
  if (bytes == 0) return synchronise();
  use();
  std::unique_ptr<Fetched> mine;
  {
    const std::lock_guard lock(library_->fetching);
    if (!library_->idle.empty()) {
      mine = std::move(library_->idle.back());
      library_->idle.pop_back();
    }
  }
  if (!mine) mine = std::make_unique<Fetched>();
  for (std::size_t done = 0, part = 0; done < bytes; done += part) {
    part = std::min(bytes - done, kFetched);
    check(cudaMemcpyAsync(mine->at, static_cast<const unsigned char*>(from) + done, part,
                          cudaMemcpyDeviceToHost, static_cast<cudaStream_t>(stream_)),
          "to give a copy");
    check(cudaEventRecord(mine->copied, static_cast<cudaStream_t>(stream_)), "to give a copy");
    check(cudaEventSynchronize(mine->copied), "while it computed");
    std::memcpy(static_cast<unsigned char*>(to) + done, mine->at, part);
  }
  const std::lock_guard lock(library_->fetching);
  library_->idle.push_back(std::move(mine));
}

void Device::synchronise() const {
  use();
  check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream_)), "while it computed");
}

// cuBLASLt is column-major: a row-major matrix is the transpose, so C^T = op(B)^T op(A)^T is
// computed, with B first.
bool Device::multiply(const Product& p) const {
  use();
  const auto type_of = [](const ConstMatrix& of) {
    return of.type == ElementType::float32 ? CUDA_R_32F : CUDA_R_16BF;
  };
  const std::int64_t m = p.m(), n = p.n(), k = p.k();
  const Shape shape{p.bias != nullptr,
                    p.transpose_a,
                    p.transpose_b,
                    m,
                    n,
                    k,
                    p.a.stride,
                    p.b.stride,
                    p.c.stride,
                    p.accumulate,
                    p.c.type,
                    p.a.type,
                    alignment(p.a.at),
                    alignment(p.b.at),
                    alignment(p.c.at)};
  const std::lock_guard lock(library_->mutex);
  if (library_->plans.size() >= kMostPlans) library_->plans.clear();
  const auto [found, fresh] = library_->plans.try_emplace(shape);
  Plan& plan = found->second;
  if (fresh) try {
      const cublasComputeType_t compute =
          precision_ == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
      check(cublasLtMatmulDescCreate(&plan.operation, compute, CUDA_R_32F), "to plan a product");
      const cublasOperation_t first = p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                              second = p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
      check(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, &first,
                                           sizeof first),
            "to plan a product");
      check(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSB, &second,
                                           sizeof second),
            "to plan a product");
      const auto layout = [&](cublasLtMatrixLayout_t& to, const ConstMatrix& of) {
        check(cublasLtMatrixLayoutCreate(&to, type_of(of), static_cast<std::uint64_t>(of.columns),
                                         static_cast<std::uint64_t>(of.rows),
                                         std::max(of.stride, of.columns)),
              "to plan a product");
      };
      layout(plan.a, p.a);
      layout(plan.b, p.b);
      layout(plan.c, p.c);
      Preference wanted;
      wanted.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{kWorkspace});
      wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment(p.b.at));
      wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment(p.a.at));
      wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment(p.c.at));
      wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment(p.c.at));
      std::array<cublasLtMatmulHeuristicResult_t, kChoices> choices = {};
      const auto planned = [&](bool with_bias, Search search) {
        plan.with_bias = with_bias;  // added down a column: along our rows
        const cublasLtEpilogue_t end =
            with_bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
        check(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &end,
                                             sizeof end),
              "to plan a product");
        set_bias(plan, reinterpret_cast<const float*>(
                           std::uintptr_t{16}));  // read for its alignment alone
        wanted.set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, search.sums);
        int count = 0;
        const cublasStatus_t result = cublasLtMatmulAlgoGetHeuristic(
            library_->handle, plan.operation, plan.b, plan.a, plan.c, plan.c, wanted.at,
            search.choices, choices.data(), &count);
        if (result == CUBLAS_STATUS_NOT_SUPPORTED) return false;
        check(result, "to plan a product");
        const auto best =
            std::find_if(choices.begin(), choices.begin() + count,
                         [&](const cublasLtMatmulHeuristicResult_t& one) {
                           return one.state == CUBLAS_STATUS_SUCCESS && !loses_terms(one.algo, k);
                         });
        if (best == choices.begin() + count) return false;
        plan.algorithm = best->algo;
        return true;
      };
      bool found_one = false;
      for (const bool with_bias : {p.bias != nullptr, false})
        for (const Search search : kSearches) found_one = found_one || planned(with_bias, search);
      if (!found_one)
        throw Error("cuBLASLt cannot multiply [", m, ", ", k, "] by [", k, ", ", n,
                    "] on this GPU");
    } catch (...) {
      library_->plans.erase(found);
      throw;
    }
  set_bias(plan, p.bias);
  const float one = 1, old = p.accumulate ? 1 : 0;
  check(cublasLtMatmul(library_->handle, plan.operation, &one, p.b.at, plan.b, p.a.at, plan.a, &old,
                       p.c.at, plan.c, p.c.at, plan.c, &plan.algorithm, library_->workspace,
                       kWorkspace, static_cast<cudaStream_t>(stream_)),
        "to start a product");
  return plan.with_bias || !p.bias;
}

}  // namespace gpu

CudaBackend::CudaBackend(int number, Precision precision)
    : device_(std::make_unique<gpu::Device>(number, precision)) {}
CudaBackend::~CudaBackend() = default;
void* CudaBackend::allocate(std::size_t bytes) const { return device_->allocate(bytes); }
void CudaBackend::release(void* memory) const { device_->release(memory); }
void CudaBackend::upload(void* to, const void* from, std::size_t bytes) const {
  device_->upload(to, from, bytes);
}
void CudaBackend::download(void* to, const void* from, std::size_t bytes) const {
  device_->download(to, from, bytes);
}
void CudaBackend::synchronise() const { device_->synchronise(); }

}  // namespace tt
