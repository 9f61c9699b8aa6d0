#pragma once
// Kernels that use one thing of the device interface each, for both languages.

#include <vector>

#include "gpu/device/kernel_source.h"

namespace sscope::test {

// Each item writes where it is: x + 100 y + 10^4 z + 10^6 group along z + 10^8 item of it.
[[nodiscard]] KernelSource placesKernel();
// Each group of 64 turns its part of `out` around through dynamic local memory of `localBytes`.
[[nodiscard]] KernelSource reverseKernel(std::int64_t localBytes);
// out(x, y) = the image at (x - 2, y - 2), for u8 or f32. Groups of 8 x 8.
[[nodiscard]] KernelSource imageKernel(bool bytes);
// out(i) = in(i), in groups of one.
[[nodiscard]] KernelSource copyKernel();
// Uses a table of constants and an array in local memory.
[[nodiscard]] KernelSource tableKernel();

// Every item adds `lost` to a counter of 64 bits.
[[nodiscard]] KernelSource countKernel();

[[nodiscard]] std::vector<KernelSource> deviceTestKernels();

}  // namespace sscope::test
