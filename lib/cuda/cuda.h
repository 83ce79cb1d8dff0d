// The implementation of tensor/backend.h for NVIDIA GPUs: one stream, cuBLASLt for products, our
// own kernels for the rest.
//
// Kernels of one kind are in one file, named as for the CPU: gemm, row_product, int8_product,
// attention, additive, alignment, norm, softmax, pointwise, embed, recurrent, ssru, adam, topk;
// attention_warps is attention on tensor cores, for all precisions but float32. Memory is in
// memory.cu, its exchange by NCCL in link.cu. The order of every sum depends only on its shape, and
// there are no atomic additions: the same calls give the same bits on the same kind of GPU. Dropout
// masks are the same as on the CPU; other results agree up to rounding. Cached attention and
// additive scores multiply in float32 whatever the precision.
//
// RowProduct keeps its guarantee in float32, where it is a kernel of tt that sums the terms of an
// element in order, whatever is in the other rows. In the other precisions it is a cuBLASLt
// product, whose order depends on the number of rows.
//
// Theoretical limits of preset base (63 M parameters, V 32,000) on 25,000 + 25,000 tokens in
// sentences of 27, in bfloat16, with 990 TFLOP/s, 4.8 TB/s and 2 us for a launch (bench --device
// paper), and what an H200 needs, each kernel waited for (tests/bench/runs/2026-11-27-h200.txt):
//
//   of one update                       FLOP      bytes   launches   at best   measured
//   products: encoder, decoder        6.6 T      21 GB        183    6.6 ms    17.3 ms
//             logits, 3 of [n, V, D]  2.5 T       7 GB         24    2.5 ms
//   attention, both ways              0.08 T    5.5 GB         36    1.2 ms     4.2 ms
//   add_norm, both ways               0.01 T     14 GB         90    2.9 ms     4.4 ms
//   activation, both ways             0.01 T      6 GB         36    1.3 ms     1.9 ms
//   cross_entropy                     0.01 T      3 GB         16    0.7 ms     1.5 ms
//   the rest                              -       3 GB         70    0.7 ms     1.6 ms
//   all                               9.2 T      60 GB        455     16 ms     30.8 ms
//
// Large products reach 720 to 780 TFLOP/s, those with 512 terms 500. Where kernels follow each
// other, all need 28.2 ms.
//
// The host needs 4.0 ms to ask for them. Graphs of launches would not help there: the numbers of
// tokens of updates hardly ever repeat, and the host is ahead. With preset tiny and 4,096 tokens it
// needs 2.0 of the 2.8 ms of an update.
//
// In float32 attention works on tiles in shared memory, six factors for eight additions, 11 ms at
// best, and products need 137 ms; measured 53 and 184 ms of 244.
#pragma once

#include <memory>

#include "tensor/backend.h"
#include "tensor/link.h"

namespace tt {

namespace gpu {
class Device;
}

class CudaBackend : public Backend {
 public:
  // GPU number `number`, counted from 0. Throws Error if there is none, its driver is too old, or
  // it cannot be used.
  explicit CudaBackend(int number = 0, Precision precision = Precision::float32);
  ~CudaBackend() override;

  void* allocate(std::size_t bytes) const override;
  void release(void* memory) const override;
  // In bfloat16 weights that do not change are kept rounded for inference.
  Traits traits() const override;
  void upload(void* to, const void* from, std::size_t bytes) const override;
  void download(void* to, const void* from, std::size_t bytes) const override;
  void synchronise() const override;
  TT_KERNELS(TT_OVERRIDE)

  // By NCCL, if built with it. Throws Error if the GPUs cannot be linked.
  std::unique_ptr<Link> nccl_link(const Ranks& ranks) const;

 private:
  friend class NcclLink;
  std::unique_ptr<gpu::Device> device_;
};

}  // namespace tt
