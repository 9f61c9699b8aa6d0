#pragma once
// The recipes of a filter (family and parameters) and of a bank: what is edited and saved.

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
  OptionValues parameters;  // those with default values may be left out
  DenseTaps taps;           // family "custom" only
  bool flip = false;        // true convolution instead of correlation
  bool enabled = true;
  std::vector<std::string> inputs;  // names of rows above that are read; empty: the data
  bool intermediate = false;        // computed for others to read, not exported
  bool operator==(const FilterRecipe&) const = default;
};

// The type of stored results: what rows and data need ("auto"), the input's type ("same"), or another one.
struct OutputType {
  std::optional<ElementType> type;  // empty: "auto" or "same"
  bool automatic = false;
  bool operator==(const OutputType&) const = default;
};
[[nodiscard]] std::string toString(OutputType output);
[[nodiscard]] std::optional<OutputType> parseOutputType(std::string_view text);

struct FilterBank {
  std::vector<FilterRecipe> filters;
  Boundary boundary = Boundary::nearest;
  double constant = 0;  // the value outside for Boundary::constant
  OutputType output{std::nullopt, true};
  double unit =
      1;  // of the data that it is run on (core/filter/program/data_unit.h); no part of what is edited and saved
  bool operator==(const FilterBank&) const = default;

  [[nodiscard]] std::vector<const FilterRecipe*> enabled() const;
  // The type of its results on data of this type. "auto": the data's own where every result holds values of the data,
  // as order statistics do; f64 for results of u32, i32 and f64, of whose digits f32 holds too few; else f32.
  [[nodiscard]] ElementType outputType(ElementType input) const;
  // The enabled ones that are not intermediate.
  [[nodiscard]] std::vector<const FilterRecipe*> results() const;
};

// "gaussian:sigma=1.5,order_x=1", "sobel:axis=x,input=smooth,name=gx", "custom:file=taps.json",
// "custom:size=[3,1,1],taps=[1,2,1]" (with anchor= if it is not the middle); every family takes flip=true, name=,
// input= (inputs=a;b of several) and intermediate=true. Commas within parentheses, brackets and quotes separate
// nothing, and names of such characters stand in quotes. Throws Error(Usage) naming the unknown family, parameter or
// value and the accepted ones.
[[nodiscard]] FilterRecipe parseFilterSpec(std::string_view spec);
// The inverse, without defaults, the name and whether it is enabled.
[[nodiscard]] std::string formatFilterSpec(const FilterRecipe& recipe);
// The inverse with the name. Throws Error(Unsupported) for one that no spec gives, such as one whose name has quotes.
[[nodiscard]] std::string wholeFilterSpec(const FilterRecipe& recipe);

// schema "stencilscope.bank/1", see docs/file-formats.md. Throws Error(BadData) with the position and the remedy.
[[nodiscard]] nlohmann::json toJson(const FilterBank& bank);
[[nodiscard]] FilterBank bankFromJson(const nlohmann::json& json);
[[nodiscard]] nlohmann::json toJson(const FilterRecipe& recipe);
[[nodiscard]] FilterRecipe recipeFromJson(const nlohmann::json& json);
// "size", "taps" and "anchor" (the middle if it is missing) of an object; other members are not looked at.
[[nodiscard]] DenseTaps tapsFromJson(const nlohmann::json& json);

// Gives rows of one name numbers (FilterNames). Throws Error(Usage) where another row reads such a name.
void nameApart(FilterBank& bank);
// Lets every row that reads the row `from` read `to` instead, as when that row is given another name.
void renameInputs(FilterBank& bank, const std::string& from, const std::string& to);

// Makes names unique: the wanted name, or the name with the next free number ("gaussian", "gaussian 2"). An existing
// number after a space or hyphen is incremented: "gaussian 2" becomes "gaussian 3". Takes constant time per name.
class FilterNames {
 public:
  FilterNames() = default;
  explicit FilterNames(const FilterBank& bank);
  [[nodiscard]] std::string take(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::int64_t> next_;  // next number to try, by name without number
};

// A name that no recipe of the bank has, as by FilterNames.
[[nodiscard]] std::string uniqueName(const FilterBank& bank, std::string_view wanted);

}  // namespace sscope
