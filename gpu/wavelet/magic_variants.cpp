#include "core/engine/typed_row.h"
#include "gpu/wavelet/rows.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/workload/workload_options.h"
#include "gpu/device/kernel_files.h"
#include "gpu/wavelet/magic_plan.h"

namespace sscope {

namespace {

constexpr std::int64_t kLongestWalk = 4096;
constexpr std::int64_t kLastCache = 64 << 20;  // bytes, where a driver tells less
constexpr std::int64_t kReserved = 1024;       // bytes of local memory that a driver may keep
constexpr std::array<std::string_view, 3> kTunedMagicKernels{"magic_fused", "magic_rows", "magic_columns"};

std::string magicUnsupported(const EngineInfo& engine, const MagicWorkload& workload) {
  if (!engine.fp64) return "this device has no double precision";
  // Lines, columns and the elements of a plane are counted in 32 bits, with room for halo and blocks that stick out.
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max() / 4;
  const auto [nx, ny, nz, nc] = workload.input().extent;
  for (const std::int64_t product : {nx * ny, ny * nz, nz * nx})
    if (product > kLimit) return "there are too many lines";
  return {};
}

Variant row(EngineKind kind, std::string name, const char* kernel, const char* source) {
  Variant row;
  row.workload = "magic";
  row.name = std::move(name);
  row.kind = kind;
  row.source = source;
  row.kernelFile = kernel;
  row.unsupported = unsupportedFor<MagicWorkload>(magicUnsupported);
  return row;
}

void addRung(VariantTable& variants, EngineKind kind, MagicRung rung, const char* name, const char* section) {
  const std::string source =
      "B. Videau, V. Marangozova-Martin, L. Genovese and T. Deutsch, Optimizing 3D convolutions for wavelet transforms "
      "on CPUs with SSE units and GPUs, RR-LIG-032, 2013, ";
  Variant added = row(kind, name, "magic_transpose.kernel", (source + section).c_str());
  if (rung == MagicRung::Inverse)
    added.unsupported = unsupportedFor<MagicWorkload>([](const EngineInfo& engine, const MagicWorkload& workload) {
      std::string reason = magicUnsupported(engine, workload);
      if (reason.empty() && !workload.inverse()) reason = "it is the kernel of the other direction, direction=inverse";
      return reason;
    });
  added.prepare = prepareFor<DeviceEngine, MagicWorkload>(
      [rung, variant = added.name](DeviceEngine& engine, const MagicWorkload& workload, const PrepareOptions& options,
                                   const Control& control) {
        return makeMagicPlan(engine, workload, designMagicRung(rung, variant, workload), options, control);
      });
  variants.add(std::move(added));
}

// Passes find all of a small array in the last cache; a large one should cross memory once.
bool worthFusing(const DeviceProperties& device, const MagicWorkload& workload) {
  return 2 * workload.input().bytes() > std::max(device.lastCacheBytes, kLastCache);
}

MagicDesign tunedDesign(const DeviceProperties& device, const MagicWorkload& workload, const OptionValues& values) {
  std::string method = textOf(values, "method");
  if (method == "auto")
    method = device.cpu || !magicFusedUnsupported(device, workload).empty() ? "passes"
             : worthFusing(device, workload)                                ? "fused"
                                                                            : "planes";
  const std::string& tile = textOf(values, "tile");
  MagicDesign design = method == "passes" ? designMagicPasses(device, workload)
                                          : designMagicFused(device, workload, method == "planes",
                                                             tile == "auto" ? "" : tile, integerOf(values, "walk"));
  design.variant = "tuned";
  return design;
}

std::vector<OptionValues> tunedCandidates(const EngineInfo& engine, const MagicWorkload& magic) {
  std::vector<OptionValues> list{{}};
  if (magic.lines()) return list;
  list.push_back({{"method", std::string("passes")}});
  DeviceProperties device;  // what the choice of a tile needs to know of it
  device.localBytes = engine.localBytes - kReserved;
  device.largestGroup = engine.largestGroup;
  if (!magicFusedUnsupported(device, magic).empty()) return list;
  const std::vector<std::string> tiles = magicTiles(device, magic);
  for (const std::string& tile : tiles) list.push_back({{"method", std::string("fused")}, {"tile", tile}});
  for (const std::string& tile : tiles)
    if (list.size() < 8) list.push_back({{"method", std::string("planes")}, {"tile", tile}});
  for (const std::int64_t walk : {3, 4})
    if (walk < magic.input().extent[2]) list.push_back({{"method", std::string("planes")}, {"walk", walk}});
  for (const std::int64_t walk : {128, 64, 32, 16})
    if (walk < magic.input().extent[2])
      list.push_back({{"method", std::string("fused")}, {"tile", tiles.front()}, {"walk", walk}});
  return list;
}

void addTuned(VariantTable& variants, EngineKind kind) {
  Variant tuned = row(kind, "tuned", "magic_fused.kernel", "Stencilscope");
  std::vector<std::string> tiles{"auto"};
  for (const std::string& tile : magicTiles()) tiles.push_back(tile);
  tuned.options = {choiceOption("method", "Method", {"auto", "fused", "planes", "passes"},
                                "all axes in one kernel, x and y in one and z in another, or one after the other"),
                   choiceOption("tile", "Tile", tiles, "work items of a group of the fused kernel, along x and y"),
                   integerOption("walk", "Walk", 0, 0, kLongestWalk,
                                 "planes of outputs a group of the fused kernel walks along; 0: by the model")};
  tuned.candidates = candidatesFor<MagicWorkload>(tunedCandidates);
  tuned.code = kernelCode(kernelFiles(), kTunedMagicKernels);
  tuned.prepare = prepareFor<DeviceEngine, MagicWorkload>(
      [](DeviceEngine& engine, const MagicWorkload& workload, const PrepareOptions& options, const Control& control) {
        return makeMagicPlan(engine, workload, tunedDesign(engine.device().properties(), workload, options.values),
                             options, control);
      });
  variants.add(std::move(tuned));

  Variant passes = row(kind, "tuned-passes", "magic_columns.kernel", "Stencilscope");
  passes.prepare = prepareFor<DeviceEngine, MagicWorkload>(
      [](DeviceEngine& engine, const MagicWorkload& workload, const PrepareOptions& options, const Control& control) {
        MagicDesign design = designMagicPasses(engine.device().properties(), workload);
        design.variant = "tuned-passes";
        return makeMagicPlan(engine, workload, std::move(design), options, control);
      });
  variants.add(std::move(passes));
}

}  // namespace

void addMagicVariants(VariantTable& variants, EngineKind kind) {
  addTuned(variants, kind);  // first: the default
  addRung(variants, kind, MagicRung::Direct, "magic", "section V.B");
  addRung(variants, kind, MagicRung::Block, "magic-block", "section V.D, \"magic filter block\"");
  addRung(variants, kind, MagicRung::Inverse, "magic-inverse", "section V.D, \"magic filter inverse\"");
  addRung(variants, kind, MagicRung::Vec2, "magic-vec2", "section V.C");
  addRung(variants, kind, MagicRung::Staggered, "magic-staggered", "sections V.C and V.D");
}

}  // namespace sscope
