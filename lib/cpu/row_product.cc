// Products in tiles: each row of the result is the same, to the last bit, whatever rows are
// computed with it. BLAS does not guarantee that (OpenBLAS takes other paths for few rows, and its
// AVX2 kernels sum a row in an order that depends on its position), and here it costs nothing: an
// element is one chain of sums, in the order of the terms, whichever tile it is in.
//
// The tiles are compiled for several instruction sets, and chosen at run time.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "cpu/cpu.h"
#include "cpu/panel.h"
#include "tensor/bfloat16.h"
#include "tensor/panels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

namespace tt {
namespace {

// The number whose bits are those of a bfloat16 and 16 zeros.
inline float upper_half(std::uint32_t bits) { return std::bit_cast<float>(bits & 0xFFFF0000u); }

#if defined(__x86_64__)
#define TT_BYTES 64
#define TT_NEEDS Instructions::avx512
#define TT_ROWS 12
#define TT_TARGET __attribute__((target("avx512f,fma")))
#define TT_NAME "AVX-512"
namespace avx512 {
#define TT_TERMS TT_FLOATS
#include "cpu/row_tiles.h"
}  // namespace avx512
namespace avx512_pairs {
#define TT_TERMS TT_PAIRS
#include "cpu/row_tiles.h"
}  // namespace avx512_pairs
#undef TT_TARGET
#undef TT_NAME
namespace avx512_bf16 {
#define TT_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16,fma")))
#define TT_NAME "AVX-512 BF16"
#define TT_TERMS TT_PAIRS_AT_ONCE
#include "cpu/row_tiles.h"
#undef TT_TARGET
#undef TT_NAME
}  // namespace avx512_bf16
#undef TT_BYTES
#undef TT_NEEDS
#undef TT_ROWS

#define TT_TARGET __attribute__((target("avx2,fma")))
#define TT_BYTES 32
#define TT_NEEDS Instructions::avx2
#define TT_NAME "AVX2"
#define TT_ROWS 6
namespace avx2 {
#define TT_TERMS TT_FLOATS
#include "cpu/row_tiles.h"
}  // namespace avx2
namespace avx2_pairs {
#define TT_TERMS TT_PAIRS
#include "cpu/row_tiles.h"
}  // namespace avx2_pairs
#undef TT_TARGET
#undef TT_BYTES
#undef TT_NEEDS
#undef TT_NAME
#undef TT_ROWS
#endif

#define TT_TARGET
#define TT_BYTES 16
#define TT_NEEDS Instructions::any
#define TT_NAME "any"
#if defined(__aarch64__)
#define TT_ROWS 12
#else
#define TT_ROWS 6
#endif
namespace any {
#define TT_TERMS TT_FLOATS
#include "cpu/row_tiles.h"
}  // namespace any
namespace any_pairs {
#define TT_TERMS TT_PAIRS
#include "cpu/row_tiles.h"
}  // namespace any_pairs
#if defined(__aarch64__)
#undef TT_TARGET
#undef TT_NEEDS
#undef TT_NAME
#define TT_TARGET __attribute__((target("arch=armv8.2-a+bf16")))
#define TT_NEEDS Instructions::bfdot
#define TT_NAME "BFMMLA"
#undef TT_ROWS
#define TT_ROWS 10  // of 12, g++ 12 keeps some sums in memory
#define TT_IN_TWOS
namespace bfdot {
#define TT_TERMS TT_PAIRS_AT_ONCE
#include "cpu/row_tiles.h"
}  // namespace bfdot
#endif

// The factors of a product in bfloat16, of which two that follow each other along the sum are a
// float's bits. Its scratch is that of a thread.
class PairedFactors {
 public:
  explicit PairedFactors(std::vector<std::uint32_t>& scratch) : scratch_(scratch) {}

