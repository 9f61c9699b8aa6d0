#include "core/engine/typed_row.h"
#include "gpu/filter/rows.h"

#include <algorithm>

#include "core/filter/workload/soup_workload.h"
#include "core/workload/workload_options.h"
#include "gpu/filter/ladder_plan.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

// A row that starts on a line of memory: pixels left of the image up to the next multiple of 64 bytes, two of which are
// the reach of the taps.
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
