#include "nn/device.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error.h"
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
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number >= 0 ? number : -1;
}

#if defined(TT_CUDA)
constexpr bool kCuda = true;
std::unique_ptr<Backend> open_gpu(int number, std::ptrdiff_t precision) {
  return std::make_unique<CudaBackend>(number, static_cast<Precision>(precision));
}
#else
constexpr bool kCuda = false;
std::unique_ptr<Backend> open_gpu(int, std::ptrdiff_t) {
  throw Error(
      "this program was built without CUDA; \"make CUDA=1\" builds build/release-cuda, and \"make CUDA=1 install\" installs it; "
      "or use --device cpu");
}
#endif

}  // namespace

std::unique_ptr<Backend> open_backend(const DeviceChoice& choice, const Ranks& ranks) {
  const auto& all = precisions();
  const auto precision = std::find(all.begin(), all.end(), choice.precision) - all.begin();
  if (precision == std::ssize(all)) throw Error("there is no precision ", in_quotes(choice.precision));
  if (ranks.number() > 1)
    ranks.agree("devices than rank 0; give all the same --device and --precision",
                choice.name.substr(0, choice.name.find(':')) + " " + choice.precision);
  if (const int number = gpu_number(choice.name, ranks); number >= 0) return open_gpu(number, precision);
  if (choice.name != "cpu")
    throw Error("there is no device ", in_quotes(choice.name), "; this program was built for: ", device_names());
  if (precision != 0) throw Error("--device cpu computes in float32; omit --precision ", choice.precision);
  return std::make_unique<CpuBackend>();
}

std::unique_ptr<Link> open_link(const Backend& backend, const Ranks& ranks) {
#if defined(TT_NCCL)
  if (const auto* gpu = dynamic_cast<const CudaBackend*>(&backend)) return gpu->link(ranks);
#endif
  return host_link(backend, ranks);
}

std::string device_names() { return kCuda ? "cpu, cuda[:N]" : "cpu"; }

const std::vector<std::string>& precisions() {
  static const std::vector<std::string> names = {"float32", "tf32", "bfloat16"};  // in the order of Precision
  return names;
}

}  // namespace tt
