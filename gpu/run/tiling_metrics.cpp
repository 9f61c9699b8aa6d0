#include "gpu/run/tiling_metrics.h"

#include <algorithm>

namespace sscope {

const std::vector<int>& tilingFactors() {
  static const std::vector<int> factors{1, 2, 4, 6, 8, 10, 12, 14, kLargestTiling};
  return factors;
}

std::int64_t sharedTileBytes(const TilingProblem& problem, int tiling) {
  return (problem.blockX * tiling + problem.filterWidth - 1) * (problem.blockY + problem.filterHeight - 1) *
         problem.elementBytes;
}

std::int64_t blocksAtATime(const TilingLimits& limits, std::int64_t threads, std::int64_t registers,
                           std::int64_t sharedBytes) {
  if (limits.sharedBytesOfBlock > 0 && sharedBytes > limits.sharedBytesOfBlock) return 0;
  const std::int64_t warps = (threads + limits.threadsPerWarp - 1) / limits.threadsPerWarp;
  return std::min({limits.blocks, limits.threads / threads, limits.warps / warps,
                   limits.registers / std::max<std::int64_t>(1, threads * registers),
                   limits.sharedBytes / std::max<std::int64_t>(1, sharedBytes)});
}

double occupancyOf(const TilingLimits& limits, std::int64_t threads, std::int64_t blocks) {
  const std::int64_t warps = (threads + limits.threadsPerWarp - 1) / limits.threadsPerWarp;
  return static_cast<double>(blocks * warps) / static_cast<double>(limits.warps);
}

TilingChoice choiceOf(const TilingLimits& limits, const TilingProblem& problem, int tiling) {
  const std::int64_t threads = problem.blockX * problem.blockY;
  const std::int64_t blocks = blocksAtATime(limits, threads, problem.registersPerThread(tiling),
                                            sharedTileBytes(problem, tiling) + limits.sharedReserved);
  if (blocks < 1) return {};
  return {tiling, blocks, occupancyOf(limits, threads, blocks)};
}

TilingChoice phiOccupancy(const TilingLimits& limits, const TilingProblem& problem) {
  TilingChoice best;
  for (const int tiling : tilingFactors())
    if (const TilingChoice choice = choiceOf(limits, problem, tiling);
        choice.tiling > 0 && choice.blocks >= best.blocks)
      best = choice;
  return best;
}

TilingChoice phiTiling(const TilingLimits& limits, const TilingProblem& problem) {
  TilingChoice best;
  for (const int tiling : tilingFactors())
    if (const TilingChoice choice = choiceOf(limits, problem, tiling); choice.tiling > 0) best = choice;
  return best;
}

TilingLimits limitsOf(const DeviceProperties& device) {
  const auto reported = [](std::int64_t value, std::int64_t otherwise) { return value > 0 ? value : otherwise; };
  TilingLimits limits;
  limits.threads = reported(device.unitItems, device.largestGroup);
  limits.registers = reported(device.unitRegisters, std::int64_t{1} << 40);
  limits.sharedBytes = reported(device.unitLocalBytes, device.localBytes);
  limits.sharedBytesOfBlock = reported(device.largestDynamicLocal, device.localBytes);
  limits.threadsPerWarp = static_cast<int>(reported(device.lockstep, 32));
  limits.warps = std::max<std::int64_t>(1, limits.threads / limits.threadsPerWarp);
  limits.blocks = reported(device.unitGroups, 8);
  return limits;
}

double expectedOccupancy(const DeviceProperties& device, std::int64_t items, const KernelAttributes& kernel,
                         std::int64_t localBytes) {
  if (device.unitItems == 0 || device.unitRegisters == 0 || kernel.registers == 0) return 0;
  const TilingLimits limits = limitsOf(device);
  return occupancyOf(limits, items, blocksAtATime(limits, items, kernel.registers, localBytes));
}

}  // namespace sscope
