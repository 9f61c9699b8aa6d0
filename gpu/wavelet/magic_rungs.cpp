// The paper's kernels (section V): every pass writes its lines as columns, so that three of them lead back to the order
// of axes that the first one found.

#include <algorithm>

#include "gpu/run/sizes.h"
#include "gpu/wavelet/magic_design.h"

namespace sscope {

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