  // A matrix whose rows are the terms of a sum, [rows, ceil(columns / 2)]: as it is, or rounded.
  ConstMatrix along(const ConstMatrix& m) {
    const std::int64_t wide = row_stride(ElementType::bfloat16, m.columns),
                       pairs = (m.columns + 1) / 2;
    if (m.type == ElementType::bfloat16) return float32(m.floats(), m.rows, pairs, m.stride / 2);
    auto* to = reinterpret_cast<Bfloat16*>(take(m.rows * wide / 2));
    for (std::int64_t r = 0; r < m.rows; ++r, to += wide) {
      const float* from = m.floats() + r * m.stride;
      std::fill(std::transform(from, from + m.columns, to, nearest_bfloat16), to + wide,
                Bfloat16{0});
    }
    return float32(words(), m.rows, pairs, wide / 2);
  }
  // The pairs of one whose columns are the terms, [ceil(rows / 2), columns].
  ConstMatrix across(const ConstMatrix& m) {
    const std::int64_t pairs = (m.rows + 1) / 2;
    std::uint32_t* to = take(pairs * m.columns);
    for (std::int64_t p = 0; p < pairs; ++p, to += m.columns) {
      const bool both = 2 * p + 1 < m.rows;
      if (m.type == ElementType::bfloat16) {
        const auto *first = m.as<Bfloat16>() + 2 * p * m.stride, *second = first + m.stride;
        if (both)
          for (std::int64_t c = 0; c < m.columns; ++c)
            to[c] = first[c] | std::uint32_t{second[c]} << 16;
        else std::copy_n(first, m.columns, to);
      } else {
        const float *first = m.floats() + 2 * p * m.stride, *second = first + m.stride;
        for (std::int64_t c = 0; c < m.columns; ++c)
          to[c] = nearest_bfloat16(first[c]) |
                  (both ? std::uint32_t{nearest_bfloat16(second[c])} << 16 : 0);
      }
    }
    return float32(words(), pairs, m.columns);
  }

 private:
  std::uint32_t* take(std::int64_t n) {
    if (static_cast<std::int64_t>(scratch_.size()) < n)
      scratch_.resize(static_cast<std::size_t>(n));
    return scratch_.data();
  }
  const float* words() const { return reinterpret_cast<const float*>(scratch_.data()); }
  std::vector<std::uint32_t>& scratch_;
};

}  // namespace

bool emulates_amx() {
  const char* value = std::getenv("TT_INSTRUCTIONS");
  return value && std::string_view(value) == "emulated-amx";
}

Instructions most_instructions() {
  const char* value = std::getenv("TT_INSTRUCTIONS");
  const std::string_view name = value ? value : "amx";
  if (name == "amx" || emulates_amx()) return Instructions::amx;
  if (name == "avx512") return Instructions::avx512;
  if (name == "avx2") return Instructions::avx2;
  if (name == "bfdot") return Instructions::bfdot;
  if (name == "dotprod") return Instructions::dotprod;
  if (name == "any") return Instructions::any;
  throw Error("TT_INSTRUCTIONS is ", in_quotes(value),
              "; it may be amx, avx512, avx2, bfdot, dotprod, any or emulated-amx");
}

std::vector<ProductVariant> product_variants() {
  std::vector<ProductVariant> known;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) known.push_back(avx512::kVariant);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    known.push_back(avx2::kVariant);
#endif
  known.push_back(any::kVariant);
  return known;
}

std::vector<ProductVariant> paired_product_variants() {
  std::vector<ProductVariant> known;
  if (emulates_amx()) known.push_back(emulated_paired_amx());
  else if (const auto tiles = paired_amx()) known.push_back(*tiles);
#if defined(__x86_64__)
  // Intel's VDPBF16PS takes twice the time of the multiplications and additions that it stands for.
  const bool at_once = __builtin_cpu_supports("avx512bf16"), slow = __builtin_cpu_is("intel");
  if (at_once && !slow) known.push_back(avx512_bf16::kVariant);
  if (__builtin_cpu_supports("avx512f")) known.push_back(avx512_pairs::kVariant);
  if (at_once && slow) known.push_back(avx512_bf16::kVariant);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    known.push_back(avx2_pairs::kVariant);
#elif defined(__aarch64__)
  constexpr unsigned long kBf16 = 1 << 14;  // HWCAP2_BF16, which older headers lack
  if (getauxval(AT_HWCAP2) & kBf16) known.push_back(bfdot::kVariant);
#endif
  known.push_back(any_pairs::kVariant);
  return known;
}

