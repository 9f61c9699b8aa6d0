#include "core/filter/option_axis.h"

#include "core/base/error.h"

namespace sscope {

std::size_t axisOf(const OptionValues& values, const FilterGrid& grid) {
  const auto axis = static_cast<std::size_t>(textOf(values, "axis")[0] - 'x');
  if (axis >= static_cast<std::size_t>(grid.dimensions))
    throw Error(ErrorKind::Usage, "axis=z needs a volume, and this image has one slice", "use axis=x or axis=y");
  return axis;
}

}  // namespace sscope
