#include "core/cpu/wavelet/magic/tuned_magic.h"

#include "core/cpu/wavelet/magic/tuned_lines.h"
#include "core/cpu/wavelet/magic/tuned_volume.h"

namespace sscope::cpu {

std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, SimdLevel level, LineSource source,
                                            int threads) {
  if (source == LineSource::Generated && !line::canGenerate(level)) return nullptr;
  if (workload.lines()) return std::make_unique<TunedLines>(workload, level, source, threads);
  return std::make_unique<TunedVolume>(workload, level, source, threads);
}

std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, const KernelTable& kernels, int threads) {
  return makeTunedMagic(workload, kernels.f64.level, LineSource::Best, threads);
}

}  // namespace sscope::cpu
