// Failures of a GPU in words, which a real one and an emulated one have in common.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"
#include "base/report.h"

namespace tt::gpu {

// Other programs may have it: nothing tells how much of what is taken is theirs.
constexpr const char* kNeedLess =
    "; use smaller batches, one shard, fewer threads or a smaller model, or end other programs on "
    "the GPU (nvidia-smi lists them)";

[[noreturn]] inline void no_such_gpu(int number, int count) {
  throw Error("there is no GPU number ", number, "; this process sees ", count, ", numbered from 0",
              count == 1 ? "; if each process is given one of its own, name cuda:0" : "");
}

[[noreturn]] inline void out_of_memory(std::size_t asked, std::size_t left, std::size_t all) {
  throw Error("out of memory on the GPU: ", human_bytes(asked), " more were requested, and of ",
              human_bytes(all), " ", human_bytes(left), " are free", kNeedLess);
}

// As above, where what was asked for is not known: memory of a library, or of kernels that are
// loaded when they are first used.
[[noreturn]] inline void no_memory_for(const char* attempted, const std::string& why) {
  throw Error("the GPU had too little memory ", attempted, ": ", why, kNeedLess);
}

// Memory of the host that is not paged, for copies from and to the GPU.
[[noreturn]] inline void out_of_host_memory(std::size_t asked) {
  throw Error("out of memory of the host: ", human_bytes(asked),
              " that are not paged were requested, for copies from and to the GPU; end other "
              "programs, or use fewer threads");
}

[[noreturn]] inline void gpu_failed(const char* attempted, const std::string& why) {
  throw DeviceError("the GPU failed ", attempted, ": ", why,
                    "; its computation is lost, and files that were saved before are not");
}

}  // namespace tt::gpu
