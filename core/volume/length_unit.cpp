#include "core/volume/length_unit.h"

#include <utility>

namespace sscope {

std::optional<double> millimetersIn(std::string_view unit) {
  // The micro sign and the Greek letter look the same.
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"mm", 1}, {"nm", 1e-6}, {"um", 1e-3}, {"\xc2\xb5m", 1e-3}, {"\xce\xbcm", 1e-3}, {"cm", 10}, {"m", 1e3}};
  for (const auto& [name, millimeters] : kUnits)
    if (unit == name) return millimeters;
  return std::nullopt;
}

}  // namespace sscope
