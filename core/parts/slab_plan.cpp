#include "core/parts/slab_plan.h"

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "core/base/bytes_text.h"
#include "core/base/counted.h"
#include "core/base/error.h"
#include "core/base/resident_memory.h"

namespace sscope::reach {

namespace {

// Where there is room for more, slabs stay so small that reading and writing overlap with computing, but thick enough
// that what is read and computed twice around them is little.
std::int64_t thickestUseful(const SlabNeeds& needs) {
  constexpr std::int64_t kBytes = std::int64_t{128} << 20, kTimesReach = 8;
  return std::max(kBytes / std::max<std::int64_t>(needs.planeBytes, 1), kTimesReach * needs.around);
}

SlabPlan cut(const SlabNeeds& needs, std::int64_t thick) {
  SlabPlan plan;
  plan.thick = thick;
  for (std::int64_t begin = 0; begin < needs.planes; begin += thick)
    plan.slabs.push_back({begin, std::min(needs.planes, begin + thick)});
  plan.needed = needs.read(plan.slabs);
  plan.bytes = needs.held(plan);
  return plan;
}

// As many threads as hold an eighth of what is allowed, so that slabs are not thin because some of them are compared.
void planVerification(const SlabNeeds& needs, std::int64_t memory, SlabPlan& plan) {
  if (!needs.toVerify) return;
  const std::int64_t each = std::max<std::int64_t>(1, needs.toVerify(plan));
  constexpr std::int64_t kShare = 8;
  plan.verifiers = static_cast<int>(
      std::clamp<std::int64_t>(memory / kShare / each, 1, tbb::this_task_arena::max_concurrency()));
  plan.bytes += plan.verifiers * each;
}

std::int64_t sizeOf(const std::vector<Range>& ranges) {
  std::int64_t planes = 0;
  for (const Range& range : ranges) planes += range.size();
  return planes;
}

Error tooLittle(const SlabNeeds& needs, const SlabPlan& plan, std::int64_t base, std::int64_t memory) {
  std::int64_t most = 0;
  for (const auto& needed : plan.needed) most = std::max(most, sizeOf(needed));
  return {ErrorKind::Memory,
          fmt::format("{} it in slabs of {} takes {} of memory: {} are the program's, its {} read {} of {} planes at "
                      "once, and {} are allowed",
                      needs.verb, counted(plan.thick, "plane"), mebibytes(base + plan.bytes), mebibytes(base),
                      needs.readers, most, needs.inputPlanes, mebibytes(memory)),
          "give it more with --memory" + (base < memory ? needs.advice : "")};
}

}  // namespace

SlabPlan planSlabs(const SlabNeeds& needs, std::int64_t memory, std::int64_t most, const Control& control) {
  constexpr double kLess = 0.75;  // of a thickness that does not fit
  const std::int64_t base = residentMemory() + kSlabOverhead, room = memory - base;
  const auto grains = [&](std::int64_t planes) { return wholeGrains(planes, needs.grain); };
  std::int64_t thick = std::min(grains(thickestUseful(needs)), needs.planes);
  if (most > 0) thick = std::min(thick, grains(most));
  thick = std::min(thick, grains(std::max<std::int64_t>(room, 0) / std::max<std::int64_t>(needs.planeBytes, 1)));
  for (;;) {
    control.check();
    const bool thinnest = thick <= needs.grain;
    SlabPlan plan = cut(needs, thick);
    // Preparing a plan takes memory of its own.
    if (plan.bytes <= room || thinnest) {
      plan.bytes += needs.toRun(plan);
      planVerification(needs, memory, plan);
    }
    if (plan.bytes <= room) return plan;
    if (thinnest) throw tooLittle(needs, plan, base, memory);
    thick = grains(std::min(thick - 1, static_cast<std::int64_t>(static_cast<double>(thick) * kLess)));
  }
}

std::int64_t wholeGrains(std::int64_t planes, std::int64_t grain) { return std::max(grain, planes / grain * grain); }

std::int64_t mostPlanes(const std::vector<std::vector<Range>>& needed) {
  std::int64_t most = 0;
  for (std::size_t slab = 0; slab < needed.size(); ++slab) {
    std::vector<Range> both = needed[slab];
    if (slab + 1 < needed.size()) both.insert(both.end(), needed[slab + 1].begin(), needed[slab + 1].end());
    most = std::max(most, sizeOf(united(std::move(both))));
  }
  return most;
}

bool isVerified(std::size_t slab, std::size_t slabs, std::size_t most) {
  if (slabs <= most || slab + 1 == slabs) return true;
  const std::size_t every = (slabs + most - 2) / (most - 1);
  return slab % every == 0;
}

}  // namespace sscope::reach
