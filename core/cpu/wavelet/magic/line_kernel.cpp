#include "core/cpu/wavelet/magic/line_kernel.h"

#include <algorithm>

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

}  // namespace sscope::cpu
