// The implementation of tensor/backend.h for NVIDIA GPUs: one stream, cuBLASLt for products, our own kernels for the rest.
//
// Kernels of one kind are in one file, named as for the CPU: gemm, row_product, int8_product, attention (on tensor cores:
// attention_warps), additive, norm, softmax,
// pointwise, embed, recurrent, ssru, adam, topk; memory is in memory.cu, its exchange by NCCL in link.cu. The order of every sum
// depends only on its shape, and there are no atomic additions: the same calls give the same bits on the same kind of GPU.
// Dropout masks are the same as on the CPU; other results agree up to rounding. In tf32 and bfloat16, attention's products are in
// tf32, but those of cached attention and of additive scores in float32.
//
// RowProduct keeps its guarantee in float32, where it is a kernel of tt that sums the terms of an element in order, whatever is
// in the other rows. In the other precisions it is a cuBLASLt product, whose order depends on the number of rows.
//
// Theoretical limits: preset base (63 M parameters, V 32,000) on 25,000 + 25,000 tokens in sentences of 27, with
// 990 TFLOP/s in bfloat16 (495 in tf32, 67 in float32), 4.8 TB/s and 2 us for a launch. Bytes are of float32 activations,
// launches of one shard: with --shards 4 there are four times as many, of a quarter of the rows each.
//
//   of one update                       FLOP      bytes   launches   at best
//   products: encoder, 2 x 3 N        2.8 T      15 GB        108    2.8 ms  bfloat16; 42 ms float32
//             decoder                 3.8 T      21 GB        168    3.8 ms            57 ms
//             logits, 3 of [n, V, D]  2.5 T      10 GB        150    2.5 ms            37 ms
//   cross_entropy                     0.01 T      6 GB        100    1.3 ms  by bytes: a chunk's logits, read twice, written once
//   attention forward and backward    0.13 T      9 GB         54    1.9 ms
//   add_norm, both ways               0.01 T     13 GB        120    2.7 ms
//   bias, activation, both ways       0.01 T     14 GB        150    2.9 ms
//   embed, both ways                      -     0.4 GB          8    0.1 ms
//   dropout's random words            0.06 T op     -           -    2.0 ms  inside the rows above, by integer instructions
//   reduce, adam                          -       3 GB          3    0.6 ms
//   total                             9.2 T      91 GB        861     18 ms  and 1.7 ms of launches, while the host is ahead
//
// Products of attention read their factors from shared memory, 128 bytes a cycle of a multiprocessor: on tensor cores eight
// numbers for 64 additions of a thread, about 1.6 ms in all, beside the loads and exponentials of each tile; in float32 six for
// eight additions, 11 ms.
//
// With bfloat16 products, memory traffic of the other kernels takes as long as the products: the next step would be activations
// in bfloat16.
#pragma once

#include <memory>

#include "tensor/backend.h"
#include "tensor/link.h"

namespace tt {

// The format to which products round their factors; sums and everything else are always float32.
enum class Precision { float32, tf32, bfloat16 };

namespace gpu {
class Device;
}

class CudaBackend : public Backend {
 public:
  // GPU number `number`, counted from 0. Throws Error if there is none, its driver is too old, or it cannot be used.
  explicit CudaBackend(int number = 0, Precision precision = Precision::float32);
  ~CudaBackend() override;

  void* allocate(std::size_t bytes) const override;
  void release(void* memory) const override;
  bool is_host() const override { return false; }
  void upload(void* to, const void* from, std::size_t bytes) const override;
  void download(void* to, const void* from, std::size_t bytes) const override;
  void synchronise() const override;
  // In bfloat16 weights that do not change are kept rounded for inference, as Round makes them.
  std::size_t packed_bytes(std::int64_t n, std::int64_t k) const override;
  bool rounds() const override;
  bool attends_rounded(std::int64_t d_k, std::int64_t d_v) const override;
  TT_KERNELS(TT_OVERRIDE)

  // By NCCL, if built with it. Throws Error if the GPUs cannot be linked.
  std::unique_ptr<Link> link(const Ranks& ranks) const;

 private:
  friend class NcclLink;
  std::unique_ptr<gpu::Device> device_;
};

}  // namespace tt
