#include "core/engine/typed_row.h"
#include "gpu/filter/rows.h"

#include "core/base/error.h"
#include "core/filter/workload/conv2d_workload.h"
#include "core/workload/workload_options.h"
#include "gpu/filter/ladder_plan.h"
#include "gpu/run/device_limits.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

enum class Conv2dRung : std::uint8_t { Naive, Optimized, TiledOccupancy, TiledTiling };

constexpr const char* kNames[] = {"naive", "optimized", "tiled-occupancy", "tiled-tiling"};

std::string nameOf(Conv2dRung rung) { return kNames[static_cast<std::size_t>(rung)]; }

// Compilers take about this many without tiling and one more a tile, which is also what SkePU's source assumes.
int registersPerThread(int tiling) { return 23 + tiling; }

TilingProblem problemOf(const Conv2dWorkload& conv, const Grid& block) {
  return {block.x, block.y, conv.taps().size[0], conv.taps().size[1], 4, registersPerThread};
}

TilingChoice choose(Conv2dRung rung, const DeviceProperties& device, const TilingProblem& problem) {
  const TilingLimits limits = limitsOf(device);
  if (rung == Conv2dRung::TiledOccupancy) return phiOccupancy(limits, problem);
  if (rung == Conv2dRung::TiledTiling) return phiTiling(limits, problem);
  return choiceOf(limits, problem, 1);
}

void designShared(LadderDesign& design, Conv2dRung rung, const DeviceProperties& device, const Conv2dWorkload& conv) {
  const Grid& block = design.source.group;
  const TilingProblem problem = problemOf(conv, block);
  const TilingChoice choice = choose(rung, device, problem);
  if (choice.tiling == 0)
    throw Error(ErrorKind::Unsupported,
                design.variant + " with blocks of " + std::to_string(block.x) + " x " + std::to_string(block.y) +
                    " wants " + std::to_string(sharedTileBytes(problem, 1)) + " bytes of local memory",
                "choose a smaller block or filter");
  design.source.entry = "conv2d_shared";
  design.source.localBytes = sharedTileBytes(problem, choice.tiling);
  design.source.define("TILES", choice.tiling);
  std::string list;
  for (const double weight : conv.taps().weights)
    list += (list.empty() ? "" : ",") + kernelLiteral(weight, Precision::f32);
  design.source.define("TAPS", list);
  const auto [nx, ny, nz, nc] = conv.outputs().front().extent;
  const std::int64_t computed = roundUp(nx, block.x * choice.tiling);
  design.columns = computed / choice.tiling;
  design.rows = roundUp(ny, block.y);
  design.after = {computed - nx, design.rows - ny, 0};
  design.outPitch = computed;
  design.outRowsAfter = design.rows - ny;
  design.launch["tiling factor"] = choice.tiling;
  design.launch["blocks at a time"] = static_cast<double>(choice.blocks);
  if (device.unitItems > 0) design.launch["modeled occupancy"] = choice.occupancy;
}

LadderDesign designOf(Conv2dRung rung, const DeviceProperties& device, const Conv2dWorkload& conv,
                      const OptionValues& values) {
  LadderDesign design;
  design.variant = nameOf(rung);
  design.source.group = textOf(values, "block") == "16x32" ? Grid{16, 32} : Grid{16, 16};
  const auto extent = conv.outputs().front().extent;
  design.columns = design.outPitch = extent[0];
  design.rows = extent[1];
  defineLadder(design, conv);
  if (rung == Conv2dRung::Naive) {
    design.source.entry = "conv2d_naive";
    design.taps = conv.taps().weights;
  } else {
    designShared(design, rung, device, conv);
  }
  return design;
}

std::string unsupported(Conv2dRung rung, const EngineInfo& engine, const Conv2dWorkload& conv) {
  if (std::string reason = ladderUnsupported(engine, conv); !reason.empty() || rung == Conv2dRung::Naive) return reason;
  const std::int64_t bytes = sharedTileBytes(problemOf(conv, {16, 16}), 1);
  if (bytes > engine.localBytes)
    return "a block with its halo takes " + std::to_string(bytes) + " bytes of local memory, and there are " +
           std::to_string(engine.localBytes);
  return {};
}

void addRow(VariantTable& variants, EngineKind kind, Conv2dRung rung, const char* kernel, const char* source) {
  Variant row;
  row.workload = "conv2d";
  row.name = nameOf(rung);
  row.kind = kind;
  row.source = std::string(
                   "U. Dastgeer and C. Kessler, A performance-portable generic component for 2D convolution "
                   "computations on GPU-based systems, ") +
               source;
  row.kernelFile = kernel;
  row.options = {choiceOption("block", "Block", {"16x16", "16x32"}, "work items of a work-group, along x and y")};
  row.unsupported = unsupportedFor<Conv2dWorkload>(
      [rung](const EngineInfo& engine, const Conv2dWorkload& workload) { return unsupported(rung, engine, workload); });
  row.prepare = prepareFor<DeviceEngine, Conv2dWorkload>(
      [rung](DeviceEngine& engine, const Conv2dWorkload& conv, const PrepareOptions& options, const Control& control) {
        return makeLadderPlan(engine, conv, designOf(rung, engine.device().properties(), conv, options.values), options,
                              control);
      });
  variants.add(std::move(row));
}

}  // namespace

void addConv2dRungs(VariantTable& variants, EngineKind kind) {
  addRow(variants, kind, Conv2dRung::Naive, "conv2d_naive.kernel", "section 3");
  addRow(variants, kind, Conv2dRung::Optimized, "conv2d_shared.kernel", "section 3");
  addRow(variants, kind, Conv2dRung::TiledOccupancy, "conv2d_shared.kernel", "sections 3 and 4, Phi_occupancy");
  addRow(variants, kind, Conv2dRung::TiledTiling, "conv2d_shared.kernel", "sections 3 and 4, Phi_tiling");
}

}  // namespace sscope
