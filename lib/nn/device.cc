#include "nn/device.h"

#include "base/error.h"
#include "cpu/cpu.h"

namespace tt {

std::unique_ptr<Backend> open_backend(const std::string& name) {
  if (name == "cpu") return std::make_unique<CpuBackend>();
  throw Error("there is no device ", in_quotes(name), "; this program was built for: ", device_names());
}

std::string device_names() { return "cpu"; }

}  // namespace tt
