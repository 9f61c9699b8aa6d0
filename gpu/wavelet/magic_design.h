#pragma once
// A way to run the magic filter on a device: a sequence of launches from the input to the output.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/wavelet/workload/magic_workload.h"
#include "gpu/device/device.h"
#include "gpu/run/kernel_stage.h"

namespace sscope {

// The number of pieces of size `of` that cover n.
[[nodiscard]] inline std::int64_t pieces(std::int64_t n, std::int64_t of) { return (n + of - 1) / of; }

struct MagicDesign {
  std::string variant;
  // Their kernels take the input and output arrays, which are added later, and then `arguments`.
  std::vector<KernelStage> steps;
  double executedOperations = 0;         // if the kernels compute more than counted
  std::map<std::string, double> launch;  // figures for RunReport::launch
  std::string description;
};

// The definitions of magic_wrap.h. `reach`: the largest position that a kernel asks for, counted from its axis' element
// 0, for every axis of `extents`; the smallest is `lowest`.
struct MagicReach {
  std::int64_t extent = 1, highest = 0;
};
void defineMagic(KernelSource& source, const MagicWorkload& workload, std::int64_t lowest,
                 const std::vector<MagicReach>& reach);

// What the steps of a workload are: the lines and their number of every pass that writes its result transposed, or of
// the one pass of a batch of lines.
struct MagicLines {
  std::int64_t n = 1, lines = 1;
};
[[nodiscard]] std::vector<MagicLines> magicLines(const MagicWorkload& workload);

// The paper's kernels.
enum class MagicRung : std::uint8_t { Direct, Block, Inverse, Vec2, Staggered };
[[nodiscard]] MagicDesign designMagicRung(MagicRung rung, std::string name, const MagicWorkload& workload);

// Passes that keep the order of axes.
[[nodiscard]] MagicDesign designMagicPasses(const DeviceProperties& device, const MagicWorkload& workload);

// Along y or z (axis 1 or 2), from array to array of the same order of axes.
[[nodiscard]] KernelStage magicColumnsStep(const DeviceProperties& device, const MagicWorkload& workload,
                                           std::size_t axis);

// All three axes at once; or x and y at once and then z, which is called planar. Empty tile: the
// usual one. Walks of `walk` planes; 0: by the model. Throws Error(Unsupported) where the device cannot.
[[nodiscard]] MagicDesign designMagicFused(const DeviceProperties& device, const MagicWorkload& workload, bool planar,
                                           const std::string& tile, std::int64_t walk);
// Names of all tiles, and of those that a device can run.
[[nodiscard]] std::vector<std::string> magicTiles();
[[nodiscard]] std::vector<std::string> magicTiles(const DeviceProperties& device, const MagicWorkload& workload);
// Why a device cannot run any tile; empty if it can.
[[nodiscard]] std::string magicFusedUnsupported(const DeviceProperties& device, const MagicWorkload& workload);

}  // namespace sscope
