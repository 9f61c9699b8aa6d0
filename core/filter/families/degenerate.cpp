#include "core/filter/families/degenerate.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "core/base/error.h"

namespace sscope {

namespace {

// Weights below this are negligible for data of usual precision.
constexpr double kNegligible = 1e-4;

std::string fourDigits(double value) { return fmt::format("{:.4g}", value); }

// "0.07 voxels", or "0.07 x 0.07 x 0.014 voxels".
std::string inVoxels(const Length& length, const FilterGrid& grid) {
  std::string text;
  bool same = true;
  for (int a = 0; a < grid.dimensions; ++a) {
    const double spacing = grid.spacing[static_cast<std::size_t>(a)];
    same = same && spacing == grid.spacing[0];
    text += (text.empty() ? "" : " x ") + fourDigits(length.value / spacing);
  }
  return (same ? fourDigits(length.value / grid.spacing[0]) : text) + " voxels";
}

}  // namespace

std::string degenerateReason(const FilterRecipe& recipe, const FilterGrid& grid) {
  const FilterFamily& family = filterFamily(recipe.family);
  const OptionValues values = completeOptions(optionsOf(family, recipe.parameters), recipe.parameters);
  const auto length = std::find_if(values.begin(), values.end(),
                                   [](const auto& each) { return std::holds_alternative<Length>(each.second); });
  if (!family.make || length == values.end() || !isOneOperator(recipe, grid)) return {};
  const Operator made = makeOperator(recipe, grid);
  if (made.stencil() == nullptr && made.taps() > 1) return {};
  // A window of one voxel gives that voxel.
  const Stencil filter = made.stencil() != nullptr ? *made.stencil() : Stencil{};
  const auto size = filter.size();
  if (std::any_of(size.begin(), size.end(), [](std::int64_t extent) { return extent > 3; })) return {};
  const DenseTaps taps = filter.expanded();
  double others = 0;
  for (const double weight : taps.weights) others += std::abs(weight);
  const double center = taps.at(taps.anchor[0], taps.anchor[1], taps.anchor[2]);
  others -= std::abs(center);
  if (others > kNegligible) return {};
  std::string does;
  if (std::abs(center) <= kNegligible) does = "gives zero everywhere";
  if (std::abs(center - 1) <= kNegligible) does = "changes nothing";
  if (does.empty()) return {};
  const Length& value = std::get<Length>(length->second);
  return "the filter " + recipe.name + " " + does + ": its " + length->first + " of " + quoted(value) +
         (value.millimeters ? " is " + inVoxels(value, grid) + " on this data" : " is far below a voxel") +
         "; choose at least half a voxel";
}

std::vector<Degenerate> degenerateFilters(const FilterBank& bank, const Volume& volume) {
  const FilterGrid grid = filterGrid(volume.shape().dimensions(), volume.geometry());
  std::vector<Degenerate> found;
  for (const FilterRecipe* recipe : bank.enabled()) {
    try {
      std::string reason = degenerateReason(*recipe, grid);
      if (!reason.empty()) found.push_back({recipe->name, std::move(reason)});
    } catch (const Error&) {
      continue;  // reported elsewhere
    }
  }
  return found;
}

}  // namespace sscope
