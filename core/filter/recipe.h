#pragma once
// The recipe of a filter (family and parameters) and of a bank; what is edited, saved and sent around.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/boundary/boundary.h"
#include "core/filter/stencil.h"
#include "core/options/option.h"
#include "core/volume/element_type.h"

namespace sscope {

struct FilterRecipe {
  std::string name;         // unique within a bank; names the output file
  std::string family;       // "gaussian", "sobel", ... "custom"
  OptionValues parameters;  // only those that differ from the default need be given
  DenseTaps taps;           // family "custom" only
  bool flip = false;        // true convolution instead of correlation
  bool enabled = true;
  bool operator==(const FilterRecipe&) const = default;
};

// What to store: f32, the input's own type ("same"), or one explicit type.
struct OutputType {
  std::optional<ElementType> type = ElementType::f32;  // empty means "same"
  [[nodiscard]] ElementType resolve(ElementType input) const { return type.value_or(input); }
  bool operator==(const OutputType&) const = default;
};
[[nodiscard]] std::string toString(OutputType output);
[[nodiscard]] std::optional<OutputType> parseOutputType(std::string_view text);

struct FilterBank {
  std::vector<FilterRecipe> filters;
  Boundary boundary = Boundary::nearest;
  double constant = 0;  // the value outside for Boundary::constant
  OutputType output;
  bool operator==(const FilterBank&) const = default;

  [[nodiscard]] std::vector<const FilterRecipe*> enabled() const;
};

// "gaussian:sigma=1.5,order_x=1", "sobel:axis=x", "custom:file=taps.json"; every family takes flip=true.
// Throws Error(Usage) naming the unknown family, parameter or value and what is accepted.
[[nodiscard]] FilterRecipe parseFilterSpec(std::string_view spec);
// The inverse, without defaults; custom taps are not representable and give "custom".
[[nodiscard]] std::string formatFilterSpec(const FilterRecipe& recipe);

// schema "stencilscope.bank/1", see docs/file-formats.md. Throws Error(BadData) with the place and the remedy.
[[nodiscard]] nlohmann::json toJson(const FilterBank& bank);
[[nodiscard]] FilterBank bankFromJson(const nlohmann::json& json);
[[nodiscard]] nlohmann::json toJson(const FilterRecipe& recipe);
[[nodiscard]] FilterRecipe recipeFromJson(const nlohmann::json& json);

// Names that differ: the wanted one, or else it with the next free number behind it ("gaussian", "gaussian 2"). A
// number that is there already, after a space or a hyphen, is counted on: of "gaussian 2" the next is "gaussian 3".
// Time to take a name does not grow with how many there are.
class FilterNames {
 public:
  FilterNames() = default;
  explicit FilterNames(const FilterBank& bank);
  [[nodiscard]] std::string take(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::int64_t> next_;  // by name without number: no number below it is free
};

// A name that no recipe of the bank has yet, as FilterNames takes it.
[[nodiscard]] std::string uniqueName(const FilterBank& bank, std::string_view wanted);

}  // namespace sscope
