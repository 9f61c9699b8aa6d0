#include "tests/gpu/device_test_kernels.h"

namespace sscope::test {

namespace {

KernelSource kernelOf(const char* entry, const Grid& group, const char* text) {
  KernelSource source{entry, {}, Precision::f32, 1, group, {}};
  source.text = text;
  return source;
}

}  // namespace

KernelSource placesKernel() {
  return kernelOf("places", {4, 2, 2}, R"(
KERNEL void places(GLOBAL i32* out, i32 nx, i32 ny) {
  const i32 x = GLOBAL_ID(0), y = GLOBAL_ID(1), z = GLOBAL_ID(2);
  out[x + nx * (y + ny * z)] = x + 100 * y + 10000 * z + 1000000 * GROUP_ID(2) + 100000000 * LOCAL_ID(2);
}
)");
}

KernelSource reverseKernel(std::int64_t localBytes) {
  KernelSource source = kernelOf("reverse", {64}, R"(
KERNEL void reverse(GLOBAL i32* out, i32 stride DYNAMIC_LOCAL_PARAMETER) {
  LOCAL_POINTER(i32) part = DYNAMIC_LOCAL(i32);
  const i32 item = LOCAL_ID(0);
  if (stride > 0) part[item * stride] = out[GLOBAL_ID(0)];
  BARRIER;
  if (stride > 0) out[GLOBAL_ID(0)] = part[(GROUP_X - 1 - item) * stride];
}
)");
  source.localBytes = localBytes;
  return source;
}

KernelSource imageKernel(bool bytes) {
  KernelSource source = kernelOf(bytes ? "read_bytes" : "read_floats", {8, 8},
                                 bytes ? R"(
KERNEL void read_bytes(IMAGE2D image, GLOBAL u8* out, i32 nx, i32 ny) {
  const i32 x = GLOBAL_ID(0), y = GLOBAL_ID(1);
  if (x < nx && y < ny) out[x + nx * y] = IMAGE_U8(image, x - 2, y - 2);
}
)"
                                       : R"(
KERNEL void read_floats(IMAGE2D image, GLOBAL f32* out, i32 nx, i32 ny) {
  const i32 x = GLOBAL_ID(0), y = GLOBAL_ID(1);
  if (x < nx && y < ny) out[x + nx * y] = IMAGE_F32(image, x - 2, y - 2);
}
)");
  return source;
}

KernelSource copyKernel() {
  return kernelOf("copy", {1}, R"(
KERNEL void copy(GLOBAL const i32* in, GLOBAL i32* out) {
  const i32 item = GLOBAL_ID(0);
  out[item] = in[item];
}
)");
}

KernelSource tableKernel() {
  return kernelOf("table", {32}, R"(
CONSTANT_TABLE i32 squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
KERNEL void table(GLOBAL i32* out, i32 shift) {
  LOCAL i32 part[GROUP_X];
  const i32 item = LOCAL_ID(0);
  part[item] = squares[(item + shift) % 8];
  BARRIER;
  out[GLOBAL_ID(0)] = part[(item + 1) % GROUP_X];
}
)");
}

KernelSource countKernel() {
  return kernelOf("count", {64}, R"(
KERNEL void count(GLOBAL u32* counter, i32 lost) {
  count_lost(counter, (u32)lost);
}
)");
}

std::vector<KernelSource> deviceTestKernels() {
  return {placesKernel(), reverseKernel(1024), imageKernel(true), imageKernel(false),
          copyKernel(),   tableKernel(),       countKernel()};
}

}  // namespace sscope::test
