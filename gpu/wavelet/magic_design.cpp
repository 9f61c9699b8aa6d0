#include "gpu/wavelet/magic_design.h"

#include <algorithm>

#include "gpu/run/launch_sizes.h"

namespace sscope {

void defineMagic(KernelSource& source, const MagicWorkload& workload, std::int64_t lowest,
                 const std::vector<MagicReach>& reach) {
  source.precision = Precision::f64;
  source.extra.emplace_back("magic_wrap.h");
  std::string list;
  for (const double tap : workload.taps()) list += (list.empty() ? "" : ",") + kernelLiteral(tap, Precision::f64);
  source.define("TAPS", std::ssize(workload.taps()));
  source.define("BAKED_TAPS", list);
  source.define("FIRST", "(" + std::to_string(workload.first()) + ")");
  const bool modulo = std::any_of(reach.begin(), reach.end(), [&](const MagicReach& axis) {
    return lowest < -axis.extent || axis.highest >= 2 * axis.extent;
  });
  source.define("MODULO", modulo ? 1 : 0);
}

std::vector<MagicLines> magicLines(const MagicWorkload& workload) {
  const auto [nx, ny, nz, nc] = workload.input().extent;
  if (workload.lines()) return {{nx, ny * nz}};
  return {{nx, ny * nz}, {ny, nz * nx}, {nz, nx * ny}};
}

// Passes that leave the axes where they are: along x through local memory, along y and z by walks down the columns.

namespace {

constexpr std::int64_t kResults = 8;           // of a work item along x
constexpr std::int64_t kItems = 256;           // of a group
constexpr std::int64_t kSpanItems = 32;        // most along x
constexpr std::int64_t kTileBytes = 24 << 10;  // of lines in local memory
constexpr std::int64_t kMostLines = 8;         // a work item computes one after the other
constexpr int kRowRegisters = 74;              // the number that compilers use with 16 taps
const Grid kColumnGroup{32, 8};

bool asynchronous(const DeviceProperties& device) { return device.capabilityMajor >= 8; }

KernelStage rowsStep(const DeviceProperties& device, const MagicWorkload& workload) {
  const auto [nx, ny, nz, nc] = workload.input().extent;
  const std::int64_t lines = ny * nz, taps = std::ssize(workload.taps());
  const std::int64_t spans = pieces(nx, kSpanItems * kResults);
  const std::int64_t items = pieces(pieces(nx, spans), kResults);  // of a group along x
  const std::int64_t stretch = items * kResults + taps - 1;
  const std::int64_t lineBytes = ((stretch + stretch / kResults) | 1) * 8;
  const std::int64_t most = std::min<std::int64_t>(kItems, device.largestGroup);
  const std::int64_t together = std::clamp<std::int64_t>(std::min(most / items, kTileBytes / lineBytes), 1, 64);
  const std::int64_t blocks = pieces(lines, together) * spans;
  const std::int64_t resident = residentGroups(device, items * together, kRowRegisters, together * lineBytes);
  const std::int64_t each = std::clamp<std::int64_t>(pieces(blocks, resident), 1, kMostLines);

  KernelStage step;
  step.source = {"magic_rows", {}, Precision::f64, 1, {items, together}};
  defineMagic(step.source, workload, workload.first(),
              {{nx, (spans - 1) * items * kResults + workload.first() + stretch - 1}});
  step.source.define("ASYNC", asynchronous(device) ? 1 : 0);
  step.source.define("RESULTS", kResults);
  step.source.define("LINES_EACH", each);
  step.source.define("TRANSPOSED", workload.transposed() ? 1 : 0);
  step.columns = spans * items;
  step.rows = pieces(lines, together * each) * together;
  step.elementsPerRow = nx * each;
  step.operationsPerElement = 2.0 * static_cast<double>(taps);
  step.arguments = {int32(nx), int32(lines)};
  return step;
}

}  // namespace

KernelStage magicColumnsStep(const DeviceProperties& device, const MagicWorkload& workload, std::size_t axis) {
  const auto& extent = workload.input().extent;
  const std::int64_t nx = extent[0], n = extent[axis], others = extent[3 - axis], plane = nx * extent[1];
  const std::int64_t taps = std::ssize(workload.taps());
  // Long queues leave few registers for other values.
  const std::int64_t ahead = taps <= 16 ? 8 : taps <= 32 ? 4 : 2;
  const int registers = static_cast<int>(2 * (taps - 1) + 4 * ahead + 12);

  KernelStage step;
  step.source = {"magic_columns", {}, Precision::f64, 1, kColumnGroup};
  auto& group = step.source.group;
  while (group.count() > device.largestGroup) (group.y > 1 ? group.y : group.x) /= 2;
  const std::int64_t resident = residentGroups(device, group.count(), registers, 0);
  const Range outputs = axis == 2 ? workload.wantedPlanes() : Range{0, n};
  const std::int64_t length = walkLength(outputs.size(), taps, resident, [&](std::int64_t walks) {
    return pieces(nx, group.x) * pieces(others * walks, group.y);
  });
  const std::int64_t walks = pieces(outputs.size(), length);
  defineMagic(step.source, workload, workload.first(), {{n, n - 1}});
  step.source.define("AHEAD", ahead);
  step.columns = nx;
  step.rows = others * walks;
  step.elementsPerRow = nx * length;
  step.operationsPerElement = 2.0 * static_cast<double>(taps);
  step.arguments = {axis == 1 ? nx : plane, axis == 1 ? plane : nx, int32(nx),         int32(n), int32(walks),
                    int32(length),          int32(outputs.begin),   int32(outputs.end)};
  return step;
}

MagicDesign designMagicPasses(const DeviceProperties& device, const MagicWorkload& workload) {
  MagicDesign design;
  design.steps.push_back(rowsStep(device, workload));
  if (!workload.lines())
    for (const std::size_t axis : {1, 2}) design.steps.push_back(magicColumnsStep(device, workload, axis));
  design.launch["passes"] = static_cast<double>(design.steps.size());
  design.description = design.steps.size() == 1 ? "one pass along the lines" : "three passes, no transposition";
  return design;
}

// The paper's kernels (section V): every pass writes its lines as columns, so that three of them lead back to the order
// of axes that the first one found.

namespace {

constexpr std::int64_t kBlock = 16;  // work items of a group along each axis, and lines of a block

}  // namespace

MagicDesign designMagicRung(MagicRung rung, std::string name, const MagicWorkload& workload) {
  MagicDesign design;
  design.variant = std::move(name);
  const std::int64_t results = rung == MagicRung::Block ? 2 : 1;
  const std::int64_t span = kBlock * results;
  const std::int64_t loaded = roundUp(span + std::ssize(workload.taps()) - 1, kBlock);
  const std::vector<MagicLines> passes = magicLines(workload);
  KernelSource source{"magic_transpose", {}, Precision::f64, rung == MagicRung::Vec2 ? 2 : 1, {kBlock, kBlock}};
  std::vector<MagicReach> reach;
  for (const MagicLines& pass : passes)
    reach.push_back({pass.n, std::max<std::int64_t>(0, pass.n - span) + workload.first() + loaded - 1});
  defineMagic(source, workload, workload.first(), reach);
  source.define("RESULTS", results);
  source.define("PAIRED", rung == MagicRung::Vec2 ? 1 : 0);
  source.define("STAGGERED", rung == MagicRung::Staggered ? 1 : 0);
  source.define("TRANSPOSED", workload.lines() && !workload.transposed() ? 0 : 1);
  for (const MagicLines& pass : passes) {
    KernelStage step;
    step.source = source;
    step.columns = roundUp(pass.n, span) / results;
    step.rows = roundUp(pass.lines, kBlock);
    step.elementsPerRow = pass.n;
    step.operationsPerElement = 2.0 * static_cast<double>(workload.taps().size());
    step.arguments = {static_cast<std::int32_t>(pass.n), static_cast<std::int32_t>(pass.lines)};
    design.steps.push_back(std::move(step));
  }
  design.launch["buffer elements"] = static_cast<double>(kBlock * (loaded + 1));
  design.description = std::to_string(passes.size()) + (passes.size() > 1 ? " passes" : " pass") +
                       " of blocks of 16 lines by " + std::to_string(span) + " results";
  return design;
}

}  // namespace sscope
