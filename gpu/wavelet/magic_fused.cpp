// All three axes in one kernel: see magic_fused.kernel.

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "gpu/run/launch_sizes.h"
#include "gpu/wavelet/magic_design.h"

namespace sscope {

namespace {

// With more taps, the sums exceed the registers.
constexpr std::int64_t kMostTaps = 24;
constexpr std::int64_t kPitchMultiple = 4, kPitchOffset = 2;  // rows begin in different banks, at whole pairs

struct Tile {
  const char* name;             // work items along x and y
  std::int64_t tx, rx, groups;  // columns, outputs of a piece of work along x, rows of work items
  int perUnit;                  // work-groups on a compute unit at once
  std::int64_t queue;           // sums of a work item: the limit set by registers
};
constexpr std::array<Tile, 4> kTiles{
    {{"24x8", 24, 6, 8, 2, 60}, {"32x6", 32, 8, 6, 2, 60}, {"32x8", 32, 8, 8, 2, 30}, {"16x8", 16, 8, 8, 3, 60}}};

// All quantities that follow from a tile.
struct Shape {
  std::int64_t tx, rx, ry, ty, rows, left, rowPitch, filteredPitch, stages;
  int perUnit;
  [[nodiscard]] std::int64_t items() const { return tx * ty / ry; }
  [[nodiscard]] std::int64_t localBytes() const { return rows * (stages * rowPitch + filteredPitch) * 8; }
};

// Used if the driver does not report it: the value of NVIDIA's devices since capability 7.
constexpr std::int64_t kUnitRegisters = 65536;
// Without a queue, the registers suffice for this many groups.
constexpr int kPlanarGroups = 4;

std::int64_t pitchFor(std::int64_t elements) {
  return roundUp(std::max<std::int64_t>(0, elements - kPitchOffset), kPitchMultiple) + kPitchOffset;
}
bool paired(const MagicWorkload& workload) { return workload.input().extent[0] % 2 == 0; }

Shape shapeOf(const Tile& tile, const MagicWorkload& workload, std::int64_t stages) {
  const std::int64_t taps = std::ssize(workload.taps());
  Shape s{};
  s.tx = tile.tx;
  s.rx = tile.rx;
  s.ry = std::clamp<std::int64_t>(tile.queue / (taps - 1), 1, 4);
  s.ty = tile.groups * s.ry;
  s.rows = s.ty + taps - 1;
  s.left = paired(workload) ? workload.first() & 1 : 0;
  s.rowPitch = pitchFor(roundUp(s.left + s.tx + taps - 1, 2));
  s.filteredPitch = pitchFor(s.tx);
  s.stages = stages;
  s.perUnit = tile.perUnit;
  return s;
}

bool fits(const DeviceProperties& device, const Shape& shape) {
  const std::int64_t most = std::max(device.largestDynamicLocal, std::int64_t{0});
  return shape.items() <= device.largestGroup && shape.localBytes() <= (most > 0 ? most : device.localBytes);
}

// The registers of a work item if this many groups are to fit; 0 if the driver does not report the limit. A compute
// unit has four parts, to which warps are distributed, and allocates registers in portions of eight.
std::int64_t registersFor(const DeviceProperties& device, const Shape& shape) {
  if (device.lockstep == 0) return 0;
  const std::int64_t all = device.unitRegisters > 0 ? device.unitRegisters : kUnitRegisters;
  const std::int64_t warps = pieces(shape.items(), device.lockstep) * shape.perUnit;
  return std::min<std::int64_t>(255, all / 4 / (pieces(warps, 4) * device.lockstep) / 8 * 8);
}

// The planes that are fetched while one is computed: two if the local memory of a compute unit has room for all its
// groups.
std::int64_t stagesFor(const DeviceProperties& device, const Tile& tile, const MagicWorkload& workload) {
  const Shape three = shapeOf(tile, workload, 3);
  return fits(device, three) && three.localBytes() * three.perUnit <= device.unitLocalBytes ? 3 : 2;
}

// The taps along x are computed for the halo along y too, and those along x and y for the halo along z.
double executed(const Shape& s, const MagicWorkload& workload, bool planar, std::int64_t tiles, std::int64_t walks) {
  const std::int64_t halo = std::ssize(workload.taps()) - 1;
  const auto taps = static_cast<double>(halo + 1);
  const std::int64_t outputs = planar ? workload.input().extent[2] : workload.wantedPlanes().size();
  const auto planes = static_cast<double>(tiles * (outputs + (planar ? 0 : walks * halo)));
  return 2 * taps * planes * static_cast<double>(s.tx * (s.rows + 2 * s.ty));
}

}  // namespace

std::vector<std::string> magicTiles() {
  std::vector<std::string> names;
  for (const Tile& tile : kTiles) names.emplace_back(tile.name);
  return names;
}

std::vector<std::string> magicTiles(const DeviceProperties& device, const MagicWorkload& workload) {
  std::vector<std::string> names;
  for (const Tile& tile : kTiles)
    if (fits(device, shapeOf(tile, workload, 2))) names.emplace_back(tile.name);
  return names;
}

std::string magicFusedUnsupported(const DeviceProperties& device, const MagicWorkload& workload) {
  if (workload.lines()) return "a batch of lines has one pass only";
  if (std::ssize(workload.taps()) > kMostTaps)
    return "the sums of more than " + std::to_string(kMostTaps) + " taps do not stay in registers";
  return magicTiles(device, workload).empty() ? "no tile with its halo fits into local memory" : "";
}

namespace {

// The fastest on an H100; OpenCL has less local memory there and is faster with three small groups per unit.
std::string usualTile(const DeviceProperties& device, const MagicWorkload& workload, bool planar) {
  const std::vector<std::string> tiles = magicTiles(device, workload);
  const char* usual = planar ? "32x6" : device.language == KernelLanguage::CudaCpp ? "24x8" : "16x8";
  const auto found = std::find(tiles.begin(), tiles.end(), usual);
  return found != tiles.end() ? *found : tiles.empty() ? "" : tiles.front();
}

}  // namespace

MagicDesign designMagicFused(const DeviceProperties& device, const MagicWorkload& workload, bool planar,
                             const std::string& tile, std::int64_t walk) {
  std::string reason = magicFusedUnsupported(device, workload);
  const std::string wanted = tile.empty() ? usualTile(device, workload, planar) : tile;
  const auto found = std::find_if(kTiles.begin(), kTiles.end(),
                                  [&](const Tile& one) { return reason.empty() ? wanted == one.name : true; });
  if (reason.empty() && !fits(device, shapeOf(*found, workload, 2)))
    reason = "this tile with its halo does not fit into local memory";
  if (!reason.empty())
    throw Error(ErrorKind::Unsupported, "all axes cannot be filtered at once: " + reason, "use method=passes");
  Shape s = shapeOf(*found, workload, stagesFor(device, *found, workload));
  if (planar) {
    s.perUnit = kPlanarGroups;
    s.stages = 2;
  }
  const auto [nx, ny, nz, nc] = workload.input().extent;
  const std::int64_t taps = std::ssize(workload.taps()), first = workload.first();
  const std::int64_t tilesX = pieces(nx, s.tx), tilesY = pieces(ny, s.ty), tiles = tilesX * tilesY;
  const std::int64_t resident = std::int64_t{s.perUnit} * std::max(1, device.computeUnits);
  // The pass along z reads all planes.
  const Range planes = planar ? Range{0, nz} : workload.wantedPlanes();
  if (walk == 0)
    walk = walkLength(planes.size(), planar ? 1 : taps, resident, [&](std::int64_t walks) { return tiles * walks; });
  const std::int64_t walks = pieces(planes.size(), walk);

  KernelStage step;
  step.source = {"magic_fused", {}, Precision::f64, 2, {s.items(), 1}};
  KernelSource& source = step.source;
  source.localBytes = s.localBytes();
  defineMagic(source, workload, first - s.left,
              {{nx, tilesX * s.tx + first + taps}, {ny, tilesY * s.ty + first + taps}, {nz, nz - 1}});
  source.define("ASYNC", device.capabilityMajor >= 8 ? 1 : 0);
  source.define("LEAST_GROUPS", s.perUnit);
  if (const std::int64_t registers = registersFor(device, s); registers > 0) source.define("MOST_REGISTERS", registers);
  source.define("PLANAR", planar ? 1 : 0);
  source.define("LEFT", s.left);
  source.define("TX", s.tx);
  source.define("RX", s.rx);
  source.define("RY", s.ry);
  source.define("PAIRED", paired(workload) ? 1 : 0);
  source.define("ROW_PITCH", s.rowPitch);
  source.define("FILTERED_PITCH", s.filteredPitch);
  source.define("STAGES", s.stages);
  source.define("BUFFERS", 1);
  step.columns = s.items();
  step.rows = tiles * walks;
  step.elementsPerRow = s.tx * s.ty * walk;
  step.operationsPerElement = (planar ? 4.0 : 6.0) * static_cast<double>(taps);
  const auto int32 = [](std::int64_t n) { return static_cast<std::int32_t>(n); };
  step.arguments = {int32(nx),    int32(ny),   int32(nz),           int32(tilesX),
                    int32(tiles), int32(walk), int32(planes.begin), int32(planes.end)};

  MagicDesign design;
  design.steps.push_back(std::move(step));
  if (planar) design.steps.push_back(magicColumnsStep(device, workload, 2));
  design.executedOperations = executed(s, workload, planar, tiles, walks);
  design.launch["walk"] = static_cast<double>(walk);
  design.launch["tile x"] = static_cast<double>(s.tx);
  design.launch["tile y"] = static_cast<double>(s.ty);
  design.launch["planes in local memory"] = static_cast<double>(s.stages);
  design.description = std::string(planar ? "x and y" : "all axes") + " at once, tiles of " + std::to_string(s.tx) +
                       " x " + std::to_string(s.ty) + ", walks of " + std::to_string(walk) + " planes";
  return design;
}

}  // namespace sscope
