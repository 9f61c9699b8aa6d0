#include "core/compare/break_even_axes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/report/figure_data.h"

namespace sscope::compare {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool enabled(const nlohmann::json& filter) { return filter.value("enabled", true); }

const nlohmann::json* filtersOf(const CaseRecipe& recipe) {
  const auto found = recipe.parameters.find("filters");
  return found == recipe.parameters.end() || !found->is_array() ? nullptr : &*found;
}

// The number that a filter or the workload has; empty: none.
std::optional<double> valueOf(const CaseRecipe& recipe, const std::string& parameter) {
  if (const nlohmann::json* filters = filtersOf(recipe)) {
    if (parameter == kFilterCount)
      return static_cast<double>(std::ranges::count_if(*filters, [](const auto& each) { return enabled(each); }));
    for (const nlohmann::json& filter : *filters) {
      const auto params = filter.find("params");
      if (!enabled(filter) || params == filter.end()) continue;
      if (const auto value = params->find(parameter); value != params->end() && value->is_number())
        return value->get<double>();
    }
    return {};
  }
  if (const auto value = recipe.parameters.find(parameter); value != recipe.parameters.end() && value->is_number())
    return value->get<double>();
  const Option* option = findOption(optionsOf(recipe), parameter);
  if (option == nullptr) return {};
  if (option->type == OptionType::Integer) return static_cast<double>(std::get<std::int64_t>(option->fallback));
  if (option->type == OptionType::Real) return std::get<double>(option->fallback);
  return {};
}

}  // namespace

std::vector<double> numbersFrom(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view one = trimmed(text.substr(at, comma - at));
    double value = 0;
    const auto [end, code] = std::from_chars(one.data(), one.data() + one.size(), value);
    if (one.empty() || code != std::errc() || end != one.data() + one.size() || !std::isfinite(value))
      throw Error(ErrorKind::Usage, "\"" + std::string(one) + "\" is no number", "write numbers such as 1,2.5,4");
    numbers.push_back(value);
    at = comma + 1;
  }
  if (numbers.size() > kMostOnAxis)
    throw Error(ErrorKind::Usage, "an axis of the map takes at most " + std::to_string(kMostOnAxis) + " numbers",
                "leave some out");
  return numbers;
}

std::vector<std::int64_t> edgesFrom(std::string_view text) {
  std::vector<std::int64_t> edges;
  for (const double value : numbersFrom(text)) {
    if (!(value >= 1 && value <= static_cast<double>(kLongestEdge)) || value != std::floor(value))
      throw Error(ErrorKind::Usage, "an edge is a whole number from 1 to " + std::to_string(kLongestEdge),
                  "write edges such as 32, 64, 128");
    edges.push_back(static_cast<std::int64_t>(value));
  }
  return edges;
}

void requireDistinct(const BreakEvenAxes& axes) {
  const auto require = [](const std::string& what, auto numbers) {
    std::ranges::sort(numbers);
    const auto twice = std::ranges::adjacent_find(numbers);
    if (twice == numbers.end()) return;
    throw Error(ErrorKind::Usage, "the map has " + what + plainNumber(static_cast<double>(*twice)) + " twice",
                "name each once");
  };
  require("edge ", axes.edges);
  require(axes.parameter + "=", axes.values);
}

std::string axisText(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + fmt::format("{:.6g}", value);
  return text;
}

std::vector<std::string> variedParameters(const CaseRecipe& recipe) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end() && valueOf(recipe, name)) names.push_back(name);
  };
  if (const nlohmann::json* filters = filtersOf(recipe)) {
    for (const nlohmann::json& filter : *filters)
      if (const auto params = filter.find("params"); enabled(filter) && params != filter.end() && params->is_object())
        for (const auto& [name, value] : params->items()) add(name);
    add(kFilterCount);
  } else {
    for (const Option& option : optionsOf(recipe))
      if (option.name != "seed") add(option.name);
  }
  return names;
}

std::vector<double> proposedValues(const CaseRecipe& recipe, const std::string& parameter) {
  const std::optional<double> now = valueOf(recipe, parameter);
  if (!now) return {};
  if (parameter == kFilterCount) return {1, 2, 4, 8, 16};
  // Odd sizes of windows stay odd, and orders stay whole.
  const bool whole = *now == std::floor(*now) && *now >= 3, odd = whole && std::fmod(*now, 2) == 1;
  if (odd) return {*now, 2 * *now - 1, 4 * *now - 3, 8 * *now - 7};
  if (whole || *now <= 0) return {*now, *now == 0 ? 1 : 2 * *now};
  return {*now / 2, *now, 2 * *now, 4 * *now};
}

std::vector<std::int64_t> proposedEdges(const CaseRecipe& recipe) {
  if (recipe.data.spec.extent[2] == 1) return {256, 512, 1024, 2048};
  return {32, 64, 96, 128};
}

}  // namespace sscope::compare
