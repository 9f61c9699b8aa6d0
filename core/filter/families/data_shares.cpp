#include "core/filter/families/data_shares.h"

#include <algorithm>
#include <cmath>

namespace sscope {

double threeDigits(double value) {
  if (value == 0) return 0;
  constexpr int kDigits = 3;
  const double unit = std::pow(10.0, kDigits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

namespace {

// The value that the data suggest, which may exceed the range of the option.
std::optional<double> wantedShare(const DataShare& share, const DataScale& scale) {
  const bool byNoise = share.ofNoise > 0 && scale.noise > 0;
  if (!byNoise && !(scale.range > 0)) return std::nullopt;
  const double wanted =
      byNoise ? share.ofNoise * scale.noise : share.ofRange * scale.range + (share.fromLow ? scale.low : 0);
  if (!std::isfinite(wanted) || (wanted == 0 && !share.fromLow)) return std::nullopt;
  return share.fromLow ? wanted : threeDigits(wanted);
}

}  // namespace

std::optional<double> suggestion(const DataShare& share, const Option& option, const DataScale& scale) {
  const auto wanted = wantedShare(share, scale);
  return wanted ? std::optional(std::clamp(*wanted, option.minimum, option.maximum)) : std::nullopt;
}

bool takesFromData(const FilterRecipe& recipe) {
  return std::ranges::any_of(filterFamily(recipe.family).shares,
                             [&](const DataShare& share) { return !recipe.parameters.contains(share.option); });
}

std::vector<std::string> takeFromData(FilterRecipe& recipe, const DataScale& scale) {
  const FilterFamily& family = filterFamily(recipe.family);
  std::vector<std::string> taken;
  for (const DataShare& share : family.shares) {
    if (recipe.parameters.contains(share.option)) continue;
    const auto value = suggestion(share, *findOption(family.options, share.option), scale);
    if (!value) continue;
    recipe.parameters[share.option] = *value;
    const std::string stated = share.option + "=" + formatOption(*value) + " of " + recipe.name;
    const double wanted = *wantedShare(share, scale);
    taken.push_back(wanted == *value ? stated + " follows the data"
                                     : stated + " is the limit of the option; the data suggest " +
                                           formatOption(wanted) + ": scale their values");
  }
  return taken;
}

FilterRecipe withStatedShares(FilterRecipe recipe) {
  const FilterFamily& family = filterFamily(recipe.family);
  for (const DataShare& share : family.shares)
    recipe.parameters.try_emplace(share.option, findOption(family.options, share.option)->fallback);
  return recipe;
}

}  // namespace sscope
