#include "core/engine/cost_model.h"

#include <algorithm>

namespace sscope {

namespace {

// Measured: boxes of 3 to 13 taps and windows of 27 to 125 values on processors (docs/dev/performance-notes.md), also
// as OpenCL devices; gaussians, boxes and dense taps on an H100. A pass reads and writes each number once.
constexpr double kPerRealInCaches = 1.5, kPerRealOnProcessors = 3, kPerRealInMemory = 5;
constexpr double kPerComparison = 0.7;

// Uses nominal ceilings, because no choice may depend on measurements.
double wideCost(const Ceilings& nominal) {
  constexpr double kOnMost = 2;
  return nominal.gflopsF64 > 0 ? nominal.gflopsF32 / nominal.gflopsF64 : kOnMost;
}

}  // namespace

MethodWork& MethodWork::operator+=(const MethodWork& other) {
  multiplyAdds += other.multiplyAdds;
  wideMultiplyAdds += other.wideMultiplyAdds;
  comparisons += other.comparisons;
  bytes += other.bytes;
  executed += other.executed;
  return *this;
}

CostModel::CostModel(const EngineInfo& engine, Precision precision, int threads,
                     const std::optional<Ceilings>& ceilings)
    : wide_(wideCost(engine.nominal)),
      perReal_(!engine.isDevice()   ? kPerRealInCaches
               : engine.isProcessor ? kPerRealOnProcessors
                                    : kPerRealInMemory),
      realBytes_(precision == Precision::f32 ? 4 : 8) {
  const Ceilings& known = ceilings ? *ceilings : engine.nominal;
  double share = 1;  // of the threads to which the nominal ceilings refer
  if (!ceilings && engine.hasThreads() && threads > 0)
    share = std::min(1.0, static_cast<double>(threads) / std::max(1, engine.computeUnits));
  multiplyAddRate_ = share * engine.attained * known.gflops(precision) * 1e9 / 2;
  byteRate_ = known.gbs * 1e9;
}

double CostModel::multiplyAdds(const MethodWork& work) const {
  return work.multiplyAdds + wide_ * work.wideMultiplyAdds + kPerComparison * work.comparisons +
         perReal_ * work.bytes / realBytes_;
}

double CostModel::seconds(const MethodWork& work, double bytes) const {
  if (!(multiplyAddRate_ > 0) || !(byteRate_ > 0)) return 0;
  return multiplyAdds(work) / multiplyAddRate_ + bytes / byteRate_;
}

}  // namespace sscope
