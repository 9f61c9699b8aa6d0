#include "gpu/filter/tiling.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/base/words.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

std::int64_t total(const SlotBytes& bytes) { return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}); }

// The size of tiles on a processor: the host holds input and output anyway, and small tiles suit the caches.
constexpr std::int64_t kSharedBytes = 32 << 20;
constexpr std::int64_t kThinnestShared = 8;  // slices; thinner tiles have more slices around them than in them

// Slabs, so that one is copied while the next is computed: enough of them that the first upload and the last download,
// which overlap with nothing, are a small part of the run; none so thin that starting its kernels takes as long as
// running them, nor larger than is copied in some 0.3 ms.
constexpr std::int64_t kSlabs = 8, kSmallestSlab = 2 << 20, kLargestSlab = 16 << 20;

bool fits(const FilterContext& context, const SlotBytes& bytes, std::int64_t budget) {
  return total(bytes) <= budget && *std::max_element(bytes.begin(), bytes.end()) <= context.engine->largestBuffer();
}

std::int64_t inputSliceBytes(const FilterContext& context) {
  const auto& extent = context.input().extent;
  return extent[0] * extent[1] * extent[3] * static_cast<std::int64_t>(bytesOf(context.input().type));
}

std::int64_t outputSliceBytes(const FilterContext& context) {
  const Box& region = context.region();
  return region.size(0) * region.size(1) * context.components() *
         static_cast<std::int64_t>(bytesOf(context.workload->outputType()));
}

}  // namespace

FilterTile tileAt(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps, std::int64_t begin,
                  std::int64_t slicesPerTile, bool resident) {
  FilterTile tile;
  tile.begin = begin;
  tile.end = std::min(begin + slicesPerTile, context.region().end[2]);
  const auto extent = static_cast<std::size_t>(context.input().extent[2]);
  std::vector<bool> needed(extent, resident);
  if (!resident)
    for (const auto& step : steps) step->needSlices({tile.begin, tile.end}, needed);
  tile.place.assign(extent, -1);
  for (std::size_t z = 0; z < extent; ++z) {
    if (!needed[z]) continue;
    tile.place[z] = static_cast<std::int32_t>(tile.slices.size());
    tile.slices.push_back(static_cast<std::int64_t>(z));
  }
  return tile;
}

SlotBytes tileBytes(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                    std::int64_t slicesPerTile, bool resident) {
  const auto& extent = context.input().extent;
  const Box& region = context.region();
  std::int64_t inputSlices = resident ? extent[2] : 0;
  if (!resident)
    for (std::int64_t z = region.begin[2]; z < region.end[2]; z += slicesPerTile)
      inputSlices = std::max(inputSlices,
                             static_cast<std::int64_t>(tileAt(context, steps, z, slicesPerTile, false).slices.size()));
  SlotBytes bytes(kFilterSlots, 0);
  bytesAt(bytes, kInput) = inputSlices * inputSliceBytes(context) + kSlackBytes;
  bytesAt(bytes, kOutput) = slicesPerTile * outputSliceBytes(context) + kSlackBytes;
  for (const auto& step : steps) step->needBytes(slicesPerTile, bytes);
  return bytes;
}

namespace {

void chooseSlabs(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps, std::int64_t budget,
                 Tiling& tiling) {
  if (context.engine->device().properties().cpu) return;
  const std::int64_t slices = context.region().size(2);
  const std::int64_t slice = std::max(inputSliceBytes(context), outputSliceBytes(context));
  const std::int64_t wanted = std::clamp(slices * slice / kSlabs, kSmallestSlab, kLargestSlab);
  const std::int64_t slabs = (slices * slice + wanted - 1) / wanted;
  if (slabs < 2 || slices < 2) return;
  const std::int64_t perSlab = (slices + slabs - 1) / slabs;
  SlotBytes bytes = tileBytes(context, steps, perSlab, true);
  bytesAt(bytes, kSpare) = bytesAt(bytes, kOtherSpare) = bytesAt(bytes, kOutput);
  if (!fits(context, bytes, budget)) return;
  tiling.slicesPerSlab = perSlab;
  tiling.slabs = std::move(bytes);
}

}  // namespace

Tiling chooseTiling(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                    std::int64_t budget) {
  const std::int64_t slices = context.region().size(2);
  std::int64_t tileBudget = budget;
  if (context.engine->device().properties().cpu)
    tileBudget = std::min(
        budget, std::max(kSharedBytes, total(tileBytes(context, steps, std::min(slices, kThinnestShared), false))));
  const auto fit = [&](std::int64_t perTile) {
    return fits(context, tileBytes(context, steps, perTile, false), tileBudget);
  };
  std::int64_t good = 0, bad = slices + 1;
  if (fit(slices)) good = slices;
  while (good < slices && bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fit(middle) ? good : bad) = middle;
  }
  if (good == 0) {
    const SlotBytes bytes = tileBytes(context, steps, 1, false);
    throw Error(ErrorKind::Memory,
                "filtering " + std::to_string(context.input().extent[0]) + "x" +
                    std::to_string(context.input().extent[1]) + "x" + std::to_string(context.input().extent[2]) +
                    " needs " + bytesText(static_cast<double>(total(bytes))) + " on " + context.engine->info().id +
                    " for a single slice, and " + bytesText(static_cast<double>(budget)) + " may be used",
                "choose a CPU engine or allow more device memory");
  }
  Tiling tiling;
  tiling.tiles = (slices + good - 1) / good;
  tiling.slicesPerTile = (slices + tiling.tiles - 1) / tiling.tiles;  // even tiles
  tiling.bytes = tileBytes(context, steps, tiling.slicesPerTile, false);
  SlotBytes resident = tileBytes(context, steps, tiling.slicesPerTile, true);
  if (fits(context, resident, budget)) tiling.resident = std::move(resident);
  chooseSlabs(context, steps, budget, tiling);
  return tiling;
}

}  // namespace sscope
