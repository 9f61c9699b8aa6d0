#include "core/filter/formula/interval.h"

#include <cmath>

namespace sscope {

bool Interval::decided() const {
  if (torn) return false;
  if (nan) return empty();
  return low == high || (std::isfinite(low) && std::isfinite(high));
}

IntervalRounding::IntervalRounding(Precision precision)
    : wide_(precision == Precision::f64),
      roundoff_(wide_ ? 0x1p-53 : 0x1p-24),
      smallest_(wide_ ? std::numeric_limits<double>::min() : static_cast<double>(std::numeric_limits<float>::min())),
      largest_(wide_ ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max())) {}

}  // namespace sscope
