#include "nn/device.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/number.h"
#include "base/setting.h"
#include "cpu/cpu.h"
#if defined(TT_CUDA)
#include "cuda/cuda.h"
#endif

namespace tt {
namespace {

// The number of a GPU in "cuda" or "cuda:N", or -1.
int gpu_number(std::string_view name, const Ranks& ranks) {
  if (name == "cuda") return ranks.local();
  if (!name.starts_with("cuda:")) return -1;
  name.remove_prefix(5);
  return std::max(number_in<int>(name).value_or(-1), -1);
}

#if defined(TT_CUDA)
constexpr bool kCuda = true;
#if defined(TT_NCCL)
// GPUs that are linked without their hosts.
class Gpu final : public CudaBackend {
 public:
  using CudaBackend::CudaBackend;
  std::unique_ptr<Link> link(const Ranks& ranks) const override { return nccl_link(ranks); }
};
#else
using Gpu = CudaBackend;
#endif
std::unique_ptr<Backend> open_gpu(int number, Precision precision) {
  return std::make_unique<Gpu>(number, precision);
}
#else
constexpr bool kCuda = false;
std::unique_ptr<Backend> open_gpu(int, Precision) {
  throw SettingError(
      "this program was built without CUDA; \"make CUDA=1\" builds build/release-cuda, and \"make "
      "CUDA=1 install\" installs it; or use ",
      Setting{"device"}, " cpu");
}
#endif

}  // namespace

std::unique_ptr<Backend> open_backend(const DeviceChoice& choice, const Ranks& ranks) {
  const auto& all = precisions();
  const std::string name = precision_of(choice);
  const auto found = std::ranges::find(all, name);
  if (found == all.end()) throw Error("there is no precision ", in_quotes(name));
  const auto precision = static_cast<Precision>(found - all.begin());
  if (ranks.number() > 1)
    ranks.agree(
        "devices than rank 0; give all the same device and precision",
        choice.name.substr(0, choice.name.find(':')) + " " + name + " " + summation_of(choice));
  if (const int number = gpu_number(choice.name, ranks); number >= 0)
    return open_gpu(number, precision);
  if (choice.name != "cpu")
    throw Error("there is no device ", in_quotes(choice.name),
                "; this program was built for: ", device_names());
  return std::make_unique<CpuBackend>(precision);
}

std::string device_names() { return kCuda ? "cpu, cuda[:N]" : "cpu"; }

const std::vector<std::string>& precisions() {
  static const std::vector<std::string> names = {
      name_of(Precision::float32), name_of(Precision::tf32),
      name_of(Precision::bfloat16)};  // in the order of Precision
  return names;
}

std::string precision_of(const DeviceChoice& choice) {
  if (choice.precision != "auto") return choice.precision;
  return name_of(choice.name != "cpu" || has_fast_bfloat16() ? Precision::bfloat16
                                                             : Precision::float32);
}

std::string summation_of(const DeviceChoice& choice) {
  if (choice.name != "cpu") return "";
  const bool pairs = precision_of(choice) == name_of(Precision::bfloat16);
  switch ((pairs ? best_paired_product() : best_product()).needs) {
    case Instructions::any: return "any";
    case Instructions::bfdot: return "bfdot";
    case Instructions::amx: return "amx";
    case Instructions::dotprod:
    case Instructions::avx2:
    case Instructions::avx512: break;
  }
  return "fma";
}

}  // namespace tt
