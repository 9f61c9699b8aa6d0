#include "core/filter/families/tap_limit.h"

#include <string>

#include "core/base/error.h"
#include "core/filter/taps.h"

namespace sscope {

DenseTaps limitedTaps(const std::array<std::int64_t, 3>& size) {
  if (size[0] * size[1] * size[2] > kMostDesignedTaps)
    throw Error(ErrorKind::Usage,
                "the filter would have " + std::to_string(size[0] * size[1] * size[2]) + " taps, and " +
                    std::to_string(kMostDesignedTaps) + " is the most",
                "choose a shorter length");
  return boxOfTaps(size);
}

}  // namespace sscope
