#pragma once
// The two metrics by which Dastgeer and Kessler choose how many tiles a thread block works on (section 4): pure
// functions of the parameters of their table 3 and the shape of the filter.
//
// 1 x N tiling: a block of block_x by block_y threads computes N blocks of outputs side by side from one tile in shared
// memory, N values a thread. More tiles mean fewer loads of the halo, but more shared memory and registers a block, and
// so fewer blocks at a time.
//
// Values that the paper leaves open are chosen to reproduce its table 2 (tests/gpu/tiling_metrics_test.cpp), and from
// the authors' library SkePU, whose source tiles along x and has kernels for the factors 1, 2, 4, 6 ... 16 only:
// - a tile takes (N block_x + w - 1) (block_y + h - 1) elements of shared memory; on devices of compute capability 1.x
//   the kernel's arguments lie there too (104 bytes: 16, and SkePU's eleven arguments);
// - a thread takes 20 registers whatever N (17 to 21 give the same: three blocks on a GTX280 and one on an 8800 GT);
// - blocks at a time are limited by blocks, warps, threads, registers and shared memory, each rounded down to whole
//   blocks, registers and shared memory being handed out in single units;
// - the means are over all widths and heights from 3 up in steps of 1.
// This gives 3.80 and 14.32 tiles for the C2050 (3.83 and 14.33 in the paper), 1.64 for the GTX280 (1.63) and 7.46 for
// the 8800 GT (7.35), and the paper's occupancies but for 73.7 % instead of 75 % on the GTX280, where the largest
// filters leave room for two blocks instead of three. The GTX280's 3.83 tiles for Phi_tiling are not to be had: it has
// the 8800 GT's shared memory and twice its registers, so one block cannot tile less there; the number is the C2050's
// of the column before.

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/device/device.h"

namespace sscope {

// Of one multiprocessor.
struct TilingLimits {
  std::int64_t threads = 0;
  std::int64_t registers = 0;
  std::int64_t sharedBytes = 0;
  std::int64_t sharedBytesOfBlock = 0;  // the most one block may take; 0: sharedBytes
  std::int64_t sharedReserved = 0;      // taken of every block's
  int threadsPerWarp = 32;
  std::int64_t warps = 0;
  std::int64_t blocks = 0;
};

struct TilingProblem {
  std::int64_t blockX = 16, blockY = 16;
  std::int64_t filterWidth = 1, filterHeight = 1;
  std::int64_t elementBytes = 4;
  std::function<int(int tiling)> registersPerThread;
};

struct TilingChoice {
  int tiling = 0;           // N; 0: not even one block fits
  std::int64_t blocks = 0;  // at a time on a multiprocessor
  double occupancy = 0;     // share of the warps a multiprocessor can hold
};

inline constexpr int kLargestTiling = 16;
// 1, 2, 4, 6 ... 16.
[[nodiscard]] const std::vector<int>& tilingFactors();

// Groups of so many threads that a multiprocessor holds at a time; registers of a thread, bytes of a group.
[[nodiscard]] std::int64_t blocksAtATime(const TilingLimits& limits, std::int64_t threads, std::int64_t registers,
                                         std::int64_t sharedBytes);
// The share of the warps a multiprocessor can hold, with so many blocks.
[[nodiscard]] double occupancyOf(const TilingLimits& limits, std::int64_t threads, std::int64_t blocks);

// Bytes of the tile in shared memory, halo included.
[[nodiscard]] std::int64_t sharedTileBytes(const TilingProblem& problem, int tiling);
// Blocks and occupancy with this factor; tiling is 0 when none fits.
[[nodiscard]] TilingChoice choiceOf(const TilingLimits& limits, const TilingProblem& problem, int tiling);
// The largest number of blocks at a time, then the largest factor that keeps it.
[[nodiscard]] TilingChoice phiOccupancy(const TilingLimits& limits, const TilingProblem& problem);
// The largest factor with which one block fits, whatever the occupancy.
[[nodiscard]] TilingChoice phiTiling(const TilingLimits& limits, const TilingProblem& problem);

// The device's limits for occupancy models.

// Assumes these limits if the driver does not report them: one group of the largest size per compute unit, unlimited
// registers, the local memory of one group, and at most eight groups, as on all of the paper's devices.
[[nodiscard]] TilingLimits limitsOf(const DeviceProperties& device);

// 0 if the driver reports too little.
[[nodiscard]] double expectedOccupancy(const DeviceProperties& device, std::int64_t items,
                                       const KernelAttributes& kernel, std::int64_t localBytes);

}  // namespace sscope
