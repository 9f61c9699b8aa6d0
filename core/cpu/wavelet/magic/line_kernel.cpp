#include "core/cpu/wavelet/magic/line_kernel.h"

#include <sys/mman.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

class PortableKernel final : public LineKernel {
 public:
  PortableKernel(const line::PortableTable& table, std::span<const double> taps, const LinePattern& pattern)
      : LineKernel(pattern, table.lanes),
        taps_(taps.begin(), taps.end()),
        function_(table.functions[static_cast<std::size_t>(pattern.axis)][pattern.outputs - 1][pattern.vectors - 1]) {}
  void run(const LineJob& job) const override { function_(taps_.data(), std::ssize(taps_), job); }

 private:
  std::vector<double> taps_;
  line::Function function_;
};

const line::PortableTable& tableOf(SimdLevel level) {
  return level == SimdLevel::Scalar ? line::scalarTable() : line::simdTable(level);
}

bool generates(SimdLevel level, LineSource source) {
  return source != LineSource::Portable && line::canGenerate(level);
}

}  // namespace

LineLimits lineLimits(SimdLevel level, std::int64_t taps, LineSource source) {
  LineLimits limits;
  limits.generated = generates(level, source);
  limits.lanes = tableOf(level).lanes;
  limits.acrossOutputs = limits.alongOutputs = line::kPortableOutputs;
  limits.acrossVectors = limits.alongVectors = line::kPortableVectors;
  if (limits.generated && level == SimdLevel::Avx512) {  // twice the registers: 16 taps stay in them as well
    limits.acrossOutputs = limits.alongOutputs = 12;
    limits.acrossVectors = limits.alongVectors = 1;
  }
  limits.acrossOutputs = static_cast<int>(std::min<std::int64_t>(limits.acrossOutputs, taps));
  return limits;
}

std::unique_ptr<LineKernel> makeLineKernel(SimdLevel level, std::span<const double> taps, const LinePattern& pattern,
                                           LineSource source) {
  if (generates(level, source)) return line::generate(level, taps, pattern);
  if (source == LineSource::Generated) return nullptr;
  return std::make_unique<PortableKernel>(tableOf(level), taps, pattern);
}

LineChoice lineChoice(SimdLevel level, std::int64_t taps, LineSource source, std::int64_t width) {
  LineChoice choice{level, source, lineLimits(level, taps, source)};
  if (choice.limits.lanes * choice.limits.acrossVectors <= width) return choice;
  choice = {SimdLevel::Scalar, LineSource::Portable, lineLimits(SimdLevel::Scalar, taps, LineSource::Portable)};
  if (choice.limits.acrossVectors > width) choice.limits.acrossVectors = 1;
  return choice;
}

RowKernel::RowKernel(const LineChoice& choice, std::span<const double> taps, const LinePattern& pattern)
    : kernel_(makeLineKernel(choice.level, taps, pattern, choice.source)) {
  if (!kernel_) throw Error(ErrorKind::Unsupported, "code cannot be generated here", "choose another variant");
}

Team::Team(int threads, std::int64_t scratchBytes) {
  constexpr std::int64_t kLargePage = 2 << 20;
  for (int t = 0; t < threads; ++t) {
    const Scratch& scratch = scratch_.emplace_back(scratchBytes);
    // Only advice, for the whole large pages inside: may fail.
    const auto begin = (reinterpret_cast<std::intptr_t>(scratch.data()) + kLargePage - 1) / kLargePage * kLargePage;
    const auto end = (reinterpret_cast<std::intptr_t>(scratch.data()) + scratchBytes) / kLargePage * kLargePage;
    if (end > begin) ::madvise(reinterpret_cast<void*>(begin), static_cast<std::size_t>(end - begin), MADV_HUGEPAGE);
  }
  arena_.initialize(threads);
}

void Team::run(std::int64_t tasks, const Control& control,
               const std::function<void(std::int64_t task, const Scratch& scratch)>& work) {
  arena_.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, tasks, 1),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
          for (std::int64_t task = range.begin(); task != range.end(); ++task) {
            control.check();
            work(task, scratch_[slot]);
          }
        },
        tbb::simple_partitioner());
  });
}

}  // namespace sscope::cpu
