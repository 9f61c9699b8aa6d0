#include <algorithm>

#include "core/base/error.h"
#include "core/engine/typed_row.h"
#include "core/filter/workload/ladder_workloads.h"
#include "core/workload/catalog.h"
#include "gpu/filter/ladder_plan.h"
#include "gpu/filter/rows.h"
#include "gpu/run/launch_sizes.h"
#include "gpu/run/tiling_metrics.h"

namespace sscope {

namespace {

enum class BankRung : std::uint8_t { NaiveArray, NaiveVector, Unrolled };

constexpr std::int64_t kLongestLine = 41;  // kernsize + CONV_UNROLL < 42: the macros go no further

std::int64_t realBytes(const Workload& workload) { return workload.precision() == Precision::f64 ? 8 : 4; }

// All filters, the filter fastest, then x, y, z.
std::vector<double> interleavedTaps(const BankWorkload& bank) {
  const std::size_t filters = bank.operators().size();
  const auto taps = static_cast<std::size_t>(bank.stencil(0).dense.count());
  std::vector<double> all(filters * taps);
  for (std::size_t i = 0; i < filters; ++i)
    for (std::size_t t = 0; t < taps; ++t) all[t * filters + i] = bank.stencil(i).dense.weights[t];
  return all;
}

LadderDesign designOf(BankRung rung, const BankWorkload& bank, const OptionValues& values) {
  const auto [nx, ny, nz, nc] = bank.outputs().front().extent;
  const auto filters = static_cast<std::int64_t>(bank.operators().size());
  LadderDesign design;
  design.source.precision = bank.precision();
  design.source.group = {integerOf(values, "group_x"), integerOf(values, "group_y")};
  design.channels = filters;
  design.columns = design.outPitch = nx;
  design.rows = ny * nz;
  design.taps = interleavedTaps(bank);
  defineLadder(design, bank);
  switch (rung) {
    case BankRung::NaiveArray:
      design.variant = "naive-array";
      design.source.entry = "bank_naive_array";
      break;
    case BankRung::NaiveVector:
      design.variant = "naive-vector";
      design.source.entry = "bank_naive_vector";
      design.source.vector = static_cast<int>(filters);
      design.source.define("PARTS", 1);
      design.source.extra.emplace_back("bank_store.h");
      break;
    case BankRung::Unrolled: {
      const std::int64_t unroll = integerOf(values, "unroll"), size = bank.stencil(0).dense.size[0];
      if (size + unroll > kLongestLine)
        throw Error(ErrorKind::Unsupported,
                    "unroll=" + std::to_string(unroll) + " is too much for kernels of size " + std::to_string(size),
                    "the paper's macros need size + unroll < 42");
      design.variant = "unrolled";
      design.source.entry = "bank_unrolled";
      design.source.vector = static_cast<int>(std::min<std::int64_t>(filters, 16));
      design.source.define("PARTS", filters / design.source.vector);
      design.source.define("CONV_UNROLL", unroll);
      design.source.extra.emplace_back("bank_store.h");
      // The last work item of a row computes and writes all its outputs.
      design.outPitch = roundUp(nx, unroll);
      design.after[0] = design.outPitch - nx;
      design.columns = design.outPitch / unroll;
      design.launch["unroll"] = static_cast<double>(unroll);
      break;
    }
  }
  return design;
}

std::string unsupported(BankRung rung, const EngineInfo& engine, const BankWorkload& bank) {
  if (std::string reason = ladderUnsupported(engine, bank); !reason.empty() || rung == BankRung::NaiveArray)
    return reason;
  const auto filters = static_cast<std::int64_t>(bank.operators().size());
  std::vector<std::int64_t> known{1, 2, 4, 8, 16};
  known.push_back(rung == BankRung::NaiveVector ? 3 : 32);
  if (std::find(known.begin(), known.end(), filters) == known.end())
    return rung == BankRung::NaiveVector ? "the paper has vector types for 1, 2, 3, 4, 8 and 16 filters only"
                                         : "the paper has vector types for 1, 2, 4, 8, 16 and 32 filters only";
  // A vector of three occupies the space of four in OpenCL.
  const std::int64_t bytes = bank.stencil(0).dense.count() * (filters == 3 ? 4 : filters) * realBytes(bank);
  if (bytes > engine.localBytes)
    return "the filters take " + std::to_string(bytes) + " bytes of local memory, and the device has " +
           std::to_string(engine.localBytes);
  return {};
}

Variant rowOf(BankRung rung, EngineKind kind, const char* name, const char* kernel, const char* source) {
  Variant row;
  row.workload = "bank";
  row.name = name;
  row.kind = kind;
  row.source = std::string("A. Hast, Efficient convolution on multi-dimensional data (part 2), 2012, ") + source;
  row.kernelFile = kernel;
  row.options = {integerOption("group_x", "Group along x", 16, 1, 1024, "work items of a work-group along x"),
                 integerOption("group_y", "Group along y", 16, 1, 1024, "work items of a work-group along y")};
  if (rung == BankRung::Unrolled)
    row.options.insert(row.options.begin(),
                       integerOption("unroll", "Unroll", 16, 1, 40, "neighbors along x that a work item computes"));
  row.unsupported = unsupportedFor<BankWorkload>(
      [rung](const EngineInfo& engine, const BankWorkload& workload) { return unsupported(rung, engine, workload); });
  row.prepare = prepareFor<DeviceEngine, BankWorkload>(
      [rung](DeviceEngine& engine, const BankWorkload& bank, const PrepareOptions& options, const Control& control) {
        return makeLadderPlan(engine, bank, designOf(rung, bank, options.values), options, control);
      });
  return row;
}

}  // namespace

void addBankRungs(VariantTable& variants, EngineKind kind) {
  variants.add(
      rowOf(BankRung::NaiveArray, kind, "naive-array", "bank_naive_array.kernel", "The first naive implementation"));
  variants.add(rowOf(BankRung::NaiveVector, kind, "naive-vector", "bank_naive_vector.kernel",
                     "The second naive implementation"));
  variants.add(rowOf(BankRung::Unrolled, kind, "unrolled", "bank_unrolled.kernel",
                     "Reordering the memory operations for efficiency"));
}

namespace {

enum class Conv2dRung : std::uint8_t { Naive, Optimized, TiledOccupancy, TiledTiling };

constexpr const char* kNames[] = {"naive", "optimized", "tiled-occupancy", "tiled-tiling"};

std::string nameOf(Conv2dRung rung) { return kNames[static_cast<std::size_t>(rung)]; }

// Compilers use about this many without tiling and one more per tile, as SkePU's source also assumes.
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
                    " needs " + std::to_string(sharedTileBytes(problem, 1)) + " bytes of local memory",
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
    return "a block with its halo takes " + std::to_string(bytes) + " bytes of local memory, and the device has " +
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

namespace {

// Rows start at multiples of 64 bytes: this many pixels are left of the image, two of them for the reach of the taps.
constexpr std::int64_t kAlignedBefore = 62;

struct SoupRung {
  const char* name;
  const char* entry;
  const char* source;
  std::int64_t pixels = 1;          // a work item computes, along x
  std::vector<std::string> blocks;  // the first is the default
  bool texture = false;
  bool floats = false;        // the tile holds floats
  bool choosesPitch = false;  // has the option pitch
  std::int64_t before = 0;    // LadderDesign::before, after (beyond whole blocks) along x
  std::int64_t after = 0;
  bool wholeBlocks = false;  // groups load and write whole tiles
  bool banked = false;
  std::int64_t unroll = 1;
};

const std::vector<SoupRung>& rungs() {
  static const std::vector<SoupRung> all{
      {"naive", "soup_naive", "example 1", 1, {"16x16"}},
      {"texture", "soup_texture", "example 2", 1, {"16x16"}, true},
      {"texture-4px", "soup_texture_4px", "example 2a", 4, {"16x16"}, true},
      {"texture-shared",
       "soup_texture_shared",
       "example 3",
       4,
       {"16x16", "16x8", "16x20"},
       true,
       false,
       false,
       0,
       0,
       true},
      {"texture-float-shared", "soup_texture_shared", "example 4", 4, {"16x16"}, true, true, false, 0, 0, true},
      {"shared-shifted", "soup_shared_shifted", "example 5", 4, {"16x16"}, false, false, false, 4, 0, true},
      {"shared-coalesced",
       "soup_shared_coalesced",
       "example 6",
       4,
       {"16x16", "16x8", "16x20", "19x13"},
       false,
       false,
       true,
       kAlignedBefore,
       2,
       true},
      {"shared-128bit",
       "soup_shared_128bit",
       "example 7",
       16,
       {"16x16"},
       false,
       false,
       false,
       kAlignedBefore,
       14,
       true},
      {"shared-128bit-banked",
       "soup_shared_128bit",
       "example 8",
       16,
       {"16x8"},
       false,
       false,
       false,
       kAlignedBefore,
       14,
       true,
       true},
      {"shared-128bit-unrolled",
       "soup_shared_128bit",
       "example 10",
       16,
       {"16x8"},
       false,
       false,
       false,
       kAlignedBefore,
       14,
       true,
       true,
       5},
  };
  return all;
}

Grid blockOf(const std::string& text) {
  const std::size_t cross = text.find('x');
  return {std::stoll(text.substr(0, cross)), std::stoll(text.substr(cross + 1))};
}

LadderDesign designOf(const SoupRung& rung, bool memoryOnly, const SoupWorkload& soup, const OptionValues& values) {
  LadderDesign design;
  design.variant = std::string(rung.name) + (memoryOnly ? "-memory" : "");
  KernelSource& source = design.source;
  source.entry = rung.entry;
  source.group = blockOf(rung.blocks.size() > 1 ? textOf(values, "block") : rung.blocks.front());
  const auto [nx, ny, nz, nc] = soup.outputs().front().extent;
  const Grid& block = source.group;
  const std::int64_t computed = roundUp(nx, rung.pixels * (rung.wholeBlocks ? block.x : 1));
  design.columns = computed / rung.pixels;
  design.rows = rung.wholeBlocks ? roundUp(ny, block.y) : ny;
  design.outPitch = roundUp(computed, 16);
  design.outRowsAfter = design.rows - ny;
  design.image = rung.texture;
  design.before[0] = rung.before;
  if (!rung.texture) design.after = {computed - nx + rung.after, design.rows - ny, 0};  // images repeat their edge
  design.pitchMultiple = 64;
  if (rung.choosesPitch && textOf(values, "pitch") == "unaligned") design.pitchOffset = 4;
  defineLadder(design, soup);
  source.extra.emplace_back("soup_common.h");
  std::string taps;
  for (const int tap : soup.taps()) taps += (taps.empty() ? "" : ",") + std::to_string(tap);
  source.define("TAPS", taps);
  source.define("SCALE", kernelLiteral(static_cast<double>(soup.scale()), Precision::f32));
  source.define("PIXEL", rung.floats ? "f32" : "u8");
  source.define("SUM", rung.floats ? "f32" : "i32");
  source.define("BANKED", rung.banked ? 1 : 0);
  source.define("UNROLL", rung.unroll);
  source.define("MEMORY", memoryOnly ? 1 : 0);
  design.launch["pixels a work item"] = static_cast<double>(rung.pixels);
  return design;
}

std::string unsupported(const SoupRung& rung, const EngineInfo& engine, const SoupWorkload& soup) {
  if (std::string reason = ladderUnsupported(engine, soup); !reason.empty()) return reason;
  if (!rung.texture) return {};
  if (engine.largestImage == 0) return "this device has no images";
  const auto& extent = soup.input().extent;
  if (std::max(extent[0], extent[1]) + SoupWorkload::kSize - 1 > engine.largestImage)
    return "this device's images have at most " + std::to_string(engine.largestImage) + " pixels a side";
  return {};
}

Variant rowOf(const SoupRung& rung, EngineKind kind, bool memoryOnly) {
  Variant row;
  row.workload = "soup";
  row.name = rung.name;
  row.kind = kind;
  row.source = std::string("J. Stam, Convolution Soup: a case study in CUDA optimization, 2009, ") + rung.source;
  row.kernelFile = std::string(rung.entry) + ".kernel";
  if (memoryOnly) {
    row.twinOf = row.name;
    row.name += "-memory";
  }
  if (rung.blocks.size() > 1)
    row.options.push_back(choiceOption("block", "Block", rung.blocks, "work items of a work-group, along x and y"));
  if (rung.choosesPitch)
    row.options.push_back(choiceOption("pitch", "Pitch", {"aligned", "unaligned"},
                                       "whether rows of the image start at multiples of 64 bytes"));
  row.unsupported = unsupportedFor<SoupWorkload>(
      [&rung](const EngineInfo& engine, const SoupWorkload& workload) { return unsupported(rung, engine, workload); });
  row.prepare = prepareFor<DeviceEngine, SoupWorkload>(
      [&rung, memoryOnly](DeviceEngine& engine, const SoupWorkload& soup, const PrepareOptions& options,
                          const Control& control) {
        return makeLadderPlan(engine, soup, designOf(rung, memoryOnly, soup, options.values), options, control);
      });
  return row;
}

}  // namespace

void addSoupRungs(VariantTable& variants, EngineKind kind) {
  for (const SoupRung& rung : rungs()) {
    variants.add(rowOf(rung, kind, false));
    variants.add(rowOf(rung, kind, true));
  }
}

}  // namespace sscope
