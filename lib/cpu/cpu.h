// The CPU implementation of tensor/backend.h: host memory, tiles for products (BLAS on processors
// that row_product.cc has none for), compiler vectors for the rest, one thread per call.
//
// Kernels of one kind are in one file: gemm, row_product, int8_product, attention, additive,
// alignment, norm, softmax, pointwise, embed, recurrent, ssru, adam, topk; memory is in memory.cc.
#pragma once

#include <optional>
#include <vector>

#include "tensor/backend.h"

namespace tt {

class CpuBackend : public Backend {
 public:
  // Limits BLAS to one thread per call. In bfloat16 products round their factors. Throws Error if
  // there are no products of this precision.
  explicit CpuBackend(Precision precision = Precision::float32);

  void* allocate(std::size_t bytes) const override;
  void release(void* memory) const override;
  Traits traits() const override {
    if (precision_ == Precision::bfloat16)
      return {.factors = ElementType::bfloat16, .weights = ElementType::paired_panels};
    return {.weights = ElementType::panels};
  }
  void upload(void* to, const void* from, std::size_t bytes) const override;
  void download(void* to, const void* from, std::size_t bytes) const override;
  void synchronise() const override {}
  TT_KERNELS(TT_OVERRIDE)

 private:
  Precision precision_;
};

// Sets of instructions that some kernels are compiled for, to be chosen from when the program runs.
enum class Instructions { any, dotprod, bfdot, avx2, avx512, amx };
// The most that the backend uses: what the environment's TT_INSTRUCTIONS names ("any", "dotprod",
// "bfdot", "avx2", "avx512", "amx"), by default all that the processor has. With "emulated-amx" it
// is amx, whose tiles are emulated, slowly, on any processor. Throws Error if it names something
// else.
Instructions most_instructions();
bool emulates_amx();

// Products by each instruction set that this processor has, best first; the portable one is last.
struct ProductVariant {
  Instructions needs;
  const char* instructions;
  void (*run)(const Product& p);
  void (*run_packed)(
      const Product& p);  // whose b is of ElementType::panels, and A is not transposed
};
std::vector<ProductVariant> product_variants();
// The first of them that the backend may use.
const ProductVariant& best_product();
// Variants for factors of which each element is the bits of two numbers of bfloat16, neighbours
// along the sum. They add the second of each two first, as VDPBF16PS does: all give the same bits
// where there are fused additions, but for numbers below 2^-126, which that instruction takes for
// zeros. BFDOT, of ARM, has bits of its own: it adds both products first, and rounds to odd; BFMMLA
// is two of it, one after the other. Tiles have bits of their own, too (cpu/paired_amx.cc); they
// take the factors as they are, and round them themselves.
std::vector<ProductVariant> paired_product_variants();
const ProductVariant& best_paired_product();
// Whether they are faster than those of float32.
bool has_fast_bfloat16();
// Of tiles, if this processor has them; and of tiles that are emulated.
std::optional<ProductVariant> paired_amx();
ProductVariant emulated_paired_amx();
// C = op(A) op(B) + (accumulate ? C : 0), whose factors of any type are rounded to bfloat16.
void paired_product(const Product& p, const ProductVariant& variant);
// C = A B, or A B^T, with a B in paired panels; A is rounded to bfloat16 where it is not.
void paired_row_product(const Product& p, const ProductVariant& variant);

// A variant of int8_product.
struct Int8ProductVariant {
  Instructions needs;
  const char* instructions;
  void (*run)(const Int8Product& k);
};
std::vector<Int8ProductVariant> int8_products();
// Those of ARM, on which alone there is this function.
std::vector<Int8ProductVariant> arm_int8_products();
Int8ProductVariant emulated_int8_amx();
const Int8ProductVariant& best_int8_product();

}  // namespace tt
