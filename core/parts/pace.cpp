#include "core/parts/pace.h"

#include <fmt/core.h>

#include <cmath>
#include <string>

namespace sscope::reach {

void Pace::tell(std::size_t part, double fraction, const Control& control) const {
  constexpr double kSettled = 0.5;  // seconds before a rate says anything
  constexpr double kMiB = 1 << 20;
  const double share = (static_cast<double>(part) + fraction) / static_cast<double>(parts_);
  const double seconds = watch_.seconds();
  std::string text = "slab " + std::to_string(part + 1) + " of " + std::to_string(parts_);
  if (share > 0 && seconds > kSettled) {
    text += fmt::format(", {:.0f} MiB/s, {:.0f} s left", bytes_ * share / kMiB / seconds,
                        std::ceil(seconds / share - seconds));
  }
  control.report(share, text);
}

}  // namespace sscope::reach
