#include "core/compare/comparison_tables.h"

#include <fmt/core.h>

#include <cmath>

namespace sscope::compare {

namespace {

std::string exact(ElementType type, double value) {
  const int digits = type == ElementType::f64 ? 17 : isInteger(type) ? 12 : 9;
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace

std::string placeText(ElementType type, const std::optional<ElementAt>& at) {
  if (!at) return "-";
  std::string text = "(" + std::to_string(at->voxel[0]) + ", " + std::to_string(at->voxel[1]) + ", " +
                     std::to_string(at->voxel[2]) + ")";
  if (at->component > 0) text += " component " + std::to_string(at->component);
  return text + ": " + exact(type, at->first) + " for " + exact(type, at->second);
}

nlohmann::json finiteOrText(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

nlohmann::json toJson(const ElementAt& at) {
  return {{"voxel", at.voxel},
          {"component", at.component},
          {"value", finiteOrText(at.first)},
          {"wanted", finiteOrText(at.second)},
          {"ulps", finiteOrText(at.ulps)}};
}

}  // namespace sscope::compare