namespace {

ProductVariant best_of(const std::vector<ProductVariant>& known) {
  return *std::find_if(known.begin(), known.end(),
                       [](const auto& v) { return v.needs <= most_instructions(); });
}

}  // namespace

const ProductVariant& best_product() {
  static const ProductVariant first = best_of(product_variants());
  return first;
}

const ProductVariant& best_paired_product() {
  static const ProductVariant first = best_of(paired_product_variants());
  return first;
}

bool has_fast_bfloat16() {
#if defined(__x86_64__)
  const bool at_once = __builtin_cpu_supports("avx512bf16") && !__builtin_cpu_is("intel");
  return best_paired_product().needs == Instructions::amx ||
         (at_once && best_paired_product().needs == Instructions::avx512);
#else
  return best_paired_product().needs == Instructions::bfdot;
#endif
}

void paired_product(const Product& p, const ProductVariant& variant) {
  if (variant.needs == Instructions::amx) return variant.run(p);
  static thread_local std::vector<std::uint32_t> of_a, of_b;
  PairedFactors a(of_a), b(of_b);
  variant.run({p.transpose_a, p.transpose_b, p.transpose_a ? a.across(p.a) : a.along(p.a),
               p.transpose_b ? b.along(p.b) : b.across(p.b), p.accumulate, p.c});
}

void paired_row_product(const Product& p, const ProductVariant& variant) {
  if (variant.needs == Instructions::amx) return variant.run_packed(p);
  static thread_local std::vector<std::uint32_t> of_x;
  const ConstMatrix x = PairedFactors(of_x).along(p.a);
  const auto panels = [&](std::int64_t rows, std::int64_t columns) -> ConstMatrix {
    return {p.b.at, ElementType::panels, rows, columns};
  };
  variant.run_packed({false, p.transpose_b, x,
                      p.transpose_b ? panels(p.n(), x.columns) : panels(x.columns, p.n()), false,
                      p.c});
}

void CpuBackend::row_product(const RowProduct& k) const {
  const Product p{false, k.transposed, k.x, k.w, false, k.y};
  if (k.w.type == ElementType::panels) best_product().run_packed(p);
  else if (k.w.type == ElementType::paired_panels) paired_row_product(p, best_paired_product());
  else if (k.w.type == ElementType::bfloat16) product(p);
  else best_product().run(p);
}

void CpuBackend::pack(const Pack& p) const {
  float* panel = p.packed.floats();
  ConstMatrix w = p.w;
  std::vector<float> plain;
  if (w.type == ElementType::panels) {
    plain.resize(static_cast<std::size_t>(w.rows * w.columns));
    unpack(p.transposed, p.transposed ? w.rows : w.columns, p.transposed ? w.columns : w.rows,
           w.floats(), plain.data());
    w = float32(plain.data(), w.rows, w.columns);
  }
  std::vector<std::uint32_t> scratch;
  PairedFactors pairs(scratch);
  if (p.packed.type == ElementType::paired_panels)
    w = p.transposed ? pairs.along(w) : pairs.across(w);
  const std::int64_t n = p.transposed ? w.rows : w.columns, k = p.transposed ? w.columns : w.rows,
                     ld = w.stride;
  for (std::int64_t j = 0; j < panels_of(n) * kPanelColumns;
       j += kPanelColumns, panel += k * kPanelColumns)
    pack_panel<kPanelColumns>(k, std::clamp<std::int64_t>(n - j, 0, kPanelColumns),
                              w.floats() + j * (p.transposed ? ld : 1), ld, p.transposed, panel);
}

}  // namespace tt
