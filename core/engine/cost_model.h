#pragma once
// Predicts how long work takes on an engine. The same model, for processors and devices, compares methods and predicts
// times.

#include <optional>

#include "core/engine/engine.h"

namespace sscope {

// The operations of a method, besides reading its input once and writing its outputs once.
struct MethodWork {
  double multiplyAdds = 0;      // at the rate of dense sums; slower ones count as more
  double wideMultiplyAdds = 0;  // in double precision, for data of single precision
  double comparisons = 0;       // of two values
  double bytes = 0;             // moved between passes: through caches on processors, through memory on devices
  double executed = 0;          // operations that are executed, where not one per counted operation; else 0

  MethodWork& operator+=(const MethodWork& other);
};

class CostModel {
 public:
  // threads: CPU threads, 0 for all. Without measured ceilings, uses the engine's nominal ones.
  CostModel(const EngineInfo& engine, Precision precision, int threads = 0,
            const std::optional<Ceilings>& ceilings = {});

  // The number of dense multiply-adds that take as long as this work. Methods are compared by this number because it
  // depends only on the kind of engine, not on measurements: measuring ceilings must not change the last bits of
  // results.
  [[nodiscard]] double multiplyAdds(const MethodWork& work) const;
  // Expected seconds for the work and for `bytes` read or written once, without transfers to or from a device. 0 if the
  // engine's rates are unknown.
  [[nodiscard]] double seconds(const MethodWork& work, double bytes) const;

 private:
  double wide_;                 // multiply-adds that take as long as one in double precision
  double perReal_;              // multiply-adds that take as long as moving one number
  double realBytes_;            // bytes of one number: 4 or 8
  double multiplyAddRate_ = 0;  // dense multiply-adds per second
  double byteRate_ = 0;         // bytes of memory per second
};

}  // namespace sscope
