#include "core/filter/option_lengths.h"

#include <string>
#include <variant>

#include "core/base/error.h"

namespace sscope {

std::array<double, 3> voxelsAlongAxes(const OptionValues& values, std::string_view name, const FilterGrid& grid) {
  const Length length = std::get<Length>(values.find(name)->second);
  std::array<double, 3> result{length.value, length.value, length.value};
  if (length.millimeters && !grid.hasUnit)
    throw Error(ErrorKind::Usage,
                std::string(name) + "=" + formatOption(length) +
                    " has no meaning here: the data do not say how long a voxel is",
                "give the length in voxels, as " + std::string(name) + "=1.5");
  if (length.millimeters)
    for (std::size_t a = 0; a < 3; ++a) result[a] /= grid.spacing[a];
  for (int a = 0; a < grid.dimensions; ++a)
    if (result[static_cast<std::size_t>(a)] > 64)
      throw Error(ErrorKind::Usage,
                  std::string(name) + "=" + formatOption(length) + " is more than 64 voxels on this data",
                  "choose a shorter length");
  return result;
}

}  // namespace sscope
