// What the thread sanitizer must say of threads on the emulated GPU: tests/cli/races-on-an-emulated-gpu.sh runs these cases.
#include "tests/catch.h"

#if !defined(TT_CUDA)
#include <vector>

#include "cuda/device.h"
#include "cuda/gpu.h"

namespace tt::gpu {
namespace {

enum class Order { none, shuffle, warp, block };

void order_by(Order order) {
  if (order == Order::shuffle) shuffle(0, 0);
  if (order == Order::warp) __syncwarp();
  if (order == Order::block) __syncthreads();
}

// Each thread reads what the one `distance` behind it has written.
void read_neighbour(Order order, unsigned distance, float* out) {
  auto* room = shared<float>();
  room[threadIdx.x] = static_cast<float>(threadIdx.x);
  order_by(order);
  out[blockIdx.x * blockDim.x + threadIdx.x] = room[(threadIdx.x + distance) % blockDim.x];
}
void read_all(Order order, unsigned distance) {
  const Device device(0, Precision::float32);
  std::vector<float> out(3 * 64);
  launch(device, blocks(3), 64, 64 * sizeof(float), read_neighbour, order, distance, out.data());
  for (const float x : out) CHECK((order != Order::block || x < 64));
}

// Block b + 1 writes from `step` numbers behind where block b does.
void overwrite(std::int64_t step, float* out) { out[blockIdx.x * step + threadIdx.x] = 1; }
void write_all(std::int64_t step) {
  const Device device(0, Precision::float32);
  std::vector<float> out(3 * 64);
  for (int launches = 0; launches < 2; ++launches) launch(device, blocks(3), 32, 0, overwrite, step, out.data());
  CHECK(out[31] == 1);
}

TEST_CASE("race: nothing", "[.][race]") { read_all(Order::none, 1); }
TEST_CASE("race: a shuffle", "[.][race]") { read_all(Order::shuffle, 1); }
TEST_CASE("race: a warp's barrier for a block", "[.][race]") { read_all(Order::warp, 32); }
TEST_CASE("race: the same threads of two blocks", "[.][race]") { write_all(0); }
TEST_CASE("race: other threads of two blocks", "[.][race]") { write_all(16); }
TEST_CASE("no race: a block's barrier", "[.][race]") { read_all(Order::block, 33); }
TEST_CASE("no race: two launches", "[.][race]") { write_all(32); }

}  // namespace
}  // namespace tt::gpu
#endif
